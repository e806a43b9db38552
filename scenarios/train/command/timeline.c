#include "scenarios/train/command/timeline.h"

#include "reports/timeline/timeline.h"
#include "scenarios/train/timeline/stage_timeline.h"
#include "sim/base/units.h"
#include "topo/formats/source.h"

#include <math.h>
#include <stdio.h>

enum {
    DRAWN_COLUMNS = 64,
    DRAWN_ROWS = 16,
    LISTED_CALLS = 24,
};

/* By enum cs_span_kind. */
static const char kind_letters[CS_SPAN_KINDS + 1] = "fbrohij-txcsd";

int cs_train_timeline(const struct cs_train_result *result, struct cs_step_timeline *timeline,
                      struct cs_err *err)
{
    const struct cs_train_setup *setup = result->setup;

    return setup->system->timeline ? setup->system->timeline(&setup->job, timeline, err)
                                   : cs_stage_timeline(&setup->job, timeline, err);
}

/* The first rank of a row. */
static uint32_t row_rank(const struct cs_train_result *result,
                         const struct cs_step_timeline *timeline, uint32_t row)
{
    const struct cs_train_job *job = &result->setup->job;

    return cs_same(timeline->row, "stage")
               ? row * job->degrees.tensor * job->degrees.context * job->degrees.data
               : row;
}

/* ---- text ---- */

/* Seconds of the span within a column. */
static double column_part(const struct cs_step_span *span, double begin_s, double end_s)
{
    return fmax(0, fmin(span->to_s, end_s) - fmax(span->from_s, begin_s));
}

struct drawn_row {
    double seconds[CS_STREAMS][DRAWN_COLUMNS][CS_SPAN_KINDS];
};

static void draw_span(const struct cs_step_span *span, double column_s, struct drawn_row *row)
{
    int first = (int)(span->from_s / column_s);

    for (int c = first; c < DRAWN_COLUMNS && c * column_s < span->to_s; ++c)
        row->seconds[span->stream][c][span->kind] +=
            column_part(span, c * column_s, (c + 1) * column_s);
}

static void put_stream(const struct drawn_row *row, enum cs_step_stream stream, struct cs_text *out)
{
    char line[DRAWN_COLUMNS + 1] = "";

    for (int c = 0; c < DRAWN_COLUMNS; ++c) {
        const double *seconds = row->seconds[stream][c];
        int best = 0;

        for (int k = 1; k < CS_SPAN_KINDS; ++k)
            if (seconds[k] > seconds[best])
                best = k;
        line[c] = '.';
        if (seconds[best] > 0)
            line[c] = kind_letters[best];
    }
    cs_text_add(out, line);
    cs_text_add(out, "\n");
}

static void put_rows(const struct cs_step_timeline *timeline, struct cs_text *out)
{
    double column_s = timeline->end_s / DRAWN_COLUMNS;

    for (uint32_t r = 0; r < timeline->rows && r < DRAWN_ROWS; ++r) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct drawn_row *row = cs_arena_alloc(&arena, 1, sizeof(*row));

        for (uint32_t i = 0; i < timeline->count; ++i)
            if (timeline->spans[i].row == r)
                draw_span(&timeline->spans[i], column_s, row);
        cs_text_printf(out, "  %-6s %-3u compute      ", timeline->row, r);
        put_stream(row, CS_STREAM_COMPUTE, out);
        cs_text_printf(out, "  %-10s collectives  ", "");
        put_stream(row, CS_STREAM_CALLS, out);
    }
    if (timeline->rows > DRAWN_ROWS)
        cs_text_printf(out, "  ... and %u more\n", timeline->rows - DRAWN_ROWS);
}

