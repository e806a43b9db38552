/*
 * The cheapest tree out of a root that spans all vertices of a directed graph.
 *
 * Every vertex takes its cheapest entrance; a cycle becomes one vertex, whose
 * entrances cost what they cost more than the ones they replace (Chu and Liu 1965;
 * Edmonds, Optimum branchings, J. Res. NBS 71B, 1967).  Cycles are found along one
 * path, walked against the edges (Gabow, Galil, Spencer and Tarjan, Combinatorica
 * 6(2), 1986), with dense rows: O(vertices^2).
 */
#pragma once

#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>

/* Room for trees of up to `vertices`. */
struct cs_spanning {
    uint32_t vertices;
    double *cost;      /* by contracted vertex and origin of an entrance; INFINITY inside */
    uint32_t *end;     /* the vertex that the entrance leads to */
    uint32_t *above;   /* by contracted vertex: the cycle it is part of, or itself */
    uint32_t *chosen;  /* the origin of the cheapest entrance */
    uint32_t *on_path; /* the place on the path, or CS_SPANNING_NONE */
    uint32_t *path;
    uint32_t *around;       /* the vertex on the path in which an origin is */
    uint32_t *first, *next; /* the members of a cycle */
    uint32_t count;         /* of contracted vertices */
};

enum {
    CS_SPANNING_NONE = UINT32_MAX
};

void cs_spanning_init(struct cs_spanning *spanning, uint32_t vertices, struct cs_arena *arena);

/* Writes the parent of each vertex (CS_SPANNING_NONE: the root) for costs[from *
 * vertices + to], INFINITY where no edge is.  False without a spanning tree. */
bool cs_spanning_tree(struct cs_spanning *spanning, const double *costs, uint32_t root,
                      uint32_t *parent);
