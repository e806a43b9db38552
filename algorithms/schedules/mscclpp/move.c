#include "algorithms/schedules/mscclpp/state.h"

static const struct cs_mscclpp_range *sources_of(const struct mscclpp_run *run)
{
    return &run->plan->ranges[run->op->ranges];
}

static const struct cs_mscclpp_range *targets_of(const struct mscclpp_run *run)
{
    return &run->plan->ranges[run->op->ranges + run->op->sources];
}

struct cs_mscclpp_cells cs_mscclpp_range_cells(const struct mscclpp_run *run,
                                               const struct cs_mscclpp_range *range, uint32_t gpu)
{
    uint32_t fine = run->memory.fine;
    bool loops = run->walker->loop != CS_MSCCLPP_NONE;
    uint32_t share = loops ? run->walker->iteration : run->op->part;
    uint32_t count = range->count * fine / (loops ? run->iterations : run->op->parts);

    return (struct cs_mscclpp_cells){.gpu = gpu,
                                     .buffer = range->buffer,
                                     .packets = range->place & CS_MSCCLPP_PACKETS,
                                     .first = range->first * fine + share * count,
                                     .count = count};
}

/* With the flag of this launch. */
static bool has_packet(const struct cs_mscclpp_memory *memory, struct cs_mscclpp_cells cells,
                       uint32_t i)
{
    uint32_t write = cs_mscclpp_cell_at(memory, cells, i)->write;

    return write != CS_MSCCLPP_NONE && memory->accesses[write].launch == memory->launch;
}

/* Whether the packets that the operation reads are written. */
static bool is_ready(const struct mscclpp_run *run)
{
    const struct cs_mscclpp_range *sources = sources_of(run);

    for (uint32_t i = 0; i < run->op->sources; i++) {
        struct cs_mscclpp_cells cells = cs_mscclpp_range_cells(run, &sources[i], sources[i].gpu);

        for (uint32_t k = 0; cells.packets && k < cells.count; k++)
            if (!has_packet(&run->memory, cells, k))
                return false;
    }
    return true;
}

/* ---- lanes */

/* The port channel of target `i`. */
static struct mscclpp_port *port_of(const struct mscclpp_run *run, uint32_t i)
{
    uint32_t first = run->plan->gpus[run->walker->gpu].channel[CS_MSCCLPP_PORT];

    return &run->ports[first + targets_of(run)[i].channel];
}

static bool is_by_port(const struct mscclpp_run *run)
{
    return run->op->channel_type == CS_MSCCLPP_PORT && (targets_of(run)->place & CS_MSCCLPP_REMOTE);
}

/* The lane that acts for target `i`. */
static struct mscclpp_source *source_of(const struct mscclpp_run *run, uint32_t i)
{
    return is_by_port(run) ? &port_of(run, i)->source : &run->walker->source;
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

/* ---- blocks of the program: scratch, then packets, then flags */

static uint32_t block_of(const struct mscclpp_run *run, const struct cs_mscclpp_cells *cells)
{
    uint32_t scratch = run->plan->scratch * run->memory.fine;

    return cells->first + (cells->packets ? scratch : 0);
}

static uint32_t flag_of(const struct mscclpp_run *run, const struct cs_mscclpp_cells *cells)
{
    return cells->first + 2 * run->plan->scratch * run->memory.fine;
}

struct cs_op cs_mscclpp_message_op(const struct mscclpp_run *run, enum cs_op_kind kind,
                                   uint32_t peer, const struct cs_mscclpp_cells *cells,
                                   uint32_t channel)
{
    return (struct cs_op){.kind = (uint8_t)kind,
                          .buffer = cells->buffer,
                          .peer = peer,
                          .blocks = {block_of(run, cells), cells->count},
                          .channel = channel};
}

/* ---- rounds */

static void open_for_reads(struct mscclpp_run *run)
{
    if (!run->is_open)
        cs_mscclpp_lane_open(&run->lanes, run->walker->source.lane);
    run->is_open = true;
}

static void move_local(struct mscclpp_run *run, enum cs_op_kind kind, struct cs_mscclpp_cells from,
                       struct cs_mscclpp_cells to)
{
    struct cs_op op = cs_mscclpp_message_op(run, kind, 0, &to, 0);

