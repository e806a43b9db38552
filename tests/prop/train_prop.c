/*
 * Training steps against closed forms, for random models, jobs and sites.
 *
 * The kernels have no host time where a limit needs so.
 */
#include "scenarios/train/model/transformer.h"
#include "scenarios/train/stages/pipeline_slots.h"
#include "scenarios/train/stages/stage.h"
#include "tests/train_job.h"

enum {
    TRIALS = 200
};

struct trial {
    struct cs_arena arena;
    struct cs_random *random;
    struct cs_train_model model;
    struct cs_site site;
    double parameters[CS_KERNEL_PARAMETERS];
    struct cs_train_job job;
};

static uint32_t pick(struct trial *trial, uint32_t least, uint32_t most)
{
    return least + (uint32_t)cs_random_below(trial->random, most - least + 1);
}

/* A job on `data` x `pipeline` x `tensor` GPUs, eight a node. */
static void make_job(struct trial *trial, uint32_t tensor, uint32_t data, uint32_t pipeline)
{
    uint32_t ranks = tensor * data * pipeline;
    const struct cs_gpu_peak *gpu;

    assert_done(cs_gpu_peak_find("a100", &gpu, &err));
    trial->site = (struct cs_site){.ranks = ranks,
                                   .nodes = (ranks + 7) / 8,
                                   .node_ranks = ranks < 8 ? ranks : 8,
                                   .maker = CS_MAKER_NVIDIA,
                                   .generation = 80,
                                   .has_switch = true,
                                   .link_Bps = 250e9,
                                   .ring_Bps = 230e9,
                                   .adapters = 8,
                                   .adapter_Bps = 25e9,
                                   .node_Bps = 200e9};
    trial->job =
        (struct cs_train_job){.model = &trial->model,
                              .site = &trial->site,
                              .library = &train_linear_library,
                              .gpu = gpu,
                              .degrees.tensor = tensor,
                              .degrees.context = 1,
                              .degrees.data = data,
                              .degrees.pipeline = pipeline,
                              .degrees.chunks = 1,
                              .degrees.accumulation = pick(trial, 1, 16),
                              .degrees.micro_batch = pick(trial, 1, 8),
                              .precision = CS_PRECISION_BF16,
                              .framework.overlap = true,
                              .framework.first_bucket_bytes = 1 << 20,
                              .framework.bucket_bytes = (uint64_t)pick(trial, 1, 100) << 20,
                              .parameters = trial->parameters};
}

static void open_trial(struct trial *trial, uint64_t number)
{
    struct cs_transformer dims = {.kv_heads = 8, .heads = 8};

    *trial = (struct trial){0};
    trial->random = cs_random_open(fixture_seed() + number, "train");
    dims.layers = pick(trial, 4, 40);
    dims.hidden = 64 * pick(trial, 4, 40);
    dims.ffn = 4 * dims.hidden;
    dims.vocabulary = pick(trial, 1000, 60000);
    dims.sequence = 128 * pick(trial, 1, 16);
    dims.biased = dims.learned_positions = pick(trial, 0, 1);
    dims.gated = !dims.biased;
    dims.tied = pick(trial, 0, 1);
    assert_done(cs_train_model_of("random", &dims, &trial->arena, &trial->model, &err));
    memcpy(trial->parameters, cs_kernel_parameters, sizeof(trial->parameters));
    trial->parameters[CS_KERNEL_BUCKET_HOST] = 0;
    trial->parameters[CS_KERNEL_BUCKET_COPIES] = 0;
    trial->parameters[CS_KERNEL_UNIT_HOST] = 0;
    trial->parameters[CS_KERNEL_JITTER] = 0;
    trial->parameters[CS_KERNEL_DEVICE_SPREAD] = 0;
}

typedef void trial_fn(struct trial *trial);

static void each_trial(trial_fn *check)
{
    for (uint64_t t = 0; t < TRIALS; ++t) {
        struct trial trial;

        open_trial(&trial, t);
        check(&trial);
        cs_random_close(trial.random);
        cs_arena_free(&trial.arena);
    }
}

