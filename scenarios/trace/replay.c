#include "scenarios/trace/replay.h"

#include "sim/base/order.h"

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

/* ---- dependencies ---- */

enum {
    DEPENDENCY_LOOK_BACK = 64, /* launches of other streams in between */
};

/* ---- edges ---- */

static double event_end(const struct cs_trace_event *event)
{
    return event->start_s + event->duration_s;
}

static void edges_add(struct cs_trace_edges *edges, uint32_t event, uint32_t after)
{
    edges->edges = cs_trace_room(edges->edges, edges->count, sizeof(*edges->edges));
    edges->edges[edges->count++] = (struct cs_trace_edge){event, after};
}

/* An edge against the order of the measurement is a fault of the profiler's
 * clocks, and would be a cycle. */
static bool edges_may_add(const struct cs_trace *trace, uint32_t event, uint32_t after)
{
    return after < event && event_end(&trace->events[after]) <= trace->events[event].start_s;
}

/* ---- the order of launches ---- */

/* The launches of a stream, or of every kernel, by order. */
struct launch {
    uint64_t order;
    uint32_t channel, event;
};

static int launch_compare(const void *a, const void *b)
{
    const struct launch *x = a, *y = b;

    return CS_ORDER({x->channel, y->channel}, {x->order, y->order}, {x->event, y->event});
}

