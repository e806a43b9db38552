#include "sim/base/spread.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

struct cs_spread cs_spread_of(double *values, uint64_t count)
{
    struct cs_spread spread;
    double off = 0;

    assert(count > 0);
    gsl_sort(values, 1, count);
    spread.mean = gsl_stats_mean(values, 1, count);
    spread.sd = count > 1 ? gsl_stats_sd_m(values, 1, count, spread.mean) : 0;
    if (count > 1)
        off = gsl_cdf_tdist_Pinv(0.975, (double)(count - 1)) * spread.sd /
              sqrt((double)count);
    spread.mean_low = spread.mean - off;
    spread.mean_high = spread.mean + off;
    spread.least = values[0];
    spread.p5 = gsl_stats_quantile_from_sorted_data(values, 1, count, 0.05);
    spread.median = gsl_stats_median_from_sorted_data(values, 1, count);
    spread.p95 = gsl_stats_quantile_from_sorted_data(values, 1, count, 0.95);
    spread.p99 = gsl_stats_quantile_from_sorted_data(values, 1, count, 0.99);
    spread.most = values[count - 1];
    return spread;
}
