/* Soft loss: a square near 0, linear far out, and the slope. */
#include "sim/base/soft_loss.h"

#include "tests/fixture.h"

static double loss(double r, double corner)
{
    double root = cs_soft_residual(r, corner);

    return root * root;
}

TEST(a_loss_is_a_square_near_0_and_linear_far_out)
{
    assert_true(cs_soft_residual(0, 0.3) == 0);
    assert_within(loss(1e-4, 0.3), 1e-8, 1e-14);
    assert_within(loss(0.4, 0.3), 2 * 0.09 * (5.0 / 3 - 1), 1e-12);
    assert_within(loss(1e6, 0.3) / loss(5e5, 0.3), 2, 1e-5);
    assert_true(cs_soft_residual(-0.4, 0.3) == -cs_soft_residual(0.4, 0.3));
}

TEST(a_slope_is_the_derivative)
{
    const double step = 1e-6;

    for (int step_r = -8; step_r <= 8; ++step_r) {
        double r = 0.25 * step_r;

        assert_within(
            cs_soft_slope(r, 0.3),
            (cs_soft_residual(r + step, 0.3) - cs_soft_residual(r - step, 0.3)) / (2 * step), 1e-8);
    }
}
