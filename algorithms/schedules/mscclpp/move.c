#include "algorithms/schedules/mscclpp/mover.h"

static bool is_of_group(const struct cs_mscclpp_range *range)
{
    return cs_mscclpp_is_group(range->place);
}

static bool is_far(const struct cs_mscclpp_range *range)
{
    return cs_mscclpp_is_remote(range->place);
}

/* The blocks of a range, of GPU `gpu`: of the share of the thread block, and of
 * the iteration. */
static struct cs_mscclpp_cells cells_of(const struct mscclpp_run *run,
                                        const struct mscclpp_walker *walker,
                                        const struct cs_mscclpp_op *op,
                                        const struct cs_mscclpp_range *range, uint32_t gpu)
{
    uint32_t fine = run->memory.fine;
    uint32_t shares = op->parts;
    uint32_t share = op->part;
    struct cs_mscclpp_cells cells = {.gpu = gpu,
                                     .buffer = range->buffer,
                                     .packets = cs_mscclpp_is_packets(range->place),
                                     .first = range->first * fine,
                                     .count = range->count * fine};

    if (walker->loop != CS_MSCCLPP_NONE) {
        shares = run->iterations;
        share = walker->iteration;
    }
    cells.count /= shares;
    cells.first += share * cells.count;
    return cells;
}

struct cs_mscclpp_cells cs_mscclpp_range_cells(const struct cs_mscclpp_mover *mover,
                                               const struct cs_mscclpp_range *range, uint32_t gpu)
{
    return cells_of(mover->run, mover->walker, mover->op, range, gpu);
}

/* With the flag of this launch. */
static bool has_packet(const struct cs_mscclpp_memory *memory, struct cs_mscclpp_cells cells,
                       uint32_t i)
{
    uint32_t write = cs_mscclpp_cell_at(memory, cells, i)->write;

    return write != CS_MSCCLPP_NONE && memory->accesses[write].launch == memory->launch;
}

bool cs_mscclpp_is_ready(const struct mscclpp_run *run, uint32_t number,
                         const struct cs_mscclpp_op *op)
{
    const struct mscclpp_walker *walker = &run->walkers[number];
    uint32_t i;
    uint32_t k;

    for (i = 0; i < op->sources; i++) {
        const struct cs_mscclpp_range *range = &run->plan->ranges[op->ranges + i];
        struct cs_mscclpp_cells cells = cells_of(run, walker, op, range, range->gpu);

        for (k = 0; cells.packets && k < cells.count; k++)
            if (!has_packet(&run->memory, cells, k))
                return false;
    }
    return true;
}

/* ---- lanes */

/* The lane that acts for target `i`. */
static struct mscclpp_source *source_of(const struct cs_mscclpp_mover *mover, uint32_t i)
{
    const struct mscclpp_run *run = mover->run;
    uint32_t channel = mover->targets[i].channel;

    if (mover->op->channel_type != CS_MSCCLPP_PORT || !is_far(mover->targets))
        return &mover->walker->source;
    return &run->ports[run->plan->gpus[mover->walker->gpu].channel[CS_MSCCLPP_PORT] + channel]
                .source;
}

struct mscclpp_far *cs_mscclpp_far_of(struct mscclpp_run *run, struct mscclpp_far **list,
                                      uint32_t gpu)
{
    if (!*list)
        *list = cs_arena_alloc(run->arena, run->plan->gpu_count, sizeof(**list));
    if (!(*list)[gpu].lane)
        (*list)[gpu] = (struct mscclpp_far){.lane = cs_mscclpp_lane_new(&run->lanes, gpu) + 1,
                                            .sent = CS_MSCCLPP_NO_ROUND,
                                            .channel = ++run->lanes.channels,
                                            .flags = ++run->lanes.channels};
    return &(*list)[gpu];
}

void cs_mscclpp_open_round(const struct cs_mscclpp_mover *mover, uint32_t lane)
{
    cs_mscclpp_lane_open(&mover->run->lanes, lane, cs_mscclpp_line(mover->run, mover->op));
}

/* ---- blocks of the program: scratch, then packets, then flags */

static uint32_t block_of(const struct cs_mscclpp_mover *mover, const struct cs_mscclpp_cells *cells)
{
    uint32_t scratch = mover->run->plan->scratch * mover->run->memory.fine;

    return cells->first + (cells->packets ? scratch : 0);
}

