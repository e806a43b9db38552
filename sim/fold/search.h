/*
 * The search for a group that folds the ranks: its state, for the modules of the
 * search alone.
 *
 *     fold.c      tries groups, runs the fold
 *     renumber.c  numbers ranks and lanes so that the groups are rotations
 *
 * and the parts at the end of this header.
 */
#pragma once

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
    uint32_t below;         /* copies of a group, as in the request */
    struct cs_arena *arena; /* of the fold */
    struct cs_arena scratch;
    const char **why;
    struct cs_cut cut;
    struct cs_fold_group group;
    const struct cs_turns *turns; /* of programs with turns: renumber.h */
    /* Of renumbered parties: the party of the request, else NULL. */
    const uint32_t *origin;
    struct cs_ops mine, theirs;
    struct fold_member *my_peers; /* of the messages among `mine`, by op */
    uint32_t my_room;
    uint32_t *links; /* room for a route */
    struct fold_hop *route;
    uint32_t channels; /* that messages are matched by */
    uint32_t *peers;   /* of a representative, whose routes are checked */
    uint32_t peer_count;
    uint32_t *sender; /* by party: the last representative, + 1, of a message */
    /* By class and copy: the link + 1 that a route has had there; 0: none.  NULL:
     * not kept. */
    uint32_t *images;
    uint32_t *crossed; /* by class: the number of the last route that crosses it */
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
    bool differs;   /* a group did not keep the program */
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
    cs_program_read(search->program, (struct cs_at){rank, lane, k}, ops);
    search->steps += ops->count;
    return ops;
}

static inline uint64_t fold_rounds_of(const struct fold_search *search, uint32_t rank,
                                      uint32_t lane)
{
    return cs_program_rounds(search->program, rank, lane);
}

/* renumber.c: the turns of all lanes, in the arena of the search; NULL where it is stopped.
 * O(ranks x lanes) time, and memory where all ranks differ. */
const struct cs_turns *cs_fold_turns(struct fold_search *search, const struct cs_program *program);

/* colours.c: hashes of what ranks do, whose period suggests the number of orbits.  A colour that
 * is wrong costs time and nothing else: every group is checked. */

/* The least number of orbits to try, by the first ranks alone: O(1) in ranks. */
uint32_t cs_fold_first_orbits(struct fold_search *search);

/* Colours of all ranks, refined by the colours of their peers. */
uint32_t cs_fold_refined_orbits(struct fold_search *search);

/* Whether there can be a group of any form: its orbits have one size, and the ranks of an orbit
 * send over equal routes.  False for one slow link or rank among many. */
bool cs_fold_kinds_divide(struct fold_search *search);

/* same.c: whether search->group preserves the program: the rounds of every rank are the images of
 * the rounds of its representative.  All rounds are compared up to CS_FOLD_ROUNDS with
 * CS_FOLD_OPS, beyond a random sample of CS_FOLD_DRAWN, or of rounds with CS_FOLD_DRAWN_OPS. */

/* A quick look, before the others: a few rounds drawn by the seed.  Groups of two generators are
 * many and mostly wrong.  False with the reason in *search->why, or where the search is stopped. */
bool cs_fold_resembles_program(struct fold_search *search, uint64_t seed);

/* The sample is drawn by the seed.  False as above. */
bool cs_fold_keeps_program(struct fold_search *search, uint64_t seed);

/* Rounds of all ranks; UINT64_MAX if they are too many to count. */
uint64_t cs_fold_all_rounds(const struct fold_search *search);

/* routes.c: whether search->group preserves the machine: routes of messages that are images of each
 * other cross images of links.  The check assigns links to classes (struct classes), the links of
 * the quotient.  O(pairs of ranks that exchange messages x hops). */

/* False with the reason in *search->why, or where the search is stopped. */
bool cs_fold_keeps_machine(struct fold_search *search);

/* quotient.c: program and net of the representatives alone, in the arena of the fold. */

/* The fold by search->group, which keeps program and machine. */
struct cs_fold *cs_fold_quotient(const struct fold_search *search);

/* Whether a link of the net is an image of a link of the quotient. */
bool cs_quotient_has(const struct quotient *quotient, uint32_t link);

/* symmetry.c: permutations of the ranks that keep the program, of any form.
 *
 * Messages lead from rank 0 to every other rank, and the image of a message is
 * known by lane, round and position among the ops: the image of rank 0 determines
 * the images of all ranks.  Each image is tried.  The permutations found form a
 * group; of a group that is the product of up to three cyclic groups all elements are
 * taken, otherwise such a product.  Ranks are then renumbered so that the elements
 * are rotations of rows and of the digits of columns (fold.h).  A machine may have
 * some of the cyclic groups only.
 *
 * Agents are moved in the same way, each within its own kind.
 *
 * Only the first two rounds and the last round of each lane are compared, and, once a
 * few lanes lead to all parties, in a sample of these unless the search is thorough; the
 * group is to be checked.
 *
 *     O(ranks x lanes) rounds for each generator of the group */

struct symmetry;

/* The symmetries of search->program, in search->scratch; NULL: there are none. */
struct symmetry *cs_fold_symmetry(struct fold_search *search, bool is_thorough);

/* With the generators of the set `some`, a sum of 1, 2 and 4: rank order[i] of the
 * program is to have number i; the group is that of the renumbered ranks.  In
 * search->arena.  NULL: there is no such generator. */
const uint32_t *cs_fold_symmetry_order(const struct symmetry *of, unsigned some,
                                       struct cs_fold_group *group);
