/* Memory against published closed forms. */
#include "scenarios/train/job/parts.h"
#include "scenarios/train/memory/memory.h"
#include "scenarios/train/memory/traffic.h"
#include "scenarios/train/model/transformer.h"

#include "tests/train_job.h"

struct published {
    uint32_t layers, hidden, heads, tensor, pipeline, chunks;
    double micro_batch;
    enum cs_recompute recompute;
    double states_gib, activations_gib;
};

/* Korthikanti et al. (arXiv 2205.05198), figure 1: models of 22, 175 and 530
 * billion parameters; with selective recomputation sequence parallelism, too. */
static const struct published figure1[] = {
    {48, 6144, 64, 8, 1, 1, 4, CS_RECOMPUTE_NONE, 45.5625, 59.25},
    {48, 6144, 64, 8, 1, 1, 4, CS_RECOMPUTE_SELECTIVE, 45.5625, 9.5625},
    {96, 12288, 96, 8, 8, 3, 1, CS_RECOMPUTE_NONE, 45.5625, 66.84375},
    {96, 12288, 96, 8, 8, 3, 1, CS_RECOMPUTE_SELECTIVE, 45.5625, 12.3515625},
    {105, 20480, 128, 8, 35, 3, 1, CS_RECOMPUTE_NONE, 31.640625, 114.0234375},
    {105, 20480, 128, 8, 35, 3, 1, CS_RECOMPUTE_SELECTIVE, 31.640625, 23.076171875},
};

static double layer_activations(const struct published *row)
{
    struct cs_transformer dims = {.layers = row->layers,
                                  .hidden = row->hidden,
                                  .heads = row->heads,
                                  .kv_heads = row->heads,
                                  .ffn = 4 * row->hidden,
                                  .vocabulary = 51200,
                                  .sequence = 2048,
                                  .tied = true,
                                  .learned_positions = true,
                                  .biased = true};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_train_model model;
    struct cs_train_job job = {.model = &model,
                               .degrees.tensor = row->tensor,
                               .degrees.context = 1,
                               .degrees.data = 1,
                               .degrees.pipeline = row->pipeline,
                               .degrees.chunks = row->chunks,
                               .degrees.accumulation = 1024,
                               .degrees.micro_batch = row->micro_batch,
                               .degrees.recompute = row->recompute,
                               .precision = CS_PRECISION_FP16,
                               .degrees.sequence_parallel =
                                   row->recompute == CS_RECOMPUTE_SELECTIVE};

    assert_done(cs_train_model_of("gpt", &dims, &arena, &model, &err));
    return cs_train_block_activations(&job, &model.blocks[1]) * cs_train_in_flight(&job, 0) *
           row->layers / row->pipeline;
}

TEST(activations_equal_the_published_figures)
{
    for (size_t r = 0; r < sizeof(figure1) / sizeof(*figure1); ++r)
        assert_true(fabs(layer_activations(&figure1[r]) / (figure1[r].activations_gib * (1 << 30)) -
                         1) < 1e-13);
}

/* 18 bytes of 12 l h^2 parameters over t x p: gradients in 32 bits. */
TEST(states_equal_the_published_figures)
{
    struct cs_state_widths widths = {2, 4, 12};

    for (size_t r = 0; r < sizeof(figure1) / sizeof(*figure1); ++r) {
        const struct published *row = &figure1[r];
        double elements =
            12. * row->layers * row->hidden * row->hidden / row->tensor / row->pipeline;
        struct cs_state_bytes bytes = cs_train_states(CS_DATA_DDP, elements, 1, widths);

        assert_true(fabs((bytes.parameters + bytes.gradients + bytes.optimizer) /
                             (row->states_gib * (1 << 30)) -
                         1) < 1e-13);
    }
}