/* ---- data parallelism ---- */

/* A step of a job, however it shares its states: at least the longer of compute
 * and communication, at most their sum and the interference. */
static void check_limits(struct trial *trial)
{
    trial->parameters[CS_KERNEL_BUCKET_COPIES] = pick(trial, 0, 4);
    trial->parameters[CS_KERNEL_UNIT_HOST] = pick(trial, 0, 100);
    trial->job.framework.gathered_rows = pick(trial, 0, 1);
    trial->job.framework.negotiated = pick(trial, 0, 1);
    trial->job.framework.by_tensor = pick(trial, 0, 1);
    trial->job.framework.one_process = pick(trial, 0, 1);
    trial->job.framework.blocking_collectives = pick(trial, 0, 1);
    trial->job.framework.launch_turns = pick(trial, 0, 8);
    for (int kind = CS_DATA_DDP; kind < CS_DATA_KINDS; ++kind) {
        struct cs_train_step step;
        double compute;

        trial->job.degrees.data_kind = (enum cs_data_kind)kind;
        step = train_job_time(&trial->job);
        compute = step.step_s - step.data_exposed_s - step.interference_s;
        assert_true(train_near(step.step_s, train_parts(&step)));
        assert_true(step.step_s >= fmax(compute, step.data_s) * (1 - 1e-12));
        assert_true(step.step_s <= (compute + step.data_s + step.interference_s) * (1 + 1e-12));
    }
    trial->parameters[CS_KERNEL_BUCKET_COPIES] = 0;
    trial->parameters[CS_KERNEL_UNIT_HOST] = 0;
}

static void check_overlap(struct trial *trial)
{
    struct cs_train_step step, one;

    make_job(trial, 1, pick(trial, 2, 64), 1);
    check_limits(trial);
    /* A device computes the same for any number of ranks. */
    make_job(trial, 1, 1, 1);
    trial->job.degrees.accumulation = 1;
    trial->job.degrees.micro_batch = 2;
    one = train_job_time(&trial->job);
    assert_true(one.data_s == 0 && one.data_exposed_s == 0);
    make_job(trial, 1, 32, 1);
    trial->job.degrees.accumulation = 1;
    trial->job.degrees.micro_batch = 2;
    step = train_job_time(&trial->job);
    assert_true(train_near(step.step_s - step.data_exposed_s - step.interference_s, one.step_s));
}

TEST(overlap_lies_between_the_larger_and_the_sum)
{
    each_trial(check_overlap);
}

/* Infinite compute: an all-reduce of all gradients. */
static void check_infinite_compute(struct trial *trial)
{
    struct cs_train_step step;
    double ranks = pick(trial, 2, 64);
    double volume = 2 * (ranks - 1) / ranks * 2 * trial->model.parameters;

    make_job(trial, 1, (uint32_t)ranks, 1);
    trial->job.compute_scale = 1e-15;
    step = train_job_time(&trial->job);
    assert_true(fabs(step.step_s / (volume / TRAIN_BUS_BPS) - 1) < 1e-6);
    trial->job.framework.gathered_rows = true;
    for (int kind = CS_DATA_DDP; kind < CS_DATA_KINDS; ++kind) {
        trial->job.degrees.data_kind = (enum cs_data_kind)kind;
        step = train_job_time(&trial->job);
        assert_true(step.data_s > 0);
        assert_true(fabs(step.step_s / step.data_s - 1) < 1e-6);
    }
}

TEST(infinite_compute_leaves_the_collective)
{
    each_trial(check_infinite_compute);
}

/* Elements of a block that a sharded forward pass leaves in memory. */
static double last_block(const struct cs_train_model *model)
{
    const struct cs_train_block *block = &model->blocks[model->block_count - 1];
    double elements = 0;

    for (uint32_t t = 0; t < block->tensor_count; ++t)
        elements += (double)block->tensors[t];
    return elements;
}

