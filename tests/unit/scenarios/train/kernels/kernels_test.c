/* Compute time of a block. */
#include "scenarios/train/kernels/open.h"
#include "scenarios/train/model/library.h"
#include "scenarios/train/model/transformer.h"

#include "tests/fixture.h"

static struct cs_kernels open_kernels(const char *name, enum cs_precision precision)
{
    const struct cs_gpu_peak *gpu;
    struct cs_kernels kernels;

    assert_done(cs_gpu_peak_find(name, &gpu, &err));
    assert_done(cs_kernels_open(gpu, precision, NULL, &kernels, &err));
    return kernels;
}

/* A large product reaches the share of the peak; a small one less. */
TEST(large_products_reach_the_share_of_the_peak)
{
    struct cs_kernels kernels = open_kernels("a100", CS_PRECISION_BF16);
    struct cs_matmul large = {
        .rows = 1e6, .inner = 65536, .columns = 65536, .count = 1, .weights = true};
    struct cs_matmul small = {
        .rows = 128, .inner = 1024, .columns = 1024, .count = 1, .weights = true};
    double peak_s = 2 * 1e6 * 65536. * 65536. / kernels.flops_per_s;

    assert_true(fabs(cs_kernel_matmul_s(&kernels, &large) / peak_s - 1) < .01);
    assert_true(cs_kernel_matmul_s(&kernels, &small) >
                2 * 2 * 128. * 1024 * 1024 / kernels.flops_per_s);
}

/* One wave of tiles over 108 multiprocessors, inner size 512: too small to be
 * divided. */
TEST(a_product_loses_part_of_a_wave)
{
    struct cs_kernels kernels = open_kernels("a100", CS_PRECISION_BF16);
    struct cs_matmul wave = {
        .rows = 1382.4, .inner = 512, .columns = 1280, .count = 1, .weights = true};
    const double *p = cs_kernel_parameters;
    double share = 1 / (1 + p[CS_KERNEL_WAVE]) * 512 / (512 + p[CS_KERNEL_HALF_INNER]);
    double seconds = 2 * 1382.4 * 512 * 1280 / (kernels.flops_per_s * share);

    assert_true(fabs(cs_kernel_matmul_s(&kernels, &wave) / seconds - 1) < 1e-12);
}

static double convolution_s(const struct cs_kernels *kernels, struct cs_matmul *matmul)
{
    struct cs_kernel_split split = {.tensor = 1, .context = 1, .samples = 1};
    struct cs_train_block block = {.matmuls = matmul, .matmul_count = 1};
    struct cs_block_time time = cs_kernel_block(kernels, &block, &split);

    return time.forward_s + time.backward_s;
}

/* 3 x 3 with few channels is bound by memory, which holds a pixel once; the gradient
 * of its input is a convolution with as many channels inside, and photos need
 * none. */
TEST(taps_of_a_convolution_share_its_input)
{
    struct cs_kernels kernels = open_kernels("a100", CS_PRECISION_FP16);
    struct cs_matmul conv = {.rows = 1e6,
                             .inner = 9 * 64,
                             .columns = 64,
                             .count = 1,
                             .weights = true,
                             .taps = 9,
                             .strides = 1};
    struct cs_matmul plain = conv, source = conv;
    double bytes_s = 2 * (2 * 64e6 + 9 * 64 * 64) / kernels.memory_Bps;

    plain.taps = 0;
    source.source = true;
    assert_true(cs_kernel_matmul_s(&kernels, &conv) >= bytes_s);
    assert_true(cs_kernel_matmul_s(&kernels, &conv) < .6 * cs_kernel_matmul_s(&kernels, &plain));
    assert_true(fabs(convolution_s(&kernels, &source) / convolution_s(&kernels, &conv) - 2. / 3) <
                .15);
}

/* Operands of tf32 are twice as large as those of bf16. */
TEST(tf32_reaches_less_of_its_peak)
{
    struct cs_kernels tf32 = open_kernels("a100", CS_PRECISION_TF32);
    struct cs_kernels bf16 = open_kernels("a100", CS_PRECISION_BF16);

    assert_true(fabs(2 * tf32.flops_per_s / bf16.flops_per_s -
                     cs_kernel_parameters[CS_KERNEL_MATMUL_TF32]) < 1e-12);
    assert_true(open_kernels("rtx3090", CS_PRECISION_TF32).flops_per_s >= 35.6e12);
}

