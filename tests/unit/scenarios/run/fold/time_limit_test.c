/* Time limit: least times are never beyond the end of the simulation, and end a
 * run that is too slow. */
#include "scenarios/run/fold/folding.h"
#include "scenarios/run/fold/time_limit.h"

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(the_rounds_of_a_lane_are_known_before_the_run)
{
    struct cs_time_limit *limit;

    opened_run(opened, WORDS("--topo", "switch:ranks=4,bandwidth=1GB/s,latency=1us", "--algo",
                             "ring", "--size", "4MB"));
    opened->which.limit_ps = UINT64_MAX;
    limit = cs_time_limit_of(&opened->run);
    /* Six blocks of 1 MB one after the other, each over two links. */
    assert_int_equal(limit->least_ps, 6 * (1000000000ull + 2000000));
    assert_false(limit->passed);
    opened->which.limit_ps = limit->least_ps - 1;
    assert_true(cs_time_limit_of(&opened->run)->passed);
    opened->which.limit_ps = 0;
    assert_null(cs_time_limit_of(&opened->run));
}

/* All sends of a rank are in one round: three blocks of 1 MB on every port. */
OPENED_TEST(the_bytes_of_the_busiest_link_are_known_before_the_run)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=4,bandwidth=1GB/s,latency=1us", "--collective",
                             "alltoall", "--algo", "direct", "--size", "4MB"));
    opened->which.limit_ps = UINT64_MAX;
    assert_int_equal(cs_time_limit_of(&opened->run)->least_ps, 3 * 1000000000ull);
}

/* From 2,048 ranks on identical nodes are computed: runs of `auto` had no limit there. */
OPENED_TEST(replicated_nodes_have_the_limit_of_nodes_in_memory)
{
    struct cs_time_limit *limit;
    uint64_t least_ps;

    opened_run(opened, WORDS("--topo", "cluster:node=dgx-h100,nodes=4,fabric=rail", "--algo",
                             "ring", "--size", "1MiB"));
    opened->which.limit_ps = UINT64_MAX;
    least_ps = cs_time_limit_of(&opened->run)->least_ps;
    opened->run = (struct cs_run){
        .which = &opened->which, .arena = &opened->arena, .err = &opened->err, .replicas_from = 1};
    assert_int_equal(cs_run_open(&opened->run), 0);
    assert_null(opened->run.net.links);
    limit = cs_time_limit_of(&opened->run);
    assert_int_equal(limit->least_ps, least_ps);
    assert_int_equal(limit->load_count, 0);
    assert_true(least_ps > 0);
}

/* What a monitor saw of a run. */
struct seen {
    struct cs_time_limit limit;
    uint64_t first_ps, last_ps;
    uint32_t updates;
};

static bool see(void *ctx, const struct cs_progress *progress)
{
    struct seen *seen = ctx;

    assert_true(cs_time_limit_update(&seen->limit, progress));
    if (seen->updates++ == 0)
        seen->first_ps = seen->limit.least_ps;
    seen->last_ps = seen->limit.least_ps;
    return true;
}

/* Of algorithms with one resource after the other, pipelines, and contention:
 * the least time grows, up to the time of the run at most. */
TEST(a_least_time_grows_and_is_never_beyond_the_end)
{
    static char *const algos[] = {"ring", "direct", "multi-ring", "chain", "hierarchical"};
    uint32_t grown = 0;

    for (size_t i = 0; i < sizeof(algos) / sizeof(*algos); i++) {
        CS_AT_END(opened_free) struct opened opened;
        struct seen seen = {0};
        const struct cs_monitor monitor = {see, &seen};

        opened_run(&opened, WORDS("--topo", "cluster:node=dgx-h100,nodes=4", "--algo", algos[i],
                                  "--size", "16MiB", "--fold", "off"));
        opened.which.limit_ps = UINT64_MAX;
        seen.limit = *cs_time_limit_of(&opened.run);
        opened.run.monitor = &monitor;
        opened_simulate(&opened);
        assert_true(seen.last_ps <= opened.run.result.time_ps);
        assert_true(seen.first_ps > 0);
        grown += seen.last_ps > seen.first_ps;
    }
    assert_true(grown > 0);
}

/* A rank at the end of a line has all bytes ahead when the first arrive: the run
 * ends there, not at the limit. */
OPENED_TEST(a_run_ends_as_soon_as_the_rest_takes_too_long)
{
    struct cs_exec_result full;
    uint64_t limit_ps;

    opened_run(opened,
               WORDS("--topo", "switch:ranks=64,bandwidth=1GB/s,latency=1us", "--collective",
                     "broadcast", "--algo", "chain", "--size", "1MB", "--fold", "off"));
    opened_simulate(opened);
    full = opened->run.result;
    limit_ps = full.time_ps - full.time_ps / 4;
    opened->which.limit_ps = limit_ps;
    opened->run.limit = cs_time_limit_of(&opened->run);
    assert_int_equal(cs_run_execute(&opened->run, &opened->run.program, NULL, &opened->arena,
                                    &opened->run.result),
                     CS_SIMULATE_SLOWER);
    assert_true(opened->run.limit->least_ps > limit_ps);
    assert_true(opened->run.limit->least_ps <= full.time_ps);
    assert_true(opened->run.result.time_ps < full.time_ps / 2);
}

/* Folds and simulates the run up to the limit. */
static int fold_to_limit(struct opened *opened, uint64_t limit_ps)
{
    const char *why;

    opened->which.limit_ps = limit_ps;
    opened->run.limit = cs_time_limit_of(&opened->run);
    return cs_run_fold(&opened->run, &why);
}

/* Rotations, and symmetries of ranks and channels with and without agents: the run
 * ends at its time exactly, and at half of it before. */
TEST(a_folded_run_ends_at_the_limit)
{
    static char *const algos[] = {"ring", "double-tree", "nvls-tree"};

    for (size_t i = 0; i < sizeof(algos) / sizeof(*algos); i++) {
        CS_AT_END(opened_free) struct opened opened;
        struct cs_exec_result full;

        opened_run(&opened, WORDS("--topo", "cluster:node=dgx-h100,nodes=16,fabric=rail", "--algo",
                                  algos[i], "--size", "64MiB", "--fold", "on"));
        assert_int_equal(fold_to_limit(&opened, 0), 0);
        assert_non_null(opened.run.fold);
        full = opened.run.result;
        assert_int_equal(fold_to_limit(&opened, full.time_ps), 0);
        assert_int_equal(opened.run.result.time_ps, full.time_ps);
        assert_int_equal(fold_to_limit(&opened, full.time_ps / 2), CS_SIMULATE_SLOWER);
        assert_true(opened.run.limit->least_ps > full.time_ps / 2);
        assert_true(opened.run.limit->least_ps <= full.time_ps);
    }
}

OPENED_TEST(models_without_queues_have_the_simulated_time_only)
{
    opened_run(opened,
               WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--link-model", "fluid"));
    opened->which.limit_ps = 1;
    assert_int_equal(cs_time_limit_of(&opened->run)->least_ps, 0);
}
