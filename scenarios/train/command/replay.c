#include "scenarios/train/command/replay.h"

#include "reports/results/json.h"
#include "scenarios/commands.h"
#include "scenarios/options/command.h"
#include "scenarios/trace/on_machine.h"
#include "scenarios/trace/replay.h"
#include "scenarios/train/command/timeline.h"
#include "sim/base/units.h"
#include "topo/formats/source.h"

#include <math.h>
#include <stdlib.h>

/* ---- report ---- */

struct replay_result {
    const struct cs_train_options *given;
    const struct cs_trace *trace;
    const struct cs_site *site;
    const struct cs_library *library;
    const struct cs_trace_rows *rows;
    struct cs_trace_replay_time measured, replayed; /* of all steps */
    double most_s;                                  /* no added second of a collective hides */
    uint64_t waits_used;
};

enum {
    REPLAY_NAME = 24,
    REPLAY_FIGURE = 12,
    REPLAY_LINES = 5,
};

/* ---- notes ---- */

static void replay_notes(const struct cs_cli *cli, const struct replay_result *result)
{
    const struct cs_trace *trace = result->trace;
    FILE *out = cli->messages;

    if (trace->gaps.truncated && trace->gaps.truncated_line)
        fprintf(out, "note: the trace ends inside of line %u; the events before it are used\n",
                trace->gaps.truncated_line);
    else if (trace->gaps.truncated)
        fprintf(out, "note: the trace ends inside of byte %llu; the nodes before it are used\n",
                (unsigned long long)trace->bytes);
    if (trace->gaps.untimed)
        fprintf(out, "note: the trace has no times: its compute is not in the replay, only its "
                     "collectives are predicted\n");
    else if (trace->gaps.scheduled)
        fprintf(out,
                "note: the trace has no starts; 'measured' is the schedule of its durations\n");
    if (trace->gaps.control_dropped)
        fprintf(out, "note: control dependencies form cycles and are not used\n");
    if (trace->gaps.dangling)
        fprintf(out, "note: %llu dependencies on nodes that the file does not have are not used\n",
                (unsigned long long)trace->gaps.dangling);
    if (trace->gaps.devices > 1)
        fprintf(out, "note: the trace has kernels of %u GPUs; those of the first are used\n",
                trace->gaps.devices);
    if (!trace->steps_recorded)
        fprintf(
            out,
            "note: the trace has no marks of steps (ProfilerStep); the whole trace is one step\n");
    if (!trace->call_count)
        fprintf(out, "note: the trace has no collective that can be predicted\n");
    if (!trace->wait_count && !trace->dependency_count &&
        result->most_s > result->replayed.span_s * 1.001)
        fprintf(out, "note: waits between streams are derived from idle time, which shows no wait "
                     "that cost no time; enable_cuda_sync_events records all\n");
    if (trace->gaps.uneven)
        fprintf(out, "note: %llu all-to-alls with unequal blocks are taken as even\n",
                (unsigned long long)trace->gaps.uneven);
    if (result->rows->refused)
        fprintf(out, "note: %llu calls that %s does not serve keep their measured time\n",
                (unsigned long long)result->rows->refused, result->library->name);
}

/* Groups that the machine makes larger or smaller than they were. */
static void replay_note_groups(const struct cs_cli *cli, const struct replay_result *result)
{
    for (uint32_t r = 0; r < result->rows->count; r++) {
        const struct cs_trace_row *row = &result->rows->rows[r];

        if (row->measured_ranks && row->measured_ranks != row->ranks) {
            fprintf(cli->messages,
                    "note: a group of %u ranks in the trace has %u on this machine of %u\n",
                    row->measured_ranks, row->ranks, result->site->ranks);
            return;
        }
    }
}

/* ---- text ---- */

/* Events of the device. */
static uint32_t replay_work(const struct cs_trace *trace)
{
    uint32_t work = 0;

    for (uint32_t e = 0; e < trace->event_count; e++)
        work += trace->events[e].kind != CS_TRACE_HOST;
    return work;
}

