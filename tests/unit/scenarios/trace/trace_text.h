/*
 * Traces as texts: events of PyTorch's profiler for tests.
 */
#pragma once

#include "scenarios/trace/trace.h"
#include "tests/test.h"

#include <string.h>

#define KERNEL(ts, dur, stream, corr)                                                   \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,"                     \
    "\"tid\":" #stream ",\"ts\":" #ts ",\"dur\":" #dur ",\"args\":{\"stream\":" #stream \
    ",\"correlation\":" #corr "}}"

/* `fields` are further arguments. */
#define CALL(ts, dur, stream, corr, name, fields)                                       \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_x\",\"pid\":0,"          \
    "\"tid\":" #stream ",\"ts\":" #ts ",\"dur\":" #dur ",\"args\":{\"stream\":" #stream \
    ",\"correlation\":" #corr ",\"Collective name\":\"" name "\"," fields "}}"

#define OF_FOUR(in, out)                                                \
    "\"In msg nelems\":" #in ",\"Out msg nelems\":" #out                \
    ",\"Group size\":4,\"dtype\":\"BFloat16\",\"Process Group Ranks\":" \
    "\"[0, 1, 2, 3]\""

static inline void trace_open(struct cs_trace *trace, const char *text)
{
    assert_done(cs_trace_read_text("t.json", text, strlen(text), trace, &err));
}
