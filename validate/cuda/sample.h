/*
 * Samples: times of repeated runs.
 */
#pragma once

#include <stdint.h>

struct cs_sample {
    double *values; /* seconds; the caller's */
    uint32_t count;
};

struct cs_sample_figures {
    double median, mean, least, p10, p90, most;
    double middle; /* mean of the middle 80 %, without outliers */
};

/* Sorts the values; percentiles are interpolated.  NAN without values. */
struct cs_sample_figures cs_sample_figures_of(const struct cs_sample *sample);
