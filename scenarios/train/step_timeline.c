#include "scenarios/train/step_timeline.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    TIMELINE_FIRST_ROOM = 256
};

const char *cs_span_kind_name(enum cs_span_kind kind)
{
    static const char *const names[CS_SPAN_KINDS] = {
        "forward",          "backward", "recomputation",
        "optimizer",        "host",     "interference",
        "jitter",           "exposed",  "tensor parallel",
        "context parallel", "sends",    "data parallel"};

    return names[kind];
}

struct cs_step_span *cs_step_add(struct cs_step_timeline *timeline,
                                 uint32_t row, enum cs_span_kind kind,
                                 double *at_s, double seconds)
{
    struct cs_step_span *span;

    if (!(*at_s + seconds > *at_s) || !(*at_s + seconds > 0))
        return NULL;
    if (timeline->count == timeline->room) {
        timeline->room =
            timeline->room ? 2 * timeline->room : TIMELINE_FIRST_ROOM;
        timeline->spans =
            cs_grow(timeline->spans, timeline->room, sizeof(*timeline->spans));
    }
    span = &timeline->spans[timeline->count++];
    *span = (struct cs_step_span){
        .from_s = fmax(0, *at_s),
        .to_s = *at_s + seconds,
        .ready_s = fmax(0, *at_s),
        .row = row,
        .kind = kind,
        .stream = kind >= CS_SPAN_TENSOR ? CS_STREAM_CALLS : CS_STREAM_COMPUTE,
    };
    cs_step_name(span, "%s", cs_span_kind_name(kind));
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

void cs_step_timeline_free(struct cs_step_timeline *timeline)
{
    free(timeline->spans);
    *timeline = (struct cs_step_timeline){0};
}
