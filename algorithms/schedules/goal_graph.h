/*
 * GOAL graphs: what one rank does, as ops that wait for each other.
 *
 * Ops are numbers in the order of the file; an edge says that one starts when
 * another is done, or when it starts.  The graph becomes lanes: a lane is a
 * chain of rounds, and what it needs of other lanes it waits for.
 *
 * - Ops that need the same ones and are needed by the same ones are one round:
 *   rounds that were written out as edges come back as rounds.
 * - An op goes on in the lane of one that it needs, else in a lane whose last
 *   round comes before it anyway, else in a new lane.  Forks that join again
 *   use their lanes again.
 * - To start when another op starts is to need what that needs.
 *
 *     O(ops log ops + edges log edges)
 */
#ifndef CS_ALGORITHMS_SCHEDULES_GOAL_GRAPH_H
#define CS_ALGORITHMS_SCHEDULES_GOAL_GRAPH_H

#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_GOAL_NONE = UINT32_MAX,
    CS_GOAL_EDGES_MAX = 8000000, /* of one rank, implied ones counted */
};

struct cs_goal_edge {
    uint32_t after;  /* the op that waits */
    uint32_t before; /* for that one */
};

/* Grows by itself; zeroed at first, freed by the owner. */
struct cs_goal_edges {
    struct cs_goal_edge *edge;
    uint32_t count, capacity;
};

void cs_goal_edges_add(struct cs_goal_edges *edges, struct cs_goal_edge edge);
void cs_goal_edges_free(struct cs_goal_edges *edges);

/* The lane `lane` waits until that many rounds, less one, of another are done. */
struct cs_goal_wait {
    uint32_t lane;
    uint32_t round;
};

/* A round that does something: waits in front of it, then its ops. */
struct cs_goal_node {
    uint32_t op, ops; /* run of cs_goal_lanes.ops */
    uint32_t wait, waits;
    uint32_t next; /* node of the same lane, or CS_GOAL_NONE */
};

struct cs_goal_lanes {
    const uint32_t *first; /* by lane: its first node */
    uint32_t count;
    const struct cs_goal_node *nodes;
    const uint32_t *ops;
    const struct cs_goal_wait *waits;
};

enum cs_goal_fault {
    CS_GOAL_FINE,
    CS_GOAL_CIRCLE,  /* op `where` waits for itself, by way of others maybe */
    CS_GOAL_CROWDED, /* too many edges */
};

struct cs_goal_result {
    enum cs_goal_fault fault;
    uint32_t where;
};

/* Lays `ops` ops out; `edges` (done before) is sorted on the way, `starts`
 * (started before) is read.  The lanes are in the arena. */
struct cs_goal_result cs_goal_layout(uint32_t ops, struct cs_goal_edges *edges,
                                     const struct cs_goal_edges *starts,
                                     struct cs_goal_lanes *lanes,
                                     struct cs_arena *arena);

#endif
