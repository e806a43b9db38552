#include "algorithms/schedules/mscclpp/state.h"

static uint32_t hub_lane(struct mscclpp_run *run)
{
    if (!run->walker->hub)
        run->walker->hub = cs_mscclpp_lane_new(&run->lanes, run->plan->gpu_count) + 1;
    return run->walker->hub - 1;
}

static void open_rounds(struct mscclpp_run *run)
{
    cs_mscclpp_lane_open(&run->lanes, run->walker->source.lane);
    cs_mscclpp_lane_open(&run->lanes, hub_lane(run));
}

/* From or to blocks of a GPU, on a lane of that GPU; the other end is on the lane
 * of the switch. */
static void move_by_hub(struct mscclpp_run *run, uint32_t lane, enum cs_op_kind kind,
                        const struct cs_mscclpp_cells *cells, enum cs_op_kind there)
{
    uint32_t channel = ++run->lanes.channels;
    struct cs_op op = cs_mscclpp_message_op(run, kind, run->plan->gpu_count, cells, channel);

    cs_mscclpp_lane_add(&run->lanes, lane, op);
    op.kind = (uint8_t)there;
    op.buffer = CS_SCRATCH;
    op.peer = cells->gpu;
    op.blocks.first = run->hub_blocks;
    cs_mscclpp_lane_add(&run->lanes, hub_lane(run), op);
}

/* The switch asks every GPU, adds on arrival and answers. */
void cs_mscclpp_load_by_hub(struct mscclpp_run *run, const struct cs_mscclpp_range *range,
                            struct cs_mscclpp_cells to)
{
    uint32_t lane = run->walker->source.lane;
    struct cs_mscclpp_cells own = cs_mscclpp_range_cells(run, range, to.gpu);

    open_rounds(run);
    move_by_hub(run, lane, CS_OP_SEND, &own, CS_OP_RECV_REDUCE);
    for (uint32_t gpu = 0; gpu < run->plan->gpu_count; gpu++) {
        struct cs_mscclpp_cells from = cs_mscclpp_range_cells(run, range, gpu);

        if (gpu != to.gpu)
            move_by_hub(run, cs_mscclpp_ask(run, gpu)->lane - 1, CS_OP_SEND, &from,
                        CS_OP_RECV_REDUCE);
    }
    open_rounds(run);
    move_by_hub(run, lane, CS_OP_RECV, &to, CS_OP_SEND);
    run->hub_blocks += to.count;
}

/* The switch copies to every other GPU. */
void cs_mscclpp_store_by_hub(struct mscclpp_run *run, const struct cs_mscclpp_range *range,
                             struct cs_mscclpp_cells from)
{
    struct mscclpp_source *source = &run->walker->source;

    open_rounds(run);
    move_by_hub(run, source->lane, CS_OP_SEND, &from, CS_OP_RECV);
    cs_mscclpp_lane_open(&run->lanes, hub_lane(run));
    for (uint32_t gpu = 0; gpu < run->plan->gpu_count; gpu++) {
        struct cs_mscclpp_cells to = cs_mscclpp_range_cells(run, range, gpu);
        struct mscclpp_far *far;

        if (gpu == from.gpu)
            continue;
        far = cs_mscclpp_far_of(run, &source->puts, gpu);
        cs_mscclpp_lane_open(&run->lanes, far->lane - 1);
        move_by_hub(run, far->lane - 1, CS_OP_RECV, &to, CS_OP_SEND);
        far->sent = cs_mscclpp_lane_last(&run->lanes, source->lane).round;
    }
    run->hub_blocks += from.count;
}
