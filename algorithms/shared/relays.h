/*
 * Relays: ranks that forward blocks of an all-to-all, and the paths of all blocks.
 *
 * On a machine such as DGX-1 some pairs of GPUs have no NVLink in common, and
 * messages of these pairs cross PCIe and the sockets.  A third rank with wires
 * to both ranks of the pair can forward the messages.  NCCL does so for sends
 * and receives since 2.9, through a buffer on the third GPU (NVB;
 * NCCL_NVB_DISABLE, NVIDIA/nccl issue 819), with one GPU for each pair.  Several
 * relays in a row are of use where links are slow, missing or shared unevenly.
 *
 * Every block has `split` shares, and share i of all blocks of a rank travels
 * along tree i of that rank, from relay to relay over the routes of the machine.
 * The search grows trees of shortest paths by prices of the resources that
 * rise with a power of the load (flow deviation: Fratta, Gerla and Kleinrock,
 * Networks 3, 1973), in passes with higher and higher powers: a smooth form
 * of the greatest load, whose least is a maximum concurrent flow.  The prices also
 * bound the load of every routing (bounds/rates/pairs.h), and next to the bound the
 * search ends.  Then shares join other shares of their block, as far as no resource
 * is 0.5 % busier than the busiest: few paths make few messages.
 *
 * The result is a table: O(ranks^2 split) memory, O(passes split ranks^3) prices.
 */
#pragma once

#include "sim/net/net.h"

enum {
    CS_RELAYS_ONE_MAX = 64,  /* ranks of the machine, with one relay on a path */
    CS_RELAYS_ANY_MAX = 128, /* and with any */
    CS_RELAYS_NO_SLOT = UINT32_MAX,
};

/* The paths that a search may take. */
enum cs_relays_kind {
    CS_RELAYS_ONE, /* the own route, or one relay with a single wire to each rank of the pair */
    CS_RELAYS_ANY, /* any ranks, over any routes */
};

/* Consecutive shares of a block, from a rank of their path to the next. */
struct cs_relay_hop {
    uint32_t source, destination; /* of the block */
    uint32_t from, to;
    uint32_t first, count; /* shares */
    uint32_t from_slot;    /* where `from` and `to` keep the first share; CS_RELAYS_NO_SLOT: */
    uint32_t to_slot;      /* in the input of the source, the output of the destination */
};

struct cs_relays {
    uint32_t ranks, split;
    uint32_t levels; /* the most hops of a path */
    uint32_t slots;  /* the most shares that a rank forwards */
    const struct cs_relay_hop *hops;
    uint32_t hop_count;
    /* Numbers of the hops of level l, the l-th ones of their paths, that rank r sends or
     * receives: listed[first[l ranks + r]] and on, up to the next first; in an order that
     * all ranks have in common. */
    const uint32_t *listed, *first;
    /* Time of the busiest resource for one byte of every pair's block, and the bound of it. */
    double busiest_s_per_byte, least_s_per_byte;
};

/* The relays of a machine, from 3 ranks up to the limit of the kind; else NULL.  The same where
 * no share gains by one relay: with any, all blocks take their own routes then. */
const struct cs_relays *cs_relays_of_machine(const struct cs_net *net, uint32_t ranks,
                                             enum cs_relays_kind kind, struct cs_arena *arena);
