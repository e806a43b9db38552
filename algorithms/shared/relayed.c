#include "algorithms/shared/relayed.h"

#include "algorithms/shared/relays.h"

#include <math.h>

enum {
    RELAY_CHUNKS_MAX = 32,        /* further chunks gain less than 3 % */
    RELAY_MESSAGES_MAX = 1 << 18, /* simulated in a second */
    RELAY_STREAMS = 2,
};

int cs_relayed_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    if (call->ranks < 2 || call->relays)
        return 0;
    if (algo->relays_in_rows)
        return cs_err_set(err, CS_EINPUT, "%s takes 3 to %d ranks of a machine with routes",
                          algo->name, CS_RELAYS_ANY_MAX);
    return cs_err_set(err, CS_EINPUT,
                      "%s needs pairs without a wire of their own that gain by a third rank with "
                      "wires to both, among at most %d ranks",
                      algo->name, CS_RELAYS_ONE_MAX);
}

/* A power of two, so that most vectors divide without padding. */
void cs_relayed_settle(struct cs_call *call)
{
    const struct cs_relays *relays = call->relays;
    uint64_t elements, most;
    double fill_s;
    uint32_t chunks = 1;

    if (!relays || call->chunks)
        return;
    elements = call->elements / call->ranks / relays->split;
    most = RELAY_MESSAGES_MAX / relays->hop_count;
    fill_s = relays->busiest_s_per_byte * cs_largest_block_bytes(call);
    if (relays->levels > 2)
        fill_s *= relays->levels - 1;
    while (chunks < RELAY_CHUNKS_MAX && chunks <= most / 2 && chunks <= elements / 2 &&
           4.0 * chunks * chunks * call->hockney.alpha_s <= fill_s)
        chunks *= 2;
    call->chunks = chunks;
}

static uint32_t relay_streams(const struct cs_call *call)
{
    return call->chunks < RELAY_STREAMS ? call->chunks : RELAY_STREAMS;
}

uint32_t cs_relayed_lanes(const struct cs_call *call)
{
    return call->relays ? call->relays->levels * relay_streams(call) : 1;
}

uint32_t cs_relayed_parts(const struct cs_call *call)
{
    return call->relays ? call->relays->split * call->chunks : 1;
}

uint32_t cs_relayed_blocks(const struct cs_call *call)
{
    return call->ranks * cs_relayed_parts(call);
}

uint32_t cs_relayed_scratch(const struct cs_call *call)
{
    return call->relays ? call->relays->slots * call->chunks : 0;
}

/* From level 1 on a wait before each chunk. */
uint64_t cs_relayed_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint32_t streams = relay_streams(call);
    uint32_t chunks;

    if (call->ranks < 2)
        return 0;
    chunks = (call->chunks + streams - 1 - at.lane % streams) / streams;
    return (at.lane >= streams ? 2 : 1) * (uint64_t)chunks;
}

/* Shares of chunk j in the piece of `owner`, or from a slot on. */
static struct cs_blocks relay_place(const struct cs_call *call, const struct cs_relay_hop *hop,
                                    uint32_t owner, uint32_t slot, uint32_t j)
{
    const struct cs_relays *relays = call->relays;

    if (slot == CS_RELAYS_NO_SLOT)
        return (struct cs_blocks){(owner * call->chunks + j) * relays->split + hop->first,
                                  hop->count};
    return (struct cs_blocks){j * relays->slots + slot, hop->count};
}

static void relay_message(const struct cs_call *call, uint32_t rank, const struct cs_relay_hop *hop,
                          uint32_t j, struct cs_ops *ops)
{
    struct cs_op op = {.kind = CS_OP_RECV, .peer = hop->from};

    if (rank == hop->from) {
        op.kind = CS_OP_SEND;
        op.peer = hop->to;
        op.buffer = hop->from_slot == CS_RELAYS_NO_SLOT ? CS_INPUT : CS_SCRATCH;
        op.blocks = relay_place(call, hop, hop->destination, hop->from_slot, j);
    } else {
        op.buffer = hop->to_slot == CS_RELAYS_NO_SLOT ? CS_OUTPUT : CS_SCRATCH;
        op.blocks = relay_place(call, hop, hop->source, hop->to_slot, j);
    }
    cs_ops_push(ops, op);
}

void cs_relayed_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    const struct cs_relays *relays = call->relays;
    uint32_t streams = relay_streams(call);
    uint32_t level = at.lane / streams;
    uint32_t turn = (uint32_t)at.round / (level ? 2 : 1);
    uint32_t list = level * relays->ranks + at.party;

    if (level && at.round % 2 == 0) {
        cs_ops_wait(ops, at.lane - streams, level > 1 ? 2 * turn + 1 : turn);
        return;
    }
    for (uint32_t i = relays->first[list]; i < relays->first[list + 1]; i++)
        relay_message(call, at.party, &relays->hops[relays->listed[i]],
                      turn * streams + at.lane % streams, ops);
}

struct cs_cost cs_relayed_cost(const struct cs_call *call)
{
    (void)call;
    return (struct cs_cost){(double)NAN, 0, 0};
}
