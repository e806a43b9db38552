/*
 * Bytes on the links of a machine while groups of ranks send.
 *
 * A stream (traffic.h) goes over the routes of the machine.  Of a ring with k ranks
 * in each of several nodes, V bytes per rank: each rank sends (k-1)/k V to the next
 * rank in its node, and V/k to the rank in its place of the next node, as rings over
 * all adapters do.  With a level of rings between m nodes, of p ranks, V/k is less by
 * the factor ((m-1)/m) / ((p-1)/p).  GPUs with links to each other inside a node use
 * all of them, by their rates.  An exchange of many ranks is represented by evenly spaced
 * partners, LINK_USE_PAIRS pairs in all.  Servers are those of the machine (agents).
 *
 *     O(pairs of ranks * hops)
 */
#pragma once

#include "scenarios/train/memory/traffic.h"
#include "topo/graph/graph.h"

/* Bytes by link: 2w from a to b of wire w, 2w + 1 from b to a; in the arena.
 * `node_ranks` consecutive ranks are a node. */
const double *cs_link_use(const struct cs_graph *graph, uint32_t node_ranks,
                          const struct cs_train_stream *streams, uint32_t count,
                          struct cs_arena *arena);

enum {
    CS_LINK_CLASSES_MAX = 64
};

/* The links of one class. */
struct cs_class_use {
    const char *name; /* "nvlink3 x12" */
    uint32_t links;   /* without those that are down */
    double most;      /* bytes on the busier direction of the busiest link */
    double all;       /* bytes on all of them, both directions */
    double busy_s;    /* the longest time of a link for its bytes */
};

/* The classes in the order of links; returns their number.  Classes beyond
 * CS_LINK_CLASSES_MAX count with the last. */
uint32_t cs_link_use_classes(const struct cs_graph *graph, const double *bytes,
                             struct cs_class_use classes[CS_LINK_CLASSES_MAX]);

/* The share of a wire's busier direction that is in use for `seconds`. */
double cs_link_use_share(const struct cs_graph *graph, uint32_t wire, const double *bytes,
                         double seconds);
