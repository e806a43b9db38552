#include "sim/base/quantiles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

/* To 20 digits, by mpmath. */
static void quantiles_of_tables_are_met(void **state)
{
    static const struct {
        uint64_t degrees;
        double t;
    } table[] = {{1, 12.706204736174704646},  {2, 4.3026527297494638523},
                 {3, 3.1824463052837095927},  {4, 2.7764451051977943578},
                 {9, 2.2621571627982055426},  {30, 2.04227245630123831},
                 {99, 1.9842169515864174951}, {1999, 1.961151420170561976}};

    (void)state;
    assert_true(fabs(cs_quantile_normal(0.975) - 1.9599639845400542355) < 1e-15);
    assert_true(cs_quantile_normal(0.5) == 0);
    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
        assert_true(fabs(cs_quantile_student(0.975, table[i].degrees) / table[i].t - 1) < 1e-15);
}

static void normal_quantiles_are_odd_and_rise(void **state)
{
    double before = -INFINITY;

    (void)state;
    for (int i = 1; i < 1 << 12; i++) {
        double at = ldexp(i, -12), value = cs_quantile_normal(at);

        assert_true(value > before);
        assert_true(value == -cs_quantile_normal(1 - at));
        before = value;
    }
}

/* Fewer degrees have heavier tails; where the expansion takes over, too. */
static void students_quantiles_fall_to_the_normal_one(void **state)
{
    double before = INFINITY;

    (void)state;
    for (uint64_t degrees = 1; degrees < 2 * CS_QUANTILES_TERMS; degrees++) {
        double t = cs_quantile_student(0.975, degrees);

        assert_true(t < before);
        before = t;
    }
    assert_true(before > cs_quantile_normal(0.975));
    assert_true(cs_quantile_student(0.975, UINT64_C(1) << 62) == cs_quantile_normal(0.975));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_of_tables_are_met),
        cmocka_unit_test(normal_quantiles_are_odd_and_rise),
        cmocka_unit_test(students_quantiles_fall_to_the_normal_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
