#include "reports/timeline/timeline.h"

#include "reports/results/endings.h"
#include "reports/results/files.h"
#include "reports/results/json.h"
#include "sim/base/units.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    PS_PER_US = 1000000
};

/* A row of a thread: a tid of the output. */
struct trace_row {
    uint64_t end_ps;
    uint32_t tid;
};

struct trace_writer {
    struct cs_timeline *timeline;
    struct cs_text *out;
    struct trace_row *rows; /* of the thread */
    size_t row_count, row_room;
    uint32_t tid; /* the last of the process of the thread */
    bool begun;   /* an event is written */
};

static void trace_string(struct cs_text *out, const char *text)
{
    struct cs_json json = {.out = out};

    cs_json_text(&json, text);
}

static void trace_time(struct cs_text *out, const char *key, uint64_t time_ps)
{
    cs_text_printf(out, ",\"%s\":%" PRIu64 ".%06" PRIu64, key, time_ps / PS_PER_US,
                   time_ps % PS_PER_US);
}

/* Opens an event up to its name. */
static void trace_event(struct trace_writer *writer, const char *name)
{
    cs_text_add(writer->out, writer->begun ? ",\n" : "\n");
    writer->begun = true;
    cs_text_add(writer->out, "{\"name\":");
    trace_string(writer->out, name);
}