/* ZeRO: 2, 2, 2 and 3 parameters' bytes a step and rank; the last block is not
 * gathered again. */
static void check_volumes(struct trial *trial)
{
    double ranks = pick(trial, 2, 64), share = (ranks - 1) / ranks * 2 / TRAIN_BUS_BPS;
    double all = trial->model.parameters;

    for (int kind = CS_DATA_DDP; kind <= CS_DATA_ZERO3; ++kind) {
        double expected = kind == CS_DATA_ZERO3 ? 3 * all - last_block(&trial->model) : 2 * all;
        struct cs_train_step step;

        make_job(trial, 1, (uint32_t)ranks, 1);
        trial->job.degrees.data_kind = (enum cs_data_kind)kind;
        trial->job.degrees.accumulation = 1;
        step = train_job_time(&trial->job);
        assert_true(fabs(step.data_s / (share * expected) - 1) < 1e-6);
        assert_true(train_near(step.step_s, train_parts(&step)));
    }
}

TEST(sharding_moves_the_published_volumes)
{
    each_trial(check_volumes);
}

/* ---- pipelines ---- */

/* Micro batches one after another through stages that serve one at a time. */
static double flow_shop_s(const double *stage_s, uint32_t stages, uint32_t micro_batches)
{
    double end[64] = {0};

    for (uint32_t m = 0; m < micro_batches; ++m)
        for (uint32_t s = 0; s < stages; ++s)
            end[s] = fmax(end[s], s ? end[s - 1] : 0) + stage_s[s];
    return end[stages - 1];
}

static void check_pipeline(struct trial *trial)
{
    double stage_s[16], sum = 0, largest = 0;
    uint32_t stages = pick(trial, 1, 16), micro = pick(trial, 1, 40);

    for (uint32_t s = 0; s < stages; ++s) {
        stage_s[s] = cs_random_unit(trial->random);
        sum += stage_s[s];
        largest = fmax(largest, stage_s[s]);
    }
    assert_true(train_near(cs_pipeline_s(sum, largest, micro, stages, 1),
                           flow_shop_s(stage_s, stages, micro)));
}

TEST(a_pipeline_takes_its_sum_and_the_slowest_stage)
{
    each_trial(check_pipeline);
}

/* Chunks of equal stages as 1F1B orders them: whole groups of micro batches, and
 * fewer than stages. */
static void check_interleaved(struct trial *trial)
{
    double chunk_s[8];
    uint32_t stages = pick(trial, 2, 8), chunks = pick(trial, 2, 4);
    uint32_t groups = pick(trial, 1, 4);
    uint32_t micro = pick(trial, 0, 1) ? pick(trial, 1, stages) : groups * stages;
    struct cs_slot_plan plan = {stages, micro, chunks, CS_SCHEDULE_1F1B, chunk_s, chunk_s, NULL};
    struct cs_slot *slots = cs_arena_alloc(&trial->arena, cs_slot_count(&plan), sizeof(*slots));
    double each_s = cs_random_unit(trial->random);

    for (uint32_t s = 0; s < stages; ++s)
        chunk_s[s] = each_s;
    assert_true(train_near(
        cs_pipeline_s(2 * stages * chunks * each_s, 2 * chunks * each_s, micro, stages, chunks),
        cs_slots_fill(&plan, slots)));
}

/* A last group with fewer micro batches than stages. */
static void check_uneven_interleaved(struct trial *trial)
{
    double forward_s[8], backward_s[8], ratio;
    uint32_t stages = pick(trial, 2, 8), chunks = pick(trial, 2, 4);
    uint32_t micro = pick(trial, 1, 4) * stages + pick(trial, 1, stages - 1);
    struct cs_slot_plan plan = {stages,    micro,      chunks, CS_SCHEDULE_1F1B,
                                forward_s, backward_s, NULL};
    struct cs_slot *slots = cs_arena_alloc(&trial->arena, cs_slot_count(&plan), sizeof(*slots));

    for (uint32_t s = 0; s < stages; ++s) {
        forward_s[s] = 1;
        backward_s[s] = 2;
    }
    ratio = cs_slots_fill(&plan, slots) /
            cs_pipeline_s(3. * stages * chunks, 3. * chunks, micro, stages, chunks);
    assert_true(ratio > .93 && ratio < 1.25);
}

