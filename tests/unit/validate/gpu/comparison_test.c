/* Comparisons: signed errors, groups, and runs that are left out. */
#include "validate/gpu/comparison.h"

#include "tests/unit/validate/trial.h"
#include "validate/gpu/gates.h"
#include "validate/gpu/summary.h"

/* 4 KiB to 512 KiB are small, 1 MiB to 4 MiB large. */
static const double factors[] = {1, 1.25, 0.8, 1, 1, 1, 1.25, 1, 1, 1, 0.5};

#define TRIAL_TEST(name) TEST_OF(struct trial, trial, trial_free, name)

TRIAL_TEST(errors_are_signed_and_grouped_by_size)
{
    const struct cs_comparison_group *groups;

    trial_make(trial, factors, COUNT(factors));
    assert_int_equal(trial_compare(trial), 0);
    assert_int_equal(trial->comparison.run_count, COUNT(factors));
    assert_true(fabs(trial->comparison.runs[1].error + 0.2) < 1e-9);
    assert_true(fabs(trial->comparison.runs[2].error - 0.25) < 1e-9);
    assert_int_equal(trial->comparison.group_count, 2);
    groups = trial->comparison.groups;
    assert_false(groups[0].large);
    assert_int_equal(groups[0].count, 8);
    assert_true(groups[0].median < 1e-9);
    assert_true(fabs(groups[0].p90 - 0.25) < 1e-9); /* 0.8 is as far off */
    assert_true(groups[1].large);
    assert_int_equal(groups[1].count, 3);
    assert_true(fabs(groups[1].p90 - 0.8) < 1e-9);
}

TRIAL_TEST(a_run_that_cannot_be_predicted_is_reported)
{
    struct cs_measured run = synthetic_run("ring", 4, 1 << 20, 1e-3);

    synthetic_calibrate(&trial->all);
    run.work.gpus_used = 2;
    run.run.table.hash = synthetic_table("ring", 4, &trial->arena);
    synthetic_add(&trial->all, run);
    run.skipped = "too long";
    synthetic_add(&trial->all, run);
    run.skipped = "";
    run.failed = "the kernel was stuck";
    run.time_s = 0;
    synthetic_add(&trial->all, run);
    assert_int_equal(trial_compare(trial), 0);
    assert_int_equal(trial->comparison.run_count, 3);
    assert_string_equal(trial->comparison.runs[1].unknown, "skipped: too long");
    assert_string_equal(trial->comparison.runs[2].unknown, "failed: the kernel was stuck");
    assert_int_equal(trial->comparison.groups[0].left_out, 3);
    assert_int_equal(cs_comparison_summarize(&trial->comparison, &trial->arena).skipped, 1);
    assert_string_equal(trial->comparison.runs[0].unknown,
                        "links between 2 GPUs are not calibrated");
    assert_int_equal(trial->comparison.groups[0].count, 0);
}

/* Runs with too few repetitions, and runs of NCCL. */
TRIAL_TEST(few_runs_and_references_are_left_out)
{
    struct cs_measured run = synthetic_run("ring", 4, 1 << 20, 1e-3);

    synthetic_calibrate(&trial->all);
    run.work.runs = 2;
    synthetic_add(&trial->all, run);
    run.work.runs = 20;
    run.kind = CS_MEASURED_NCCL;
    synthetic_add(&trial->all, run);
    assert_int_equal(trial_compare(trial), 0);
    assert_string_equal(trial->comparison.runs[0].unknown, "2 repetitions; at least 20 needed");
    assert_string_equal(trial->comparison.runs[1].unknown, "NCCL, for reference");
    assert_string_equal(trial->comparison.groups[1].setup, "NCCL");
    assert_int_equal(trial->comparison.groups[0].left_out, 1);
}

/* 20 us are 20 ticks, so the mean counts.  Events measure a fifth more, 1 us of
 * it the launch. */
