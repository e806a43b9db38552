#include "scenarios/train/kernels/kernels.h"

#include <math.h>

const struct cs_kernel_parameter_info cs_kernel_parameter_info[CS_KERNEL_PARAMETERS] = {
#define PARAMETER(identifier, value, prior, spread, unit, cause) \
    {#identifier, value, prior, spread, unit, cause},
#include "scenarios/train/kernels/parameters.def"
#undef PARAMETER
};

const double cs_kernel_parameters[CS_KERNEL_PARAMETERS] = {
#define PARAMETER(identifier, value, prior, spread, unit, cause) value,
#include "scenarios/train/kernels/parameters.def"
#undef PARAMETER
};

enum {
    SPLIT_INNER = 512, /* least inner size of a part */
    SPLIT_WAVES = 4,
};

/* Tiles of a result, as cuBLAS and cuDNN cut large products. */
static const double tile_elements = 128. * 128, tile_columns = 64, tile_rows = 128;

/* Start and end of a tile move its elements in a time that counts as so much of its
 * inner size.  Outside matrix units elements have twice the bytes, and products take
 * eight times as long (V100: 15.7 of 125 TFLOP/s), less to find the pixels of a
 * convolution. */
static double start_share(const struct cs_kernels *kernels, const struct cs_matmul *matmul)
{
    return kernels->outside_units && !(matmul->taps > 0) ? 2. / 8 : 1;
}

/* Rows of an expert come in any number: its last tile is half full on average. */
static double tiled_rows(const struct cs_matmul *matmul)
{
    return matmul->rows + (matmul->experts > 0 ? tile_rows / 2 : 0);
}

/* Share of the rate of a large product: the last wave of tiles over the
 * multiprocessors is half full on average, and a tile starts and ends with no
 * products.  A batched product of scores has tiles enough: its own sizes count. */
static double product_share(const struct cs_kernels *kernels, const struct cs_matmul *matmul)
{
    const double *p = kernels->parameters;
    double half = p[CS_KERNEL_HALF_INNER] * start_share(kernels, matmul);
    /* Winograd's products are one for each pixel of a tile, over the channels. */
    double inner =
        matmul->minimal && kernels->minimal_gain > 1 ? matmul->inner / matmul->taps : matmul->inner;
    double reached = inner / (inner + half), filled, waves;

    if (!matmul->weights)
        return reached * matmul->columns / (matmul->columns + half);
    waves = matmul->count * tiled_rows(matmul) * matmul->columns /
            (tile_elements * kernels->multiprocessors);
    /* Few tiles divide their inner size, until the waves are four. */
    waves = fmax(waves, fmin(SPLIT_WAVES, waves * matmul->inner / SPLIT_INNER));
    /* Tiles of narrow results are half as wide. */
    filled = matmul->columns / (tile_columns * ceil(matmul->columns / tile_columns));
    return filled * reached * waves / (waves + p[CS_KERNEL_WAVE]);
}

static double product_s(const struct cs_kernels *kernels, const struct cs_matmul *matmul,
                        double flops_per_s)
{
    double rows = matmul->rows, inner = matmul->inner, columns = matmul->columns;
    double flops_s =
        2 * tiled_rows(matmul) * inner * columns / (flops_per_s * product_share(kernels, matmul));
    /* The taps of a convolution read a pixel from the caches but once. */
    double input = rows * inner * (matmul->taps > 0 ? fmin(1, matmul->strides / matmul->taps) : 1);
    double bytes_s =
        kernels->element_bytes * (input + inner * columns + rows * columns) / kernels->memory_Bps;

    return matmul->count * fmax(flops_s, matmul->weights ? bytes_s : 0);
}

struct gradient_time {
    double inputs_s, weights_s;
};

/* Gradients of the inputs and of the weights: two products of other shapes. */
static struct gradient_time gradient_products(const struct cs_kernels *kernels,
                                              const struct cs_matmul *matmul, double flops_per_s)
{
    struct cs_matmul inputs = *matmul, weights = *matmul;

    inputs.minimal = weights.minimal = false;
    inputs.inner = matmul->columns;
    inputs.columns = matmul->inner;
    if (matmul->taps > 0) { /* a convolution of the gradients */
        inputs.taps = matmul->taps / matmul->strides;
        inputs.strides = 1 / matmul->strides;
        inputs.rows *= matmul->strides;
        inputs.inner *= inputs.taps;
        inputs.columns /= matmul->taps;
    }
    weights.rows = matmul->inner;
    weights.inner = matmul->rows;
    weights.experts = 0;
    return (struct gradient_time){matmul->source ? 0 : product_s(kernels, &inputs, flops_per_s),
                                  product_s(kernels, &weights, flops_per_s)};
}

double cs_kernel_matmul_s(const struct cs_kernels *kernels, const struct cs_matmul *matmul)
{
    return product_s(kernels, matmul, kernels->flops_per_s);
}

static double or_one(double number)
{
    return number > 0 ? number : 1;
}

/* Rows are of its tokens and of other ranks' that its experts take, columns of its share. */
static struct cs_matmul expert_product(const struct cs_matmul *matmul,
                                       const struct cs_kernel_split *split)
{
    struct cs_matmul mine = *matmul;
    double parts = or_one(split->expert_tensor);

    mine.count = matmul->experts / or_one(split->expert);
    mine.rows *= split->samples / split->context / split->tensor * parts *
                 or_one(split->imbalance) / mine.count;
    if (matmul->by_rows)
        mine.inner /= parts;
    else
        mine.columns /= parts;
    return mine;
}

/* Weights take all samples of the micro batch as rows; scores are for each sample and head. */
static struct cs_matmul device_product(const struct cs_matmul *matmul,
                                       const struct cs_kernel_split *split)
{
    struct cs_matmul mine = *matmul;

    if (matmul->experts > 0)
        return expert_product(matmul, split);
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

/* Vector loads of tensor cores take eight elements of 16 bits; the width of a head is the inner
 * size of one product and the columns of the other.  Weights are fastest on lines of 64. */
static double aligned_share(const struct cs_kernels *kernels, const struct cs_matmul *matmul)
{
    const double *p = kernels->parameters;
    double whole = matmul->weights ? 64 : 8;

    if (fmod(matmul->inner, whole) == 0 && fmod(matmul->columns, whole) == 0)
        return 1;
    return p[matmul->weights ? CS_KERNEL_UNALIGNED : CS_KERNEL_MISALIGNED];
}

/* Copies move four bytes at least; ranks that share a vocabulary pad it. */
static double even_share(const struct cs_kernels *kernels, const struct cs_matmul *matmul,
                         const struct cs_kernel_split *split)
{
    bool odd = fmod(matmul->inner, 2) == 1 || fmod(matmul->columns, 2) == 1;

    if (!odd || split->padded || split->tensor > 1 || matmul->taps > 0)
        return 1;
    return kernels->odd_share;
}

struct product_elements {
    double inputs, gradients; /* cast */
    double adapters, adapters_back;
    uint32_t adapted; /* products */
};

/* FLOPs a second of a product on a device. */
static double product_rate(const struct cs_kernels *kernels, const struct cs_train_block *block,
                           const struct cs_matmul *whole, const struct cs_matmul *mine,
                           const struct cs_kernel_split *split)
{
    double rate = block->shards ? kernels->flops_per_s * aligned_share(kernels, mine)
                                : kernels->wide_flops_per_s * even_share(kernels, whole, split);

    return mine->minimal ? rate * kernels->minimal_gain : rate;
}

/* Norms cast inputs of products split by columns, but copies come to experts in 16 bits. */
static struct product_elements cast_for(const struct cs_matmul *mine, bool fused, bool routed)
{
    struct product_elements cast = {0};

    if (!fused || mine->by_rows)
        cast.gradients = mine->count * mine->rows * mine->columns;
    if (mine->by_rows ? !fused : mine->experts > 0 && !routed)
        cast.inputs = mine->count * mine->rows * mine->inner;
    return cast;
}

/* Both products of an adapter (arXiv 2106.09685; huggingface/peft, tuners/lora/layer.py), of low
 * rank, move bytes alone.  Forward they read the input and write a result, which is read again and
 * added to the product's; backward they read the gradients twice and the input, and write a
 * gradient that is added to the product's. */
static void add_adapter(const struct cs_matmul *mine, int half, const struct cs_kernel_split *split,
                        struct product_elements *sum)
{
    enum cs_part part = half ? CS_PART_FFN : mine->by_rows ? CS_PART_OUTPUT : CS_PART_KEYS;

    if (!(split->adapters >> part & 1))
        return;
    sum->adapters += mine->count * mine->rows * (mine->inner + 4 * mine->columns);
    sum->adapters_back += mine->count * mine->rows * (5 * mine->inner + 2 * mine->columns);
    sum->adapted++;
}

/* Products with weights: their times, and what is cast for them. */
static struct product_elements add_products(const struct cs_kernels *kernels,
                                            const struct cs_train_block *block,
                                            const struct cs_kernel_split *split,
                                            struct cs_block_time *time)
{
    struct product_elements cast = {0};
    bool routed = false;
    int half = 0;

    for (uint32_t m = 0; m < block->matmul_count; ++m)
        if (block->matmuls[m].weights) {
            struct cs_matmul mine = device_product(&block->matmuls[m], split);
            double rate = product_rate(kernels, block, &block->matmuls[m], &mine, split);
            struct gradient_time gradients = gradient_products(kernels, &mine, rate);
            struct product_elements one =
                cast_for(&mine, split->fused_experts && mine.experts > 0, routed);

            if (split->adapters)
                gradients.weights_s = 0;
            time->last_s = product_s(kernels, &mine, rate);
            time->products_s += time->last_s;
            time->backward_s += gradients.inputs_s + gradients.weights_s;
            cast.gradients += one.gradients;
            cast.inputs += one.inputs;
            routed = mine.experts > 0;
            if (routed) {
                time->experts_s += time->last_s;
                continue;
            }
            if (block->shards)
                add_adapter(&mine, half, split, &cast);
            if (mine.by_rows) {
                time->rows_s[half] = time->last_s;
                time->rows_back_s[half] = gradients.inputs_s;
                half = 1;
            } else {
                time->columns_s[half] += time->last_s;
                time->columns_back_s[half] += gradients.inputs_s;
                time->weights_s[half] += gradients.weights_s;
            }
        }
    return cast;
}

/* The third version is for matrix units that older GPUs lack. */
static bool takes_groups(const struct cs_kernels *kernels, enum cs_attention attention)
{
    return attention == CS_ATTENTION_FLASH_3 && kernels->exponential > 0;
}

/* PyTorch's memory-efficient kernel with a mask, by times on H100 with heads of 64 and 16,384 keys
 * (pytorch/pytorch pull request 137036): what a multiprocessor reaches, forward, of 139 TFLOP/s of all
 * without a mask (the matrix units of A100 hold it to 104); the width of a head whose products take as
 * long as the mask of a score, 47.7 ms with one and 31.6 without; and the backward pass, of the forward
 * pass with a mask, 105 and 117 ms, for heads of 128 (73 TFLOP/s for 104 on A100, with 4,096 keys:
 * facebookresearch/xformers pull request 557). */
static const double efficient_flops_per_s = 1.05e12, mask_width = 33, efficient_backward = 2.8;

/* AITER's kernels on CDNA take 47 % less time forward and 75 % backward than those of PyTorch's own
 * attention, AOTriton's, by AMD (rocm.blogs.amd.com, Primus deep dive), read as rates. */
static const double aotriton_slower = 1.47, aotriton_slower_back = 1.75;

static double attention_flops_per_s(const struct cs_kernels *kernels, enum cs_attention attention)
{
    const double *p = kernels->parameters;

    if (attention == CS_ATTENTION_EFFICIENT)
        return fmin(kernels->ampere_flops_per_s * p[CS_KERNEL_EFFICIENT],
                    kernels->multiprocessors > 0 ? kernels->multiprocessors * efficient_flops_per_s
                                                 : INFINITY);
    if (attention == CS_ATTENTION_PLAIN || takes_groups(kernels, attention))
        return kernels->wide_flops_per_s *
               p[attention && kernels->blackwell ? CS_KERNEL_FLASH_3_BLACKWELL
                                                 : CS_KERNEL_ATTENTION + attention];
    if (kernels->ascend)
        return kernels->wide_flops_per_s * p[CS_KERNEL_FLASH_OTHER];
    if (kernels->cdna)
        return kernels->wide_flops_per_s * p[CS_KERNEL_FLASH_CDNA] /
               (attention == CS_ATTENTION_FLASH_3 ? 1 : aotriton_slower);
    return kernels->ampere_flops_per_s *
           p[attention == CS_ATTENTION_FLASH_3 ? CS_KERNEL_FLASH_2
                                               : CS_KERNEL_ATTENTION + attention];
}

/* Of heads, whose rates are published. */
static const double usual_width = 128;

/* Keys that a sequence adds to each query of a causal mask, by rates R N / (N + keys) of the forward
 * pass with N tokens, 2,048 to 32,768 (NVIDIA/cudnn-frontend, benchmark/attention_training/results and
 * benchmark/sdpa_benchmark_training): FlashAttention 2 on its own A100 610 up to 8,192 tokens, beyond
 * which power limits (816ea457; on Blackwell 670 to 1,650); cuDNN on H200 750 to 950 (df73764a,
 * 816ea457); on GB200 1,540, 1,330 and 1,270 and on GB300 970 (df73764a, d48a60eb, d6d35d69, 7a40ba7d). */
enum {
    FLASH_2_START = 610,
    HOPPER_START = 800,
    BLACKWELL_START = 1280,
};

/* The time of a score, in products: the width of a head of 128 on Hopper and GB200, as published. */
static double score_work(const struct cs_kernels *kernels, double width, double exponential)
{
    /* A product has half of it, in FLOPs of a multiplication and a sum. */
    double own = exponential / 2 / 2;
    double usual = (kernels->blackwell ? CS_EXPONENTIAL_BLACKWELL : CS_EXPONENTIAL_HOPPER) / 2. / 2;

    return (width + own) * usual_width / (usual_width + usual);
}

/* FLOPs of FlashAttention's product of scores with a causal mask, as of heads of 128: tiles
 * on the diagonal are half empty, and start and end as others; on fast matrix units an
 * exponential of a score takes as long, however narrow the head. */
static double masked_flops(const struct cs_kernels *kernels, const struct cs_matmul *mine,
                           const struct cs_kernel_split *split)
{
    double width = mine->masked_width, keys = mine->inner * mine->columns / width;
    bool groups = takes_groups(kernels, split->attention);
    double start = !groups ? FLASH_2_START : kernels->blackwell ? BLACKWELL_START : HOPPER_START;

    return 2 * mine->rows * mine->count * (keys + start * split->context) *
           (groups ? score_work(kernels, width, kernels->exponential) : width);
}

/* FLOPs of products of all scores, and of the mask that is added to each. */
static double unskipped_flops(const struct cs_matmul *mine, enum cs_attention attention)
{
    double width = fmin(mine->inner, mine->columns), keys = fmax(mine->inner, mine->columns);
    double mask = attention == CS_ATTENTION_EFFICIENT ? mask_width : 0;

    return 2 * mine->rows * mine->count * keys * (width + mask);
}

/* The backward pass, of the forward pass.  FlashAttention computes the scores again: five products
 * for two; on fast matrix units these wait for shared memory: of cuDNN's forward and backward rates on
 * H200, B200 and GB200 at 8192 tokens 644 and 541, 1171 and 943, 1598 and 1311 TFLOP/s
 * (NVIDIA/cudnn-frontend@df73764a benchmark/sdpa_benchmark_training); GB300's exponentials, by which
 * its forward pass is 1.2 to 1.35 times as fast, spare nothing there: 1.1 (7a40ba7d, d6d35d69).
 * AITER's backward pass has 500 for 575 TFLOP/s on MI300X, 1184 for 1407 on MI355X. */
static double backward_scores(const struct cs_kernels *kernels, enum cs_attention attention)
{
    if (attention == CS_ATTENTION_EFFICIENT)
        return efficient_backward;
    if (kernels->cdna && attention)
        return 2.5 * 1.17 *
               (attention == CS_ATTENTION_FLASH_3 ? 1 : aotriton_slower_back / aotriton_slower);
    if (!takes_groups(kernels, attention))
        return attention ? 2.5 : 2;
    return 2.5 * 1.2 *
           score_work(kernels, usual_width, fmax(kernels->exponential, CS_EXPONENTIAL_HOPPER)) /
           score_work(kernels, usual_width, kernels->exponential);
}

/* Batched products of scores. */
static double block_scores_s(const struct cs_kernels *kernels, const struct cs_train_block *block,
                             const struct cs_kernel_split *split)
{
    double rate = attention_flops_per_s(kernels, split->attention);
    double sum_s = 0;

    for (uint32_t m = 0; m < block->matmul_count; ++m)
        if (!block->matmuls[m].weights) {
            struct cs_matmul mine = device_product(&block->matmuls[m], split);

            sum_s += !split->attention
                         ? product_s(kernels, &mine, rate * aligned_share(kernels, &mine))
                     : mine.masked_width > 0 && cs_attention_skips(split->attention)
                         ? masked_flops(kernels, &mine, split) / rate
                         : unskipped_flops(&mine, split->attention) / rate;
        }
    return sum_s;
}

/* Layers of transformers move vectors; kernels of images and losses an element at a time. */
static double traffic_s(const struct cs_kernels *kernels, const struct cs_train_block *block,
                        double elements)
{
    double bytes_s = kernels->element_bytes / kernels->memory_Bps;

    return elements * (block->shards ? bytes_s * kernels->parameters[CS_KERNEL_TRAFFIC]
                                     : bytes_s + kernels->element_s);
}

/* Host seconds of a product of a group or of its cast, which a loop launches for each
 * expert of a rank (Transformer Engine, GroupedLinear and
 * nvte_multi_stream_cublas_gemm): 0.267 ms for eight small products (its pull request
 * 3134, taken as on a GB200), over 2.06 of that host (gpu_peaks.def). */
static const double grouped_host_s = 16.2e-6;

/* Experts of a rank; 0 without. */
static double rank_experts(const struct cs_train_block *block, const struct cs_kernel_split *split)
{
    double experts = 0;

    for (uint32_t m = 0; m < block->matmul_count; ++m)
        experts = fmax(experts, block->matmuls[m].experts);
    return experts / or_one(split->expert);
}

/* Launches of a forward pass: a graph is one; of these, of router and experts. */
static double expert_launches(const struct cs_train_block *block,
                              const struct cs_kernel_split *split)
{
    return block->sized + (block->routed > 0 && !split->graphs ? split->router_kernels : 0);
}

static double launches(const struct cs_train_block *block, const struct cs_kernel_split *split,
                       uint32_t adapted)
{
    return 3 * adapted + (split->graphs && block->shards ? 1 : block->kernels - block->sized) +
           expert_launches(block, split);
}

/* An exchange that sends from where tokens are, and sums (DeepEP), spares two of four orders. */
static double sorted_elements(const struct cs_train_block *block,
                              const struct cs_kernel_split *split)
{
    return split->sorted ? 2 * 2 * block->routed : 0;
}

/* Two products of an expert forward, four backward, and two casts of each to 8 or 4 bits. */
static void add_grouped_launches(const struct cs_kernels *kernels, double experts,
                                 struct cs_block_time *time)
{
    double casts = kernels->cast_bytes > 0 ? 2 : 0;

    time->forward_host_s += (2 + casts) * experts * grouped_host_s;
    time->experts_host_s += (2 + casts) * experts * grouped_host_s;
    time->backward_host_s += (4 + casts) * experts * grouped_host_s;
}

struct cs_block_time cs_kernel_block(const struct cs_kernels *kernels,
                                     const struct cs_train_block *block,
                                     const struct cs_kernel_split *split)
{
    struct cs_block_time time = {0};
    const double *p = kernels->parameters;
    double samples = split->samples / split->context;
    double whole = (block->elementwise - block->split_elementwise - sorted_elements(block, split)) /
                   (split->sequence_parallel ? split->tensor : 1);
    double converted = kernels->converts ? samples * block->converted : 0;
    double unfused = block->shards ? kernels->unfused : 1;
    double gates = split->fused_experts ? block->expert_gates : 0;
    double routed = block->split_elementwise - gates +
                    (or_one(split->imbalance) - 1) * (block->expert_elementwise - gates);
    struct product_elements cast = add_products(kernels, block, split, &time);
    double other =
        unfused * traffic_s(kernels, block, converted + samples * (whole + routed / split->tensor));
    double adapters_s = traffic_s(kernels, block, cast.adapters);
    double adapters_back_s = traffic_s(kernels, block, cast.adapters_back);
    double scores = block_scores_s(kernels, block, split);
    double casts = block->shards ? kernels->cast_bytes / kernels->memory_Bps : 0;
    double cast_s = casts * cast.inputs, back_cast_s = casts * cast.gradients;

    time.other_s = other;
    time.forward_s = time.products_s + scores + other + cast_s + adapters_s;
    time.backward_s = time.backward_s + backward_scores(kernels, split->attention) * scores +
                      other * p[CS_KERNEL_BACKWARD_TRAFFIC] + back_cast_s + adapters_back_s;
    time.traffic_s = other * (1 + p[CS_KERNEL_BACKWARD_TRAFFIC]) + cast_s + back_cast_s +
                     adapters_s + adapters_back_s;
    time.scores_s =
        scores +
        unfused * traffic_s(kernels, block, samples * block->score_elementwise / split->tensor);
    time.forward_host_s = launches(block, split, cast.adapted) * p[CS_KERNEL_LAUNCH_FORWARD] * 1e-6;
    time.backward_host_s =
        launches(block, split, cast.adapted) * p[CS_KERNEL_LAUNCH_BACKWARD] * 1e-6;
    time.experts_host_s = expert_launches(block, split) * p[CS_KERNEL_LAUNCH_FORWARD] * 1e-6;
    add_grouped_launches(
        kernels, fmin(rank_experts(block, split), split->fused_experts ? 1 : INFINITY), &time);
    time.forward_host_s *= kernels->host;
    time.experts_host_s *= kernels->host;
    time.backward_host_s *= kernels->host;
    return time;
}

double cs_kernel_optimizer_s(const struct cs_kernels *kernels, double parameters, double words,
                             bool fused)
{
    /* Reads the gradient, reads and writes states and the 32-bit weight; mixed
     * precision writes the 16-bit copy.  Operations of PyTorch's AdamW (decay, mean,
     * two of the variance, root, its correction and epsilon, update) read and write
     * 80 bytes, those of SGD with momentum 44; of narrow states no less than one kernel. */
    double bytes = 4 + 8. * (words + 1) + (kernels->element_bytes < 4 ? 2 : 0);

    if (!fused)
        bytes = fmax(bytes, 8 + 36. * words);
    return parameters * bytes * kernels->parameters[CS_KERNEL_OPTIMIZER_TRAFFIC] /
           kernels->memory_Bps;
}
