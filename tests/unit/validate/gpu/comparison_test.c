/* Comparisons: signed errors, their medians, and gates that fail. */
#include "validate/gpu/comparison.h"

#include "tests/unit/validate/synthetic.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

struct trial {
    struct cs_arena arena;
    struct cs_measurements all;
    struct cs_comparison comparison;
    struct cs_err err;
};

/* Rings that took so many times as long as is predicted. */
static void trial_make(struct trial *trial, const double *factors, size_t count)
{
    struct cs_gpu_model model;
    size_t i;

    synthetic_calibrate(&trial->all);
    assert_int_equal(cs_gpu_model_make(&trial->all, SYNTHETIC_GPU,
                                       &trial->arena, &model, &trial->err),
                     0);
    for (i = 0; i < count; i++) {
        struct cs_gpu_query query = {
            .algorithm = "ring",
            .transport = "device",
            .ranks = 4,
            .channels = 4,
            .gpus = 1,
            .bytes = (uint64_t)1 << (12 + i),
            .element_bytes = 4,
            .slice_bytes = 32768,
            .threads = 512,
            .table = synthetic_table("ring", 4, &trial->arena)};
        struct cs_measured run;
        struct cs_gpu_prediction answer;

        assert_int_equal(cs_gpu_predict(&model, &query, &answer, &trial->err),
                         0);
        run = synthetic_run("ring", 4, query.bytes, answer.time_s * factors[i]);
        run.table = query.table;
        synthetic_add(&trial->all, run);
    }
}

static int trial_compare(struct trial *trial)
{
    return cs_compare(&trial->all, &trial->arena, &trial->comparison,
                      &trial->err);
}

static void trial_free(struct trial *trial)
{
    cs_measurements_free(&trial->all);
    cs_arena_free(&trial->arena);
}

/* 4 KiB to 512 KiB are small, 1 MiB to 4 MiB large. */
static const double factors[] = {1, 1.25, 0.8, 1, 1, 1, 1.25, 1, 1, 1, 0.5};

enum {
    FACTORS = sizeof(factors) / sizeof(*factors)
};

static void errors_are_signed_and_grouped_by_size(void **state)
{
    struct trial trial = {0};
    const struct cs_comparison_group *groups;

    (void)state;
    trial_make(&trial, factors, FACTORS);
    assert_int_equal(trial_compare(&trial), 0);
    assert_int_equal(trial.comparison.run_count, FACTORS);
    assert_true(fabs(trial.comparison.runs[1].error + 0.2) < 1e-9);
    assert_true(fabs(trial.comparison.runs[2].error - 0.25) < 1e-9);
    assert_int_equal(trial.comparison.group_count, 2);
    groups = trial.comparison.groups;
    assert_false(groups[0].large);
    assert_int_equal(groups[0].count, 8);
    assert_true(groups[0].median < 1e-9);
    assert_true(fabs(groups[0].p90 - 0.25) < 1e-9); /* 0.8 is as far off */
    assert_true(groups[1].large);
    assert_int_equal(groups[1].count, 3);
    assert_true(fabs(groups[1].p90 - 0.8) < 1e-9);
    trial_free(&trial);
}

static void a_run_that_cannot_be_predicted_is_reported(void **state)
{
    struct trial trial = {0};
    struct cs_measured run = synthetic_run("ring", 4, 1 << 20, 1e-3);

    (void)state;
    synthetic_calibrate(&trial.all);
    run.gpus_used = 2;
    run.table = synthetic_table("ring", 4, &trial.arena);
    synthetic_add(&trial.all, run);
    run.skipped = "too long";
    synthetic_add(&trial.all, run);
    run.skipped = "";
    run.failed = "the kernel was stuck";
    run.time_s = 0;
    synthetic_add(&trial.all, run);
    assert_int_equal(trial_compare(&trial), 0);
    assert_int_equal(trial.comparison.run_count, 3);
    assert_string_equal(trial.comparison.runs[1].unknown, "skipped: too long");
    assert_string_equal(trial.comparison.runs[2].unknown,
                        "it failed: the kernel was stuck");
    assert_int_equal(trial.comparison.groups[0].left_out, 3);
    assert_int_equal(
        cs_comparison_summarize(&trial.comparison, &trial.arena).skipped, 1);
    assert_string_equal(trial.comparison.runs[0].unknown,
                        "links between 2 GPUs are not calibrated");
    assert_int_equal(trial.comparison.groups[0].count, 0);
    trial_free(&trial);
}

