/*
 * Replay: the events of a trace, with predicted times of collectives.
 *
 * Order and dependencies (dependencies.h) stay.  Kernels last
 * as measured, times a scale; collectives as given; copies, and collectives
 * left out of the prediction, as measured.  An event starts the measured gap after the
 * last dependency, so that time of the host stays as measured.
 * With measured times and scale 1 a replay is the trace itself.
 *
 *     run   O(events log events)
 */
#pragma once

#include "scenarios/trace/trace.h"

/* ---- dependencies ---- */

/*
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

struct cs_trace_replay {
    const struct cs_trace *trace;
    const struct cs_trace_edges *edges;
    const double *call_s;    /* by call; NULL: as measured */
    double compute_scale;    /* 1: kernels as measured */
    double *start_s, *end_s; /* by event, written; NULL: not required */
};

/* Seconds of the whole trace. */
struct cs_trace_replay_time {
    double span_s;    /* from the first start to the last end */
    double compute_s; /* some kernel or copy runs */
    double exposed_s; /* a collective runs and no kernel */
    double idle_s;    /* nothing runs */
    double calls_s;   /* of the collectives, added */
};

void cs_trace_replay_run(const struct cs_trace_replay *replay, struct cs_trace_replay_time *time);
