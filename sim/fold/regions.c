#include "sim/fold/regions.h"

#include "sim/base/collections/disjoint.h"
#include "sim/base/mem.h"
#include "sim/engine/exec.h"
#include "sim/fold/region_state.h"

#include <stdlib.h>

enum {
    REGIONS_MIN = 4,
    SWEEPS = 64,          /* between estimates */
    GATHER = 8,           /* turns, in one of which all regions may jump together */
    SETTLED = 2 * GATHER, /* turns, of which the first ones take longest */
    TURN_NS = 20000,
    MESSAGE_NS = 300, /* of a run without regions */
};

/* ---- finding ---- */

/* Joins ranks that exchange messages with the shortest latency, or with less than half
 * of the longest one, as inside a node: a turn of a region lasts about as long as its
 * arrivals take. */
static void join_near(const struct regions *regions, uint32_t *sets)
{
    uint64_t longest_ps = 0;
    uint64_t shortest_ps = UINT64_MAX;

    for (uint32_t i = 0; i < regions->lane_count; i++) {
        uint64_t latency_ps = regions->fixed[i].latency_ps;

        if (regions->fixed[i].to == CS_NONE)
            continue;
        longest_ps = latency_ps > longest_ps ? latency_ps : longest_ps;
        shortest_ps = latency_ps < shortest_ps ? latency_ps : shortest_ps;
    }
    for (uint32_t i = 0; i < regions->lane_count; i++) {
        uint64_t latency_ps = regions->fixed[i].latency_ps;

        if (regions->fixed[i].to != CS_NONE && latency_ps < longest_ps &&
            (latency_ps == shortest_ps || 2 * latency_ps < longest_ps))
            cs_disjoint_join(sets, i / regions->each, regions->fixed[i].to / regions->each);
    }
}

/* Numbers the sets of ranks whose messages share links, and returns their number.  Of a
 * resource only the last user is kept: each is joined with the one before. */
static uint32_t divide(const struct regions *regions, uint32_t *region_of, struct cs_arena *scratch)
{
    const struct cs_net *net = regions->net;
    uint32_t ranks = regions->program->ranks;
    uint32_t *user = cs_arena_alloc(scratch, net->resource_count, sizeof(*user));
    uint32_t *sets = cs_arena_alloc(scratch, ranks, sizeof(*sets));
    uint32_t *region_of_root = /* 1 + the number; 0: none */
        cs_arena_alloc(scratch, ranks, sizeof(*region_of_root));
    uint32_t count = 0;

    cs_disjoint_open(sets, ranks);
    for (uint32_t i = 0; i < regions->lane_count; i++)
        for (uint32_t hop = 0; hop < regions->fixed[i].hops; hop++) {
            uint32_t *first = &user[net->links[regions->fixed[i].route[hop]].resource];

            if (*first)
                cs_disjoint_join(sets, *first - 1, i / regions->each);
            *first = i / regions->each + 1;
        }
    join_near(regions, sets);
    for (uint32_t i = 0; i < ranks; i++) {
        uint32_t *region = &region_of_root[cs_disjoint_root(sets, i)];

        if (*region == 0)
            *region = ++count;
        region_of[i] = *region - 1;
    }
    return count;
}

/* The list of that region which is at the offset in struct region: lanes, links, ... */
static struct region_list *list_at(const struct regions *regions, uint32_t region, size_t offset)
{
    return (struct region_list *)(void *)((char *)&regions->region[region] + offset);
}

/* Lists items by region, at the offset: region_of[i] is the region of item i, or
 * CS_NONE. */
static void list_items(struct regions *regions, const uint32_t *region_of, uint32_t items,
                       size_t offset, struct cs_arena *arena)
{
    for (uint32_t i = 0; i < items; i++)
        if (region_of[i] != CS_NONE)
            list_at(regions, region_of[i], offset)->count++;
    for (uint32_t i = 0; i < regions->count; i++) {
        struct region_list *list = list_at(regions, i, offset);

        list->at = cs_arena_alloc(arena, list->count, sizeof(*list->at));
        list->count = 0;
    }
    for (uint32_t i = 0; i < items; i++)
        if (region_of[i] != CS_NONE) {
            struct region_list *list = list_at(regions, region_of[i], offset);

            list->at[list->count++] = i;
        }
}

