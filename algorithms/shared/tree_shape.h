/*
 * Tree shapes: NCCL's pair of binary trees, and the line.
 *
 * Tree 0 of the pair over n ranks: rank r stands as high as its lowest set bit;
 * odd ranks are leaves, rank 0 is above all with one child.
 *
 *     n = 8:   0-.             tree 1, mirrored:   .-7
 *                4                                3
 *              2   6                            5   1
 *             1 3 5 7                          6 4 2 0
 *
 * Tree 1 is the mirror image of it (r is n - 1 - r) where n is even, and the
 * same tree one rank further on where it is odd.  A leaf of one tree is inside
 * the other: over both a rank has at most two children.  No rank is inside both
 * for even n, one is for odd n.  Depth at most ceil(log2 n).
 *
 * P. Sanders, J. Speck and J. L. Traeff, Two-tree algorithms for full bandwidth
 * broadcast, reduction and scan, Parallel Computing 35(12), 2009; the shape is
 * that of NVIDIA/nccl, src/graph/trees.cc.
 */
#ifndef CS_ALGORITHMS_SHARED_TREE_SHAPE_H
#define CS_ALGORITHMS_SHARED_TREE_SHAPE_H

#include <stdint.h>

enum {
    CS_TREE_NONE = UINT32_MAX
};

/* A rank's neighbours in a tree.  The root has no parent. */
struct cs_tree_place {
    uint32_t parent;
    uint32_t child[2]; /* the first child_count are there */
    uint32_t child_count;
};

/* In tree `tree`, 0 or 1, of the pair over n ranks; rank < n.  O(log n). */
struct cs_tree_place cs_tree_of_pair(uint32_t tree, uint32_t n, uint32_t rank);

/* In the line 0 - 1 - ... - n-1, with rank 0 at the top. */
struct cs_tree_place cs_tree_line(uint32_t n, uint32_t rank);

#endif
