#include "scenarios/measure/tcp.h"

#include "scenarios/run/case/memory_limit.h"
#include "sim/base/units.h"
#include "validate/tcp/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    ELEMENT_BYTES = 4,
    BUFFER_LEAST = 2 << 10, /* below it a window opens by timers alone */
};

#define PS_PER_NS      1000ull
#define RATE_LEAST_BPS 125.0 /* 1 kb/s; tc-tbf takes no fraction of a bit */

struct tcp_output {
    const struct cs_measure_tcp_call *call;
    FILE *file;
};

static int tcp_cannot_write(const struct cs_measure_tcp_call *call, struct cs_err *err)
{
    return cs_err_set(err, CS_ECANNOT, "cannot write '%s': %s",
                      call->out ? call->out : "the output", strerror(errno));
}

static int tcp_print(void *ctx, const char *line, struct cs_err *err)
{
    const struct tcp_output *output = ctx;

    if (fputs(line, output->file) == EOF || fflush(output->file) != 0)
        return tcp_cannot_write(output->call, err);
    return 0;
}

/* ---- options ---- */

static int tcp_read_loss(const char *text, double *loss, struct cs_err *err)
{
    int code = text ? cs_units_fraction(text, loss, err) : 0;

    if (!code && *loss > 0.5)
        code = cs_err_set(err, CS_EINPUT, "'%s' is more than 50 %%", text);
    return code ? cs_err_prefix(err, "--drop") : 0;
}

/* RATE@TIME. */
static int tcp_read_change(const char *text, struct cs_arena *arena, struct cs_tcp_session *session,
                           struct cs_err *err)
{
    const char *at = text ? strchr(text, '@') : NULL;
    uint64_t time_ps = 0;
    int code = 0;

    if (!text)
        return 0;
    if (!at)
        code = cs_err_set(err, CS_EINPUT,
                          "'%.40s' has no time; expected RATE@TIME, as in 500Mb/s@200ms", text);
    if (!code)
        code = cs_units_rate(cs_arena_text_n(arena, text, (size_t)(at - text)),
                             &session->change_Bps, err);
    if (!code)
        code = cs_units_time(at + 1, &time_ps, err);
    if (!code && session->change_Bps < RATE_LEAST_BPS)
        code = cs_err_set(err, CS_EINPUT, "'%.40s' is too low; expected 1 kb/s or more", text);
    session->change_ns = time_ps / PS_PER_NS;
    return code ? cs_err_prefix(err, "--change") : 0;
}

static int tcp_check(const struct cs_measure_tcp_call *call, struct cs_err *err)
{
    const struct cs_measure_tcp *options = call->options;

    if (call->scenario->cluster.topo_named)
        return cs_err_set(err, CS_EINPUT,
                          "--topo has no effect here; the hosts are those of --hosts");
    if (call->scenario->dtype->bytes != ELEMENT_BYTES)
        return cs_err_set(err, CS_EINPUT, "elements are integers of 4 bytes here, not %s",
                          call->scenario->dtype->name);
    for (uint32_t i = 0; i < call->scenario->rank_count; i++)
        if (call->scenario->ranks[i] < 2)
            return cs_err_set(err, CS_EINPUT, "--ranks %u; expected 2 ranks or more",
                              call->scenario->ranks[i]);
        else if (options->hosts && call->scenario->ranks[i] > options->hosts)
            return cs_err_set(
                err, CS_EINPUT,
                "--ranks %u are more than --hosts %u; each rank has a host of its own",
                call->scenario->ranks[i], options->hosts);
    if (call->calibrates && call->scenario->rank_count > 0)
        return cs_err_set(err, CS_EINPUT,
                          "--ranks has no effect with --calibrate, which uses all --hosts");
    if (call->scenario->choice == CS_CHOICE_AUTO)
        return cs_err_set(err, CS_EINPUT,
                          "--algo auto chooses by the model, which a measurement does not use; "
                          "expected names or all");
    if (options->rate_Bps < RATE_LEAST_BPS)
        return cs_err_set(err, CS_EINPUT, "--rate is too low; expected 1 kb/s or more");
    if (options->buffer_bytes > 0 && options->buffer_bytes < BUFFER_LEAST)
        return cs_err_set(err, CS_EINPUT, "--socket-buffer is too small; expected 2 KiB or more");
    if (options->poll && call->options->plain)
        return cs_err_set(
            err, CS_EINPUT,
            "--plain has no effect with --poll, which never uses the real-time class");
    return 0;
}

