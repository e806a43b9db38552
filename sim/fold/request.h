/*
 * A request for a fold, the fold and the settings of its run: the types that fold.h
 * and the modules of this folder share.
 */
#pragma once

#include "sim/engine/exec_request.h"
#include "sim/program/program.h"

enum {
    CS_FOLD_ROUNDS = 1 << 22,    /* all are compared: in 0.1 s */
    CS_FOLD_OPS = 1 << 25,       /* of all rounds, likewise: in 0.3 s */
    CS_FOLD_DRAWN = 1 << 18,     /* of more, as many as these */
    CS_FOLD_DRAWN_OPS = 1 << 23, /* of rounds of many ops, as many as have these */
};

/* Ranks below `orbits` are simulated; they represent the blocks of `orbits`
 * ranks, in rows of `columns` blocks. ranks = orbits x copies, copies = rows x
 * columns.  A column has two digits, the second below `planes`. */
struct cs_fold_group {
    /* Xor over rows; else rotations of rows and digits of columns. */
    bool is_xor;
    uint32_t ranks;
    uint32_t orbits;
    uint32_t copies;
    uint32_t rows, columns;
    uint32_t planes; /* divides columns; 0: as 1 */
    bool is_within;  /* columns divide nodes: each representative is of another node of the row */
    /* Agents follow the ranks, in blocks of `agent_orbits`. */
    uint32_t agents, agent_orbits;
};

struct cs_regions; /* sim/fold/regions.h */

struct cs_fold {
    struct cs_fold_group group;
    /* Simulates representatives of many regions, else NULL.  A group of the neutral
     * element alone (copies is 1) always has regions. */
    const struct cs_regions *regions;
    /* Parties are renumbered for the group: the party of each number; or NULL. */
    const uint32_t *order;
    uint64_t rounds;  /* of all ranks in total; UINT64_MAX: more */
    uint64_t checked; /* rounds compared */
    bool uneven;      /* ranks of one orbit move blocks of two lengths */
    /* The quotient, which represents all ranks; readable by cs_exec_run only. */
    struct cs_program program;
    struct cs_net net;
    /* By link of the net: the first link of the machine in its orbit; after the
     * run the first of the links with the longest busy time. */
    uint32_t *link;
    const void *quotient; /* fold.c's own */
};

/* The rank of the i-th representative, i < orbits. */
static inline uint32_t cs_fold_representative(const struct cs_fold *fold, uint32_t i)
{
    return fold->order ? fold->order[i] : i;
}

/* Input of the search. */
struct cs_fold_request {
    const struct cs_program *program;
    const struct cs_net *net;
    uint64_t seed;
    /* The group has fewer copies, where not 0. */
    uint32_t below;
    const struct cs_monitor *monitor; /* NULL: none */
};

/* Settings of the run. */
struct cs_fold_run {
    const struct cs_link_model *model;
    const struct cs_monitor *monitor;     /* NULL: none */
    const struct cs_model_params *params; /* of the model; NULL: defaults */
    bool eager;                           /* as in struct cs_exec_request */
    uint64_t jumps_from;                  /* as there */
};

/* Codes of cs_fold_run in addition to those of the executor. */
enum {
    CS_FOLD_WAITED = 1,
    CS_FOLD_UNEVEN = 2,
    CS_FOLD_TIED = 3,
    CS_FOLD_ALONE = 4,
};

/*
 * The pace of a fold whose ranks move blocks of two lengths.
 *
 * Where every link and every reducer serves a single lane, and the lane returns
 * to the resource only after its previous use, no message queues: a round takes
 * as long as its slowest op on an idle machine.  A single walk through the lanes
 * of the representatives therefore suffices, with times as sums (sum.h): the time
 * of an op with a short block, and the additional time of a long block, which
 * depends on the copy.  Where an op of a round is slower in some copies and
 * faster in others, the sum has a lower and an upper bound; at the end the two
 * bounds must meet.
 */

/* Can longer blocks be proven to set the time in that model? */
bool cs_fold_keeps_pace(const struct cs_fold *fold, const struct cs_fold_run *run);

/* After a run of the longest blocks without waiting: 0 with exact bytes and
 * links; or CS_FOLD_UNEVEN, or CS_ESTOPPED. */
int cs_fold_pace(struct cs_fold *fold, const struct cs_fold_run *run, struct cs_exec_result *result,
                 struct cs_err *err);

/*
 * Renumbering: a program with its ranks and lanes in another order.
 *
 * Rank i is rank order[i] of the given program, and the lanes of a rank are
 * numbered by their turns (struct cs_program), in which simultaneous rounds
 * begin.  Messages have explicit channels: the turn of the sender's lane.  A
 * permutation of ranks and channels that keeps the turns is thus a permutation of
 * ranks alone.
 *
 * An agent that serves (struct cs_program) is split into an agent for each of its
 * runs of lanes, as a permutation may keep the agent and move its lanes.  Messages
 * between rank and agent have the turn of the rank's lane as their channel.
 */

struct cs_turns;

/* The renumbered program, without turns, in the arena: O(ranks) memory.
 * order: a permutation of the ranks and, among themselves, of the split agents, or
 * NULL.  Agents must serve.  Program and turns must outlive the result.
 * origin: set to the party of `program` of each party. */
const struct cs_program *cs_fold_renumber(const struct cs_program *program,
                                          const struct cs_turns *turns, const uint32_t *order,
                                          const uint32_t **origin, struct cs_arena *arena);
