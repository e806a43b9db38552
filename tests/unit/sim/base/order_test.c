/* Quantiles: values in proportion between neighbours. */
#include "sim/base/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void quantiles_lie_between_neighbours_in_proportion(void **state)
{
    double values[] = {30, 10, 20, 40};

    (void)state;
    assert_true(cs_quantile(values, 4, 0) == 10);
    assert_true(cs_quantile(values, 4, 0.5) == 25);
    assert_true(cs_quantile(values, 4, 0.75) == 32.5);
    assert_true(cs_quantile(values, 4, 1) == 40);
    assert_true(values[0] == 10 && values[3] == 40); /* sorted */
}

static void a_single_value_is_every_quantile(void **state)
{
    double value = 7;

    (void)state;
    assert_true(cs_quantile(&value, 1, 0) == 7);
    assert_true(cs_quantile(&value, 1, 0.9) == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_lie_between_neighbours_in_proportion),
        cmocka_unit_test(a_single_value_is_every_quantile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
