/*
 * Node switch: the switch of each node sums what the ranks of the node contribute, and
 * copies the sum of all nodes to them.
 *
 * n >= 2 nodes of g >= 2 ranks each, with consecutive numbers.  The switch of a
 * node is an agent that reduces at the rate of arrival.  A channel has a head in
 * each node, the rank next to the channel's adapter.  A chunk of a channel takes
 * four turns as in nvls.c, with an exchange of the heads between the second and the third:
 *
 *     1. all ranks of a node -> switch      the contributions, also the head's, or
 *                                           without: the head adds its own to the sum
 *     2. switch -> head                     the sum of the node
 *        heads                              the sum of all nodes
 *     3. head -> switch                     the sum of all nodes
 *     4. switch -> other ranks              copies
 *
 * Turns 1 and 2 have the first lane of the channel, turns 3 and 4 the last of
 * CS_NODE_SWITCH_LANES; those between are the heads'.  Each takes chunk after chunk.
 *
 * Sends per rank within the node, with the heads evenly on all ranks: V to the switch and V/g
 * again, or V where the heads add their own.
 */
#pragma once

#include "algorithms/shared/rings/node_lines.h"

enum {
    CS_NODE_SWITCH_LANES = 4, /* of a channel */
    CS_NODE_SWITCH_TURNS = 4
};

/* A party in a channel. */
struct cs_node_switch {
    const struct cs_call *call;
    struct cs_node_line line;
    uint32_t share; /* channels.h: a lane there */
    uint32_t units; /* blocks of a chunk */
    uint32_t ahead; /* chunks of a rank that are in the switches or between nodes, at most */
    uint32_t node, agent, head;
    bool is_agent, is_head;
    bool head_adds; /* the own contribution, which does not go up */
};

/* `check`: full nodes of one switch each; and several of them. */
int cs_node_switch_check_any(const struct cs_algo *algo, const struct cs_call *call,
                             struct cs_err *err);
int cs_node_switch_check(const struct cs_algo *algo, const struct cs_call *call,
                         struct cs_err *err);

/* `settle`: the chunks whose time is the least, where a pipeline of them fills in `steps` times
 * that of a chunk of V within the node, and each adds `latency_s`. */
void cs_node_switch_settle(struct cs_call *call, double steps, double latency_s);

/* `agents`, `lanes`, `served`. */
uint32_t cs_node_switch_agents(const struct cs_call *call);
uint32_t cs_node_switch_lanes(const struct cs_call *call);
uint32_t cs_node_switch_served(const void *ctx, uint32_t lane, const struct cs_op *send);

/* `turn`: a rank begins with the channels whose head is the nearest along their line. */
uint32_t cs_node_switch_turn(const void *ctx, struct cs_at at);

/* The channel of a lane. */
uint32_t cs_node_switch_channel(const struct cs_call *call, uint32_t lane);

/* Written in place, as every round asks; `line`, `units`, `ahead` and
 * `head_adds` are the caller's. */
void cs_node_switch_place(const struct cs_call *call, struct cs_at at, struct cs_node_switch *of);

static inline struct cs_blocks cs_node_switch_chunk(const struct cs_node_switch *of, uint32_t j)
{
    return (struct cs_blocks){(of->share * of->call->chunks + j) * of->units, of->units};
}

/* Lane `number` of the channel's. */
static inline uint32_t cs_node_switch_lane(const struct cs_node_switch *of, uint32_t number)
{
    return of->share * CS_NODE_SWITCH_LANES + number;
}

/* Waits for the sum of the node, at its head. */
void cs_node_switch_wait(const struct cs_node_switch *of, uint32_t j, struct cs_ops *ops);

/* Rounds of the first lane and of the last, and round k of each; the head has the sum of all
 * nodes after round `before_round` of lane `before_lane`, counted from the channel's first. */
uint64_t cs_node_switch_rounds(const struct cs_call *call, struct cs_at at);
void cs_node_switch_sum(const struct cs_node_switch *of, uint32_t k, struct cs_ops *ops);
void cs_node_switch_copy(const struct cs_node_switch *of, uint32_t k, uint32_t before_lane,
                         uint32_t before_round, struct cs_ops *ops);

/* A chunk of all channels, and the turns within the node, where a rank sends `sends` V. */
double cs_node_switch_step_bytes(const struct cs_call *call);
struct cs_cost cs_node_switch_cost(const struct cs_call *call, double sends);
