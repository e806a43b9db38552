/* Repetition with noise: spread of the runs, stragglers, and the median run. */
#include "scenarios/run/repeat.h"

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(a_straggler_slows_the_run)
{
    struct cs_record_spread spread = {0};

    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--size", "4MB",
                             "--straggler", "rank=3,slow=50%"));
    opened_simulate(opened);
    assert_int_equal(cs_run_repeat(&opened->run, NULL, &spread), 0);
    assert_int_equal(spread.runs, 1);
    assert_true(spread.min == spread.max);
    assert_true(spread.baseline < spread.min);
}

/* Nodes are regions, also the one with the slow rank. */
TEST(rings_over_slow_ranks_fold_to_the_picosecond)
{
    char folds[][5] = {"auto", "off"};
    struct cs_exec_result result[2];

    for (size_t i = 0; i < 2; i++) {
        CS_AT_END(opened_free) struct opened opened;
        struct cs_record_spread spread = {0};

        opened_run(&opened, WORDS("--topo", "cluster:node=dgx-h100,nodes=16,fabric=rail", "--algo",
                                  "multi-ring", "--size", "8MiB", "--straggler", "rank=21,slow=20%",
                                  "--fold", folds[i]));
        opened_simulate(&opened);
        assert_int_equal(cs_run_repeat(&opened.run, NULL, &spread), 0);
        assert_int_equal(opened.run.fold != NULL, i == 0);
        result[i] = opened.run.result;
    }
    assert_true(result[0].jumped > 0);
    assert_int_equal(result[0].time_ps, result[1].time_ps);
    assert_int_equal(result[0].messages, result[1].messages);
    assert_memory_equal(&result[0].path, &result[1].path, sizeof(result[0].path));
}

OPENED_TEST(the_kept_result_is_that_of_the_median_run)
{
    struct cs_record_spread spread = {0};

    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--size", "4MB",
                             "--jitter", "exponential,mean=5us", "--runs", "9"));
    opened_simulate(opened);
    assert_int_equal(cs_run_repeat(&opened->run, NULL, &spread), 0);
    assert_true(spread.min < spread.median && spread.median < spread.max);
    assert_true((double)opened->run.result.time_ps * 1e-12 == spread.median);
    assert_non_null(opened->run.noise);
}

/* Hashes alone: no run is the one without noise, and no noise is left behind. */
OPENED_TEST(runs_draw_hashes_of_routes)
{
    struct cs_record_spread spread = {0};

    opened_run(opened,
               WORDS("--topo", "fat-tree:ranks=16,radix=8", "--collective", "all-to-all", "--algo",
                     "direct", "--size", "1MiB", "--routing", "ecmp", "--runs", "9"));
    opened_simulate(opened);
    assert_int_equal(cs_run_repeat(&opened->run, NULL, &spread), 0);
    assert_true(spread.min < spread.median && spread.median < spread.max);
    assert_true((double)opened->run.result.time_ps * 1e-12 == spread.median);
    assert_true(isnan(spread.baseline) && isnan(spread.slowdown));
    assert_null(opened->run.noise);
}

OPENED_TEST(a_straggler_beyond_the_last_rank_is_refused)
{
    struct cs_record_spread spread = {0};

    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--straggler",
                             "rank=4,slow=50%"));
    opened_simulate(opened);
    assert_int_equal(cs_run_repeat(&opened->run, NULL, &spread), CS_EINPUT);
    assert_string_equal(opened->err.text, "straggler rank=4 is beyond the last rank, 3");
}
