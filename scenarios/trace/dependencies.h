/*
 * Dependencies of the events of a trace.
 *
 * An event starts after
 *   - the previous event of the stream,
 *   - a collective: the last kernel launched before on the host, for the
 *     stream of a collective waits for the stream of the caller (ProcessGroupNCCL::collective),
 *   - the events of recorded waits between streams,
 *   - the events of the file's own dependencies,
 *   - without recorded waits or dependencies: the event that ended last before
 *     the start, of any stream, where the event's own stream was idle.
 * A wait that cost no time leaves no mark in a trace without recorded waits.
 *
 *     open   O(events log events)
 */
#ifndef CS_SCENARIOS_TRACE_DEPENDENCIES_H
#define CS_SCENARIOS_TRACE_DEPENDENCIES_H

#include "scenarios/trace/trace.h"

/* `event` starts after the end of `after`; indices of events. */
struct cs_trace_edge {
    uint32_t event, after;
};

struct cs_trace_edges {
    struct cs_trace_edge *edges; /* by event; `after` < `event` */
    size_t count;
    uint64_t waits_used;
};

void cs_trace_edges_open(const struct cs_trace *trace, struct cs_trace_edges *edges);
void cs_trace_edges_close(struct cs_trace_edges *edges);

#endif