static void trace_name(struct trace_writer *writer, const char *kind, uint32_t process,
                       uint32_t tid, const char *name)
{
    trace_event(writer, kind);
    cs_text_printf(writer->out, ",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":", process + 1, tid);
    cs_text_add(writer->out, "{\"name\":");
    trace_string(writer->out, name);
    cs_text_add(writer->out, "}}");
}

/* A tid with the thread's name; tids are in the order of threads. */
static struct trace_row *open_row(struct trace_writer *writer, uint32_t thread)
{
    const struct cs_timeline_thread *of = &writer->timeline->threads[thread];
    struct trace_row *row;
    struct cs_text name = {0};

    if (writer->row_count == writer->row_room) {
        writer->row_room = writer->row_room ? 2 * writer->row_room : 16;
        writer->rows = cs_grow(writer->rows, writer->row_room, sizeof(*writer->rows));
    }
    row = &writer->rows[writer->row_count++];
    *row = (struct trace_row){0, ++writer->tid};
    cs_text_add(&name, of->name);
    if (writer->row_count > 1)
        cs_text_printf(&name, " (%zu)", writer->row_count);
    trace_name(writer, "thread_name", of->process, row->tid, cs_text_str(&name));
    cs_text_free(&name);
    trace_event(writer, "thread_sort_index");
    cs_text_printf(writer->out, ",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"sort_index\":%u}}",
                   of->process + 1, row->tid, row->tid);
    return row;
}

/* The first free row of the span's thread. */
static struct trace_row *find_row(struct trace_writer *writer, const struct cs_timeline_span *span)
{
    for (size_t r = 0; r < writer->row_count; r++)
        if (writer->rows[r].end_ps <= span->from_ps)
            return &writer->rows[r];
    return open_row(writer, span->thread);
}

static void trace_args(struct trace_writer *writer, const struct cs_timeline_span *span)
{
    const char *comma = "";

    cs_text_add(writer->out, ",\"args\":{");
    if (span->bytes) {
        cs_text_printf(writer->out, "\"bytes\":%" PRIu64, span->bytes);
        comma = ",";
    }
    if (span->wait_ps) {
        cs_text_printf(writer->out, "%s\"wait_us\":%" PRIu64 ".%06" PRIu64, comma,
                       span->wait_ps / PS_PER_US, span->wait_ps % PS_PER_US);
        comma = ",";
    }
    if (span->count > 1)
        cs_text_printf(writer->out, "%s\"merged\":%" PRIu64, comma, span->count);
    cs_text_add(writer->out, "}}");
}

/* An end of an arrow: inside the span, as viewers bind an end to the span of the
 * time. */
static void trace_arrow(struct trace_writer *writer, const struct cs_timeline_span *span,
                        uint32_t process, uint32_t tid)
{
    bool leaves = span->end == CS_TIMELINE_LEAVES;

    trace_event(writer, "message");
    cs_text_printf(writer->out, ",\"cat\":\"flow\",\"ph\":\"%s\",\"id\":%u",
                   leaves ? "s" : "f\",\"bp\":\"e", span->arrow + 1);
    trace_time(writer->out, "ts", span->from_ps);
    cs_text_printf(writer->out, ",\"pid\":%u,\"tid\":%u}", process + 1, tid);
}

static void trace_span(struct trace_writer *writer, const struct cs_timeline_span *span)
{
    const struct cs_timeline_name *name = &writer->timeline->names[span->name];
    uint32_t process = writer->timeline->threads[span->thread].process;
    struct trace_row *row = find_row(writer, span);

    row->end_ps = span->to_ps;
    trace_event(writer, name->text);
    cs_text_add(writer->out, ",\"cat\":");
    trace_string(writer->out, name->category);
    cs_text_add(writer->out, ",\"ph\":\"X\"");
    trace_time(writer->out, "ts", span->from_ps);
    trace_time(writer->out, "dur", span->to_ps - span->from_ps);
    cs_text_printf(writer->out, ",\"pid\":%u,\"tid\":%u", process + 1, row->tid);
    trace_args(writer, span);
    if (span->end != CS_TIMELINE_NO_ARROW)
        trace_arrow(writer, span, process, row->tid);
}

/* Threads without spans are not written. */
static void trace_spans(struct trace_writer *writer)
{
    const struct cs_timeline *timeline = writer->timeline;

    for (size_t i = 0; i < timeline->count.spans; i++) {
        if (i == 0 || timeline->spans[i].thread != timeline->spans[i - 1].thread)
            writer->row_count = 0;
        trace_span(writer, &timeline->spans[i]);
    }
}

static void trace_gauge(struct trace_writer *writer, const struct cs_timeline_gauge *gauge)
{
    char number[CS_JSON_REAL_TEXT];
    double last = 0;

    for (uint32_t p = 0; p <= gauge->points; p++) {
        double value = p < gauge->points ? gauge->values[p] : 0;

        if (p > 0 && value == last)
            continue;
        last = value;
        trace_event(writer, gauge->name);
        cs_text_add(writer->out, ",\"ph\":\"C\"");
        trace_time(writer->out, "ts", p * gauge->interval_ps);
        cs_text_printf(writer->out, ",\"pid\":%u,\"args\":{", gauge->process + 1);
        trace_string(writer->out, gauge->unit);
        cs_text_printf(writer->out, ":%s}}", cs_json_show_real(number, value));
    }
}

static void trace_other(const struct cs_timeline *timeline, struct cs_text *out)
{
    cs_text_add(out, "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{");
    cs_text_add(out, "\"title\":");
    trace_string(out, timeline->title ? timeline->title : "");
    for (size_t n = 0; n < timeline->count.notes; n++) {
        cs_text_printf(out, ",\n\"note %zu\":", n + 1);
        trace_string(out, timeline->notes[n]);
    }
    cs_text_add(out, "}}\n");
}

static void note_merged(struct cs_timeline *timeline)
{
    if (timeline->interval_ps)
        cs_timeline_note(timeline,
                         "%" PRIu64 " intervals are drawn as %zu: those that begin in the same %s "
                         "of a thread are one, without arrows",
                         timeline->added, timeline->count.spans,
                         cs_show_time(timeline->interval_ps).text);
}

void cs_chrome_trace_write(struct cs_timeline *timeline, struct cs_text *out)
{
    struct trace_writer writer = {.timeline = timeline, .out = out};

    cs_timeline_sort(timeline);
    note_merged(timeline);
    cs_text_add(out, "{\"traceEvents\":[");
    for (uint32_t p = 0; p < timeline->count.processes; p++)
        trace_name(&writer, "process_name", p, 0, timeline->processes[p]);
    trace_spans(&writer);
    for (size_t g = 0; g < timeline->count.gauges; g++)
        trace_gauge(&writer, &timeline->gauges[g]);
    trace_other(timeline, out);
    free(writer.rows);
}

int cs_chrome_trace_check(const char *file, bool force, struct cs_err *err)
{
    static const char *const json[] = {"json", NULL};
    size_t format;

    if (cs_endings_choose("--trace", file, json, &format, err))
        return CS_EINPUT;
    return cs_files_check_new(file, force, err);
}

int cs_chrome_trace_save(struct cs_timeline *timeline, const char *file, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    cs_chrome_trace_write(timeline, &text);
    return cs_files_write_path(file, &text, err);
}
