/*
 * Passes: seconds of the blocks of a model for a micro batch of a job.
 *
 * A device that waits for the host, or a collective of tensor parallelism, is
 * part of a pass.  Repeats of a block share an entry.
 *
 *     open   O(blocks x products), a few calls of the library
 */
#pragma once

#include "scenarios/train/job/job.h"
#include "scenarios/train/kernels/kernels.h"

struct cs_pass_part {
    double compute_s;        /* and waits for the host */
    double device_s, host_s; /* of a layer: without the waits; launches */
    double tensor_s, expert_s;
    double context_s; /* beyond attention's time */
};

/* Of one repeat. */
struct cs_pass {
    struct cs_pass_part forward, backward, recompute;
    double alone_s; /* compute of all three, with no collective that hides waits for the host */
};

struct cs_passes {
    const struct cs_train_job *job;
    struct cs_kernels kernels;
    struct cs_pass *blocks; /* one for each block of the model */
    double scale;           /* of compute: measured over predicted */
    double memory_share;    /* of compute: at the memory's rate */
};

/* Memory is in the arena. */
int cs_passes_open(const struct cs_train_job *job, struct cs_arena *arena, struct cs_passes *passes,
                   struct cs_err *err);

/* Share of the layers' passes that full recomputation repeats; 0 without. */
double cs_passes_recomputed_share(const struct cs_train_job *job);

/* Share of the layers of experts whose tokens travel again in the backward pass, as they do
 * where operators are kept: exchanges are none of them (torchtitan 0.2, _op_sac_save_list). */
double cs_passes_dispatched_again(const struct cs_train_job *job);

/* All of a pass over the block, with recomputation on the way back. */
double cs_pass_forward_s(const struct cs_pass *pass);
double cs_pass_backward_s(const struct cs_pass *pass);

/* Optimizer and host time of a step, scaled. */
double cs_passes_optimizer_s(const struct cs_passes *passes, double parameters);
double cs_passes_host_s(const struct cs_passes *passes);

/* Host time of a call, CS_KERNEL_BUCKET_HOST; 0 where the device runs a graph. */
double cs_passes_call_host_s(const struct cs_passes *passes, enum cs_kernel_parameter parameter);
