#include "sim/engine/exec.h"
#include "sim/fold/walk_state.h"

enum {
    COUNTS_MAX = 1 << 25 /* flows x pieces: 128 MiB */
};

/* Two ranks, one message. */
struct probe {
    uint32_t src, dst, to;
    uint64_t bytes;
};

static uint64_t probe_rounds(const void *ctx, struct cs_at at)
{
    const struct probe *probe = ctx;

    return at.party == probe->src || at.party == probe->dst;
}

static void probe_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct probe *probe = ctx;

    if (at.party == probe->src)
        cs_ops_push(ops, (struct cs_op){.kind = CS_OP_SEND,
                                        .peer = probe->dst,
                                        .source = probe->to,
                                        .amount = probe->bytes});
    if (at.party == probe->dst)
        cs_ops_push(ops,
                    (struct cs_op){.kind = CS_OP_RECV, .peer = probe->src, .amount = probe->bytes});
}

/* Sends one message on the idle machine. */
static bool make_trip(struct pace *pace, const struct pace_flow *flow, uint32_t is_long,
                      struct trip *trip)
{
    const struct cs_fold *fold = pace->fold;
    const struct probe probe = {
        .src = flow->lane / fold->program.lanes,
        .dst = member_of(&fold->group, flow->to).of,
        .to = flow->to,
        .bytes = flow->bytes[is_long],
    };
    struct cs_program program = fold->program;
    const struct cs_exec_request request = {.program = &program,
                                            .net = &fold->net,
                                            .model = pace->run->model,
                                            .params = pace->run->params,
                                            .eager = pace->run->eager};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_exec_result result;
    int code;

    program.lanes = 1;
    program.ctx = &probe;
    program.rounds = probe_rounds;
    program.round = probe_round;
    code = cs_exec_run_watched(&request, &arena, &result, NULL);
    if (!code) {
        trip->path = result.path;
        trip->busy_ps = cs_arena_alloc(&pace->arena, flow->hops + 1, sizeof(*trip->busy_ps));
        for (uint32_t i = 0; i < flow->hops; i++)
            trip->busy_ps[i] = result.use[flow->links[i]].busy_ps;
    }
    return !code;
}

/* Finds the links and resources of the flow, those that a message can wait for. */
static void find_links(struct pace *pace, struct pace_flow *flow)
{
    const struct quotient *quotient = pace->quotient;
    const struct cs_net *net = quotient->net;
    uint32_t room = net->max_hops + 1;
    uint32_t src = flow->lane / pace->fold->program.lanes;

    flow->links = cs_arena_alloc(&pace->arena, room, sizeof(uint32_t));
    flow->resources = cs_arena_alloc(&pace->arena, room, sizeof(uint32_t));
    flow->copies = cs_arena_alloc(&pace->arena, room, sizeof(struct shift));
    flow->resource_copies = cs_arena_alloc(&pace->arena, room, sizeof(struct shift));
    flow->hops = net->route(net->route_ctx, src, flow->to, flow->links);
    for (uint32_t i = 0; i < flow->hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, flow->links[i]);
        struct place place = place_of(&quotient->link, flow->links[i]);
        uint32_t class = quotient->link.class_of[place.number] - 1;

        flow->copies[i] = flow->resource_copies[i] =
            copy_of(&quotient->group, &quotient->link, place);
        if (!quotient->own_resources)
            flow->resource_copies[i] = copy_of(&quotient->group, &quotient->resource,
                                               place_of(&quotient->resource, link.resource));
        flow->links[i] = class;
        flow->resources[i] =
            link.ps_per_byte == 0 ? CS_NONE : pace->fold->net.links[class].resource;
    }
}

/* Reserves the resources for the lane: false if a resource is in use by a
 * different lane, or by the same lane of a different copy. */
static bool take_resources(struct pace *pace, const struct pace_flow *flow)
{
    for (uint32_t i = 0; i < flow->hops; i++) {
        struct user *user;

        if (flow->resources[i] == CS_NONE)
            continue;
        user = &pace->users[flow->resources[i]];
        if (user->lane &&
            (user->lane != flow->lane + 1 || user->copy.row != flow->resource_copies[i].row))
            return false;
        user->lane = flow->lane + 1;
        user->copy = flow->resource_copies[i];
    }
    return true;
}

static struct pace_flow *pace_new_flow(struct pace *pace, uint32_t lane, uint32_t to,
                                       struct cs_blocks parts)
{
    const struct sizes *sizes = &pace->quotient->sizes;
    struct pace_flow *flow = &pace->flows[pace->flow_count];

    if (pace->flow_count == CS_FLOWS_MAX ||
        (uint64_t)(pace->flow_count + 1) * sizes->pieces > COUNTS_MAX)
        return NULL;
    *flow = (struct pace_flow){.lane = lane, .to = to, .parts = parts};
    flow->bytes[0] = short_bytes(sizes, parts);
    flow->bytes[1] = long_bytes(sizes, parts);
    find_links(pace, flow);
    if (!take_resources(pace, flow) || !make_trip(pace, flow, 0, &flow->trip[0]) ||
        !make_trip(pace, flow, 1, &flow->trip[1]) ||
        cs_path_ps(&flow->trip[0].path) > cs_path_ps(&flow->trip[1].path) ||
        flow->trip[0].path.latency_ps != flow->trip[1].path.latency_ps)
        return NULL;
    flow->count = cs_arena_alloc(&pace->arena, sizes->pieces + 1, sizeof(*flow->count));
    flow->next = pace->walkers[lane].flow;
    pace->walkers[lane].flow = pace->flow_count++;
    return flow;
}

static bool is_of_flow(const struct pace_flow *flow, uint32_t to, struct cs_blocks parts)
{
    return flow->to == to && flow->parts.first == parts.first && flow->parts.count == parts.count;
}

struct pace_flow *cs_flow_of(struct pace *pace, uint32_t lane, const struct cs_op *op)
{
    struct walker *walker = &pace->walkers[lane];
    struct cs_blocks parts = {op->blocks.first % pace->quotient->sizes.cut.parts, op->blocks.count};
    uint32_t i = walker->last_flow;

    if (i != CS_NONE && is_of_flow(&pace->flows[i], op->peer, parts))
        return &pace->flows[i];
    for (i = walker->flow; i != CS_NONE; i = pace->flows[i].next)
        if (is_of_flow(&pace->flows[i], op->peer, parts))
            break;
    if (i == CS_NONE && !pace_new_flow(pace, lane, op->peer, parts))
        return NULL;
    walker->last_flow = i == CS_NONE ? pace->flow_count - 1 : i;
    return &pace->flows[walker->last_flow];
}

bool cs_flow_is_first(struct pace *pace, const struct pace_flow *flow)
{
    uint64_t round = pace->walkers[flow->lane].round + 1;

    for (uint32_t i = 0; i < flow->hops; i++) {
        struct user *user;

        if (flow->resources[i] == CS_NONE)
            continue;
        user = &pace->users[flow->resources[i]];
        if (user->round == round)
            return false;
        user->round = round;
    }
    return true;
}
