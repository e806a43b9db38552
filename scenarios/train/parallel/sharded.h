/*
 * Sharded parameters: all-gathers and reduce-scatters of blocks on one stream
 * beside the passes (ZeRO-3, FSDP full_shard and hybrid_shard).
 *
 * PyTorch gathers the next block while a block computes, forward and backward
 * (limit_all_gathers, BACKWARD_PRE), and reduce-scatters a block's gradients
 * behind its backward pass.
 */
#pragma once

#include "scenarios/train/stages/group.h"
#include "scenarios/train/stages/stage.h"

struct cs_data_time {
    double total_s;        /* of the collectives */
    double exposed_s;      /* beyond the passes */
    double hooks_s;        /* of the host, between the passes of layers */
    double interference_s; /* passes slow beside the collectives */
};

/* The collectives of a step, in the stage; errors as of cs_train_collective. */
int cs_sharded_step(const struct cs_passes *passes, const struct cs_stage *stage,
                    struct cs_data_time *time, struct cs_err *err);

/* The part of a second that compute loses beside a second of the call: channels
 * over multiprocessors, at most the published 40 %; none where the switches reduce,
 * and where the library copies without kernels. */
double cs_interference(const struct cs_passes *passes, const struct cs_train_call *call);
