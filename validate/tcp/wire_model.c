#include "validate/tcp/wire_model.h"

#include "sim/base/statistics.h"
#include "sim/base/text.h"
#include "sim/engine/exec.h"
#include "sim/models/models.h"
#include "validate/tcp/pattern.h"

#include <math.h>

enum {
    SHORT_BYTES = 4096,     /* messages of alpha */
    WITHIN_BYTES = 65536,   /* within a token bucket */
    BEYOND_BYTES = 1 << 18, /* just beyond it */
    LARGE_BYTES = 1 << 20,  /* far beyond it */
    POINTS_MAX = 64,
};

/* Runs begin at that time of the simulation: buckets are full then. */
#define BEGIN_PS 1000000000000ull

/* ---- lookups ---- */

static bool model_is(const struct cs_tcp_line *line, const char *pattern, uint64_t k)
{
    return cs_same(line->kind, "pattern") && cs_same(line->algorithm, pattern) && line->k == k;
}

/* The time of a pattern at a size; 0: not measured. */
static double model_time(const struct cs_tcp_lines *lines, const char *pattern, uint64_t k,
                         uint64_t bytes)
{
    for (size_t i = 0; i < lines->count; i++)
        if (model_is(&lines->items[i], pattern, k) && lines->items[i].bytes == bytes)
            return lines->items[i].time_s;
    return 0;
}

/* The largest size of a pattern below `below`; 0: none. */
static uint64_t model_largest(const struct cs_tcp_lines *lines, const char *pattern, uint64_t k,
                              uint64_t below)
{
    uint64_t most = 0;

    for (size_t i = 0; i < lines->count; i++)
        if (model_is(&lines->items[i], pattern, k) && lines->items[i].bytes < below &&
            lines->items[i].bytes > most)
            most = lines->items[i].bytes;
    return most;
}

static double model_median(double *values, uint32_t count)
{
    return count > 0 ? cs_spread_of(values, count).median : 0;
}

/* The figure of `number` in a table by number, else of the nearest number. */
static double model_of(const double *table, uint32_t number)
{
    if (number >= CS_TCP_MODEL_PARTIES)
        number = CS_TCP_MODEL_PARTIES - 1;
    for (uint32_t away = 0; away < CS_TCP_MODEL_PARTIES; away++) {
        if (away < number && table[number - away] > 0)
            return table[number - away];
        if (number + away < CS_TCP_MODEL_PARTIES && table[number + away] > 0)
            return table[number + away];
    }
    return 0;
}

/* ---- figures ---- */

static int model_missing(const char *pattern, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT,
                      "the calibration has no pattern '%s'; expected the lines of 'collsim measure "
                      "tcp --calibrate'",
                      pattern);
}

static void model_set_latencies(const struct cs_tcp_lines *lines, struct cs_tcp_model *model)
{
    for (uint32_t k = 1; k < CS_TCP_MODEL_PARTIES; k++) {
        double trips_s = model_time(lines, "pingpongs", k, SHORT_BYTES);
        double once_s = model_time(lines, "pairs-both", k, SHORT_BYTES);
        double alpha_s = (trips_s - once_s) / (2 * CS_TCP_TRIPS - 1);

        if (!(trips_s > 0) || !(once_s > 0))
            continue;
        model->alpha_s[k] = fmax(alpha_s, 1e-9);
        model->start_s[k] = fmax(once_s - alpha_s, 1e-9);
    }
}

static void model_set_work(struct cs_tcp_model *model)
{
    uint32_t most = CS_TCP_MODEL_PARTIES - 1;

    while (most > 2 && !(model->alpha_s[most] > 0))
        most--;
    if (most > 2 && model->alpha_s[2] > 0)
        model->work_s = fmax(0, model->alpha_s[most] - model->alpha_s[2]) / (most - 2);
}

static void model_set_peak(const struct cs_tcp_lines *lines, struct cs_tcp_model *model)
{
    double slope =
        (model_time(lines, "one", 1, WITHIN_BYTES) - model_time(lines, "one", 1, SHORT_BYTES)) /
        (WITHIN_BYTES - SHORT_BYTES);

    model->peak_Bps = fmax(1 / fmax(slope, 1e-11), model->rate_Bps);
}

static int model_set_rate(const struct cs_tcp_lines *lines, struct cs_tcp_model *model,
                          struct cs_err *err)
{
    uint64_t most = model_largest(lines, "one", 1, UINT64_MAX);
    uint64_t second = model_largest(lines, "one", 1, most);
    double slope = (model_time(lines, "one", 1, most) - model_time(lines, "one", 1, second)) /
                   (double)(most - second);

