/* Execution: the program of a run on its network, with faults and noise. */
#include "scenarios/run/fold/execute.h"

#include "tests/unit/scenarios/run/opened.h"

/* A struct cs_exec_watch's function; ctx is a counter. */
static void count_message(void *ctx, const struct cs_message *message, uint64_t at_ps)
{
    (void)message;
    (void)at_ps;
    ++*(uint64_t *)ctx;
}

OPENED_TEST(a_ring_takes_its_rounds_on_a_switch)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=4,bandwidth=1GB/s,latency=0s", "--algo",
                             "ring", "--size", "4MB"));
    opened_simulate(opened);
    /* Six rounds of 1 MB at 1 GB/s. */
    assert_int_equal(opened->run.result.time_ps, 6 * 1000000000ull);
    assert_int_equal(opened->run.result.messages, 4 * 6);
}

OPENED_TEST(a_watch_sees_every_message_and_changes_nothing)
{
    struct cs_exec_result watched;
    uint64_t seen = 0;
    const struct cs_exec_watch watch = {.delivered = count_message, .ctx = &seen};

    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "tree"));
    opened_simulate(opened);
    assert_int_equal(
        cs_run_execute(&opened->run, &opened->run.program, &watch, &opened->arena, &watched), 0);
    assert_int_equal(seen, watched.messages);
    assert_int_equal(watched.time_ps, opened->run.result.time_ps);
}

OPENED_TEST(a_fault_that_disconnects_ranks_for_good_is_named)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--size", "64MB",
                             "--fault", "rank3-switch:down@1us"));
    assert_int_equal(cs_run_execute(&opened->run, &opened->run.program, NULL, &opened->arena,
                                    &opened->run.result),
                     CS_EINPUT);
    assert_non_null(strstr(opened->err.text, "rank3"));
}
