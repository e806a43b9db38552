#include "algorithms/shared/cluster_trees.h"

/* The node's tree in all nodes, with the root in node `home`. */
static struct cs_packed_tree cluster_tree(const struct cs_trees *node,
                                          const struct cs_tree *tree,
                                          uint32_t ranks, uint32_t home,
                                          struct cs_arena *arena)
{
    uint32_t each = node->ranks;
    struct cs_packed_tree packed = {
        .root = home * each + tree->root,
        .units = tree->units,
        .size = ranks,
        .parent = cs_arena_alloc(arena, ranks, sizeof(uint32_t)),
        .depth = cs_arena_alloc(arena, ranks, sizeof(uint32_t)),
    };
    uint32_t r;

    for (r = 0; r < ranks; r++) {
        uint32_t at = r / each;
        uint32_t parent = tree->parent[r % each];

        packed.depth[r] = cs_tree_depth(tree, r % each) + (at != home);
        packed.parent[r] = parent != CS_TREE_ABSENT ? at * each + parent
                           : at != home             ? packed.root
                                                    : CS_TREE_ABSENT;
    }
    return packed;
}

const struct cs_trees *cs_trees_of_cluster(const struct cs_net *net,
                                           uint32_t ranks,
                                           const struct cs_trees *node,
                                           enum cs_tree_use use,
                                           struct cs_arena *arena)
{
    uint32_t nodes = ranks / node->ranks;
    struct cs_packing packing = {
        .tree = cs_arena_alloc(arena, (size_t)nodes * node->count,
                               sizeof(*packing.tree))};
    uint32_t i, t;

    for (i = 0; i < nodes; i++)
        for (t = 0; t < node->count; t++)
            packing.tree[packing.count++] =
                cluster_tree(node, &node->tree[t], ranks, i, arena);
    return cs_trees_of_packing(net, ranks, &packing, use, arena);
}
