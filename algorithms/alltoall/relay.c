/*
 * Relay all-to-all: blocks of pairs without a wire of their own go through a
 * third rank.
 *
 * For machines with wires between some pairs of ranks only, such as DGX-1 or
 * MI250X.  The search of relays.h divides every block into shares, and each
 * share takes the pair's own route or goes through a relay.  All peers are
 * served at once.  The block travels in k chunks: lane 0 sends chunk j to the
 * destinations and to the relays, lane 1 forwards chunk j as soon as the relay
 * has the chunk, during the first hop of chunk j + 1.
 *
 *     ranks 0 - 1 - 2 in a row, blocks as (from, for), k = 1:
 *
 *     lane 0   0: 01 02 -> 1      1: 10 -> 0, 12 -> 2      2: 21 20 -> 1
 *     lane 1                      1: 02 -> 2, 20 -> 0
 *
 * Scratch: the shares that a relay forwards.
 *
 * No closed form: the time follows from the wires.  With W for the time of the
 * busiest resource, about W (1 + 1/k) + (k + 1) alpha, least for k = sqrt(W /
 * alpha).
 */
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/relays.h"

#include <math.h>

enum {
    RELAY_CHUNKS_MAX = 32 /* further chunks gain less than 3 % */
};

static int relay_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    if (call->ranks < 2 || call->relays)
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "%s needs pairs without a wire of their own that gain by a third rank with "
                      "wires to both, among at most %d ranks",
                      algo->name, CS_RELAYS_RANKS_MAX);
}

/* A power of two, so that most vectors divide without padding. */
static void relay_settle(struct cs_call *call)
{
    uint64_t elements = call->elements / call->ranks / CS_RELAYS_SPLIT;
    double busy_s;
    uint32_t chunks = 1;

    if (!call->relays || call->chunks)
        return;
    busy_s = call->relays->busiest_s_per_byte * cs_largest_block_bytes(call);
    while (chunks < RELAY_CHUNKS_MAX && chunks <= elements / 2 &&
           4.0 * chunks * chunks * call->hockney.alpha_s <= busy_s)
        chunks *= 2;
    call->chunks = chunks;
}

static uint32_t relay_lanes(const struct cs_call *call)
{
    return call->ranks < 2 ? 1 : 2;
}

static uint32_t relay_parts(const struct cs_call *call)
{
    return call->relays ? call->relays->split * call->chunks : 1;
}

static uint32_t relay_blocks(const struct cs_call *call)
{
    return call->ranks * relay_parts(call);
}

static uint32_t relay_scratch(const struct cs_call *call)
{
    return call->relays ? call->relays->slots * call->chunks : 0;
}

/* Lane 1 waits before each chunk. */
static uint64_t relay_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;

    if (call->ranks < 2)
        return 0;
    return (at.lane + 1) * (uint64_t)call->chunks;
}

/* Blocks of a run of shares of chunk j, in the piece of `owner`. */
static struct cs_blocks relay_in_piece(const struct cs_call *call, uint32_t owner,
                                       const struct cs_relay_run *run, uint32_t j)
{
    uint32_t split = call->relays->split;

    return (struct cs_blocks){(owner * call->chunks + j) * split + run->first, run->count};
}

static struct cs_blocks relay_in_scratch(const struct cs_call *call, const struct cs_relay_run *run,
                                         uint32_t j)
{
    return (struct cs_blocks){j * call->relays->slots + run->slot, run->count};
}

/* A place in the first hop or in the second hop of chunk j of a pair. */
struct relay_hop {
    uint32_t rank; /* whose ops are listed */
    uint32_t from, to;
    uint32_t j;
};

static void relay_first_hop(const struct cs_call *call, const struct relay_hop *hop,
                            const struct cs_relay_run *run, struct cs_ops *ops)
{
    struct cs_op recv = {.kind = CS_OP_RECV, .peer = hop->from};

    if (hop->rank == hop->from)
        cs_ops_send_input(ops, run->via, relay_in_piece(call, hop->to, run, hop->j));
    if (hop->rank != run->via)
        return;
    recv.buffer = run->via == hop->to ? CS_OUTPUT : CS_SCRATCH;
    recv.blocks = run->via == hop->to ? relay_in_piece(call, hop->from, run, hop->j)
                                      : relay_in_scratch(call, run, hop->j);
    cs_ops_push(ops, recv);
}

static void relay_second_hop(const struct cs_call *call, const struct relay_hop *hop,
                             const struct cs_relay_run *run, struct cs_ops *ops)
{
    if (run->via == hop->to)
        return;
    if (hop->rank == run->via)
        cs_ops_push(ops, (struct cs_op){.kind = CS_OP_SEND,
                                        .buffer = CS_SCRATCH,
                                        .peer = hop->to,
                                        .blocks = relay_in_scratch(call, run, hop->j)});
    else if (hop->rank == hop->to)
        cs_ops_recv(ops, run->via, relay_in_piece(call, hop->from, run, hop->j));
}

/* Sender and receiver list the pairs in one order, so that messages match. */
static void relay_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;
    struct relay_hop hop = {.rank = at.party, .j = (uint32_t)at.round / (at.lane + 1)};

    if (at.lane && at.round % 2 == 0) {
        cs_ops_wait(ops, 0, hop.j);
        return;
    }
    for (uint32_t step = 1; step < p; step++)
        for (hop.from = 0; hop.from < p; hop.from++) {
            struct cs_relay_run run = {0};

            hop.to = cs_ahead(hop.from, step, p);
            for (uint32_t i = 0; i < call->relays->split; i += run.count) {
                run = cs_relay_run_at(call->relays, hop.from, hop.to, i);
                if (at.lane)
                    relay_second_hop(call, &hop, &run, ops);
                else
                    relay_first_hop(call, &hop, &run, ops);
            }
        }
}

static struct cs_cost relay_cost(const struct cs_call *call)
{
    (void)call;
    return (struct cs_cost){(double)NAN, 0, 0};
}

const struct cs_algo cs_algo_alltoall_relay = {
    .name = "relay",
    .collective = &cs_collective_alltoall,
    .about = "pairs without a wire of their own through a third rank",
    .formula = "none: follows from the wires",
    .exactness = CS_COST_ROUGHLY,
    .moves_blocks = true,
    .takes_relays = true,
    .check = relay_check,
    .settle = relay_settle,
    .lanes = relay_lanes,
    .blocks = relay_blocks,
    .parts = relay_parts,
    .scratch = relay_scratch,
    .rounds = relay_rounds,
    .round = relay_round,
    .cost = relay_cost,
};
