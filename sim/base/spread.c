#include "sim/base/spread.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* Rounding of sums and interpolations must not put a number outside of those
 * between which it is. */
static double between(double low, double value, double high)
{
    return fmin(fmax(value, low), high);
}

static double quantile(const double *sorted, uint64_t count, double share)
{
    return gsl_stats_quantile_from_sorted_data(sorted, 1, count, share);
}

struct cs_spread cs_spread_of(double *values, uint64_t count)
{
    struct cs_spread spread;
    double off = 0;

    assert(count > 0);
    gsl_sort(values, 1, count);
    spread.least = values[0];
    spread.most = values[count - 1];
    spread.mean =
        between(spread.least, gsl_stats_mean(values, 1, count), spread.most);
    spread.sd = count > 1 ? gsl_stats_sd_m(values, 1, count, spread.mean) : 0;
    if (count > 1)
        off = gsl_cdf_tdist_Pinv(0.975, (double)(count - 1)) * spread.sd /
              sqrt((double)count);
    spread.mean_low = spread.mean - off;
    spread.mean_high = spread.mean + off;
    spread.median = between(spread.least,
                            gsl_stats_median_from_sorted_data(values, 1, count),
                            spread.most);
    spread.p5 =
        between(spread.least, quantile(values, count, 0.05), spread.median);
    spread.p95 =
        between(spread.median, quantile(values, count, 0.95), spread.most);
    spread.p99 =
        between(spread.p95, quantile(values, count, 0.99), spread.most);
    return spread;
}
