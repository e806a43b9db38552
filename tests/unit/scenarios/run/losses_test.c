/* Losses: links in use, and one simulation for equal losses. */
#include "scenarios/run/losses.h"

#include "tests/unit/scenarios/run/opened.h"

static void equal_links_share_the_simulation_of_the_first(void **state)
{
    struct opened opened;
    struct cs_losses losses;

    (void)state;
    opened_run(&opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring",
                              "--size", "4MB"));
    opened_simulate(&opened);
    assert_int_equal(
        cs_losses_find(&opened.run, CS_WHAT_IF_LINK, &losses, &opened.arena),
        0);
    assert_int_equal(losses.count, 4);
    for (uint32_t i = 0; i < losses.count; i++)
        assert_int_equal(losses.items[i].like, 0);
    opened_free(&opened);
}

static void links_of_a_tree_are_simulated_one_by_one(void **state)
{
    struct opened opened;
    struct cs_losses losses;

    (void)state;
    opened_run(&opened, WORDS("--topo", "switch:ranks=4", "--algo", "tree"));
    opened_simulate(&opened);
    assert_int_equal(
        cs_losses_find(&opened.run, CS_WHAT_IF_LINK, &losses, &opened.arena),
        0);
    assert_int_equal(losses.count, 4);
    for (uint32_t i = 0; i < losses.count; i++)
        assert_int_equal(losses.items[i].like, i);
    opened_free(&opened);
}

static void a_machine_without_adapters_names_the_kinds_in_use(void **state)
{
    struct opened opened;
    struct cs_losses losses;

    (void)state;
    opened_run(&opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring"));
    opened_simulate(&opened);
    assert_int_equal(
        cs_losses_find(&opened.run, CS_WHAT_IF_NIC, &losses, &opened.arena),
        CS_EINPUT);
    assert_non_null(strstr(opened.err.text, "write each-link"));
    opened_free(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_links_share_the_simulation_of_the_first),
        cmocka_unit_test(links_of_a_tree_are_simulated_one_by_one),
        cmocka_unit_test(a_machine_without_adapters_names_the_kinds_in_use),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
