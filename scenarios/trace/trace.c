#include "scenarios/trace/trace.h"

#include "sim/base/file.h"
#include "sim/base/order.h"
#include "sim/base/text.h"
#include "topo/formats/signature.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRACE_FORMAT(name) extern const struct cs_trace_format cs_trace_##name;
#include "scenarios/trace/traces.def"
#undef TRACE_FORMAT

const struct cs_trace_format *const cs_trace_formats[] = {
#define TRACE_FORMAT(name) &cs_trace_##name,
#include "scenarios/trace/traces.def"
#undef TRACE_FORMAT
};
const size_t cs_trace_format_count = sizeof(cs_trace_formats) / sizeof(*cs_trace_formats);

enum {
    TRACE_START = 1024, /* bytes by which a format is recognised */
    TRACE_ROOM = 64,
};

/* ---- growing arrays ---- */

void *cs_trace_room(void *items, size_t count, size_t size)
{
    bool is_full = count == 0 || (count >= TRACE_ROOM && (count & (count - 1)) == 0);

    if (!is_full)
        return items;
    return cs_grow(items, count ? 2 * count : TRACE_ROOM, size);
}

struct cs_trace_event *cs_trace_add_event(struct cs_trace *trace)
{
    trace->events = cs_trace_room(trace->events, trace->event_count, sizeof(*trace->events));
    trace->events[trace->event_count] = (struct cs_trace_event){.call = CS_TRACE_NONE};
    return &trace->events[trace->event_count++];
}

uint32_t cs_trace_add_call(struct cs_trace *trace, struct cs_trace_call call)
{
    trace->calls = cs_trace_room(trace->calls, trace->call_count, sizeof(*trace->calls));
    trace->calls[trace->call_count] = call;
    return trace->call_count++;
}

void cs_trace_add_wait(struct cs_trace *trace, struct cs_trace_wait wait)
{
    trace->waits = cs_trace_room(trace->waits, trace->wait_count, sizeof(*trace->waits));
    trace->waits[trace->wait_count++] = wait;
}

void cs_trace_add_dependency(struct cs_trace *trace, uint64_t order, uint64_t after)
{
    trace->dependencies =
        cs_trace_room(trace->dependencies, trace->dependency_count, sizeof(*trace->dependencies));
    trace->dependencies[trace->dependency_count++] = (struct cs_trace_dependency){order, after};
}

/* Groups are few (tens), so a search in order is sufficient. */
uint32_t cs_trace_group_of(struct cs_trace *trace, const uint32_t *ranks, uint32_t size)
{
    struct cs_trace_group *group;

    for (uint32_t g = 0; g < trace->group_count; g++)
        if (trace->groups[g].size == size &&
            !memcmp(trace->groups[g].ranks, ranks, size * sizeof(*ranks)))
            return g;
    trace->groups = cs_trace_room(trace->groups, trace->group_count, sizeof(*trace->groups));
    group = &trace->groups[trace->group_count];
    group->size = size;
    group->ranks = cs_grow(NULL, size, sizeof(*ranks));
    memcpy(group->ranks, ranks, size * sizeof(*ranks));
    return trace->group_count++;
}

void cs_trace_name_group(struct cs_trace *trace, const char *name, const uint32_t *ranks,
                         uint32_t size)
{
    struct cs_trace_named *named;

    trace->named = cs_trace_room(trace->named, trace->named_count, sizeof(*trace->named));
    named = &trace->named[trace->named_count++];
    *named = (struct cs_trace_named){.size = size};
    (void)snprintf(named->name, sizeof(named->name), "%s", name);
    named->ranks = cs_grow(NULL, size ? size : 1, sizeof(*ranks));
    memcpy(named->ranks, ranks, size * sizeof(*ranks));
}

const struct cs_trace_named *cs_trace_named_group(const struct cs_trace *trace, const char *name)
{
    for (uint32_t n = 0; n < trace->named_count; n++)
        if (!strcmp(trace->named[n].name, name))
            return &trace->named[n];
    return NULL;
}

void cs_trace_free(struct cs_trace *trace)
{
    for (uint32_t n = 0; n < trace->named_count; n++)
        free(trace->named[n].ranks);
    free(trace->named);
    for (uint32_t g = 0; g < trace->group_count; g++)
        free(trace->groups[g].ranks);
    free(trace->groups);
    free(trace->events);
    free(trace->calls);
    free(trace->waits);
    free(trace->dependencies);
    *trace = (struct cs_trace){0};
}