/* Rajbhandari et al. (arXiv 1910.02054), figure 1: 7.5 billion parameters on 64
 * ranks; 120, 31.4, 16.6 and 1.88 GB, by 16, 4 + 12/64, 2 + 14/64 and 16/64
 * bytes a parameter. */
TEST(zero_shards_states_as_published)
{
    static const double bytes_each[] = {16, 4 + 12. / 64, 2 + 14. / 64, 16. / 64};
    static const double rounded_gb[] = {120, 31.4, 16.6, 1.88};
    struct cs_state_widths widths = {2, 2, 12};

    for (int kind = CS_DATA_DDP; kind <= CS_DATA_ZERO3; ++kind) {
        struct cs_state_bytes bytes = cs_train_states((enum cs_data_kind)kind, 7.5e9, 64, widths);
        double all = bytes.parameters + bytes.gradients + bytes.optimizer;

        assert_true(all == 7.5e9 * bytes_each[kind]);
        assert_true(fabs(all / 1e9 / rounded_gb[kind] - 1) < .003);
    }
}

/* Narayanan et al. (arXiv 2104.04473, section 2.2): at most p micro batches in
 * the first stage of 1F1B, one in the last. */
TEST(stages_hold_the_micro_batches_in_flight)
{
    struct cs_train_job job = {
        .degrees.pipeline = 4, .degrees.chunks = 1, .degrees.accumulation = 16};

    assert_true(cs_train_in_flight(&job, 0) == 4);
    assert_true(cs_train_in_flight(&job, 3) == 1);
    job.degrees.chunks = 3; /* of 3 stages: 6 + 8 + 1 chunks, and 8 + 1 */
    assert_true(cs_train_in_flight(&job, 0) == 5);
    assert_true(cs_train_in_flight(&job, 3) == 3);
    job.degrees.accumulation = 2;
    assert_true(cs_train_in_flight(&job, 0) == 2);
}

/* The backward pass of the logits follows their forward pass, however many micro batches
 * the chunks of the last stage hold. */
TRAIN_JOB_TEST(one_micro_batch_has_logits)
{
    const struct cs_train_block *layer, *head;
    double logits;

    train_job_open(trial, "gpt2-small", 2);
    trial->job.degrees.data = 1;
    trial->job.degrees.pipeline = trial->job.degrees.chunks = 2;
    trial->job.degrees.accumulation = 16;
    layer = &trial->model.blocks[1];
    head = &trial->model.blocks[trial->model.block_count - 1];
    logits = 2. * 8 * 1024 * 50257;
    assert_true(train_near(train_job_step(trial, "pipeline").activation_bytes,
                           6 * 1.5 * cs_train_block_activations(&trial->job, layer) +
                               cs_train_block_activations(&trial->job, head) + 5 * logits));
}

/* Sums of gradients in 32 bits are what collectives read; those in 16 bits are
 * copied, unless a sharded optimizer reads them. */
TRAIN_JOB_TEST(gradients_may_be_their_own_buckets)
{
    struct cs_train_step narrow, wide, sharded;

    train_job_open(trial, "llama2-7b", 8);
    trial->parameters[CS_KERNEL_ALLOCATOR] = 1;
    trial->job.framework.bucket_bytes = 1 << 25;
    narrow = train_job_step(trial, "ddp");
    sharded = train_job_step(trial, "zero1");
    trial->job.framework.gradient_width = 4;
    wide = train_job_step(trial, "ddp");
    assert_true(wide.gradient_bytes == 2 * narrow.gradient_bytes);
    assert_true(train_near(narrow.buffer_bytes - wide.buffer_bytes, 2 * trial->model.parameters));
    assert_true(train_near(sharded.buffer_bytes, wide.buffer_bytes));
}

/* Logits in 16 bits, their copy in 32, softmax and gradients in 32 are 14 bytes; logits
 * and gradients in 16 bits 4. */
