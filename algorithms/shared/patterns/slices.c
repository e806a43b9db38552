#include "algorithms/shared/patterns/pattern.h"

#include <assert.h>

uint32_t cs_sliced_lanes(const struct cs_call *call)
{
    return call->slices > 1 ? call->slices : 1;
}

uint32_t cs_sliced_blocks(const struct cs_call *call)
{
    return call->ranks * cs_sliced_lanes(call);
}

enum cs_exactness cs_sliced_exactness(const struct cs_call *call)
{
    return cs_sliced_lanes(call) == 1 ? CS_COST_EXACT : CS_COST_ROUGHLY;
}

void cs_slice_step(const struct cs_call *call, uint32_t slice, struct cs_ops *ops)
{
    uint32_t slices = cs_sliced_lanes(call);

    if (slices == 1)
        return;
    assert(ops->count >= 2 && slice < slices);
    for (uint32_t i = ops->count - 2; i < ops->count; i++)
        ops->op[i].blocks.first = ops->op[i].blocks.first * slices + slice;
}

/* Without slices the ring's exact form.  With slices the slower of port and
 * trip repeats; the terms of the other one remain once. */
struct cs_cost cs_sliced_cost(const struct cs_call *call, double steps, double sums)
{
    double slices = cs_sliced_lanes(call);
    double block = cs_largest_block_bytes(call);
    double part = cs_largest_part_bytes(call, cs_sliced_lanes(call));
    double pass_s = part / call->hockney.beta_Bps;
    double trip_s = call->hockney.alpha_s + pass_s + part * call->hockney.gamma_s_per_byte;

    if (slices < 2)
        return (struct cs_cost){steps, steps * block, sums * block};
    if (slices * pass_s >= trip_s)
        return (struct cs_cost){1, steps * slices * part, part};
    return (struct cs_cost){steps, (steps + slices - 1) * part, sums * part};
}
