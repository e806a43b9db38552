#include "algorithms/schedules/mscclpp/mover.h"

static uint32_t hub_lane(struct cs_mscclpp_mover *mover)
{
    struct mscclpp_run *run = mover->run;

    if (!mover->walker->hub)
        mover->walker->hub = cs_mscclpp_lane_new(&run->lanes, run->plan->gpu_count) + 1;
    return mover->walker->hub - 1;
}

/* From or to blocks of a GPU, on a lane of that GPU; the other end is on the lane
 * of the switch. */
static void move_by_hub(struct cs_mscclpp_mover *mover, uint32_t lane, enum cs_op_kind kind,
                        const struct cs_mscclpp_cells *cells, enum cs_op_kind there)
{
    struct mscclpp_run *run = mover->run;
    uint32_t channel = ++run->lanes.channels;
    struct cs_op op = cs_mscclpp_message_op(mover, kind, run->plan->gpu_count, cells, channel);

    cs_mscclpp_lane_add(&run->lanes, lane, op);
    op.kind = (uint8_t)there;
    op.buffer = CS_SCRATCH;
    op.peer = cells->gpu;
    op.blocks.first = run->hub_blocks;
    cs_mscclpp_lane_add(&run->lanes, hub_lane(mover), op);
}

/* The switch asks every GPU, adds on arrival and answers. */
void cs_mscclpp_load_by_hub(struct cs_mscclpp_mover *mover, const struct cs_mscclpp_range *range,
                            struct cs_mscclpp_cells to)
{
    struct mscclpp_run *run = mover->run;
    struct mscclpp_source *source = &mover->walker->source;
    struct cs_mscclpp_cells own = cs_mscclpp_range_cells(mover, range, to.gpu);
    struct cs_op request = {.buffer = CS_INPUT, .amount = CS_MSCCLPP_REQUEST_BYTES};
    uint32_t gpu;

    cs_mscclpp_open_round(mover, source->lane);
    cs_mscclpp_open_round(mover, hub_lane(mover));
    move_by_hub(mover, source->lane, CS_OP_SEND, &own, CS_OP_RECV_REDUCE);
    for (gpu = 0; gpu < run->plan->gpu_count; gpu++) {
        struct cs_mscclpp_cells from = cs_mscclpp_range_cells(mover, range, gpu);
        struct mscclpp_far *far;

        if (gpu == to.gpu)
            continue;
        far = cs_mscclpp_far_of(run, &source->gets, gpu);
        request.kind = CS_OP_SEND;
        request.peer = gpu;
        request.channel = far->flags;
        cs_mscclpp_lane_add(&run->lanes, source->lane, request);
        request.kind = CS_OP_RECV;
        request.peer = to.gpu;
        request.buffer = CS_OUTPUT;
        cs_mscclpp_open_round(mover, far->lane - 1);
        cs_mscclpp_lane_add(&run->lanes, far->lane - 1, request);
        request.buffer = CS_INPUT;
        cs_mscclpp_open_round(mover, far->lane - 1);
        move_by_hub(mover, far->lane - 1, CS_OP_SEND, &from, CS_OP_RECV_REDUCE);
    }
    cs_mscclpp_open_round(mover, source->lane);
    cs_mscclpp_open_round(mover, hub_lane(mover));
    move_by_hub(mover, source->lane, CS_OP_RECV, &to, CS_OP_SEND);
    run->hub_blocks += to.count;
}

/* The switch copies to every other GPU. */
void cs_mscclpp_store_by_hub(struct cs_mscclpp_mover *mover, const struct cs_mscclpp_range *range,
                             struct cs_mscclpp_cells from)
{
    struct mscclpp_run *run = mover->run;
    struct mscclpp_source *source = &mover->walker->source;
    uint32_t gpu;

    cs_mscclpp_open_round(mover, source->lane);
    cs_mscclpp_open_round(mover, hub_lane(mover));
    move_by_hub(mover, source->lane, CS_OP_SEND, &from, CS_OP_RECV);
    cs_mscclpp_open_round(mover, hub_lane(mover));
    for (gpu = 0; gpu < run->plan->gpu_count; gpu++) {
        struct cs_mscclpp_cells to = cs_mscclpp_range_cells(mover, range, gpu);
        struct mscclpp_far *far;

        if (gpu == from.gpu)
            continue;
        far = cs_mscclpp_far_of(run, &source->puts, gpu);
        cs_mscclpp_open_round(mover, far->lane - 1);
        move_by_hub(mover, far->lane - 1, CS_OP_RECV, &to, CS_OP_SEND);
        far->sent = cs_mscclpp_lane_last(&run->lanes, source->lane);
    }
    run->hub_blocks += from.count;
}