TRAIN_JOB_TEST(a_fused_loss_keeps_four_bytes_of_a_logit)
{
    struct cs_train_step plain, fused;
    double logits;

    train_job_open(trial, "llama2-7b", 8);
    logits = trial->job.degrees.micro_batch * trial->model.transformer.sequence * 32000;
    plain = train_job_step(trial, "ddp");
    trial->job.framework.fused_loss = true;
    fused = train_job_step(trial, "ddp");
    assert_true(train_near(plain.activation_bytes - fused.activation_bytes, 10 * logits));
    assert_true(plain.step_s == fused.step_s);
}

/* Of a layer: the result of a norm and the input of the second feed-forward product. */
TRAIN_JOB_TEST(frozen_products_keep_no_input)
{
    struct cs_train_step frozen, adapted;

    train_job_open(trial, "llama2-7b", 8);
    trial->job.degrees.adapters = 1U << CS_PART_KEYS;
    frozen = train_job_step(trial, "ddp");
    trial->job.degrees.adapters |= 1U << CS_PART_FFN;
    adapted = train_job_step(trial, "ddp");
    assert_true(train_near(adapted.activation_bytes - frozen.activation_bytes,
                           32. * 2 * trial->job.degrees.micro_batch *
                               trial->model.transformer.sequence * (4096 + 11008)));
}

/* Of a layer: the results of two norms and the input of the second feed-forward product
 * in 8 bits, not 16, and a copy of attention's result in 8. */
TRAIN_JOB_TEST(inputs_of_products_may_be_kept_in_eight_bits)
{
    struct cs_train_step whole, narrow;
    double tokens;

    train_job_open(trial, "llama2-7b", 8);
    tokens = trial->job.degrees.micro_batch * trial->model.transformer.sequence;
    trial->job.framework.narrow_inputs = true;
    whole = train_job_step(trial, "ddp"); /* of bf16 products */
    trial->job.framework.narrow_inputs = false;
    assert_true(whole.activation_bytes == train_job_step(trial, "ddp").activation_bytes);
    assert_int_equal(cs_gpu_peak_find("h100", &trial->job.gpu, NULL), 0);
    trial->job.precision = CS_PRECISION_FP8;
    whole = train_job_step(trial, "ddp");
    trial->job.framework.narrow_inputs = true;
    narrow = train_job_step(trial, "ddp");
    assert_true(train_near(whole.activation_bytes - narrow.activation_bytes,
                           32 * tokens * (2 * 4096. + 11008 - 4096)));
}

/* Two nodes of four: a quarter of the states, and as many bytes as an all-reduce over
 * eight ranks and a gather over four. */
TRAIN_JOB_TEST(ranks_of_a_node_may_divide_the_optimizer)
{
    struct cs_train_step whole, shared;
    double bytes;

    train_job_open(trial, "llama2-7b", 8);
    trial->site.nodes = 2;
    trial->site.node_ranks = 4;
    bytes = 2 * trial->model.parameters;
    whole = train_job_step(trial, "ddp");
    shared = train_job_step(trial, "zero1-node");
    assert_true(train_near(4 * shared.optimizer_bytes, whole.optimizer_bytes));
    assert_true(shared.parameter_bytes == whole.parameter_bytes);
    trial->job.degrees.data_kind = CS_DATA_ZERO1;
    trial->job.degrees.node_shard = true;
    assert_true(train_near(cs_train_traffic_of(&trial->job).data, bytes * (2 * 7. / 8 + 3. / 4)));
}

/* Eight slots of 16 channels' three buffers in each protocol of NCCL (device.h): Simple
 * 512 KiB; LL 512 threads, 8 lines of 16 B; LL128 640 threads, 120 elements of 8 B. */
static double communicator_of_16_channels(void)
{
    double slot = 512 * 1024. + 512 * 8 * 16. + 640 * 120 * 8.;

    return 16 * 3 * 8 * slot;
}

/* DeepSpeed beside the states of ZeRO-1: 4 B of a rank's share of gradients in 16 bits,
 * or 2 B of every sum in 32, and 8 B of the largest tensor, the embedding. */
