/*
 * Slots of a pipeline: when each stage computes each micro batch.
 *
 * A stage has an order of slots, forward and backward: all forward first (GPipe),
 * one micro batch at a time (serial), or as Megatron-LM's 1F1B, interleaved where a
 * stage has several chunks (Narayanan et al., arXiv 2104.04473, figure 4).  A slot
 * starts when its stage is free and the slot before it, in the neighbour stage, has
 * ended and its result arrived.  Micro batches that the interleaved order does not
 * divide into groups are all forward first where the order cannot be kept.  Equal stages
 * end at sum t_i + (m - 1) max t_i, interleaved with the fill divided by the chunks where
 * the stages divide m.
 *
 *     fill   O(slots x stages)
 */
#pragma once

#include "scenarios/train/job/job.h"

struct cs_slot {
    uint32_t stage, micro, chunk;
    bool backward;
    double start_s, end_s;
};

struct cs_slot_plan {
    uint32_t stages, micro_batches, chunks;
    enum cs_pipeline_schedule schedule;
    const double *forward_s, *backward_s; /* of a chunk, by stage */
    const double *send_s;                 /* behind a slot, beside the next; NULL: none */
};

/* The number of slots of the plan. */
uint64_t cs_slot_count(const struct cs_slot_plan *plan);

/* Fills the slots, stage by stage in their order, and returns the end of the
 * last. */
double cs_slots_fill(const struct cs_slot_plan *plan, struct cs_slot *slots);