static void put_legend(const struct cs_step_timeline *timeline, struct cs_text *out)
{
    bool seen[CS_SPAN_KINDS] = {false};
    const char *comma = "";

    for (uint32_t i = 0; i < timeline->count; ++i)
        seen[timeline->spans[i].kind] = true;
    cs_text_add(out, "  # ");
    for (int k = 0; k < CS_SPAN_KINDS; ++k)
        if (seen[k]) {
            cs_text_printf(out, "%s%c %s", comma, kind_letters[k], cs_span_kind_names[k]);
            comma = ", ";
        }
    cs_text_add(out, ", . idle\n");
}

/* Collectives of data parallelism in the first row with any. */
static void put_calls(const struct cs_step_timeline *timeline, struct cs_text *out)
{
    uint32_t row = UINT32_MAX, shown = 0, more = 0;

    for (uint32_t i = 0; i < timeline->count; ++i) {
        const struct cs_step_span *span = &timeline->spans[i];

        if (span->kind != CS_SPAN_DATA || (row != UINT32_MAX && span->row != row))
            continue;
        row = span->row;
        more += shown == LISTED_CALLS;
        if (shown == LISTED_CALLS)
            continue;
        if (!shown++)
            cs_text_printf(out, "\n%-28s  %10s  %10s  %10s  %10s\n", "Data parallel collectives",
                           "ready", "begin", "end", "size");
        cs_text_printf(out, "  %-26s  %10s  %10s  %10s  %10s\n", span->name,
                       cs_show_seconds(span->ready_s).text, cs_show_seconds(span->from_s).text,
                       cs_show_seconds(span->to_s).text,
                       span->bytes > 0 ? cs_show_bytes((uint64_t)span->bytes).text : "-");
    }
    if (more)
        cs_text_printf(out, "  ... and %u more; --json and --trace have all\n", more);
}

static void put_stages(const struct cs_step_timeline *timeline, struct cs_text *out)
{
    cs_text_printf(out, "\n%-14s  %10s  %10s  %10s  %12s\n", "Use of the step", "compute",
                   "exposed", "idle", "collectives");
    for (uint32_t r = 0; r < timeline->rows && r < DRAWN_ROWS; ++r) {
        struct cs_step_use use = cs_step_use_of(timeline, r);

        cs_text_printf(out, "  %-6s %-5u   %10s  %10s  %10s  %12s  # %.1f %%\n", timeline->row, r,
                       cs_show_seconds(use.compute_s).text, cs_show_seconds(use.exposed_s).text,
                       cs_show_seconds(use.idle_s).text, cs_show_seconds(use.calls_s).text,
                       100 * use.compute_s / timeline->end_s);
    }
    cs_text_add(
        out,
        "  # exposed: a collective and no compute; collectives: all of them; share of compute\n");
}

void cs_train_timeline_text(const struct cs_train_result *result,
                            const struct cs_step_timeline *timeline, struct cs_text *out)
{
    cs_text_printf(out, "\nTimeline, a column is %s\n",
                   cs_show_seconds(timeline->end_s / DRAWN_COLUMNS).text);
    put_rows(timeline, out);
    put_legend(timeline, out);
    if (fabs(timeline->end_s - result->step.step_s) > 1e-3 * result->step.step_s)
        cs_text_printf(
            out, "  # in this order the step ends at %s; sum t_i + (m - 1) max t_i counts %s\n",
            cs_show_seconds(timeline->end_s).text, cs_show_seconds(result->step.step_s).text);
    put_calls(timeline, out);
    put_stages(timeline, out);
}

/* ---- rows ---- */

/* A span, or the use of a row. */
struct timeline_row {
    char row[32]; /* "stage 3" */
    uint32_t rank;
    const struct cs_step_span *span;
    struct cs_step_use use;
};

static const char *const streams[CS_STREAMS] = {
    [CS_STREAM_COMPUTE] = "compute", [CS_STREAM_CALLS] = "collectives"};