/* Runs that one could not trust, and what NCCL took. */
static void few_runs_and_references_are_left_out(void **state)
{
    struct trial trial = {0};
    struct cs_measured run = synthetic_run("ring", 4, 1 << 20, 1e-3);

    (void)state;
    synthetic_calibrate(&trial.all);
    run.runs = 2;
    synthetic_add(&trial.all, run);
    run.runs = 20;
    run.kind = CS_MEASURED_NCCL;
    synthetic_add(&trial.all, run);
    assert_int_equal(trial_compare(&trial), 0);
    assert_string_equal(trial.comparison.runs[0].unknown,
                        "2 runs; 20 at least");
    assert_string_equal(trial.comparison.runs[1].unknown,
                        "NCCL's, for reference");
    assert_string_equal(trial.comparison.groups[1].setup, "NCCL");
    assert_int_equal(trial.comparison.groups[0].left_out, 1);
    trial_free(&trial);
}

/* 20 us are 20 ticks: what counts is the mean.  Events say a fifth more, 1 us
 * of which is the launch. */
static void clocks_are_held_against_each_other(void **state)
{
    struct trial trial = {0};
    struct cs_measured run;

    (void)state;
    trial_make(&trial, factors, 1);
    synthetic_add(&trial.all, (struct cs_measured){.kind = CS_MEASURED_TIMER,
                                                   .time_s = 1e-6});
    synthetic_add(&trial.all, (struct cs_measured){.kind = CS_MEASURED_LAUNCH,
                                                   .time_s = 1e-6});
    run = synthetic_run("ring", 4, 1 << 12, 20e-6);
    run.time_mean_s = 20.4e-6;
    run.event_s = 22e-6;
    synthetic_add(&trial.all, run);
    run.event_s = 24e-6;
    run.time_s = 60e-6;
    synthetic_add(&trial.all, run);
    assert_int_equal(trial_compare(&trial), 0);
    assert_true(trial.comparison.runs[1].time_s == 20.4e-6);
    assert_false(trial.comparison.runs[1].clocks_differ);
    assert_true(trial.comparison.runs[2].time_s == 60e-6);
    assert_true(trial.comparison.runs[2].clocks_differ);
    assert_int_equal(trial.comparison.groups[0].clocks_differ, 1);
    trial_free(&trial);
}

/* One run of twenty took 100 us: few ticks are told by the middle ones' mean. */
static void an_outlier_of_few_ticks_does_not_count(void **state)
{
    struct trial trial = {0};
    struct cs_measured run = synthetic_run("ring", 4, 1 << 12, 20e-6);

    (void)state;
    trial_make(&trial, factors, 1);
    synthetic_add(&trial.all, (struct cs_measured){.kind = CS_MEASURED_TIMER,
                                                   .time_s = 1e-6});
    run.time_mean_s = 24.4e-6;
    run.time_middle_s = 20.4e-6;
    synthetic_add(&trial.all, run);
    assert_int_equal(trial_compare(&trial), 0);
    assert_true(trial.comparison.runs[1].time_s == 20.4e-6);
    trial_free(&trial);
}

/* Two calibrations, of which the older one was a quarter faster. */
static void a_second_calibration_reports_the_noise(void **state)
{
    struct trial trial = {0};
    size_t count;

    (void)state;
    trial_make(&trial, factors, 1);
    count = trial.all.count;
    for (size_t i = 0; i < count; i++) {
        struct cs_measured m = trial.all.items[i];

        if (m.kind == CS_MEASURED_RUN)
            continue;
        trial.all.items[i].calibration = "2";
        m.calibration = "1";
        m.time_s *= 0.8;
        synthetic_add(&trial.all, m);
    }
    assert_int_equal(trial_compare(&trial), 0);
    assert_true(trial.comparison.runs[0].again_s == 0); /* none has an end */
    for (int i = 1; i <= 2; i++) {
        synthetic_add(&trial.all,
                      (struct cs_measured){.kind = CS_MEASURED_CALIBRATED,
                                           .calibration = i == 1 ? "1" : "2"});
        assert_int_equal(trial_compare(&trial), 0);
    }
    assert_true(fabs(trial.comparison.runs[0].error) < 1e-9);
    assert_true(fabs(trial.comparison.runs[0].again_s /
                         trial.comparison.runs[0].predicted.time_s -
                     0.8) < 1e-6);
    trial_free(&trial);
}