static uint32_t flag_of(const struct cs_mscclpp_mover *mover, const struct cs_mscclpp_cells *cells)
{
    return cells->first + 2 * mover->run->plan->scratch * mover->run->memory.fine;
}

struct cs_op cs_mscclpp_message_op(const struct cs_mscclpp_mover *mover, enum cs_op_kind kind,
                                   uint32_t peer, const struct cs_mscclpp_cells *cells,
                                   uint32_t channel)
{
    return (struct cs_op){.kind = (uint8_t)kind,
                          .buffer = cells->buffer,
                          .peer = peer,
                          .blocks = {block_of(mover, cells), cells->count},
                          .channel = channel};
}

/* ---- rounds */

static void move_local(struct cs_mscclpp_mover *mover, enum cs_op_kind kind,
                       struct cs_mscclpp_cells from, struct cs_mscclpp_cells to)
{
    uint32_t lane = mover->walker->source.lane;
    struct cs_op op = {.kind = (uint8_t)kind,
                       .buffer = to.buffer,
                       .blocks = {block_of(mover, &to), to.count},
                       .source_buffer = from.buffer,
                       .source = block_of(mover, &from)};

    if (kind == CS_OP_COPY && from.buffer == to.buffer && op.source == op.blocks.first)
        return;
    if (!mover->is_open)
        cs_mscclpp_open_round(mover, lane);
    mover->is_open = kind == CS_OP_REDUCE;
    cs_mscclpp_lane_add(&mover->run->lanes, lane, op);
}

/* Sends of an op, and of further ops without anything in between, share a
 * round. */
static void move_put(struct cs_mscclpp_mover *mover, struct mscclpp_source *source,
                     struct cs_mscclpp_cells from, struct cs_mscclpp_cells to)
{
    struct cs_mscclpp_lanes *lanes = &mover->run->lanes;
    struct mscclpp_far *far = cs_mscclpp_far_of(mover->run, &source->puts, to.gpu);
    uint32_t block = mover->walker->source.lane;
    uint32_t gpu = mover->walker->gpu;
    struct cs_op take;

    cs_mscclpp_lane_wait(lanes, source->lane,
                         (struct cs_mscclpp_awaited){block, cs_mscclpp_lane_last(lanes, block)},
                         cs_mscclpp_line(mover->run, mover->op));
    if (!lanes->lane[source->lane].only_sends)
        cs_mscclpp_open_round(mover, source->lane);
    lanes->lane[source->lane].only_sends = true;
    cs_mscclpp_lane_add(lanes, source->lane,
                        cs_mscclpp_message_op(mover, CS_OP_SEND, to.gpu, &from, far->channel));
    far->sent = cs_mscclpp_lane_last(lanes, source->lane);
    cs_mscclpp_open_round(mover, far->lane - 1);
    cs_mscclpp_lane_add(lanes, far->lane - 1,
                        cs_mscclpp_message_op(mover, CS_OP_RECV, gpu, &to, far->channel));
    if (!to.packets)
        return;
    cs_mscclpp_lane_add(lanes, source->lane,
                        cs_mscclpp_message_op(mover, CS_OP_SEND, to.gpu, &from, far->flags));
    take = cs_mscclpp_message_op(mover, CS_OP_RECV, gpu, &to, far->flags);
    take.blocks.first = flag_of(mover, &to);
    cs_mscclpp_lane_add(lanes, far->lane - 1, take);
}

static void move_get(struct cs_mscclpp_mover *mover, enum cs_op_kind kind,
                     struct cs_mscclpp_cells from, struct cs_mscclpp_cells to)
{
    struct cs_mscclpp_lanes *lanes = &mover->run->lanes;
    struct mscclpp_source *source = &mover->walker->source;
    struct mscclpp_far *far = cs_mscclpp_far_of(mover->run, &source->gets, from.gpu);
    struct cs_op request = {.kind = CS_OP_SEND,
                            .buffer = CS_INPUT,
                            .peer = from.gpu,
                            .channel = far->flags,
                            .amount = CS_MSCCLPP_REQUEST_BYTES};

