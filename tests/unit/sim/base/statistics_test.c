#include "sim/base/statistics.h"

#include "tests/fixture.h"

#include <gsl/gsl_cdf.h>

/* ---- how often the interval holds the mean ---- */

struct source {
    double (*quantile)(double at);
    double mean;
};

static double normal(double at)
{
    return gsl_cdf_ugaussian_Pinv(at);
}

static double exponential(double at)
{
    return -log1p(-at);
}

static double pareto(double at)
{
    return pow(1 - at, -1 / 2.5);
}

/* Of `samples` samples of `count` draws; Student's interval, too. */
static double coverage(const struct source *source, uint64_t count, uint32_t samples,
                       double *student)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("coverage");
    double *values = cs_grow(NULL, count, sizeof(*values));
    double t = gsl_cdf_tdist_Pinv(0.975, (double)(count - 1));
    uint32_t held = 0;
    uint32_t held_by_student = 0;

    for (uint32_t i = 0; i < samples; i++) {
        struct cs_spread spread;

        for (uint64_t k = 0; k < count; k++)
            values[k] = source->quantile(cs_random_unit(random));
        spread = cs_spread_of(values, count);
        held += spread.mean_low <= source->mean && source->mean <= spread.mean_high;
        held_by_student += fabs(spread.mean - source->mean) <= t * spread.sd / sqrt((double)count);
    }
    free(values);
    *student = (double)held_by_student / samples;
    return (double)held / samples;
}

/* With tails so heavy Student's holds it in 79, 89 and
 * 93 % of cases. */
TEST(heavy_tails_widen_the_interval_of_the_mean)
{
    const struct source source = {pareto, 2.5 / 1.5};
    const struct {
        uint64_t count;
        uint32_t samples;
        double least, more;
    } cases[] = {{10, 4000, 0.85, 0.05}, {100, 4000, 0.92, 0.03}, {1000, 1000, 0.935, 0.005}};

    for (size_t i = 0; i < 3; i++) {
        double student;
        double held = coverage(&source, cases[i].count, cases[i].samples, &student);

        print_message("n = %d: %.3f, Student's %.3f\n", (int)cases[i].count, held, student);
        if (held < cases[i].least || held < student + cases[i].more)
            fail_msg("n = %d: held in %.3f of samples, Student's in %.3f", (int)cases[i].count,
                     held, student);
    }
}

TEST(light_tails_have_their_95_percent)
{
    const struct source sources[] = {{normal, 0}, {exponential, 1}};

    for (size_t i = 0; i < 2; i++)
        for (uint64_t count = 10; count <= 100; count *= 10) {
            double student;
            double held = coverage(&sources[i], count, 4000, &student);

            if (held < 0.925 || held > 0.975)
                fail_msg("%zu, n = %d: %.3f", i, (int)count, held);
        }
}

/* ---- small samples ---- */

TEST(values_identical_have_no_interval)
{
    double values[] = {3, 3, 3};
    struct cs_spread spread = cs_spread_of(values, 3);

    assert_true(spread.mean_low == 3 && spread.mean_high == 3);
    spread = cs_spread_of(values, 1);
    assert_true(spread.mean_low == 3 && spread.mean_high == 3);
}

/* Symmetric, so that it is Student's: t = 4.302653 with 2 degrees of freedom. */
TEST(a_symmetric_sample_has_students_interval)
{
    double values[] = {12, 11, 13};
    struct cs_spread spread = cs_spread_of(values, 3);
    double off = 4.30265272991 / sqrt(3);

    assert_true(fabs(spread.mean_low - (12 - off)) < 1e-9);
    assert_true(fabs(spread.mean_high - (12 + off)) < 1e-9);
}

/* Student's interval of three times of 1, 2 and 3 begins at -0.48. */
TEST(times_have_no_mean_below_0)
{
    double times[] = {2, 1, 3}, signs[] = {-1, 0, 1};
    struct cs_spread spread = cs_spread_of(times, 3);

    assert_true(spread.mean_low == 0 && spread.mean_high > 4.4);
    spread = cs_spread_of(signs, 3);
    assert_true(spread.mean_low < -2);
}

/* A long tail above: the mean may lie farther above than below. */
TEST(a_skewed_sample_has_a_lopsided_interval)
{
    double values[] = {1, 1, 1, 1, 2, 10};
    struct cs_spread spread = cs_spread_of(values, 6);

    assert_true(spread.mean_high - spread.mean > 1.2 * (spread.mean - spread.mean_low));
}

/* Means of the largest of 2, 10, 100 and 1,000 normals: Harter, Biometrika 48, 1961. */
TEST(the_largest_of_many_normals_grows_slowly)
{
    assert_true(fabs(cs_normal_largest(1)) < 1e-12);
    assert_true(fabs(cs_normal_largest(2) / 0.56419 - 1) < 0.05);
    assert_true(fabs(cs_normal_largest(10) / 1.53875 - 1) < 0.01);
    assert_true(fabs(cs_normal_largest(100) / 2.50759 - 1) < 0.01);
    assert_true(fabs(cs_normal_largest(1000) / 3.24144 - 1) < 0.01);
}

/* ---- quantiles ---- */

/* To 20 digits, by mpmath. */
TEST(quantiles_of_tables_are_met)
{
    static const struct {
        uint64_t degrees;
        double t;
    } table[] = {{1, 12.706204736174704646},  {2, 4.3026527297494638523},
                 {3, 3.1824463052837095927},  {4, 2.7764451051977943578},
                 {9, 2.2621571627982055426},  {30, 2.04227245630123831},
                 {99, 1.9842169515864174951}, {1999, 1.961151420170561976}};

    assert_true(fabs(cs_quantile_normal(0.975) - 1.9599639845400542355) < 1e-15);
    assert_true(cs_quantile_normal(0.5) == 0);
    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
        assert_true(fabs(cs_quantile_student(0.975, table[i].degrees) / table[i].t - 1) < 1e-15);
}

TEST(normal_quantiles_are_odd_and_rise)
{
    double before = -INFINITY;

    for (int i = 1; i < 1 << 12; i++) {
        double at = ldexp(i, -12), value = cs_quantile_normal(at);

        assert_true(value > before);
        assert_true(value == -cs_quantile_normal(1 - at));
        before = value;
    }
}

/* Fewer degrees have heavier tails; where the expansion takes over, too. */
TEST(students_quantiles_fall_to_the_normal_one)
{
    double before = INFINITY;

    for (uint64_t degrees = 1; degrees < UINT64_C(2) * CS_QUANTILES_TERMS; degrees++) {
        double t = cs_quantile_student(0.975, degrees);

        assert_true(t < before);
        before = t;
    }
    assert_true(before > cs_quantile_normal(0.975));
    assert_true(cs_quantile_student(0.975, UINT64_C(1) << 62) == cs_quantile_normal(0.975));
}