static uint32_t *all_none(uint32_t items, struct cs_arena *arena)
{
    uint32_t *numbers = cs_arena_alloc(arena, items, sizeof(*numbers));

    for (uint32_t i = 0; i < items; i++)
        numbers[i] = CS_NONE;
    return numbers;
}

static void list_lanes(struct regions *regions, struct cs_arena *arena, struct cs_arena *scratch)
{
    uint32_t *region_of = all_none(regions->lane_count, scratch);

    for (uint32_t i = 0; i < regions->lane_count; i++) {
        struct region *region = &regions->region[regions->fixed[i].region];

        region_of[i] = regions->fixed[i].region;
        region->starts = region->starts || !regions->fixed[i].idle;
    }
    list_items(regions, region_of, regions->lane_count, offsetof(struct region, lanes), arena);
    for (uint32_t i = 0; i < regions->count; i++)
        for (uint32_t k = 0; k < regions->region[i].lanes.count; k++)
            regions->fixed[regions->region[i].lanes.at[k]].place = k;
}

static void list_links(struct regions *regions, struct cs_arena *arena, struct cs_arena *scratch)
{
    const struct cs_net *net = regions->net;
    uint32_t *link = all_none(net->link_count, scratch);
    uint32_t *resource = all_none(net->resource_count, scratch);

    for (uint32_t i = 0; i < regions->lane_count; i++)
        for (uint32_t hop = 0; hop < regions->fixed[i].hops; hop++) {
            uint32_t at = regions->fixed[i].route[hop];

            link[at] = regions->fixed[i].region;
            resource[net->links[at].resource] = regions->fixed[i].region;
        }
    list_items(regions, link, net->link_count, offsetof(struct region, links), arena);
    list_items(regions, resource, net->resource_count, offsetof(struct region, resources), arena);
}

/* Numbers the lanes that send to other regions, and those that receive from them. */
static void list_inlets(struct regions *regions, struct cs_arena *arena, struct cs_arena *scratch)
{
    uint32_t *region_of = all_none(regions->lane_count, scratch);
    uint64_t down = 0;

    for (uint32_t i = 0; i < regions->lane_count; i++)
        regions->fixed[i].inlet = regions->fixed[i].outlet = CS_NONE;
    for (uint32_t i = 0; i < regions->lane_count; i++) {
        struct ring_lane *from;

        if (regions->fixed[i].from == CS_NONE)
            continue;
        from = &regions->fixed[regions->fixed[i].from];
        if (from->region == regions->fixed[i].region)
            continue;
        region_of[regions->inlet_count] = regions->fixed[i].region;
        regions->fixed[i].inlet = from->outlet = regions->inlet_count++;
        down += regions->fixed[i].region < from->region;
    }
    /* A sweep in the direction of most arrivals takes them through all regions at once. */
    regions->goes_down = 2 * down > regions->inlet_count;
    list_items(regions, region_of, regions->inlet_count, offsetof(struct region, inlets), arena);
}

/* Whether every arrival from another region takes time.  Otherwise none could be simulated
 * beyond the time up to which all others are. */
static bool arrivals_take_time(const struct regions *regions)
{
    for (uint32_t i = 0; i < regions->lane_count; i++)
        if (regions->fixed[i].outlet != CS_NONE && regions->fixed[i].latency_ps == 0)
            return false;
    return true;
}