    op.source_buffer = from.buffer;
    op.source = block_of(run, &from);
    if (kind == CS_OP_COPY && from.buffer == to.buffer && op.source == op.blocks.first)
        return;
    open_for_reads(run);
    run->is_open = kind == CS_OP_REDUCE;
    cs_mscclpp_lane_add(&run->lanes, run->walker->source.lane, op);
}

/* Sends of an op, and of further ops without anything in between, share a
 * round. */
static void move_put(struct mscclpp_run *run, struct mscclpp_source *source,
                     struct cs_mscclpp_cells from, struct cs_mscclpp_cells to)
{
    struct cs_mscclpp_lanes *lanes = &run->lanes;
    struct mscclpp_far *far = cs_mscclpp_far_of(run, &source->puts, to.gpu);
    uint32_t gpu = run->walker->gpu;
    struct cs_op take;

    cs_mscclpp_lane_wait(lanes, source->lane,
                         cs_mscclpp_lane_last(lanes, run->walker->source.lane));
    if (!lanes->lane[source->lane].only_sends)
        cs_mscclpp_lane_open(lanes, source->lane);
    lanes->lane[source->lane].only_sends = true;
    cs_mscclpp_lane_add(lanes, source->lane,
                        cs_mscclpp_message_op(run, CS_OP_SEND, to.gpu, &from, far->channel));
    far->sent = cs_mscclpp_lane_last(lanes, source->lane).round;
    cs_mscclpp_lane_open(lanes, far->lane - 1);
    cs_mscclpp_lane_add(lanes, far->lane - 1,
                        cs_mscclpp_message_op(run, CS_OP_RECV, gpu, &to, far->channel));
    if (!to.packets)
        return;
    cs_mscclpp_lane_add(lanes, source->lane,
                        cs_mscclpp_message_op(run, CS_OP_SEND, to.gpu, &from, far->flags));
    take = cs_mscclpp_message_op(run, CS_OP_RECV, gpu, &to, far->flags);
    take.blocks.first = flag_of(run, &to);
    cs_mscclpp_lane_add(lanes, far->lane - 1, take);
}

const struct mscclpp_far *cs_mscclpp_ask(struct mscclpp_run *run, uint32_t gpu)
{
    const struct mscclpp_far *far = cs_mscclpp_far_of(run, &run->walker->source.gets, gpu);
    struct cs_op request = {.kind = CS_OP_SEND,
                            .buffer = CS_INPUT,
                            .peer = gpu,
                            .channel = far->flags,
                            .amount = CS_MSCCLPP_REQUEST_BYTES};

    cs_mscclpp_lane_add(&run->lanes, run->walker->source.lane, request);
    request.kind = CS_OP_RECV;
    request.buffer = CS_OUTPUT;
    request.peer = run->walker->gpu;
    cs_mscclpp_lane_open(&run->lanes, far->lane - 1);
    cs_mscclpp_lane_add(&run->lanes, far->lane - 1, request);
    cs_mscclpp_lane_open(&run->lanes, far->lane - 1);
    return far;
}

static void move_get(struct mscclpp_run *run, enum cs_op_kind kind, struct cs_mscclpp_cells from,
                     struct cs_mscclpp_cells to)
{
    const struct mscclpp_far *far;

    open_for_reads(run);
    far = cs_mscclpp_ask(run, from.gpu);
    cs_mscclpp_lane_add(&run->lanes, run->walker->source.lane,
                        cs_mscclpp_message_op(run, kind, from.gpu, &to, far->channel));
    cs_mscclpp_lane_add(
        &run->lanes, far->lane - 1,
        cs_mscclpp_message_op(run, CS_OP_SEND, run->walker->gpu, &from, far->channel));
}

/* ---- accesses */

static bool same_cells(struct cs_mscclpp_cells a, struct cs_mscclpp_cells b)
{
    return a.gpu == b.gpu && a.buffer == b.buffer && a.packets == b.packets && a.first == b.first;
}

/* The GPUs of a range: its own, or those of its group. */
static const uint32_t *gpus_of(const struct cs_mscclpp *plan, const struct cs_mscclpp_range *range,
                               uint32_t *count)
{
    bool is_group = range->place & CS_MSCCLPP_GROUP;

    *count = is_group ? plan->groups[range->channel].count : 1;
    return is_group ? &plan->numbers[plan->groups[range->channel].first] : &range->gpu;
}

static int touch_range(struct mscclpp_run *run, const struct cs_mscclpp_range *range,
                       struct mscclpp_source *source, bool writes)
{
    struct mscclpp_far **list = writes ? &source->puts : &source->gets;
    bool stores = writes && (range->place & CS_MSCCLPP_GROUP);
    uint32_t count;
    const uint32_t *gpus = gpus_of(run->plan, range, &count);
    int code = 0;

