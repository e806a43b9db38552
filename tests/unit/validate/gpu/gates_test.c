/* Gates: limits that fail, and files that are refused. */
#include "validate/gpu/gates.h"

#include "tests/unit/validate/trial.h"

#include <unistd.h>

/* 4 KiB to 512 KiB are small, 1 MiB to 4 MiB large. */
static const double factors[] = {1, 1.25, 0.8, 1, 1, 1, 1.25, 1, 1, 1, 0.5};

/* Reads gates and judges a trial; "%s" in the expected message is the file. */
static void expect(const char *gates, const char *message)
{
    CS_AT_END(trial_free) struct trial trial = {0};
    char path[] = "/tmp/gates-XXXXXX";
    int file = mkstemp(path);
    char expected[400];

    trial_make(&trial, factors, COUNT(factors));
    assert_int_equal(trial_compare(&trial), 0);
    assert_true(write(file, gates, strlen(gates)) == (ssize_t)strlen(gates));
    close(file);
    if (cs_comparison_gates(&trial.comparison, path, &trial.arena, &trial.err) == 0)
        cs_comparison_judge(&trial.comparison, &trial.err);
    unlink(path);
    /* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral) */
    snprintf(expected, sizeof(expected), message, path);
    assert_string_equal(trial.err.text, expected);
}

#define GATE "gates:\n  - {gpu: made up, algorithm: ring, setup: device, "

TEST(gates_fail_when_errors_exceed_them)
{
    expect(GATE "sizes: small, median: 5 %, p90: 25 %, runs: 8}\n", "");
    expect(GATE "sizes: small, median: 5 %, p90: 20 %, runs: 8}\n",
           "made up, ring by device, small sizes: the 90th percentile of |error| is 25 %%, more "
           "than the gate of 20 %%");
    expect(GATE "sizes: large, median: 5 %, p90: 79 %, runs: 3}\n",
           "made up, ring by device, large sizes: the 90th percentile of |error| is 80 %%, more "
           "than the gate of 79 %%");
    expect(GATE "sizes: large, median: 5 %, p90: 81 %, runs: 4}\n",
           "made up, ring by device, large sizes: 3 predicted runs; the gate expects 4");
    expect(GATE "sizes: large, median: 5 %, p90: 81 %, runs: 3, copies: 99 %}\n",
           "made up, ring by device, large sizes: the gate has 'copies', but no vectors are 8 "
           "times L2");
}

TEST(a_gate_may_name_its_setup_by_the_former_key)
{
    expect("gates:\n  - {gpu: made up, algorithm: ring, way: device, sizes: small, median: 5 %, "
           "p90: 25 %, runs: 8}\n",
           "");
    expect("gates:\n  - {gpu: made up, algorithm: ring, sizes: small, median: 5 %, p90: 25 %, "
           "runs: 8}\n",
           "%s:2: the gate has no 'setup'");
}

TEST(a_gate_without_a_group_or_a_limit_is_refused)
{
    expect("[]\n", "%s:1: a file of gates is a list; expected a map of 'key: value'");
    expect("gates:\n  - {gpu: other, algorithm: ring, setup: device, sizes: small, median: 5 %, "
           "p90: 25 %, runs: 8}\n",
           "%s:2: no measured group for this gate");
    expect(GATE "sizes: huge, median: 5 %, p90: 25 %, runs: 8}\n",
           "%s:2: 'sizes': 'huge' is not 'small' or 'large'");
    expect(GATE "sizes: small}\n", "%s:2: the gate has no 'runs'");
    expect("gates: []\n", "%s:1: 'gates' is empty");
    expect(GATE "sizes: small, median: 5 %, p90: 25 %, runs: 8}\n"
                "  - {gpu: made up, algorithm: ring, setup: device, sizes: small, median: 90 %, "
                "p90: 90 %, runs: 8}\n",
           "%s:3: a second gate for the same group");
}

TEST(a_group_without_a_gate_is_an_error_where_gates_are_required)
{
    CS_AT_END(trial_free) struct trial trial = {0};
    struct cs_comparison_group *groups;

    trial_make(&trial, factors, COUNT(factors));
    assert_int_equal(trial_compare(&trial), 0);
    groups = trial.comparison.groups;
    groups[0].gated = true;
    assert_int_equal(cs_comparison_gated(&trial.comparison, &trial.err), CS_EINPUT);
    assert_string_equal(
        trial.err.text,
        "made up, ring by device, large sizes: 3 runs without a gate in gates.yaml");
    groups[1].gated = true;
    assert_int_equal(cs_comparison_gated(&trial.comparison, NULL), 0);
    groups[0].copies_count = 2;
    trial.err = (struct cs_err){0};
    assert_int_equal(cs_comparison_gated(&trial.comparison, &trial.err), CS_EINPUT);
    assert_string_equal(
        trial.err.text,
        "made up, ring by device, small sizes: 2 runs far beyond L2, but the gate has no 'copies'");
    groups[0].copies_gate = 0.85;
    assert_int_equal(cs_comparison_gated(&trial.comparison, NULL), 0);
    groups[0].count = groups[1].count = 0;
    assert_int_equal(cs_comparison_gated(&trial.comparison, NULL), CS_EANSWER);
}

TEST(an_error_that_is_not_finite_passes_no_gate)
{
    struct trial trial = {0};

    trial_make(&trial, factors, COUNT(factors));
    assert_int_equal(trial_compare(&trial), 0);
    trial.comparison.groups[0].gated = true;
    trial.comparison.groups[0].count_gate = trial.comparison.groups[0].count;
    trial.comparison.groups[0].median = (double)NAN;
    assert_int_equal(cs_comparison_judge(&trial.comparison, NULL), CS_EANSWER);
    trial_free(&trial);
    trial = (struct trial){0};
    trial_make(&trial, factors, COUNT(factors));
    trial.all.items[trial.all.count - 1].time_s = 1e-320;
    assert_int_equal(trial_compare(&trial), CS_EANSWER);
    assert_non_null(strstr(trial.err.text, "the error is not finite"));
    trial_free(&trial);
}
