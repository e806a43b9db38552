/*
 * Summaries: counts over all runs of a comparison.
 *
 * Groups show errors of predicted runs; a summary shows the rest: runs left out,
 * registered predictions, the noise between repeated runs and between two
 * calibrations.
 *
 *     summarize   O(n log n)
 */
#ifndef CS_VALIDATE_GPU_SUMMARY_H
#define CS_VALIDATE_GPU_SUMMARY_H

#include "validate/gpu/comparison.h"

struct cs_comparison_summary {
    uint32_t predicted, skipped, repeated, failed, wrong;
    uint32_t other; /* left out for a further reason */
    uint32_t registered[CS_REGISTERED_COUNT];
    /* Of the runs with a registered prediction: measured by the same unmodified
     * sources; predicted here from the same calibration. */
    uint32_t written, same_commit, same_inputs;
    double repeat_median, repeat_most; /* factors between runs of a point */
    uint32_t twice;                    /* runs that two calibrations predict */
    double noise, most;                /* factors between these, the median and the largest */
};

/* The arena is for scratch memory. */
struct cs_comparison_summary cs_comparison_summarize(const struct cs_comparison *comparison,
                                                     struct cs_arena *arena);

#endif
