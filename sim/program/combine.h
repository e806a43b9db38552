/*
 * Several programs on one machine at once, as one program.
 *
 * Each job keeps its own lanes and channels, its own cut of its own vector and
 * its own ranks, placed on parties of the machine.  Jobs contend in the network,
 * and in a party that reduces for two jobs.  The combined program moves bytes
 * without blocks: every job is proven separately.  Messages of a job with a
 * handshake keep the handshake, messages of further jobs do not get one.
 */
#pragma once

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

/* A job without slots has the machine's ranks and agents, in order. A job with
 * slots has its slots as ranks; agents of the first job are those of the
 * machine's last parties, further jobs have no agents. The time of the combined
 * program is that of the first job. The jobs must outlive the program, whose
 * own memory is in the arena: O(jobs x parties). */
struct cs_program cs_combine(struct cs_combine_parties parties, const struct cs_job *jobs,
                             uint32_t count, struct cs_arena *arena);

/* The first lane of a job in the combined program. */
uint32_t cs_combine_lane(const struct cs_job *jobs, uint32_t job);
