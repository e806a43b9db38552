/*
 * Calls that take longer on a faster machine, or of fewer bytes.
 *
 * By fixed decisions - algorithm, protocol, channels, chunks - a call of a cost
 * model never takes longer where links are faster, latencies shorter or bytes
 * fewer.  A library decides by rules and estimates of its own, and can decide
 * for the worse.  A comparison names such a call, with the time that the former
 * decisions would have taken.
 */
#pragma once

#include "algorithms/libraries/library.h"
#include "sim/base/text.h"

enum cs_slower {
    CS_SLOWER_NOT,         /* the later call takes no longer */
    CS_SLOWER_BY_DECISION, /* as decided before it would not */
    CS_SLOWER_ANYHOW,      /* the later call is no smaller, or not on a faster
                              machine; otherwise an error of the cost model */
};

struct cs_slower_call {
    enum cs_slower is;
    struct cs_library_time before, after;
    struct cs_library_time kept; /* the later call as decided for the former */
};

/* Compares two calls of one library, collective and number of ranks.  Errors as of
 * struct cs_library.time. */
int cs_slower_call_find(const struct cs_library *library, const struct cs_library_request *before,
                        const struct cs_library_request *after, struct cs_slower_call *call,
                        struct cs_err *err);

/* "nccl decides for ring ll128 on 43 channels; decided as there, for ring ll on 24
 * channels, it would take 38.1 us in place of 66.4 us" */
void cs_slower_call_put(const struct cs_library *library, const struct cs_slower_call *call,
                        struct cs_text *out);
