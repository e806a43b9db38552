/*
 * Several programs on one machine at once, as one program.
 *
 * Each job keeps its own lanes and channels, its own cut of its own vector and
 * its own ranks, which sit on parties of the machine; they meet only in the
 * network, and where a party adds up for two of them.  What the jobs move is
 * nobody's blocks in the combined program: each is proven by itself.  Messages
 * of a job that shakes hands go on doing so, those of the others do not.
 */
#ifndef CS_SIM_PROGRAM_COMBINE_H
#define CS_SIM_PROGRAM_COMBINE_H

#include "sim/program/program.h"

struct cs_job {
    const struct cs_program *program;
    const uint32_t *slot; /* rank -> the machine's party; NULL: the same */
    uint64_t start_ps;
    uint32_t repeats; /* one after the other; at least 1 */
};

enum {
    CS_JOBS_MAX = 16
};

/* The parties of the machine that the jobs share. */
struct cs_combine_parties {
    uint32_t ranks, agents;
};

/* A job without slots has the machine's ranks and agents, in order; another has
 * its slots, the first job's agents those of the machine's last parties.  The
 * time of the whole is that of the first job; the others have no agents.  The
 * jobs must outlive the program, whose own memory is in the arena:
 * O(jobs x parties). */
struct cs_program cs_combine(struct cs_combine_parties parties,
                             const struct cs_job *jobs, uint32_t count,
                             struct cs_arena *arena);

/* The first lane of a job in the combined program. */
uint32_t cs_combine_lane(const struct cs_job *jobs, uint32_t job);

#endif
