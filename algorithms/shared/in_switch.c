#include "algorithms/shared/in_switch.h"

#include "algorithms/shared/patterns/pattern.h"

enum {
    PACKET_BYTES = 4096,
    CHUNKS_BEST = 256,
    CHUNKS_MAX = 4096,
    MESSAGES_BEST = 1 << 15, /* towards the switch */
};

/* A lane for each chunk costs memory on every rank. */
int cs_in_switch_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    if (call->chunks <= CHUNKS_MAX)
        return 0;
    return cs_err_set(err, CS_EINPUT, "%s takes at most %d chunks, a lane for each, not %u",
                      algo->name, CHUNKS_MAX, call->chunks);
}

/* As many chunks as packets, within the limits of time and memory. */
void cs_in_switch_settle(struct cs_call *call)
{
    uint64_t best = call->elements * call->element_bytes / PACKET_BYTES;
    uint32_t most = MESSAGES_BEST / call->ranks;

    if (call->chunks)
        return;
    if (most > CHUNKS_BEST)
        most = CHUNKS_BEST;
    call->chunks = best < most ? (uint32_t)best : most;
}

struct cs_cost cs_in_switch_cost(const struct cs_call *call, uint32_t hops)
{
    double chunk = cs_largest_chunk_bytes(call);

    return (struct cs_cost){hops, cs_vector_bytes(call) + (hops - 1) * chunk, 0};
}
