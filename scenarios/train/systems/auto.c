/*
 * auto, a search of configurations (search.h), and the names of MindSpore's parallel
 * modes: stand_alone, data_parallel, hybrid_parallel and auto_parallel
 * (mindspore/python/mindspore/context.py); `hybrid` is in systems/shards.c.
 */
#include "scenarios/train/parallel/step.h"
#include "scenarios/train/stages/bucket.h"
#include "scenarios/train/systems/system.h"

static void prepare_auto(struct cs_train_job *job)
{
    job->degrees.data_kind = CS_DATA_DDP;
    job->framework.overlap = true;
    if (!job->framework.bucket_bytes) {
        job->framework.bucket_bytes = CS_BUCKET_BYTES;
        job->framework.first_bucket_bytes = CS_BUCKET_FIRST_BYTES;
    }
}

static void prepare_alone(struct cs_train_job *job)
{
    job->degrees.data_kind = CS_DATA_DDP;
}

/* All-reduces are fused to 64 MiB, and gradients are summed in 32 bits
 * (gradient_fp32_sync). */
static void prepare_mindspore_data(struct cs_train_job *job)
{
    prepare_auto(job);
    job->framework.bucket_bytes = (uint64_t)64 << 20;
    job->framework.first_bucket_bytes = 0;
    if (!job->framework.gradient_width)
        job->framework.gradient_width = 4;
}

static int check_auto(const struct cs_train_job *job, struct cs_err *err)
{
    if (job->degrees.cuts)
        return cs_err_set(err, CS_EINPUT,
                          "auto divides layers evenly; leave --cuts out, or take pipeline");
    return cs_train_job_check(job, err);
}

static int check_alone(const struct cs_train_job *job, struct cs_err *err)
{
    if (job->site->ranks > 1)
        return cs_err_set(
            err, CS_EINPUT,
            "stand-alone is one device; the machine has %u: add --ranks 1, or take data-parallel",
            job->site->ranks);
    return cs_train_job_check(job, err);
}

static int check_mindspore_data(const struct cs_train_job *job, struct cs_err *err)
{
    if (job->degrees.tensor * job->degrees.context * job->degrees.pipeline > 1)
        return cs_err_set(
            err, CS_EINPUT,
            "data-parallel copies the whole model to each device; take hybrid for other degrees");
    return cs_train_job_check(job, err);
}

const struct cs_train_system cs_train_system_auto = {
    .name = "auto",
    .about = "the fastest tensor x context x pipeline x data configuration that fits the memory",
    .formula = "least step of all products of degrees, micro batches, recomputation and sharding",
    .splits_batch = true,
    .searches = true,
    .prepare = prepare_auto,
    .check = check_auto,
    .time = cs_train_step_time,
};

const struct cs_train_system cs_train_system_stand_alone = {
    .name = "stand-alone",
    .about = "MindSpore's stand_alone: one device",
    .formula = "forward + backward + optimizer",
    .prepare = prepare_alone,
    .check = check_alone,
    .time = cs_train_step_time,
};

const struct cs_train_system cs_train_system_data_parallel = {
    .name = "data-parallel",
    .about = "MindSpore's data_parallel: all-reduce of 32-bit gradients fused to 64 MiB",
    .formula = "forward + max(backward, last bucket's end) + optimizer",
    .prepare = prepare_mindspore_data,
    .check = check_mindspore_data,
    .time = cs_train_step_time,
};
