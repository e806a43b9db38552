#include "scenarios/trace/replay.h"

#include <math.h>
#include <stdlib.h>

struct replayed {
    double start_s, end_s;
    bool computes;
};

static double replay_duration(const struct cs_trace_replay *replay,
                              const struct cs_trace_event *event)
{
    if (event->kind == CS_TRACE_COMPUTE)
        return event->duration_s * replay->compute_scale;
    if (event->kind == CS_TRACE_COLLECTIVE && replay->call_s)
        return replay->call_s[event->call];
    return event->duration_s;
}

/* The latest ends that an event waits for, as measured and as replayed. */
struct replay_ends {
    double measured_s, replayed_s, floor_s;
};

static struct replay_ends replay_ends_of(const struct cs_trace_replay *replay,
                                         const struct replayed *events, uint32_t event,
                                         size_t *edge)
{
    const struct cs_trace_edges *edges = replay->edges;
    struct replay_ends ends = {0, 0, 0};

    for (; *edge < edges->count && edges->edges[*edge].event == event; ++*edge) {
        uint32_t after = edges->edges[*edge].after;
        const struct cs_trace_event *measured = &replay->trace->events[after];

        ends.measured_s = fmax(ends.measured_s, measured->start_s + measured->duration_s);
        ends.replayed_s = fmax(ends.replayed_s, events[after].end_s);
        if (measured->kind != CS_TRACE_HOST &&
            measured->stream == replay->trace->events[event].stream)
            ends.floor_s = fmax(ends.floor_s, events[after].start_s);
    }
    return ends;
}

/* Kernels of a stream overlap a little (programmatic launch, clocks), then the
 * gap is negative; the order of starts stays. */
static void replay_events(const struct cs_trace_replay *replay, struct replayed *events)
{
    size_t edge = 0;

    for (uint32_t e = 0; e < replay->trace->event_count; e++) {
        const struct cs_trace_event *event = &replay->trace->events[e];
        struct replay_ends ends = replay_ends_of(replay, events, e, &edge);
        double gap_s = event->start_s - ends.measured_s;

        events[e].start_s = fmax(ends.replayed_s + gap_s, ends.floor_s);
        events[e].end_s = events[e].start_s + replay_duration(replay, event);
        events[e].computes = event->kind != CS_TRACE_COLLECTIVE && event->kind != CS_TRACE_FIXED;
    }
}

static int replayed_compare(const void *a, const void *b)
{
    const struct replayed *x = a, *y = b;

    if (x->start_s != y->start_s)
        return x->start_s < y->start_s ? -1 : 1;
    return (x->end_s > y->end_s) - (x->end_s < y->end_s);
}

/* Seconds in which any of the events runs; events are in order of start. */
static double replay_union(const struct replayed *events, uint32_t count, bool compute_alone)
{
    double sum_s = 0, reached_s = 0;

    for (uint32_t e = 0; e < count; e++) {
        if (compute_alone && !events[e].computes)
            continue;
        if (events[e].end_s > reached_s) {
            sum_s += events[e].end_s - fmax(events[e].start_s, reached_s);
            reached_s = events[e].end_s;
        }
    }
    return sum_s;
}

void cs_trace_replay_run(const struct cs_trace_replay *replay, struct cs_trace_replay_time *time)
{
    uint32_t count = replay->trace->event_count;
    struct replayed *events = cs_grow(NULL, count + 1, sizeof(*events));
    double busy_s;

    *time = (struct cs_trace_replay_time){0};
    replay_events(replay, events);
    for (uint32_t e = 0; replay->start_s && e < count; e++) {
        replay->start_s[e] = events[e].start_s;
        replay->end_s[e] = events[e].end_s;
    }
    for (uint32_t e = 0; e < count; e++) {
        time->span_s = fmax(time->span_s, events[e].end_s);
        if (!events[e].computes)
            time->calls_s += events[e].end_s - events[e].start_s;
    }
    if (count)
        qsort(events, count, sizeof(*events), replayed_compare);
    busy_s = replay_union(events, count, false);
    time->compute_s = replay_union(events, count, true);
    time->exposed_s = busy_s - time->compute_s;
    time->idle_s = time->span_s - busy_s;
    free(events);
}
