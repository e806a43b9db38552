/*
 * The step of a job of three dimensional parallelism, DDP, ZeRO and FSDP.
 *
 * A micro batch passes the stages of a pipeline (passes.h, stage.h); the micro
 * batches take sum t_i + (m - 1) max t_i; collectives of data parallelism start
 * as their data become ready in the stage with the most parameters
 * (data_parallel.h); then the optimizer.  All collectives are calls of the job's
 * library on the site of their group (group.h).
 *
 *     time   O(blocks x stages) and a call of the library for each bucket of a
 *            new size
 */
#pragma once

#include "scenarios/train/stages/passes.h"

/* CS_EINPUT for a job that cs_train_job_check refuses; the library's error for
 * a collective that it does not serve. */
int cs_train_step_time(const struct cs_train_job *job, struct cs_train_step *step,
                       struct cs_err *err);

/* Seconds of a stage's transfers for a micro batch: forward and backward, all
 * chunks; 0 without a pipeline. */
double cs_train_slot_sends_s(const struct cs_train_job *job);

/* Of these, what a stage waits for: with chunks it sends results of a forward pass beside the
 * backward pass over another chunk, and the reverse (Megatron-Core, arguments.py,
 * overlap_p2p_comm). */
double cs_train_exposed_sends_s(const struct cs_train_job *job, const struct cs_pass *pass,
                                double sends_s);

/* ---- one device ---- */

/* The step of one device with `micro_batch` samples and the job's accumulation,
 * without communication; its memory may exceed the device's. */
int cs_train_one_device(const struct cs_train_job *job, double micro_batch,
                        struct cs_train_step *step, struct cs_err *err);
