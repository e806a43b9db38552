/*
 * Memory of a device, for every model of the library, degree, sharding and
 * recomputation: what more ranks divide never grows.
 */

#include "tests/train_job.h"

enum {
    TENSOR_MOST = 16,
    DATA_MOST = 16,
};

/* Totals differ by less than bytes that rounding leaves. */
static bool more(double bytes, double than)
{
    return bytes > than * (1 + 1e-12) + 1;
}

static double states(const struct cs_train_step *step)
{
    return step->parameter_bytes + step->gradient_bytes + step->optimizer_bytes;
}

/* The step of the trial's job with these degrees; false where it is refused. */
static bool memory_of(struct train_job *trial, uint32_t tensor, uint32_t data,
                      struct cs_train_step *step)
{
    uint32_t stage = tensor * trial->job.degrees.context * data;

    train_job_machine(trial, stage * trial->job.degrees.pipeline);
    trial->job.degrees.tensor = tensor;
    trial->job.degrees.data = data;
    return !cs_train_step_time(&trial->job, step, NULL);
}

typedef void memory_check(struct train_job *trial);

/* The models, one and two stages, one and two context parallel ranks, each
 * recomputation and fusion. */
static void each_memory(memory_check *check)
{
    for (size_t m = 0; m < cs_train_model_count; ++m) {
        CS_AT_END(train_job_close) struct train_job trial;

        train_job_open(&trial, cs_train_model_names[m], 1);
        trial.job.degrees.micro_batch = 1;
        trial.job.degrees.accumulation = 4;
        trial.job.framework.bucket_bytes = 25 << 20;
        for (int again = 0; again < CS_RECOMPUTES; ++again)
            for (int fusion = 0; fusion < CS_FUSIONS; ++fusion)
                for (uint32_t degrees = 0; degrees < 4; ++degrees) {
                    trial.job.degrees.recompute = (enum cs_recompute)again;
                    trial.job.framework.fusion = (enum cs_fusion)fusion;
                    trial.job.degrees.context = 1 + degrees % 2;
                    trial.job.degrees.pipeline = 1 + degrees / 2;
                    check(&trial);
                }
    }
}

static void fail_memory(const struct train_job *trial, const char *what)
{
    const struct cs_train_job *job = &trial->job;

    fail_msg("%s, recomputation %s, fusion %d, tp %u, cp %u, dp %u, pp %u, %s: %s",
             job->model->name, cs_recompute_names[job->degrees.recompute], job->framework.fusion,
             job->degrees.tensor, job->degrees.context, job->degrees.data, job->degrees.pipeline,
             cs_data_kind_names[job->degrees.data_kind], what);
}

/* The peak device of a pipeline may be of another stage, whose activations are more
 * and whose states are fewer: its total alone compares. */
static void check_not_more(const struct train_job *trial, const struct cs_train_step *step,
                           const struct cs_train_step *than, const char *what)
{
    bool parts = trial->job.degrees.pipeline == 1;

    if (parts && more(states(step), states(than)))
        fail_memory(trial, what);
    if (parts && more(step->activation_bytes, than->activation_bytes))
        fail_memory(trial, what);
    if (more(step->memory_bytes, than->memory_bytes))
        fail_memory(trial, what);
}

/* ---- tensor and sequence parallelism ---- */

static void check_tensor(struct train_job *trial)
{
    double before = INFINITY;

    for (uint32_t tensor = 1; tensor <= TENSOR_MOST; tensor *= 2) {
        struct cs_train_step whole, divided;

        trial->job.degrees.sequence_parallel = false;
        if (!memory_of(trial, tensor, 1, &whole))
            continue;
        if (trial->job.degrees.pipeline == 1 && more(whole.activation_bytes, before))
            fail_memory(trial, "tensor parallelism raises activations");
        before = whole.activation_bytes;
        trial->job.degrees.sequence_parallel = true;
        if (!memory_of(trial, tensor, 1, &divided))
            continue;
        check_not_more(trial, &divided, &whole, "sequence parallelism raises memory");
    }
    trial->job.degrees.sequence_parallel = false;
}

TEST(tensor_and_sequence_parallelism_raise_no_activations)
{
    each_memory(check_tensor);
}

/* ---- sharding ---- */

/* The two blocks that ZeRO-3 gathers are at most a stage, as the buckets of the other
 * kinds are.  Gradients of ZeRO-1 are its buckets; ZeRO-2 has two buckets.  Of states
 * alone those blocks are freed and allocated again: pages that the allocator keeps
 * for them are not what this compares. */
static void check_sharding_of(struct train_job *trial, uint32_t expert)
{
    trial->job.degrees.expert = expert;
    for (uint32_t data = 2; data <= DATA_MOST; data *= 2) {
        struct cs_train_step less, step;

        trial->job.degrees.data_kind = CS_DATA_DDP;
        if (!memory_of(trial, 1, data, &less))
            break;
        for (int kind = CS_DATA_ZERO1; kind <= CS_DATA_ZERO3; ++kind) {
            trial->job.degrees.data_kind = (enum cs_data_kind)kind;
            assert_true(memory_of(trial, 1, data, &step));
            check_not_more(trial, &step, &less, "more is sharded, and memory grows");
            less = step;
        }
        trial->job.degrees.data_kind = CS_DATA_HYBRID_SHARD;
        if (memory_of(trial, 1, data, &less)) /* not with experts apart */
            check_not_more(trial, &step, &less, "all nodes share, and memory grows");
    }
    trial->job.degrees.expert = 0;
}

