/*
 * Peers: direct exchange with several peers in each round.
 *
 * Every rank exchanges a message with every other rank, `peers` of them in each
 * round (call.peers).  1 peer: the p - 1 steps of the textbooks, in which each
 * port has one message in each direction.  p - 1 peers: every message starts at
 * once, so that all wires of a mesh are in use and the messages within a node
 * travel beside the messages between nodes.
 *
 * Limits of the libraries: MPICH starts at most 32 sends and receives at once
 * (MPIR_CVAR_ALLTOALL_THROTTLE, src/mpi/coll/alltoall/alltoall.c).  NCCL serves
 * up to 8 peers at once in each channel (NCCL_MAX_DEV_WORK_P2P_PER_BATCH,
 * src/include/device.h) and places consecutive peers on different channels
 * (ncclP2pChannelBaseForRound, src/include/channel.h), so that all peers of a
 * node of 8 GPUs are served at once.  The default is p - 1, at most 32.
 *
 * Order: node by node, as in NCCL (ncclP2pSchedule, src/init.cc; NCCL visits
 * the distances in another sequence): with g ranks in each of n nodes, exchange
 * s goes from rank i of node a to rank i + s mod g of node a + s / g.  All
 * ranks of a node then send to one node at a time, each to a different rank,
 * and a rail starts with messages of the own rail.  Without nodes exchange s
 * goes from r to r + s.
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"

enum {
    CS_PEERS_AT_ONCE = 32 /* default limit, as in MPICH */
};

/* `settle`: all peers, at most CS_PEERS_AT_ONCE. */
void cs_peers_settle(struct cs_call *call);

/* `rounds`: (p - 1) / peers, rounded up. */
uint64_t cs_peers_rounds(const void *ctx, struct cs_at at);

/* The exchanges of round k: from `first` to `last`, both in 1 .. p - 1. */
struct cs_exchanges {
    uint32_t first, last;
};

struct cs_exchanges cs_peers_of_round(const struct cs_call *call, uint64_t k);

/* The peer to which a rank sends, and from which it receives, in one exchange after the
 * other: without a division for each, as rounds have many. */
struct cs_peers {
    uint32_t group, nodes;   /* ranks of a node, and how many nodes */
    uint32_t node, local;    /* of the rank */
    uint32_t farther, aside; /* of the exchange: s / group, s mod group */
};

/* At exchange s of the rank. */
struct cs_peers cs_peers_at(const struct cs_call *call, uint32_t rank, uint32_t s);

static inline uint32_t cs_peers_to(const struct cs_peers *peers)
{
    return cs_ahead(peers->node, peers->farther, peers->nodes) * peers->group +
           cs_ahead(peers->local, peers->aside, peers->group);
}

static inline uint32_t cs_peers_from(const struct cs_peers *peers)
{
    return cs_behind(peers->node, peers->farther, peers->nodes) * peers->group +
           cs_behind(peers->local, peers->aside, peers->group);
}

static inline void cs_peers_next(struct cs_peers *peers)
{
    if (++peers->aside < peers->group)
        return;
    peers->aside = 0;
    peers->farther++;
}

/* The cost on one port, exact for equal blocks: R rounds of up to m peers,
 *
 *     T = R alpha + (p-1) V/p / beta [+ R V/p gamma]     gamma <= 1 / beta
 *     T = R (alpha + V/p / beta) + (p-1) V/p gamma       otherwise
 *
 * where sums are formed in passing, or arrivals wait for sums. */
struct cs_cost cs_peers_cost(const struct cs_call *call);
struct cs_cost cs_peers_reduce_cost(const struct cs_call *call);
