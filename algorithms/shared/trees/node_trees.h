/*
 * Node trees: NCCL's trees, a binary tree over the nodes and a chain in each
 * node, with a share of the vector for each channel.
 *
 * n nodes of g ranks each, with consecutive numbers.  The head of a node is the
 * rank next to the adapter of the channel; a chain in the node ends at the
 * head, and the heads form one of the two trees of trees/shape.h over the
 * nodes.
 *
 *     n = 4, g = 3, head 0 of each node, tree 0:
 *
 *      0 -- 1 -- 2              nodes 0-.
 *        \                              2
 *         6 -- 7 -- 8                  1 3
 *        / \
 *       3   9 ...
 *
 * Even channels have tree 0, odd ones tree 1, so that a pair of channels has
 * all ports in equal use.  The chain of pair i is line i of node_lines.h.  Pairs
 * beyond the number of lines use the lines again, with the next node in the
 * place of each node.  In a single node every channel is a chain.  Without nodes
 * (g = 1) ranks are the nodes.
 *
 * The second tree over an even number of nodes is the mirror image of the first:
 * node m becomes n - 1 - m.  Turns of channels and the order of ranks are mirrored
 * as well, so that the image of a rank serves equal messages in equal order.
 *
 * NVIDIA/nccl, src/graph/trees.cc and src/graph/connect.cc.
 */
#pragma once

#include "algorithms/shared/rings/node_lines.h"
#include "algorithms/shared/trees/shape.h"

/* `check`: channels as in channels.h, and full nodes. */
int cs_node_trees_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err);

/* `settle`: as cs_node_lines_settle, and open channels are two for each line, at
 * most 32 without rings; one in a single node. */
void cs_node_trees_settle(struct cs_call *call);

/* The neighbours of a rank in the tree of a channel, as ranks.  O(log n).  Written
 * in place: every round asks, and a copy of fields just stored is slow. */
void cs_node_tree_place(const struct cs_call *call, uint32_t channel, uint32_t rank,
                        struct cs_tree_place *place);

/* The same without the chain, for trees of heads only: false for a rank that is
 * not the head of a node. */
bool cs_node_tree_of_heads(const struct cs_call *call, uint32_t channel, uint32_t rank,
                           struct cs_tree_place *place);

/* The line of a channel: its first rank of a node is the head. */
struct cs_node_line cs_node_tree_line(const struct cs_call *call, uint32_t channel);

/* The place of a channel among the channels of a rank: channels whose chain has
 * the rank nearest to the head come first, and of both trees of a pair the first one
 * in the first half of the nodes and the second one in the mirrored half, so that the
 * order does not depend on the numbers of channels.  A permutation of the channels.
 * O(channels). */
uint32_t cs_node_tree_turn(const struct cs_call *call, uint32_t channel, uint32_t rank);

/* The `order` of struct cs_program, of a call: the ranks of the first half of the nodes, then
 * those of the mirrored half from the last node on; agents by number. */
uint32_t cs_node_trees_order(const void *ctx, uint32_t party);

/* Edges from the deepest rank to the root: chain and nodes. */
uint32_t cs_node_trees_depth(const struct cs_call *call);