#define AT(member)   CS_AT(struct timeline_row, member)
#define SPAN(member) CS_VIA(struct timeline_row, span, member)
static const struct cs_sheet_column timeline_columns[] = {
    {"row", "row", NULL, CS_SHEET_TEXT, AT(row)},
    {"rank", "rank", NULL, CS_SHEET_COUNT, AT(rank)},
    {"stream", "stream", NULL, CS_SHEET_TEXT, SPAN(stream), .words = streams},
    {"kind", "kind", NULL, CS_SHEET_TEXT, SPAN(kind), .words = cs_span_kind_names},
    {"name", "name", NULL, CS_SHEET_TEXT, SPAN(name)},
    {"micro_batch", "micro batch", NULL, CS_SHEET_COUNT, SPAN(micro)},
    {"ready_s", "ready", NULL, CS_SHEET_SECONDS, SPAN(ready_s)},
    {"from_s", "begin", NULL, CS_SHEET_SECONDS, SPAN(from_s)},
    {"to_s", "end", NULL, CS_SHEET_SECONDS, SPAN(to_s)},
    {"bytes", "size", NULL, CS_SHEET_BYTES, SPAN(bytes), CS_IF_POSITIVE},
};

static struct timeline_row timeline_row_of(const struct cs_train_result *result,
                                           const struct cs_step_timeline *timeline, uint32_t row)
{
    struct timeline_row named = {.rank = row_rank(result, timeline, row)};

    (void)snprintf(named.row, sizeof(named.row), "%s %u", timeline->row, row);
    return named;
}

void cs_train_timeline_sheet(const struct cs_train_result *result,
                             const struct cs_step_timeline *timeline, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "timeline", CS_COLUMNS(timeline_columns));
    for (uint32_t i = 0; i < timeline->count; ++i) {
        struct timeline_row row = timeline_row_of(result, timeline, timeline->spans[i].row);

        row.span = &timeline->spans[i];
        cs_sheet_row(sheet, &row);
    }
}

static const struct cs_sheet_column use_columns[] = {
    {"row", "row", NULL, CS_SHEET_TEXT, AT(row)},
    {"rank", "rank", NULL, CS_SHEET_COUNT, AT(rank)},
    {"compute_s", "compute", NULL, CS_SHEET_SECONDS, AT(use.compute_s)},
    {"exposed_s", "exposed", NULL, CS_SHEET_SECONDS, AT(use.exposed_s)},
    {"idle_s", "idle", NULL, CS_SHEET_SECONDS, AT(use.idle_s)},
    {"collectives_s", "collectives", NULL, CS_SHEET_SECONDS, AT(use.calls_s)},
};

void cs_train_use_sheet(const struct cs_train_result *result,
                        const struct cs_step_timeline *timeline, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "use", CS_COLUMNS(use_columns));
    for (uint32_t r = 0; r < timeline->rows; ++r) {
        struct timeline_row row = timeline_row_of(result, timeline, r);

        row.use = cs_step_use_of(timeline, r);
        cs_sheet_row(sheet, &row);
    }
}

/* ---- the trace ---- */

static uint64_t picoseconds(double seconds)
{
    return seconds > 0 ? (uint64_t)llround(seconds * 1e12) : 0;
}

struct trace_threads {
    struct cs_timeline *timeline;
    uint32_t *process; /* by node; UINT32_MAX: none yet */
};

/* Threads 2 row and 2 row + 1: the streams of a row. */
static void add_row_threads(struct trace_threads *threads, const struct cs_train_result *result,
                            const struct cs_step_timeline *timeline, uint32_t row)
{
    const struct cs_site *site = result->setup->job.site;
    uint32_t rank = row_rank(result, timeline, row);
    uint32_t node = site->node_ranks ? rank / site->node_ranks : 0;
    char name[64];

    if (threads->process[row] == UINT32_MAX) {
        (void)snprintf(name, sizeof(name), "node %u", node);
        threads->process[row] = cs_timeline_process(threads->timeline, name);
        for (uint32_t r = row + 1; r < timeline->rows; ++r)
            if (site->node_ranks && row_rank(result, timeline, r) / site->node_ranks == node)
                threads->process[r] = threads->process[row];
    }
    for (int s = 0; s < CS_STREAMS; ++s) {
        (void)snprintf(name, sizeof(name), "rank %u, %s %u: %s", rank, timeline->row, row,
                       s ? "collectives" : "compute");
        (void)cs_timeline_thread(threads->timeline, threads->process[row], name);
    }
}

