/* Passes of a micro batch: what a framework adds to a model's products. */
#include "scenarios/train/stages/passes.h"

#include "tests/train_job.h"

static struct cs_passes passes_of(struct train_job *trial)
{
    struct cs_passes passes = {0};

    assert_done(cs_passes_open(&trial->job, &trial->arena, &passes, &err));
    return passes;
}

/* The sum over blocks, of which sharding keeps no variables of its own. */
static double difference_s(struct train_job *trial, bool backward)
{
    double s[2] = {0, 0};

    for (int sharded = 0; sharded < 2; sharded++) {
        struct cs_passes passes;

        trial->job.degrees.data_kind = sharded ? CS_DATA_ZERO1 : CS_DATA_DDP;
        passes = passes_of(trial);
        for (uint32_t b = 0; b < trial->model.block_count; b++)
            s[sharded] +=
                trial->model.blocks[b].repeat *
                (backward ? passes.blocks[b].backward : passes.blocks[b].forward).compute_s;
    }
    return s[0] - s[1];
}

/* In 16 bits a micro batch reads 4 bytes of each variable and writes 2, and on the way
 * back the same of its gradient; all micro batches but one add it to a sum of 4 bytes. */
TRAIN_JOB_TEST(variables_are_cast_and_gradients_added_at_the_memorys_rate)
{
    double memory_Bps, parameters;

    train_job_open(trial, "gpt2-small", 8);
    trial->job.framework.fusion = CS_FUSION_COMPILED;
    trial->job.framework.device_graph = true; /* no time of the host */
    trial->job.degrees.accumulation = 4;
    memory_Bps = passes_of(trial).kernels.memory_Bps;
    parameters = trial->model.parameters;
    assert_true(fabs(difference_s(trial, false) * memory_Bps / (6 * parameters) - 1) < 1e-6);
    assert_true(fabs(difference_s(trial, true) * memory_Bps / ((6 + 12 * .75) * parameters) - 1) <
                1e-6);
    trial->job.precision = CS_PRECISION_FP32;
    trial->job.degrees.accumulation = 1;
    assert_true(fabs(difference_s(trial, true) * memory_Bps / parameters) < 1e-6);
}

static double backward_s(struct train_job *trial)
{
    struct cs_passes passes = passes_of(trial);
    double sum_s = 0;

    for (uint32_t b = 0; b < trial->model.block_count; b++)
        sum_s += trial->model.blocks[b].repeat * passes.blocks[b].backward.compute_s;
    return sum_s;
}

/* Layers of two kinds share a queue of launches: what one leaves to spare shortens the waits of
 * the other.  A host that waits for each kernel gets ahead nowhere. */
TRAIN_JOB_TEST(a_host_runs_ahead_where_kernels_are_long)
{
    struct cs_train_model whole;
    double together_s[2], apart_s[2] = {0, 0};

    train_job_open(trial, "llama4-maverick", 8);
    trial->job.degrees.micro_batch = 1;
    trial->parameters[CS_KERNEL_LAUNCH_BACKWARD] = 2000;
    whole = trial->model;
    for (int waits = 0; waits < 2; waits++) {
        trial->job.framework.blocking_launch = waits;
        trial->model = whole;
        together_s[waits] = backward_s(trial);
        trial->model.block_count = 1;
        for (; trial->model.blocks < whole.blocks + whole.block_count; trial->model.blocks++)
            apart_s[waits] += backward_s(trial);
    }
    trial->model = whole;
    assert_true(together_s[0] < apart_s[0] * (1 - 1e-3));
    assert_true(train_near(together_s[1], apart_s[1]));
}

/* A scale for each row costs products of 8 bits a share of their rate, those of 16 none. */
TRAIN_JOB_TEST(scales_of_rows_slow_products_of_8_bits)
{
    const struct cs_gpu_peak *gpu;
    double rates[2][2];

    train_job_open(trial, "gpt2-small", 8);
    assert_int_equal(cs_gpu_peak_find("h100", &gpu, NULL), 0);
    trial->job.gpu = gpu;
    for (int is_8 = 0; is_8 < 2; is_8++)
        for (int scaled = 0; scaled < 2; scaled++) {
            trial->job.precision = is_8 ? CS_PRECISION_FP8 : CS_PRECISION_BF16;
            trial->job.framework.row_scales = scaled;
            rates[is_8][scaled] = passes_of(trial).kernels.flops_per_s;
        }
    assert_true(rates[0][1] == rates[0][0]);
    assert_true(trial->parameters[CS_KERNEL_ROW_SCALES] < 1);
    assert_true(train_near(rates[1][1], rates[1][0] * trial->parameters[CS_KERNEL_ROW_SCALES]));
}

/* Of four micro batches the first has nothing beside its exchanges. */
TRAIN_JOB_TEST(exchanges_hide_beside_another_micro_batch)
{
    struct cs_train_step apart, beside;

    train_job_open(trial, "mixtral-8x7b", 8);
    trial->job.degrees.micro_batch = 1;
    trial->job.degrees.expert = 8;
    trial->job.degrees.accumulation = 4;
    apart = train_job_step(trial, "zero1");
    trial->job.framework.overlap_experts = true;
    beside = train_job_step(trial, "zero1");
    assert_true(apart.expert_s > 0);
    assert_true(train_near(beside.expert_s, apart.expert_s / 4));
    assert_true(beside.step_s < apart.step_s);
    /* Compute slows by the multiprocessors of the exchanges. */
    assert_true(beside.forward_s + beside.backward_s > apart.forward_s + apart.backward_s);
    trial->job.degrees.accumulation = 1;
    beside = train_job_step(trial, "zero1");
    trial->job.framework.overlap_experts = false;
    assert_true(beside.step_s == train_job_step(trial, "zero1").step_s);
}

/* Of a layer, forward: the last but the head. */
static double tensor_s(struct train_job *trial, bool copied)
{
    trial->job.framework.copied_parts = copied;
    return passes_of(trial).blocks[trial->model.block_count - 2].forward.tensor_s;
}

/* Two gathers and two sums of a layer are read and written once more, but neither an all-reduce
 * nor what products take in parts. */
TRAIN_JOB_TEST(parts_along_the_sequence_are_copied_into_their_order)
{
    double bytes, copy_s;

    train_job_open(trial, "gpt2-small", 8);
    trial->job.degrees.tensor = 2;
    trial->job.degrees.sequence_parallel = true;
    bytes = trial->job.degrees.micro_batch * trial->model.transformer.sequence *
            trial->model.transformer.hidden * cs_train_parameter_width(&trial->job);
    copy_s = 2 * bytes / passes_of(trial).kernels.memory_Bps;
    assert_true(train_near(tensor_s(trial, true), tensor_s(trial, false) + 4 * copy_s));
    trial->job.framework.overlap_tensor = true;
    assert_true(tensor_s(trial, true) == tensor_s(trial, false));
    trial->job.framework.overlap_tensor = false;
    trial->job.degrees.sequence_parallel = false;
    assert_true(tensor_s(trial, true) == tensor_s(trial, false));
}