static void replay_heading(const struct replay_result *result, struct cs_text *out)
{
    const struct cs_train_options *given = result->given;
    const struct cs_trace *trace = result->trace;

    cs_text_printf(out, "%s on %s, %u ranks, %s\n", given->replay,
                   cs_topo_shown(given->scenario.topo), result->site->ranks, result->library->name);
    cs_text_printf(out, "  %-*s  ", REPLAY_NAME, trace->gaps.untimed ? "recorded" : "measured");
    if (trace->origin.is_ranked)
        cs_text_printf(out, "rank %u", trace->origin.rank);
    else
        cs_text_add(out, "rank not stated");
    if (trace->origin.world)
        cs_text_printf(out, " of %u", trace->origin.world);
    if (trace->origin.device[0])
        cs_text_printf(out, ", %s", trace->origin.device);
    if (trace->origin.library[0])
        cs_text_printf(out, ", NCCL %s", trace->origin.library);
    cs_text_printf(out, "\n  %-*s  %u, %u kernels, copies and collectives on %u stream%s\n",
                   REPLAY_NAME, "steps", trace->steps, replay_work(trace), trace->streams,
                   trace->streams == 1 ? "" : "s");
    if (given->compute_scale > 0)
        cs_text_printf(out, "  %-*s  %g x the measured time\n", REPLAY_NAME, "kernels",
                       given->compute_scale);
    if (given->size_scale > 0)
        cs_text_printf(out, "  %-*s  %g x the measured size\n", REPLAY_NAME, "collectives",
                       given->size_scale);
}

struct replay_line {
    const char *name, *about;
    double measured_s, replayed_s;
};

static void replay_put_steps(const struct replay_result *result, struct cs_text *out)
{
    const struct cs_trace_replay_time *a = &result->measured, *b = &result->replayed;
    const struct replay_line lines[REPLAY_LINES] = {
        {"step", "", a->span_s, b->span_s},
        {"compute", "kernels and copies, as measured but for --compute-scale", a->compute_s,
         b->compute_s},
        {"exposed collectives", "a collective runs alone", a->exposed_s, b->exposed_s},
        {"idle", "the device waits for its host", a->idle_s, b->idle_s},
        {"collectives", "all, hidden and exposed", a->calls_s, b->calls_s},
    };
    double steps = result->trace->steps;

    cs_text_printf(out, "\n%-*s  %-*s  %s\n", REPLAY_NAME + 2, "Time of a step", REPLAY_FIGURE,
                   "measured", "replayed");
    for (int i = 0; i < REPLAY_LINES; i++) {
        const struct replay_line *line = &lines[i];
        struct cs_shown replayed = cs_show_seconds(line->replayed_s / steps);

        cs_text_printf(out, "  %-*s  %-*s  ", REPLAY_NAME, line->name, REPLAY_FIGURE,
                       cs_show_seconds(line->measured_s / steps).text);
        if (*line->about)
            cs_text_printf(out, "%-*s  # %s\n", REPLAY_FIGURE, replayed.text, line->about);
        else
            cs_text_printf(out, "%s\n", replayed.text);
    }
    if (!result->waits_used && !result->trace->dependency_count &&
        result->most_s > b->span_s * 1.001)
        cs_text_printf(out, "  %-*s  %-*s  %-*s  # nothing more hides\n", REPLAY_NAME,
                       "step at most", REPLAY_FIGURE, "", REPLAY_FIGURE,
                       cs_show_seconds(result->most_s / steps).text);
}

static double replay_measured(const void *row)
{
    const struct cs_trace_row *is = row;

    return is->measured_s / (double)is->count;
}

static double replay_predicted(const void *row)
{
    const struct cs_trace_row *is = row;

    return is->predicted_s / (double)is->count;
}

#define AT(member) CS_AT(struct cs_trace_row, member)
static const struct cs_sheet_column replay_columns[] = {
    {"collective", "collective", NULL, CS_SHEET_TEXT,
     CS_VIA(struct cs_trace_row, collective, name)},
    {"bytes", "size", NULL, CS_SHEET_BYTES, AT(bytes)},
    {"measured_ranks", "measured", "ranks", CS_SHEET_COUNT, AT(measured_ranks), CS_IF_POSITIVE},
    {"ranks", "here", "ranks", CS_SHEET_COUNT, AT(ranks)},
    {"count", "calls", NULL, CS_SHEET_COUNT, AT(count)},
    {"measured_s", "measured", "of a call", CS_SHEET_SECONDS, .real = replay_measured},
    {"predicted_s", "predicted", "of a call", CS_SHEET_SECONDS, .real = replay_predicted},
    {"engine", "algorithm", NULL, CS_SHEET_TEXT, AT(engine)},
};

#define REPLAY_ROWS(result) \
    CS_ROWS("collectives", replay_columns, (result)->rows->rows, (result)->rows->count)