TEST(an_interleaved_pipeline_takes_what_its_order_takes)
{
    each_trial(check_interleaved);
    each_trial(check_uneven_interleaved);
}

/* The stages of a job, one after another, with their sends. */
static void check_pipeline_step(struct trial *trial)
{
    double sends_s, stage_s[4], sum = 0, largest = 0;
    struct cs_passes passes;
    struct cs_train_step step;

    make_job(trial, 1, 1, pick(trial, 2, 4));
    sends_s = cs_train_slot_sends_s(&trial->job);
    assert_done(cs_passes_open(&trial->job, &trial->arena, &passes, &err));
    for (uint32_t s = 0; s < trial->job.degrees.pipeline; ++s) {
        struct cs_stage stage = cs_stage_of(&passes, s);
        struct cs_pass pass = cs_stage_sum(&passes, &stage).pass;

        stage_s[s] = cs_pass_forward_s(&pass) + cs_pass_backward_s(&pass) + sends_s;
        sum += stage_s[s];
        largest = fmax(largest, stage_s[s]);
    }
    step = train_job_time(&trial->job);
    assert_true(sends_s > 0);
    assert_true(train_near(step.step_s - step.optimizer_s - step.host_s - step.data_exposed_s -
                               step.interference_s,
                           sum + (trial->job.degrees.accumulation - 1) * largest));
}

TEST(a_step_in_stages_takes_the_flow_shop)
{
    each_trial(check_pipeline_step);
}

/* Stages hold every unit once, in order. */
static void check_stages(struct trial *trial)
{
    struct cs_passes passes;
    uint32_t end = 0, units = 0;

    make_job(trial, 1, 1, pick(trial, 1, 4));
    assert_done(cs_passes_open(&trial->job, &trial->arena, &passes, &err));
    for (uint32_t s = 0; s < trial->job.degrees.pipeline; ++s) {
        struct cs_stage stage = cs_stage_of(&passes, s);

        assert_int_equal(stage.begin, end);
        assert_true(stage.end > stage.begin);
        end = stage.end;
    }
    for (uint32_t b = 0; b < trial->model.block_count; ++b)
        units += trial->model.blocks[b].repeat;
    assert_int_equal(end, units);
}

TEST(stages_hold_every_unit_once)
{
    each_trial(check_stages);
}

/* More chunks, a smaller bubble where groups of micro batches fill the stages; the
 * slots stay. */
static void check_bubble(struct trial *trial)
{
    struct cs_train_step plain, chunked;

    make_job(trial, 1, 2, 4);
    plain = train_job_time(&trial->job);
    trial->job.degrees.chunks = 2;
    if (cs_train_job_check(&trial->job, NULL) || cs_train_chunk_cut(&trial->job, 1))
        return;
    chunked = train_job_time(&trial->job);
    if (trial->job.degrees.accumulation % trial->job.degrees.pipeline == 0)
        assert_true(chunked.bubble_s < plain.bubble_s);
    assert_true(train_near(chunked.forward_s, plain.forward_s));
}

