/*
 * The search for a group that folds the ranks: its state, for the modules of the
 * search alone.
 *
 *     fold.c      tries groups, runs the fold
 *     colours.c   chooses the numbers of orbits to try
 *     same.c      checks that the group keeps the program
 *     routes.c    checks that the group keeps the machine
 *     symmetry.c  finds groups of any form, by the messages of the ranks
 *     renumber.c  numbers ranks and lanes so that the groups are rotations
 *     quotient.c  makes the program and the net of the representatives
 */
#ifndef CS_SIM_FOLD_SEARCH_H
#define CS_SIM_FOLD_SEARCH_H

#include "sim/fold/state.h"

/* A link of a route, and its place in its class. */
struct fold_hop {
    struct cs_net_link of;
    uint32_t class, resource_class;
    struct shift offset, resource_offset;
};

struct fold_search {
    const struct cs_program *program;
    const struct cs_program *ordered; /* of the request, not renumbered */
    const struct cs_net *net;
    struct cs_arena *arena; /* of the fold */
    struct cs_arena scratch;
    const char **why;
    struct cs_cut cut;
    struct cs_fold_group group;
    const struct cs_turns *turns; /* of programs with turns: renumber.h */
    /* Of renumbered parties: the party of the request, else NULL. */
    const uint32_t *origin;
    struct cs_ops mine, theirs;
    uint32_t *links; /* room for a route */
    struct fold_hop *route;
    uint32_t channels; /* that messages are matched by */
    uint32_t *peers;   /* of a representative, whose routes are checked */
    uint32_t peer_count;
    uint32_t *sender; /* by party: the last representative, + 1, of a message */
    /* By class and copy: the link + 1 that a route has had there; 0: none.  NULL:
     * not kept. */
    uint32_t *images;
    struct classes link, resource;
    uint64_t checked;   /* rounds compared, of the group that holds */
    bool own_resources; /* every link has the resource of its number */
    bool uneven;        /* images of blocks are equivalent, whatever their size */
    const struct cs_monitor *monitor;
    struct cs_progress progress;
    uint64_t steps; /* of the search and ops of its rounds, so far */
    uint64_t due;   /* the steps at which the monitor is asked next */
    bool stopped;   /* by the user */
    bool ended;     /* no group can hold */
};

/* Fails the search of a group: false. */
static inline bool fold_refuse(const struct fold_search *search, const char *why)
{
    *search->why = why;
    return false;
}

/* A step of the search; false once the search is to stop. */
static inline bool fold_go_on(struct fold_search *search)
{
    if (!search->monitor || ++search->steps < search->due)
        return !search->stopped;
    search->due = search->steps + CS_MONITOR_STEPS;
    if (!search->monitor->update(search->monitor->ctx, &search->progress))
        search->stopped = true;
    return !search->stopped;
}

/* Ops count as steps: a round of an all-to-all has as many as there are ranks. */
static inline struct cs_ops *round_of(struct fold_search *search, struct cs_ops *ops, uint32_t rank,
                                      uint32_t lane, uint64_t k)
{
    ops->count = 0;
    search->program->round(search->program->ctx, rank, lane, k, ops);
    search->steps += ops->count;
    return ops;
}

static inline uint64_t fold_rounds_of(const struct fold_search *search, uint32_t rank,
                                      uint32_t lane)
{
    return search->program->rounds(search->program->ctx, rank, lane);
}

#endif