TRIAL_TEST(differing_clocks_are_counted)
{
    struct cs_measured run;

    trial_make(trial, factors, 1);
    synthetic_add(&trial->all, (struct cs_measured){.kind = CS_MEASURED_TIMER, .time_s = 1e-6});
    synthetic_add(&trial->all, (struct cs_measured){.kind = CS_MEASURED_LAUNCH, .time_s = 1e-6});
    run = synthetic_run("ring", 4, 1 << 12, 20e-6);
    run.spread.mean_s = 20.4e-6;
    run.event_s = 22e-6;
    synthetic_add(&trial->all, run);
    run.event_s = 24e-6;
    run.time_s = 60e-6;
    synthetic_add(&trial->all, run);
    assert_int_equal(trial_compare(trial), 0);
    assert_true(trial->comparison.runs[1].time_s == 20.4e-6);
    assert_false(trial->comparison.runs[1].clocks_differ);
    assert_true(trial->comparison.runs[2].time_s == 60e-6);
    assert_true(trial->comparison.runs[2].clocks_differ);
    assert_int_equal(trial->comparison.groups[0].clocks_differ, 1);
}

/* One run of twenty took 100 us: the mean of the middle 80 % excludes it. */
TRIAL_TEST(an_outlier_of_few_ticks_does_not_count)
{
    struct cs_measured run = synthetic_run("ring", 4, 1 << 12, 20e-6);

    trial_make(trial, factors, 1);
    synthetic_add(&trial->all, (struct cs_measured){.kind = CS_MEASURED_TIMER, .time_s = 1e-6});
    run.spread.mean_s = 24.4e-6;
    run.spread.middle_s = 20.4e-6;
    synthetic_add(&trial->all, run);
    assert_int_equal(trial_compare(trial), 0);
    assert_true(trial->comparison.runs[1].time_s == 20.4e-6);
}

/* Another GPU of the same name has no model. */
TRIAL_TEST(each_gpu_needs_a_calibration)
{
    trial_make(trial, factors, 2);
    trial->all.items[trial->all.count - 1].uuid = "GPU-other";
    assert_int_equal(trial_compare(trial), CS_EINPUT);
    assert_string_equal(trial->err.text, "'GPU-other' is not calibrated: no stream of role put");
}

TRIAL_TEST(copies_count_beyond_l2_alone)
{
    struct cs_measured run;

    trial_make(trial, factors, 0);
    for (uint64_t bytes = 64 << 20; bytes <= 128 << 20; bytes *= 2) {
        run = synthetic_run("ring", 4, bytes, 1);
        run.run.table.hash = synthetic_table("ring", 4, &trial->arena);
        synthetic_add(&trial->all, run);
    }
    assert_int_equal(trial_compare(trial), 0);
    assert_true(trial->comparison.runs[0].copies == 0);
    assert_true(trial->comparison.runs[1].copies > 0);
    assert_int_equal(trial->comparison.groups[0].copies_count, 1);
    assert_int_equal(trial->comparison.groups[0].count, 2);
    trial->comparison.groups[0].gated = true;
    trial->comparison.groups[0].count_gate = 2;
    trial->comparison.groups[0].median_gate = 1e9;
    trial->comparison.groups[0].p90_gate = 1e9;
    trial->comparison.groups[0].copies_gate = 0.85;
    assert_refused_with(cs_comparison_judge(&trial->comparison, &err), CS_EANSWER,
                        "% of plain copies, less than");
}

TRIAL_TEST(wrong_sums_are_no_measurement)
{
    struct cs_measured run = synthetic_run("ring", 4, 1 << 20, 1e-3);
    char message[80];

    synthetic_calibrate(&trial->all);
    run.run.wrong = 3;
    snprintf(message, sizeof(message), "synthetic:%zu: the run has 3 wrong sums",
             trial->all.count + 1);
    synthetic_add(&trial->all, run);
    assert_int_equal(trial_compare(trial), 0);
    assert_string_equal(trial->comparison.runs[0].unknown, "3 wrong sums");
    assert_int_equal(cs_comparison_summarize(&trial->comparison, &trial->arena).wrong, 1);
    assert_refused(cs_comparison_sound(&trial->comparison, &err), CS_EANSWER, message);
}

TRIAL_TEST(a_run_that_is_measured_again_counts_once)
{
    struct cs_measured run;

    trial_make(trial, factors, COUNT(factors));
    run = trial->all.items[trial->all.count - 1];
    run.time_s *= 1.5;
    synthetic_add(&trial->all, run);
    run.run.channels = 8; /* another form */
    synthetic_add(&trial->all, run);
    assert_int_equal(trial_compare(trial), 0);
    assert_int_equal(trial->comparison.run_count, COUNT(factors) + 2);
    assert_string_equal(trial->comparison.runs[COUNT(factors)].unknown, "measured again: +50.0 %");
    assert_null(trial->comparison.runs[COUNT(factors) + 1].unknown);
    assert_int_equal(cs_comparison_summarize(&trial->comparison, &trial->arena).repeated, 1);
}

