#include "validate/logs/likelihood.h"

#include "sim/base/order.h"
#include "sim/base/roots.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* Of published healthy tables, each site left out of the parameters. */
static const double level_octaves = 5; /* of the correlation */
static const double level_nu = 3;
static const double level_scale = 1.645 / 2.353; /* of this t, over a spread of one interval */
static const double level_power = .5;
static const double step_power = .3;

/* A step for the square root of an octave, by maximum likelihood with a scale of .05 at least:
 * steps scatter where protocols change, and are small with long tails elsewhere. */
static const struct {
    double node, network, nu;
} steps[CS_LIKELIHOOD_BANDS] = {
    {.05, .05, 2}, {.065, .115, 1.5}, {.095, .12, 2.7}, {.05, .05, 2.7}};
static const double unknown_octaves = 20; /* an unknown cause is smooth */
static const double bin_octaves = .5;

/* An odd size: above both neighbours by the first factor, which differ by less than
 * the second. */
static const double odd_factor = 1.5;
static const double odd_agree = 1.25;

enum {
    LAST = 3, /* sizes of the level at the end */
};

/* ---- odd sizes and bands ---- */

static void likelihood_mark_odd(struct cs_likelihood_point *points, uint32_t count,
                                const double *expected_s)
{
    for (uint32_t i = 0; i < count; i++)
        points[i].is_odd = false;
    for (uint32_t i = 1; i + 1 < count; i++) {
        double before = log(points[i - 1].measured_s / expected_s[i - 1]);
        double here = log(points[i].measured_s / expected_s[i]);
        double after = log(points[i + 1].measured_s / expected_s[i + 1]);

        points[i].is_odd =
            here - fmax(before, after) > log(odd_factor) && fabs(before - after) < log(odd_agree);
    }
}

static void likelihood_add_band(struct cs_likelihood *is, uint32_t from, uint32_t to)
{
    double spread = 0;
    double octave = 0;

    for (uint32_t i = from; i < to; i++) {
        spread += is->points[i].spread / (to - from);
        octave += log2((double)is->points[i].bytes) / (to - from);
    }
    is->from[is->bands] = from;
    is->to[is->bands] = to;
    is->spread[is->bands] = spread;
    is->octave[is->bands++] = octave;
}

void cs_likelihood_open(struct cs_likelihood_point *points, uint32_t count,
                        const double *expected_s, bool is_network, struct cs_likelihood *is)
{
    uint32_t from = 0;

    assert(count > 0);
    likelihood_mark_odd(points, count, expected_s);
    *is = (struct cs_likelihood){.points = points, .count = count, .is_network = is_network};
    for (uint32_t i = 1; i <= count; i++)
        if (i == count ||
            cs_nccl_interval_size(points[i].bytes) != cs_nccl_interval_size(points[from].bytes)) {
            likelihood_add_band(is, from, i);
            from = i;
        }
}

/* ---- levels ---- */

/* The median of ln(a / b) over points that are not odd; a point is odd only beside
 * two that are not. */
static double likelihood_median(const struct cs_likelihood *is, uint32_t from, uint32_t to,
                                const double *a, const double *b)
{
    double values[CS_LIKELIHOOD_STEPS_MAX];
    uint32_t stride = (to - from + CS_LIKELIHOOD_STEPS_MAX - 1) / CS_LIKELIHOOD_STEPS_MAX;
    uint32_t count = 0;

    for (uint32_t i = from; i < to; i += stride)
        if (!is->points[i].is_odd)
            values[count++] = log((a ? a[i] : is->points[i].measured_s) / b[i]);
    if (!count)
        values[count++] = log((a ? a[from] : is->points[from].measured_s) / b[from]);
    return count == 1 ? values[0] : cs_quantile(values, count, .5);
}

double cs_likelihood_level(const struct cs_likelihood *is, uint32_t band, const double *a,
                           const double *b)
{
    return likelihood_median(is, is->from[band], is->to[band], a, b);
}

