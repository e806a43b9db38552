/* Quantiles: values in proportion between neighbours. */
#include "sim/base/order.h"

#include "tests/test.h"

TEST(quantiles_lie_between_neighbours_in_proportion)
{
    double values[] = {30, 10, 20, 40};

    assert_true(cs_quantile(values, 4, 0) == 10);
    assert_true(cs_quantile(values, 4, 0.5) == 25);
    assert_true(cs_quantile(values, 4, 0.75) == 32.5);
    assert_true(cs_quantile(values, 4, 1) == 40);
    assert_true(values[0] == 10 && values[3] == 40); /* sorted */
}

TEST(a_single_value_is_every_quantile)
{
    double value = 7;

    assert_true(cs_quantile(&value, 1, 0) == 7);
    assert_true(cs_quantile(&value, 1, 0.9) == 7);
}