/* GeForce reaches its peak, which is half of the matrix units' for sums in fp16. */
TEST(half_rates_are_reached)
{
    assert_true(open_kernels("rtx4090", CS_PRECISION_FP16).flops_per_s >= 165.2e12);
    assert_true(open_kernels("a6000", CS_PRECISION_FP16).flops_per_s < 130e12);
}

TEST(codes_take_part_of_the_memory_rate)
{
    const double *p = cs_kernel_parameters;
    double rate = open_kernels("k80", CS_PRECISION_FP32).memory_Bps;

    assert_true(fabs(rate / (240e9 * p[CS_KERNEL_MEMORY_RATE] * p[CS_KERNEL_CODED_MEMORY]) - 1) <
                1e-12);
}

/* Winograd's algorithms take 3 x 3 in fp32; matrix units compute all products. */
TEST(fp32_saves_products_of_dense_kernels)
{
    struct cs_kernels fp32 = open_kernels("v100", CS_PRECISION_FP32);
    struct cs_kernels fp16 = open_kernels("v100", CS_PRECISION_FP16);

    assert_true(fp32.minimal_gain == cs_kernel_parameters[CS_KERNEL_WINOGRAD]);
    assert_true(fp16.minimal_gain == 1);
    /* tf32 of GeForce has the rate of fp32, that of data centres eight times. */
    assert_true(open_kernels("rtx3090", CS_PRECISION_TF32).minimal_gain > 1.5);
    assert_true(open_kernels("a100", CS_PRECISION_TF32).minimal_gain == 1);
}

/* A product of scores with heads of 64: tiles start and end in less of the time of
 * products outside matrix units, but for convolutions. */
TEST(slow_products_lose_less_at_their_start)
{
    struct cs_kernels fp32 = open_kernels("v100", CS_PRECISION_FP32);
    struct cs_matmul scores = {.rows = 512, .inner = 1e12, .columns = 64, .count = 1};
    struct cs_matmul convolution = scores;
    double half = cs_kernel_parameters[CS_KERNEL_HALF_INNER];
    double flops_s = 2 * 512 * 1e12 * 64 / fp32.flops_per_s;

    convolution.taps = 9;
    convolution.strides = 1;
    assert_true(fabs(cs_kernel_matmul_s(&fp32, &scores) / flops_s - (64 + half / 4) / 64) < 1e-6);
    assert_true(fabs(cs_kernel_matmul_s(&fp32, &convolution) / flops_s - (64 + half) / 64) < 1e-6);
}

/* FlashAttention 2 takes its share of the rate at any width of a head, and its start for any
 * number of keys; batched products are slower with narrow heads. */
TEST(flash_attention_does_not_depend_on_the_heads)
{
    struct cs_kernels kernels = open_kernels("a100", CS_PRECISION_BF16);
    struct cs_transformer dims = {.layers = 1,
                                  .hidden = 2048,
                                  .heads = 16,
                                  .kv_heads = 16,
                                  .ffn = 8192,
                                  .vocabulary = 1000,
                                  .sequence = 4000,
                                  .window = 1001,
                                  .attention = CS_ATTENTION_FLASH_2};
    struct cs_kernel_split split = {
        .tensor = 1, .context = 1, .attention = CS_ATTENTION_FLASH_2, .samples = 1};
    double rate = kernels.wide_flops_per_s * kernels.parameters[CS_KERNEL_FLASH_2];
    double seconds = 2 * 2 * 4000. * 2048 * (2 * 1001 - 1001. * 1001 / 4000 + 610) / rate;

    for (uint32_t heads = 16; heads <= 64; heads *= 2) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_train_model model;
        struct cs_block_time time;

        dims.heads = dims.kv_heads = heads;
        assert_done(cs_train_model_of("t", &dims, &arena, &model, &err));
        time = cs_kernel_block(&kernels, &model.blocks[1], &split);
        assert_true(fabs(time.scores_s / seconds - 1) < 1e-9);
        assert_true(time.last_s > 0 && time.last_s < time.products_s / 2);
    }
}

