/*
 * Timeline: what happens when, on the threads of processes, for a trace viewer.
 *
 * A process is a node or a device, a thread is a rank, a stream or a link's
 * direction.  A span is an interval of a thread; an arrow leads from a span to a
 * span.  Spans of a thread may overlap: the writer gives such a thread several
 * rows.  A gauge is a number over time, in intervals of equal length.
 *
 * Memory and output are bounded: beyond CS_TIMELINE_SPANS_MAX spans, the spans of
 * a thread that begin in the same interval become one, with the sums of count and
 * bytes, and lose their arrows; the interval doubles as often as required.
 *
 *     struct cs_timeline timeline = {.title = "ring"};
 *     process = cs_timeline_process(&timeline, "n0");
 *     thread = cs_timeline_thread(&timeline, process, "rank 0 sends");
 *     name = cs_timeline_name(&timeline, "send", "to rank 1");
 *     cs_timeline_span(&timeline, &(struct cs_timeline_span){...});
 *     cs_chrome_trace_write(&timeline, &text);
 *     cs_timeline_free(&timeline);
 *
 *     span    amortised O(log spans)
 *     memory  O(threads + names + gauges), and CS_TIMELINE_SPANS_MAX spans
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_TIMELINE_SPANS_MAX = 120000, /* 40 MB of output */
    CS_TIMELINE_NOTES_MAX = 8
};

struct cs_timeline_name {
    const char *category, *text;
};

struct cs_timeline_thread {
    const char *name;
    uint32_t process;
};

enum cs_timeline_end {
    CS_TIMELINE_NO_ARROW,
    CS_TIMELINE_LEAVES, /* the arrow begins at the span */
    CS_TIMELINE_ARRIVES,
};

struct cs_timeline_span {
    uint64_t from_ps, to_ps;
    uint64_t bytes;   /* 0: none */
    uint64_t wait_ps; /* part of the span: for busy links; 0: none */
    uint64_t count;   /* of merged spans */
    uint64_t order;   /* of addition */
    uint32_t thread, name;
    uint32_t arrow; /* equal at both ends */
    enum cs_timeline_end end;
};

/* `points` values, each of `interval_ps`; a point is a rate or a share. */
struct cs_timeline_gauge {
    const char *name, *unit;
    const double *values;
    uint64_t interval_ps;
    uint32_t process, points;
};

/* Zeroed: empty.  Texts given to the functions are copied; the title is borrowed. */
struct cs_timeline_counts {
    size_t processes, threads, names, spans, gauges, notes;
};

struct cs_timeline {
    struct cs_arena arena;
    const char *title;
    const char **processes;
    struct cs_timeline_thread *threads;
    struct cs_timeline_name *names;
    struct cs_timeline_span *spans;
    struct cs_timeline_gauge *gauges;
    const char *notes[CS_TIMELINE_NOTES_MAX];
    struct cs_timeline_counts count, room;
    uint64_t added;       /* spans, merged ones counted */
    uint64_t interval_ps; /* of merged spans; 0: none are merged */
    uint32_t arrows;
};

uint32_t cs_timeline_process(struct cs_timeline *timeline, const char *name);
uint32_t cs_timeline_thread(struct cs_timeline *timeline, uint32_t process, const char *name);
uint32_t cs_timeline_name(struct cs_timeline *timeline, const char *category, const char *text);

/* Adds a copy of the span; `count` 0 is 1; `order`, `arrow` and `end` are set. */
void cs_timeline_span(struct cs_timeline *timeline, const struct cs_timeline_span *span);

/* Adds two spans, and an arrow from the first to the second. */
void cs_timeline_message(struct cs_timeline *timeline, const struct cs_timeline_span *leaves,
                         const struct cs_timeline_span *arrives);

/* The values are borrowed. */
void cs_timeline_gauge(struct cs_timeline *timeline, const struct cs_timeline_gauge *gauge);

/* A sentence about what the timeline leaves out. */
void cs_timeline_note(struct cs_timeline *timeline, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sorts the spans by thread, then begin, then order. */
void cs_timeline_sort(struct cs_timeline *timeline);

void cs_timeline_free(struct cs_timeline *timeline);

/*
 * Chrome trace: a timeline as the JSON that Perfetto and chrome://tracing open.
 *
 * The object form of the Trace Event Format: "traceEvents" with complete events
 * (ph X) for spans, flow events (s and f) for arrows, counters (C) for gauges,
 * and metadata (M) for names; times in microseconds with six decimals, exact to
 * the picosecond.  "otherData" has the title and the notes.  A thread with
 * overlapping spans has a row (tid) for each level of the overlap.
 *
 *     Trace Event Format, Google, 2016 (docs.google.com/document/d/
 *     1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU)
 *
 *     write   O(spans log spans)
 */

/* Appends the document; sorts the spans of the timeline, and adds a note where
 * spans were merged. */
void cs_chrome_trace_write(struct cs_timeline *timeline, struct cs_text *out);

/* CS_EINPUT where the file is not named .json, or where it exists, unless `force`. */
int cs_chrome_trace_check(const char *file, bool force, struct cs_err *err);

/* Writes the file. */
int cs_chrome_trace_save(struct cs_timeline *timeline, const char *file, struct cs_err *err);
