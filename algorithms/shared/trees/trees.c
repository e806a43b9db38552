#include "algorithms/shared/trees/trees.h"

#include "algorithms/shared/rings/load.h"

#include <string.h>

enum {
    BLOCKS_MAX = 1 << 16,
    BLOCKS_MIN = 1 << 12, /* fewer fill no pipeline of 16 trees */
    MESSAGES_MAX = 1 << 21
};

/* The children of every rank, from the next rank on, so that ranks do not all
 * send to the same child first. */
static void trees_add_children(struct cs_tree *tree, uint32_t ranks, struct cs_arena *arena)
{
    uint32_t *first = cs_arena_alloc(arena, (size_t)ranks + 1, sizeof(*first));
    uint32_t *child = cs_arena_alloc(arena, ranks, sizeof(*child));

    for (uint32_t r = 0; r < ranks; r++)
        if (tree->parent[r] != CS_TREE_ABSENT)
            first[tree->parent[r] + 1]++;
    for (uint32_t r = 0; r < ranks; r++)
        first[r + 1] += first[r];
    /* Higher numbers than the parent's first: the end of each run moves. */
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t r = 0; r < ranks; r++) {
            uint32_t parent = tree->parent[r];

            if (parent != CS_TREE_ABSENT && (r < parent) == (pass > 0))
                child[first[parent]++] = r;
        }
    for (uint32_t r = ranks; r > 0; r--)
        first[r] = first[r - 1];
    first[0] = 0;
    tree->first_child = first;
    tree->child = child;
}

/* Runs of units: of root 0 first. */
static void trees_add_runs(struct cs_trees *trees, struct cs_tree *tree, struct cs_arena *arena)
{
    uint32_t *next = cs_arena_alloc(arena, (size_t)trees->ranks + 1, sizeof(*next));

    for (uint32_t t = 0; t < trees->count; t++)
        next[tree[t].root + 1] += tree[t].units;
    for (uint32_t r = 0; r < trees->ranks; r++)
        next[r + 1] += next[r];
    trees->units = next[trees->ranks];
    for (uint32_t t = 0; t < trees->count; t++) {
        tree[t].first = next[tree[t].root];
        next[tree[t].root] += tree[t].units;
    }
}

static void trees_add_load(struct cs_trees *trees, const struct cs_net *net, enum cs_tree_use use,
                           struct cs_arena *arena)
{
    struct cs_ring_tally tally = cs_ring_tally_new(net, arena);

    for (uint32_t t = 0; t < trees->count; t++)
        for (uint32_t r = 0; r < trees->ranks; r++) {
            const struct cs_tree *tree = &trees->tree[t];
            uint32_t parent = tree->parent[r];

            if (parent == CS_TREE_ABSENT)
                continue;
            if (use & CS_TREES_DOWN)
                cs_ring_tally_add(&tally, (struct cs_ring_step){parent, r}, tree->units);
            if (use & CS_TREES_UP)
                cs_ring_tally_add(&tally, (struct cs_ring_step){r, parent}, tree->units);
        }
    trees->load_s_per_byte = tally.busiest_s_per_byte;
    trees->slowest_Bps = tally.slowest_Bps;
    trees->direct = tally.switched == 0;
    trees->resource_s_per_byte = tally.resource_s_per_byte;
}

static void trees_add_fan_in(struct cs_trees *trees, struct cs_arena *arena)
{
    uint32_t *units = cs_arena_alloc(arena, trees->ranks, sizeof(*units));

    for (uint32_t t = 0; t < trees->count; t++) {
        const struct cs_tree *tree = &trees->tree[t];

        for (uint32_t r = 0; r < trees->ranks; r++)
            units[r] += tree->units * (tree->first_child[r + 1] - tree->first_child[r]);
    }
    for (uint32_t r = 0; r < trees->ranks; r++)
        trees->fan_in = units[r] > trees->fan_in ? units[r] : trees->fan_in;
}

/* Steps of the deepest rank; a walk ends where the depth is known. */
static uint32_t trees_depth(const struct cs_tree *tree, uint32_t ranks, uint32_t *depth)
{
    uint32_t most = 0;

    memset(depth, 0, ranks * sizeof(*depth));
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t steps = 0;
        uint32_t at = r;

        for (; tree->parent[at] != CS_TREE_ABSENT && depth[at] == 0; at = tree->parent[at])
            steps++;
        steps += depth[at];
        most = steps > most ? steps : most;
        for (at = r; tree->parent[at] != CS_TREE_ABSENT && depth[at] == 0; at = tree->parent[at])
            depth[at] = steps--;
    }
    return most;
}

const struct cs_trees *cs_trees_of_packing(const struct cs_net *net, uint32_t ranks,
                                           const struct cs_packing *packing, enum cs_tree_use use,
                                           struct cs_arena *arena)
{
    struct cs_trees *trees = cs_arena_alloc(arena, 1, sizeof(*trees));
    struct cs_tree *tree = cs_arena_alloc(arena, packing->count, sizeof(*tree));
    uint32_t *depths = cs_arena_alloc(arena, ranks, sizeof(*depths));

    *trees = (struct cs_trees){.ranks = ranks, .count = packing->count, .tree = tree};
    for (uint32_t t = 0; t < packing->count; t++) {
        const struct cs_packed_tree *packed = &packing->tree[t];
        uint32_t depth;

        tree[t] = (struct cs_tree){
            .root = packed->root, .units = packed->units, .parent = packed->parent};
        trees_add_children(&tree[t], ranks, arena);
        depth = trees_depth(&tree[t], ranks, depths);
        trees->depth = depth > trees->depth ? depth : trees->depth;
    }
    trees_add_runs(trees, tree, arena);
    trees_add_fan_in(trees, arena);
    trees_add_load(trees, net, use, arena);
    return trees;
}

uint32_t cs_trees_blocks(uint32_t ranks)
{
    uint32_t most = MESSAGES_MAX / ranks;

    return most > BLOCKS_MAX ? BLOCKS_MAX : most > BLOCKS_MIN ? most : BLOCKS_MIN;
}

double cs_trees_s_per_byte(const struct cs_trees *trees)
{
    return trees->load_s_per_byte / trees->units;
}
