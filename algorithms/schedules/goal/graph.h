/*
 * GOAL graphs: ops of a rank with dependencies become lanes.
 *
 * Ops are numbers in the order of the file.  An edge delays an op until the end, or
 * the start, of a required op.  A lane is a chain of rounds with waits
 * for rounds of other lanes.
 *
 * - Ops with equal predecessors and equal successors form a round, which
 *   recovers the rounds of an exported program, unless an op with these predecessors
 *   and other successors stands between them: what starts together starts in the
 *   order of the file.
 * - A round continues the lane of a predecessor; otherwise a lane that ended
 *   before the round by dependency; otherwise a new lane.  Forks that join
 *   again therefore reuse lanes.
 * - A dependency on the start of an op is replaced by the predecessors of the op.
 *
 *     O(ops + edges) expected
 */
#pragma once

#include "sim/base/mem.h"

#include <stdint.h>

/*
 * GOAL edges: dependencies between numbered items, as a list and as rows.
 *
 * An edge orders two items of 0..n-1.  A tidy list is sorted by (after, before)
 * without duplicates; rows of a tidy list are in ascending order.
 *
 *     add    amortised O(1)          tidy   O(n + edges)
 *     rows   O(n + edges)            sort   O(n + edges)
 */

struct cs_goal_edge {
    uint32_t after;  /* the dependent item */
    uint32_t before; /* the required item */
};

/* Zeroed at the start; freed by the owner. */
struct cs_goal_edges {
    struct cs_goal_edge *edge;
    uint32_t count, capacity;
};

void cs_goal_edges_add(struct cs_goal_edges *edges, struct cs_goal_edge edge);
void cs_goal_edges_tidy(struct cs_goal_edges *edges);
void cs_goal_edges_free(struct cs_goal_edges *edges);

/* Item i has the run to[row[i]] .. to[row[i + 1] - 1]. */
struct cs_goal_rows {
    uint32_t *row;
    uint32_t *to;
};

enum cs_goal_direction {
    CS_GOAL_NEEDS,    /* row i: items required by i */
    CS_GOAL_NEEDED_BY /* row i: items that require i */
};

/* Rows of `n` items, in the arena. */
struct cs_goal_rows cs_goal_rows_of(uint32_t n, const struct cs_goal_edges *edges,
                                    enum cs_goal_direction direction, struct cs_arena *arena);

/* Fills `order` topologically and returns the count: `n`, or less if the other
 * items are on a cycle or depend on one.  Items without predecessors come first,
 * in the order of numbers. */
uint32_t cs_goal_sort(uint32_t n, const struct cs_goal_rows *needs,
                      const struct cs_goal_rows *needed_by, uint32_t *order,
                      struct cs_arena *arena);

/* The smallest number missing from the `count` items of `order`; count < n. */
uint32_t cs_goal_first_missing(uint32_t n, const uint32_t *order, uint32_t count,
                               struct cs_arena *arena);

enum {
    CS_GOAL_NONE = UINT32_MAX,
    CS_GOAL_EDGES_MAX = 1 << 27,   /* of a rank */
    CS_GOAL_IMPLIED_MAX = 8000000, /* by dependencies on starts, in addition */
};

/* A wait of a lane for the end of round `round` of lane `lane`. */
struct cs_goal_wait {
    uint32_t lane;
    uint32_t round;
};

/* Waits, a round per wait, then a round with ops. */
struct cs_goal_node {
    uint32_t op, ops;     /* a run of cs_goal_lanes.ops */
    uint32_t wait, waits; /* a run of cs_goal_lanes.waits */
    uint32_t next;        /* node of the lane, or CS_GOAL_NONE */
};

struct cs_goal_lanes {
    const uint32_t *first; /* by lane: node */
    uint32_t count;
    const struct cs_goal_node *nodes;
    const uint32_t *ops;
    const struct cs_goal_wait *waits;
};

enum cs_goal_fault {
    CS_GOAL_FINE,
    CS_GOAL_CYCLE,    /* op `where` is on a cycle */
    CS_GOAL_TOO_MANY, /* above CS_GOAL_IMPLIED_MAX edges at op `where` */
};

struct cs_goal_result {
    enum cs_goal_fault fault;
    uint32_t where;
};

/* Lays out `ops` ops.  `edges` (dependencies on ends) becomes tidy and includes
 * the dependencies implied by `starts` afterwards.  The lanes are in the
 * arena. */
struct cs_goal_result cs_goal_layout(uint32_t ops, struct cs_goal_edges *edges,
                                     const struct cs_goal_edges *starts,
                                     struct cs_goal_lanes *lanes, struct cs_arena *arena);
