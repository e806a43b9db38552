#include "algorithms/shared/channels.h"

#include "algorithms/shared/rings.h"

#include <math.h>

/* Tolerance of a sum of quotients that is an integer. */
#define ROUNDING 1e-6

enum {
    STRIDE_CHANNELS = 8 /* default limit without rings */
};

uint32_t cs_channel_lanes(const struct cs_call *call)
{
    return call->channels;
}

uint32_t cs_channel_blocks(const struct cs_call *call)
{
    return call->channels * call->ranks;
}

/* Rings that share ports run twice, as in NCCL: one channel sends while the
 * other one waits. */
static uint32_t typical_channels(const struct cs_rings *rings)
{
    if (rings->direct || 2 * rings->count > CS_RINGS_MAX)
        return rings->count;
    return 2 * rings->count;
}

void cs_channel_settle(struct cs_call *call, const struct cs_hockney *hockney)
{
    (void)hockney;
    if (call->channels)
        return;
    call->channels = call->rings
                         ? typical_channels(call->rings)
                         : cs_stride_count(call->ranks, STRIDE_CHANNELS);
}

struct cs_circle cs_channel_ring(const struct cs_call *call, uint32_t channel)
{
    const struct cs_rings *rings = call->rings;
    struct cs_circle ring = {
        .p = call->ranks, .parts = call->channels, .part = channel};

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
    double channels = call->channels;
    double contention = channels;

    if (call->rings)
        contention = cs_rings_contention(call->rings, call->channels);
    return fabs(contention - channels) < ROUNDING ? channels : contention;
}

enum cs_exactness cs_channel_exactness(const struct cs_call *call)
{
    return call->rings && !call->rings->direct ? CS_COST_ROUGHLY
                                               : CS_COST_AT_MOST;
}
