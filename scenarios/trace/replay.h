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
#ifndef CS_SCENARIOS_TRACE_REPLAY_H
#define CS_SCENARIOS_TRACE_REPLAY_H

#include "scenarios/trace/dependencies.h"

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

#endif
