/*
 * Forest: messages along several spanning trees at once, each tree with its own
 * share of the vector.
 *
 * The trees are those of the machine (call.trees, machine_trees.h): packed on
 * the wires so that the bytes per second are the highest possible.  Without a
 * table, as on a switch where all trees are equal, there is a tree for each rank
 * r: r to all other ranks; with a root there is a tree for each other rank h:
 * the root to h, and h to the rest.  Any p up to 64,
 * and up to 1024 of identical nodes.
 *
 *     p = 4 without a table:   0      1      2      3
 *                             /|\    /|\    /|\    /|\
 *                            1 2 3  0 2 3  0 1 3  0 1 2
 *
 *     with root 0:             0      0      0
 *                              1      2      3
 *                             / \    / \    / \
 *                            2   3  1   3  1   2
 *
 * A tree's share is cut into chunks.  Downwards a rank sends chunk j - 1 to the
 * children during the arrival of chunk j; upwards a rank sends the sum of chunk
 * j - 1 to the parent while the children's chunk j arrives.  Each tree is two
 * lanes or more (streams, which take chunks in turn) of every rank in either direction.  Lanes do
 * not wait for each other, except that a sum goes down after the rank's part went up, and no
 * more chunks go up than are on their way while all wires are busy: further ones would delay
 * those that come down.
 *
 * The contents of the collective (call.collective) before and after say in which
 * direction messages go: a reduce-scatter and a reduce up, an all-gather and a
 * broadcast down, an all-reduce up and then down.
 *
 * Blocks: with U units of all trees and k chunks, U k blocks; a message of a
 * tree with m units has m blocks.
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"

/* `check`: at most CS_TREES_RANKS_MAX ranks without a table. */
int cs_forest_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err);

/* Sets the chunks with the least closed form. */
void cs_forest_settle(struct cs_call *call);

/* A lane for each tree; up and down: lanes 2t (up) and 2t + 1 (down) of tree
 * t. */
uint32_t cs_forest_lanes(const struct cs_call *call);

uint32_t cs_forest_blocks(const struct cs_call *call);

/* `parts` of each piece, with trees out of (to) every rank. */
uint32_t cs_forest_parts(const struct cs_call *call);

/* `rounds` and `round`. */
uint64_t cs_forest_rounds(const void *ctx, struct cs_at at);
void cs_forest_round(const void *ctx, struct cs_at at, struct cs_ops *ops);

/* D + k - 1 steps for depth D, or 2 D + k - 1 up and down.  A step is the time of
 * the busiest link (port) for a chunk of every tree, or of the reductions of a
 * rank if these take longer; the other of the two is added for each level.  Latencies
 * count for each level, and for each chunk where the streams of a tree do not hide them.  An
 * estimate: trees of little depth are done earlier, and messages of several
 * trees can wait for each other at a switch. */
struct cs_cost cs_forest_cost(const struct cs_call *call);
