/*
 * Breakdowns of a comparison: errors by regime, and their effect on a choice.
 *
 * The regime of a run is the resource that limits the run: latency for messages
 * of one slice a channel; L2, the GPU's memory or PCIe for longer messages.  Runs
 * with a delayed rank are a regime of their own.  A
 * choice is between the algorithms and setups measured with equal GPU, ranks,
 * type and size; the regret is the measured time of the predicted winner beyond
 * the fastest measured time.  Choices are between ring, tree, naive and ps with
 * the program's default number of channels.
 *
 * Runs of a score share a calibration and neighbouring sizes, so they are not
 * independent: a score counts as about one fact.
 *
 *     all functions   O(n^2) in the runs
 */
#pragma once

#include "validate/gpu/comparison.h"

enum cs_regime {
    CS_REGIME_ONE_SLICE,
    CS_REGIME_L2,
    CS_REGIME_MEMORY,
    CS_REGIME_PCIE,
    CS_REGIME_DELAYED, /* a rank starts late */
    CS_REGIMES,
};

extern const char *const cs_regime_names[CS_REGIMES];

/* Statistics of the factors of a regime's runs (comparison.h). */
struct cs_regime_errors {
    uint32_t count;
    double median, p90, most;
    /* Runs with measured ends of the ranks; the median over the runs of the
     * factor of the rank with the worst end. */
    uint32_t ends_count;
    double ends;
};
void cs_breakdown_regimes(const struct cs_comparison *comparison, struct cs_arena *arena,
                          struct cs_regime_errors errors[CS_REGIMES]);

/* Pairs of equal runs with and without a late rank: the difference of the measured
 * times beside the difference of the predicted times, as a share of the delay. */
struct cs_delays_passed_on {
    uint32_t count;
    double median, most; /* of |measured - predicted| / delay */
};
struct cs_delays_passed_on cs_breakdown_delays(const struct cs_comparison *comparison,
                                               struct cs_arena *arena);

enum {
    CS_SCORE_RANKS = 5,
};

/* Statistics of ln(predicted / measured) over the runs of a GPU, algorithm, setup
 * and regime. */
struct cs_score {
    const char *gpu, *algorithm, *setup;
    enum cs_regime regime;
    bool held_out; /* a schedule, channels or a delay not used in
                      developing the model */
    uint32_t count;
    uint32_t within;                 /* runs predicted between the measured p10 and p90 */
    double median, p90, most;        /* of |ln| */
    double bias;                     /* the median of ln */
    double by_ranks[CS_SCORE_RANKS]; /* medians of |ln|; NAN: no run */
};
/* Sets `scores`, in the order of the first runs, and returns their number. */
size_t cs_breakdown_scores(const struct cs_comparison *comparison, struct cs_arena *arena,
                           struct cs_score **scores);

/* The choices of one size. */
struct cs_regret {
    uint64_t bytes;
    uint32_t choices; /* between two runs or more */
    uint32_t right;   /* with the fastest run predicted to be fastest */
    double mean, most;
};
/* Sets `regrets`, by size, and returns their number. */
size_t cs_breakdown_regrets(const struct cs_comparison *comparison, struct cs_arena *arena,
                            struct cs_regret **regrets);

/*
 * Summaries: counts over all runs of a comparison.
 *
 * Groups show errors of predicted runs; a summary shows the rest: runs left out,
 * registered predictions, the noise between repeated runs and between two
 * calibrations.
 *
 *     summarize   O(n log n)
 */

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
