/*
 * Scores: collectives over TCP, predicted from calibrations and as measured.
 *
 * Lines of one setting (lab, rate, burst, congestion control, waiting) belong
 * together: their patterns are the calibration of their runs.  Runs with losses or a
 * change of rate have the same calibration and groups of their own.  Errors are
 * predicted / measured - 1, of the median of the repeated runs.  Runs are grouped by
 * setting, algorithm and size: below 1 MiB, and from 1 MiB; a group per setting sums
 * up all algorithms, and a second one ring, naive, gather-bcast and ps from 1 MiB.
 *
 *     compare   O(n^2) in the lines, and a simulation for each run
 */
#pragma once

#include "validate/tcp/wire_model.h"

struct cs_tcp_point {
    const struct cs_tcp_line *line;
    const char *setting;
    struct cs_tcp_prediction predicted;
    double error;       /* predicted / measured - 1 */
    double error_least; /* the same with the least of the repeated runs */
};

struct cs_tcp_group {
    const char *setting;
    const char *algorithm; /* "all"; "ring, naive, ps" */
    const char *sizes;     /* all, small, large */
    uint32_t count;
    double median, p90;  /* of |error| */
    double bias;         /* the median of the error */
    double median_least; /* of |error_least| */
    /* Limits of a gate; 0: none. */
    double median_gate, p90_gate;
};

struct cs_tcp_comparison {
    struct cs_tcp_point *points;
    size_t count;
    struct cs_tcp_group *groups;
    size_t group_count;
};

/* Predicts every run.  CS_EINPUT for a run whose setting has no calibration;
 * CS_ECANNOT without runs; CS_EANSWER for a run with a wrong sum. */
int cs_tcp_compare(const struct cs_tcp_lines *lines, struct cs_arena *arena,
                   struct cs_tcp_comparison *comparison, struct cs_err *err);

/* Sets the gates of a YAML file: a list `gates` of maps with setting, algorithm,
 * sizes, runs, median and p90.  CS_EINPUT for a gate without a group, or with
 * another number of runs. */
int cs_tcp_gates_read(struct cs_tcp_comparison *comparison, const char *path,
                      struct cs_arena *arena, struct cs_err *err);

/* CS_EANSWER for the first group beyond its gate. */
int cs_tcp_gates_judge(const struct cs_tcp_comparison *comparison, struct cs_err *err);
