/* Concurrent jobs: one program, and the time of each job. */
#include "scenarios/run/concurrent_jobs.h"

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(a_single_job_is_its_own_program)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=8", "--algo", "ring"));
    assert_ptr_equal(cs_concurrent_jobs_program(&opened->run), &opened->run.program);
}

OPENED_TEST(jobs_on_separate_ports_do_not_slow_each_other)
{
    uint64_t alone_ps;

    opened_run(opened, WORDS("--topo", "switch:ranks=8", "--ranks", "4", "--algo", "ring", "--size",
                             "4MB", "--with", "alltoall:ranks=4-7"));
    opened_simulate(opened);
    alone_ps = opened->run.result.time_ps;
    if (cs_concurrent_jobs_run(&opened->run, NULL))
        fail_msg("%s", opened->err.text);
    assert_true(opened->run.result.time_ps == alone_ps);
}

OPENED_TEST(jobs_on_the_same_ports_share_the_rate)
{
    uint64_t alone_ps;

    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--size", "4MB",
                             "--with", "alltoall:size=64MB"));
    opened_simulate(opened);
    alone_ps = opened->run.result.time_ps;
    if (cs_concurrent_jobs_run(&opened->run, NULL))
        fail_msg("%s", opened->err.text);
    assert_true(opened->run.result.time_ps > alone_ps);
}