static struct cs_timeline_span trace_span_of(struct cs_timeline *timeline,
                                             const struct cs_step_span *span)
{
    return (struct cs_timeline_span){
        .from_ps = picoseconds(span->from_s),
        .to_ps = picoseconds(fmax(span->to_s, span->from_s)),
        .bytes = (uint64_t)span->bytes,
        .thread = 2 * span->row + span->stream,
        .name = cs_timeline_name(timeline, cs_span_kind_names[span->kind], span->name),
    };
}

/* The span with the end of the arrow, by number; the arrows of a step are at most a
 * span each. */
static const struct cs_step_span **arrow_ends(const struct cs_step_timeline *timeline,
                                              struct cs_arena *arena)
{
    uint32_t most = 0;
    const struct cs_step_span **ends;

    for (uint32_t i = 0; i < timeline->count; ++i)
        if (timeline->spans[i].arrives > most)
            most = timeline->spans[i].arrives;
    ends = cs_arena_alloc(arena, (size_t)most + 1, sizeof(*ends));
    ends[0] = NULL;
    for (uint32_t i = 0; i < timeline->count; ++i)
        if (timeline->spans[i].arrives)
            ends[timeline->spans[i].arrives] = &timeline->spans[i];
    return ends;
}

static void add_trace_spans(struct cs_timeline *trace, const struct cs_step_timeline *timeline)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const struct cs_step_span **ends = arrow_ends(timeline, &arena);

    for (uint32_t i = 0; i < timeline->count; ++i) {
        const struct cs_step_span *span = &timeline->spans[i];
        struct cs_timeline_span leaves = trace_span_of(trace, span);

        if (span->leaves && ends[span->leaves]) {
            struct cs_timeline_span arrives = trace_span_of(trace, ends[span->leaves]);

            cs_timeline_message(trace, &leaves, &arrives);
        } else if (!span->arrives) {
            cs_timeline_span(trace, &leaves);
        }
    }
}

static void trace_title(const struct cs_train_result *result, struct cs_text *title)
{
    const struct cs_train_setup *setup = result->setup;

    cs_text_printf(title, "a step of %s on %s, %u ranks, %s", setup->model.name,
                   cs_topo_shown(result->given->scenario.topo), setup->job.site->ranks,
                   setup->system->name);
}

static void trace_notes(const struct cs_train_result *result,
                        const struct cs_step_timeline *timeline, struct cs_timeline *trace)
{
    const struct cs_train_job *job = &result->setup->job;
    uint32_t ranks = cs_train_stage_ranks(job);

    if (cs_same(timeline->row, "stage") && ranks > 1)
        cs_timeline_note(
            trace, "a rank for each stage; the other %u ranks of the stage do the same", ranks - 1);
    if (result->step.interference_s > 0 || result->step.jitter_s > 0)
        cs_timeline_note(
            trace, "interference and the wait for the slowest rank are drawn behind the passes");
    if (fabs(timeline->end_s - result->step.step_s) > 1e-3 * result->step.step_s)
        cs_timeline_note(trace, "the order ends at %s; sum t_i + (m - 1) max t_i counts %s",
                         cs_show_seconds(timeline->end_s).text,
                         cs_show_seconds(result->step.step_s).text);
}

