#include "scenarios/run/fold/time_limit.h"

#include <stdlib.h>

enum {
    NODES_OF_A_LOOK = 16, /* so that the sample takes a few percent of a run */
    RANKS_MAX = 16,       /* and of a folded run: in two nodes or more */
    SENDS_MAX = 1 << 20   /* of the sample: 0.1 s */
};

/* Noise and other jobs delay, but the order in which messages queue may gain: a run that
 * takes so much longer alone is the slower one with them. */
static const double order_gain = 1.1;

/* ---- the bytes of each link, the rounds of each lane ---- */

struct limit_sample {
    const struct cs_program *program;
    const struct cs_net *net;
    uint32_t each; /* ranks in a row that are in one node */
    struct cs_arena *arena;
    struct cs_cut cut;
    struct cs_ops ops;
    uint32_t *route; /* of the last send, with what it takes */
    uint32_t from, to, hops;
    uint64_t latency_ps;
    double slowest;   /* picoseconds per byte */
    uint64_t *bytes;  /* by link */
    uint64_t seen;    /* sends */
    uint64_t lane_ps; /* the longest sum over the rounds of a lane */
};

static void sample_route(struct limit_sample *sample, uint32_t from, uint32_t to)
{
    const struct cs_net *net = sample->net;

    sample->from = from;
    sample->to = to;
    sample->hops = net->route(net->route_ctx, from, to, sample->route);
    sample->latency_ps = 0;
    sample->slowest = 0;
    for (uint32_t i = 0; i < sample->hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, sample->route[i]);
        double each = link.burst_ps > 0 ? link.peak_ps_per_byte : link.ps_per_byte;

        sample->latency_ps += link.latency_ps;
        if (each > sample->slowest)
            sample->slowest = each;
    }
}

/* Returns the time of the message on an idle machine, or less. */
static uint64_t sample_send(struct limit_sample *sample, uint32_t party, const struct cs_op *op)
{
    uint32_t to = sample->program->folded ? op->source : op->peer;
    uint64_t bytes = cs_op_bytes(&sample->cut, op);

    sample->seen++;
    if (sample->hops == 0 || sample->from != party || sample->to != to)
        sample_route(sample, party, to);
    for (uint32_t i = 0; i < sample->hops; i++)
        sample->bytes[sample->route[i]] += bytes;
    return sample->latency_ps + cs_time_up((double)bytes * sample->slowest);
}

/* The longest send of the ops: a round is no shorter. */
static uint64_t sample_round(struct limit_sample *sample, uint32_t party)
{
    uint64_t longest_ps = 0;

    for (uint32_t i = 0; i < sample->ops.count; i++)
        if (sample->ops.op[i].kind == CS_OP_SEND) {
            uint64_t at_ps = sample_send(sample, party, &sample->ops.op[i]);

            if (at_ps > longest_ps)
                longest_ps = at_ps;
        }
    return longest_ps;
}

static void sample_sends(struct limit_sample *sample, uint32_t party)
{
    const struct cs_program *program = sample->program;

    for (uint32_t lane = 0; lane < program->lanes; lane++) {
        uint64_t rounds = cs_program_rounds(program, party, lane);
        uint64_t lane_ps = 0;

        for (uint64_t k = 0; k < rounds; k++) {
            cs_program_read(program, (struct cs_at){party, lane, k}, &sample->ops);
            lane_ps += sample_round(sample, party);
        }
        if (lane_ps > sample->lane_ps)
            sample->lane_ps = lane_ps;
    }
}

/* Nodes, or ranks without nodes, at equal distances from the last on, which a
 * pipeline often reaches last. */
static void sample_nodes(struct limit_sample *sample)
{
    uint32_t each = sample->each;
    uint64_t nodes = sample->program->ranks / each;
    uint64_t looks = nodes / NODES_OF_A_LOOK + 1;

    if (looks > 2 && looks > RANKS_MAX / each)
        looks = RANKS_MAX / each > 2 ? RANKS_MAX / each : 2;
    for (uint64_t i = 0; i < looks; i++)
        for (uint32_t r = 0; r < each && sample->seen < SENDS_MAX; r++)
            sample_sends(sample, (uint32_t)((looks - i) * nodes / looks - 1) * each + r);
}

static void sample_open(struct limit_sample *sample)
{
    const struct cs_net *net = sample->net;

    sample->cut = cs_cut_of(sample->program);
    sample->route = cs_arena_alloc(sample->arena, net->max_hops + 1, sizeof(uint32_t));
    sample->bytes = cs_arena_alloc(sample->arena, net->link_count, sizeof(*sample->bytes));
    sample_nodes(sample);
    cs_ops_free(&sample->ops);
}

/* ---- the links with most to serve ---- */

static double load_ps(const struct cs_limit_load *load)
{
    return (double)load->bytes * load->ps_per_byte;
}

/* Longest first, then by number. */
static int limit_compare_loads(const void *one, const void *other)
{
    const struct cs_limit_load *a = one;
    const struct cs_limit_load *b = other;

    if (load_ps(a) != load_ps(b))
        return load_ps(a) > load_ps(b) ? -1 : 1;
    return a->link < b->link ? -1 : 1;
}