    for (uint32_t i = 0; i < count && !code; i++) {
        struct cs_mscclpp_touch touch = {.cells = cs_mscclpp_range_cells(run, range, gpus[i]),
                                         .writes = writes,
                                         .lane = source->lane};

        if (gpus[i] != run->walker->gpu)
            touch.lane = cs_mscclpp_far_of(run, list, gpus[i])->lane - 1;
        /* Packets in their place are stored there again. */
        if (!stores || !same_cells(touch.cells,
                                   cs_mscclpp_range_cells(run, sources_of(run), run->walker->gpu)))
            code = cs_mscclpp_memory_touch(&run->memory, &run->who, &touch);
    }
    return code;
}

/* Sources from `first` on up to `end`, then targets. */
static int touch_ranges(struct mscclpp_run *run, uint32_t first, uint32_t end)
{
    const struct cs_mscclpp_op *op = run->op;
    int code = 0;

    for (uint32_t i = first; i < end && i < op->sources && !code; i++)
        code =
            touch_range(run, &sources_of(run)[i], source_of(run, i < op->targets ? i : 0), false);
    for (uint32_t i = first; i < end && i < op->targets && !code; i++)
        code = touch_range(run, &targets_of(run)[i], source_of(run, i), true);
    return code;
}

/* Accesses get the rounds that their lanes did for them. */
static void settle_rounds(struct mscclpp_run *run, uint32_t first)
{
    for (uint32_t i = first; i < run->memory.access_count; i++) {
        struct cs_mscclpp_awaited *by = &run->memory.accesses[i].by;

        *by = cs_mscclpp_lane_last(&run->lanes, by->lane);
    }
}

/* ---- operations */

/* Loads the sum of the group to `to`, which is of this GPU. */
static void load_group(struct mscclpp_run *run, const struct cs_mscclpp_range *range,
                       struct cs_mscclpp_cells to)
{
    uint32_t count;
    const uint32_t *gpus = gpus_of(run->plan, range, &count);

    if (cs_mscclpp_multicasts(run->plan, range)) {
        cs_mscclpp_load_by_hub(run, range, to);
        return;
    }
    move_local(run, CS_OP_COPY, cs_mscclpp_range_cells(run, range, to.gpu), to);
    for (uint32_t i = 0; i < count; i++)
        if (gpus[i] != to.gpu)
            move_get(run, CS_OP_RECV_REDUCE, cs_mscclpp_range_cells(run, range, gpus[i]), to);
    run->is_open = false;
}

/* Stores `from` of this GPU to all of the group. */
static void store_group(struct mscclpp_run *run, const struct cs_mscclpp_range *range,
                        struct cs_mscclpp_cells from)
{
    uint32_t count;
    const uint32_t *gpus = gpus_of(run->plan, range, &count);

