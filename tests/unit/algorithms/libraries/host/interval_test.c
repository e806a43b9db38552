/* Intervals from the spread of parameters. */
#include "algorithms/libraries/host/interval.h"

#include "tests/fixture.h"

#include <math.h>

#define RESIDUAL 0.45 /* of interval.c, measured on published tables */

static double constant_s(const void *ctx, const double *values)
{
    (void)values;
    return *(const double *)ctx;
}

static double step_of(const void *ctx, const double *values)
{
    (void)ctx;
    return values[CS_HOST_STEP];
}

/* 1.645 standard deviations to either side. */
static void a_time_without_parameters_keeps_the_residual_spread(void **state)
{
    double time_s = 1e-3;
    struct cs_host_interval interval =
        cs_host_interval_of(constant_s, &time_s, cs_host_parameters, time_s);

    (void)state;
    assert_true(fabs(log(interval.high_s / time_s) - 1.645 * RESIDUAL) < 1e-9);
    assert_true(fabs(log(time_s / interval.low_s) - 1.645 * RESIDUAL) < 1e-9);
}

static void spreads_of_parameters_are_added_in_squares(void **state)
{
    double spread = cs_host_parameter_set.items[CS_HOST_STEP].spread;
    double time_s = cs_host_parameters[CS_HOST_STEP];
    struct cs_host_interval interval =
        cs_host_interval_of(step_of, NULL, cs_host_parameters, time_s);
    double wide = 1.645 * sqrt(RESIDUAL * RESIDUAL + spread * spread);

    (void)state;
    assert_true(fabs(log(interval.high_s / time_s) - wide) < 1e-9);
}

static double jump_of(const void *ctx, const double *values)
{
    return values[CS_HOST_CACHE] > *(const double *)ctx ? 1e6 : 1;
}

static void a_jump_counts_as_a_factor_of_two(void **state)
{
    double limit = cs_host_parameters[CS_HOST_CACHE];
    struct cs_host_interval interval = cs_host_interval_of(jump_of, &limit, cs_host_parameters, 1);

    (void)state;
    assert_true(log(interval.high_s) < 1.645 * sqrt(RESIDUAL * RESIDUAL + 0.7 * 0.7));
}

static double drop_of(const void *ctx, const double *values)
{
    return values[CS_HOST_CACHE] > *(const double *)ctx ? 1e-6 : 1;
}

/* Up or down, ln 2 at most. */
static void a_jump_down_counts_as_one_up(void **state)
{
    double limit = cs_host_parameters[CS_HOST_CACHE];
    double wide = 1.645 * sqrt(RESIDUAL * RESIDUAL + 0.69 * 0.69);
    struct cs_host_interval up = cs_host_interval_of(jump_of, &limit, cs_host_parameters, 1);
    struct cs_host_interval down = cs_host_interval_of(drop_of, &limit, cs_host_parameters, 1);

    (void)state;
    assert_true(fabs(log(up.high_s) - wide) < 1e-9);
    assert_true(fabs(log(down.high_s) - wide) < 1e-9);
    assert_true(fabs(log(down.low_s) + wide) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_time_without_parameters_keeps_the_residual_spread),
        cmocka_unit_test(spreads_of_parameters_are_added_in_squares),
        cmocka_unit_test(a_jump_counts_as_a_factor_of_two),
        cmocka_unit_test(a_jump_down_counts_as_one_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
