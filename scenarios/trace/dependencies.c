#include "scenarios/trace/dependencies.h"

#include <stdlib.h>

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

    if (x->channel != y->channel)
        return x->channel < y->channel ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
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

    if (x->event != y->event)
        return x->event < y->event ? -1 : 1;
    return (x->after > y->after) - (x->after < y->after);
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
