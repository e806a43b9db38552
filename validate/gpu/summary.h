/*
 * Summaries: counts over all runs of a comparison.
 *
 * Groups show errors of predicted runs; a summary shows the rest: runs left out,
 * registered predictions, the noise between repeated runs, and how much of a
 * rank's delay reaches the others.
 *
 *     summarize   O(n log n)
 *     delays      O(n^2) in the runs
 */
#pragma once

#include "validate/gpu/comparison.h"

/* Pairs of equal runs with and without a late rank: the difference of the measured
 * times beside the difference of the predicted times, as a share of the delay. */
struct cs_delays_passed_on {
    uint32_t count;
    double median, most; /* of |measured - predicted| / delay */
};
struct cs_delays_passed_on cs_comparison_delays(const struct cs_comparison *comparison,
                                                struct cs_arena *arena);

struct cs_comparison_summary {
    uint32_t predicted, skipped, repeated, failed, wrong;
    uint32_t other; /* left out for a further reason */
    uint32_t registered[CS_REGISTERED_COUNT];
    /* Of the runs with a registered prediction: measured by the same unmodified
     * sources; predicted here from the same calibration. */
    uint32_t written, same_commit, same_inputs;
    double repeat_median, repeat_most; /* factors between runs of a point */
};

/* The arena is for scratch memory. */
struct cs_comparison_summary cs_comparison_summarize(const struct cs_comparison *comparison,
                                                     struct cs_arena *arena);