TRAIN_JOB_TEST(deepspeed_copies_gradients_and_one_tensor_in_64_bits)
{
    double embedding = 32000. * 4096;
    double copies;

    train_job_open(trial, "llama2-7b", 8);
    trial->parameters[CS_KERNEL_CONTEXT_MEMORY] = 0;
    trial->parameters[CS_KERNEL_ALLOCATOR] = 1;
    trial->job.framework.whole_gradients = true;
    copies = trial->model.parameters / 8 * 4;
    assert_true(train_near(train_job_step(trial, "zero1").buffer_bytes,
                           communicator_of_16_channels() + copies + 8 * embedding));
    trial->job.framework.gradient_width = 4;
    copies = trial->model.parameters * 2;
    assert_true(train_near(train_job_step(trial, "zero1").buffer_bytes,
                           communicator_of_16_channels() + copies + 8 * embedding));
}

/* Bytes of a layer of Llama 3 8B, bf16: two inputs, queries, values, the result of
 * attention and the first matrix of the feed-forward part are 2 + 1 + 1/4 + 1 + 3.5
 * hidden vectors of a token; 4.75 of 13 products run again. */
ARENA_TEST(every_second_product_is_kept)
{
    struct cs_transformer dims = {.layers = 32,
                                  .hidden = 4096,
                                  .heads = 32,
                                  .kv_heads = 8,
                                  .ffn = 14336,
                                  .vocabulary = 128256,
                                  .sequence = 8192,
                                  .gated = true,
                                  .attention = CS_ATTENTION_FLASH_2};
    struct cs_train_model model;
    struct cs_train_job job = {.model = &model,
                               .degrees.tensor = 1,
                               .degrees.context = 1,
                               .degrees.data = 1,
                               .degrees.pipeline = 1,
                               .degrees.chunks = 1,
                               .degrees.accumulation = 1,
                               .degrees.micro_batch = 2,
                               .degrees.recompute = CS_RECOMPUTE_OPS,
                               .precision = CS_PRECISION_BF16};

    assert_done(cs_train_model_of("llama", &dims, arena, &model, &err));
    assert_true(cs_train_block_activations(&job, &model.blocks[1]) == 2. * 2 * 8192 * 4096 * 7.75);
    assert_true(fabs(model.blocks[1].ops_again - 4.75 / 13) < 1e-12);
}

/* Bytes of a layer of Llama 3 8B without dropout: results of two norms, and two inputs,
 * are 4 hidden vectors of a token, queries, keys, values and the result of attention
 * 2.5, the feed-forward part 3 of 3.5.  Of these XLA keeps queries, keys, values and
 * the inputs of both halves where it saves qkv_proj and out_proj. */
TRAIN_JOB_TEST(parts_that_run_again_are_not_kept)
{
    const struct cs_train_block *layer;
    double token;
    unsigned parts;
    struct cs_err err = {0};

    train_job_open(trial, "llama3-8b", 1);
    trial->job.degrees.micro_batch = 1;
    layer = &trial->model.blocks[1];
    token = 2. * trial->model.transformer.sequence * 4096;
    assert_true(train_near(cs_train_block_activations(&trial->job, layer), 17 * token));
    assert_int_equal(cs_train_parts_read("norms,attention,ffn,activation", &parts, &err), 0);
    trial->job.degrees.recompute_parts = parts;
    assert_true(train_near(cs_train_block_activations(&trial->job, layer), 3.5 * token));
    assert_int_equal(cs_train_parts_read("mlp,layernorm", &parts, &err), 0);
    trial->job.degrees.recompute_parts = parts;
    assert_true(train_near(cs_train_block_activations(&trial->job, layer), 4.5 * token));
    assert_true(cs_train_parts_read("norm", &parts, &err) == CS_EINPUT);
    assert_non_null(strstr(err.text, "no part of a layer called 'norm'; did you mean 'norms'?"));
}