int cs_train_timeline_save(const struct cs_train_result *result,
                           const struct cs_step_timeline *timeline, struct cs_err *err)
{
    CS_AT_END(cs_timeline_free) struct cs_timeline trace = {0};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    CS_AT_END(cs_text_free) struct cs_text title = {0};
    struct trace_threads threads = {&trace,
                                    cs_arena_alloc(&arena, timeline->rows, sizeof(uint32_t))};

    for (uint32_t r = 0; r < timeline->rows; ++r)
        threads.process[r] = UINT32_MAX;
    for (uint32_t r = 0; r < timeline->rows; ++r)
        add_row_threads(&threads, result, timeline, r);
    add_trace_spans(&trace, timeline);
    trace_notes(result, timeline, &trace);
    trace_title(result, &title);
    trace.title = cs_text_str(&title);
    return cs_chrome_trace_save(&trace, result->given->scenario.trace, err);
}

/* ---- a replayed trace ---- */

static const char *event_name(const struct cs_trace *trace, const struct cs_trace_event *event)
{
    switch (event->kind) {
    case CS_TRACE_COMPUTE:
        return "kernel";
    case CS_TRACE_COPY:
        return "copy";
    case CS_TRACE_COLLECTIVE:
        return trace->calls[event->call].collective->name;
    default:
        return "collective, as measured";
    }
}

enum {
    REPLAY_NAMES = 32 /* kernels, copies, collectives */
};

/* The number of a name that many events share. */
struct replay_names {
    const char *text[REPLAY_NAMES];
    uint32_t name[REPLAY_NAMES];
    size_t count;
};

static uint32_t replay_name(struct cs_timeline *timeline, struct replay_names *names,
                            const char *category, const char *text)
{
    size_t i = 0;

    while (i < names->count && !cs_same(names->text[i], text))
        ++i;
    if (i < names->count)
        return names->name[i];
    if (names->count < REPLAY_NAMES)
        names->text[names->count++] = text;
    else
        i = REPLAY_NAMES - 1;
    names->name[i] = cs_timeline_name(timeline, category, text);
    return names->name[i];
}

/* The events of a process, a thread for each stream. */
static void add_events(const struct cs_trace *trace, const char *process, const double *start_s,
                       const double *end_s, struct cs_timeline *timeline)
{
    uint32_t number = cs_timeline_process(timeline, process);
    uint32_t first = (uint32_t)timeline->count.threads;
    struct replay_names names = {.count = 0};
    char name[32];

    for (uint32_t s = 0; s < trace->streams; ++s) {
        (void)snprintf(name, sizeof(name), "stream %u", s);
        (void)cs_timeline_thread(timeline, number, name);
    }
    for (uint32_t e = 0; e < trace->event_count; ++e) {
        const struct cs_trace_event *event = &trace->events[e];
        double from_s = start_s ? start_s[e] : event->start_s;
        double to_s = end_s ? end_s[e] : event->start_s + event->duration_s;
        struct cs_timeline_span span = {
            .from_ps = picoseconds(from_s),
            .to_ps = picoseconds(fmax(from_s, to_s)),
            .thread = first + event->stream,
        };

        if (event->kind == CS_TRACE_HOST)
            continue;
        if (event->kind == CS_TRACE_COLLECTIVE)
            span.bytes = trace->calls[event->call].bytes;
        span.name = replay_name(timeline, &names,
                                event->kind == CS_TRACE_COLLECTIVE ? "collective" : "compute",
                                event_name(trace, event));
        cs_timeline_span(timeline, &span);
    }
}

int cs_train_timeline_save_replay(const struct cs_train_options *given,
                                  const struct cs_trace *trace, const double *start_s,
                                  const double *end_s, struct cs_err *err)
{
    CS_AT_END(cs_timeline_free) struct cs_timeline timeline = {0};
    CS_AT_END(cs_text_free) struct cs_text title = {0};

    cs_text_printf(&title, "%s on %s", given->replay, cs_topo_shown(given->scenario.topo));
    timeline.title = cs_text_str(&title);
    add_events(trace, "measured", NULL, NULL, &timeline);
    add_events(trace, "replayed", start_s, end_s, &timeline);
    return cs_chrome_trace_save(&timeline, given->scenario.trace, err);
}
