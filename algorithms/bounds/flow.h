/*
 * Maximum flow between many supplies and many drains, and the minimum cut.
 *
 * An arc carries at most the capacity from node to node.  A supply limits the
 * flow from a node into the network, a drain the flow from the network into a
 * node.  By max-flow min-cut the flow equals the least of
 *
 *     arcs into Z + supplies in Z + drains outside Z
 *
 * over sets Z of nodes, and after a run the nodes from which a drain can still
 * be reached are the smallest Z with the minimum.  The smallest Z is unique,
 * hence equal on nodes that a symmetry of the network exchanges.
 *
 * Dinic's algorithm (Soviet Math. Doklady 11, 1970).  Levels are counted from
 * the drains and end as soon as the supplies seen suffice: a flow between
 * neighbours touches the neighbourhood only, and the next run undoes only the
 * changes of the run before.  A search that is no longer local goes on at the nodes with
 * the fewest hops from a supply: in all directions it would reach every router of a
 * dragonfly before the next host.  Pushing subtracts a remainder from an equal
 * remainder: a full arc is exactly 0, and the cut is exact despite rounding.
 *
 *     add, supply, drain   O(1)
 *     run                  O(nodes^2 arcs) at worst; on machines about
 *                          O(phases x arcs within reach of the drains)
 */
#pragma once

#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>

/* Arcs e and e ^ 1 are reverse arcs. */
struct cs_flow_arc {
    uint32_t to;
    uint32_t next; /* arc of equal origin, or CS_FLOW_NONE */
    double capacity;
    double left;
    bool changed; /* in the list of changed arcs */
};

struct cs_flow_node {
    uint32_t first; /* arc, or CS_FLOW_NONE */
    uint32_t at;    /* arc tried next, while pulling */
    uint32_t level; /* distance to a drain, or CS_FLOW_NONE */
    uint32_t near;  /* hops from the nearest supply, now or before, or CS_FLOW_NONE */
    uint32_t next;  /* node to be searched, of equal hops */
    double width;   /* of the path found to the drain */
    bool changed;   /* supply_left or drain_left differ from the start */
    bool is_drain;  /* in the list of drains */
    double supply, supply_left;
    double drain, drain_left;
};

/* A node on the path of a search, with the flow wanted and received. */
struct cs_flow_visit {
    uint32_t node;
    double wanted, got;
};

enum {
    CS_FLOW_NONE = UINT32_MAX,
    CS_FLOW_HOPS = 32, /* farther nodes are searched in any order */
};

struct cs_flow {
    struct cs_flow_arc *arcs;
    uint32_t arc_count;
    struct cs_flow_node *nodes;
    uint32_t node_count;
    uint32_t *drains; /* nodes with a drain, now or before */
    uint32_t drain_count;
    uint32_t *queue; /* nodes with a level */
    uint32_t queued;
    uint32_t *spread;             /* nodes whose `near` has changed */
    uint32_t open[CS_FLOW_HOPS];  /* the first node to be searched, by hops */
    uint32_t gone;                /* supplies that `near` still counts */
    struct cs_flow_visit *visits; /* of a search, from a drain on */
    uint32_t *changed_arcs;       /* even arcs of changed pairs */
    uint32_t changed_arc_count;
    uint32_t *changed_nodes;
    uint32_t changed_node_count;
};

/* A network without arcs, with room for `pairs` of arcs. */
void cs_flow_init(struct cs_flow *flow, uint32_t nodes, uint32_t pairs, struct cs_arena *arena);

/* Adds an arc from a to b and an arc from b to a; returns the first. */
uint32_t cs_flow_add(struct cs_flow *flow, uint32_t a, uint32_t b, double ab_capacity,
                     double ba_capacity);

/* Sets the capacity of an arc for the next runs. */
static inline void cs_flow_set(struct cs_flow *flow, uint32_t arc, double capacity)
{
    flow->arcs[arc].capacity = flow->arcs[arc].left = capacity;
}

/* Sets the supply or the drain of a node for the next runs; INFINITY is
 * allowed, but not for supply and drain of a node together. */
void cs_flow_supply(struct cs_flow *flow, uint32_t number, double amount);
void cs_flow_drain(struct cs_flow *flow, uint32_t node, double amount);

/* Removes the drains; supplies stay. */
void cs_flow_clear_drains(struct cs_flow *flow);

/* The maximum flow.  Finite when no INFINITY reaches an INFINITY. */
double cs_flow_run(struct cs_flow *flow);

/* Whether the node is in Z, after a run. */
static inline bool cs_flow_is_inside(const struct cs_flow *flow, uint32_t node)
{
    return flow->nodes[node].level != CS_FLOW_NONE;
}
