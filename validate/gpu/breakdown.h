/*
 * Breakdowns of a comparison: where the model is off, and what that matters to a
 * choice.
 *
 * A regime is what limits a run: messages of one slice a channel take latency;
 * longer ones what L2, memory of the GPU, or PCIe carry.  A choice is one of the
 * algorithms and ways that were measured with the same GPU, ranks, type and size;
 * its regret is how much longer the one that is predicted to be fastest took than
 * the one that was.  Choices are between ring, tree, naive and ps with as many
 * channels as the program takes by itself.
 *
 * Runs of a score share one calibration and neighbouring sizes: they are not
 * independent facts.  A score is about one.
 *
 *     all    O(n^2) in the runs
 */
#ifndef CS_VALIDATE_GPU_BREAKDOWN_H
#define CS_VALIDATE_GPU_BREAKDOWN_H

#include "validate/gpu/comparison.h"

enum cs_regime {
    CS_REGIME_ONE_SLICE,
    CS_REGIME_L2,
    CS_REGIME_MEMORY,
    CS_REGIME_PCIE,
    CS_REGIMES,
};

extern const char *const cs_regime_names[CS_REGIMES];

enum cs_regime cs_regime_of(const struct cs_compared *run);

/* Of the factors of a regime's runs (comparison.h). */
struct cs_regime_errors {
    uint32_t count;
    double median, p90, most;
};
void cs_breakdown_regimes(const struct cs_comparison *comparison,
                          struct cs_arena *arena,
                          struct cs_regime_errors errors[CS_REGIMES]);

enum {
    CS_SCORE_RANKS = 5,
};

/* Numbers of ranks that have a median of their own. */
extern const uint32_t cs_score_ranks[CS_SCORE_RANKS];

/* Of the runs of a GPU, algorithm, way and regime: of ln(predicted / measured). */
struct cs_score {
    const char *gpu, *algorithm, *setup;
    enum cs_regime regime;
    bool held_out; /* a schedule, or channels, that no model was tried on */
    uint32_t count;
    uint32_t within;          /* predictions between p10 and p90 of the runs */
    double median, p90, most; /* of |ln| */
    double bias;              /* the median of ln */
    double by_ranks[CS_SCORE_RANKS]; /* medians of |ln|; below 0: no run */
};
/* In the order of their first runs; returns how many. */
size_t cs_breakdown_scores(const struct cs_comparison *comparison,
                           struct cs_arena *arena, struct cs_score **scores);

/* Of one size. */
struct cs_regret {
    uint64_t bytes;
    uint32_t choices; /* of two or more */
    uint32_t right;   /* the fastest was predicted */
    double mean, most;
};
/* By size; returns how many. */
size_t cs_breakdown_regrets(const struct cs_comparison *comparison,
                            struct cs_arena *arena, struct cs_regret **regrets);

#endif
