#include "sim/base/statistics.h"

#include "sim/base/roots.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* Rounding of sums and interpolations must not move a number outside of its two
 * neighbours. */
static double statistics_between(double low, double value, double high)
{
    return fmin(fmax(value, low), high);
}

/* Definition 7 of R. J. Hyndman, Y. Fan, "Sample quantiles in statistical
 * packages" (1996), as GSL's, whose builds differ in a fused multiply-add. */
static double statistics_quantile(const double *sorted, uint64_t count, double share)
{
    double at = share * (double)(count - 1);
    uint64_t low = (uint64_t)at;
    double rest = at - (double)low;

    return low + 1 < count ? (1 - rest) * sorted[low] + rest * sorted[low + 1] : sorted[count - 1];
}

static double statistics_skewness(const double *values, uint64_t count,
                                  const struct cs_spread *spread)
{
    double sum = 0;

    for (uint64_t i = 0; i < count; i++)
        sum += pow((values[i] - spread->mean) / spread->sd, 3);
    return sum / (double)count;
}

/* The inverse of Hall's transformation of Student's statistic at `at`: P. Hall,
 * "On the removal of skewness by transformation", J. R. Statist. Soc. B 54
 * (1992), 221-228. `skew` is the sample's skewness / sqrt(n). */
static double statistics_hall(double at, double skew)
{
    if (fabs(skew) < 1e-6) /* its limit; the quotient would be of roundings */
        return at;
    return 3 / skew * (cs_cube_root(1 + skew * (at - skew / 6)) - 1);
}

static void find_interval(const double *values, uint64_t count, struct cs_spread *spread)
{
    double error = spread->sd / sqrt((double)count);
    double t;
    double skew;

    spread->mean_low = spread->mean_high = spread->mean;
    if (!(error > 0))
        return;
    t = gsl_cdf_tdist_Pinv(0.975, (double)(count - 1));
    skew = statistics_skewness(values, count, spread) / sqrt((double)count);
    spread->mean_low -= fmax(t, statistics_hall(t, skew)) * error;
    if (spread->least >= 0)
        spread->mean_low = fmax(0, spread->mean_low);
    spread->mean_high -= fmin(-t, statistics_hall(-t, skew)) * error;
}

struct cs_spread cs_spread_of(double *values, uint64_t count)
{
    struct cs_spread spread;

    assert(count > 0);
    gsl_sort(values, 1, count);
    spread.least = values[0];
    spread.most = values[count - 1];
    spread.mean = statistics_between(spread.least, gsl_stats_mean(values, 1, count), spread.most);
    spread.sd = count > 1 ? gsl_stats_sd_m(values, 1, count, spread.mean) : 0;
    find_interval(values, count, &spread);
    spread.median = statistics_between(
        spread.least, gsl_stats_median_from_sorted_data(values, 1, count), spread.most);
    spread.p5 =
        statistics_between(spread.least, statistics_quantile(values, count, 0.05), spread.median);
    spread.p95 =
        statistics_between(spread.median, statistics_quantile(values, count, 0.95), spread.most);
    spread.p99 =
        statistics_between(spread.p95, statistics_quantile(values, count, 0.99), spread.most);
    return spread;
}

double cs_normal_largest(double count)
{
    return gsl_cdf_ugaussian_Pinv((count - 0.375) / (count + 0.25));
}
