/*
 * The cuts and partitions that bind most, by trying all sets of few ranks.
 *
 * The rate into a set comes from a maximum flow of its own on a network where
 * every device is a node; nothing is merged, and no search is guided.
 */
#pragma once

#include "algorithms/bounds/network.h"

#include <math.h>

enum {
    EXHAUSTIVE_RANKS_MAX = 10
};

/* Rates into every set of ranks, in one direction. */
struct exhaustive {
    uint32_t ranks;
    double *into_Bps; /* bit set of ranks -> rate */
};

static inline struct exhaustive exhaustive_of(const struct cs_graph *graph,
                                              enum cs_cut_direction direction,
                                              struct cs_arena *arena)
{
    struct cs_cells cells = cs_cells_single(graph, arena);
    struct cs_network network = cs_network_of(graph, &cells, direction, arena);
    struct exhaustive all = {.ranks = graph->rank_count};

    all.into_Bps = cs_arena_alloc(arena, (size_t)1 << all.ranks, sizeof(double));
    for (uint32_t set = 1; set + 1 < 1u << all.ranks; set++) {
        cs_flow_clear_drains(&network.flow);
        for (uint32_t r = 0; r < all.ranks; r++) {
            uint32_t node = graph->rank_device[r];
            bool inside = set >> r & 1;

            cs_flow_supply(&network.flow, node, inside ? 0 : (double)INFINITY);
            if (inside)
                cs_flow_drain(&network.flow, node, (double)INFINITY);
        }
        all.into_Bps[set] = cs_flow_run(&network.flow);
    }
    return all;
}

/* Least rate into a set over ranks outside. */
static inline double exhaustive_densest(const struct exhaustive *all)
{
    double least = (double)INFINITY;

    for (uint32_t set = 1; set + 1 < 1u << all->ranks; set++)
        least = fmin(least, all->into_Bps[set] / (all->ranks - __builtin_popcount(set)));
    return least;
}

/* The same for sets with the root. */
static inline double exhaustive_towards(const struct exhaustive *all, uint32_t root)
{
    double least = (double)INFINITY;

    for (uint32_t set = 1; set + 1 < 1u << all->ranks; set++)
        if (set >> root & 1)
            least = fmin(least, all->into_Bps[set] / (all->ranks - __builtin_popcount(set)));
    return least;
}

/* Least rate into a set without the root. */
static inline double exhaustive_narrowest(const struct exhaustive *all, uint32_t root)
{
    double least = (double)INFINITY;

    for (uint32_t set = 1; set + 1 < 1u << all->ranks; set++)
        if (!(set >> root & 1))
            least = fmin(least, all->into_Bps[set]);
    return least;
}

/* Least sum of rates into m groups over m - 1, over all partitions, by dynamic
 * programming: sums[set] is the least sum over partitions of the set into so
 * many groups, the first of them with the set's lowest rank. */
static inline double exhaustive_strength(const struct exhaustive *all, struct cs_arena *arena)
{
    uint32_t whole = (1u << all->ranks) - 1;
    size_t sets = (size_t)1 << all->ranks;
    double *sums = cs_arena_alloc(arena, sets, sizeof(double));
    double *next = cs_arena_alloc(arena, sets, sizeof(double));
    double least = (double)INFINITY;

    for (uint32_t set = 0; set <= whole; set++)
        sums[set] = set && set != whole ? all->into_Bps[set] : (double)INFINITY;
    for (uint32_t groups = 2; groups <= all->ranks; groups++) {
        for (uint32_t set = 0; set <= whole; set++) {
            uint32_t rest = set & (set - 1);

            next[set] = (double)INFINITY;
            /* Every part of the rest stays with the lowest rank but all of it. */
            for (uint32_t out = rest; out; out = (out - 1) & rest)
                next[set] = fmin(next[set], all->into_Bps[set ^ out] + sums[out]);
        }
        for (uint32_t set = 0; set <= whole; set++)
            sums[set] = next[set];
        least = fmin(least, sums[whole] / (groups - 1));
    }
    return least;
}

/* Greatest s (p - s) over the rate into a set of s ranks: the cut of an
 * all-to-all with blocks of one byte. */
static inline double exhaustive_sparsest(const struct exhaustive *all)
{
    double most = 0;

    for (uint32_t set = 1; set + 1 < 1u << all->ranks; set++) {
        uint32_t inside = (uint32_t)__builtin_popcount(set);

        most = fmax(most, inside * (double)(all->ranks - inside) / all->into_Bps[set]);
    }
    return most;
}

/* Greatest number of blocks into a set over the rate into it, with a block of
 * one byte from order[i - 1] to order[i], cyclically. */
static inline double exhaustive_shift(const struct exhaustive *all, const uint32_t *order)
{
    double most = 0;

    for (uint32_t set = 1; set + 1 < 1u << all->ranks; set++) {
        uint32_t before = order[all->ranks - 1];
        double blocks = 0;

        for (uint32_t i = 0; i < all->ranks; before = order[i++])
            blocks += (set >> order[i] & 1) && !(set >> before & 1);
        most = fmax(most, blocks / all->into_Bps[set]);
    }
    return most;
}
