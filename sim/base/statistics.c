#include "sim/base/statistics.h"

#include "sim/base/order.h"
#include "sim/base/roots.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* ---- the normal distribution: M. J. Wichura, "Algorithm AS 241: the percentage points of
 * the normal distribution", Applied Statistics 37 (1988), PPND16 ---- */

enum {
    TERMS = 8 /* of a numerator and of a denominator */
};

/* Ratios of two polynomials, lowest powers first: of 0.180625 - (at - 1/2)^2 in the middle,
 * of r - 1.6 and r - 5 with r = sqrt(-ln at) in the tail. */
static const double middle[2][TERMS] = {
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
     3.3430575583588128105e4, 2.5090809287301226727e3},
    {1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
     5.2264952788528545610e3},
};
static const double near_tail[2][TERMS] = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9},
};
static const double far_tail[2][TERMS] = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15},
};

static double quantiles_ratio(const double of[2][TERMS], double x)
{
    double numerator = of[0][TERMS - 1], denominator = of[1][TERMS - 1];

    for (int i = TERMS - 2; i >= 0; i--) {
        numerator = numerator * x + of[0][i];
        denominator = denominator * x + of[1][i];
    }
    return numerator / denominator;
}

double cs_quantile_normal(double at)
{
    double from_middle = at - 0.5, r, value;

    if (fabs(from_middle) <= 0.425)
        return from_middle * quantiles_ratio(middle, 0.180625 - from_middle * from_middle);
    r = sqrt(-log(at < 0.5 ? at : 1 - at));
    value = r <= 5 ? quantiles_ratio(near_tail, r - 1.6) : quantiles_ratio(far_tail, r - 5);
    return at < 0.5 ? -value : value;
}

/* ---- Student's distribution ---- */

/* Of one number of degrees, at t: the share between -t and t, and its derivative.  A product
 * of n factors that all have the same rounding takes more digits than a result has. */
struct student {
    long double share, density;
};

/* The finite sums of M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions" (1964),
 * 26.7.3 and 26.7.4: with the angle a = atan(t / sqrt n) and c = cos a,
 *
 *     n odd    2/pi (a + sin a (c + 2/3 c^3 + 2 4/(3 5) c^5 + ... up to c^(n-2)))
 *     n even   sin a (1 + 1/2 c^2 + 1 3/(2 4) c^4 + ... up to c^(n-2))
 *
 * The derivative by t is the term that would come next, times n - 1 for the factor that it
 * would have, times cos a / sqrt n. */
static struct student student_at(double t, uint64_t degrees)
{
    long double n = (long double)degrees, x = t;
    long double square = n / (n + x * x), sine = x / sqrtl(n + x * x); /* of cos a; of sin a */
    long double term = degrees % 2 ? sqrtl(square) : 1;
    const long double two_by_pi = 0.636619772367581343075535053490057448L;
    long double sum = 0;

    for (uint64_t k = degrees % 2 + 2; k <= degrees; k += 2) {
        sum += term;
        term *= (long double)(k - 1) / (long double)k * square;
    }
    term *= n * sqrtl(square / n);
    if (degrees % 2 == 0)
        return (struct student){sine * sum, term};
    return (struct student){(atanl(x / sqrtl(n)) + sine * sum) * two_by_pi, term * two_by_pi};
}

/* The first terms of the expansion by R. A. Fisher and E. A. Cornish (Abramowitz and
 * Stegun, 26.7.5): beyond 2,000 degrees exact to the last digits. */
static double student_expanded(double at, double n)
{
    double z = cs_quantile_normal(at), y = z * z;
    double g1 = z * (y + 1) / 4;
    double g2 = z * ((5 * y + 16) * y + 3) / 96;
    double g3 = z * (((3 * y + 19) * y + 17) * y - 15) / 384;
    double g4 = z * ((((79 * y + 776) * y + 1482) * y - 1920) * y - 945) / 92160;

    return z + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n;
}

double cs_quantile_student(double at, uint64_t degrees)
{
    enum {
        STEPS_MAX = 60
    };
    const double wanted = 2 * at - 1;
    double t = student_expanded(at, (double)degrees);

    if (degrees > CS_QUANTILES_TERMS)
        return t;
    if (degrees == 1)
        return tan(M_PI * (at - 0.5));
    if (degrees == 2)
        return wanted / sqrt(2 * at * (1 - at));
    for (int i = 0; i < STEPS_MAX; i++) {
        struct student here = student_at(t, degrees);
        double step = (double)(((long double)wanted - here.share) / here.density);

        t += step;
        if (fabs(step) <= 1e-9 * t) /* the next step is of its square */
            break;
    }
    return t;
}

/* ---- the spread of many runs ---- */

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
