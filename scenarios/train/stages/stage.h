/*
 * Stages of a pipeline: the blocks of a device, and the time of a stage for a micro
 * batch.
 *
 * Units are the blocks with their repeats, in order.  A transformer's layers are
 * divided evenly, embedding in the first stage and head in the last; where the
 * layers do not divide, embedding and head count as a layer.  Models of other kinds
 * are cut where the sum of times comes closest to equal parts.  A job may state its
 * cuts.
 */
#pragma once

#include "scenarios/train/stages/passes.h"

struct cs_stage {
    uint32_t begin, end; /* units */
};

/* Units of a block that a stage holds. */
uint32_t cs_stage_repeat(const struct cs_stage *stage, const struct cs_train_block *block);

/* Elements of a sample that the unit before a cut, the first unit behind it, hands
 * on. */
double cs_stage_output_before(const struct cs_train_model *model, uint32_t cut);

/* The units of the stage of that number. */
struct cs_stage cs_stage_of(const struct cs_passes *passes, uint32_t index);

struct cs_stage_time {
    struct cs_pass pass; /* sum over the units */
    double parameters;   /* elements on one device */
    double experts;      /* of these: of experts */
};

/* The time of a micro batch in all units of the stage, and its parameters.
 * O(blocks). */
struct cs_stage_time cs_stage_sum(const struct cs_passes *passes, const struct cs_stage *stage);

/* The same of what the ranks of stage `index` run in a slot and hold: the stage, or of
 * DualPipe the mean of two from both ends, and the parameters of both. */
struct cs_stage_time cs_stage_ranks_sum(const struct cs_passes *passes, uint32_t index);

/* Elements on a device of the copy of a tied embedding that the last of several stages
 * has; 0 elsewhere. */
double cs_stage_tied_copy(const struct cs_train_job *job, const struct cs_stage *stage);

/* Idle time of DualPipe, of that of 1F1B, (p - 1)(F + B): (p/2 - 1)(F + B + B - 3 W) for
 * passes forward F, backward B and of these the gradients of weights W. */
double cs_dualpipe_idle_share(const struct cs_pass *pass, uint32_t stages);

/* Stages with times t_i, one after another, and m micro batches:
 * sum of t_i + (m - 1) max t_i.  With v chunks the larger of m max t_i and a fill
 * of (sum of t_i - max t_i)/v, and of all stages for the first micro batch and
 * (m - 1) max t_i/v: a chunk waits for the chunk before, so that fewer micro
 * batches than stages leave stages idle.  So does a last group of r < p micro batches
 * behind whole ones of p stages, for (v - 1)(p - r) max t_i/v; the order of
 * pipeline_slots.h takes up to 25 % longer there. */
double cs_pipeline_s(double sum_s, double max_s, uint32_t micro_batches, uint32_t stages,
                     uint32_t chunks);