    if (!mover->is_open)
        cs_mscclpp_open_round(mover, source->lane);
    mover->is_open = true;
    cs_mscclpp_lane_add(lanes, source->lane, request);
    cs_mscclpp_lane_add(lanes, source->lane,
                        cs_mscclpp_message_op(mover, kind, from.gpu, &to, far->channel));
    request.kind = CS_OP_RECV;
    request.buffer = CS_OUTPUT;
    request.peer = mover->walker->gpu;
    cs_mscclpp_open_round(mover, far->lane - 1);
    cs_mscclpp_lane_add(lanes, far->lane - 1, request);
    cs_mscclpp_open_round(mover, far->lane - 1);
    cs_mscclpp_lane_add(
        lanes, far->lane - 1,
        cs_mscclpp_message_op(mover, CS_OP_SEND, mover->walker->gpu, &from, far->channel));
}

/* ---- accesses */

static bool same_cells(struct cs_mscclpp_cells a, struct cs_mscclpp_cells b)
{
    return a.gpu == b.gpu && a.buffer == b.buffer && a.packets == b.packets && a.first == b.first;
}

static void wait_for_access(void *ctx, uint32_t lane, const struct cs_mscclpp_access *access)
{
    struct cs_mscclpp_mover *mover = ctx;

    cs_mscclpp_lane_wait(&mover->run->lanes, lane,
                         (struct cs_mscclpp_awaited){access->lane, access->round},
                         cs_mscclpp_line(mover->run, mover->op));
}

static int touch_cells(struct cs_mscclpp_mover *mover, struct cs_mscclpp_cells cells, bool writes,
                       uint32_t lane)
{
    const struct cs_mscclpp_touch touch = {
        .cells = cells, .writes = writes, .lane = lane, .met = wait_for_access, .ctx = mover};

    return cs_mscclpp_memory_touch(&mover->run->memory, &mover->who, &touch);
}

static int touch_range(struct cs_mscclpp_mover *mover, uint32_t i, bool writes)
{
    const struct cs_mscclpp_range *range = writes ? &mover->targets[i] : &mover->sources[i];
    struct mscclpp_source *source = source_of(mover, i < mover->op->targets ? i : 0);
    struct mscclpp_far **list = writes ? &source->puts : &source->gets;
    uint32_t lane = source->lane;

    if (is_far(range))
        lane = cs_mscclpp_far_of(mover->run, list, range->gpu)->lane - 1;
    return touch_cells(mover, cs_mscclpp_range_cells(mover, range, range->gpu), writes, lane);
}

static int touch_group(struct cs_mscclpp_mover *mover, const struct cs_mscclpp_range *range,
                       bool writes)
{
    struct mscclpp_run *run = mover->run;
    const struct cs_mscclpp_group *group = &run->plan->groups[range->channel];
    struct mscclpp_source *source = &mover->walker->source;
    struct mscclpp_far **list = writes ? &source->puts : &source->gets;
    uint32_t i;
    int code = 0;

    for (i = 0; i < group->count && !code; i++) {
        uint32_t gpu = run->plan->numbers[group->first + i];
        struct cs_mscclpp_cells cells = cs_mscclpp_range_cells(mover, range, gpu);
        uint32_t lane =
            gpu == mover->walker->gpu ? source->lane : cs_mscclpp_far_of(run, list, gpu)->lane - 1;

        /* Packets in their place are stored there again. */
        if (!writes ||
            !same_cells(cells, cs_mscclpp_range_cells(mover, mover->sources, mover->walker->gpu)))
            code = touch_cells(mover, cells, writes, lane);
    }
    return code;
}

/* Sources from `first` on up to `end`, then targets. */
static int touch_ranges(struct cs_mscclpp_mover *mover, uint32_t first, uint32_t end)
{
    uint32_t i;
    int code = 0;

    for (i = first; i < end && i < mover->op->sources && !code; i++)
        code = is_of_group(&mover->sources[i]) ? touch_group(mover, &mover->sources[i], false)
                                               : touch_range(mover, i, false);
    for (i = first; i < end && i < mover->op->targets && !code; i++)
        code = is_of_group(&mover->targets[i]) ? touch_group(mover, &mover->targets[i], true)
                                               : touch_range(mover, i, true);
    return code;
}

