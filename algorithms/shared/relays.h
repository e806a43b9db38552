/*
 * Relays: ranks that forward blocks of pairs without a wire of their own.
 *
 * On a machine such as DGX-1 some pairs of GPUs have no NVLink in common, and
 * messages of these pairs cross PCIe and the sockets.  A third rank with wires
 * to both ranks of the pair can forward the messages.  NCCL does so for sends
 * and receives since 2.9, through a buffer on the third GPU (NVB;
 * NCCL_NVB_DISABLE, NVIDIA/nccl issue 819), with one GPU for each pair.
 *
 * The search divides the block of every pair into `split` shares and gives each
 * share either the pair's own route or a relay, so that the busiest resource of
 * the network is as little busy as the search can find: shares are placed one
 * after the other where the sum of the eighth powers of all loads grows least
 * (a smooth form of the greatest load), and placed again in several passes.  A
 * relay has a single wire to each rank of the pair.
 *
 * The result is a table: O(ranks^2 split) memory, O(passes ranks^3 split)
 * routes.
 */
#pragma once

#include "sim/net/net.h"

enum {
    CS_RELAYS_SPLIT = 8,     /* shares of a block; 2^n bytes divide */
    CS_RELAYS_RANKS_MAX = 64 /* of the machine */
};

struct cs_relays {
    uint32_t ranks, split;
    /* Of share j from rank s to rank d, at index (s ranks + d) split + j: the
     * relay, or d for the pair's own route; in ascending order. */
    const uint32_t *via;
    /* The number of the share among those that its relay forwards. */
    const uint32_t *slot;
    uint32_t slots; /* the most of a relay */
    /* Time of the busiest resource for one byte of every pair's block. */
    double busiest_s_per_byte;
};

/* Consecutive shares with a common relay. */
struct cs_relay_run {
    uint32_t first, count;
    uint32_t via;
    uint32_t slot; /* of the first share */
};

/* The relays of a machine; NULL where no share gains by a relay, and above the
 * limit of ranks. */
const struct cs_relays *cs_relays_of_machine(const struct cs_net *net, uint32_t ranks,
                                             struct cs_arena *arena);

/* The run of shares that begins with share `first` < split. */
struct cs_relay_run cs_relay_run_at(const struct cs_relays *relays, uint32_t from, uint32_t to,
                                    uint32_t first);