static void limit_find_loads(struct cs_time_limit *limit, const struct limit_sample *sample)
{
    const struct cs_net *net = sample->net;

    limit->load_count = 0;
    limit->loads = cs_arena_alloc(sample->arena, net->link_count, sizeof(*limit->loads));
    for (uint32_t i = 0; i < net->link_count; i++)
        if (sample->bytes[i])
            limit->loads[limit->load_count++] =
                (struct cs_limit_load){i, sample->bytes[i], cs_net_link_at(net, i).ps_per_byte};
    qsort(limit->loads, limit->load_count, sizeof(*limit->loads), limit_compare_loads);
    if (limit->load_count > CS_LIMIT_LINKS)
        limit->load_count = CS_LIMIT_LINKS;
}

/* The longest of the bytes not yet served, in picoseconds. */
static double limit_rest_ps(const struct cs_time_limit *limit, const struct cs_link_use *use)
{
    double most_ps = 0;

    for (uint32_t i = 0; i < limit->load_count; i++) {
        struct cs_limit_load load = limit->loads[i];
        uint64_t served = use ? use[load.link].bytes : 0;

        load.bytes -= served < load.bytes ? served : load.bytes;
        if (load_ps(&load) > most_ps)
            most_ps = load_ps(&load);
    }
    return most_ps;
}

static void limit_renew(struct cs_time_limit *limit, uint64_t now_ps, const struct cs_link_use *use)
{
    uint64_t least_ps = now_ps + (uint64_t)limit_rest_ps(limit, use);

    if (least_ps > limit->least_ps)
        limit->least_ps = least_ps;
    limit->passed = limit->least_ps > limit->limit_ps;
}

/* A run that is compared with one without faults has no limit, and rates are those of the
 * start. */
static bool limit_allows_faults(const struct cs_run *run)
{
    const struct cs_faults *faults = &run->which->scenario->faults;

    for (uint32_t i = 0; i < faults->count; i++)
        if (!run->which->is_candidate || faults->item[i].at_ps)
            return false;
    return true;
}

static bool limit_applies(const struct cs_run *run)
{
    return run->which->limit_ps && !run->main && !run->draws_routes && limit_allows_faults(run);
}

/* Whether a link serves its bytes at its rate. */
static bool limit_counts_bytes(const struct cs_run *run)
{
    const struct cs_link_model *model = run->which->scenario->model;

    return model->queues_messages && !model->ports_only;
}

/* Full nodes; else 1. */
static uint32_t limit_ranks_of_a_node(const struct cs_run *run)
{
    uint32_t each = run->call.group;

    return each == 0 || run->program.ranks % each ? 1 : each;
}

/* A send takes until the message arrives, unless senders continue earlier. */
static bool limit_has_slow_sends(const struct cs_run *run)
{
    return !run->machine->transport.eager || !run->which->scenario->model->takes_eager;
}

struct cs_time_limit *cs_time_limit_of(const struct cs_run *run)
{
    struct limit_sample sample = {.program = &run->program,
                                  .net = &run->net,
                                  .each = limit_ranks_of_a_node(run),
                                  .arena = run->arena};
    struct cs_time_limit *limit;

    if (!limit_applies(run))
        return NULL;
    limit = cs_arena_alloc(run->arena, 1, sizeof(*limit));
    limit->limit_ps = run->which->limit_ps;
    if (cs_run_is_noisy(run) || run->which->scenario->other_jobs.count)
        limit->limit_ps = (uint64_t)(order_gain * (double)limit->limit_ps);
    if (!limit_counts_bytes(run))
        return limit;
    sample_open(&sample);
    limit_find_loads(limit, &sample);
    if (limit_has_slow_sends(run))
        limit->least_ps = sample.lane_ps;
    limit_renew(limit, 0, NULL);
    if (!run->net.links)
        limit->load_count = 0; /* a run of all ranks may number links otherwise */
    return limit;
}

/* Representatives in a row that are in one node; 1 where they vary. */
static uint32_t limit_representatives_of_a_node(const struct cs_run *run)
{
    const struct cs_fold *fold = run->fold;
    uint32_t group = limit_ranks_of_a_node(run);
    uint32_t node = cs_fold_representative(fold, 0) / group;
    uint32_t each = 1;

    while (each < fold->group.orbits && cs_fold_representative(fold, each) / group == node)
        each++;
    return fold->group.orbits % each ? 1 : each;
}

struct cs_time_limit *cs_time_limit_of_fold(const struct cs_run *run)
{
    const struct cs_fold *fold = run->fold;
    struct limit_sample sample = {.program = &fold->program,
                                  .net = &fold->net,
                                  .each = limit_representatives_of_a_node(run),
                                  .arena = run->arena};
    struct cs_time_limit *limit;

    if (!run->limit || fold->uneven)
        return NULL;
    limit = cs_arena_alloc(run->arena, 1, sizeof(*limit));
    *limit = *run->limit;
    if (!limit_counts_bytes(run))
        return limit;
    sample_open(&sample);
    limit_find_loads(limit, &sample);
    return limit;
}

bool cs_time_limit_update(void *ctx, const struct cs_progress *progress)
{
    struct cs_time_limit *limit = ctx;

    if (limit->inner && !limit->inner->update(limit->inner->ctx, progress))
        return false;
    limit_renew(limit, progress->time_ps, progress->use);
    return !limit->passed;
}
