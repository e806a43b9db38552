/* Timed faults: a network for each time, in order. */

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(every_time_of_a_fault_has_a_network)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--fault",
                             "rank1-switch:rate=50%@2ms", "--fault", "rank2-switch:rate=50%@1ms"));
    assert_int_equal(opened->run.change_count, 2);
    assert_true(opened->run.changes[0].at_ps == 1000000000);
    assert_true(opened->run.changes[1].at_ps == 2000000000);
    assert_ptr_not_equal(opened->run.changes[0].net, opened->run.changes[1].net);
}

OPENED_TEST(a_fault_from_the_start_is_no_change)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--fault",
                             "rank1-switch:rate=50%"));
    assert_int_equal(opened->run.change_count, 0);
}

OPENED_TEST(shared_buffers_exclude_timed_faults)
{
    assert_int_equal(opened_try(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring",
                                              "--link-model", "packet", "--loss", "pfc", "--fault",
                                              "rank1-switch:rate=50%@2ms")),
                     CS_EINPUT);
    assert_non_null(strstr(opened->err.text, "timed faults require separate buffers"));
}
