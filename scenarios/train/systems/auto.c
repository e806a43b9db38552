/*
 * auto, a search of configurations (search.h), and the names of MindSpore's parallel
 * modes: stand_alone, data_parallel, hybrid_parallel and auto_parallel
 * (mindspore/python/mindspore/context.py); `hybrid` is in systems/shards.c.
 */
#include "scenarios/train/parallel/step.h"
#include "scenarios/train/systems/system.h"

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
    .overlap = true,
    .buckets = true,
    .check = check_auto,
    .time = cs_train_step_time,
};

const struct cs_train_system cs_train_system_stand_alone = {
    .name = "stand-alone",
    .about = "MindSpore's stand_alone: one device",
    .formula = "forward + backward + optimizer",
    .check = check_alone,
    .time = cs_train_step_time,
};

/* All-reduces are fused to 64 MiB, and gradients are summed in 32 bits
 * (gradient_fp32_sync). */
const struct cs_train_system cs_train_system_data_parallel = {
    .name = "data-parallel",
    .about = "MindSpore's data_parallel: all-reduce of 32-bit gradients fused to 64 MiB",
    .formula = "forward + max(backward, last bucket's end) + optimizer",
    .overlap = true,
    .bucket_bytes = 64 << 20,
    .gradient_width = 4,
    .check = check_mindspore_data,
    .time = cs_train_step_time,
};
