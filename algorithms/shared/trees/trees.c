#include "algorithms/shared/trees/trees.h"

#include "algorithms/shared/rings/load.h"

/* The children of every rank, from the next rank on, so that ranks do not all
 * send to the same child first. */
static void trees_add_children(struct cs_tree *tree, uint32_t ranks, struct cs_arena *arena)
{
    uint32_t *first = cs_arena_alloc(arena, ranks + 1, sizeof(*first));
    uint32_t *child = cs_arena_alloc(arena, ranks, sizeof(*child));
    uint32_t count = 0;

    for (uint32_t r = 0; r < ranks; r++) {
        first[r] = count;
        for (uint32_t i = 1; i < ranks; i++)
            if (tree->parent[(r + i) % ranks] == r)
                child[count++] = (r + i) % ranks;
    }
    first[ranks] = count;
    tree->first_child = first;
    tree->child = child;
}

/* Runs of units: of root 0 first. */
static void trees_add_runs(struct cs_trees *trees, struct cs_tree *tree)
{
    for (uint32_t root = 0; root < trees->ranks; root++)
        for (uint32_t t = 0; t < trees->count; t++)
            if (tree[t].root == root) {
                tree[t].first = trees->units;
                trees->units += tree[t].units;
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

static void trees_add_fan_in(struct cs_trees *trees)
{
    for (uint32_t r = 0; r < trees->ranks; r++) {
        uint32_t units = 0;

        for (uint32_t t = 0; t < trees->count; t++) {
            const struct cs_tree *tree = &trees->tree[t];

            units += tree->units * (tree->first_child[r + 1] - tree->first_child[r]);
        }
        if (units > trees->fan_in)
            trees->fan_in = units;
    }
}

static uint32_t trees_depth(const struct cs_packed_tree *tree, uint32_t ranks)
{
    uint32_t most = 0;

    for (uint32_t r = 0; r < ranks; r++)
        if (tree->depth[r] > most)
            most = tree->depth[r];
    return most;
}

const struct cs_trees *cs_trees_of_packing(const struct cs_net *net, uint32_t ranks,
                                           const struct cs_packing *packing, enum cs_tree_use use,
                                           struct cs_arena *arena)
{
    struct cs_trees *trees = cs_arena_alloc(arena, 1, sizeof(*trees));
    struct cs_tree *tree = cs_arena_alloc(arena, packing->count, sizeof(*tree));

    *trees = (struct cs_trees){.ranks = ranks, .count = packing->count, .tree = tree};
    for (uint32_t t = 0; t < packing->count; t++) {
        const struct cs_packed_tree *packed = &packing->tree[t];
        uint32_t depth = trees_depth(packed, ranks);

        tree[t] = (struct cs_tree){
            .root = packed->root, .units = packed->units, .parent = packed->parent};
        trees_add_children(&tree[t], ranks, arena);
        trees->depth = depth > trees->depth ? depth : trees->depth;
    }
    trees_add_runs(trees, tree);
    trees_add_fan_in(trees);
    trees_add_load(trees, net, use, arena);
    return trees;
}

double cs_trees_s_per_byte(const struct cs_trees *trees)
{
    return trees->load_s_per_byte / trees->units;
}

uint32_t cs_tree_depth(const struct cs_tree *tree, uint32_t rank)
{
    uint32_t depth = 0;

    for (; tree->parent[rank] != CS_TREE_ABSENT; rank = tree->parent[rank])
        depth++;
    return depth;
}