    if (second < LARGE_BYTES || !(slope > 0))
        return model_missing("one", err);
    model->rate_Bps = 1 / slope;
    return 0;
}

/* Seconds of the messages of a pattern, without start and alpha. */
static double model_net_s(const struct cs_tcp_model *model, const struct cs_tcp_line *line)
{
    uint32_t pairs = (uint32_t)(line->ranks + 1) / 2;

    return line->time_s - model_of(model->start_s, pairs) - model_of(model->alpha_s, pairs);
}

static void model_set_burst(const struct cs_tcp_lines *lines, struct cs_tcp_model *model)
{
    double points[POINTS_MAX];
    uint32_t count = 0;

    for (size_t i = 0; i < lines->count && count < POINTS_MAX; i++) {
        const struct cs_tcp_line *line = &lines->items[i];

        if (model_is(line, "one", 1) && line->bytes >= BEYOND_BYTES &&
            line->bytes <= 16ull * BEYOND_BYTES)
            points[count++] = (double)line->bytes - model_net_s(model, line) * model->rate_Bps;
    }
    model->burst_bytes = fmax(0, model_median(points, count));
}

/* The slowdown of a pattern beyond `factor` times its bytes at the rate. */
static double model_slowdown(const struct cs_tcp_lines *lines, const struct cs_tcp_model *model,
                             const char *pattern, uint64_t k, double factor)
{
    double points[POINTS_MAX];
    uint32_t count = 0;

    for (size_t i = 0; i < lines->count && count < POINTS_MAX; i++) {
        const struct cs_tcp_line *line = &lines->items[i];
        double bytes = factor * (double)line->bytes - model->burst_bytes;

        if (model_is(line, pattern, k) && line->bytes >= LARGE_BYTES && bytes > 0)
            points[count++] = model_net_s(model, line) * model->rate_Bps / bytes;
    }
    return count > 0 ? fmax(1, model_median(points, count)) : 0;
}

static void model_set_slowdowns(const struct cs_tcp_lines *lines, struct cs_tcp_model *model)
{
    double fans[2 * CS_TCP_MODEL_PARTIES];
    uint32_t count = 0;

    for (uint32_t k = 1; k < CS_TCP_MODEL_PARTIES; k++) {
        double in = model_slowdown(lines, model, "in", k, k);
        double out = model_slowdown(lines, model, "out", k, k);
        uint64_t most = model_largest(lines, "sum", k, UINT64_MAX);

        if (in > 0)
            fans[count++] = in;
        if (out > 0)
            fans[count++] = out;
        model->both[k] = model_slowdown(lines, model, "pairs-both", k, 1);
        if (most > 0)
            model->gamma_s[k] =
                fmax(0, model_time(lines, "sum", k, most) - model_of(model->start_s, (k + 1) / 2)) /
                (double)most;
    }
    model->fan = count > 0 ? model_median(fans, count) : 1;
}

int cs_tcp_model_make(const struct cs_tcp_lines *lines, struct cs_tcp_model *model,
                      struct cs_err *err)
{
    int code;

    *model = (struct cs_tcp_model){0};
    code = model_set_rate(lines, model, err);
    if (code)
        return code;
    model_set_latencies(lines, model);
    if (!(model_of(model->alpha_s, 1) > 0))
        return model_missing("pingpongs", err);
    model_set_work(model);
    model_set_peak(lines, model);
    model_set_burst(lines, model);
    model_set_slowdowns(lines, model);
    if (!(model_of(model->both, 1) > 0))
        return model_missing("pairs-both", err);
    return 0;
}

/* ---- the program ---- */

/* What the rounds of a program do. */
struct model_habits {
    bool both;         /* a party sends and receives in one round */
    bool adds_sent;    /* a round adds to a block that it sends */
    double port_bytes; /* of the busiest port, one direction */
    uint64_t messages;
};

static void model_see_round(const struct cs_program *program, const struct cs_ops *ops,
                            struct model_habits *habits)
{
    bool sends = false;
    bool receives = false;

    for (uint32_t i = 0; i < ops->count; i++) {
        const struct cs_op *op = &ops->op[i];

        sends = sends || op->kind == CS_OP_SEND;
        receives = receives || op->kind == CS_OP_RECV || op->kind == CS_OP_RECV_REDUCE;
        for (uint32_t k = 0; k < ops->count && op->kind == CS_OP_RECV_REDUCE; k++)
            if (ops->op[k].kind == CS_OP_SEND && cs_ops_meet(program, op, &ops->op[k]))
                habits->adds_sent = true;
    }
    if (sends && receives)
        habits->both = true;
}