/* Experts as a whole keep their input alone: of a layer of Qwen3 30B the rest, two copies
 * of a token for each of 8 experts and three vectors in each, is 2 x 8 x 2048 + 3 x 8 x 768
 * elements; the exchange of tokens runs again. */
TRAIN_JOB_TEST(experts_that_run_again_keep_their_input)
{
    struct cs_train_step kept, again;
    double token, rows;

    train_job_open(trial, "qwen3-30b-a3b", 8);
    trial->job.degrees.expert = 8;
    token = 2. * trial->job.degrees.micro_batch * trial->model.transformer.sequence;
    rows = 2 * 8 * 2048. + 3 * 8 * 768;
    kept = train_job_step(trial, "zero1");
    assert_done(cs_train_parts_read("moe", &trial->job.degrees.recompute_parts, &err));
    again = train_job_step(trial, "zero1");
    assert_true(train_near(kept.activation_bytes - again.activation_bytes, 48 * token * rows));
    assert_true(again.expert_s > 1.49 * kept.expert_s);
    assert_true(again.recompute_s > .2 * kept.forward_s);
}

/* A layer of Qwen3 30B: its input, queries and their result of 32 heads of 128, keys of 4;
 * of the experts nothing, whose grouped products PyTorch keeps no results of.  All of their
 * three products run again, and keys and output of attention. */
TRAIN_JOB_TEST(of_experts_no_operator_is_kept)
{
    const struct cs_train_block *layer;
    double token;

    train_job_open(trial, "qwen3-30b-a3b", 1);
    trial->job.degrees.micro_batch = 1;
    trial->job.degrees.recompute = CS_RECOMPUTE_OPS;
    layer = &trial->model.blocks[1];
    token = 2. * trial->model.transformer.sequence;
    assert_true(cs_train_block_activations(&trial->job, layer) == token * (2048 + 2 * 4096 + 512));
    assert_true(cs_passes_dispatched_again(&trial->job) == 1);
    trial->job.degrees.recompute = CS_RECOMPUTE_NONE;
    assert_true(cs_passes_dispatched_again(&trial->job) == 0);
}

/* Since Megatron-Core 0.12 weights are products' input, so that no result is kept for them. */
TRAIN_JOB_TEST(results_of_experts_that_are_weighed_before_are_not_kept)
{
    const struct cs_train_block *layer;
    double kept;

    train_job_open(trial, "qwen3-30b-a3b", 1);
    trial->job.degrees.micro_batch = 1;
    layer = &trial->model.blocks[1];
    kept = cs_train_block_activations(&trial->job, layer);
    trial->job.framework.router = CS_ROUTER_MAPS;
    assert_true(kept - cs_train_block_activations(&trial->job, layer) ==
                2. * trial->model.transformer.sequence * 8 * 2048);
    trial->job.degrees.recompute_parts = 1u << CS_PART_EXPERTS;
    kept = cs_train_block_activations(&trial->job, layer);
    trial->job.framework.router = CS_ROUTER_PLAIN;
    assert_true(kept == cs_train_block_activations(&trial->job, layer));
}

/* Keys of latent attention run again out of narrow vectors, which are cheap. */
TRAIN_JOB_TEST(narrow_vectors_of_latent_attention_are_kept)
{
    const struct cs_layer_part *keys;

    train_job_open(trial, "deepseek-v3", 1);
    keys = &trial->model.blocks[1].parts[CS_PART_KEYS];
    assert_true(keys->stored == trial->model.transformer.sequence * 128. * (192 + 192 + 128));
    assert_true(keys->again > .5 && keys->again < 1);
}

/* A token passes 8 experts and one of all tokens, of 2,048 elements each (DeepSeek V3, behind
 * the embedding and three dense layers). */
