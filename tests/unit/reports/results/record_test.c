/* Records: derived values and parameters. */
#include "reports/results/record.h"

#include "tests/unit/reports/sample.h"

TEST(efficiency_is_the_bound_over_the_time)
{
    struct cs_record run = sample_ring();

    run.time_ps = UINT64_C(2000000000000);
    run.lower_bound_s = 1;
    assert_true(cs_record_efficiency(&run) == 0.5);
    run.lower_bound_s = 0;
    assert_true(isnan(cs_record_efficiency(&run)));
    run.lower_bound_s = 1;
    run.time_ps = 0;
    assert_true(isnan(cs_record_efficiency(&run)));
}

TEST(slowdown_of_a_job_is_the_ratio_to_the_time_alone)
{
    struct cs_record_job job = {.took_ps = 30, .alone_ps = 20};

    assert_true(cs_record_job_slowdown(&job) == 1.5);
    job = (struct cs_record_job){0};
    assert_true(isnan(cs_record_job_slowdown(&job)));
}

ARENA_TEST(a_switch_has_no_equals_sign)
{
    struct cs_record run = sample_ring();

    sample_set_parameters(&run, "chunks=31 colocated", arena);
    assert_string_equal(run.parameters, "chunks=31 colocated");
    assert_string_equal(cs_record_parameter(&run, "chunks"), "31");
    assert_string_equal(cs_record_parameter(&run, "colocated"), "");
    assert_null(cs_record_parameter(&run, "chunk"));
}

TEST(a_run_is_hypothetical_if_an_ability_is_named)
{
    struct cs_record run = sample_ring();

    assert_false(cs_record_is_hypothetical(&run));
    run.hypothetical = "";
    assert_false(cs_record_is_hypothetical(&run));
    run.hypothetical = "a reducing switch";
    assert_true(cs_record_is_hypothetical(&run));
}

TEST(the_run_with_most_jobs_counts)
{
    const struct cs_record runs[] = {{.job_count = 2}, {.job_count = 5}, {.job_count = 0}};

    assert_int_equal(cs_record_max_jobs(runs, 3), 5);
    assert_int_equal(cs_record_max_jobs(runs, 0), 0);
}
