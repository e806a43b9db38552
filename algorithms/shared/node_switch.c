#include "algorithms/shared/node_switch.h"

#include "algorithms/shared/rings/channels.h"

#include <math.h>

enum {
    GROUP_MAX = 576,       /* NVIDIA, "NVLink and NVLink Switch" */
    CHUNKS_BEST = 1 << 10, /* of all channels: keeps the proof short */
    COPY_ROUNDS = 3        /* of a chunk in the switch: wait, receive, send */
};

uint32_t cs_node_switch_agents(const struct cs_call *call)
{
    return call->ranks > 1 ? call->ranks / call->group : 0;
}

uint32_t cs_node_switch_lanes(const struct cs_call *call)
{
    return CS_NODE_SWITCH_LANES * cs_channel_lanes(call);
}

/* The channel's own lane. */
uint32_t cs_node_switch_served(const void *ctx, uint32_t lane, const struct cs_op *send)
{
    (void)ctx;
    (void)send;
    return lane;
}

static uint64_t channel_order(const struct cs_call *call, uint32_t channel, uint32_t rank)
{
    struct cs_node_line line = cs_node_line_of(call, channel);

    return (uint64_t)cs_node_line_slot(&line, rank) * call->channels + channel;
}

uint32_t cs_node_switch_turn(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint32_t each = CS_NODE_SWITCH_LANES * call->slices; /* lanes of a channel */
    uint32_t before = 0;
    uint64_t own;

    if (at.party >= call->ranks)
        return at.lane;
    own = channel_order(call, at.lane / each, at.party);
    for (uint32_t i = 0; i < call->channels; i++)
        before += channel_order(call, i, at.party) < own;
    return before * each + at.lane % each;
}

int cs_node_switch_check_any(const struct cs_algo *algo, const struct cs_call *call,
                             struct cs_err *err)
{
    int code = cs_check_group(algo, call, err);

    if (!code)
        code = cs_channel_check(algo, call, err);
    if (!code && call->ranks > 1 && call->group > GROUP_MAX)
        code =
            cs_err_set(err, CS_EINPUT, "%s needs nodes of one NVSwitch, at most %d ranks, not %u",
                       algo->name, GROUP_MAX, call->group);
    return code;
}

int cs_node_switch_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    int code = cs_node_switch_check_any(algo, call, err);

    if (!code && call->ranks > 1 && call->ranks == call->group)
        code = cs_err_set(err, CS_EINPUT,
                          "%s needs several nodes, and all %u ranks are in one; nvls is for one",
                          algo->name, call->ranks);
    return code;
}

void cs_node_switch_settle(struct cs_call *call, double steps, double latency_s)
{
    double volume_s = cs_vector_bytes(call) / call->hockney.beta_Bps;
    uint32_t lanes = cs_channel_lanes(call);
    uint64_t most = call->elements / lanes;

    if (most > CHUNKS_BEST / lanes)
        most = CHUNKS_BEST / lanes;
    cs_settle_equal_chunks(call, lanes, most, sqrt(steps * volume_s / latency_s));
}

uint32_t cs_node_switch_channel(const struct cs_call *call, uint32_t lane)
{
    uint32_t share = lane / CS_NODE_SWITCH_LANES;

    return call->slices > 1 ? share / call->slices : share;
}

/* Rank `slot` of the node, counted from the head along the channel's line. */
static uint32_t switch_rank(const struct cs_node_switch *of, uint32_t slot)
{
    return cs_node_line_rank(&of->line, of->node, slot);
}

void cs_node_switch_place(const struct cs_call *call, struct cs_at at, struct cs_node_switch *of)
{
    of->call = call;
    of->share = at.lane / CS_NODE_SWITCH_LANES;
    of->is_agent = at.party >= call->ranks;
    of->node = of->is_agent ? at.party - call->ranks : at.party / call->group;
    of->agent = call->ranks + of->node;
    of->head = switch_rank(of, 0);
    of->is_head = of->head == at.party;
}

uint64_t cs_node_switch_rounds(const struct cs_call *call, struct cs_at at)
{
    bool copies = at.party >= call->ranks && at.lane % CS_NODE_SWITCH_LANES;

    return (copies ? COPY_ROUNDS : 2) * (uint64_t)call->chunks;
}

