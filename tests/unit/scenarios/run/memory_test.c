/* The file of --memory: one run, and a known format. */
#include "scenarios/run/memory.h"

#include "tests/unit/scenarios/run/opened.h"

TEST(a_single_run_has_a_file_of_memory)
{
    CS_AT_END(opened_free) struct opened opened;

    assert_int_equal(
        opened_finish(&opened, WORDS("--topo", "dgx", "--algo", "ring", "--memory", "m.csv")), 0);
    assert_int_equal(cs_memory_check(&opened.scenario, &opened.err), 0);
}

TEST(a_sweep_has_no_file_of_memory)
{
    CS_AT_END(opened_free) struct opened opened;

    assert_int_equal(
        opened_finish(&opened, WORDS("--topo", "dgx", "--algo", "ring,tree", "--memory", "m.csv")),
        0);
    assert_int_equal(cs_memory_check(&opened.scenario, &opened.err), CS_EINPUT);
    assert_non_null(strstr(opened.err.text, "single run"));
}

TEST(an_unknown_ending_is_refused)
{
    CS_AT_END(opened_free) struct opened opened;

    assert_int_equal(
        opened_finish(&opened, WORDS("--topo", "dgx", "--algo", "ring", "--memory", "m.doc")), 0);
    assert_int_equal(cs_memory_check(&opened.scenario, &opened.err), CS_EINPUT);
    assert_non_null(strstr(opened.err.text, "m.doc"));
}