/* Looks at every round of every party: programs over TCP are small. */
static struct model_habits model_habits_of(const struct cs_program *program)
{
    struct model_habits habits = {0};
    struct cs_cut cut = cs_cut_of(program);
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    for (uint32_t party = 0; party < cs_program_parties(program); party++) {
        double out = 0;
        double in = 0;

        for (uint32_t lane = 0; lane < program->lanes; lane++)
            for (uint64_t round = 0; round < cs_program_rounds(program, party, lane); round++) {
                cs_program_read(program, (struct cs_at){party, lane, round}, &ops);
                model_see_round(program, &ops, &habits);
                for (uint32_t i = 0; i < ops.count; i++)
                    if (ops.op[i].kind == CS_OP_SEND) {
                        out += (double)cs_op_bytes(&cut, &ops.op[i]);
                        habits.messages++;
                    } else if (ops.op[i].kind <= CS_OP_RECV_REDUCE)
                        in += (double)cs_op_bytes(&cut, &ops.op[i]);
            }
        habits.port_bytes = fmax(habits.port_bytes, fmax(out, in));
    }
    return habits;
}

/* Messages that parties send in rounds of one number. */
struct model_flows {
    uint32_t count;
    double timeouts; /* of the longest message */
};

/* Whether data of the round flow back over the connection of a send. */
static bool model_is_answered(const struct cs_ops *ops, uint32_t peer)
{
    for (uint32_t i = 0; i < ops->count; i++)
        if ((ops->op[i].kind == CS_OP_RECV || ops->op[i].kind == CS_OP_RECV_REDUCE) &&
            ops->op[i].peer == peer)
            return true;
    return false;
}

static void model_see_flows(const struct cs_program *program, double loss, const struct cs_ops *ops,
                            struct model_flows *flows)
{
    struct cs_cut cut = cs_cut_of(program);

    for (uint32_t i = 0; i < ops->count; i++) {
        const struct cs_op *op = &ops->op[i];
        double timeouts;

        if (op->kind != CS_OP_SEND)
            continue;
        timeouts = cs_tcp_loss_timeouts(loss, (double)cs_op_bytes(&cut, op),
                                        model_is_answered(ops, op->peer));
        flows->count++;
        flows->timeouts = fmax(flows->timeouts, timeouts);
    }
}

/* Timeouts one after another: a round ends with its slowest message. */
static double model_timeouts(const struct cs_program *program, double loss)
{
    uint32_t parties = cs_program_parties(program);
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    double sum = 0;
    bool more = true;

    for (uint64_t round = 0; more; round++) {
        struct model_flows flows = {0};

        more = false;
        for (uint32_t at = 0; at < parties * program->lanes; at++) {
            uint32_t party = at / program->lanes;
            uint32_t lane = at % program->lanes;

            if (round >= cs_program_rounds(program, party, lane))
                continue;
            more = true;
            cs_program_read(program, (struct cs_at){party, lane, round}, &ops);
            model_see_flows(program, loss, &ops, &flows);
        }
        sum += flows.count ? cs_tcp_loss_most(flows.timeouts, flows.count) : 0;
    }
    return sum;
}

static uint64_t model_begin(const void *ctx, struct cs_at at)
{
    (void)at;
    (void)ctx;
    return BEGIN_PS;
}

/* ---- the network ---- */

static uint32_t model_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    (void)ctx;
    links[0] = 2 * src;
    links[1] = 2 * dst + 1;
    return 2;
}

struct model_wires {
    uint32_t parties;
    double rate_Bps, peak_Bps;
    double burst_bytes; /* 0: no buckets */
    double alpha_s;
    double gamma_s;
    double slow_Bps; /* of party 0; 0: as the others */
};

static struct cs_net model_net(const struct model_wires *wires, struct cs_arena *arena)
{
    struct cs_net net = {.link_count = 2 * wires->parties,
                         .resource_count = 2 * wires->parties,
                         .party_count = wires->parties,
                         .node_count = wires->parties + 1,
                         .route = model_route,
                         .max_hops = 2};

    net.links = cs_arena_alloc(arena, net.link_count, sizeof(*net.links));
    net.parties = cs_arena_alloc(arena, net.party_count, sizeof(*net.parties));
    for (uint32_t i = 0; i < net.link_count; i++) {
        uint32_t host = i / 2;
        bool in = i % 2;

        net.links[i] = (struct cs_net_link){
            .rate_Bps = host == 0 && wires->slow_Bps > 0 ? wires->slow_Bps : wires->rate_Bps,
            .latency_ps = in ? 0 : (uint64_t)(wires->alpha_s * 1e12),
            .resource = i,
            .from = in ? wires->parties : host,
            .to = in ? host : wires->parties,
            .burst_ps = (uint64_t)(wires->burst_bytes / wires->rate_Bps * 1e12),
            .peak_ps_per_byte = 1e12 / wires->peak_Bps,
        };
    }
    for (uint32_t i = 0; i < net.party_count; i++)
        net.parties[i] =
            (struct cs_net_party){.node = i, .reduce_ps_per_byte = wires->gamma_s * 1e12};
    cs_net_finish(&net);
    return net;
}