/* ---- turns 1 and 2 ---- */

/* A rank has room for `ahead` chunks: another goes up when the first of them has come down. */
static void wait_for_copy(const struct cs_node_switch *of, uint32_t j, struct cs_ops *ops)
{
    if (j >= of->ahead)
        cs_ops_wait(ops, cs_node_switch_lane(of, CS_NODE_SWITCH_LANES - 1),
                    2 * (j - of->ahead) + 1);
}

static void sum_in_switch(const struct cs_node_switch *of, struct cs_blocks chunk,
                          struct cs_ops *ops)
{
    for (uint32_t i = of->head_adds; i < of->call->group; i++)
        cs_ops_recv_reduce(ops, switch_rank(of, i), chunk);
}

void cs_node_switch_sum(const struct cs_node_switch *of, uint32_t k, struct cs_ops *ops)
{
    struct cs_blocks chunk = cs_node_switch_chunk(of, k / 2);

    if (!of->is_agent && !of->is_head && k % 2) {
        wait_for_copy(of, k / 2 + 1, ops);
        return;
    }
    if (of->is_agent && k % 2)
        cs_ops_send(ops, of->head, chunk);
    else if (of->is_agent)
        sum_in_switch(of, chunk, ops);
    else if (k % 2 == 0 && !(of->is_head && of->head_adds))
        cs_ops_send(ops, of->agent, chunk);
    else if (k % 2 && of->head_adds)
        cs_ops_recv_reduce(ops, of->agent, chunk);
    else if (k % 2)
        cs_ops_recv(ops, of->agent, chunk);
    cs_ops_in_order(ops);
}

void cs_node_switch_wait(const struct cs_node_switch *of, uint32_t j, struct cs_ops *ops)
{
    cs_ops_wait(ops, cs_node_switch_lane(of, 0), 2 * j + 1);
}

/* ---- turns 3 and 4 ---- */

/* The contribution has left before the sum arrives. */
static void copy_to_rank(const struct cs_node_switch *of, uint32_t k, struct cs_ops *ops)
{
    if (k % 2 == 0)
        cs_ops_wait(ops, cs_node_switch_lane(of, 0), k);
    else
        cs_ops_recv(ops, of->agent, cs_node_switch_chunk(of, k / 2));
}

/* The sum of the node has left before that of all nodes arrives. */
static void copy_in_switch(const struct cs_node_switch *of, uint32_t k, struct cs_ops *ops)
{
    uint32_t j = k / COPY_ROUNDS;
    uint32_t turn = k % COPY_ROUNDS;

    if (turn == 0) {
        cs_node_switch_wait(of, j, ops);
        return;
    }
    if (turn == 1)
        cs_ops_recv(ops, of->head, cs_node_switch_chunk(of, j));
    for (uint32_t i = 1; turn == 2 && i < of->call->group; i++)
        cs_ops_send(ops, switch_rank(of, i), cs_node_switch_chunk(of, j));
    cs_ops_in_order(ops);
}

void cs_node_switch_copy(const struct cs_node_switch *of, uint32_t k, uint32_t before_lane,
                         uint32_t before_round, struct cs_ops *ops)
{
    if (of->is_agent)
        copy_in_switch(of, k, ops);
    else if (!of->is_head)
        copy_to_rank(of, k, ops);
    else if (k % 2 == 0)
        cs_ops_wait(ops, cs_node_switch_lane(of, before_lane), before_round);
    else
        cs_ops_send(ops, of->agent, cs_node_switch_chunk(of, k / 2));
}

/* ---- cost ---- */

double cs_node_switch_step_bytes(const struct cs_call *call)
{
    return cs_longest_run_bytes(call, cs_channel_chunks(call), 1) * cs_channel_lanes(call);
}

struct cs_cost cs_node_switch_cost(const struct cs_call *call, double sends)
{
    return (struct cs_cost){
        CS_NODE_SWITCH_TURNS,
        cs_vector_bytes(call) * sends + CS_NODE_SWITCH_TURNS * cs_node_switch_step_bytes(call), 0};
}
