#include "sim/base/distribution.h"
#include "sim/base/random.h"
#include "sim/base/statistics.h"
#include "tests/test.h"

enum {
    DRAWS = 40000
};

static struct cs_distribution distribution_of(const char *text)
{
    struct cs_distribution distribution;

    assert_done_of(text, cs_distribution_read(text, &distribution, &err));
    return distribution;
}

/* Mean of the most of p draws, in microseconds, over many trials. */
static double mean_of_most_us(const struct cs_distribution *distribution, uint32_t p)
{
    uint64_t bits = 1;
    double sum_ps = 0;

    for (uint32_t i = 0; i < DRAWS; i++) {
        uint64_t most_ps = 0;

        for (uint32_t k = 0; k < p; k++) {
            uint64_t draw_ps = cs_distribution_draw_ps(distribution, cs_mix64(bits++));

            if (draw_ps > most_ps)
                most_ps = draw_ps;
        }
        sum_ps += (double)most_ps;
    }
    return sum_ps / DRAWS / 1e6;
}

/* E max of p draws: closed forms; the normal's are the usual table plus a mean
 * far enough from 0 that nothing is cut off. */
TEST(the_most_of_several_draws_is_as_statistics_has_it)
{
    const struct {
        const char *distribution;
        uint32_t p;
        double expected_us, tolerance;
    } cases[] = {
        {"exponential,mean=1us", 1, 1, 0.02},
        {"exponential,mean=1us", 8, 2.717857, 0.02},
        {"normal,mean=100us,sd=1us", 8, 101.4236, 0.001},
        {"normal,mean=100us,sd=1us", 16, 101.765991, 0.001},
        {"weibull,scale=1us,shape=1", 8, 2.717857, 0.02},
        {"gumbel,mode=50us,scale=2us", 8, 50 + 2 * (2.0794415 + 0.5772157), 0.002},
        /* b p! Gamma(1 - 1/a) / Gamma(p + 1 - 1/a), a = 3, p = 4 */
        {"pareto,least=1us,shape=3", 4, 2.209091, 0.02},
        {"lognormal,median=1us,sigma=0.5", 1, 1.133148, 0.02},
        {"constant,value=3us", 5, 3, 1e-9},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct cs_distribution distribution = distribution_of(cases[i].distribution);
        double got = mean_of_most_us(&distribution, cases[i].p);

        if (!(fabs(got / cases[i].expected_us - 1) <= cases[i].tolerance))
            fail_msg("%s, p = %u: %g us, expected %g us", cases[i].distribution, cases[i].p, got,
                     cases[i].expected_us);
    }
}

TEST(nothing_drawn_is_negative)
{
    struct cs_distribution distribution = distribution_of("normal,mean=0us,sd=1us");

    assert_int_equal(cs_distribution_quantile_ps(&distribution, 0.4), 0);
    assert_true(cs_distribution_quantile_ps(&distribution, 0.6) > 0);
    assert_true(cs_distribution_draw_ps(&distribution, UINT64_MAX) < 20000000);
    assert_int_equal(cs_distribution_draw_ps(&distribution, 0), 0);
}

TEST(a_pareto_of_a_small_shape_has_no_variance)
{
    struct cs_distribution distribution = distribution_of("pareto,least=1us,shape=2");

    assert_false(cs_distribution_has_variance(&distribution));
    distribution = distribution_of("pareto,least=1us,shape=2.1");
    assert_true(cs_distribution_has_variance(&distribution));
    distribution = distribution_of("weibull,scale=1us,shape=0.5");
    assert_true(cs_distribution_has_variance(&distribution));
}

static void refused(const char *text, const char *why)
{
    struct cs_distribution distribution;
    struct cs_err err = {0};

    assert_int_equal(cs_distribution_read(text, &distribution, &err), CS_EINPUT);
    if (!strstr(err.text, why))
        fail_msg("'%s' says: %s", text, err.text);
}

TEST(what_is_no_distribution_is_reported)
{
    refused("exponental,mean=1us", "did you mean 'exponential'?");
    refused("exponential", "needs mean=");
    refused("exponential,mean", "is not a parameter");
    refused("exponential,mean=1", "unit");
    refused("normal,mean=1us", "needs sd=");
    refused("pareto,least=1us,shape=1", "the mean would be infinite");
    refused("pareto,least=1us,shape=x", "is no number");
    refused("pareto,least=1us,shape=0x2", "is no number");
    refused("normal,mean=1us,sd=1us,sd=2us", "sd is given twice");
    refused("weibull,scale=1us,shape=-1", "at or below 0");
    refused("exponential,mean=0us", "above 0");
    refused("exponential,mean=1us,", "is not a parameter");
    refused("", "no distribution called");
}

TEST(a_spread_is_that_of_the_sample)
{
    double values[] = {4, 1, 3, 2, 5};
    double one[] = {7};
    struct cs_spread spread = cs_spread_of(values, 5);

    assert_true(spread.mean == 3 && spread.median == 3);
    assert_true(fabs(spread.sd - sqrt(2.5)) < 1e-12);
    assert_true(spread.least == 1 && spread.most == 5);
    assert_true(fabs(spread.p5 - 1.2) < 1e-12);
    assert_true(fabs(spread.p95 - 4.8) < 1e-12);
    /* t of 4 degrees is 2.776 */
    assert_true(fabs(spread.mean_high - 3 - 2.7764451 * sqrt(0.5)) < 1e-6);
    spread = cs_spread_of(one, 1);
    assert_true(spread.sd == 0 && spread.mean_low == 7 && spread.p99 == 7);
}

/* What rounding might put an ulp outside. */
TEST(a_spread_of_equals_is_that_value)
{
    for (uint64_t count = 1; count < 40; count++)
        for (uint32_t k = 1; k < 200; k++) {
            double value = 1e-7 * k / 3;
            double values[40];
            struct cs_spread spread;

            for (uint64_t i = 0; i < count; i++)
                values[i] = value;
            spread = cs_spread_of(values, count);
            assert_true(spread.mean == value && spread.sd == 0);
            assert_true(spread.mean_low == value && spread.mean_high == value);
            assert_true(spread.p5 == value && spread.median == value);
            assert_true(spread.p95 == value && spread.p99 == value);
        }
}
