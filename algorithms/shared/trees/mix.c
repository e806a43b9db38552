#include "algorithms/shared/trees/trees.h"

#include "sim/base/divisor.h"

enum {
    PARTS_MAX = 4,
    UNITS_MAX = 1 << 12 /* leaves 16 chunks of 2^16 blocks */
};

/* Further units make messages smaller: a mix has to carry that much more. */
#define WORTHWHILE 1.05

struct tree_mix {
    const struct cs_trees *set[2];
    uint32_t parts[2];
    double s_per_byte; /* of the vector, on the busiest resource */
};

static double mix_s_per_byte(const struct tree_mix *mix, uint32_t resources)
{
    double share[2];
    double most = 0;

    for (uint32_t i = 0; i < 2; i++)
        share[i] = (double)mix->parts[i] / (mix->parts[0] + mix->parts[1]) / mix->set[i]->units;
    for (uint32_t i = 0; i < resources; i++) {
        double load_s = share[0] * mix->set[0]->resource_s_per_byte[i] +
                        share[1] * mix->set[1]->resource_s_per_byte[i];

        most = load_s > most ? load_s : most;
    }
    return most;
}

/* How often each unit of set i counts, so that the sets have their parts of all
 * units. */
static uint32_t mix_factor(const struct tree_mix *mix, uint32_t i)
{
    uint32_t own = mix->parts[i] * mix->set[!i]->units;
    uint32_t other = mix->parts[!i] * mix->set[i]->units;

    return own / (uint32_t)cs_common_divisor(own, other);
}

static uint32_t mix_units(const struct tree_mix *mix)
{
    return mix_factor(mix, 0) * mix->set[0]->units + mix_factor(mix, 1) * mix->set[1]->units;
}

/* Renews *best with the better shares of two sets. */
static void mix_try(const struct cs_trees *one, const struct cs_trees *other, uint32_t resources,
                    struct tree_mix *best)
{
    struct tree_mix mix = {.set = {one, other}};

    for (mix.parts[0] = 1; mix.parts[0] <= PARTS_MAX; mix.parts[0]++)
        for (mix.parts[1] = 1; mix.parts[1] <= PARTS_MAX; mix.parts[1]++) {
            mix.s_per_byte = mix_s_per_byte(&mix, resources);
            if (mix.s_per_byte < best->s_per_byte && mix_units(&mix) <= UNITS_MAX)
                *best = mix;
        }
}

/* The tree as packed, with `factor` units for one. */
static struct cs_packed_tree mix_tree(const struct cs_tree *tree, uint32_t ranks, uint32_t factor,
                                      struct cs_arena *arena)
{
    struct cs_packed_tree packed = {
        .root = tree->root,
        .units = tree->units * factor,
        .size = ranks,
        .parent = cs_arena_alloc(arena, ranks, sizeof(uint32_t)),
        .depth = cs_arena_alloc(arena, ranks, sizeof(uint32_t)),
    };

    for (uint32_t r = 0; r < ranks; r++) {
        packed.parent[r] = tree->parent[r];
        packed.depth[r] = cs_tree_depth(tree, r);
    }
    return packed;
}

static const struct cs_trees *mix_make(const struct cs_net *net, const struct tree_mix *mix,
                                       enum cs_tree_use use, struct cs_arena *arena)
{
    uint32_t ranks = mix->set[0]->ranks;
    struct cs_packing packing = {
        .tree =
            cs_arena_alloc(arena, mix->set[0]->count + mix->set[1]->count, sizeof(*packing.tree))};

    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t t = 0; t < mix->set[i]->count; t++)
            packing.tree[packing.count++] =
                mix_tree(&mix->set[i]->tree[t], ranks, mix_factor(mix, i), arena);
    return cs_trees_of_packing(net, ranks, &packing, use, arena);
}

const struct cs_trees *cs_trees_mixed(const struct cs_net *net, const struct cs_trees *const *sets,
                                      uint32_t count, enum cs_tree_use use, struct cs_arena *arena)
{
    struct tree_mix best = {.s_per_byte = 1e300};

    for (uint32_t i = 0; i < count; i++) {
        double s_per_byte = cs_trees_s_per_byte(sets[i]) / WORTHWHILE;

        if (s_per_byte < best.s_per_byte)
            best.s_per_byte = s_per_byte;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            mix_try(sets[i], sets[j], net->resource_count, &best);
    return best.set[0] ? mix_make(net, &best, use, arena) : NULL;
}