/* Scales of rows slow products in eight bits, and leave the others. */
static void check_row_scales(struct trial *trial)
{
    static const enum cs_precision precisions[] = {CS_PRECISION_BF16, CS_PRECISION_FP8};
    const struct cs_gpu_peak *gpu;

    assert_done(cs_gpu_peak_find("h100", &gpu, &err));
    make_job(trial, 1, 1, 1);
    trial->job.gpu = gpu;
    trial->job.framework.device_graph = true;
    for (int k = 0; k < 2; ++k) {
        struct cs_train_step of_tensors, of_rows;

        trial->job.precision = precisions[k];
        trial->job.framework.row_scales = false;
        of_tensors = train_job_time(&trial->job);
        trial->job.framework.row_scales = true;
        of_rows = train_job_time(&trial->job);
        if (k) /* products may wait for memory */
            assert_true(of_rows.step_s >= of_tensors.step_s);
        else
            assert_true(of_rows.step_s == of_tensors.step_s);
    }
}

TEST(row_scales_slow_products_in_eight_bits)
{
    each_trial(check_row_scales);
}

/* Devices of different speed are as late in many micro batches as in one, hosts are late
 * by chance and less so. */
static void check_slow_devices(struct trial *trial)
{
    struct cs_train_step few, many;

    make_job(trial, pick(trial, 1, 2), pick(trial, 2, 64), 1);
    trial->parameters[CS_KERNEL_DEVICE_SPREAD] = .02;
    trial->job.degrees.accumulation = 1;
    few = train_job_time(&trial->job);
    trial->job.degrees.accumulation = 16;
    many = train_job_time(&trial->job);
    assert_true(train_near(many.jitter_s, 16 * few.jitter_s));
    trial->parameters[CS_KERNEL_JITTER] = .01;
    many = train_job_time(&trial->job);
    trial->job.degrees.accumulation = 1;
    few = train_job_time(&trial->job);
    assert_true(many.jitter_s < 16 * few.jitter_s);
    trial->job.batch_spread = .1;
    assert_true(train_job_time(&trial->job).jitter_s > few.jitter_s);
    assert_true(train_near(few.step_s, train_parts(&few)));
}

TEST(slow_devices_are_slow_in_every_micro_batch)
{
    each_trial(check_slow_devices);
}

/* Of n layers of a stage, k computed again take k/n of the time of all. */
static void check_recomputed_layers(struct trial *trial)
{
    struct cs_train_step none, some, all;
    double share;

    make_job(trial, 1, 1, 1);
    none = train_job_time(&trial->job);
    trial->job.degrees.recompute = CS_RECOMPUTE_FULL;
    all = train_job_time(&trial->job);
    trial->job.degrees.recompute_layers = pick(trial, 1, trial->model.transformer.layers);
    some = train_job_time(&trial->job);
    share = trial->job.degrees.recompute_layers / (double)trial->model.transformer.layers;
    assert_true(train_near(some.recompute_s, share * all.recompute_s));
    assert_true(some.step_s >= none.step_s && some.step_s <= all.step_s);
}

TEST(layers_that_recompute_take_their_share)
{
    each_trial(check_recomputed_layers);
}

TEST(interleaving_shrinks_the_bubble)
{
    each_trial(check_bubble);
}

/* ---- tensor parallelism, recomputation, memory ---- */

static void check_recompute(struct trial *trial)
{
    struct cs_train_step none, selective, full, stopped;

    make_job(trial, 4, 2, 1);
    none = train_job_time(&trial->job);
    trial->job.degrees.recompute = CS_RECOMPUTE_SELECTIVE;
    selective = train_job_time(&trial->job);
    trial->job.degrees.recompute = CS_RECOMPUTE_FULL;
    full = train_job_time(&trial->job);
    trial->job.framework.early_stop = true;
    stopped = train_job_time(&trial->job);
    /* The last product of a layer and its collective are spared. */
    assert_true(stopped.step_s < full.step_s);
    assert_true(stopped.step_s > none.step_s);
    assert_true(stopped.tensor_s < full.tensor_s);
    assert_true(train_near(stopped.step_s, train_parts(&stopped)));
    assert_true(none.step_s < selective.step_s);
    assert_true(selective.step_s < full.step_s);
    assert_true(none.activation_bytes > selective.activation_bytes);
    assert_true(train_near(none.flops, full.flops));
    assert_true(none.tensor_s < full.tensor_s);
}

