/*
 * Comparisons: predictions beside what was measured, with signed errors.
 *
 * Runs are grouped by GPU, algorithm, way (transport, GPUs, where servers are)
 * and size: below 1 MiB, and from 1 MiB.  A gate is an error that a group must
 * not exceed; gates are recorded in a YAML file beside the data:
 *
 *     gates:
 *       - gpu: NVIDIA H200
 *         algorithm: ring
 *         way: device
 *         sizes: large             # from 1 MiB; small: below
 *         runs: 42                 # that there are to be, no more, no less
 *         median: 5 %              # of |error|
 *         p90: 15 %
 *         copies: 85 %             # at least; may be left out
 *
 * The last is the kernel's quality, not the prediction's: the share of the time
 * in which plain copies within the GPU read and write as many bytes, of the runs
 * alone whose vectors are CS_COMPARISON_BEYOND times L2.
 *
 * Order: compare, gates, then look.  Everything is in the arena.
 */
#ifndef CS_VALIDATE_GPU_COMPARISON_H
#define CS_VALIDATE_GPU_COMPARISON_H

#include "reports/figures/figure.h"
#include "validate/gpu/model.h"

enum {
    CS_COMPARISON_GPUS_MAX = 16,
    CS_COMPARISON_LARGE = 1 << 20, /* bytes: from here on sizes are large */
    CS_COMPARISON_RUNS = 20,       /* fewer make no measurement */
    CS_COMPARISON_BEYOND = 8,      /* L2 has held an eighth of it at most */
};

/* By what share of a time the device's clock and events may differ, beside what
 * launching takes. */
#define CS_COMPARISON_CLOCKS 0.05

/* Whether a prediction was written down (prediction_list.h). */
enum cs_registered {
    CS_REGISTERED_NOT,
    CS_REGISTERED_BEFORE,  /* the run, and is still what the model says */
    CS_REGISTERED_AFTER,   /* or when the run was measured */
    CS_REGISTERED_CHANGED, /* since: the model, or the calibration */
    CS_REGISTERED_COUNT,
};

struct cs_compared {
    const struct cs_measured *measured;
    const char *setup;
    double time_s; /* as measured: the median, or of few ticks a mean */
    struct cs_gpu_prediction predicted;
    double again_s; /* predicted from the first calibration; 0: there is one */
    double error;   /* predicted / measured - 1 */
    /* e^|ln(predicted / measured)| - 1: half as long is as far off as twice as
     * long. */
    double factor;
    double copies;       /* share of plain copies; 0: not told */
    const char *unknown; /* why there is no prediction, or NULL */
    enum cs_registered registered;
    const struct cs_measured *written; /* the prediction, or NULL */
    const char *inputs;                /* of what is predicted here */
    bool clocks_differ; /* the device's and events; CS_COMPARISON_CLOCKS */
    bool skipped;       /* it was not run */
    bool repeated;      /* a run like it is before it */
};

struct cs_comparison_group {
    const char *gpu, *algorithm, *setup;
    bool large;
    uint32_t count; /* runs with a prediction */
    uint32_t
        left_out; /* that failed, were skipped or measured before, cannot be
                          predicted, or are too few */
    uint32_t clocks_differ;
    double median, p90;    /* of the factor */
    double bias;           /* the median of the error */
    double copies;         /* the median of the share; 0: not told */
    uint32_t copies_count; /* runs that it is of: vectors far beyond L2 */
    bool gated;
    uint32_t count_gate;
    double median_gate, p90_gate, copies_gate;
};

/* The points that were predicted beforehand, beside those that were measured,
 * skipped or failed. */
struct cs_comparison_grid {
    uint32_t expected;
    uint32_t missing;                  /* without a line */
    uint32_t beside;                   /* measured, and not expected */
    const struct cs_measured *example; /* a missing one, or NULL */
};

struct cs_comparison {
    struct cs_comparison_grid grid;
    struct cs_compared *runs; /* in the order of the measurements */
    size_t run_count;
    struct cs_comparison_group *groups; /* in the order of their first runs */
    size_t group_count;
};

/* Predicts all runs that were measured.  CS_EINPUT where a GPU was not
 * calibrated; CS_EANSWER where an error is not finite, or a time below its bound;
 * CS_ECANNOT where there is no run at all. */
int cs_compare(const struct cs_measurements *all, struct cs_arena *arena,
               struct cs_comparison *comparison, struct cs_err *err);

/* Reads gates; CS_EINPUT, "file:line: ...", for one that is about no group. */
int cs_comparison_gates(struct cs_comparison *comparison, const char *path,
                        struct cs_arena *arena, struct cs_err *err);

/* CS_EANSWER, naming the first group that does not keep to its gate. */
int cs_comparison_judge(const struct cs_comparison *comparison,
                        struct cs_err *err);

/* CS_EANSWER, naming the first run with wrong sums. */
int cs_comparison_sound(const struct cs_comparison *comparison,
                        struct cs_err *err);

/* CS_EINPUT, naming the first group with predictions and no gate, or of rings
 * with a share of plain copies that the gate leaves out; CS_EANSWER when nothing
 * could be predicted. */
int cs_comparison_gated(const struct cs_comparison *comparison,
                        struct cs_err *err);

/* Of all runs: those that groups leave out, those whose predictions were written
 * down, and what two calibrations differ by. */
struct cs_comparison_summary {
    uint32_t predicted, skipped, repeated, failed, wrong;
    uint32_t other; /* left out for another reason */
    uint32_t registered[CS_REGISTERED_COUNT];
    /* Of the runs with a prediction that was written down: by the sources that
     * measured them, unchanged; from the calibration that is used here. */
    uint32_t written, same_commit, same_inputs;
    double repeat_median, repeat_most; /* factors between runs of a point */
    uint32_t twice;                    /* runs that two calibrations predict */
    double noise, most; /* factors between these, the median and the largest */
};
struct cs_comparison_summary cs_comparison_summarize(
    const struct cs_comparison *comparison, struct cs_arena *arena);

/* A figure for each algorithm, way, type and number of ranks: measured and
 * predicted time over size, with closed form and bound. */
void cs_comparison_figures(const struct cs_comparison *comparison,
                           struct cs_figures *figures);

#endif
