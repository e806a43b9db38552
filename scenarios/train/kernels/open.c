#include "scenarios/train/kernels/open.h"

#include <math.h>

/* Consumer GPUs since Ampere: matrix units have four times the rate of fp32 outside
 * them for sums in fp16, twice for sums in fp32. */
static bool sums_at_half_rate(const struct cs_gpu_peak *gpu)
{
    return gpu->generation >= 80 && gpu->generation < 900 &&
           gpu->flops_per_s[CS_PRECISION_FP16] < 3 * gpu->flops_per_s[CS_PRECISION_FP32];
}

/* Generations as in struct cs_site: compute capability x 10, gfx above 900. */
static double matmul_share(const double *parameters, const struct cs_gpu_peak *gpu)
{
    uint32_t generation = gpu->generation;
    static const struct {
        uint32_t from;
        enum cs_kernel_parameter parameter;
    } shares[] = {
        {950, CS_KERNEL_MATMUL_AMD},   {940, CS_KERNEL_MATMUL_CDNA3},
        {901, CS_KERNEL_MATMUL_AMD},   {100, CS_KERNEL_MATMUL_BLACKWELL},
        {90, CS_KERNEL_MATMUL_HOPPER}, {80, CS_KERNEL_MATMUL_AMPERE},
        {70, CS_KERNEL_MATMUL_VOLTA},  {50, CS_KERNEL_MATMUL_PASCAL},
        {30, CS_KERNEL_MATMUL_KEPLER}, {0, CS_KERNEL_MATMUL_OTHER},
    };
    size_t i = 0;

    if (sums_at_half_rate(gpu))
        return parameters[CS_KERNEL_MATMUL_HALF_RATE];
    while (generation < shares[i].from)
        i++;
    return parameters[shares[i].parameter];
}

/* Matrix units for a group of warps: Hopper, and Blackwell of data centres. */
static bool matrix_groups(uint32_t generation)
{
    return generation >= 90 && generation < 120;
}

static bool is_cdna3(const struct cs_gpu_peak *gpu)
{
    return gpu->generation >= 940 && gpu->generation < 950;
}

/* Of data centres. */
static bool is_blackwell(const struct cs_gpu_peak *gpu)
{
    return gpu->generation >= 100 && matrix_groups(gpu->generation);
}

/* Loads of single elements, of what the matrix units take. */
static double odd_share(const double *parameters, const struct cs_gpu_peak *gpu,
                        double element_bytes)
{
    if (gpu->generation < 70 || gpu->generation > 900 || element_bytes > 2)
        return 1;
    return fmin(1, parameters[CS_KERNEL_ODD_PRODUCT] * (sums_at_half_rate(gpu) ? 2 : 1));
}

static double precision_share(const double *parameters, const struct cs_gpu_peak *gpu,
                              enum cs_precision precision)
{
    switch (precision) {
    case CS_PRECISION_FP32: /* the shares of older GPUs are of fp32 */
        return gpu->generation < 70 ? 1 : parameters[CS_KERNEL_MATMUL_FP32];
    case CS_PRECISION_TF32:
        return sums_at_half_rate(gpu) ? 1 : parameters[CS_KERNEL_MATMUL_TF32];
    case CS_PRECISION_FP8:
    case CS_PRECISION_FP4:
        return parameters[is_blackwell(gpu) ? CS_KERNEL_BLACKWELL_FP8
                          : is_cdna3(gpu)   ? CS_KERNEL_CDNA3_FP8
                                            : CS_KERNEL_MATMUL_FP8];
    default:
        return 1;
    }
}

/* A cast reads 16 bits, and writes 8 or 4, and these transposed for the products of
 * the backward pass (Transformer Engine, cast_transpose).  NVFP4 reads three times: for the
 * scale of the whole, for the rows, and for the columns, which a Hadamard transform mixes
 * (arXiv 2509.25149; Transformer Engine, common/hadamard_transform). */
static double cast_bytes(enum cs_precision precision)
{
    return precision == CS_PRECISION_FP8   ? 2 + 2 * 1.
           : precision == CS_PRECISION_FP4 ? 3 * 2 + 2 * .5
                                           : 0;
}

/* Winograd's algorithms run outside matrix units; cuDNN takes the faster of the two. */
static double minimal_gain(const struct cs_kernels *kernels, const struct cs_gpu_peak *gpu,
                           enum cs_precision precision, double share)
{
    double outside = gpu->flops_per_s[CS_PRECISION_FP32] *
                     fmin(1, share * precision_share(kernels->parameters, gpu, CS_PRECISION_FP32));

    if (precision > CS_PRECISION_TF32 || !(gpu->multiprocessors > 0))
        return 1;
    return fmax(1, kernels->parameters[CS_KERNEL_WINOGRAD] * outside / kernels->flops_per_s);
}

int cs_kernels_open(const struct cs_gpu_peak *gpu, enum cs_precision precision,
                    const double *parameters, struct cs_kernels *kernels, struct cs_err *err)
{
    double peak = gpu->flops_per_s[precision], share;

    if (!(peak > 0))
        return cs_gpu_peak_refuse(gpu, precision, err);
    if (!parameters)
        parameters = cs_kernel_parameters;
    share = matmul_share(parameters, gpu) * gpu->clock;
    *kernels = (struct cs_kernels){
        .parameters = parameters,
        .multiprocessors = gpu->multiprocessors,
        .flops_per_s = peak * fmin(1, share * precision_share(parameters, gpu, precision)),
        .unfused = 1,
        .memory_Bps = gpu->memory_Bps * parameters[CS_KERNEL_MEMORY_RATE] *
                      (gpu->coded ? parameters[CS_KERNEL_CODED_MEMORY] : 1) *
                      (is_blackwell(gpu) ? parameters[CS_KERNEL_BLACKWELL_MEMORY] : 1),
        /* Activations stay in 16 bits where products run in 8 or 4. */
        .element_bytes = precision <= CS_PRECISION_TF32 ? 4 : 2,
        .cast_bytes = cast_bytes(precision),
        .host = gpu->host > 0 ? gpu->host : 1,
        .element_s = gpu->generation > 0 && gpu->multiprocessors > 0
                         ? parameters[CS_KERNEL_ELEMENT] * 1e-9 / gpu->multiprocessors
                         : 0,
    };
    kernels->outside_units = precision == CS_PRECISION_FP32 && gpu->multiprocessors > 0;
    kernels->minimal_gain = minimal_gain(kernels, gpu, precision, share);
    kernels->wide_flops_per_s = precision < CS_PRECISION_FP8
                                    ? kernels->flops_per_s
                                    : gpu->flops_per_s[CS_PRECISION_BF16] * fmin(1, share);
    kernels->ascend = gpu->generation == 0;
    kernels->cdna = gpu->generation >= 940;
    kernels->odd_share = odd_share(parameters, gpu, kernels->element_bytes);
    kernels->ampere_flops_per_s = kernels->wide_flops_per_s;
    if (matrix_groups(gpu->generation)) {
        kernels->exponential = gpu->generation < 100   ? CS_EXPONENTIAL_HOPPER
                               : gpu->generation < 103 ? CS_EXPONENTIAL_BLACKWELL
                                                       : CS_EXPONENTIAL_BLACKWELL_ULTRA;
        kernels->blackwell = is_blackwell(gpu);
        kernels->ampere_flops_per_s *= parameters[CS_KERNEL_MATMUL_AMPERE] *
                                       parameters[CS_KERNEL_AMPERE_ON_HOPPER] /
                                       matmul_share(parameters, gpu) / (kernels->blackwell ? 2 : 1);
    }
    return 0;
}
