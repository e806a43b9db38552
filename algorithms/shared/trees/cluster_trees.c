#include "algorithms/shared/trees/trees.h"

#include "sim/base/divisor.h"

/* The node's tree in all nodes, with the root in node `home`. */
static struct cs_packed_tree cluster_tree(const struct cs_trees *node, const struct cs_tree *tree,
                                          uint32_t ranks, uint32_t home, struct cs_arena *arena)
{
    uint32_t each = node->ranks;
    struct cs_packed_tree packed = {
        .root = home * each + tree->root,
        .units = tree->units,
        .size = ranks,
        .parent = cs_arena_alloc(arena, ranks, sizeof(uint32_t)),
        .depth = cs_arena_alloc(arena, ranks, sizeof(uint32_t)),
    };

    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t at = r / each;
        uint32_t parent = tree->parent[r % each];

        packed.depth[r] = cs_tree_depth(tree, r % each) + (at != home);
        packed.parent[r] = parent != CS_TREE_ABSENT ? at * each + parent
                           : at != home             ? packed.root
                                                    : CS_TREE_ABSENT;
    }
    return packed;
}

const struct cs_trees *cs_trees_of_cluster(const struct cs_net *net, uint32_t ranks,
                                           const struct cs_trees *node, enum cs_tree_use use,
                                           struct cs_arena *arena)
{
    uint32_t nodes = ranks / node->ranks;
    struct cs_packing packing = {
        .tree = cs_arena_alloc(arena, (size_t)nodes * node->count, sizeof(*packing.tree))};

    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t t = 0; t < node->count; t++)
            packing.tree[packing.count++] = cluster_tree(node, &node->tree[t], ranks, i, arena);
    return cs_trees_of_packing(net, ranks, &packing, use, arena);
}

/* ---- one root ---- */

/* A run of the units of a set of trees. */
struct cluster_run {
    const struct cs_trees *trees;
    uint32_t factor; /* units for each unit of the trees */
    uint32_t tree;
    uint32_t left; /* units of the tree */
};

static struct cluster_run cluster_run_of(const struct cs_trees *trees, uint32_t factor)
{
    return (struct cluster_run){trees, factor, 0, trees->tree[0].units * factor};
}

static void cluster_run_take(struct cluster_run *run, uint32_t units)
{
    run->left -= units;
    if (run->left == 0 && ++run->tree < run->trees->count)
        run->left = run->trees->tree[run->tree].units * run->factor;
}

/* Position of a part in the chain out of the home part: the equal parts of all
 * nodes, then the next parts, so that each step is one between nodes. */
static uint32_t chain_part(const struct cs_tree_cluster *cluster, uint32_t home, uint32_t position)
{
    uint32_t nodes = cluster->ranks / cluster->each / cluster->parts;
    uint32_t node = (home / cluster->parts + position) % nodes;
    uint32_t part = (home + position / nodes) % cluster->parts;

    return node * cluster->parts + part;
}

/* The tree of the home part, and the tree of a part in all others. */
static struct cs_packed_tree chain_tree(const struct cs_tree_cluster *cluster,
                                        const struct cs_tree *first, const struct cs_tree *further,
                                        struct cs_arena *arena)
{
    uint32_t each = cluster->each;
    uint32_t home = cluster->root / each;
    uint32_t before = home;
    struct cs_packed_tree packed = {
        .root = cluster->root,
        .size = cluster->ranks,
        .parent = cs_arena_alloc(arena, cluster->ranks, sizeof(uint32_t)),
        .depth = cs_arena_alloc(arena, cluster->ranks, sizeof(uint32_t)),
    };

    for (uint32_t i = 0; i < cluster->ranks / each; i++) {
        uint32_t at = chain_part(cluster, home, i);
        const struct cs_tree *tree = i == 0 ? first : further;
        uint32_t entered = i == 0 ? 0 : packed.depth[before * each + further->root] + 1;

        for (uint32_t r = 0; r < each; r++) {
            uint32_t parent = tree->parent[r];

            packed.depth[at * each + r] = entered + cs_tree_depth(tree, r);
            packed.parent[at * each + r] = parent != CS_TREE_ABSENT ? at * each + parent
                                           : i > 0                  ? before * each + r
                                                                    : CS_TREE_ABSENT;
        }
        before = at;
    }
    return packed;
}

const struct cs_trees *cs_trees_of_chain(const struct cs_net *net,
                                         const struct cs_tree_cluster *cluster,
                                         const struct cs_trees *home, const struct cs_trees *part,
                                         enum cs_tree_use use, struct cs_arena *arena)
{
    uint32_t divisor = (uint32_t)cs_common_divisor(home->units, part->units);
    struct cluster_run first = cluster_run_of(home, part->units / divisor);
    struct cluster_run further = cluster_run_of(part, home->units / divisor);
    struct cs_packing packing = {
        .tree = cs_arena_alloc(arena, home->count + part->count, sizeof(*packing.tree))};

    while (first.tree < home->count) {
        uint32_t units = first.left < further.left ? first.left : further.left;
        struct cs_packed_tree *tree = &packing.tree[packing.count++];

        *tree = chain_tree(cluster, &home->tree[first.tree], &part->tree[further.tree], arena);
        tree->units = units;
        cluster_run_take(&first, units);
        cluster_run_take(&further, units);
    }
    return cs_trees_of_packing(net, cluster->ranks, &packing, use, arena);
}
