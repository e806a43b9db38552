#include "algorithms/shared/rings/channels.h"

#include "algorithms/shared/rings/rings.h"

#include <math.h>

/* Tolerance of a sum of quotients that is an integer. */
#define ROUNDING 1e-6

enum {
    STRIDE_CHANNELS = 8 /* default limit without rings */
};

int cs_channel_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    uint64_t lanes = (uint64_t)call->channels * call->slices;

    if (lanes <= CS_CHANNEL_LANES_MAX)
        return 0;
    return cs_err_set(err, CS_EINPUT, "%u channels of %u slices are %llu parts; %s has at most %d",
                      call->channels, call->slices, (unsigned long long)lanes, algo->name,
                      CS_CHANNEL_LANES_MAX);
}

uint32_t cs_channel_lanes(const struct cs_call *call)
{
    return call->channels * (call->slices > 1 ? call->slices : 1);
}

uint32_t cs_channel_lanes_twice(const struct cs_call *call)
{
    return 2 * cs_channel_lanes(call);
}

uint32_t cs_channel_chunks(const struct cs_call *call)
{
    return cs_channel_lanes(call) * call->chunks;
}

uint32_t cs_channel_blocks(const struct cs_call *call)
{
    return cs_channel_lanes(call) * call->ranks;
}

/* Rings that share ports run twice, as in NCCL: one channel sends while the
 * other one waits. */
static uint32_t typical_channels(const struct cs_rings *rings)
{
    if (rings->direct || 2 * rings->count > CS_RINGS_MAX)
        return rings->count;
    return 2 * rings->count;
}

void cs_channel_settle(struct cs_call *call)
{
    uint64_t with_data = call->elements / call->ranks;

    if (call->channels)
        return;
    call->channels =
        call->rings ? typical_channels(call->rings) : cs_stride_count(call->ranks, STRIDE_CHANNELS);
    if (with_data < call->channels)
        call->channels = with_data > 1 ? (uint32_t)with_data : 1;
}

struct cs_circle cs_channel_ring(const struct cs_call *call, uint32_t lane)
{
    const struct cs_rings *rings = call->rings;
    uint32_t lanes = cs_channel_lanes(call);
    uint32_t channel = lanes == call->channels ? lane : lane / (lanes / call->channels);
    struct cs_circle ring = {.p = call->ranks, .parts = lanes, .part = lane};

    if (rings) {
        size_t first = (size_t)(channel % rings->count) * rings->ranks;

        ring.order = &rings->order[first];
        ring.place = &rings->place[first];
    } else {
        ring.step = cs_stride_step(call->ranks, channel);
    }
    return ring;
}

double cs_channel_contention(const struct cs_call *call)
{
    double lanes = cs_channel_lanes(call);
    double contention = lanes;

    if (call->rings)
        contention = cs_rings_contention(call->rings, call->channels) * lanes / call->channels;
    return fabs(contention - lanes) < ROUNDING ? lanes : contention;
}

struct cs_cost cs_channel_ring_cost(const struct cs_call *call, double steps, double sums)
{
    double lanes = cs_channel_lanes(call);
    double part = cs_largest_part_bytes(call, cs_channel_lanes(call));
    double contention = cs_channel_contention(call);

    if (contention < lanes)
        return (struct cs_cost){steps, steps * contention * part, sums * lanes * part};
    if (cs_adds_in_passing(&call->hockney))
        return (struct cs_cost){steps, steps * contention * part, sums * part};
    return (struct cs_cost){steps, ((steps - sums) * contention + sums) * part,
                            sums * lanes * part};
}

enum cs_exactness cs_channel_exactness(const struct cs_call *call)
{
    return call->rings && !call->rings->direct ? CS_COST_ROUGHLY : CS_COST_AT_MOST;
}