/* Accesses get the rounds that their lanes did for them. */
static void settle_rounds(struct cs_mscclpp_mover *mover, uint32_t first)
{
    struct mscclpp_run *run = mover->run;
    uint32_t i;

    for (i = first; i < run->memory.access_count; i++) {
        struct cs_mscclpp_access *access = &run->memory.accesses[i];

        access->round = cs_mscclpp_lane_last(&run->lanes, access->lane);
    }
}

/* ---- operations */

/* Loads the sum of the group to `to`, which is of this GPU. */
static void load_group(struct cs_mscclpp_mover *mover, const struct cs_mscclpp_range *range,
                       struct cs_mscclpp_cells to)
{
    const struct cs_mscclpp *plan = mover->run->plan;
    const struct cs_mscclpp_group *group = &plan->groups[range->channel];
    uint32_t i;

    if (cs_mscclpp_multicasts(plan, range)) {
        cs_mscclpp_load_by_hub(mover, range, to);
        return;
    }
    move_local(mover, CS_OP_COPY, cs_mscclpp_range_cells(mover, range, to.gpu), to);
    for (i = 0; i < group->count; i++) {
        uint32_t gpu = plan->numbers[group->first + i];

        if (gpu != to.gpu)
            move_get(mover, CS_OP_RECV_REDUCE, cs_mscclpp_range_cells(mover, range, gpu), to);
    }
    mover->is_open = false;
}

/* Stores `from` of this GPU to all of the group. */
static void store_group(struct cs_mscclpp_mover *mover, const struct cs_mscclpp_range *range,
                        struct cs_mscclpp_cells from)
{
    const struct cs_mscclpp *plan = mover->run->plan;
    const struct cs_mscclpp_group *group = &plan->groups[range->channel];
    uint32_t i;

    move_local(mover, CS_OP_COPY, from, cs_mscclpp_range_cells(mover, range, from.gpu));
    if (cs_mscclpp_multicasts(plan, range)) {
        cs_mscclpp_store_by_hub(mover, range, from);
        return;
    }
    for (i = 0; i < group->count; i++) {
        uint32_t gpu = plan->numbers[group->first + i];

        if (gpu != from.gpu)
            move_put(mover, &mover->walker->source, from,
                     cs_mscclpp_range_cells(mover, range, gpu));
    }
}

static void move_pair(struct cs_mscclpp_mover *mover, uint32_t i)
{
    const struct cs_mscclpp_range *source = &mover->sources[i];
    const struct cs_mscclpp_range *target = &mover->targets[i];
    struct cs_mscclpp_cells from = cs_mscclpp_range_cells(mover, source, source->gpu);
    struct cs_mscclpp_cells to = cs_mscclpp_range_cells(mover, target, target->gpu);

    if (is_of_group(source) && is_of_group(target)) {
        to.gpu = mover->walker->gpu;
        load_group(mover, source, to);
        store_group(mover, target, to);
    } else if (is_of_group(source))
        load_group(mover, source, to);
    else if (is_of_group(target))
        store_group(mover, target, from);
    else if (is_far(source))
        move_get(mover, CS_OP_RECV, from, to);
    else if (is_far(target))
        move_put(mover, source_of(mover, i), from, to);
    else
        move_local(mover, CS_OP_COPY, from, to);
}

/* The first target is the sum: it begins as the source in its place, or as a copy
 * of the first source. */
static void move_sum(struct cs_mscclpp_mover *mover)
{
    struct cs_mscclpp_cells sum = cs_mscclpp_range_cells(mover, mover->targets, mover->walker->gpu);
    uint32_t base = 0;
    uint32_t i;

    for (i = 1; i < mover->op->sources; i++)
        if (!is_far(&mover->sources[i]) &&
            same_cells(cs_mscclpp_range_cells(mover, &mover->sources[i], mover->walker->gpu), sum))
            base = i;
    move_local(mover, CS_OP_COPY,
               cs_mscclpp_range_cells(mover, &mover->sources[base], mover->walker->gpu), sum);
    for (i = 0; i < mover->op->sources; i++) {
        const struct cs_mscclpp_range *source = &mover->sources[i];
        struct cs_mscclpp_cells from = cs_mscclpp_range_cells(mover, source, source->gpu);

        if (i != base && is_far(source))
            move_get(mover, CS_OP_RECV_REDUCE, from, sum);
        else if (i != base)
            move_local(mover, CS_OP_REDUCE, from, sum);
    }
    mover->is_open = false;
    for (i = 1; i < mover->op->targets; i++) {
        const struct cs_mscclpp_range *target = &mover->targets[i];
        struct cs_mscclpp_cells to = cs_mscclpp_range_cells(mover, target, target->gpu);

        if (is_far(target))
            move_put(mover, &mover->walker->source, sum, to);
        else
            move_local(mover, CS_OP_COPY, sum, to);
    }
}

