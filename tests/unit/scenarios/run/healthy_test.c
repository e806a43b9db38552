/* The healthy machine: time, slowdown and detours of a run with faults. */
#include "scenarios/run/simulate.h"

#include "scenarios/run/record/record.h"
#include "tests/unit/scenarios/run/opened.h"

/* A cs_healthy_fn. */
static int simulate_alone(struct cs_run *run, const struct cs_exec_watch *watch,
                          struct cs_record *record)
{
    (void)record;
    return cs_run_execute(run, &run->program, watch, run->arena, &run->result);
}

OPENED_TEST(a_link_at_half_its_rate_doubles_the_time_of_a_ring)
{
    struct cs_record record = {0};

    opened_run(opened, WORDS("--topo", "switch:ranks=4,bandwidth=1GB/s,latency=0s", "--algo",
                             "ring", "--size", "4MB", "--fault", "rank3-switch:rate=50%"));
    cs_run_describe(&opened->run, &record);
    opened_simulate(opened);
    cs_run_collect(&opened->run, &record);
    assert_int_equal(cs_healthy_compare(&opened->run, simulate_alone, &record), 0);
    assert_true(record.healthy_s == 6e-3);
    assert_true(record.slowdown == 2);
    assert_string_equal(record.detour, "");
}

OPENED_TEST(links_in_use_with_the_fault_only_are_the_detour)
{
    struct cs_record record = {0};

    opened_run(opened, WORDS("--topo", "dgx-1", "--algo", "ring", "--fault", "gpu0-gpu3:down",
                             "--size", "8MB"));
    cs_run_describe(&opened->run, &record);
    opened_simulate(opened);
    cs_run_collect(&opened->run, &record);
    assert_int_equal(cs_healthy_compare(&opened->run, simulate_alone, &record), 0);
    assert_true(record.slowdown >= 1);
    assert_string_not_equal(record.detour, "");
}

OPENED_TEST(a_run_whose_time_is_compared_alone_is_not_run_without_the_fault)
{
    struct cs_record record;

    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--size", "4MB",
                             "--fault", "rank3-switch:rate=50%"));
    assert_int_equal(cs_simulate(&opened->which, &opened->arena, &record, &opened->err), 0);
    assert_false(isnan(record.healthy_s));
    opened->which.is_planned = true;
    assert_int_equal(cs_simulate(&opened->which, &opened->arena, &record, &opened->err), 0);
    assert_true(isnan(record.healthy_s));
}
