/* Defaults of a plan are those that its help names. */
#include "scenarios/plan/options.h"

#include "tests/fixture.h"
#include "tests/planned.h"

static void defaults_are_those_of_the_help(void **state)
{
    static const char mix[] = "--gpus 16 --mix all-reduce:1GiB";
    struct planned named, unnamed;
    char line[200];

    (void)state;
    (void)snprintf(line, sizeof line,
                   "%s --pue 1.2 --lifetime 4y --restart 10min --checkpoint 10s --repair 1d", mix);
    assert_int_equal(plan_line(&named, line), 0);
    assert_int_equal(plan_line(&unnamed, mix), 0);
    assert_true(named.options.prices.pue == unnamed.options.prices.pue);
    assert_true(named.options.prices.lifetime_s == unnamed.options.prices.lifetime_s);
    assert_true(named.options.failures.restart_s == unnamed.options.failures.restart_s);
    assert_true(named.options.failures.checkpoint_s == unnamed.options.failures.checkpoint_s);
    assert_true(named.options.failures.repair_s == unnamed.options.failures.repair_s);
    cs_arena_free(&named.arena);
    cs_arena_free(&unnamed.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_help),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
