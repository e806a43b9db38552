/*
 * Tree graph: the capacities from which trees between ranks are packed.
 *
 * Vertices are the ranks, the devices between them and shared resources; arcs
 * are the links that some route from rank to rank uses.  A message from a to b
 * always takes the route from a to b, so that a pair of ranks can only use the
 * arcs of that route.  Pairs whose route passes a third rank are left out: two
 * messages through that rank use the same links.  A resource that several links
 * share (a bus, a half-duplex wire) is an arc of its own with open arcs before
 * and behind.
 *
 * A scale turns rates into capacities: with U seconds per byte a link of b
 * bytes/s carries floor(U b) trees.  A capacity is granted to a pair when it is
 * moved from all arcs of the route to one arc from a to b.  A grant keeps the
 * demand: the maximum flow from the supplies of all ranks into each rank.  With
 * one arc per route this is the edge splitting of Lovasz, Mader and Frank,
 * which keeps the flows of an Eulerian graph (Bang-Jensen, Frank and Jackson,
 * SIAM J. Discrete Math. 8(2), 1995; used by Zhao et al., ForestColl, arXiv
 * 2402.06787).  The limitation to routes can leave demand behind; the caller
 * verifies the flows afterwards.
 */
#pragma once

#include "algorithms/bounds/flow.h"
#include "sim/engine/progress.h"
#include "sim/net/net.h"

enum {
    CS_TREE_CAPACITY = 1 << 30 /* of an open arc, beyond every demand */
};

struct cs_tree_arc {
    uint32_t from, to, resource;
    double rate_Bps; /* INFINITY: open */
    double total;    /* at the scale */
    double capacity; /* what of it is left for further grants */
    uint32_t flow_arc;
    uint32_t next;  /* arc of the same origin */
    uint32_t users; /* pairs whose route has the arc */
};

/* Two ranks, parent and child of a possible tree, and the arcs of the route. */
struct cs_tree_pair {
    uint32_t parent, child;
    uint32_t first, arcs; /* in `steps` */
    uint32_t flow_arc;    /* of the grant; unused with a single arc */
    double granted;
    bool is_blocked; /* a cut has no more than the demand; cuts only shrink */
};

struct cs_tree_graph {
    uint32_t ranks;
    uint32_t vertices;
    struct cs_tree_arc *arc;
    uint32_t arc_count;
    struct cs_tree_pair *pair;
    uint32_t pair_count;
    uint32_t *steps; /* arcs of all routes */
    struct cs_flow flow;
    const struct cs_monitor *monitor; /* of the net, asked before each flow */
    bool stopped;                     /* by the monitor: flows are void */
    double *supply;                   /* by rank */
    uint32_t lacking;                 /* the rank that lacked last: the first one to test */
};

struct cs_tree_routes {
    const struct cs_net *net;
    uint32_t ranks;
    bool upwards; /* messages go from child to parent */
    bool direct;  /* only routes of a single link */
};

/* Which nodes of the net are those of ranks. */
bool *cs_tree_rank_nodes(const struct cs_net *net, uint32_t ranks, struct cs_arena *arena);

/* Fills the links from sender to receiver; their number, 0 if there is no route, a link is
 * down, or a third rank is on the route. */
uint32_t cs_tree_route(const struct cs_net *net, const bool *is_rank, uint32_t from, uint32_t to,
                       uint32_t *links);

/* The graph of the routes.  O(ranks^2) routes. */
struct cs_tree_graph cs_tree_graph_of(const struct cs_tree_routes *routes, struct cs_arena *arena);

/* Sets all capacities: rate x scale, rounded down if `whole`; no grants. */
void cs_tree_graph_scale(struct cs_tree_graph *graph, double scale_s_per_byte, bool whole);

/* Sets the supply of a rank. */
void cs_tree_graph_supply(struct cs_tree_graph *graph, uint32_t rank, double supply);

/* What the rank whose flow is least lacks for the demand: 0 if the supplies of
 * all ranks reach every rank; at least `enough` ends the search.  A flow for
 * each rank. */
double cs_tree_graph_lack(struct cs_tree_graph *graph, double demand, double enough);

/* The flow of all other supplies into a rank, at most `demand`. */
double cs_tree_graph_into(struct cs_tree_graph *graph, uint32_t rank, double demand);

/* Grants all capacity of routes of several arcs to pairs, while every rank
 * keeps the demand.  False if the grants alone do not meet the demand. */
bool cs_tree_graph_grant(struct cs_tree_graph *graph, double demand);