/* ln of the density of a t distribution in `dimensions`, but for its scale. */
static double likelihood_t(double squares, double nu, uint32_t dimensions)
{
    double d = dimensions;

    return lgamma((nu + d) / 2) - lgamma(nu / 2) - d / 2 * log(nu * M_PI) -
           (nu + d) / 2 * log1p(squares / nu);
}

static double likelihood_covariance(const struct cs_likelihood *is, uint32_t a, uint32_t b,
                                    double unknown)
{
    double octaves = fabs(is->octave[a] - is->octave[b]);

    return level_scale * is->spread[a] * level_scale * is->spread[b] *
               exp(-octaves / level_octaves) +
           unknown * unknown * exp(-octaves / unknown_octaves);
}

static double likelihood_levels(const struct cs_likelihood *is, const double *predicted_s,
                                double unknown)
{
    double lower[CS_LIKELIHOOD_BANDS][CS_LIKELIHOOD_BANDS];
    double solved[CS_LIKELIHOOD_BANDS];
    double squares = 0;
    double log_scale = 0;

    for (uint32_t i = 0; i < is->bands; i++) {
        double r = likelihood_median(is, is->from[i], is->to[i], NULL, predicted_s);

        for (uint32_t j = 0; j <= i; j++) { /* Cholesky's decomposition */
            double sum = likelihood_covariance(is, i, j, unknown);

            for (uint32_t k = 0; k < j; k++)
                sum -= lower[i][k] * lower[j][k];
            lower[i][j] = i == j ? sqrt(sum) : sum / lower[j][j];
        }
        for (uint32_t k = 0; k < i; k++)
            r -= lower[i][k] * solved[k];
        solved[i] = r / lower[i][i];
        squares += solved[i] * solved[i];
        log_scale += log(lower[i][i]);
    }
    return likelihood_t(squares, level_nu, is->bands) - log_scale;
}

/* ---- steps ---- */

/* The sizes of a bin count as one: its end. */
static uint32_t likelihood_bin_end(const struct cs_likelihood *is, uint32_t from)
{
    double first = log2((double)is->points[from].bytes);
    double least = log2((double)is->points[is->count - 1].bytes / (double)is->points[0].bytes) /
                   (CS_LIKELIHOOD_STEPS_MAX - 1);
    double width = fmax(bin_octaves, least);
    uint32_t to = from + 1;

    while (to < is->count && log2((double)is->points[to].bytes) - first < width)
        to++;
    return to;
}

/* ln of the density of a step to `bytes`. */
static double likelihood_step(const struct cs_likelihood *is, uint64_t bytes, double octaves,
                              double step)
{
    unsigned band = cs_nccl_interval_size(bytes);
    double scale = (is->is_network ? steps[band].network : steps[band].node) * sqrt(octaves);
    double t = step / scale;

    return likelihood_t(t * t, steps[band].nu, 1) - log(scale);
}

static double likelihood_steps(const struct cs_likelihood *is, const double *predicted_s,
                               double unknown)
{
    double sum = 0;
    double last = 0;
    double at = 0;
    bool has_last = false;
    double spread = cs_length(level_scale * is->spread[is->bands - 1], unknown);
    uint32_t tail = is->count > LAST ? is->count - LAST : 0;

    for (uint32_t from = 0, to; from < is->count; from = to) {
        double r;
        double octave = log2((double)is->points[from].bytes);

        to = likelihood_bin_end(is, from);
        if (to == from + 1 && is->points[from].is_odd)
            continue;
        r = likelihood_median(is, from, to, NULL, predicted_s);
        if (has_last)
            sum += likelihood_step(is, is->points[from].bytes, octave - at, r - last);
        has_last = true;
        last = r;
        at = octave;
    }
    last = likelihood_median(is, tail, is->count, NULL, predicted_s) / spread;
    return sum + likelihood_t(last * last, level_nu, 1) - log(spread);
}

double cs_likelihood_of(const struct cs_likelihood *is, const double *predicted_s, double unknown)
{
    return level_power * likelihood_levels(is, predicted_s, unknown) +
           step_power * likelihood_steps(is, predicted_s, unknown);
}
