#include "scenarios/train/command/replay.h"

#include "scenarios/commands.h"
#include "scenarios/train/command/replay_report.h"
#include "scenarios/train/command/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

/* A trace has its model, division and compute times. */
static int replay_check(const struct cs_option_log *log, struct cs_err *err)
{
    for (uint32_t i = 0; i < log->count; i++) {
        const struct cs_option *option = log->items[i].option;

        if (!option->commands && !option->for_replay)
            return cs_err_set(err, CS_EINPUT,
                              "--%s has no effect with --replay, which has the step of the "
                              "trace; leave it out",
                              option->name);
    }
    return 0;
}

/* ---- times ---- */

/* Writes the file of --trace. */
static int replay_save(const struct cs_train_options *given, const struct cs_trace_replay *replay,
                       struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct cs_trace_replay placed = *replay;
    struct cs_trace_replay_time time;
    int code;

    placed.start_s = cs_arena_alloc(&arena, replay->trace->event_count, sizeof(*placed.start_s));
    placed.end_s = cs_arena_alloc(&arena, replay->trace->event_count, sizeof(*placed.end_s));
    cs_trace_replay_run(&placed, &time);
    code = cs_train_timeline_save_replay(given, replay->trace, placed.start_s, placed.end_s, err);
    cs_arena_free(&arena);
    return code;
}

/* As measured, and with the predicted times.  The bound shows each added second
 * of a collective: min(measured, predicted) and the difference at the end. */
static int replay_times(const struct cs_train_options *given, struct cs_replay_result *result,
                        double *call_s, struct cs_err *err)
{
    const struct cs_trace *trace = result->trace;
    struct cs_trace_edges edges;
    struct cs_trace_replay replay = {.trace = trace, .edges = &edges, .compute_scale = 1};
    struct cs_trace_replay_time bounded;
    double more_s = 0;
    int code = 0;

    cs_trace_edges_open(trace, &edges);
    cs_trace_replay_run(&replay, &result->measured);
    replay.call_s = call_s;
    if (given->compute_scale > 0)
        replay.compute_scale = given->compute_scale;
    if (given->scenario.trace)
        code = replay_save(given, &replay, err);
    cs_trace_replay_run(&replay, &result->replayed);
    for (uint32_t e = 0; e < trace->event_count; e++) {
        const struct cs_trace_event *event = &trace->events[e];

        if (event->kind != CS_TRACE_COLLECTIVE || call_s[event->call] <= event->duration_s)
            continue;
        more_s += call_s[event->call] - event->duration_s;
        call_s[event->call] = event->duration_s;
    }
    cs_trace_replay_run(&replay, &bounded);
    result->most_s = fmax(bounded.span_s + more_s, result->replayed.span_s);
    result->waits_used = edges.waits_used;
    cs_trace_edges_close(&edges);
    return code;
}

static int replay_predict(const struct cs_cli *cli, const struct cs_train_options *given,
                          const struct cs_trace *trace, struct cs_err *err)
{
    struct cs_train_setup setup = {0};
    struct cs_replay_result result = {.given = given, .trace = trace, .site = &setup.site};
    struct cs_trace_rows rows = {0};
    struct cs_trace_machine machine = {
        .site = &setup.site, .engine = given->collective_algo, .size_scale = given->size_scale};
    double *call_s = cs_grow(NULL, (size_t)trace->call_count + 1, sizeof(*call_s));
    int code = cs_train_setup_machine(given, &setup, err);

    machine.library = result.library = setup.job.library;
    machine.version = setup.job.library_version;
    machine.parameters = setup.job.library_parameters;
    if (!code)
        code = cs_trace_predict(trace, &machine, call_s, &rows, err);
    if (!code) {
        result.rows = &rows;
        code = replay_times(given, &result, call_s, err);
        if (!code)
            cs_replay_report(cli, &result);
    }
    cs_trace_rows_free(&rows);
    free(call_s);
    return code;
}

int cs_train_replay(const struct cs_cli *cli, const struct cs_train_options *given,
                    struct cs_err *err)
{
    struct cs_trace trace = {0};
    int code = replay_check(&given->scenario.given, err);

    if (!code)
        code = cs_trace_read(given->replay, &trace, err);
    if (!code)
        code = replay_predict(cli, given, &trace, err);
    if (!code)
        cs_cli_wrote(cli, given->scenario.trace);
    cs_trace_free(&trace);
    return code;
}
