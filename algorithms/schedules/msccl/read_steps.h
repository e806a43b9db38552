/*
 * MSCCL reader, second part: the step elements, checked and numbered in rounds.
 *
 * A step becomes up to four rounds of a lane: a wait, a receive, a local
 * reduction and a send (msccl/read.c).  Waits refer to the last round of a
 * step; every step has at least a round.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_MSCCL_READ_STEPS_H
#define CS_ALGORITHMS_SCHEDULES_MSCCL_READ_STEPS_H

#include "algorithms/schedules/msccl/read_blocks.h"

struct cs_msccl_step {
    uint32_t node; /* XML element */
    uint32_t actions;
    struct cs_msccl_range source, target;
    uint32_t count;     /* chunks */
    uint32_t wait_tb;   /* thread block of the GPU, or CS_MSCCL_NONE */
    uint32_t wait_step; /* step number in wait_tb */
    uint32_t last;      /* number of the last round, in the lane */
};

/* Reads the steps of the thread blocks and reserves scratch for rrs steps. */
int cs_msccl_read_steps(struct cs_msccl *m, struct cs_arena *arena);

#endif
