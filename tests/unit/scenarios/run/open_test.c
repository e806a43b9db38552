/* Opening of a run: machine, call and program, or the reason of a refusal. */
#include "scenarios/run/open.h"

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(an_opened_run_has_the_ranks_of_the_machine)
{
    opened_run(opened, WORDS("--topo", "dgx", "--algo", "ring"));
    assert_int_equal(opened->run.call.ranks, 8);
    assert_int_equal(opened->run.program.ranks, 8);
    assert_int_equal(opened->run.net.party_count, 8);
}

OPENED_TEST(a_parameter_server_has_a_party_of_its_own)
{
    opened_run(opened, WORDS("--topo", "dgx", "--algo", "ps"));
    assert_int_equal(opened->run.program.ranks, 8);
    assert_true(opened->run.program.agents > 0);
    assert_int_equal(opened->run.net.party_count, 8 + opened->run.program.agents);
}

OPENED_TEST(an_algorithm_that_refuses_the_call_names_the_reason)
{
    assert_int_equal(opened_try(opened, WORDS("--topo", "switch:ranks=6", "--collective",
                                              "reduce-scatter", "--algo", "halving")),
                     CS_SIMULATE_REFUSED);
    assert_int_equal(opened->err.code, CS_EINPUT);
    assert_non_null(strstr(opened->err.text, "halving"));
}