const char *cs_trace_reason_text(enum cs_trace_reason reason)
{
    static const char *const texts[CS_LEFT_REASONS] = {
        [CS_LEFT_HOST] = "host records of calls, whose kernels count",
        [CS_LEFT_ANNOTATION] = "ranges around kernels",
        [CS_LEFT_NO_RECORD] = "kernels of NCCL or RCCL without a call record",
        [CS_LEFT_UNKNOWN] = "unknown collectives",
        [CS_LEFT_DTYPE] = "unknown element types",
        [CS_LEFT_SINGLE] = "groups of one rank",
        [CS_LEFT_EMPTY] = "calls without elements",
        [CS_LEFT_INCOMPLETE] = "records without time, size or group",
    };

    return texts[reason];
}

/* ---- order ---- */

/* By start; equal starts keep the order of launches, so that the replay of a
 * file does not depend on the order of its lines. */
static int trace_compare_events(const void *a, const void *b)
{
    const struct cs_trace_event *x = a, *y = b;

    if (x->start_s != y->start_s)
        return x->start_s < y->start_s ? -1 : 1;
    if (x->order != y->order || x->channel != y->channel)
        return CS_ORDER({x->order, y->order}, {x->channel, y->channel});
    return (x->duration_s > y->duration_s) - (x->duration_s < y->duration_s);
}

static int trace_compare_waits(const void *a, const void *b)
{
    const struct cs_trace_wait *x = a, *y = b;

    return CS_ORDER({x->stream, y->stream}, {x->order, y->order});
}

static uint32_t trace_stream_of(uint32_t *channels, uint32_t *count, uint32_t channel)
{
    uint32_t s = 0;

    while (s < *count && channels[s] != channel)
        s++;
    if (s == *count)
        channels[(*count)++] = channel;
    return s;
}

enum {
    TRACE_STREAMS_MAX = 1024, /* a device of CUDA runs 128 kernels at once */
};

/* Sorts the events, starts the clock at the first, and numbers the streams. */
static int trace_order(struct cs_trace *trace, const char *path, struct cs_err *err)
{
    uint32_t channels[TRACE_STREAMS_MAX] = {0};
    double zero = trace->event_count ? INFINITY : 0;

    for (uint32_t e = 0; e < trace->event_count; e++)
        zero = fmin(zero, trace->events[e].start_s);
    if (trace->event_count)
        qsort(trace->events, trace->event_count, sizeof(*trace->events), trace_compare_events);
    if (trace->wait_count)
        qsort(trace->waits, trace->wait_count, sizeof(*trace->waits), trace_compare_waits);
    for (uint32_t e = 0; e < trace->event_count; e++) {
        struct cs_trace_event *event = &trace->events[e];

        event->start_s -= zero;
        if (event->kind == CS_TRACE_HOST)
            continue;
        event->stream = trace_stream_of(channels, &trace->streams, event->channel);
        if (trace->streams == TRACE_STREAMS_MAX)
            return cs_err_at(err, CS_EINPUT, path, 0,
                             "more than %d streams: not the trace of one rank",
                             TRACE_STREAMS_MAX - 1);
    }
    return 0;
}

/* ---- files ---- */

static int trace_unknown(const struct cs_trace_file *file, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text known = {0};

    if (!file->length)
        return cs_err_at(err, CS_EINPUT, file->path, 0, "the trace is empty");
    for (size_t i = 0; i < cs_trace_format_count; i++)
        cs_text_printf(&known, "%s%s", i ? "; or " : "", cs_trace_formats[i]->about);
    cs_err_at(err, CS_EINPUT, file->path, 0, "no trace of a known format; expected %s",
              cs_text_str(&known));
    cs_signature_explain((struct cs_doc_text){file->path, file->start, file->length}, "a trace",
                         "--replay FILE", err);
    return CS_EINPUT;
}

static int trace_read_from(const struct cs_trace_file *file, struct cs_trace *trace,
                           struct cs_err *err)
{
    int code;

    *trace = (struct cs_trace){.steps = 1};
    for (size_t i = 0; i < cs_trace_format_count; i++) {
        if (!cs_trace_formats[i]->recognises(file->start, file->length))
            continue;
        code = cs_trace_formats[i]->read(file, trace, err);
        return code ? code : trace_order(trace, file->path, err);
    }
    return trace_unknown(file, err);
}

int cs_trace_read_text(const char *name, const char *text, size_t length, struct cs_trace *trace,
                       struct cs_err *err)
{
    const struct cs_trace_file file = {name, text, length, NULL};

    return trace_read_from(&file, trace, err);
}

int cs_trace_read(const char *path, struct cs_trace *trace, struct cs_err *err)
{
    char start[TRACE_START];
    struct cs_file opened;
    struct cs_trace_file file = {path, start, 0, NULL};
    int code = cs_file_open(path, &opened, err);

    *trace = (struct cs_trace){.steps = 1};
    if (code)
        return code;
    file.file = opened.stream;
    file.length = fread(start, 1, sizeof(start), file.file);
    if (ferror(file.file))
        code = cs_file_refuse(path, "read", err);
    if (!code)
        code = trace_read_from(&file, trace, err);
    fclose(file.file);
    return code;
}
