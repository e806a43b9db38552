/* Plan of a run: the call, and padded vectors. */
#include "scenarios/run/case/plan.h"

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(given_parameters_are_kept)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=8", "--algo", "chain", "--chunks", "7"));
    assert_int_equal(opened->run.call.ranks, 8);
    assert_int_equal(opened->run.call.chunks, 7);
}

TEST(open_parameters_are_chosen_for_the_machine)
{
    struct opened opened;
    uint32_t chunks;

    opened_run(&opened, WORDS("--topo", "switch:ranks=8,latency=1us", "--algo", "chain"));
    chunks = opened.run.call.chunks;
    assert_true(chunks > 1);
    opened_free(&opened);
    /* A message costs a thousand times more: fewer chunks. */
    opened_run(&opened, WORDS("--topo", "switch:ranks=8,latency=1ms", "--algo", "chain"));
    assert_true(opened.run.call.chunks < chunks);
    opened_free(&opened);
}
