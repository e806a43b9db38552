/* Job columns: cells of runs with different numbers of jobs. */
#include "reports/results/runs_table.h"

#include "tests/unit/reports/sample.h"

static const struct cs_record_job jobs[] = {
    {.name = "ring", .took_ps = 3000000, .alone_ps = 2000000},
    {.name = "tree", .took_ps = 1000000, .alone_ps = 1000000},
};

TEST(a_run_without_the_job_has_dashes)
{
    const struct cs_record runs[] = {{.jobs = jobs, .job_count = 2},
                                     {.jobs = jobs, .job_count = 1}};
    struct cs_table_column heads[2 * CS_JOB_COLUMNS];
    CS_AT_END(cs_table_free) struct cs_table table = {0};
    uint32_t count = cs_job_columns_jobs(runs, 2);

    assert_int_equal(count, 2);
    cs_job_columns_heads(count, heads);
    assert_string_equal(heads[3].title, "job 2");
    cs_table_begin(&table, heads, sizeof heads / sizeof heads[0]);
    cs_job_columns_cells(&runs[0], count, &table);
    cs_job_columns_cells(&runs[1], count, &table);
    assert_int_equal(table.cell_count, 12);
    assert_string_equal(table.cells[2], "1.5 x");
    assert_string_equal(table.cells[6], "3 us");
    assert_string_equal(table.cells[9], "-");
}

TEST(a_job_that_takes_no_time_alone_has_no_slowdown)
{
    const struct cs_record_job still = {.name = "ring"};
    const struct cs_record run = {.jobs = &still, .job_count = 1};
    struct cs_table_column heads[CS_JOB_COLUMNS];
    CS_AT_END(cs_table_free) struct cs_table table = {0};

    cs_job_columns_heads(1, heads);
    cs_table_begin(&table, heads, CS_JOB_COLUMNS);
    cs_job_columns_cells(&run, 1, &table);
    assert_string_equal(table.cells[0], "0 s");
    assert_string_equal(table.cells[2], "-");
}

TEXT_TEST(only_common_names_are_explained)
{
    const struct cs_record_job others[] = {{.name = "ring"}, {.name = "mesh"}};
    const struct cs_record runs[] = {{.jobs = jobs, .job_count = 2},
                                     {.jobs = others, .job_count = 2}};

    cs_job_columns_names(runs, 2, out);
    assert_string_equal(cs_text_str(out), "job 1: ring\n");
}

TEST(the_number_of_columns_is_limited)
{
    const struct cs_record run = {.job_count = 100};

    assert_int_equal(cs_job_columns_jobs(&run, 1), 9);
}
