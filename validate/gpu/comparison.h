/*
 * Comparisons: predictions beside measurements, with signed errors.
 *
 * Runs are grouped by GPU, algorithm, setup (transport, GPUs, place of servers)
 * and size: below 1 MiB, and from 1 MiB.  summary.h counts over all runs,
 * gates.h checks the groups' errors against limits.
 *
 *     compare   O(n^2) in the lines, and a simulation for each run
 */
#pragma once

#include "reports/figures/plot/figure.h"
#include "validate/gpu/measured.h"
#include "validate/gpu/model.h"

#include <stdbool.h>

/*
 * Registered predictions: whether a prediction was written down before the run.
 *
 * `validate predict` writes a line of kind "predicted" for every run of the
 * measurement plan (prediction_list.h).  A prediction counts as registered
 * before the run when the line is older than the measurement and the model
 * still gives the same time; a later change of model or calibration shows.
 *
 *     find, is_planned   O(lines)
 */

enum cs_registered {
    CS_REGISTERED_NOT,
    CS_REGISTERED_BEFORE,  /* before the run, with today's time */
    CS_REGISTERED_AFTER,   /* when the run was measured, or later */
    CS_REGISTERED_CHANGED, /* with a time that today's model does not give */
    CS_REGISTERED_COUNT,
};

/* Whether two lines are about the same program in the same configuration.  A
 * size that is skipped because a smaller size was skipped has no channels. */
bool cs_registration_same_run(const struct cs_measured *a, const struct cs_measured *b);

/* The registration of a run whose predicted time is time_s.  Of several lines
 * the strongest counts: before, after, changed.  `written` is the line, or
 * NULL. */
enum cs_registered cs_registration_find(const struct cs_measurements *all,
                                        const struct cs_measured *run, double time_s,
                                        const struct cs_measured **written);

/* Whether one of the first `end` lines predicts the same run. */
bool cs_registration_is_planned(const struct cs_measurements *all, size_t end,
                                const struct cs_measured *run);

enum {
    CS_COMPARISON_GPUS_MAX = 16,
    CS_COMPARISON_LARGE = 1 << 20, /* bytes of the smallest large size */
    CS_COMPARISON_RUNS = 20,       /* repetitions below which a median is too noisy */
    CS_COMPARISON_BEYOND = 8,      /* times L2: caches hold an eighth at most */
};

/* The largest difference between the device's clock and events, as a share of
 * the time, beside the launch. */
#define CS_COMPARISON_CLOCKS 0.05

struct cs_compared {
    const struct cs_measured *measured;
    const char *setup; /* "device, servers on host" */
    double time_s;     /* measured: the median, or a mean where ticks are coarse */
    struct cs_gpu_prediction predicted;
    double error; /* predicted / measured - 1 */
    /* e^|ln(predicted / measured)| - 1: half and twice the time are equally
     * wrong. */
    double factor;
    double copies;       /* share of plain copies' rate; 0: not computed */
    const char *unknown; /* the reason for a missing prediction, or NULL */
    enum cs_registered registered;
    const struct cs_measured *written; /* the registered prediction, or NULL */
    const char *inputs;                /* cs_gpu_model_inputs */
    bool clocks_differ;                /* by more than CS_COMPARISON_CLOCKS */
    bool skipped;                      /* never started */
    bool repeated;                     /* an earlier line has the same run */
};

struct cs_comparison_group {
    const char *gpu, *algorithm, *setup;
    bool large;
    uint32_t count;    /* runs with a prediction */
    uint32_t left_out; /* failed, skipped, repeated, unpredictable, or with too
                          few repetitions */
    uint32_t clocks_differ;
    double median, p90;    /* of the factor */
    double bias;           /* the median of the error */
    double copies;         /* the median of the share; 0: not computed */
    uint32_t copies_count; /* runs with vectors far beyond L2 */
    /* Limits from gates.h. */
    bool gated;
    uint32_t count_gate;
    double median_gate, p90_gate, copies_gate;
};

/* The registered predictions against the lines of measurements. */
struct cs_comparison_grid {
    uint32_t expected;                 /* predicted points */
    uint32_t missing;                  /* predicted, without a measured line */
    uint32_t beside;                   /* measured, without a prediction */
    const struct cs_measured *example; /* the first missing point, or NULL */
};

struct cs_comparison {
    struct cs_comparison_grid grid;
    struct cs_compared *runs; /* in the order of the measurements */
    size_t run_count;
    struct cs_comparison_group *groups; /* in the order of their first runs */
    size_t group_count;
};

/* Predicts all measured runs; the comparison is in the arena and refers to
 * `all`.  CS_EINPUT where a GPU is not calibrated; CS_EANSWER where an error is
 * not finite, or a time is below the bound; CS_ECANNOT without any run. */
int cs_compare(const struct cs_measurements *all, struct cs_arena *arena,
               struct cs_comparison *comparison, struct cs_err *err);

/*
 * Figures of a comparison: measured and predicted time over size.
 *
 * Each GPU, algorithm, setup, element type and number of ranks has a figure, with
 * closed form and lower bound.
 *
 *     figures   O(n^2) in the runs
 */

/* Adds the figures of all runs with a prediction. */
void cs_comparison_figures(const struct cs_comparison *comparison, struct cs_figures *figures);
