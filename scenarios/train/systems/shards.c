/* Systems whose data parallel ranks share parameters, gradients or optimizer,
 * alone or in a grid with tensor and pipeline parallelism. */

#include "scenarios/train/parallel/step.h"
#include "scenarios/train/systems/system.h"

/* The step of a grid of degrees (step.h). */
#define STEP .check = cs_train_job_check, .time = cs_train_step_time
/* Gradients in buckets beside the backward pass, or parameters in blocks. */
#define BUCKETS .overlap = true, .buckets = true
#define BLOCKS  .overlap = true, .early_stop = true

static int check_zero1_node(const struct cs_train_job *job, struct cs_err *err)
{
    if (job->model->transformer.experts)
        return cs_err_set(err, CS_EINPUT,
                          "zero1-node divides the states of a dense model; take zero1");
    return cs_train_job_check(job, err);
}

const struct cs_train_system cs_train_system_ddp = {
    .name = "ddp",
    .about = "DistributedDataParallel: all-reduce of buckets beside the backward pass",
    .formula = "forward + max(backward, last bucket's end) + optimizer",
    BUCKETS,
    STEP,
};

const struct cs_train_system cs_train_system_zero1 = {
    .name = "zero1",
    .about = "optimizer states sharded over the data parallel ranks",
    .formula = "forward + max(backward, reduce-scatter of buckets) + optimizer/d + all-gather",
    .data_kind = CS_DATA_ZERO1,
    BUCKETS,
    STEP,
};

const struct cs_train_system cs_train_system_zero1_node = {
    .name = "zero1-node",
    .about = "optimizer states sharded inside a node, whole gradients summed by all ranks",
    .formula =
        "forward + max(backward, last bucket's end) + optimizer/g + all-gather of g in a node",
    .data_kind = CS_DATA_ZERO1,
    .node_shard = true,
    BUCKETS,
    .check = check_zero1_node,
    .time = cs_train_step_time,
};

const struct cs_train_system cs_train_system_zero2 = {
    .name = "zero2",
    .about = "optimizer states and gradients sharded",
    .formula = "m (forward + max(backward, reduce-scatter of buckets)) + optimizer/d + all-gather",
    .data_kind = CS_DATA_ZERO2,
    BUCKETS,
    STEP,
};

const struct cs_train_system cs_train_system_zero3 = {
    .name = "zero3",
    .about = "optimizer states, gradients and parameters sharded",
    .formula = "m (passes beside 2 all-gathers and a reduce-scatter of each block) + optimizer/d",
    .data_kind = CS_DATA_ZERO3,
    BLOCKS,
    STEP,
};

const struct cs_train_system cs_train_system_fsdp = {
    .name = "fsdp",
    .about = "PyTorch FSDP full_shard: as zero3, blocks of the model as units",
    .formula = "m (passes beside 2 all-gathers and a reduce-scatter of each block) + optimizer/d",
    .data_kind = CS_DATA_ZERO3,
    BLOCKS,
    STEP,
};

const struct cs_train_system cs_train_system_hybrid_shard = {
    .name = "hybrid-shard",
    .about = "PyTorch FSDP hybrid_shard: zero3 inside a node, all-reduce between nodes",
    .formula = "as zero3 of a node + all-reduce of the shards between nodes",
    .data_kind = CS_DATA_HYBRID_SHARD,
    BLOCKS,
    STEP,
};

const struct cs_train_system cs_train_system_hybrid = {
    .name = "hybrid",
    .about = "Megatron-LM: tensor x pipeline x data parallel, one all-reduce of 32-bit gradients",
    .formula = "sum of stages + (m - 1) slowest stage + all-reduce + optimizer",
    /* Megatron-LM sums gradients in 32 bits, in one call after the pipeline. */
    .gradient_width = 4,
    STEP,
};
