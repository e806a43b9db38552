/*
 * Two trees: a root and p - 1 slots, in two trees with at most two children of
 * a slot over both trees, and a timetable with one message at a time per port
 * and direction.
 *
 * Slots 1 .. p-1 are in order in tree 0 (trees/shape.h, with rank 0 as the root)
 * and in reverse order in tree 1, so that a slot with children in one tree is a
 * leaf of the other.  With odd p - 1, the last slot is outside this scheme: a
 * child of the slot with a single child, in either tree.
 *
 *     p = 7:    0              0           chunk j of tree 0 enters slot s in
 *               4              3           step first(s) + 2j:
 *             2   6          5   1
 *            1 3 5          6 4   2            s   1  2  3  4  5  6
 *                                      tree 0      3  2  4  0  2  1
 *                                      tree 1      2  3  1  5  3  4
 *
 * Every edge has one of two colours, the even and the odd steps.  The edges
 * into a slot in the two trees have different colours, and so have the edges
 * to the two children; this makes the timetable.  The colour of an edge of
 * tree 0, with E the number of slots in the scheme: an edge to a slot with
 * children has the colour of the edge above, changed for odd E/2 and changed
 * once more towards a lower number; an edge to a leaf has the colour of the
 * edge to the counterpart, slot E + 1 - s.  The colours of tree 1 are the
 * opposite.
 *
 * Three ranks are a line, 0 - 1 - 2, in both trees: otherwise a slot would have
 * to skip a step before the first chunk, and ranks wait only for messages, not
 * for steps.
 *
 * Steps: at most 2 L until the first chunk is everywhere, L = ceil(log2 p),
 * and 2 for each further chunk of tree 0.
 *
 * P. Sanders, J. Speck and J. L. Traeff, Two-tree algorithms for full
 * bandwidth broadcast, reduction and scan, Parallel Computing 35(12), 2009.
 * The rule for the colours is not from the paper; a test checks the rule for
 * all p up to 600.
 */
#pragma once

#include "algorithms/shared/patterns/rooted.h"
#include "algorithms/shared/trees/shape.h"

/* Neighbours of a slot in a tree, as slots; the root is slot 0, with one
 * child. */
struct cs_tree_place cs_two_tree_place(uint32_t p, uint32_t tree, uint32_t slot);

/* The step of the first chunk into a slot; 0 < slot < p. */
uint32_t cs_two_tree_first_step(uint32_t p, uint32_t tree, uint32_t slot);

/* All steps of the call. */
uint64_t cs_two_tree_steps(const struct cs_call *call);

/* `rounds`: a round is a step. */
uint64_t cs_two_tree_rounds(const void *ctx, struct cs_at at);

/* A transfer over an edge of a tree, in slots. */
struct cs_two_tree_transfer {
    uint32_t from; /* the parent */
    uint32_t to;   /* the child */
    struct cs_blocks chunk;
};

/* The transfers of a slot in a step: at most one from the parent, and one to a
 * child.  Returns the number. */
uint32_t cs_two_tree_transfers(const struct cs_call *call, uint32_t slot, uint64_t step,
                               struct cs_two_tree_transfer transfers[2]);

/* Sets call->chunks, if open: 2 sqrt(L V (1/beta + `gamma`) / (2 alpha)). */
void cs_two_tree_settle(struct cs_call *call, double gamma_s_per_byte);

/* The whole timetable with the largest chunk in each step. */
struct cs_cost cs_two_tree_cost(const struct cs_call *call);
