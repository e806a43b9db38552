#include "scenarios/train/timeline/step_timeline.h"

#include "sim/base/collections/vector.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *const cs_span_kind_names[CS_SPAN_KINDS] = {
    "forward",          "backward", "recomputation", "optimizer",       "host",
    "interference",     "jitter",   "exposed",       "tensor parallel", "experts",
    "context parallel", "sends",    "data parallel"};

struct cs_step_span *cs_step_add(struct cs_step_timeline *timeline, uint32_t row,
                                 enum cs_span_kind kind, double *at_s, double seconds)
{
    struct cs_step_span *span;

    if (!(*at_s + seconds > *at_s) || !(*at_s + seconds > 0))
        return NULL;
    span = CS_VECTOR_NEXT(timeline->spans, timeline->count, timeline->room);
    *span = (struct cs_step_span){
        .from_s = fmax(0, *at_s),
        .to_s = *at_s + seconds,
        .ready_s = fmax(0, *at_s),
        .row = row,
        .kind = kind,
        .stream = kind >= CS_SPAN_TENSOR ? CS_STREAM_CALLS : CS_STREAM_COMPUTE,
    };
    cs_step_name(span, "%s", cs_span_kind_names[kind]);
    *at_s = span->to_s;
    timeline->end_s = fmax(timeline->end_s, span->to_s);
    if (row >= timeline->rows)
        timeline->rows = row + 1;
    return span;
}

void cs_step_name(struct cs_step_span *span, const char *format, ...)
{
    va_list args;

    if (!span)
        return;
    va_start(args, format);
    (void)vsnprintf(span->name, sizeof(span->name), format, args);
    va_end(args);
}

/* Neither compute nor a collective. */
static bool span_waits(const struct cs_step_span *span)
{
    return span->kind == CS_SPAN_HOST || span->kind == CS_SPAN_JITTER;
}

static bool span_computes(const struct cs_step_span *span)
{
    return span->stream == CS_STREAM_COMPUTE && !span_waits(span) && span->kind != CS_SPAN_EXPOSED;
}

static int by_begin(const void *a, const void *b)
{
    double first = ((const struct cs_step_span *)a)->from_s;
    double second = ((const struct cs_step_span *)b)->from_s;

    return (first > second) - (first < second);
}

/* Seconds that spans in the order of their begins cover. */
static double covered_s(const struct cs_step_span *spans, uint32_t count, bool compute_alone)
{
    double sum_s = 0, end_s = 0;

    for (uint32_t i = 0; i < count; ++i) {
        if (compute_alone && !span_computes(&spans[i]))
            continue;
        sum_s += fmax(0, spans[i].to_s - fmax(end_s, spans[i].from_s));
        end_s = fmax(end_s, spans[i].to_s);
    }
    return sum_s;
}

struct cs_step_use cs_step_use_of(const struct cs_step_timeline *timeline, uint32_t row)
{
    struct cs_step_span *spans = cs_grow(NULL, timeline->count + (size_t)1, sizeof(*spans));
    struct cs_step_use use = {0};
    uint32_t count = 0;
    double busy_s;

    for (uint32_t i = 0; i < timeline->count; ++i) {
        const struct cs_step_span *span = &timeline->spans[i];

        if (span->row != row || span_waits(span))
            continue;
        spans[count++] = *span;
        if (span->stream == CS_STREAM_CALLS)
            use.calls_s += span->to_s - span->from_s;
    }
    qsort(spans, count, sizeof(*spans), by_begin);
    busy_s = covered_s(spans, count, false);
    use.compute_s = covered_s(spans, count, true);
    use.exposed_s = fmax(0, busy_s - use.compute_s);
    use.idle_s = fmax(0, timeline->end_s - busy_s);
    free(spans);
    return use;
}

void cs_step_timeline_free(struct cs_step_timeline *timeline)
{
    free(timeline->spans);
    *timeline = (struct cs_step_timeline){0};
}