TRAIN_JOB_TEST(experts_of_all_tokens_keep_results_of_their_activation)
{
    train_job_open(trial, "deepseek-v3", 1);
    assert_true(trial->model.blocks[2].parts[CS_PART_ACTIVATION].stored ==
                trial->model.transformer.sequence * (8 + 1) * 2048.);
    assert_true(trial->model.blocks[2].routed > 0);
}

/* Freed pages count as far as the GPU has room for them. */
TRAIN_JOB_TEST(the_reserve_of_the_allocator_makes_no_job_too_large)
{
    struct cs_gpu_peak gpu;
    double used, kept;

    train_job_open(trial, "llama2-7b", 8);
    trial->parameters[CS_KERNEL_ALLOCATOR] = 1;
    if (!trial->job.gpu)
        fail_msg("no GPU is known");
    gpu = *trial->job.gpu; /* NOLINT(clang-analyzer-core.NullDereference): fail_msg jumps */
    gpu.memory_bytes = 1e12;
    trial->job.gpu = &gpu;
    used = train_job_step(trial, "zero3").memory_bytes;
    trial->parameters[CS_KERNEL_ALLOCATOR] = 2;
    kept = train_job_step(trial, "zero3").memory_bytes;
    assert_true(kept > used);
    gpu.memory_bytes = (used + kept) / 2;
    assert_true(train_near(train_job_step(trial, "zero3").memory_bytes, gpu.memory_bytes));
    gpu.memory_bytes = used / 2;
    assert_true(train_near(train_job_step(trial, "zero3").memory_bytes, used));
}

/* Half of the layers' results are elsewhere; a slow link to the host shows. */
TRAIN_JOB_TEST(layers_may_move_to_the_host)
{
    struct cs_train_step all, half, slow;

    train_job_open(trial, "llama2-7b", 1);
    trial->job.degrees.micro_batch = 1;
    trial->job.framework.fused_loss = true;
    trial->parameters[CS_KERNEL_ALLOCATOR] = 1;
    all = train_job_step(trial, "ddp");
    trial->job.degrees.offload_layers = 16;
    trial->site.pcie_Bps = 1e15;
    half = train_job_step(trial, "ddp");
    assert_true(train_near(all.memory_bytes - half.memory_bytes,
                           16 * cs_train_block_activations(&trial->job, &trial->model.blocks[1])));
    assert_true(half.step_s == all.step_s);
    trial->site.pcie_Bps = 1e9;
    slow = train_job_step(trial, "ddp");
    assert_true(slow.forward_s >= (all.memory_bytes - half.memory_bytes) / 1e9 * .999);
}

/* 4 bytes of moments in 16 bits without a copy, of 12. */
TRAIN_JOB_TEST(states_of_the_optimizer_may_be_narrow)
{
    struct cs_train_step wide, narrow;

    train_job_open(trial, "llama2-7b", 1);
    wide = train_job_step(trial, "ddp");
    trial->job.framework.optimizer_width = 4;
    narrow = train_job_step(trial, "ddp");
    assert_true(train_near(wide.optimizer_bytes, 3 * narrow.optimizer_bytes));
    assert_true(narrow.optimizer_s < wide.optimizer_s);
}

/* A stage of a network of images keeps its input for each micro batch in flight, and
 * all of the last one. */
TRAIN_JOB_TEST(networks_of_images_run_a_stage_again)
{
    struct cs_train_step few, many;

    train_job_open(trial, "resnet101", 1);
    trial->job.degrees.micro_batch = 8;
    trial->job.degrees.schedule = CS_SCHEDULE_GPIPE;
    trial->job.degrees.recompute = CS_RECOMPUTE_FULL;
    trial->job.degrees.accumulation = 2;
    few = train_job_step(trial, "hybrid");
    trial->job.degrees.accumulation = 64;
    many = train_job_step(trial, "hybrid");
    assert_true(train_near(many.activation_bytes, few.activation_bytes));
}
