/*
 * A training job: a model, a machine, and how the step is divided.
 *
 * Ranks are numbered as in Megatron-LM: tensor parallel first, then context,
 * then data, then pipeline.  ranks = tensor x context x data x pipeline.
 * global batch = micro_batch x accumulation x data, in samples.
 */
#ifndef CS_SCENARIOS_TRAIN_JOB_H
#define CS_SCENARIOS_TRAIN_JOB_H

#include "algorithms/libraries/library.h"
#include "scenarios/train/model.h"

enum cs_recompute {
    CS_RECOMPUTE_NONE,
    CS_RECOMPUTE_SELECTIVE, /* attention alone */
    CS_RECOMPUTE_FULL,      /* the forward pass of each block again */
};

/* What data parallel ranks keep of parameters, gradients and optimizer. */
enum cs_data_kind {
    CS_DATA_DDP,          /* all three on each rank */
    CS_DATA_ZERO1,        /* optimizer sharded */
    CS_DATA_ZERO2,        /* and gradients: FSDP shard_grad_op */
    CS_DATA_ZERO3,        /* and parameters: FSDP full_shard */
    CS_DATA_HYBRID_SHARD, /* as ZeRO-3 inside a node, DDP between nodes */
    CS_DATA_KINDS,
};

enum cs_precision {
    CS_PRECISION_FP32,
    CS_PRECISION_TF32,
    CS_PRECISION_FP16, /* mixed, master weights in fp32 */
    CS_PRECISION_BF16,
    CS_PRECISION_FP8,
    CS_PRECISION_FP4,
    CS_PRECISIONS,
};

struct cs_train_job {
    const struct cs_train_model *model;
    const struct cs_site *site;       /* of all ranks */
    const struct cs_library *library; /* of the collectives */
    const char *gpu;                  /* a name of gpu_kinds.def */
    uint32_t tensor, context, data, pipeline;
    uint32_t chunks;       /* of a stage: interleaving; at least 1 */
    uint32_t accumulation; /* micro batches */
    double micro_batch;    /* samples */
    enum cs_recompute recompute;
    enum cs_data_kind data_kind;
    enum cs_precision precision;
    bool sequence_parallel;
    bool overlap; /* gradients of a bucket while the
                                          backward pass goes on */
    uint64_t bucket_bytes, first_bucket_bytes;
    double compute_scale; /* measured over predicted compute; 1 */
    double sample_s;      /* measured step of one device per sample
                                          without communication; 0: predicted */
};

/* Seconds of a step on the slowest rank; the parts overlap where
 * `*_exposed_s` says. */
struct cs_train_step {
    double step_s;
    double forward_s, backward_s, recompute_s, optimizer_s; /* compute */
    double tensor_s;               /* collectives of tensor parallelism */
    double pipeline_s, bubble_s;   /* sends between stages; idle */
    double data_s, data_exposed_s; /* gradients and parameters */
    double samples_per_s;
    double flops; /* of a step, without recomputation */
    /* Bytes on the fullest device. */
    double parameter_bytes, gradient_bytes, optimizer_bytes, activation_bytes,
        buffer_bytes, memory_bytes;
};

/* Checks degrees, batch and model: CS_EINPUT with what was expected. */
int cs_train_job_check(const struct cs_train_job *job, struct cs_err *err);

/* The step of a job of three dimensional parallelism, DDP, ZeRO and FSDP. */
int cs_train_step_time(const struct cs_train_job *job,
                       struct cs_train_step *step, struct cs_err *err);

#endif
