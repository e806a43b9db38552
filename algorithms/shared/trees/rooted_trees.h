/*
 * Rooted trees over nodes: the pair of two_tree.h over the nodes of a machine, and
 * a chain in each node, in channels over all adapters, for broadcast and reduce.
 *
 * Slots of nodes count from the root's node; the nodes form the two trees of
 * two_tree.h.  Even channels have tree 0, odd ones tree 1, and a pair of channels
 * has line i of node_lines.h in every node: the first rank of the line is the
 * head, next to the channel's adapter.  Behind the head the chain follows the
 * line.  In the root's node the chain begins at the root: along wires in both
 * directions from the root's place in the line, through a switch from the root
 * to the head and on.
 *
 *     n = 2, g = 4, root 2, line 0 1 2 3, down:
 *
 *     wires      1 <- 2 -> 3,  0 <- 1,  0 -> 4 -> 5 -> 6 -> 7
 *     switch     2 -> 0 -> 1 -> 3,      0 -> 4 -> 5 -> 6 -> 7
 *
 * A rank passes chunk j - 1 on during the arrival of chunk j; lanes are those of
 * channels.h.
 *
 * The form is in use where the machine has rings that pass node after node, or
 * rings of wires in a single node; on a switch, and with a node for each rank, the
 * timetable of two_tree.h is.
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/trees/shape.h"

/* Whether the call has this form; after cs_rooted_trees_settle. */
bool cs_rooted_trees_are_used(const struct cs_call *call);

/* Sets open channels to two for each line and open chunks of each lane, if the
 * call has this form; false if not.  `gamma_s_per_byte` as for two_tree.h. */
bool cs_rooted_trees_settle(struct cs_call *call, double gamma_s_per_byte);

/* The neighbours of a rank in the tree of a channel. */
struct cs_tree_place cs_rooted_tree_place(const struct cs_call *call, uint32_t channel,
                                          uint32_t rank);

void cs_rooted_trees_round(const struct cs_call *call, bool down, struct cs_at at,
                           struct cs_ops *ops);

/* `lanes`, `blocks` and `rounds` of an algorithm with this form where in use and
 * the timetable of two_tree.h elsewhere. */
uint32_t cs_two_trees_lanes(const struct cs_call *call);
uint32_t cs_two_trees_blocks(const struct cs_call *call);
uint64_t cs_two_trees_rounds(const void *ctx, struct cs_at at);

/* The hops of the first chunk of all lanes and the k - 1 further chunks, w of
 * the c lanes through the busiest link: with chunks of m bytes
 *
 *     L (alpha + w m / beta) + (k-1) max(alpha, w m / beta)
 *
 * and as many bytes reduced.  An estimate. */
struct cs_cost cs_rooted_trees_cost(const struct cs_call *call);