/* What was over when the packets were written that the operation reads. */
static void hear_packets(struct cs_mscclpp_mover *mover)
{
    struct mscclpp_run *run = mover->run;
    cs_mscclpp_clock *clock = NULL;
    uint32_t last = CS_MSCCLPP_NONE;
    uint32_t i;
    uint32_t k;

    for (i = 0; i < mover->op->sources; i++) {
        struct cs_mscclpp_cells cells =
            cs_mscclpp_range_cells(mover, &mover->sources[i], mover->walker->gpu);

        for (k = 0; cells.packets && k < cells.count; k++) {
            uint32_t write = cs_mscclpp_cell_at(&run->memory, cells, k)->write;
            const struct cs_mscclpp_access *access = &run->memory.accesses[write];

            if (write == last)
                continue;
            last = write;
            if (!clock)
                clock = cs_mscclpp_clock_copy(run, NULL);
            cs_mscclpp_clock_join(run, clock, access->clock, true);
            cs_mscclpp_clock_note(run, clock, access->block, access->met, true);
            cs_mscclpp_clock_note(run, clock, access->actor, access->epoch, true);
        }
    }
    if (!clock)
        return;
    cs_mscclpp_clock_join(run, mover->walker->heard, clock, true);
    mover->walker->acquired++;
    mover->walker->acquired_by_one = false;
    cs_mscclpp_clock_join(run, clock, mover->who.clock, false);
    mover->who.clock = clock;
}

/* Each target of a port is an operation of its channel. */
static int move_by_ports(struct cs_mscclpp_mover *mover)
{
    struct mscclpp_run *run = mover->run;
    uint32_t first = run->plan->gpus[mover->walker->gpu].channel[CS_MSCCLPP_PORT];
    uint32_t i;
    int code = 0;

    for (i = 0; i < mover->op->targets && !code; i++) {
        uint32_t channel = first + mover->targets[i].channel;
        uint32_t access = run->memory.access_count;

        mover->who.actor = run->ports[channel].actor;
        mover->who.epoch = ++run->ports[channel].epoch;
        code = touch_ranges(mover, i, i + 1);
        if (!code)
            move_pair(mover, i);
        settle_rounds(mover, access);
    }
    return code;
}

int cs_mscclpp_move(struct mscclpp_run *run, uint32_t number, const struct cs_mscclpp_op *op)
{
    struct mscclpp_walker *walker = &run->walkers[number];
    struct cs_mscclpp_mover mover = {.run = run,
                                     .walker = walker,
                                     .op = op,
                                     .sources = &run->plan->ranges[op->ranges],
                                     .targets = &run->plan->ranges[op->ranges + op->sources]};
    uint32_t access = run->memory.access_count;
    uint32_t i;
    int code;

    mover.who = (struct cs_mscclpp_who){.gpu = walker->gpu,
                                        .actor = cs_mscclpp_actor(run, number),
                                        .epoch = ++walker->epoch,
                                        .block = cs_mscclpp_actor(run, number),
                                        .met = walker->met,
                                        .clock = walker->clock,
                                        .op = (uint32_t)(op - run->plan->ops)};
    for (i = 0; i < op->sources + op->targets; i++)
        mover.who.packets |= cs_mscclpp_is_packets(mover.sources[i].place);
    hear_packets(&mover);
    if (source_of(&mover, 0) != &walker->source)
        return move_by_ports(&mover);
    code = touch_ranges(&mover, 0, op->sources + op->targets);
    for (i = 0; i < op->targets && !code && !op->type->sums; i++)
        move_pair(&mover, i);
    if (!code && op->type->sums)
        move_sum(&mover);
    settle_rounds(&mover, access);
    return code;
}