static double scores_s(const char *gpu, enum cs_attention attention)
{
    struct cs_kernels kernels = open_kernels(gpu, CS_PRECISION_BF16);
    struct cs_kernel_split split = {
        .tensor = 1, .context = 1, .attention = attention, .samples = 1};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_train_model model;

    assert_done(cs_train_model_open("llama3-8b", &arena, &model, &err));
    return cs_kernel_block(&kernels, &model.blocks[1], &split).scores_s;
}

/* TFLOP/s of a causal mask's scores with FlashAttention, by heads of `width`. */
static double attention_rate(const char *gpu, enum cs_attention attention, uint32_t tokens,
                             uint32_t width)
{
    struct cs_kernels kernels = open_kernels(gpu, CS_PRECISION_BF16);
    struct cs_kernel_split split = {
        .tensor = 1, .context = 1, .attention = attention, .samples = 1};
    struct cs_transformer dims = {.layers = 1,
                                  .hidden = 8192,
                                  .heads = 8192 / width,
                                  .kv_heads = 8192 / width,
                                  .ffn = 8192,
                                  .vocabulary = 1000,
                                  .sequence = tokens,
                                  .attention = attention};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_train_model model;
    double seconds;

    assert_done(cs_train_model_of("t", &dims, &arena, &model, &err));
    seconds = cs_kernel_block(&kernels, &model.blocks[1], &split).scores_s;
    return 2. * tokens * tokens * 8192 / seconds * 1e-12;
}

/* TFLOP/s with 2,048, 4,096 and 8,192 tokens and heads of 128, means of the runs that kernels.c
 * names: cuDNN's runs on H200 differ by 8 % in their shape, those on GB200 by 5; FlashAttention 2
 * has one on A100, whose start is estimated from it. */
TEST(short_sequences_slow_attention)
{
    static const struct {
        const char *gpu;
        enum cs_attention attention;
        double rates[3], tolerance;
    } published[] = {{"h200", CS_ATTENTION_FLASH_3, {509, 604, 650}, .08},
                     {"gb200", CS_ATTENTION_FLASH_3, {1052, 1347, 1580}, .08},
                     {"gb300", CS_ATTENTION_FLASH_3, {1420, 1738, 1886}, .08},
                     {"a100", CS_ATTENTION_FLASH_2, {180, 204, 217}, .02}};

    for (size_t g = 0; g < sizeof(published) / sizeof(*published); ++g)
        for (uint32_t s = 0; s < 2; ++s) {
            double ratio =
                attention_rate(published[g].gpu, published[g].attention, 2048 << s, 128) /
                attention_rate(published[g].gpu, published[g].attention, 8192, 128);

            assert_true(fabs(ratio / (published[g].rates[s] / published[g].rates[2]) - 1) <
                        published[g].tolerance);
        }
}

/* GB300 has twice the exponentials of GB200 and 1.05 times the clock: by the same runs 1.35, 1.29
 * and 1.19 times the rate forward, 1.1 backward.  Heads of 64 and a window have 336 and 574 TFLOP/s
 * on H200 and GB200. */
TEST(exponentials_slow_attention)
{
    static const struct {
        const char *gpu;
        double narrow;
    } published[] = {{"h200", 336}, {"gb200", 574}};

    for (size_t g = 0; g < 2; ++g) {
        double wide = attention_rate(published[g].gpu, CS_ATTENTION_FLASH_3, 4096, 128);
        double narrow = attention_rate(published[g].gpu, CS_ATTENTION_FLASH_3, 4096, 64);

        assert_true(narrow > published[g].narrow && narrow < .8 * wide);
    }
    for (uint32_t tokens = 2048; tokens <= 8192; tokens *= 2) {
        double gain = attention_rate("gb300", CS_ATTENTION_FLASH_3, tokens, 128) /
                      attention_rate("gb200", CS_ATTENTION_FLASH_3, tokens, 128);

        assert_true(gain > 1.19 && gain < 1.35);
    }
}

/* The width of a head is known where keys are fewer, too. */
TEST(few_keys_have_wide_heads)
{
    double keys = attention_rate("a100", CS_ATTENTION_FLASH_2, 64, 256);

    /* Scores of 64 tokens and 64 keys: a start of 610 keys for each query. */
    assert_true(fabs(keys / attention_rate("a100", CS_ATTENTION_FLASH_2, 8192, 256) /
                         (64. / (64 + 610) * (8192 + 610) / 8192) -
                     1) < 1e-9);
}