/* Seconds of a program in a model, from the begin, with the rate of party 0 changed
 * where `query`, or NULL, says so. */
static int model_run(const struct model_wires *wires, const char *how,
                     const struct cs_program *program, const struct cs_tcp_query *query,
                     double *time_s, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct model_wires slow = *wires;
    struct cs_net net = model_net(wires, &arena);
    struct cs_net after;
    struct cs_net_change change = {.net = &after};
    struct cs_exec_request request = {.program = program,
                                      .net = &net,
                                      .model = cs_link_model_find(how),
                                      .eager = true,
                                      .changes = &change};
    struct cs_exec_result result;
    int code;

    if (query && query->change_Bps > 0) {
        change.at_ps = BEGIN_PS + (uint64_t)(query->change_s * 1e12);
        slow.slow_Bps = query->change_Bps;
        after = model_net(&slow, &arena);
        cs_net_forget_ahead(&net);
        cs_net_forget_ahead(&after);
        request.change_count = 1;
    }
    code = cs_exec_run_watched(&request, &arena, &result, err);
    if (!code)
        *time_s = (double)(result.time_ps - BEGIN_PS) * 1e-12;
    return code;
}

static int model_simulate(const struct cs_tcp_model *model, const struct cs_tcp_query *query,
                          struct cs_program *program, struct cs_tcp_prediction *prediction,
                          struct cs_err *err)
{
    struct model_habits habits = model_habits_of(program);
    uint32_t parties = cs_program_parties(program);
    uint32_t pairs = (parties + 1) / 2;
    struct model_wires wires = {
        .parties = parties,
        .peak_Bps = model->peak_Bps,
        .rate_Bps = model->rate_Bps / (habits.both ? model_of(model->both, pairs) : model->fan),
        .alpha_s = model_of(model->alpha_s, pairs),
        .gamma_s = habits.adds_sent ? model_of(model->gamma_s, parties) : 0,
    };
    double shared_s = 0;
    double without_s = 0;
    double with_s = 0;
    int code;

    if (query->loss > 0)
        wires.rate_Bps = fmin(wires.rate_Bps, cs_tcp_loss_rate_Bps(2 * wires.alpha_s, query->loss));
    program->start_ps = model_begin;
    code = model_run(&wires, "fluid", program, query, &shared_s, err);
    if (!code)
        code = model_run(&wires, "fifo", program, NULL, &without_s, err);
    wires.burst_bytes = model->burst_bytes;
    if (!code)
        code = model_run(&wires, "fifo", program, NULL, &with_s, err);
    if (code)
        return code;
    prediction->time_s =
        model_of(model->start_s, pairs) + fmax(fmax(with_s, shared_s - (without_s - with_s)),
                                               (double)habits.messages * model->work_s);
    if (query->loss > 0)
        prediction->time_s += cs_tcp_loss_wait_s(query->loss, model_timeouts(program, query->loss));
    prediction->bound_s = fmax(0, habits.port_bytes - model->burst_bytes) / model->rate_Bps;
    return 0;
}

int cs_tcp_model_predict(const struct cs_tcp_model *model, const struct cs_tcp_query *query,
                         struct cs_tcp_prediction *prediction, struct cs_err *err)
{
    const struct cs_collective *collective = cs_collective_find(query->collective);
    struct cs_hockney hockney = {50e-6, query->shaped_Bps > 0 ? query->shaped_Bps : 1.25e9, 0};
    struct cs_call call = {.ranks = query->ranks, .elements = query->bytes / 4, .element_bytes = 4};
    const struct cs_algo *algo = NULL;
    struct cs_program program;
    int code;

    *prediction = (struct cs_tcp_prediction){0};
    if (!collective)
        return cs_err_set(err, CS_EINPUT, "no collective '%.40s'", query->collective);
    code = cs_algo_choose(query->algorithm, collective, &algo, err);
    if (!code)
        code = cs_algo_check(algo, &call, err);
    if (code)
        return code;
    cs_algo_resolve(algo, &call, &hockney);
    program = cs_algo_program(algo, &call);
    return model_simulate(model, query, &program, prediction, err);
}