static void replay_put_records(const struct cs_trace *trace, struct cs_text *out)
{
    cs_text_printf(out, "\nCommunication records: %llu, used %u\n",
                   (unsigned long long)trace->gaps.records, trace->call_count);
    for (int r = 0; r < CS_LEFT_REASONS; r++)
        if (trace->gaps.left_out[r])
            cs_text_printf(out, "  %-*llu  %s\n", REPLAY_FIGURE - 4,
                           (unsigned long long)trace->gaps.left_out[r],
                           cs_trace_reason_text((enum cs_trace_reason)r));
    if (trace->gaps.unknown[0])
        cs_text_printf(out, "  # the first unknown name: '%s'\n", trace->gaps.unknown);
}

static void replay_text(const struct cs_cli *cli, const struct replay_result *result)
{
    struct cs_sheet sheet = {0};
    struct cs_text out = {0};

    replay_heading(result, &out);
    replay_put_steps(result, &out);
    if (result->rows->count) {
        cs_text_add(&out, "\n");
        cs_sheet_fill(&sheet, REPLAY_ROWS(result));
        cs_sheet_write(&sheet, CS_FORMAT_TEXT, cli->style, &out);
        cs_sheet_free(&sheet);
    }
    replay_put_records(result->trace, &out);
    cs_cli_text(cli, &out);
}

/* ---- for programs ---- */

#undef AT
#define AT(member) CS_AT(struct cs_trace_replay_time, member)
static const struct cs_sheet_column time_columns[] = {
    {"step_s", NULL, NULL, CS_SHEET_SECONDS, AT(span_s)},
    {"compute_s", NULL, NULL, CS_SHEET_SECONDS, AT(compute_s)},
    {"exposed_s", NULL, NULL, CS_SHEET_SECONDS, AT(exposed_s)},
    {"idle_s", NULL, NULL, CS_SHEET_SECONDS, AT(idle_s)},
    {"collectives_s", NULL, NULL, CS_SHEET_SECONDS, AT(calls_s)},
};

static void replay_json_time(struct cs_json *json, const char *key,
                             const struct cs_trace_replay_time *time, double steps)
{
    const struct cs_trace_replay_time step = {time->span_s / steps, time->compute_s / steps,
                                              time->exposed_s / steps, time->idle_s / steps,
                                              time->calls_s / steps};

    cs_json_key(json, key);
    cs_json_object(json);
    cs_sheet_json_row(CS_COLUMNS(time_columns), &step, json);
    cs_json_end(json);
}

static void replay_json_records(struct cs_json *json, const struct cs_trace *trace)
{
    cs_json_key_u64(json, "records", trace->gaps.records);
    cs_json_key_u64(json, "records_used", trace->call_count);
    cs_json_key(json, "left_out");
    cs_json_object(json);
    for (int r = 0; r < CS_LEFT_REASONS; r++) {
        if (!trace->gaps.left_out[r])
            continue;
        cs_json_key(json, cs_trace_reason_text((enum cs_trace_reason)r));
        cs_json_u64(json, trace->gaps.left_out[r]);
    }
    cs_json_end(json);
}

static void replay_json(const struct cs_cli *cli, const struct replay_result *result)
{
    const struct cs_trace *trace = result->trace;
    struct cs_text out = {0};
    struct cs_json json = {.out = &out};

    cs_json_object(&json);
    cs_json_key_text(&json, "trace", result->given->replay);
    cs_json_key_text(&json, "machine", cs_topo_shown(result->given->scenario.topo));
    cs_json_key_u64(&json, "ranks", result->site->ranks);
    cs_json_key_text(&json, "backend", result->library->name);
    cs_json_key_u64(&json, "steps", trace->steps);
    cs_json_key(&json, "truncated");
    cs_json_bool(&json, trace->gaps.truncated);
    replay_json_time(&json, "measured", &result->measured, trace->steps);
    replay_json_time(&json, "replayed", &result->replayed, trace->steps);
    cs_json_key_real(&json, "step_at_most_s", result->most_s / trace->steps);
    replay_json_records(&json, trace);
    cs_sheet_json_rows(REPLAY_ROWS(result), &json);
    cs_json_end(&json);
    cs_cli_text(cli, &out);
}