/* The number of launches before (channel, order). */
static size_t launch_before(const struct launch *launches, size_t count, struct launch limit)
{
    size_t low = 0;

    while (low < count) {
        size_t middle = low + (count - low) / 2;
        const struct launch *at = &launches[middle];

        if (at->channel < limit.channel ||
            (at->channel == limit.channel && at->order < limit.order))
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* ---- collectives after kernels ---- */

static bool event_is_call(const struct cs_trace_event *event)
{
    return event->kind == CS_TRACE_COLLECTIVE || event->kind == CS_TRACE_FIXED;
}

/* Launches of known order, by stream; or of kernels alone, of all streams. */
static size_t launches_of(const struct cs_trace *trace, bool by_stream, struct launch *launches)
{
    size_t count = 0;

    for (uint32_t e = 0; e < trace->event_count; e++) {
        const struct cs_trace_event *event = &trace->events[e];

        if (event->order && (by_stream || !event_is_call(event)))
            launches[count++] = (struct launch){event->order, by_stream ? event->channel : 0, e};
    }
    if (count)
        qsort(launches, count, sizeof(*launches), launch_compare);
    return count;
}

static void edges_add_producers(const struct cs_trace *trace, struct launch *launches,
                                struct cs_trace_edges *edges)
{
    size_t count = launches_of(trace, false, launches);

    for (uint32_t e = 0; e < trace->event_count; e++) {
        const struct cs_trace_event *event = &trace->events[e];
        size_t at, tries = 0;

        if (!event_is_call(event) || !event->order)
            continue;
        at = launch_before(launches, count, (struct launch){event->order, 0, 0});
        while (at > 0 && tries++ < DEPENDENCY_LOOK_BACK &&
               !edges_may_add(trace, e, launches[at - 1].event))
            at--;
        if (at > 0 && edges_may_add(trace, e, launches[at - 1].event))
            edges_add(edges, e, launches[at - 1].event);
    }
}

/* ---- recorded waits ---- */

static void edges_add_waits(const struct cs_trace *trace, struct launch *launches,
                            struct cs_trace_edges *edges)
{
    size_t count = launches_of(trace, true, launches);

    for (uint32_t w = 0; w < trace->wait_count; w++) {
        const struct cs_trace_wait *wait = &trace->waits[w];
        size_t next = launch_before(launches, count, (struct launch){wait->order, wait->stream, 0});
        size_t last =
            launch_before(launches, count, (struct launch){wait->on_order, wait->on_stream, 0});

        if (next == count || launches[next].channel != wait->stream || last == 0 ||
            launches[last - 1].channel != wait->on_stream ||
            !edges_may_add(trace, launches[next].event, launches[last - 1].event))
            continue;
        edges_add(edges, launches[next].event, launches[last - 1].event);
        edges->waits_used++;
    }
}

/* ---- dependencies of the file ---- */

/* Launches are sorted by unique order. */
static void edges_add_dependencies(const struct cs_trace *trace, struct launch *launches,
                                   struct cs_trace_edges *edges)
{
    for (uint32_t e = 0; e < trace->event_count; e++)
        launches[e] = (struct launch){trace->events[e].order, 0, e};
    qsort(launches, trace->event_count, sizeof(*launches), launch_compare);
    for (uint32_t d = 0; d < trace->dependency_count; d++) {
        const struct cs_trace_dependency *pair = &trace->dependencies[d];
        size_t event =
            launch_before(launches, trace->event_count, (struct launch){pair->order, 0, 0});
        size_t after =
            launch_before(launches, trace->event_count, (struct launch){pair->after, 0, 0});

        if (event < trace->event_count && after < trace->event_count &&
            edges_may_add(trace, launches[event].event, launches[after].event))
            edges_add(edges, launches[event].event, launches[after].event);
    }
}

/* ---- waits as idle time ---- */

struct event_at {
    double end_s;
    uint32_t event;
};

static int event_compare_ends(const void *a, const void *b)
{
    const struct event_at *x = a, *y = b;

    if (x->end_s != y->end_s)
        return x->end_s < y->end_s ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

static void edges_add_idle(const struct cs_trace *trace, struct cs_trace_edges *edges)
{
    struct event_at *ends = cs_grow(NULL, trace->event_count, sizeof(*ends));
    uint32_t passed = 0;

    for (uint32_t e = 0; e < trace->event_count; e++)
        ends[e] = (struct event_at){event_end(&trace->events[e]), e};
    if (trace->event_count)
        qsort(ends, trace->event_count, sizeof(*ends), event_compare_ends);
    for (uint32_t e = 0; e < trace->event_count; e++) {
        double start_s = trace->events[e].start_s;
        uint32_t last;

        while (passed < trace->event_count && ends[passed].end_s <= start_s)
            passed++;
        if (!passed)
            continue;
        last = ends[passed - 1].event;
        if (trace->events[last].stream != trace->events[e].stream && edges_may_add(trace, e, last))
            edges_add(edges, e, last);
    }
    free(ends);
}

/* ---- edges of every kind ---- */

static void edges_add_streams(const struct cs_trace *trace, struct cs_trace_edges *edges)
{
    uint32_t *last = cs_grow(NULL, trace->streams + 1, sizeof(*last));

    for (uint32_t s = 0; s < trace->streams; s++)
        last[s] = CS_TRACE_NONE;
    for (uint32_t e = 0; e < trace->event_count; e++) {
        uint32_t stream = trace->events[e].stream;

        if (trace->events[e].kind == CS_TRACE_HOST)
            continue;
        if (last[stream] != CS_TRACE_NONE)
            edges_add(edges, e, last[stream]);
        last[stream] = e;
    }
    free(last);
}

static int edges_compare(const void *a, const void *b)
{
    const struct cs_trace_edge *x = a, *y = b;

    return CS_ORDER({x->event, y->event}, {x->after, y->after});
}

void cs_trace_edges_open(const struct cs_trace *trace, struct cs_trace_edges *edges)
{
    struct launch *launches = cs_grow(NULL, trace->event_count + 1, sizeof(*launches));

    *edges = (struct cs_trace_edges){0};
    edges_add_streams(trace, edges);
    if (!trace->dependency_count)
        edges_add_producers(trace, launches, edges);
    if (trace->dependency_count)
        edges_add_dependencies(trace, launches, edges);
    else if (trace->wait_count)
        edges_add_waits(trace, launches, edges);
    else
        edges_add_idle(trace, edges);
    if (edges->count)
        qsort(edges->edges, edges->count, sizeof(*edges->edges), edges_compare);
    free(launches);
}

void cs_trace_edges_close(struct cs_trace_edges *edges)
{
    free(edges->edges);
    *edges = (struct cs_trace_edges){0};
}
