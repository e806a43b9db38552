/*
 * Data parallelism: collectives of gradients and parameters beside the passes
 * of a stage.
 *
 *     DDP      all-reduce of the buckets, on a stream, as gradients become
 *              ready in the last micro batch
 *     ZeRO-1   reduce-scatter of the buckets, all-gather of the parameters after
 *              the optimizer
 *     ZeRO-2   the reduce-scatter in each micro batch
 *     ZeRO-3   all-gather of a block before the forward and the backward pass,
 *              one block ahead, and reduce-scatter behind the backward pass, in
 *              each micro batch; in a pipeline once a step
 *     hybrid   ZeRO-3 inside a node, and an all-reduce of the shards between the
 *              nodes in the last micro batch
 *
 * Context parallel ranks share parameters as data parallel ranks do.
 */
#pragma once

#include "scenarios/train/parallel/sharded.h"

/* The collectives of a step, in the stage; the library's error for a collective that
 * it does not serve. */
int cs_data_parallel(const struct cs_passes *passes, const struct cs_stage *stage,
                     struct cs_data_time *time, struct cs_err *err);

/* Micro batches that pass a chunk of a stage before any passes the next, so that their
 * passes hide the calls of other chunks (Megatron-Core, pipeline_parallel/schedules.py,
 * get_schedule_table; grad_sync_func after the last micro batch of a chunk); 1 without
 * chunks. */
double cs_data_passes(const struct cs_train_job *job);