/* The model of another GPU of the name is not taken. */
static void each_gpu_is_calibrated_by_itself(void **state)
{
    struct trial trial = {0};

    (void)state;
    trial_make(&trial, factors, 2);
    trial.all.items[trial.all.count - 1].uuid = "GPU-other";
    assert_int_equal(trial_compare(&trial), CS_EINPUT);
    assert_string_equal(trial.err.text, "'GPU-other' is not calibrated: there "
                                        "is no stream of role put");
    trial_free(&trial);
}

static void copies_count_beyond_l2_alone(void **state)
{
    struct trial trial = {0};
    struct cs_measured run;

    (void)state;
    trial_make(&trial, factors, 0);
    for (uint64_t bytes = 64 << 20; bytes <= 128 << 20; bytes *= 2) {
        run = synthetic_run("ring", 4, bytes, 1);
        run.table = synthetic_table("ring", 4, &trial.arena);
        synthetic_add(&trial.all, run);
    }
    assert_int_equal(trial_compare(&trial), 0);
    assert_true(trial.comparison.runs[0].copies == 0);
    assert_true(trial.comparison.runs[1].copies > 0);
    assert_int_equal(trial.comparison.groups[0].copies_count, 1);
    assert_int_equal(trial.comparison.groups[0].count, 2);
    trial.comparison.groups[0].gated = true;
    trial.comparison.groups[0].count_gate = 2;
    trial.comparison.groups[0].median_gate = 1e9;
    trial.comparison.groups[0].p90_gate = 1e9;
    trial.comparison.groups[0].copies_gate = 0.85;
    assert_int_equal(cs_comparison_judge(&trial.comparison, &trial.err),
                     CS_EANSWER);
    assert_non_null(strstr(trial.err.text, "% of plain copies, less than"));
    trial_free(&trial);
}

static void wrong_sums_are_no_measurement(void **state)
{
    struct trial trial = {0};
    struct cs_measured run = synthetic_run("ring", 4, 1 << 20, 1e-3);
    char message[80];

    (void)state;
    synthetic_calibrate(&trial.all);
    run.wrong = 3;
    snprintf(message, sizeof(message),
             "synthetic:%zu: this run gave 3 wrong "
             "sums",
             trial.all.count + 1);
    synthetic_add(&trial.all, run);
    assert_int_equal(trial_compare(&trial), 0);
    assert_string_equal(trial.comparison.runs[0].unknown, "3 wrong sums");
    assert_int_equal(
        cs_comparison_summarize(&trial.comparison, &trial.arena).wrong, 1);
    assert_int_equal(cs_comparison_sound(&trial.comparison, &trial.err),
                     CS_EANSWER);
    assert_string_equal(trial.err.text, message);
    trial_free(&trial);
}

static void what_is_measured_again_counts_once(void **state)
{
    struct trial trial = {0};
    struct cs_measured run;

    (void)state;
    trial_make(&trial, factors, FACTORS);
    run = trial.all.items[trial.all.count - 1];
    run.time_s *= 1.5;
    synthetic_add(&trial.all, run);
    run.channels = 8; /* another form */
    synthetic_add(&trial.all, run);
    assert_int_equal(trial_compare(&trial), 0);
    assert_int_equal(trial.comparison.run_count, FACTORS + 2);
    assert_string_equal(trial.comparison.runs[FACTORS].unknown,
                        "measured again: +50.0 %");
    assert_null(trial.comparison.runs[FACTORS + 1].unknown);
    assert_int_equal(
        cs_comparison_summarize(&trial.comparison, &trial.arena).repeated, 1);
    trial_free(&trial);
}

static void a_time_below_the_bound_cannot_be(void **state)
{
    const double impossible[] = {1e-5};
    struct trial trial = {0};

    (void)state;
    trial_make(&trial, impossible, 1);
    assert_int_equal(trial_compare(&trial), CS_EANSWER);
    assert_non_null(strstr(trial.err.text, "less than the lower bound"));
    trial_free(&trial);
}

/* The prediction of the last run, as it was written down. */
static void write_down(struct trial *trial, double time_s, const char *date)
{
    struct cs_measured line = trial->all.items[trial->all.count - 1];
    size_t i;

    for (i = 0; i < trial->all.count; i++)
        if (trial->all.items[i].kind == CS_MEASURED_RUN)
            line = trial->all.items[i];
    line.kind = CS_MEASURED_PREDICTED;
    line.time_s = time_s;
    line.date = date;
    synthetic_add(&trial->all, line);
}