/* FlashAttention 3 is for Hopper, on which 2 has 1.3 to 2 times its rate on the A100,
 * for 3.2 times the peak. */
TEST(kernels_of_ampere_are_slow_on_hopper)
{
    double a100 = scores_s("a100", CS_ATTENTION_FLASH_2),
           h100 = scores_s("h100", CS_ATTENTION_FLASH_2);

    assert_true(a100 / h100 > 1.3 && a100 / h100 < 2.1);
    assert_true(scores_s("h100", CS_ATTENTION_FLASH_3) < h100 / 1.4);
    assert_true(scores_s("a100", CS_ATTENTION_FLASH_3) == a100);
}

/* 47.7 ms for 64 heads of 64 and 16,384 tokens with a mask on H100, of all scores; as published. */
TEST(attention_of_cdna_is_aiters_or_pytorchs)
{
    double mi300x = attention_rate("mi300x", CS_ATTENTION_FLASH_3, 8192, 128),
           mi355x = attention_rate("mi355x", CS_ATTENTION_FLASH_3, 8192, 128);

    assert_true(fabs(mi300x / 575 - 1) < .08 && fabs(mi355x / 1407 - 1) < .08);
    assert_true(attention_rate("mi300x", CS_ATTENTION_FLASH_2, 8192, 128) < mi300x / 1.4);
}

TEST(a_mask_leaves_no_score_out)
{
    double rate = attention_rate("h100", CS_ATTENTION_EFFICIENT, 16384, 64);

    assert_true(fabs(rate / (2. * 64 * 64 * 16384 * 16384 / 47.7e-3 * 1e-12) - 1) < .02);
    assert_true(rate < attention_rate("h100", CS_ATTENTION_FLASH_2, 16384, 64) / 2);
}

/* Tiles are 64 columns wide: 96 columns take the time of 128. */
TEST(narrow_results_waste_part_of_a_tile)
{
    struct cs_kernels kernels = open_kernels("v100", CS_PRECISION_FP32);
    struct cs_matmul narrow = {
        .rows = 1e9, .inner = 4096, .columns = 96, .count = 1, .weights = true};
    struct cs_matmul whole = narrow;

    whole.columns = 128;
    assert_true(fabs(cs_kernel_matmul_s(&kernels, &narrow) / cs_kernel_matmul_s(&kernels, &whole) -
                     1) < 1e-3);
}

static double elementwise_s(const struct cs_kernels *kernels, bool shards)
{
    struct cs_kernel_split split = {.tensor = 1, .context = 1, .samples = 1};
    struct cs_train_block block = {.elementwise = 1e9, .shards = shards};

    return cs_kernel_block(kernels, &block, &split).forward_s;
}

/* Half of the bytes take more than half of the time of a batch norm, on transformers'
 * layers half of it. */
TEST(elements_of_images_take_instructions)
{
    struct cs_kernels tf32 = open_kernels("a100", CS_PRECISION_TF32);
    struct cs_kernels fp16 = open_kernels("a100", CS_PRECISION_FP16);

    assert_true(elementwise_s(&fp16, false) > .55 * elementwise_s(&tf32, false));
    assert_true(fabs(elementwise_s(&fp16, true) / elementwise_s(&tf32, true) - .5) < 1e-12);
}

/* AdamW of PyTorch reads and writes 80 bytes of a parameter, a fused kernel of mixed
 * precision 30. */
TEST(an_optimizer_of_operations_moves_more)
{
    struct cs_kernels kernels = open_kernels("h100", CS_PRECISION_BF16);
    double fused = cs_kernel_optimizer_s(&kernels, 1e9, 2, true);

    assert_true(fabs(cs_kernel_optimizer_s(&kernels, 1e9, 2, false) / fused - 80. / 30) < 1e-12);
    /* States of two bytes, the copy included. */
    assert_true(cs_kernel_optimizer_s(&kernels, 1e9, -.5, false) ==
                cs_kernel_optimizer_s(&kernels, 1e9, -.5, true));
}

