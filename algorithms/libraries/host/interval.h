/*
 * Host interval: 90 % of the times of a library on hosts.
 *
 * A time is a function of the parameters of host/parameters.def.  Each parameter
 * is moved up by its spread alone; the changes of ln time and the residual
 * spread, which parameters do not explain, are added in squares, and the
 * interval reaches 1.645 roots to either side of the time.
 *
 *     interval_of   one evaluation for each parameter
 */
#pragma once

#include "algorithms/libraries/host/parameters.h"

typedef double cs_host_time_fn(const void *ctx, const double *values);

struct cs_host_interval {
    double low_s, high_s;
};

/* `time_s` is the time with the values, > 0. */
struct cs_host_interval cs_host_interval_of(cs_host_time_fn *time_of, const void *ctx,
                                            const double *values, double time_s);