/* ---- programs ---- */

/* A collective at the sizes of the scenario. */
struct tcp_case {
    const struct cs_algo *algo;
    uint32_t ranks;
    struct cs_call *calls;
    struct cs_program *programs;
    const struct cs_program **list;
    uint64_t *bytes;
    uint32_t count;
};

/* A rank is a process with a vector of its own. */
static int tcp_check_memory(const struct tcp_case *which, uint64_t bytes, struct cs_err *err)
{
    double has_bytes = cs_host_memory_bytes();

    if ((double)bytes * which->ranks <= has_bytes)
        return 0;
    return cs_err_set(
        err, CS_EINPUT, "%u ranks with a vector of %s each exceed the %s of memory of this host",
        which->ranks, cs_show_bytes(bytes).text, cs_show_bytes((uint64_t)has_bytes).text);
}

/* Chunks and the like are chosen for the lab's own figures: the rate that is
 * asked for, and a usual latency. */
static int tcp_program(const struct cs_measure_tcp_call *call, struct tcp_case *which,
                       uint64_t bytes, struct cs_err *err)
{
    double rate_Bps = call->options->rate_Bps;
    struct cs_hockney hockney = {50e-6, rate_Bps > 0 ? rate_Bps : 1.25e9, 0};
    uint32_t i = which->count;
    uint64_t elements = bytes / ELEMENT_BYTES;
    int code;

    which->calls[i] = (struct cs_call){
        .ranks = which->ranks, .elements = elements ? elements : 1, .element_bytes = ELEMENT_BYTES};
    if (which->algo->moves_blocks || which->algo->collective != &cs_collective_allreduce)
        which->calls[i].elements = (elements + which->ranks - 1) / which->ranks * which->ranks;
    code = tcp_check_memory(which, bytes, err);
    if (!code)
        code = cs_algo_check(which->algo, &which->calls[i], err);
    if (code)
        return code;
    cs_algo_resolve(which->algo, &which->calls[i], &hockney);
    which->programs[i] = cs_algo_program(which->algo, &which->calls[i]);
    which->list[i] = &which->programs[i];
    which->bytes[i] = which->calls[i].elements * ELEMENT_BYTES;
    which->count++;
    return 0;
}

static int tcp_case_open(const struct cs_measure_tcp_call *call, const struct cs_algo *algo,
                         uint32_t ranks, struct tcp_case *which, struct cs_err *err)
{
    struct cs_scenario *scenario = call->scenario;
    struct cs_arena *arena = scenario->arena;
    int code = 0;

    *which = (struct tcp_case){.algo = algo, .ranks = ranks};
    which->calls = cs_arena_alloc(arena, scenario->size_count, sizeof(*which->calls));
    which->programs = cs_arena_alloc(arena, scenario->size_count, sizeof(*which->programs));
    which->list = cs_arena_alloc(arena, scenario->size_count, sizeof(const struct cs_program *));
    which->bytes = cs_arena_alloc(arena, scenario->size_count, sizeof(*which->bytes));
    for (uint32_t i = 0; i < scenario->size_count && !code; i++)
        code = tcp_program(call, which, scenario->sizes[i], err);
    return code;
}

/* ---- runs ---- */

/* The cases of a call. */
struct tcp_cases {
    struct tcp_case *items;
    uint32_t count;
    uint32_t hosts; /* of the largest */
};

static int tcp_cases_open(const struct cs_measure_tcp_call *call, struct tcp_cases *cases,
                          struct cs_err *err)
{
    struct cs_scenario *scenario = call->scenario;
    uint32_t alone = call->options->hosts ? call->options->hosts : 4;
    const uint32_t *ranks = scenario->rank_count ? scenario->ranks : &alone;
    uint32_t rank_count = scenario->rank_count ? scenario->rank_count : 1;
    int code = 0;

    cases->items = cs_arena_alloc(scenario->arena, (size_t)rank_count * scenario->algo_count,
                                  sizeof(*cases->items));
    for (uint32_t i = 0; i < rank_count * scenario->algo_count && !code; i++) {
        struct tcp_case *which = &cases->items[cases->count++];
        uint32_t parties;

        code = tcp_case_open(call, scenario->algos[i % scenario->algo_count],
                             ranks[i / scenario->algo_count], which, err);
        if (code && scenario->choice == CS_CHOICE_ALL) {
            fprintf(call->cli->messages, "collsim: skipped %s: %s\n", which->algo->name, err->text);
            *err = (struct cs_err){0};
            cases->count--;
            code = 0;
            continue;
        }
        if (code)
            return code;
        parties = cs_program_parties(which->list[0]);
        if (parties > cases->hosts)
            cases->hosts = parties;
    }
    if (cases->hosts > CS_TCP_HOSTS_MAX)
        code = cs_err_set(err, CS_EINPUT, "%u parties, more than %d hosts", cases->hosts,
                          CS_TCP_HOSTS_MAX);
    return code;
}

