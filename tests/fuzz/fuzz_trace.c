/*
 * Fuzz target: traces.  A trace that can be read has dependencies without
 * cycles, and replays with its measured times as measured.
 */
#include "scenarios/trace/replay.h"
#include "tests/fuzz/insist.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay_measured(const struct cs_trace *trace)
{
    CS_AT_END(cs_trace_edges_close) struct cs_trace_edges edges;
    struct cs_trace_replay_time time;
    double end_s = 0;

    cs_trace_edges_open(trace, &edges);
    for (size_t i = 0; i < edges.count; i++)
        insist(edges.edges[i].after < edges.edges[i].event &&
               edges.edges[i].event < trace->event_count);
    cs_trace_replay_run(&(struct cs_trace_replay){trace, &edges, NULL, 1, NULL, NULL}, &time);
    for (uint32_t e = 0; e < trace->event_count; e++)
        end_s = fmax(end_s, trace->events[e].start_s + trace->events[e].duration_s);
    insist(fabs(time.span_s - end_s) <= 1e-6 * end_s + 1e-15);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CS_AT_END(cs_trace_free) struct cs_trace trace;
    struct cs_err err = {0};
    uint64_t left_out = 0;
    int code = cs_trace_read_text("fuzz", (const char *)data, size, &trace, &err);

    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    for (int reason = 0; reason < CS_LEFT_REASONS; reason++)
        left_out += trace.gaps.left_out[reason];
    insist(trace.gaps.records == trace.call_count + left_out);
    if (!code)
        replay_measured(&trace);
    return 0;
}
