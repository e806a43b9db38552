#include "scenarios/train/kernels.h"

#include <math.h>

const struct cs_kernel_parameter_info
    cs_kernel_parameter_info[CS_KERNEL_PARAMETERS] = {
#define PARAMETER(identifier, value, prior, spread, unit, cause) \
    {#identifier, value, prior, spread, unit, cause},
#include "scenarios/train/kernel_parameters.def"
#undef PARAMETER
};

const double cs_kernel_parameters[CS_KERNEL_PARAMETERS] = {
#define PARAMETER(identifier, value, prior, spread, unit, cause) value,
#include "scenarios/train/kernel_parameters.def"
#undef PARAMETER
};

/* Generations as in struct cs_site: compute capability x 10, gfx above 900. */
static double matmul_share(const double *parameters, uint32_t generation)
{
    enum cs_kernel_parameter p = generation > 900 ? CS_KERNEL_MATMUL_AMD
                                 : generation >= 100
                                     ? CS_KERNEL_MATMUL_BLACKWELL
                                 : generation >= 90 ? CS_KERNEL_MATMUL_HOPPER
                                 : generation >= 80 ? CS_KERNEL_MATMUL_AMPERE
                                 : generation >= 70 ? CS_KERNEL_MATMUL_VOLTA
                                                    : CS_KERNEL_MATMUL_OTHER;

    return parameters[p];
}

static double precision_share(const double *parameters,
                              enum cs_precision precision)
{
    switch (precision) {
    case CS_PRECISION_FP32:
        return parameters[CS_KERNEL_MATMUL_FP32];
    case CS_PRECISION_FP8:
    case CS_PRECISION_FP4:
        return parameters[CS_KERNEL_MATMUL_FP8];
    default:
        return 1;
    }
}

int cs_kernels_open(const struct cs_gpu_peak *gpu, enum cs_precision precision,
                    const double *parameters, struct cs_kernels *kernels,
                    struct cs_err *err)
{
    double peak = gpu->flops_per_s[precision];
    double share;

    if (!(peak > 0))
        return cs_err_set(err, CS_EINPUT,
                          "the GPU %s has no matrix units for %s", gpu->name,
                          cs_precision_names[precision]);
    if (!parameters)
        parameters = cs_kernel_parameters;
    share = matmul_share(parameters, gpu->generation);
    *kernels = (struct cs_kernels){
        .parameters = parameters,
        .flops_per_s =
            peak * fmin(1, share * precision_share(parameters, precision)),
        .memory_Bps = gpu->memory_Bps * parameters[CS_KERNEL_MEMORY_RATE],
        /* Activations stay in 16 bits where products run in 8 or 4. */
        .element_bytes = precision <= CS_PRECISION_TF32 ? 4 : 2,
    };
    kernels->wide_flops_per_s =
        precision < CS_PRECISION_FP8
            ? kernels->flops_per_s
            : gpu->flops_per_s[CS_PRECISION_BF16] * fmin(1, share);
    return 0;
}

static double product_s(const struct cs_kernels *kernels,
                        const struct cs_matmul *matmul, double flops_per_s)
{
    double rows = matmul->rows, inner = matmul->inner,
           columns = matmul->columns;
    double half = kernels->parameters[CS_KERNEL_HALF_INNER];
    double reached =
        (matmul->weights
             ? rows / (rows + kernels->parameters[CS_KERNEL_HALF_ROWS])
             : 1) *
        columns / (columns + half) * inner / (inner + half);
    double flops_s = 2 * rows * inner * columns / (flops_per_s * reached);
    double bytes_s = kernels->element_bytes *
                     (rows * inner + inner * columns + rows * columns) /
                     kernels->memory_Bps;

    return matmul->count * fmax(flops_s, matmul->weights ? bytes_s : 0);
}

double cs_kernel_matmul_s(const struct cs_kernels *kernels,
                          const struct cs_matmul *matmul)
{
    return product_s(kernels, matmul, kernels->flops_per_s);
}

/* A product with weights takes all samples of the micro batch as rows; products
 * of scores are one for each sample and head. */
static struct cs_matmul device_product(const struct cs_matmul *matmul,
                                       const struct cs_kernel_split *split)
{
    struct cs_matmul mine = *matmul;

    if (!matmul->weights) {
        mine.rows /= split->context;
        mine.count *= split->samples / split->tensor;
        return mine;
    }
    mine.rows *= split->samples / split->context;
    if (matmul->by_rows)
        mine.inner /= split->tensor;
    else
        mine.columns /= split->tensor;
    return mine;
}

/* Vector loads of tensor cores take eight elements of 16 bits; the width of a
 * head is the inner size of one product and the columns of the other. */
static double vector_share(const struct cs_kernels *kernels,
                           const struct cs_matmul *matmul)
{
    bool whole = fmod(matmul->inner, 8) == 0 && fmod(matmul->columns, 8) == 0;

    return matmul->weights || whole ? 1
                                    : kernels->parameters[CS_KERNEL_MISALIGNED];
}

static double block_products_s(const struct cs_kernels *kernels,
                               const struct cs_train_block *block,
                               const struct cs_kernel_split *split,
                               bool weights)
{
    double flops_per_s = block->shards && weights ? kernels->flops_per_s
                                                  : kernels->wide_flops_per_s;
    double seconds = 0;

    if (!weights)
        flops_per_s *=
            kernels->parameters[split->fused ? CS_KERNEL_FUSED_ATTENTION
                                             : CS_KERNEL_ATTENTION];
    for (uint32_t m = 0; m < block->matmul_count; ++m)
        if (block->matmuls[m].weights == weights) {
            struct cs_matmul mine = device_product(&block->matmuls[m], split);

            seconds += product_s(kernels, &mine,
                                 flops_per_s * vector_share(kernels, &mine));
        }
    return seconds;
}

static double traffic_s(const struct cs_kernels *kernels, double elements)
{
    return elements * kernels->element_bytes *
           kernels->parameters[CS_KERNEL_TRAFFIC] / kernels->memory_Bps;
}

struct cs_block_time cs_kernel_block(const struct cs_kernels *kernels,
                                     const struct cs_train_block *block,
                                     const struct cs_kernel_split *split)
{
    struct cs_block_time time;
    const double *p = kernels->parameters;
    double samples = split->samples / split->context;
    double whole = (block->elementwise - block->split_elementwise) /
                   (split->sequence_parallel ? split->tensor : 1);
    double other = traffic_s(
        kernels, samples * (whole + block->split_elementwise / split->tensor));
    double products = block_products_s(kernels, block, split, true);
    double scores = block_products_s(kernels, block, split, false);

    time.products_s = products;
    time.forward_s = products + scores + other;
    /* FlashAttention computes the scores again: five products for two. */
    time.backward_s = 2 * products + (split->fused ? 2.5 : 2) * scores +
                      other * p[CS_KERNEL_BACKWARD_TRAFFIC];
    time.scores_s =
        scores +
        traffic_s(kernels, samples * block->score_elementwise / split->tensor);
    time.forward_host_s = block->kernels * p[CS_KERNEL_LAUNCH_FORWARD] * 1e-6;
    time.backward_host_s = block->kernels * p[CS_KERNEL_LAUNCH_BACKWARD] * 1e-6;
    return time;
}

double cs_kernel_optimizer_s(const struct cs_kernels *kernels,
                             double parameters, uint32_t words)
{
    /* Reads the gradient, reads and writes states and the 32-bit weight; mixed
     * precision writes the 16-bit copy. */
    double bytes = 4 + 8. * (words + 1) + (kernels->element_bytes < 4 ? 2 : 0);

    return parameters * bytes *
           kernels->parameters[CS_KERNEL_OPTIMIZER_TRAFFIC] /
           kernels->memory_Bps;
}
