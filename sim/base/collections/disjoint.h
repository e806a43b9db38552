/*
 * Disjoint sets of small numbers: union-find by path halving.
 *
 * parent[i] leads towards the root of the set of i; a root is its own parent.
 * A root may carry further data of its set in arrays of the caller.
 *
 *     open        O(count)
 *     root, join  O(log count) amortised
 *
 * Joins keep the root that the caller names and not that of the larger set:
 * roots are then the same in every run, whatever the order of sizes.
 */
#pragma once

#include <stdint.h>

/* Numbers below `count`, each a set of one; `parent` is the caller's. */
static inline void cs_disjoint_open(uint32_t *parent, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        parent[i] = i;
}

static inline uint32_t cs_disjoint_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Afterwards the root of `into` is that of `from`, too. */
static inline void cs_disjoint_join(uint32_t *parent, uint32_t into, uint32_t from)
{
    parent[cs_disjoint_root(parent, from)] = cs_disjoint_root(parent, into);
}
