/*
 * GOAL edges: dependencies between numbered items, as a list and as rows.
 *
 * An edge orders two items of 0..n-1.  A tidy list is sorted by (after, before)
 * without duplicates; rows of a tidy list are in ascending order.
 *
 *     add    amortised O(1)          tidy   O(n + edges)
 *     rows   O(n + edges)            sort   O(n + edges)
 */
#ifndef CS_ALGORITHMS_SCHEDULES_GOAL_EDGES_H
#define CS_ALGORITHMS_SCHEDULES_GOAL_EDGES_H

#include "sim/base/mem.h"

#include <stdint.h>

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

#endif