static void measure_regions(struct regions *regions, struct cs_regions *found)
{
    for (uint32_t i = 0; i < regions->count; i++) {
        const struct region *region = &regions->region[i];

        if (region->lanes.count > regions->lanes_max)
            regions->lanes_max = region->lanes.count;
        if (region->links.count > regions->links_max)
            regions->links_max = region->links.count;
    }
    found->count = regions->count;
    found->ranks = regions->lanes_max / regions->each;
    found->rounds = regions->rounds;
    found->state = regions;
}

static bool divide_lanes(struct regions *regions, struct cs_arena *arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    uint32_t *region_of = cs_arena_alloc(&scratch, regions->program->ranks, sizeof(*region_of));

    regions->count = divide(regions, region_of, &scratch);
    if (regions->count >= REGIONS_MIN) {
        regions->region = cs_arena_alloc(arena, regions->count, sizeof(*regions->region));
        for (uint32_t i = 0; i < regions->lane_count; i++)
            regions->fixed[i].region = region_of[i / regions->each];
        list_lanes(regions, arena, &scratch);
        list_links(regions, arena, &scratch);
        list_inlets(regions, arena, &scratch);
    }
    return regions->count >= REGIONS_MIN && arrivals_take_time(regions);
}

/* Whether ranks add at the rate of arrival, and links remember nothing. */
static bool net_is_plain(const struct cs_net *net)
{
    for (uint32_t i = 0; i < net->party_count; i++)
        if (net->parties[i].reduce_ps_per_byte > 0 || net->parties[i].reduce_overhead_ps > 0)
            return false;
    for (uint32_t i = 0; i < net->link_count; i++)
        if (net->links[i].burst_ps > 0)
            return false;
    return true;
}

struct cs_regions *cs_regions_find(const struct cs_program *program, const struct cs_net *net,
                                   uint64_t seed, struct cs_arena *arena)
{
    struct cs_regions *found = cs_arena_alloc(arena, 1, sizeof(*found));
    struct regions *regions = cs_arena_alloc(arena, 1, sizeof(*regions));

    *regions = (struct regions){.program = program,
                                .net = net,
                                .each = program->lanes,
                                .lane_count = program->ranks * program->lanes};
    if (!(program->ring_lanes || program->line_lanes) || program->agents || program->handshake ||
        program->start_ps || program->turn || program->main_lanes ||
        (uint64_t)program->ranks * program->lanes >= UINT32_MAX || !net_is_plain(net) ||
        !cs_ring_lanes_read(regions, seed, &found->checked, arena) || !divide_lanes(regions, arena))
        return NULL;
    measure_regions(regions, found);
    return found;
}

/* ---- running ---- */

static void open_message(const struct regions *regions, uint32_t lane)
{
    const struct ring_lane *fixed = &regions->fixed[lane];

    regions->traffic.messages[lane] = (struct cs_message){
        .hops = fixed->hops,
        .route = fixed->route,
        .origins = fixed->origins,
        .src = lane / regions->each,
        .dst = fixed->to / regions->each,
        .to = fixed->to / regions->each, /* of a lane that sends nothing: unused */
        .lane = lane % regions->each,
        .starter = lane % regions->each,
        .receive = CS_NONE,
        .whole = CS_NONE,
    };
}

static void open_run(struct regions *regions, const struct cs_exec_request *request,
                     struct cs_arena *arena, struct cs_exec_result *result)
{
    const struct cs_net *net = regions->net;
    struct cs_traffic *traffic = &regions->traffic;

