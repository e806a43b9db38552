/* Summaries: counts of registered, skipped and repeated runs. */
#include "validate/gpu/summary.h"

#include "tests/unit/validate/trial.h"

/* 4 KiB to 512 KiB are small, 1 MiB to 4 MiB large. */
static const double factors[] = {1, 1.25, 0.8, 1, 1, 1, 1.25, 1, 1, 1, 0.5};

TEST(predictions_count_that_were_written_down_before)
{
    CS_AT_END(trial_free) struct trial trial = {0};
    double time_s;

    trial_make(&trial, factors, 1);
    trial.all.items[trial.all.count - 1].date = "2026-11-22T12:00:00Z";
    assert_int_equal(trial_compare(&trial), 0);
    assert_int_equal(trial.comparison.runs[0].registered, CS_REGISTERED_NOT);
    time_s = trial.comparison.runs[0].predicted.time_s;
    trial_register(&trial, 1.01 * time_s, "2026-11-22T10:00:00Z");
    assert_int_equal(trial_compare(&trial), 0);
    assert_int_equal(trial.comparison.runs[0].registered, CS_REGISTERED_CHANGED);
    trial_register(&trial, time_s, "2026-11-22T13:00:00Z");
    assert_int_equal(trial_compare(&trial), 0);
    assert_int_equal(trial.comparison.runs[0].registered, CS_REGISTERED_AFTER);
    trial_register(&trial, time_s, "2026-11-22T11:00:00Z");
    assert_int_equal(trial_compare(&trial), 0);
    assert_int_equal(trial.comparison.runs[0].registered, CS_REGISTERED_BEFORE);
}

/* Who measured by other sources, or predicts from another calibration, says so. */
TEST(commit_and_calibration_are_compared)
{
    CS_AT_END(trial_free) struct trial trial = {0};
    struct cs_comparison_summary sum;
    struct cs_measured *line;
    struct cs_measured *run;

    trial_make(&trial, factors, 1);
    trial.all.items[trial.all.count - 1].date = "2026-11-22T12:00:00Z";
    trial.all.items[trial.all.count - 1].commit = "abc1234";
    assert_int_equal(trial_compare(&trial), 0);
    trial_register(&trial, trial.comparison.runs[0].predicted.time_s, "2026-11-22T11:00:00Z");
    line = &trial.all.items[trial.all.count - 1];
    run = line - 1;
    line->run.inputs = trial.comparison.runs[0].inputs;
    assert_int_equal(trial_compare(&trial), 0);
    sum = cs_comparison_summarize(&trial.comparison, &trial.arena);
    assert_int_equal(sum.written, 1);
    assert_int_equal(sum.same_commit, 1);
    assert_int_equal(sum.same_inputs, 1);
    line->commit = run->commit = "abc1234-dirty";
    line->run.inputs = "0123456789abcdef";
    assert_int_equal(trial_compare(&trial), 0);
    sum = cs_comparison_summarize(&trial.comparison, &trial.arena);
    assert_int_equal(sum.same_commit, 0);
    assert_int_equal(sum.same_inputs, 0);
    line->commit = run->commit = "unknown";
    assert_int_equal(trial_compare(&trial), 0);
    sum = cs_comparison_summarize(&trial.comparison, &trial.arena);
    assert_int_equal(sum.same_commit, 0);
}

static struct cs_measured measured(uint64_t bytes, const char *algorithm)
{
    return (struct cs_measured){.kind = CS_MEASURED_RUN,
                                .gpu = "made up",
                                .uuid = "",
                                .work.dtype = "fp32",
                                .run.servers = "host",
                                .work.transport = "device",
                                .run.algorithm = algorithm,
                                .work.ranks = 4,
                                .work.gpus_used = 1,
                                .run.channels = 2,
                                .work.slice_bytes = 1 << 10,
                                .work.l2_bytes = 1 << 20,
                                .work.bytes = bytes};
}

/* 20 us late: 18 us are added, 16 us are predicted.  The run of another size has no
 * pair. */
ARENA_TEST(the_time_added_by_a_delay_is_compared)
{
    struct cs_measured early = measured(8 << 10, "ring");
    struct cs_measured late, single;
    struct cs_compared compared[] = {
        {.measured = &late, .time_s = 28e-6, .predicted = {.time_s = 28e-6}},
        {.measured = &early, .time_s = 10e-6, .predicted = {.time_s = 12e-6}},
        {.measured = &single, .time_s = 1e-3, .predicted = {.time_s = 2e-3}},
    };
    struct cs_comparison comparison = {.runs = compared, .run_count = 3};
    struct cs_delays_passed_on passed;

    early.run.table.hash = "";
    late = early;
    late.run.delay_s = 2e-5;
    late.run.delay_rank = 3;
    single = late;
    single.work.bytes = 1 << 20;
    passed = cs_comparison_delays(&comparison, arena);
    assert_int_equal(passed.count, 1);
    assert_true(fabs(passed.median - 0.1) < 1e-9);
    assert_true(fabs(passed.most - 0.1) < 1e-9);
    compared[1].unknown = "skipped";
    assert_int_equal(cs_comparison_delays(&comparison, arena).count, 0);
}