static void predictions_count_that_were_written_down_before(void **state)
{
    struct trial trial = {0};
    double time_s;

    (void)state;
    trial_make(&trial, factors, 1);
    trial.all.items[trial.all.count - 1].date = "2026-11-22T12:00:00Z";
    assert_int_equal(trial_compare(&trial), 0);
    assert_int_equal(trial.comparison.runs[0].registered, CS_REGISTERED_NOT);
    time_s = trial.comparison.runs[0].predicted.time_s;
    write_down(&trial, 1.01 * time_s, "2026-11-22T10:00:00Z");
    assert_int_equal(trial_compare(&trial), 0);
    assert_int_equal(trial.comparison.runs[0].registered,
                     CS_REGISTERED_CHANGED);
    write_down(&trial, time_s, "2026-11-22T13:00:00Z");
    assert_int_equal(trial_compare(&trial), 0);
    assert_int_equal(trial.comparison.runs[0].registered, CS_REGISTERED_AFTER);
    write_down(&trial, time_s, "2026-11-22T11:00:00Z");
    assert_int_equal(trial_compare(&trial), 0);
    assert_int_equal(trial.comparison.runs[0].registered, CS_REGISTERED_BEFORE);
    trial_free(&trial);
}

/* Who measured by other sources, or predicts from another calibration, says so. */
static void commit_and_calibration_are_compared(void **state)
{
    struct trial trial = {0};
    struct cs_comparison_summary sum;
    struct cs_measured *line;
    struct cs_measured *run;

    (void)state;
    trial_make(&trial, factors, 1);
    trial.all.items[trial.all.count - 1].date = "2026-11-22T12:00:00Z";
    trial.all.items[trial.all.count - 1].commit = "abc1234";
    assert_int_equal(trial_compare(&trial), 0);
    write_down(&trial, trial.comparison.runs[0].predicted.time_s,
               "2026-11-22T11:00:00Z");
    line = &trial.all.items[trial.all.count - 1];
    run = line - 1;
    line->inputs = trial.comparison.runs[0].inputs;
    assert_int_equal(trial_compare(&trial), 0);
    sum = cs_comparison_summarize(&trial.comparison, &trial.arena);
    assert_int_equal(sum.written, 1);
    assert_int_equal(sum.same_commit, 1);
    assert_int_equal(sum.same_inputs, 1);
    line->commit = run->commit = "abc1234-dirty";
    line->inputs = "0123456789abcdef";
    assert_int_equal(trial_compare(&trial), 0);
    sum = cs_comparison_summarize(&trial.comparison, &trial.arena);
    assert_int_equal(sum.same_commit, 0);
    assert_int_equal(sum.same_inputs, 0);
    line->commit = run->commit = "unknown";
    assert_int_equal(trial_compare(&trial), 0);
    sum = cs_comparison_summarize(&trial.comparison, &trial.arena);
    assert_int_equal(sum.same_commit, 0);
    trial_free(&trial);
}

/* Two points are predicted: one is skipped, and its line has no channels; the
 * other has no line.  A third is measured beside them, twice. */
static void the_grid_is_held_against_the_lines(void **state)
{
    struct trial trial = {0};
    struct cs_measured run;
    struct cs_comparison_grid grid;

    (void)state;
    trial_make(&trial, factors, 1);
    assert_int_equal(trial_compare(&trial), 0);
    assert_int_equal(trial.comparison.grid.expected, 0);
    assert_int_equal(trial.comparison.grid.beside, 0);
    run = trial.all.items[trial.all.count - 1];
    synthetic_add(&trial.all, run);
    run.kind = CS_MEASURED_PREDICTED;
    run.bytes = 1 << 20;
    synthetic_add(&trial.all, run);
    synthetic_add(&trial.all, run); /* written twice */
    run.bytes = 2 << 20;
    run.unknown = "not calibrated";
    synthetic_add(&trial.all, run);
    run.kind = CS_MEASURED_RUN;
    run.unknown = "";
    run.skipped = "too long";
    run.channels = 0;
    synthetic_add(&trial.all, run);
    assert_int_equal(trial_compare(&trial), 0);
    grid = trial.comparison.grid;
    assert_int_equal(grid.expected, 2);
    assert_int_equal(grid.missing, 1);
    assert_int_equal(grid.beside, 1);
    assert_int_equal(grid.example->bytes, 1 << 20);
    trial_free(&trial);
}