    *result = (struct cs_exec_result){
        .done_ps = cs_arena_alloc(arena, net->party_count, sizeof(uint64_t)),
        .lane_done_ps = cs_arena_alloc(arena, regions->lane_count, sizeof(uint64_t)),
        .use = cs_arena_alloc(arena, net->link_count, sizeof(struct cs_link_use))};
    regions->result = result;
    regions->model = request->model;
    *traffic = (struct cs_traffic){
        .net = net,
        .params = request->params,
        .use = result->use,
        .messages = cs_arena_alloc(arena, regions->lane_count, sizeof(struct cs_message)),
        .resources = cs_arena_alloc(arena, net->resource_count, sizeof(struct cs_resource))};
    for (uint32_t i = 0; i < regions->lane_count; i++)
        open_message(regions, i);
    cs_traffic_open_ties(traffic, regions->program->ranks, arena);
    regions->lanes = cs_arena_alloc(arena, regions->lane_count, sizeof(*regions->lanes));
    regions->inlets = cs_arena_alloc(arena, regions->inlet_count, sizeof(*regions->inlets));
    regions->outlets = cs_arena_alloc(arena, regions->inlet_count, sizeof(*regions->outlets));
    regions->holders = cs_arena_alloc(arena, net->party_count, sizeof(*regions->holders));
    for (uint32_t i = 0; i < regions->lane_count; i++)
        if (regions->fixed[i].inlet != CS_NONE)
            regions->inlets[regions->fixed[i].inlet].lane = i;
    for (uint32_t i = 0; i < regions->count; i++) {
        struct region *region = &regions->region[i];

        *region = (struct region){.lanes = region->lanes,
                                  .links = region->links,
                                  .resources = region->resources,
                                  .inlets = region->inlets,
                                  .starts = region->starts,
                                  .unfinished = region->lanes.count};
    }
    regions->waits = true;
    regions->link_images = all_none(net->link_count, arena);
    regions->resource_images = all_none(net->resource_count, arena);
    cs_min_set_open(&regions->ready, regions->lane_count, arena);
    cs_min_set_open(&regions->batch, regions->lane_count, arena);
    if (request->model->open)
        request->model->open(traffic, arena);
}

static void close_run(struct regions *regions)
{
    if (regions->model->close)
        regions->model->close(&regions->traffic);
    cs_events_free(&regions->traffic.events);
    for (uint32_t i = 0; i < regions->inlet_count; i++)
        cs_arrivals_free(&regions->inlets[i].arrivals);
    for (uint32_t i = 0; i < regions->count; i++) {
        free(regions->region[i].events);
        free(regions->region[i].cycle.rounds);
        free(regions->region[i].cycle.paths);
        free(regions->region[i].cycle.use);
    }
    cs_period_free(&regions->search);
}

/* Bytes of the result follow from the lanes. */
static int count_bytes(const struct regions *regions, struct cs_err *err)
{
    struct cs_exec_result *result = regions->result;
    bool is_too_much = false;

    for (uint32_t i = 0; i < regions->program->ranks; i++) {
        uint64_t bytes = 0;

        for (uint32_t lane = 0; lane < regions->each; lane++) {
            const struct ring_lane *fixed = &regions->fixed[i * regions->each + lane];
            uint64_t sent = 0;

            if (fixed->to == CS_NONE)
                continue;
            if (__builtin_mul_overflow(fixed->bytes, fixed->rounds - fixed->idle, &sent) ||
                __builtin_add_overflow(sent, fixed->more * fixed->longer, &sent) ||
                __builtin_add_overflow(bytes, sent, &bytes))
                is_too_much = true;
        }
        is_too_much |= __builtin_add_overflow(result->bytes_sent, bytes, &result->bytes_sent);
        if (bytes > result->bytes_sent_max)
            result->bytes_sent_max = bytes;
    }
    return is_too_much ? cs_exec_refuse_bytes(err) : 0;
}

/* All events before are over in every region. */
static uint64_t least_clock_ps(const struct regions *regions)
{
    uint64_t least_ps = UINT64_MAX;

    for (uint32_t i = 0; i < regions->count; i++)
        if (regions->region[i].unfinished && regions->region[i].clock_ps < least_ps)
            least_ps = regions->region[i].clock_ps;
    return least_ps == UINT64_MAX ? regions->result->time_ps : least_ps;
}

/* The share of the rounds says how long the run takes once periods are known and jumps
 * have begun; before, no share is known. */
