#include "sim/base/statistics.h"

#include "sim/base/order.h"
#include "sim/base/quantiles.h"
#include "sim/base/roots.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Rounding of sums and interpolations must not move a number outside of its two
 * neighbours. */
static double statistics_between(double low, double value, double high)
{
    return fmin(fmax(value, low), high);
}

/* The mean of values, or of their squared distances from a mean: no sum, which could be
 * beyond the range of a number. */
static double statistics_mean(const double *values, uint64_t count)
{
    long double mean = 0;

    for (uint64_t i = 0; i < count; i++)
        mean += (values[i] - mean) / (long double)(i + 1);
    return (double)mean;
}

static double statistics_variance(const double *values, uint64_t count, double mean)
{
    long double variance = 0;

    for (uint64_t i = 0; i < count; i++) {
        const long double delta = values[i] - mean;

        variance += (delta * delta - variance) / (long double)(i + 1);
    }
    return (double)variance;
}

/* Definition 7 of R. J. Hyndman, Y. Fan, "Sample quantiles in statistical
 * packages" (1996), as GSL's. */
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
    t = cs_quantile_student(0.975, count - 1);
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
    qsort(values, count, sizeof(*values), cs_order_of_doubles);
    spread.least = values[0];
    spread.most = values[count - 1];
    spread.mean = statistics_between(spread.least, statistics_mean(values, count), spread.most);
    spread.sd = count > 1 ? sqrt(statistics_variance(values, count, spread.mean) *
                                 ((double)count / (double)(count - 1)))
                          : 0;
    find_interval(values, count, &spread);
    spread.median = statistics_between(
        spread.least, (values[(count - 1) / 2] + values[count / 2]) / 2, spread.most);
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
    return cs_quantile_normal((count - 0.375) / (count + 0.25));
}
