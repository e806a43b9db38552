/* Completion of a scenario: sizes, algorithms, and refused combinations. */
#include "scenarios/run/finish.h"

#include "tests/unit/scenarios/run/opened.h"

static void a_range_becomes_a_list_of_sizes(void **state)
{
    struct opened opened;

    (void)state;
    assert_int_equal(opened_finish(&opened, WORDS("--topo", "dgx", "-b", "1KiB",
                                                  "-e", "8KiB", "-f", "2")),
                     0);
    assert_int_equal(opened.scenario.size_count, 4);
    assert_int_equal(opened.scenario.sizes[3], 8192);
    opened_free(&opened);
}

static void a_range_with_one_end_is_refused(void **state)
{
    struct opened opened;

    (void)state;
    assert_int_equal(opened_finish(&opened, WORDS("-b", "1KiB")), CS_EINPUT);
    opened_free(&opened);
}

static void an_algorithm_named_twice_is_refused(void **state)
{
    struct opened opened;

    (void)state;
    assert_int_equal(opened_finish(&opened, WORDS("--algo", "ring,tree,ring")),
                     CS_EINPUT);
    assert_non_null(strstr(opened.err.text, "listed twice"));
    opened_free(&opened);
}

static void every_algorithm_is_a_choice_of_auto(void **state)
{
    struct opened opened;

    (void)state;
    assert_int_equal(opened_finish(&opened, WORDS("--algo", "auto")), 0);
    assert_int_equal(opened.scenario.choice, CS_CHOICE_AUTO);
    assert_true(opened.scenario.algo_count > 10);
    opened_free(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_becomes_a_list_of_sizes),
        cmocka_unit_test(a_range_with_one_end_is_refused),
        cmocka_unit_test(an_algorithm_named_twice_is_refused),
        cmocka_unit_test(every_algorithm_is_a_choice_of_auto),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
