/*
 * Complete graphs: numbers of the wires between all pairs of n members, in the
 * order (0,1) (0,2) .. (1,2) ...; for dragonflies and meshes.
 */
#pragma once

#include <stdint.h>

enum {
    CS_GROUPS_MESH_MAX = 2048 /* two million wires; their number grows as the square */
};

/* The number of pairs of n members. */
static inline uint32_t cs_groups_pairs(uint32_t n)
{
    return (uint32_t)((uint64_t)n * (n - 1) / 2);
}

/* The index of the pair a != b. */
static inline uint32_t cs_groups_pair(uint32_t a, uint32_t b, uint32_t n)
{
    uint32_t low = a < b ? a : b;
    uint32_t high = a < b ? b : a;

    return (uint32_t)((uint64_t)low * (2 * (uint64_t)n - low - 1) / 2) + (high - low - 1);
}