    move_local(run, CS_OP_COPY, from, cs_mscclpp_range_cells(run, range, from.gpu));
    if (cs_mscclpp_multicasts(run->plan, range)) {
        cs_mscclpp_store_by_hub(run, range, from);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (gpus[i] != from.gpu)
            move_put(run, &run->walker->source, from, cs_mscclpp_range_cells(run, range, gpus[i]));
}

static void move_pair(struct mscclpp_run *run, uint32_t i)
{
    const struct cs_mscclpp_range *source = &sources_of(run)[i];
    const struct cs_mscclpp_range *target = &targets_of(run)[i];
    bool loads = source->place & CS_MSCCLPP_GROUP;
    bool stores = target->place & CS_MSCCLPP_GROUP;
    struct cs_mscclpp_cells from = cs_mscclpp_range_cells(run, source, source->gpu);
    struct cs_mscclpp_cells to = cs_mscclpp_range_cells(run, target, target->gpu);

    if (loads && stores)
        to.gpu = run->walker->gpu;
    if (loads)
        load_group(run, source, to);
    if (stores)
        store_group(run, target, loads ? to : from);
    else if (source->place & CS_MSCCLPP_REMOTE)
        move_get(run, CS_OP_RECV, from, to);
    else if (target->place & CS_MSCCLPP_REMOTE)
        move_put(run, source_of(run, i), from, to);
    else if (!loads)
        move_local(run, CS_OP_COPY, from, to);
}

/* The first target is the sum: it begins as the source in its place, or as a copy
 * of the first source. */
static void move_sum(struct mscclpp_run *run)
{
    const struct cs_mscclpp_range *sources = sources_of(run);
    const struct cs_mscclpp_range *targets = targets_of(run);
    uint32_t gpu = run->walker->gpu;
    struct cs_mscclpp_cells sum = cs_mscclpp_range_cells(run, targets, gpu);
    uint32_t base = 0;

    for (uint32_t i = 1; i < run->op->sources; i++)
        if (same_cells(cs_mscclpp_range_cells(run, &sources[i], sources[i].gpu), sum))
            base = i;
    move_local(run, CS_OP_COPY, cs_mscclpp_range_cells(run, &sources[base], gpu), sum);
    for (uint32_t i = 0; i < run->op->sources; i++) {
        struct cs_mscclpp_cells from = cs_mscclpp_range_cells(run, &sources[i], sources[i].gpu);

        if (i != base && (sources[i].place & CS_MSCCLPP_REMOTE))
            move_get(run, CS_OP_RECV_REDUCE, from, sum);
        else if (i != base)
            move_local(run, CS_OP_REDUCE, from, sum);
    }
    run->is_open = false;
    for (uint32_t i = 1; i < run->op->targets; i++) {
        struct cs_mscclpp_cells to = cs_mscclpp_range_cells(run, &targets[i], targets[i].gpu);

        if (targets[i].place & CS_MSCCLPP_REMOTE)
            move_put(run, &run->walker->source, sum, to);
        else
            move_local(run, CS_OP_COPY, sum, to);
    }
}

/* What was over when the packets were written that the operation reads. */
static void hear_packets(struct mscclpp_run *run)
{
    struct mscclpp_walker *walker = run->walker;
    cs_mscclpp_clock *clock = NULL;
    uint32_t last = CS_MSCCLPP_NONE;

    for (uint32_t i = 0; i < run->op->sources; i++) {
        struct cs_mscclpp_cells cells =
            cs_mscclpp_range_cells(run, &sources_of(run)[i], walker->gpu);

        for (uint32_t k = 0; cells.packets && k < cells.count; k++) {
            uint32_t write = cs_mscclpp_cell_at(&run->memory, cells, k)->write;
            const struct cs_mscclpp_who *who = &run->memory.accesses[write].who;

            if (write == last)
                continue;
            last = write;
            if (!clock)
                clock = cs_mscclpp_clock_copy(run, NULL);
            cs_mscclpp_clock_join(run, clock, who->clock, true);
            cs_mscclpp_clock_note(run, clock, who->block, who->met, true);
            cs_mscclpp_clock_note(run, clock, who->actor, who->epoch, true);
        }
    }
    if (!clock)
        return;
    cs_mscclpp_clock_join(run, walker->heard, clock, true);
    walker->acquired++;
    walker->acquired_by_one = false;
    cs_mscclpp_clock_join(run, clock, run->who.clock, false);
    run->who.clock = clock;
}

/* Each target of a port is an operation of its channel. */
static int move_by_ports(struct mscclpp_run *run)
{
    int code = 0;

    for (uint32_t i = 0; i < run->op->targets && !code; i++) {
        struct mscclpp_port *port = port_of(run, i);
        uint32_t access = run->memory.access_count;

        run->who.actor = port->actor;
        run->who.epoch = ++port->epoch;
        code = touch_ranges(run, i, i + 1);
        if (!code)
            move_pair(run, i);
        settle_rounds(run, access);
    }
    return code;
}

static int move_by_threads(struct mscclpp_run *run)
{
    const struct cs_mscclpp_op *op = run->op;
    uint32_t access = run->memory.access_count;
    int code = touch_ranges(run, 0, op->sources + op->targets);

    if (!code && op->type->sums)
        move_sum(run);
    for (uint32_t i = 0; i < op->targets && !code && !op->type->sums; i++)
        move_pair(run, i);
    settle_rounds(run, access);
    return code;
}

int cs_mscclpp_move(struct mscclpp_run *run)
{
    const struct cs_mscclpp_range *ranges = sources_of(run);
    struct mscclpp_walker *walker = run->walker;
    uint32_t actor = cs_mscclpp_actor(run, run->number);

    if (!is_ready(run))
        return CS_MSCCLPP_BLOCKED;
    run->is_open = false;
    run->who = (struct cs_mscclpp_who){.gpu = walker->gpu,
                                       .actor = actor,
                                       .epoch = ++walker->epoch,
                                       .block = actor,
                                       .met = walker->met,
                                       .clock = walker->clock,
                                       .op = walker->at};
    for (uint32_t i = 0; i < run->op->sources + run->op->targets; i++)
        run->who.packets |= ranges[i].place & CS_MSCCLPP_PACKETS;
    hear_packets(run);
    return is_by_port(run) ? move_by_ports(run) : move_by_threads(run);
}
