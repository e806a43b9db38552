/*
 * Shortest routes from a cell, by prices of resources (lengths.h), and the
 * occupation of resources by the routes.
 *
 *     search   O(arcs log cells), Dijkstra's algorithm
 *     spread   O(arcs)
 */
#ifndef CS_ALGORITHMS_BOUNDS_RATES_SHORTEST_H
#define CS_ALGORITHMS_BOUNDS_RATES_SHORTEST_H

#include "algorithms/bounds/rates/lengths.h"
#include "sim/base/collections/heap.h"

/* Distances from one cell, and the order in which cells were reached. */
struct cs_shortest {
    double *distance; /* cell -> length */
    uint32_t *order;  /* cells, nearest first */
    uint32_t *rank;   /* cell -> place in `order` */
    uint32_t reached;
    struct cs_heap heap; /* cells to be reached, by distance, then by number */
};

struct cs_shortest cs_shortest_of(const struct cs_lengths *lengths, struct cs_arena *arena);

/* Finds the distances from a cell. */
void cs_shortest_search(const struct cs_lengths *lengths, const double *price, uint32_t cell,
                        struct cs_shortest *tree);

/* Spreads amount[] of each cell over all shortest routes from the start of the
 * tree, in equal parts where routes meet, and adds the seconds of occupation to
 * load[] of each resource.  Leaves in amount[] what passes each
 * cell. */
void cs_shortest_spread(const struct cs_lengths *lengths, const double *price,
                        const struct cs_shortest *tree, double *amount, double *load);

#endif