static int report(const struct regions *regions, const struct cs_monitor *monitor,
                  struct cs_err *err)
{
    uint64_t time_ps = least_clock_ps(regions);
    struct cs_progress progress = {.rounds_begun = regions->begun,
                                   .rounds = regions->sweeps < SETTLED ? 0 : regions->rounds,
                                   .events = regions->traffic.events.added - regions->loaded,
                                   .time_ps = time_ps,
                                   .use = regions->traffic.use};

    regions->result->is_ambiguous = regions->traffic.is_ambiguous;
    if (!monitor || monitor->update(monitor->ctx, &progress))
        return 0;
    regions->result->time_ps = time_ps;
    return cs_err_set(err, CS_ESTOPPED, "stopped in the simulation");
}

/* Runs each region once; `*moves`: whether anything happened. */
static int sweep(struct regions *regions, const struct cs_monitor *monitor, bool *moves,
                 uint32_t *unfinished, struct cs_err *err)
{
    uint64_t due = regions->traffic.events.added + CS_MONITOR_STEPS;
    int code = 0;

    *moves = false;
    *unfinished = 0;
    for (uint32_t i = 0; i < regions->count && !code; i++) {
        struct region *region = &regions->region[regions->goes_down ? regions->count - 1 - i : i];

        if (region->unfinished)
            *moves = cs_region_take_turn(regions, region) || *moves;
        *unfinished += region->unfinished;
        if (regions->traffic.events.added < due)
            continue;
        due = regions->traffic.events.added + CS_MONITOR_STEPS;
        code = report(regions, monitor, err);
    }
    return code;
}

/* Whether turns would take longer than the messages of a run without regions: those so far,
 * taken on to all rounds.  A turn without messages costs time, too. */
static bool turns_are_long(const struct regions *regions)
{
    double all = (double)regions->rounds;
    double turns = (double)regions->sweeps * regions->count * all / (double)regions->begun;

    return turns * TURN_NS > all * MESSAGE_NS;
}

/* Whether all regions had one period when last seen. */
static bool regions_keep_step(const struct regions *regions)
{
    for (uint32_t i = 0; i < regions->count; i++)
        if (regions->region[i].unfinished == 0 || regions->region[i].period_ps == 0 ||
            regions->region[i].period_ps != regions->region[0].period_ps)
            return false;
    return true;
}

static int run_regions(struct regions *regions, const struct cs_monitor *monitor,
                       struct cs_err *err)
{
    uint32_t unfinished = regions->count;

    while (unfinished) {
        bool moves;
        int code;

        regions->gathers = regions->sweeps % GATHER == GATHER - 1 && regions_keep_step(regions);
        code = sweep(regions, monitor, &moves, &unfinished, err);

        if (code)
            return code;
        if (regions->gathers)
            moves = cs_regions_jump(regions) || moves;
        if (!moves && regions->waits) {
            regions->waits = false;
            moves = true;
        }
        if ((unfinished && !moves) || regions->traffic.events.overflowed ||
            (++regions->sweeps % SWEEPS == 0 && turns_are_long(regions)))
            return CS_REGIONS_UNFIT;
    }
    return 0;
}

int cs_regions_run(const struct cs_regions *of, const struct cs_exec_request *request,
                   struct cs_arena *arena, struct cs_exec_result *result, struct cs_err *err)
{
    struct regions regions = *of->state;
    const struct cs_link_model *model = request->model;
    int code;

    if (!model->repeats || !model->folds_queues || !model->queues_messages || model->wake ||
        model->release || (request->eager && model->takes_eager))
        return CS_REGIONS_UNFIT;
    open_run(&regions, request, arena, result);
    code = run_regions(&regions, request->monitor, err);
    if (!code)
        code =
            regions.held_least == regions.held_most ? count_bytes(&regions, err) : CS_REGIONS_UNFIT;
    result->extra_bytes_max = regions.held_most;
    result->messages = regions.messages;
    result->events = regions.traffic.events.added - regions.loaded;
    result->jumped = regions.jumped;
    result->is_ambiguous = regions.traffic.is_ambiguous;
    close_run(&regions);
    return code;
}
