#include "validate/tcp/session.h"

#include "validate/cuda/jsonl.h"
#include "validate/cuda/sample.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum {
    WARM_RUNS = 1,
};

/* The runs of one size. */
struct repeats {
    double *times_s; /* in the order of the runs */
    double *sorted_s;
    uint32_t count, disturbed;
    struct cs_tcp_timed sum; /* worst load, sums of the rest */
};

/* ---- the line ---- */

static void session_first_line(const char *path, char *text, size_t room)
{
    FILE *file = fopen(path, "r");

    text[0] = '\0';
    if (!file)
        return;
    if (!fgets(text, (int)room, file))
        text[0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    fclose(file);
}

static void session_add_machine(const struct cs_tcp_session *session, bool realtime,
                                struct cs_jsonl *line)
{
    struct utsname kernel;
    char congestion[64];
    char date[32];
    time_t now = time(NULL);
    struct tm utc;

    session_first_line("/proc/sys/net/ipv4/tcp_congestion_control", congestion, sizeof(congestion));
    uname(&kernel);
    gmtime_r(&now, &utc);
    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &utc);
    cs_jsonl_text(line, "congestion",
                  session->team.congestion ? session->team.congestion : congestion);
    cs_jsonl_u64(line, "socket_buffer", session->team.buffer_bytes);
    cs_jsonl_text(line, "waiting", session->team.waiting == CS_TCP_POLL ? "poll" : "sleep");
    cs_jsonl_text(line, "scheduler", realtime ? "round-robin" : "normal");
    cs_jsonl_text(line, "kernel", kernel.release);
    cs_jsonl_u64(line, "processors", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
    cs_jsonl_text(line, "date", date);
    cs_jsonl_text(line, "version", CS_VERSION);
    cs_jsonl_text(line, "command", session->command ? session->command : "");
}

static void session_add_lab(const struct cs_tcp_session *session, struct cs_jsonl *line)
{
    const struct cs_tcp_lab_spec *spec = &session->team.lab->spec;
    bool loopback = session->team.lab->loopback;

    cs_jsonl_text(line, "lab", loopback ? "loopback" : "namespaces");
    cs_jsonl_real(line, "rate_Bps", loopback ? 0 : spec->rate_Bps);
    cs_jsonl_u64(line, "burst_bytes", loopback ? 0 : spec->burst_bytes);
    cs_jsonl_real(line, "queue_s", loopback ? 0 : (double)spec->queue_ps * 1e-12);
    cs_jsonl_real(line, "delay_s", (double)spec->delay_ps * 1e-12);
    cs_jsonl_u64(line, "packets", !loopback && spec->packets);
    cs_jsonl_real(line, "loss", session->team.loss);
    cs_jsonl_real(line, "change_Bps", session->change_Bps);
    cs_jsonl_real(line, "change_s", (double)session->change_ns * 1e-9);
}

static void session_add_times(struct repeats *repeats, struct cs_jsonl *line)
{
    struct cs_sample sample = {repeats->sorted_s, repeats->count};
    struct cs_sample_figures figures;

    memcpy(repeats->sorted_s, repeats->times_s, repeats->count * sizeof(*repeats->times_s));
    figures = cs_sample_figures_of(&sample);
    cs_jsonl_u64(line, "runs", repeats->count);
    cs_jsonl_u64(line, "disturbed", repeats->disturbed);
    cs_jsonl_u64(line, "wrong", repeats->sum.wrong);
    cs_jsonl_real(line, "time_s", figures.median);
    cs_jsonl_real(line, "time_least_s", figures.least);
    cs_jsonl_real(line, "time_p10_s", figures.p10);
    cs_jsonl_real(line, "time_p90_s", figures.p90);
    cs_jsonl_reals(line, "times_s", repeats->times_s, repeats->count < 20 ? repeats->count : 20);
    cs_jsonl_real(line, "cpu_s", repeats->sum.cpu_s / repeats->count);
    cs_jsonl_u64(line, "resent", repeats->sum.resent);
    cs_jsonl_real(line, "load", repeats->sum.load);
    cs_jsonl_real(line, "steal", repeats->sum.steal_share);
}

static int session_print(const struct cs_tcp_session *session, const struct cs_tcp_sweep *sweep,
                         uint32_t i, bool realtime, struct repeats *repeats, struct cs_err *err)
{
    const struct cs_program *program = sweep->programs[i];
    struct cs_jsonl line = {0};
    int code;

    cs_jsonl_u64(&line, "collsim_tcp", 1);
    cs_jsonl_text(&line, "kind", sweep->kind);
    cs_jsonl_text(&line, "algorithm", sweep->algorithm);
    cs_jsonl_text(&line, "collective", sweep->collective);
    cs_jsonl_u64(&line, "ranks", sweep->ranks);
    cs_jsonl_u64(&line, "parties", cs_program_parties(program));
    cs_jsonl_u64(&line, "k", sweep->k);
    cs_jsonl_u64(&line, "bytes", sweep->bytes[i]);
    session_add_times(repeats, &line);
    session_add_lab(session, &line);
    session_add_machine(session, realtime, &line);
    code = session->line(session->ctx, cs_jsonl_end(&line), err);
    cs_jsonl_free(&line);
    if (!code && repeats->sum.wrong > 0)
        code = cs_err_set(err, CS_EANSWER, "%s of %llu bytes on %u ranks: %llu wrong elements",
                          sweep->algorithm, (unsigned long long)sweep->bytes[i], sweep->ranks,
                          (unsigned long long)repeats->sum.wrong);
    return code;
}

/* ---- runs ---- */

static int session_change(void *ctx, struct cs_err *err)
{
    const struct cs_tcp_session *session = ctx;

    return cs_tcp_lab_set_rate(session->team.lab, 0, session->change_Bps, err);
}

static int session_run(const struct cs_tcp_session *session, struct cs_tcp_team *team,
                       uint32_t number, struct cs_tcp_timed *timed, struct cs_err *err)
{
    struct cs_tcp_interlude change = {session->change_ns, session_change, (void *)session};
    bool changes = session->change_Bps > 0;
    int code = cs_tcp_team_run(team, number, changes ? &change : NULL, timed, err);

    if (!code && changes)
        code = cs_tcp_lab_set_rate(session->team.lab, 0, session->team.lab->spec.rate_Bps, err);
    return code;
}

static void session_count(const struct cs_tcp_timed *timed, struct repeats *repeats)
{
    struct cs_tcp_timed *sum = &repeats->sum;

    repeats->times_s[repeats->count++] = timed->time_s;
    sum->wrong += timed->wrong;
    sum->cpu_s += timed->cpu_s;
    sum->resent += timed->resent;
    if (timed->load > sum->load)
        sum->load = timed->load;
    if (timed->steal_share > sum->steal_share)
        sum->steal_share = timed->steal_share;
}

static int session_repeat(const struct cs_tcp_session *session, struct cs_tcp_team *team,
                          uint32_t number, struct repeats *repeats, struct cs_err *err)
{
    int code = 0;

    for (uint32_t run = 0; repeats->count < session->runs && !code; run++) {
        struct cs_tcp_timed timed = {0};
        bool disturbed;

        code = session_run(session, team, number, &timed, err);
        if (code || run < WARM_RUNS)
            continue;
        disturbed = timed.steal_share > CS_TCP_STEAL && repeats->disturbed < session->runs;
        repeats->disturbed += disturbed;
        if (!disturbed)
            session_count(&timed, repeats);
        else
            repeats->sum.wrong += timed.wrong;
    }
    return code;
}

static int session_size(const struct cs_tcp_session *session, const struct cs_tcp_sweep *sweep,
                        struct cs_tcp_team *team, uint32_t i, struct cs_err *err)
{
    struct repeats repeats = {0};
    int code;

    repeats.times_s = cs_grow(NULL, session->runs, sizeof(double));
    repeats.sorted_s = cs_grow(NULL, session->runs, sizeof(double));
    code = session_repeat(session, team, i, &repeats, err);
    if (!code)
        code = session_print(session, sweep, i, cs_tcp_team_is_realtime(team), &repeats, err);
    free(repeats.times_s);
    free(repeats.sorted_s);
    return code;
}

int cs_tcp_session_sweep(const struct cs_tcp_session *session, const struct cs_tcp_sweep *sweep,
                         struct cs_err *err)
{
    uint32_t parties = cs_program_parties(sweep->programs[0]);
    struct cs_tcp_team_spec spec = session->team;
    struct cs_tcp_team *team;
    int code;

    if (spec.parties < parties)
        spec.parties = parties;
    spec.programs = sweep->programs;
    spec.program_count = sweep->count;
    code = cs_tcp_team_start(&spec, &team, err);
    for (uint32_t i = 0; i < sweep->count && !code; i++)
        code = session_size(session, sweep, team, i, err);
    if (code)
        cs_err_prefix(err, "%s on %u ranks", sweep->algorithm, sweep->ranks);
    cs_tcp_team_stop(team);
    return code;
}

/* ---- calibration ---- */

enum {
    SIZES_MAX = 16,
    LONG_PINGPONG = 16,
};

/* The sizes of a pattern: first, then times 4 up to the last; and its k, up to
 * `hosts` / share - less, or to `less` without a share. */
struct plan {
    enum cs_tcp_pattern_kind kind;
    uint64_t first, last;
    uint32_t share, less;
};

/* The difference of a long and a short ping-pong is the time of messages without the
 * start of a run. */
static const struct plan plans[] = {
    {CS_TCP_PINGPONG, 4, 64 << 10, 0, LONG_PINGPONG},
    {CS_TCP_PINGPONGS, 256, 64 << 10, 2, 0},
    {CS_TCP_ONE, 4 << 10, 64 << 20, 0, 1},
    {CS_TCP_BOTH, 4 << 10, 64 << 20, 0, 1},
    {CS_TCP_IN, 64 << 10, 16 << 20, 1, 1},
    {CS_TCP_OUT, 64 << 10, 16 << 20, 1, 1},
    {CS_TCP_PAIRS, 1 << 20, 16 << 20, 2, 0},
    {CS_TCP_PAIRS_BOTH, 4 << 10, 16 << 20, 2, 0},
    {CS_TCP_SUM, 1 << 20, 16 << 20, 1, 0},
};

static int session_pattern(const struct cs_tcp_session *session, const struct plan *plan,
                           uint32_t k, struct cs_err *err)
{
    struct cs_tcp_pattern patterns[SIZES_MAX];
    struct cs_program programs[SIZES_MAX];
    const struct cs_program *list[SIZES_MAX];
    uint64_t bytes[SIZES_MAX];
    struct cs_tcp_sweep sweep = {.kind = "pattern",
                                 .algorithm = cs_tcp_pattern_names[plan->kind],
                                 .collective = "",
                                 .k = k,
                                 .programs = list,
                                 .bytes = bytes};

    for (uint64_t size = plan->first; size <= plan->last; size *= 4) {
        uint32_t i = sweep.count++;

        patterns[i] = (struct cs_tcp_pattern){plan->kind, k, size};
        programs[i] = cs_tcp_pattern_program(&patterns[i]);
        list[i] = &programs[i];
        bytes[i] = size;
    }
    assert(sweep.count > 0);
    sweep.ranks = cs_tcp_pattern_parties(&patterns[0]);
    return cs_tcp_session_sweep(session, &sweep, err);
}

static bool session_wants(enum cs_tcp_pattern_kind kind, uint32_t k)
{
    if (kind == CS_TCP_PINGPONG)
        return k == 1 || k == LONG_PINGPONG;
    if (kind == CS_TCP_IN || kind == CS_TCP_OUT)
        return k <= 2 || k % 2 == 1;
    return true;
}

int cs_tcp_session_calibrate(const struct cs_tcp_session *session, uint32_t hosts,
                             struct cs_err *err)
{
    CS_AT_END(cs_jsonl_free) struct cs_jsonl line = {0};
    int code = 0;
    struct cs_tcp_session all = *session;

    /* Ranks that poll take processor time also where they have no part. */
    if (session->team.waiting == CS_TCP_POLL)
        all.team.parties = hosts;
    for (size_t i = 0; i < sizeof(plans) / sizeof(*plans) && !code; i++) {
        const struct plan *plan = &plans[i];
        uint32_t most = plan->share ? hosts / plan->share - plan->less : plan->less;

        for (uint32_t k = 1; k <= most && !code; k++)
            if (session_wants(plan->kind, k))
                code = session_pattern(&all, plan, k, err);
    }
    if (code)
        return code;
    cs_jsonl_u64(&line, "collsim_tcp", 1);
    cs_jsonl_text(&line, "kind", "calibrated");
    cs_jsonl_u64(&line, "hosts", hosts);
    session_add_lab(session, &line);
    session_add_machine(session, false, &line);
    return session->line(session->ctx, cs_jsonl_end(&line), err);
}