/* A power limit sets the rate of products, not that of memory. */
TEST(a_power_limit_slows_products)
{
    struct cs_kernels full = open_kernels("h100", CS_PRECISION_BF16);
    struct cs_kernels limited = open_kernels("h100-500w", CS_PRECISION_BF16);
    struct cs_kernels sxm2 = open_kernels("v100", CS_PRECISION_FP16);
    struct cs_kernels sxm3 = open_kernels("v100-sxm3", CS_PRECISION_FP16);

    assert_true(fabs(sxm3.flops_per_s / sxm2.flops_per_s - 1.053) < 1e-12);
    assert_true(fabs(limited.flops_per_s / full.flops_per_s - .89) < 1e-12);
}

/* Few FLOPs for each element. */
TEST(products_take_at_least_the_time_of_their_operands)
{
    struct cs_kernels kernels = open_kernels("h100", CS_PRECISION_BF16);
    struct cs_matmul tall = {.rows = 1e6, .inner = 64, .columns = 64, .count = 1, .weights = true};
    double bytes = 2 * (1e6 * 64 + 64 * 64 + 1e6 * 64);

    assert_true(fabs(cs_kernel_matmul_s(&kernels, &tall) / (bytes / kernels.memory_Bps) - 1) <
                1e-12);
}

static struct cs_block_time layer_time(struct cs_kernel_split split, struct cs_arena *arena)
{
    struct cs_kernels kernels = open_kernels("a100", CS_PRECISION_BF16);
    struct cs_train_model model;

    assert_done(cs_train_model_open("gpt3-13b", arena, &model, &err));
    return cs_kernel_block(&kernels, &model.blocks[1], &split);
}

ARENA_TEST(splits_divide_a_layer_at_most_by_their_ranks)
{
    struct cs_block_time one =
        layer_time((struct cs_kernel_split){.tensor = 1, .context = 1, .samples = 4}, arena);
    struct cs_block_time eight =
        layer_time((struct cs_kernel_split){.tensor = 8, .context = 1, .samples = 4}, arena);
    struct cs_block_time sequence = layer_time(
        (struct cs_kernel_split){
            .tensor = 8, .context = 1, .sequence_parallel = true, .samples = 4},
        arena);

    assert_true(eight.forward_s > one.forward_s / 8);
    assert_true(eight.forward_s < one.forward_s / 3);
    assert_true(sequence.forward_s < eight.forward_s);
    assert_true(one.backward_s > 1.5 * one.forward_s);
}

ARENA_TEST(the_host_launches_as_often_for_small_batches)
{
    struct cs_block_time one =
        layer_time((struct cs_kernel_split){.tensor = 8, .context = 1, .samples = 1}, arena);
    struct cs_block_time four =
        layer_time((struct cs_kernel_split){.tensor = 8, .context = 1, .samples = 4}, arena);

    assert_true(one.forward_host_s == four.forward_host_s);
    assert_true(one.forward_s < four.forward_s);
}

static double host_s(const char *gpu, const struct cs_train_block *block,
                     struct cs_kernel_split split)
{
    struct cs_kernels kernels = open_kernels(gpu, CS_PRECISION_BF16);

    return cs_kernel_block(&kernels, block, &split).forward_host_s;
}

/* 2770 beside 1389 TFLOP/s on B200, 1280 of 1979 beside 720 of 989 on H100. */
TEST(blackwell_keeps_its_rate_in_eight_bits)
{
    double b200 = open_kernels("b200", CS_PRECISION_FP8).flops_per_s /
                  open_kernels("b200", CS_PRECISION_BF16).flops_per_s;
    double h100 = open_kernels("h100", CS_PRECISION_FP8).flops_per_s /
                  open_kernels("h100", CS_PRECISION_BF16).flops_per_s;

    assert_true(fabs(b200 / (2770. / 1389) - 1) < .03);
    assert_true(fabs(h100 / (1280. / 720) - 1) < .03);
}

/* A product of PyTorch takes hosts of Grace 37.08 us, Xeons 13.48.  Graphs leave the kernels
 * that tokens of experts size; a router counts where experts are. */