static void one_rank_is_left_out(void **state)
{
    struct trial trial = {0};
    struct cs_measured run;

    (void)state;
    trial_make(&trial, factors, 1);
    run = trial.all.items[trial.all.count - 1];
    run.ranks = 1;
    synthetic_add(&trial.all, run);
    assert_int_equal(trial_compare(&trial), 0);
    assert_string_equal(trial.comparison.runs[1].unknown,
                        "one rank has nobody to send to");
    assert_int_equal(
        cs_comparison_summarize(&trial.comparison, &trial.arena).other, 1);
    trial_free(&trial);
}

/* What is said of gates, and of errors that exceed them; "%s" in the message
 * is the file. */
static void expect(const char *gates, const char *message)
{
    struct trial trial = {0};
    char path[] = "/tmp/gates-XXXXXX";
    int file = mkstemp(path);
    char expected[400];

    trial_make(&trial, factors, FACTORS);
    assert_int_equal(trial_compare(&trial), 0);
    assert_true(write(file, gates, strlen(gates)) == (ssize_t)strlen(gates));
    close(file);
    if (cs_comparison_gates(&trial.comparison, path, &trial.arena,
                            &trial.err) == 0)
        cs_comparison_judge(&trial.comparison, &trial.err);
    unlink(path);
    /* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral) */
    snprintf(expected, sizeof(expected), message, path);
    assert_string_equal(trial.err.text, expected);
    trial_free(&trial);
}

#define GATE "gates:\n  - {gpu: made up, algorithm: ring, way: device, "

static void gates_fail_when_errors_exceed_them(void **state)
{
    (void)state;
    expect(GATE "sizes: small, median: 5 %, p90: 25 %, runs: 8}\n", "");
    expect(GATE "sizes: small, median: 5 %, p90: 20 %, runs: 8}\n",
           "made up, ring by device, small sizes: the 90th percentile of "
           "|error| is 25 %%, more than the gate of 20 %%");
    expect(GATE "sizes: large, median: 5 %, p90: 79 %, runs: 3}\n",
           "made up, ring by device, large sizes: the 90th percentile of "
           "|error| is 80 %%, more than the gate of 79 %%");
    expect(GATE "sizes: large, median: 5 %, p90: 81 %, runs: 4}\n",
           "made up, ring by device, large sizes: 3 runs are predicted, and "
           "the gate is about 4");
    expect(GATE "sizes: large, median: 5 %, p90: 81 %, runs: 3, copies: 99 "
                "%}\n",
           "made up, ring by device, large sizes: no vectors are 8 times L2, "
           "and a gate is about copies");
}

static void gates_are_checked(void **state)
{
    (void)state;
    expect("[]\n",
           "%s:1: a file of gates is a list; expected a map of 'key: value'");
    expect("gates:\n  - {gpu: other, algorithm: ring, way: device, sizes: "
           "small, median: 5 %, p90: 25 %, runs: 8}\n",
           "%s:2: no measurement is what this gate is about");
    expect(GATE "sizes: huge, median: 5 %, p90: 25 %, runs: 8}\n",
           "%s:2: 'sizes' is 'huge'; expected small or large");
    expect(GATE "sizes: small}\n",
           "%s:2: a gate has 'sizes', 'runs', 'median' and 'p90'");
    expect("gates: []\n", "%s:1: 'gates' is empty");
    expect(GATE "sizes: small, median: 5 %, p90: 25 %, runs: 8}\n"
                "  - {gpu: made up, algorithm: ring, way: device, sizes: "
                "small, median: 90 %, p90: 90 %, runs: 8}\n",
           "%s:3: a second gate about the same");
}

static void what_has_no_gate_is_reported_where_all_have_to(void **state)
{
    struct trial trial = {0};
    struct cs_comparison_group *groups;

    (void)state;
    trial_make(&trial, factors, FACTORS);
    assert_int_equal(trial_compare(&trial), 0);
    groups = trial.comparison.groups;
    groups[0].gated = true;
    assert_int_equal(cs_comparison_gated(&trial.comparison, &trial.err),
                     CS_EINPUT);
    assert_string_equal(trial.err.text,
                        "made up, ring by device, large sizes: 3 runs, and no "
                        "gate in gates.yaml");
    groups[1].gated = true;
    assert_int_equal(cs_comparison_gated(&trial.comparison, NULL), 0);
    groups[0].copies_count = 2;
    trial.err = (struct cs_err){0};
    assert_int_equal(cs_comparison_gated(&trial.comparison, &trial.err),
                     CS_EINPUT);
    assert_string_equal(trial.err.text,
                        "made up, ring by device, small sizes: 2 runs beside "
                        "plain copies, and no 'copies' in the gate");
    groups[0].copies_gate = 0.85;
    assert_int_equal(cs_comparison_gated(&trial.comparison, NULL), 0);
    groups[0].count = groups[1].count = 0;
    assert_int_equal(cs_comparison_gated(&trial.comparison, NULL), CS_EANSWER);
    trial_free(&trial);
}

