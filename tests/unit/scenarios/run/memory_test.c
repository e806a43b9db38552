/* The file of --memory: one run, and a known format. */
#include "scenarios/run/memory.h"

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(a_single_run_has_a_file_of_memory)
{
    assert_int_equal(
        opened_finish(opened, WORDS("--topo", "dgx", "--algo", "ring", "--memory", "m.csv")), 0);
    assert_int_equal(cs_memory_check(&opened->scenario, &opened->err), 0);
}

OPENED_TEST(a_sweep_has_no_file_of_memory)
{
    assert_int_equal(
        opened_finish(opened, WORDS("--topo", "dgx", "--algo", "ring,tree", "--memory", "m.csv")),
        0);
    assert_refused_with(cs_memory_check(&opened->scenario, &err), CS_EINPUT, "single run");
}

OPENED_TEST(an_unknown_ending_is_refused)
{
    assert_int_equal(
        opened_finish(opened, WORDS("--topo", "dgx", "--algo", "ring", "--memory", "m.doc")), 0);
    assert_refused_with(cs_memory_check(&opened->scenario, &err), CS_EINPUT, "m.doc");
}
