/*
 * The generator, the quantiles and the statistics have the digits of the GNU Scientific
 * Library, of which the path of a run needs no function: at random arguments, bit by bit;
 * Student's quantiles, where GSL itself is wrong in the last digits, within 2e-15.
 */
#include "sim/base/distribution.h"
#include "sim/base/hash.h"
#include "sim/base/statistics.h"
#include "sim/base/text.h"
#include "tests/fixture.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

enum {
    ARGUMENTS = 200000,
    SAMPLES = 400,
    VALUES_MAX = 3000,
};

/* From all of (0, 1), and its two ends. */
static double share_at(struct cs_random *random, int i)
{
    double at = (cs_random_unit(random) + 0x1p-54) * (1 - 0x1p-52);

    if (i % 3 == 1)
        return pow(at, 12);
    return i % 3 == 2 ? 1 - 0x1p-52 - pow(at, 9) * (1 - 0x1p-51) : at;
}

TEST(streams_are_two_generators_of_gsl)
{
    for (uint64_t k = 0; k < 20; k++) {
        uint64_t seed = fixture_seed() + k;
        struct cs_random *random = cs_random_open(seed, "gsl");
        uint64_t mixed = cs_mix64(cs_mix64(seed + UINT64_C(0x9e3779b97f4a7c15)) ^
                                  cs_hash_text(CS_HASH_START, "gsl"));
        gsl_rng *low = gsl_rng_alloc(gsl_rng_mt19937), *high = gsl_rng_alloc(gsl_rng_mt19937);

        gsl_rng_set(low, mixed & UINT32_MAX);
        gsl_rng_set(high, mixed >> 32);
        for (int i = 0; i < 3000; i++) {
            uint64_t one = (uint64_t)gsl_rng_get(low) << 32, two = (uint64_t)gsl_rng_get(high)
                                                                   << 32;

            one |= gsl_rng_get(low);
            two |= gsl_rng_get(high);
            assert_int_equal(cs_random_bits(random), one ^ cs_mix64(two));
        }
        gsl_rng_free(low);
        gsl_rng_free(high);
        cs_random_close(random);
    }
}

TEST(normal_quantiles_are_those_of_gsl)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("normal");

    for (int i = 0; i < ARGUMENTS; i++) {
        double at = share_at(random, i);

        if (cs_quantile_normal(at) != gsl_cdf_ugaussian_Pinv(at))
            fail_msg("at %.17g: %.17g, of GSL %.17g", at, cs_quantile_normal(at),
                     gsl_cdf_ugaussian_Pinv(at));
    }
}

TEST(students_quantiles_are_those_of_gsl)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("student");

    for (uint64_t i = 1; i < 4000; i++) {
        uint64_t degrees = i < 2000 ? i : 1 + cs_random_below(random, UINT64_C(1) << i % 40);
        double t = cs_quantile_student(0.975, degrees);
        double other = gsl_cdf_tdist_Pinv(0.975, (double)degrees);

        if (!(fabs(t - other) <= 2e-15 * t))
            fail_msg("of %llu degrees: %.17g, of GSL %.17g", (unsigned long long)degrees, t, other);
    }
}

/* GSL's quantile of a distribution as distribution.h names it, in picoseconds. */
static double gsl_quantile(const char *name, double at, double first, double second)
{
    if (cs_same(name, "normal"))
        return first + gsl_cdf_gaussian_Pinv(at, second);
    if (cs_same(name, "lognormal"))
        return gsl_cdf_lognormal_Pinv(at, log(first), second);
    if (cs_same(name, "exponential"))
        return gsl_cdf_exponential_Pinv(at, first);
    if (cs_same(name, "gumbel"))
        return first + gsl_cdf_gumbel1_Pinv(at, 1 / second, 1);
    if (cs_same(name, "weibull"))
        return gsl_cdf_weibull_Pinv(at, first, second);
    return gsl_cdf_pareto_Pinv(at, second, first);
}

/* Whole picoseconds of times up to days show every bit of a quantile. */
TEST(distributions_are_those_of_gsl)
{
    static const char *const forms[][2] = {
        {"normal", "normal,mean=%llups,sd=%llups"},
        {"lognormal", "lognormal,median=%llups,sigma=%.17g"},
        {"exponential", "exponential,mean=%llups"},
        {"gumbel", "gumbel,mode=%llups,scale=%llups"},
        {"weibull", "weibull,scale=%llups,shape=%.17g"},
        {"pareto", "pareto,least=%llups,shape=%.17g"},
    };
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("distributions");

    for (int i = 0; i < ARGUMENTS / 4; i++) {
        const char *const *form = forms[i % 6];
        uint64_t second, first = 1 + cs_random_below(random, UINT64_C(1) << (10 + i % 47));
        double shape = 1.01 + 3 * cs_random_unit(random), at = share_at(random, i / 6), expected;
        struct cs_distribution distribution;
        char text[200];
        bool is_time = i % 6 == 0 || i % 6 == 3;

        second = first / 3 + 1;
        if (is_time)
            snprintf(text, sizeof(text), form[1], (unsigned long long)first,
                     (unsigned long long)second);
        else
            snprintf(text, sizeof(text), form[1], (unsigned long long)first, shape);
        assert_done(cs_distribution_read(text, &distribution, &err));
        expected = gsl_quantile(form[0], at, (double)first, is_time ? (double)second : shape);
        expected = expected > 0 ? fmin(expected, 1e18) : 0;
        if (cs_distribution_quantile_ps(&distribution, at) != (uint64_t)llround(expected))
            fail_msg("%s at %.17g: %llu ps, of GSL %.17g", text, at,
                     (unsigned long long)cs_distribution_quantile_ps(&distribution, at), expected);
    }
}

TEST(spreads_are_those_of_gsl)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("spreads");
    double *values = cs_grow(NULL, VALUES_MAX, sizeof(*values));

    for (int i = 0; i < SAMPLES; i++) {
        uint64_t count = 2 + cs_random_below(random, VALUES_MAX - 2);
        double scale = pow(10, 40 * cs_random_unit(random) - 20);
        struct cs_spread spread;

        for (uint64_t k = 0; k < count; k++)
            values[k] = scale * (1 + pow(cs_random_unit(random), 1 + i % 5));
        spread = cs_spread_of(values, count);
        assert_true(spread.mean == gsl_stats_mean(values, 1, count));
        assert_true(spread.sd == gsl_stats_sd_m(values, 1, count, spread.mean));
        assert_true(spread.median == gsl_stats_median_from_sorted_data(values, 1, count));
        assert_true(spread.p5 == gsl_stats_quantile_from_sorted_data(values, 1, count, 0.05));
        assert_true(spread.p95 == gsl_stats_quantile_from_sorted_data(values, 1, count, 0.95));
        assert_true(spread.p99 == gsl_stats_quantile_from_sorted_data(values, 1, count, 0.99));
    }
    free(values);
}