TEST(graphs_and_routers_count_launches)
{
    struct cs_train_block layer = {.kernels = 30, .sized = 10, .routed = 1, .shards = true};
    struct cs_train_block dense = {.kernels = 24, .shards = true};
    struct cs_kernel_split split = {.tensor = 1, .context = 1, .samples = 1};
    struct cs_kernel_split graphs = split, routed = split;
    double launch_s = cs_kernel_parameters[CS_KERNEL_LAUNCH_FORWARD] * 1e-6;

    graphs.graphs = true;
    routed.router_kernels = 31;
    assert_true(fabs(host_s("gb200", &layer, split) / host_s("b200", &layer, split) - 2.06 / .75) <
                1e-9);
    assert_true(fabs(host_s("a100", &dense, graphs) / launch_s - 1) < 1e-9);
    assert_true(fabs(host_s("a100", &layer, graphs) / launch_s - 11) < 1e-9);
    assert_true(fabs(host_s("a100", &layer, routed) / launch_s - 61) < 1e-9);
    assert_true(fabs(host_s("a100", &dense, routed) / launch_s - 24) < 1e-9);
}

/* Gates, the cast of the second product's inputs and that of the first's gradients are left out;
 * a kernel is launched for all experts. */
TEST(fused_experts_gate_and_cast_in_products)
{
    struct cs_kernels kernels = open_kernels("gb200", CS_PRECISION_FP8);
    const struct cs_matmul products[] = {
        {.rows = 4096, .inner = 1024, .columns = 2048, .count = 1, .weights = true, .experts = 8},
        {.rows = 4096,
         .inner = 1024,
         .columns = 1024,
         .count = 1,
         .weights = true,
         .by_rows = true,
         .experts = 8}};
    double gates = 5 * 4096. * 1024, hidden = 4096. * 1024;
    struct cs_train_block layer = {.matmuls = products,
                                   .matmul_count = 2,
                                   .elementwise = gates,
                                   .split_elementwise = gates,
                                   .expert_elementwise = gates,
                                   .expert_gates = gates,
                                   .routed = 1,
                                   .shards = true};
    struct cs_kernel_split split = {.tensor = 1, .context = 1, .samples = 1, .expert = 1};
    struct cs_kernel_split fused = split;
    struct cs_block_time apart, whole;
    double casts;

    fused.fused_experts = true;
    apart = cs_kernel_block(&kernels, &layer, &split);
    whole = cs_kernel_block(&kernels, &layer, &fused);
    casts = kernels.cast_bytes / kernels.memory_Bps * hidden;
    assert_true(whole.other_s < 1e-12);
    assert_within(apart.forward_s - apart.other_s - whole.forward_s, casts, 1e-9 * apart.forward_s);
    assert_within(apart.traffic_s - whole.traffic_s -
                      apart.other_s * (1 + cs_kernel_parameters[CS_KERNEL_BACKWARD_TRAFFIC]),
                  3 * casts, 1e-9 * apart.traffic_s);
    assert_within(apart.forward_host_s, 8 * whole.forward_host_s, 1e-9);
}

/* Of large products the time is that of their FLOPs: queries, keys and values three times the
 * output's, both of a feed-forward part of four widths four times. */
ARENA_TEST(products_of_a_layer_are_in_proportion)
{
    struct cs_kernels kernels = open_kernels("a100", CS_PRECISION_BF16);
    struct cs_transformer dims = {.layers = 1,
                                  .hidden = 16384,
                                  .heads = 128,
                                  .kv_heads = 128,
                                  .ffn = 65536,
                                  .vocabulary = 1024,
                                  .sequence = 4096};
    struct cs_kernel_split split = {.tensor = 1, .context = 1, .samples = 4};
    struct cs_train_model model;
    struct cs_block_time time;

    assert_done(cs_train_model_of("large", &dims, arena, &model, &err));
    time = cs_kernel_block(&kernels, &model.blocks[1], &split);
    assert_within(time.columns_s[0] / time.rows_s[0], 3, .1);
    assert_within(time.columns_s[1] / time.rows_s[0], 4, .1);
    assert_within(time.rows_s[1] / time.rows_s[0], 4, .1);
    assert_within(time.products_s,
                  time.columns_s[0] + time.columns_s[1] + time.rows_s[0] + time.rows_s[1],
                  1e-9 * time.products_s);
}

