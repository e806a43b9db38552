/* Least squares: known minima. */
#include "sim/base/least_squares.h"

#include "tests/fixture.h"

/* y = a exp(b t), exact samples of a = 2, b = -0.5. */
static void exponential(const void *context, const double *x, double *residuals)
{
    const double *times = context;

    for (int i = 0; i < 5; i++)
        residuals[i] = x[0] * exp(x[1] * times[i]) - 2 * exp(-0.5 * times[i]);
}

TEST(the_parameters_of_exact_samples_are_found)
{
    static const double times[] = {0, 1, 2, 3, 4};
    struct cs_least_squares problem = {2, 5, exponential, times, NULL, 0};
    double x[] = {1, 0};

    assert_int_equal(cs_least_squares_solve(&problem, x, NULL), 0);
    assert_true(fabs(x[0] - 2) < 1e-6);
    assert_true(fabs(x[1] + 0.5) < 1e-6);
}

/* The mean minimises the squares. */
static void deviations(const void *context, const double *x, double *residuals)
{
    const double *values = context;

    for (int i = 0; i < 4; i++)
        residuals[i] = x[0] - values[i];
}

TEST(the_mean_minimises_squared_deviations)
{
    static const double values[] = {1, 2, 3, 10};
    struct cs_least_squares problem = {1, 4, deviations, values, NULL, 0};
    double x[] = {0};

    assert_int_equal(cs_least_squares_solve(&problem, x, NULL), 0);
    assert_true(fabs(x[0] - 4) < 1e-6);
}

/* Each pair of neighbours shares an unknown: a sparse problem. */
static void chain_residuals(const void *context, const double *x, double *residuals)
{
    (void)context;
    for (int i = 0; i < 5; i++)
        residuals[i] = exp(x[i]) + x[i + 1] - exp(.1 * i) - .1 * (i + 1);
    residuals[5] = x[0];
}

static uint32_t chain_derivatives(const void *context, const double *x, uint32_t residual,
                                  uint32_t *unknowns, double *derivatives)
{
    (void)context;
    unknowns[0] = residual == 5 ? 0 : residual;
    derivatives[0] = residual == 5 ? 1 : exp(x[residual]);
    unknowns[1] = residual + 1;
    derivatives[1] = 1;
    return residual == 5 ? 1 : 2;
}

TEST(sparse_derivatives_find_the_same_minimum)
{
    struct cs_least_squares problem = {6, 6, chain_residuals, NULL, chain_derivatives, 0};
    double x[6] = {.3, .3, .3, .3, .3, .3};

    assert_int_equal(cs_least_squares_solve(&problem, x, NULL), 0);
    for (int i = 0; i < 6; i++)
        assert_true(fabs(x[i] - .1 * i) < 1e-6);
}

TEST(fewer_residuals_than_unknowns_are_refused)
{
    struct cs_least_squares problem = {2, 1, deviations, NULL, NULL, 0};
    double x[] = {0, 0};

    assert_int_equal(cs_least_squares_solve(&problem, x, NULL), CS_ECANNOT);
}

/* inv(X'X) of a line through t = 0, 1, 2, 3. */
static void line(const void *context, const double *x, double *residuals)
{
    const double *values = context;

    for (int i = 0; i < 4; i++)
        residuals[i] = x[0] + x[1] * i - values[i];
}

TEST(the_covariance_of_a_line_is_known)
{
    static const double values[] = {1, 3, 5, 7};
    struct cs_least_squares problem = {2, 4, line, values, NULL, 0};
    const double x[] = {1, 2};
    double covariance[4];

    assert_int_equal(cs_least_squares_covariance(&problem, x, covariance, NULL), 0);
    assert_true(fabs(covariance[0] - .7) < 1e-6);
    assert_true(fabs(covariance[1] + .3) < 1e-6);
    assert_true(fabs(covariance[2] + .3) < 1e-6);
    assert_true(fabs(covariance[3] - .2) < 1e-6);
}
