/*
 * Tree shapes: NCCL's pair of binary trees, and the line.
 *
 * Tree 0 of the pair over n ranks: the height of rank r is the lowest set bit
 * of r; odd ranks are leaves, and rank 0 is the root with one child.
 *
 *     n = 8:   0-.             tree 1, mirrored:   .-7
 *                4                                3
 *              2   6                            5   1
 *             1 3 5 7                          6 4 2 0
 *
 * Tree 1 is the mirror image of tree 0 (r becomes n - 1 - r) for even n, and
 * tree 0 shifted by one rank for odd n.  A leaf of one tree is an inner rank
 * of the other: over both trees a rank has at most two children.  No rank is
 * an inner rank of both trees for even n, one rank for odd n.  Depth at most
 * ceil(log2 n).
 *
 * P. Sanders, J. Speck and J. L. Traeff, Two-tree algorithms for full bandwidth
 * broadcast, reduction and scan, Parallel Computing 35(12), 2009; the shape is
 * that of NVIDIA/nccl, src/graph/trees.cc.
 */
#pragma once

#include <stdint.h>

enum {
    CS_TREE_NONE = UINT32_MAX,
    CS_TREE_CHILDREN_MAX = 3 /* two nodes and a chain, node_trees.h */
};

/* Neighbours of a rank in a tree.  The parent of the root is CS_TREE_NONE. */
struct cs_tree_place {
    uint32_t parent;
    uint32_t child[CS_TREE_CHILDREN_MAX]; /* child_count of them */
    uint32_t child_count;
};

static inline void cs_tree_add_child(struct cs_tree_place *place, uint32_t child)
{
    place->child[place->child_count++] = child;
}

/* A rank < n in tree 0 or 1 of the pair over n ranks.  O(log n). */
struct cs_tree_place cs_tree_of_pair(uint32_t tree, uint32_t n, uint32_t rank);

/* A rank in the line 0 - 1 - ... - n-1, with rank 0 as the root. */
struct cs_tree_place cs_tree_line(uint32_t n, uint32_t rank);