static void check_sharding(struct train_job *trial)
{
    trial->parameters[CS_KERNEL_ALLOCATOR] = 1;
    check_sharding_of(trial, 0);
    if (trial->job.model->transformer.experts && !trial->job.framework.fusion)
        check_sharding_of(trial, 2); /* buckets held experts of all ranks */
}

TEST(more_sharding_takes_no_more_memory)
{
    each_memory(check_sharding);
}

static void check_more_ranks(struct train_job *trial)
{
    for (int kind = CS_DATA_DDP; kind < CS_DATA_KINDS; ++kind) {
        struct cs_train_step few, many;

        trial->job.degrees.data_kind = (enum cs_data_kind)kind;
        for (uint32_t data = 2; data < DATA_MOST; data *= 2) {
            if (!memory_of(trial, 1, data, &few))
                return;
            assert_true(memory_of(trial, 1, 2 * data, &many));
            check_not_more(trial, &many, &few, "more ranks share, and memory grows");
        }
    }
}

TEST(more_ranks_that_share_take_no_more_memory)
{
    each_memory(check_more_ranks);
}

/* ---- what is not kept ---- */

/* A part that runs again, a layer on the host and narrow states raise no memory; parts and
 * layers cost time, or nothing. */
static void check_less(struct train_job *trial)
{
    struct cs_train_job *job = &trial->job;
    struct cs_train_step kept, step;

    if (!job->model->transformer.layers || job->degrees.recompute > CS_RECOMPUTE_SELECTIVE ||
        !memory_of(trial, 1, 1, &kept))
        return;
    for (int part = 0; part < CS_PARTS; ++part) {
        job->degrees.recompute_parts = 1u << part;
        assert_true(memory_of(trial, 1, 1, &step));
        check_not_more(trial, &step, &kept, "a part runs again, and memory grows");
        if (step.step_s < kept.step_s * (1 - 1e-12))
            fail_memory(trial, "a part runs again, and the step is shorter");
    }
    job->degrees.recompute_parts = 0;
    job->degrees.offload_layers = 1;
    assert_true(memory_of(trial, 1, 1, &step));
    check_not_more(trial, &step, &kept, "a layer is on the host, and memory grows");
    assert_true(step.step_s >= kept.step_s);
    job->degrees.offload_layers = 0;
    job->framework.optimizer_width = 4;
    assert_true(memory_of(trial, 1, 1, &step));
    check_not_more(trial, &step, &kept, "states are narrow, and memory grows");
    job->framework.optimizer_width = 0;
}

TEST(what_is_not_kept_takes_no_memory)
{
    each_memory(check_less);
}

/* Scores that run again take no less than whole layers that do; last stages of few layers
 * have one micro batch in flight. */
static void check_checkpoints(struct train_job *trial)
{
    struct cs_train_job *job = &trial->job;
    struct cs_train_step kept, step;

    if (job->degrees.recompute != CS_RECOMPUTE_FULL || !cs_train_model_has_layers(job->model))
        return;
    job->degrees.pipeline *= 2;
    for (int kind = CS_DATA_DDP; kind < CS_DATA_KINDS; ++kind) {
        job->degrees.data_kind = (enum cs_data_kind)kind;
        job->degrees.recompute = CS_RECOMPUTE_SELECTIVE;
        if (!memory_of(trial, 1, 2, &kept))
            continue;
        job->degrees.recompute = CS_RECOMPUTE_FULL;
        assert_true(memory_of(trial, 1, 2, &step));
        check_not_more(trial, &step, &kept, "layers run again, and memory grows");
    }
    job->degrees.pipeline /= 2;
    job->degrees.recompute = CS_RECOMPUTE_FULL;
    job->degrees.data_kind = CS_DATA_DDP;
}

TEST(layers_that_run_again_take_no_more_than_their_scores)
{
    each_memory(check_checkpoints);
}

/* ---- experts ---- */

/* Copies of a token for each of its experts are on every tensor parallel rank unless
 * these divide the tokens: of Qwen3 30B-A3B in bf16, two copies of 4,096 tokens of
 * 2,048 elements for 8 experts in 48 layers are 12 GiB, which were divided by 8. */
TRAIN_JOB_TEST(tensor_parallel_ranks_have_all_copies_of_tokens)
{
    const double copies = 2. * 48 * 8 * 4096 * 2048 * 2;
    struct cs_train_step whole, divided;

    train_job_open(trial, "qwen3-30b-a3b", 8);
    trial->job.degrees.micro_batch = 1;
    assert_int_equal(trial->model.transformer.sequence, 4096);
    assert_true(memory_of(trial, 8, 1, &whole));
    assert_true(whole.activation_bytes > copies);
    trial->job.degrees.sequence_parallel = true;
    assert_true(memory_of(trial, 8, 1, &divided));
    /* The input of an expert's parts is gathered, and its result is divided. */
    assert_true(divided.activation_bytes > copies / 2 * (1 + 1. / 8));
    assert_true(whole.activation_bytes - divided.activation_bytes > copies / 2 * (1 - 1. / 8));
}