/* Heads of 150, as in a model of 96 heads on 14400: no vector loads. */
ARENA_TEST(heads_that_are_no_multiple_of_eight_are_slow)
{
    struct cs_kernels kernels = open_kernels("a100", CS_PRECISION_BF16);
    struct cs_transformer dims = {.layers = 1,
                                  .hidden = 14400,
                                  .heads = 96,
                                  .kv_heads = 96,
                                  .ffn = 57600,
                                  .vocabulary = 1000,
                                  .sequence = 2048};
    struct cs_kernel_split split = {.tensor = 1, .context = 1, .samples = 1};
    struct cs_train_model model;
    double odd, even;

    assert_done(cs_train_model_of("odd", &dims, arena, &model, &err));
    odd = cs_kernel_block(&kernels, &model.blocks[1], &split).scores_s;
    dims.heads = dims.kv_heads = 100; /* of 144 */
    assert_done(cs_train_model_of("even", &dims, arena, &model, &err));
    even = cs_kernel_block(&kernels, &model.blocks[1], &split).scores_s;
    assert_true(odd > 1.5 * even);
}

static double head_s(const char *gpu, enum cs_precision precision, double columns,
                     struct cs_kernel_split split)
{
    struct cs_kernels kernels = open_kernels(gpu, precision);
    struct cs_matmul words = {
        .rows = 8192, .inner = 2048, .columns = columns, .count = 1, .weights = true};
    struct cs_train_block block = {.matmuls = &words, .matmul_count = 1};

    split.context = 1;
    split.samples = 1;
    return cs_kernel_block(&kernels, &block, &split).products_s;
}

/* 50,257 words in 16 bits, unless a compiler or tensor parallelism pads them. */
TEST(an_odd_vocabulary_is_slow_in_16_bits)
{
    struct cs_kernel_split one = {.tensor = 1};
    struct cs_kernel_split padded = {.tensor = 1, .padded = true};
    struct cs_kernel_split shared = {.tensor = 2};
    double odd = cs_kernel_parameters[CS_KERNEL_ODD_PRODUCT];
    double even_s = head_s("a100", CS_PRECISION_BF16, 50256, one);

    assert_true(fabs(head_s("a100", CS_PRECISION_BF16, 50257, one) * odd / even_s - 1) < .001);
    assert_true(head_s("rtx3090", CS_PRECISION_FP16, 50257, one) <
                head_s("rtx3090", CS_PRECISION_FP16, 50256, one) / odd * .6);
    assert_true(head_s("a100", CS_PRECISION_BF16, 50257, padded) < even_s * 1.001);
    assert_true(head_s("a100", CS_PRECISION_BF16, 50257, shared) <
                head_s("a100", CS_PRECISION_BF16, 50256, shared) * 1.001);
    assert_true(head_s("a100", CS_PRECISION_TF32, 50257, one) <
                head_s("a100", CS_PRECISION_TF32, 50256, one) * 1.001);
    assert_true(head_s("mi250x", CS_PRECISION_BF16, 50257, one) <
                head_s("mi250x", CS_PRECISION_BF16, 50256, one) * 1.001);
}

/* Of two products of an expert the input of the first is cast, too: hidden elements of
 * each row, at 4 bytes. */
ARENA_TEST(copies_of_tokens_are_cast_for_their_experts)
{
    struct cs_train_model model;
    const struct cs_gpu_peak *gpu;
    struct cs_kernels kernels, uncast;
    struct cs_kernel_split one = {.tensor = 1, .context = 1, .samples = 1, .expert = 1};
    double rows, least_s, cast_s;

    assert_done(cs_train_model_open("mixtral-8x7b", arena, &model, &err));
    assert_done(cs_gpu_peak_find("h100", &gpu, &err));
    assert_done(cs_kernels_open(gpu, CS_PRECISION_FP8, NULL, &kernels, &err));
    uncast = kernels;
    uncast.cast_bytes = 0;
    rows = (double)model.transformer.active * model.transformer.sequence;
    least_s = rows * (model.transformer.hidden + model.transformer.expert_ffn) *
              kernels.cast_bytes / kernels.memory_Bps;
    cast_s = cs_kernel_block(&kernels, &model.blocks[1], &one).forward_s -
             cs_kernel_block(&uncast, &model.blocks[1], &one).forward_s;
    assert_true(cast_s > least_s);
}

TEST(a_precision_that_the_gpu_lacks_is_refused)
{
    const struct cs_gpu_peak *gpu;
    struct cs_kernels kernels;

    assert_done(cs_gpu_peak_find("V100", &gpu, &err));
    assert_refused(cs_kernels_open(gpu, CS_PRECISION_BF16, NULL, &kernels, &err), CS_EINPUT,
                   "the GPU v100 has no matrix units for bf16; expected fp32, fp16");
}