static void an_error_that_is_not_finite_passes_no_gate(void **state)
{
    struct trial trial = {0};

    (void)state;
    trial_make(&trial, factors, FACTORS);
    assert_int_equal(trial_compare(&trial), 0);
    trial.comparison.groups[0].gated = true;
    trial.comparison.groups[0].count_gate = trial.comparison.groups[0].count;
    trial.comparison.groups[0].median = (double)NAN;
    assert_int_equal(cs_comparison_judge(&trial.comparison, NULL), CS_EANSWER);
    trial_free(&trial);
    trial = (struct trial){0};
    trial_make(&trial, factors, FACTORS);
    trial.all.items[trial.all.count - 1].time_s = 1e-320;
    assert_int_equal(trial_compare(&trial), CS_EANSWER);
    assert_non_null(strstr(trial.err.text, "the error is not finite"));
    trial_free(&trial);
}

static void microbenchmarks_alone_are_nothing_to_compare(void **state)
{
    struct trial trial = {0};

    (void)state;
    synthetic_calibrate(&trial.all);
    assert_int_equal(trial_compare(&trial), CS_ECANNOT);
    assert_string_equal(trial.err.text,
                        "no run was recorded, only microbenchmarks; there is "
                        "nothing to compare");
    trial_free(&trial);
}

static void figures_show_measured_beside_predicted(void **state)
{
    struct trial trial = {0};
    struct cs_figures figures = {0};
    struct cs_measured tree = synthetic_run("tree", 4, 1 << 20, 1e-3);

    (void)state;
    trial_make(&trial, factors, FACTORS);
    tree.table = synthetic_table("tree", 4, &trial.arena);
    synthetic_add(&trial.all, tree);
    assert_int_equal(trial_compare(&trial), 0);
    cs_comparison_figures(&trial.comparison, &figures);
    assert_int_equal(figures.count, 2);
    assert_string_equal(figures.items[0].name, "ring-device-4-fp32");
    assert_int_equal(figures.items[0].count, 2);
    assert_string_equal(figures.items[0].series[0].name, "measured");
    assert_int_equal(figures.items[0].series[0].count, FACTORS);
    assert_int_equal(figures.items[0].series[1].count, FACTORS);
    cs_figures_free(&figures);
    trial_free(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_signed_and_grouped_by_size),
        cmocka_unit_test(a_run_that_cannot_be_predicted_is_reported),
        cmocka_unit_test(few_runs_and_references_are_left_out),
        cmocka_unit_test(clocks_are_held_against_each_other),
        cmocka_unit_test(each_gpu_is_calibrated_by_itself),
        cmocka_unit_test(copies_count_beyond_l2_alone),
        cmocka_unit_test(wrong_sums_are_no_measurement),
        cmocka_unit_test(gates_fail_when_errors_exceed_them),
        cmocka_unit_test(gates_are_checked),
        cmocka_unit_test(what_has_no_gate_is_reported_where_all_have_to),
        cmocka_unit_test(an_error_that_is_not_finite_passes_no_gate),
        cmocka_unit_test(microbenchmarks_alone_are_nothing_to_compare),
        cmocka_unit_test(figures_show_measured_beside_predicted),
        cmocka_unit_test(an_outlier_of_few_ticks_does_not_count),
        cmocka_unit_test(a_second_calibration_reports_the_noise),
        cmocka_unit_test(what_is_measured_again_counts_once),
        cmocka_unit_test(commit_and_calibration_are_compared),
        cmocka_unit_test(the_grid_is_held_against_the_lines),
        cmocka_unit_test(one_rank_is_left_out),
        cmocka_unit_test(a_time_below_the_bound_cannot_be),
        cmocka_unit_test(predictions_count_that_were_written_down_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