static void replay_report(const struct cs_cli *cli, const struct replay_result *result)
{
    enum cs_format format = result->given->scenario.format;

    replay_notes(cli, result);
    replay_note_groups(cli, result);
    if (format == CS_FORMAT_TEXT)
        replay_text(cli, result);
    else if (format == CS_FORMAT_JSON)
        replay_json(cli, result);
    else
        cs_cli_rows(cli, REPLAY_ROWS(result), format);
}

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
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_trace_replay placed = *replay;
    struct cs_trace_replay_time time;

    placed.start_s = cs_arena_alloc(&arena, replay->trace->event_count, sizeof(*placed.start_s));
    placed.end_s = cs_arena_alloc(&arena, replay->trace->event_count, sizeof(*placed.end_s));
    cs_trace_replay_run(&placed, &time);
    return cs_train_timeline_save_replay(given, replay->trace, placed.start_s, placed.end_s, err);
}

/* As measured, and with the predicted times.  The bound shows each added second
 * of a collective: min(measured, predicted) and the difference at the end. */
static int replay_times(const struct cs_train_options *given, struct replay_result *result,
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

/* What a trace without times cannot say. */
static void replay_forget_times(struct replay_result *result, struct cs_trace_rows *rows)
{
    const double unknown = (double)NAN;

    result->measured = (struct cs_trace_replay_time){unknown, unknown, unknown, unknown, unknown};
    result->replayed.compute_s = result->replayed.idle_s = unknown;
    for (uint32_t r = 0; r < rows->count; r++)
        rows->rows[r].measured_s = unknown;
}

/* Kernels of another GPU: between the ratios of the peaks and of the memories. */
static void replay_note_device(const struct cs_cli *cli, const struct cs_train_options *given,
                               const struct cs_trace *trace, const struct cs_train_setup *setup)
{
    const struct cs_gpu_peak *from = cs_gpu_peak_of_device(trace->origin.device), *to;
    double products, memory;

    if (!from || !setup->site.gpu || given->compute_scale > 0 ||
        cs_gpu_peak_find(setup->site.gpu, &to, NULL) || from->generation == to->generation)
        return;
    products = from->flops_per_s[CS_PRECISION_FP16] / to->flops_per_s[CS_PRECISION_FP16];
    memory = from->memory_Bps / to->memory_Bps;
    if (products > 0 && isfinite(products))
        fprintf(cli->messages,
                "note: the trace is of %s, and its kernels keep their times on %s; by the data "
                "sheets they would take --compute-scale %.2f (products) to %.2f (memory)\n",
                trace->origin.device, to->name, fmin(products, memory), fmax(products, memory));
}

static int replay_predict(const struct cs_cli *cli, const struct cs_train_options *given,
                          const struct cs_trace *trace, struct cs_err *err)
{
    struct cs_train_setup setup = {0};
    struct replay_result result = {.given = given, .trace = trace, .site = &setup.site};
    struct cs_trace_rows rows = {0};
    struct cs_trace_machine machine = {
        .site = &setup.site, .engine = given->collective_algo, .size_scale = given->size_scale};
    double *call_s = cs_grow(NULL, (size_t)trace->call_count + 1, sizeof(*call_s));
    int code = cs_train_setup_machine(given, &setup, err);

    machine.library = result.library = setup.job.library;
    machine.version = setup.job.library_version;
    machine.profile = setup.job.library_profile;
    if (!code)
        code = cs_trace_predict(trace, &machine, call_s, &rows, err);
    if (!code)
        replay_note_device(cli, given, trace, &setup);
    if (!code) {
        result.rows = &rows;
        code = replay_times(given, &result, call_s, err);
        if (trace->gaps.untimed)
            replay_forget_times(&result, &rows);
        if (!code)
            replay_report(cli, &result);
    }
    cs_trace_rows_free(&rows);
    free(call_s);
    return code;
}

/* Without times and collectives nothing is left to replay. */
static int replay_has_work(const struct cs_trace *trace, const char *path, struct cs_err *err)
{
    if (!trace->gaps.untimed || trace->call_count)
        return 0;
    return cs_err_at(err, CS_EINPUT, path, trace->gaps.truncated ? trace->gaps.truncated_line : 0,
                     "%sthe trace has no times and no collective that can be predicted; expected "
                     "nodes of type COMM_COLL_NODE",
                     trace->gaps.truncated ? "the file ends here; " : "");
}

int cs_train_replay(const struct cs_cli *cli, const struct cs_train_options *given,
                    struct cs_err *err)
{
    CS_AT_END(cs_trace_free) struct cs_trace trace = {0};
    int code = replay_check(&given->scenario.given, err);

    if (!code)
        code = cs_trace_read(given->replay, &trace, err);
    if (!code)
        code = replay_has_work(&trace, given->replay, err);
    if (!code)
        code = replay_predict(cli, given, &trace, err);
    if (!code)
        cs_cli_wrote(cli, given->scenario.trace);
    return code;
}
