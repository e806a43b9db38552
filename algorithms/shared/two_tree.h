/*
 * Two trees: a root and p - 1 seats below it, twice, so that no seat has more
 * than two children in all, and a timetable in which each port does one thing
 * at a time.
 *
 * Seats 1 .. p-1 stand in order in tree 0 (tree_shape.h, where the root is rank
 * 0) and in the reverse order in tree 1, so that who has children in one has
 * none in the other.  Where p - 1 is odd the last seat takes no part in this: it
 * hangs below the one that has a single child, in either tree.
 *
 *     p = 7:    0              0           chunk j of tree 0 enters seat s in
 *               4              3           step first(s) + 2j:
 *             2   6          5   1
 *            1 3 5          6 4   2            s   1  2  3  4  5  6
 *                                      tree 0      3  2  4  0  2  1
 *                                      tree 1      2  3  1  5  3  4
 *
 * The edges have two colours, which are the even and the odd steps.  What a
 * seat gets in the two trees has different colours, and so has what it gives to
 * its two children; this is what makes the timetable.  To find the colour of an
 * edge of tree 0, let E be the number of seats that take part.  An edge to a seat
 * with children has the colour of the edge above it, changed if E/2 is odd and
 * once more if it leads to a lower number; one to a seat without children has
 * that of the edge to its counterpart, seat E + 1 - s.  In tree 1 the colours are
 * the opposite.
 *
 * Three ranks are a line, 0 - 1 - 2, in both trees: otherwise a seat would have
 * to let a step pass before it passes on the first chunk, and ranks do not wait
 * for steps, only for messages.
 *
 * Steps: at most 2 L until the first chunk is everywhere, L = ceil(log2 p), and 2
 * for each further chunk of tree 0.
 *
 * P. Sanders, J. Speck and J. L. Traeff, Two-tree algorithms for full bandwidth
 * broadcast, reduction and scan, Parallel Computing 35(12), 2009.  The rule for
 * the colours is not theirs; a test holds it against all p up to 600.
 */
#ifndef CS_ALGORITHMS_SHARED_TWO_TREE_H
#define CS_ALGORITHMS_SHARED_TWO_TREE_H

#include "algorithms/shared/rooted.h"
#include "algorithms/shared/tree_shape.h"

/* Seats; the parent of the top one is 0, and the root has it as its child. */
struct cs_tree_place cs_two_tree_place(uint32_t p, uint32_t tree,
                                       uint32_t slot);

/* The step in which the first chunk enters the seat; 0 < seat < p. */
uint32_t cs_two_tree_first_step(uint32_t p, uint32_t tree, uint32_t slot);

/* All steps of the call. */
uint64_t cs_two_tree_steps(const struct cs_call *call);

/* `rounds`: a round is a step. */
uint64_t cs_two_tree_rounds(const void *ctx, uint32_t rank, uint32_t lane);

/* What goes over an edge in a step: towards the seat, or from it. */
struct cs_two_tree_transfer {
    uint32_t from; /* the upper seat */
    uint32_t to;   /* the lower one */
    struct cs_blocks chunk;
};

/* The transfers of a step that a seat is part of: at most one with it as the
 * lower one, and one as the upper one.  Returns how many. */
uint32_t cs_two_tree_transfers(const struct cs_call *call, uint32_t slot,
                               uint64_t step,
                               struct cs_two_tree_transfer transfers[2]);

/* call->chunks, if open: 2 sqrt(L V (1/beta + `gamma`) / (2 alpha)). */
void cs_two_tree_settle(struct cs_call *call, const struct cs_hockney *hockney,
                        double gamma_s_per_byte);

/* That of the whole timetable with the largest chunk in each step. */
struct cs_cost cs_two_tree_cost(const struct cs_call *call);

#endif