static int tcp_run_cases(const struct cs_tcp_session *session, const struct tcp_cases *cases,
                         struct cs_err *err)
{
    int code = 0;

    for (uint32_t i = 0; i < cases->count && !code; i++) {
        const struct tcp_case *which = &cases->items[i];
        struct cs_tcp_sweep sweep = {.kind = "run",
                                     .algorithm = which->algo->name,
                                     .collective = which->algo->collective->name,
                                     .ranks = which->ranks,
                                     .programs = which->list,
                                     .bytes = which->bytes,
                                     .count = which->count};

        code = cs_tcp_session_sweep(session, &sweep, err);
    }
    return code;
}

/* Loopback has no wire: its packets are 64 KiB, and few of them are lost. */
static int tcp_check_loopback(const struct cs_measure_tcp *options, struct cs_err *err)
{
    const char *name = options->delay_ps > 0 ? "latency"
                       : options->loss       ? "drop"
                       : options->change     ? "change"
                                             : NULL;

    return name ? cs_err_set(err, CS_ECANNOT,
                             "--%s has no effect on loopback; it requires hosts made of namespaces",
                             name)
                : 0;
}

static int tcp_measure(const struct cs_measure_tcp_call *call, struct cs_tcp_session *session,
                       const struct tcp_cases *cases, uint32_t hosts, struct cs_err *err)
{
    const struct cs_measure_tcp *options = call->options;
    const struct cs_tcp_lab_spec spec = {.hosts = hosts,
                                         .rate_Bps = options->rate_Bps,
                                         .burst_bytes = options->burst_bytes,
                                         .queue_ps = 50000000000,
                                         .delay_ps = options->delay_ps,
                                         .packets = options->packets || session->team.loss > 0};
    struct cs_tcp_lab lab;
    int code = cs_tcp_lab_open(&spec, &lab, err);

    if (code)
        return code;
    if (lab.loopback) {
        fprintf(call->cli->messages,
                "note: ranks share loopback, unshaped: %s (needs root, CAP_NET_ADMIN or user "
                "namespaces)\n",
                lab.why);
        code = tcp_check_loopback(options, err);
    }
    session->team.lab = &lab;
    if (!code)
        code = call->calibrates ? cs_tcp_session_calibrate(session, hosts, err)
                                : tcp_run_cases(session, cases, err);
    session->team.lab = NULL;
    cs_tcp_lab_close(&lab);
    return code;
}

int cs_measure_tcp(const struct cs_measure_tcp_call *call, struct cs_err *err)
{
    const struct cs_measure_tcp *options = call->options;
    struct tcp_output output = {call, call->cli->out};
    struct tcp_cases cases = {.hosts = options->hosts ? options->hosts : 8};
    struct cs_tcp_session session = {
        .team = {.port = (uint16_t)options->port,
                 .congestion = options->congestion,
                 .buffer_bytes = (uint32_t)options->buffer_bytes,
                 .waiting = options->poll ? CS_TCP_POLL : CS_TCP_SLEEP,
                 .plain = options->plain,
                 .deadline_ns = call->deadline_ps / PS_PER_NS},
        .runs = options->runs,
        .command = call->command,
        .line = tcp_print,
        .ctx = &output,
    };
    int code = tcp_check(call, err);

    if (!code)
        code = tcp_read_loss(options->loss, &session.team.loss, err);
    if (!code)
        code = tcp_read_change(options->change, call->scenario->arena, &session, err);
    if (!code && !call->calibrates) {
        cases.hosts = 0;
        code = tcp_cases_open(call, &cases, err);
    }
    if (code)
        return code;
    if (call->out)
        output.file = fopen(call->out, "ab");
    if (!output.file)
        return cs_err_set(err, CS_EINPUT, "cannot write '%s': %s", call->out, strerror(errno));
    code = tcp_measure(call, &session, &cases, cases.hosts, err);
    if (call->out && fclose(output.file) != 0 && !code)
        code = tcp_cannot_write(call, err);
    return code;
}
