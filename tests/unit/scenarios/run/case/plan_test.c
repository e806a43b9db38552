/* Plan of a run: the call, and padded vectors. */
#include "scenarios/run/case/plan.h"

#include "tests/unit/scenarios/run/opened.h"

static void given_parameters_are_kept(void **state)
{
    struct opened opened;

    (void)state;
    opened_run(&opened, WORDS("--topo", "switch:ranks=8", "--algo", "chain", "--chunks", "7"));
    assert_int_equal(opened.run.call.ranks, 8);
    assert_int_equal(opened.run.call.chunks, 7);
    opened_free(&opened);
}

static void open_parameters_are_chosen_for_the_machine(void **state)
{
    struct opened opened;
    uint32_t chunks;

    (void)state;
    opened_run(&opened, WORDS("--topo", "switch:ranks=8,latency=1us", "--algo", "chain"));
    chunks = opened.run.call.chunks;
    assert_true(chunks > 1);
    opened_free(&opened);
    /* A message costs a thousand times more: fewer chunks. */
    opened_run(&opened, WORDS("--topo", "switch:ranks=8,latency=1ms", "--algo", "chain"));
    assert_true(opened.run.call.chunks < chunks);
    opened_free(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_parameters_are_kept),
        cmocka_unit_test(open_parameters_are_chosen_for_the_machine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