TRIAL_TEST(a_time_below_the_bound_is_an_error)
{
    const double impossible[] = {1e-5};

    trial_make(trial, impossible, 1);
    assert_int_equal(trial_compare(trial), CS_EANSWER);
    assert_non_null(strstr(trial->err.text, "less than the lower bound"));
}

/* Two points are predicted: one is skipped, and its line has no channels; the
 * other has no line.  A third is measured beside them, twice. */
TRIAL_TEST(planned_points_without_a_line_are_missing)
{
    struct cs_measured run;
    struct cs_comparison_grid grid;

    trial_make(trial, factors, 1);
    assert_int_equal(trial_compare(trial), 0);
    assert_int_equal(trial->comparison.grid.expected, 0);
    assert_int_equal(trial->comparison.grid.beside, 0);
    run = trial->all.items[trial->all.count - 1];
    synthetic_add(&trial->all, run);
    run.kind = CS_MEASURED_PREDICTED;
    run.work.bytes = 1 << 20;
    synthetic_add(&trial->all, run);
    synthetic_add(&trial->all, run); /* written twice */
    run.work.bytes = 2 << 20;
    run.run.unknown = "not calibrated";
    synthetic_add(&trial->all, run);
    run.kind = CS_MEASURED_RUN;
    run.run.unknown = "";
    run.skipped = "too long";
    run.run.channels = 0;
    synthetic_add(&trial->all, run);
    assert_int_equal(trial_compare(trial), 0);
    grid = trial->comparison.grid;
    assert_int_equal(grid.expected, 2);
    assert_int_equal(grid.missing, 1);
    assert_int_equal(grid.beside, 1);
    assert_int_equal(grid.example->work.bytes, 1 << 20);
}

/* A run with a late rank is no repetition of the run without, in a group of its own. */
TRIAL_TEST(a_run_with_a_delayed_rank_is_a_run_of_its_own)
{
    const double exact = 1;
    struct cs_gpu_model model;
    struct cs_measured run;
    struct cs_gpu_query query = {.algorithm = "ring",
                                 .transport = "device",
                                 .ranks = 4,
                                 .channels = 4,
                                 .gpus = 1,
                                 .bytes = 1 << 12,
                                 .element_bytes = 4,
                                 .slice_bytes = 32768,
                                 .threads = 512,
                                 .delay_rank = 3,
                                 .delay_s = 2e-5};
    struct cs_gpu_prediction answer;

    trial_make(trial, &exact, 1);
    assert_int_equal(
        cs_gpu_model_make(&trial->all, SYNTHETIC_GPU, &trial->arena, &model, &trial->err), 0);
    query.table = synthetic_table("ring", 4, &trial->arena);
    assert_int_equal(cs_gpu_predict(&model, &query, &answer, &trial->err), 0);
    run = synthetic_run("ring", 4, query.bytes, answer.time_s);
    run.run.table.hash = query.table;
    run.run.delay_rank = 3;
    run.run.delay_s = 2e-5;
    synthetic_add(&trial->all, run);
    assert_int_equal(trial_compare(trial), 0);
    assert_int_equal(trial->comparison.run_count, 2);
    assert_null(trial->comparison.runs[1].unknown);
    assert_true(trial->comparison.runs[1].factor < 1e-9);
    assert_int_equal(trial->comparison.group_count, 2);
    assert_string_equal(trial->comparison.groups[1].setup, "device, a delayed rank");
}

TRIAL_TEST(one_rank_is_left_out)
{
    struct cs_measured run;

    trial_make(trial, factors, 1);
    run = trial->all.items[trial->all.count - 1];
    run.work.ranks = 1;
    synthetic_add(&trial->all, run);
    assert_int_equal(trial_compare(trial), 0);
    assert_string_equal(trial->comparison.runs[1].unknown, "a single rank sends nothing");
    assert_int_equal(cs_comparison_summarize(&trial->comparison, &trial->arena).other, 1);
}

TRIAL_TEST(microbenchmarks_alone_are_not_compared)
{
    synthetic_calibrate(&trial->all);
    assert_int_equal(trial_compare(trial), CS_ECANNOT);
    assert_string_equal(trial->err.text, "the data has microbenchmarks only, no run to compare");
}