TEST(recomputation_trades_time_for_memory)
{
    each_trial(check_recompute);
}

/* Overlap of products hides collectives, never all, and computes the same. */
static void check_tensor_overlap(struct trial *trial)
{
    struct cs_train_step plain, beside;

    make_job(trial, 4, 2, 1);
    plain = train_job_time(&trial->job);
    trial->job.framework.overlap_tensor = true;
    beside = train_job_time(&trial->job);
    assert_true(beside.tensor_s <= plain.tensor_s);
    assert_true(beside.tensor_s >= plain.tensor_s / 4 * (1 - 1e-12));
    assert_true(train_near(beside.step_s, train_parts(&beside)));
}

TEST(products_hide_tensor_collectives_in_part)
{
    each_trial(check_tensor_overlap);
}

/* A gather beside the forward pass leaves its first bucket, or what outlasts the
 * pass; one bucket hides nothing. */
static void check_gather_overlap(struct trial *trial)
{
    struct cs_train_step plain, beside, whole;

    make_job(trial, 1, 8, 1);
    trial->job.degrees.data_kind = CS_DATA_ZERO1;
    trial->job.framework.overlap = true;
    trial->job.framework.bucket_bytes = 25 << 20;
    plain = train_job_time(&trial->job);
    trial->job.framework.overlap_gather = true;
    beside = train_job_time(&trial->job);
    trial->job.framework.bucket_bytes = (uint64_t)1 << 50;
    whole = train_job_time(&trial->job);
    trial->job.framework.overlap_gather = false;
    assert_true(train_near(train_job_time(&trial->job).data_exposed_s, whole.data_exposed_s));
    assert_true(beside.data_exposed_s <= plain.data_exposed_s);
    assert_true(plain.data_exposed_s - beside.data_exposed_s <=
                plain.forward_s / trial->job.degrees.accumulation * (1 + 1e-9));
    assert_true(train_near(beside.step_s, train_parts(&beside)));
}

TEST(a_gather_hides_behind_the_forward_pass_in_part)
{
    each_trial(check_gather_overlap);
}

/* Fused kernels move fewer bytes, a compiler keeps fewer; a graph spares the host. */
static void check_kernels(struct trial *trial)
{
    struct cs_train_step hand, none, compiled, graph;

    make_job(trial, 2, 4, 1);
    trial->parameters[CS_KERNEL_JITTER] = .01;
    hand = train_job_time(&trial->job);
    trial->job.framework.fusion = CS_FUSION_NONE;
    none = train_job_time(&trial->job);
    trial->job.framework.fusion = CS_FUSION_COMPILED;
    compiled = train_job_time(&trial->job);
    trial->job.framework.device_graph = true;
    graph = train_job_time(&trial->job);
    assert_true(hand.step_s < none.step_s);
    assert_true(train_near(hand.step_s, compiled.step_s));
    assert_true(train_near(hand.activation_bytes, none.activation_bytes));
    assert_true(compiled.activation_bytes < hand.activation_bytes);
    assert_true(graph.step_s < compiled.step_s);
    assert_true(graph.host_s == 0 && graph.jitter_s == 0);
    assert_true(train_near(graph.step_s, train_parts(&graph)));
}

TEST(fewer_kernels_take_less)
{
    each_trial(check_kernels);
}

/* Parts of the states over all ranks of a replica are the whole. */
static void check_tensor_memory(struct trial *trial)
{
    struct cs_train_step one, four;

    make_job(trial, 1, 1, 1);
    one = train_job_time(&trial->job);
    make_job(trial, 4, 1, 1);
    four = train_job_time(&trial->job);
    assert_true(train_near(one.parameter_bytes, 4 * four.parameter_bytes));
    assert_true(train_near(one.parameter_bytes, 2 * trial->model.parameters));
}

TEST(tensor_parallel_ranks_divide_the_parameters)
{
    each_trial(check_tensor_memory);
}
