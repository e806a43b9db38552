/*
 * Mixtures of routings of least congestion, against optima worked out by hand.
 */
#include "algorithms/bounds/rates/master.h"

#include "tests/fixture.h"

#include <math.h>

static void expect_near(double value, double expected)
{
    if (fabs(value - expected) > 1e-9)
        fail_msg("%.12g is not %.12g", value, expected);
}

/* One source, two links of capacities 1 and 3: a quarter and three. */
static void a_source_splits_by_capacity(void **state)
{
    const double capacity[] = {1, 3};
    const double by_first[] = {1, 0};
    const double by_second[] = {0, 1};
    struct cs_arena arena = {0};
    struct cs_master master;

    (void)state;
    cs_master_begin(&master, 2, 1, capacity, by_first, &arena);
    expect_near(cs_master_theta(&master), 1);
    assert_true(cs_master_enter(&master, 0, by_second));
    assert_true(cs_master_settle(&master));
    expect_near(cs_master_theta(&master), 0.25);
    expect_near(cs_master_price(&master, 0), 0.25);
    expect_near(cs_master_price(&master, 1), 0.25);
    assert_false(cs_master_enter(&master, 0, by_first));
    cs_arena_free(&arena);
}

/* What a perturbation adds is not in the result. */
static void a_perturbed_mixture_has_the_same_optimum(void **state)
{
    const double capacity[] = {1, 3};
    const double by_first[] = {1, 0};
    const double by_second[] = {0, 1};
    struct cs_arena arena = {0};
    struct cs_master master;

    (void)state;
    cs_master_begin(&master, 2, 1, capacity, by_first, &arena);
    cs_master_perturb(&master);
    expect_near(cs_master_theta(&master), 1);
    assert_true(cs_master_enter(&master, 0, by_second));
    assert_true(cs_master_settle(&master));
    expect_near(cs_master_theta(&master), 0.25);
    assert_false(cs_master_enter(&master, 0, by_first));
    cs_arena_free(&arena);
}

/* Two sources share the middle link of three; each has one of its own. */
static void sources_leave_a_shared_link_half_each(void **state)
{
    const double capacity[] = {1, 1, 1};
    const double shared[] = {0, 1, 0, 0, 1, 0};
    const double own_first[] = {1, 0, 0};
    const double own_second[] = {0, 0, 1};
    struct cs_arena arena = {0};
    struct cs_master master;

    (void)state;
    cs_master_begin(&master, 3, 2, capacity, shared, &arena);
    expect_near(cs_master_theta(&master), 2);
    assert_true(cs_master_settle(&master));
    assert_true(cs_master_enter(&master, 0, own_first));
    assert_true(cs_master_settle(&master));
    assert_true(cs_master_enter(&master, 1, own_second));
    assert_true(cs_master_settle(&master));
    expect_near(cs_master_theta(&master), 2.0 / 3);
    for (uint32_t r = 0; r < 3; r++)
        expect_near(cs_master_price(&master, r), 1.0 / 3);
    cs_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_splits_by_capacity),
        cmocka_unit_test(a_perturbed_mixture_has_the_same_optimum),
        cmocka_unit_test(sources_leave_a_shared_link_half_each),
    };

    return cmocka_run_group_tests_name("master", tests, NULL, NULL);
}
