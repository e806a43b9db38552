/* Regimes, and what a wrong prediction costs who chooses by it. */
#include "validate/gpu/breakdown.h"

#include "tests/fixture.h"

#include <math.h>

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
                                .run.table.blocks = 4,
                                .run.channels = 2,
                                .work.slice_bytes = 1 << 10,
                                .work.l2_bytes = 1 << 20,
                                .work.bytes = bytes};
}

/* The regime that counts the run. */
static int regime(struct cs_measured m)
{
    struct cs_compared run = {.measured = &m};
    struct cs_comparison comparison = {.runs = &run, .run_count = 1};
    struct cs_regime_errors errors[CS_REGIMES];
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    int found = 0;

    cs_breakdown_regimes(&comparison, &arena, errors);
    while (found < CS_REGIMES && errors[found].count == 0)
        found++;
    return found;
}

TEST(runs_are_limited_by_slices_l2_memory_or_pcie)
{
    struct cs_measured m = measured(8 << 10, "ring");

    assert_int_equal(regime(m), CS_REGIME_ONE_SLICE);
    m.work.bytes = 256 << 10;
    assert_int_equal(regime(m), CS_REGIME_L2);
    m.work.bytes = 512 << 10;
    assert_int_equal(regime(m), CS_REGIME_MEMORY);
    m.work.transport = "host";
    assert_int_equal(regime(m), CS_REGIME_PCIE);
    m.work.transport = "device";
    m.run.agents = 1;
    assert_int_equal(regime(m), CS_REGIME_PCIE);
    m.run.servers = "device";
    assert_int_equal(regime(m), CS_REGIME_MEMORY);
    m.run.delay_s = 2e-5;
    assert_int_equal(regime(m), CS_REGIME_DELAYED);
}

/* At 8 KiB the tree is predicted to be fastest and takes half as long again as the
 * ring; at 16 KiB the ring is and is right; 32 KiB leave no choice. */
TEST(a_wrong_choice_costs_what_it_takes_more)
{
    struct cs_measured runs[] = {measured(16 << 10, "ring"), measured(8 << 10, "ring"),
                                 measured(8 << 10, "tree"),  measured(16 << 10, "tree"),
                                 measured(32 << 10, "ring"), measured(16 << 10, "ps")};
    struct cs_compared compared[] = {
        {.measured = &runs[0], .time_s = 2, .predicted = {.time_s = 2}},
        {.measured = &runs[1], .time_s = 2, .predicted = {.time_s = 2}},
        {.measured = &runs[2], .time_s = 3, .predicted = {.time_s = 1}},
        {.measured = &runs[3], .time_s = 3, .predicted = {.time_s = 3}},
        {.measured = &runs[4], .time_s = 1, .predicted = {.time_s = 1}},
        {.measured = &runs[5], .time_s = 1, .unknown = "not predicted"},
    };
    struct cs_comparison comparison = {.runs = compared, .run_count = 6};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_regret *regrets;

    assert_int_equal(cs_breakdown_regrets(&comparison, &arena, &regrets), 2);
    assert_int_equal(regrets[0].bytes, 8 << 10);
    assert_int_equal(regrets[0].choices, 1);
    assert_int_equal(regrets[0].right, 0);
    assert_true(fabs(regrets[0].most - 0.5) < 1e-12);
    assert_int_equal(regrets[1].right, 1);
    assert_true(regrets[1].mean == 0);
}

/* The ends of a run without a record do not count, and a late rank is no
 * alternative to a choice of algorithms. */
TEST(a_delayed_rank_has_errors_of_the_ends)
{
    struct cs_measured late = measured(8 << 10, "ring");
    struct cs_measured early = late;
    struct cs_compared compared[] = {
        {.measured = &late, .factor = 0.2, .ends = 0.5},
        {.measured = &late, .factor = 0.1, .ends = 0.3},
        {.measured = &late, .factor = 0.1, .ends = -1},
        {.measured = &early, .factor = 0.9, .ends = 0.9},
    };
    struct cs_comparison comparison = {.runs = compared, .run_count = 4};
    struct cs_regime_errors errors[CS_REGIMES];
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_regret *regrets;

    late.run.delay_s = 2e-5;
    cs_breakdown_regimes(&comparison, &arena, errors);
    assert_int_equal(errors[CS_REGIME_DELAYED].count, 3);
    assert_true(fabs(errors[CS_REGIME_DELAYED].most - 0.2) < 1e-12);
    assert_int_equal(errors[CS_REGIME_DELAYED].ends_count, 2);
    assert_true(fabs(errors[CS_REGIME_DELAYED].ends - 0.4) < 1e-12);
    assert_int_equal(cs_breakdown_regrets(&comparison, &arena, &regrets), 0);
}

/* 20 us late: 18 us are added, 16 us are predicted.  The run of another size has no
 * pair. */
TEST(the_time_added_by_a_delay_is_compared)
{
    struct cs_measured early = measured(8 << 10, "ring");
    struct cs_measured late, single;
    struct cs_compared compared[] = {
        {.measured = &late, .time_s = 28e-6, .predicted = {.time_s = 28e-6}},
        {.measured = &early, .time_s = 10e-6, .predicted = {.time_s = 12e-6}},
        {.measured = &single, .time_s = 1e-3, .predicted = {.time_s = 2e-3}},
    };
    struct cs_comparison comparison = {.runs = compared, .run_count = 3};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_delays_passed_on passed;

    early.run.table.hash = "";
    late = early;
    late.run.delay_s = 2e-5;
    late.run.delay_rank = 3;
    single = late;
    single.work.bytes = 1 << 20;
    passed = cs_breakdown_delays(&comparison, &arena);
    assert_int_equal(passed.count, 1);
    assert_true(fabs(passed.median - 0.1) < 1e-9);
    assert_true(fabs(passed.most - 0.1) < 1e-9);
    compared[1].unknown = "skipped";
    assert_int_equal(cs_breakdown_delays(&comparison, &arena).count, 0);
}

TEST(regimes_have_errors_of_their_own)
{
    struct cs_measured runs[] = {measured(8 << 10, "ring"), measured(8 << 10, "tree"),
                                 measured(1 << 20, "ring")};
    struct cs_compared compared[] = {
        {.measured = &runs[0], .factor = 0.1},
        {.measured = &runs[1], .factor = 0.3},
        {.measured = &runs[2], .factor = 0.01},
    };
    struct cs_comparison comparison = {.runs = compared, .run_count = 3};
    struct cs_regime_errors errors[CS_REGIMES];
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    cs_breakdown_regimes(&comparison, &arena, errors);
    assert_int_equal(errors[CS_REGIME_ONE_SLICE].count, 2);
    assert_true(fabs(errors[CS_REGIME_ONE_SLICE].median - 0.2) < 1e-12);
    assert_true(errors[CS_REGIME_ONE_SLICE].most == 0.3);
    assert_int_equal(errors[CS_REGIME_MEMORY].count, 1);
    assert_int_equal(errors[CS_REGIME_L2].count, 0);
}

static struct cs_compared scored(struct cs_measured *m, uint64_t ranks, double error)
{
    m->work.ranks = ranks;
    m->spread.p10_s = 0.95;
    m->spread.p90_s = 1.05;
    return (struct cs_compared){.measured = m,
                                .setup = "device",
                                .time_s = 1,
                                .predicted = {.time_s = 1 + error},
                                .error = error};
}

/* Half and twice are as far off; schedules and channels of their own stand
 * apart. */
TEST(scores_are_logs_by_ranks)
{
    struct cs_measured m[] = {measured(8 << 10, "ring"), measured(4 << 10, "ring"),
                              measured(2 << 10, "ring"), measured(1 << 20, "ring"),
                              measured(8 << 10, "ring"), measured(8 << 10, "chain")};
    struct cs_compared runs[] = {scored(&m[0], 4, 1),    scored(&m[1], 4, -0.5),
                                 scored(&m[2], 8, 0.01), scored(&m[3], 4, -0.2),
                                 scored(&m[4], 4, 0),    scored(&m[5], 8, 3)};
    struct cs_comparison comparison = {.runs = runs, .run_count = 6};
    struct cs_score *scores;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    m[4].command = "run --table ring-4.table --channels 2";
    assert_int_equal(cs_breakdown_scores(&comparison, &arena, &scores), 4);
    assert_int_equal(scores[0].count, 3);
    assert_true(fabs(scores[0].median - log(2)) < 1e-12);
    assert_true(fabs(scores[0].most - log(2)) < 1e-12);
    assert_true(fabs(scores[0].bias - log(1.01)) < 1e-12);
    assert_int_equal(scores[0].within, 1);
    assert_true(fabs(scores[0].by_ranks[2] - log(2)) < 1e-12);
    assert_true(fabs(scores[0].by_ranks[3] - log(1.01)) < 1e-12);
    assert_true(isnan(scores[0].by_ranks[0]));
    assert_false(scores[0].held_out);
    assert_int_equal(scores[1].regime, CS_REGIME_MEMORY);
    assert_true(fabs(scores[1].bias - log(0.8)) < 1e-12);
    assert_true(scores[2].held_out);
    assert_int_equal(scores[2].count, 1);
    assert_true(scores[3].held_out);
    assert_string_equal(scores[3].algorithm, "chain");
}

/* A chain that is fastest is no choice, nor is a ring of other channels. */
TEST(choices_are_between_what_is_run_by_itself)
{
    struct cs_measured m[] = {measured(8 << 10, "ring"), measured(8 << 10, "tree"),
                              measured(8 << 10, "chain"), measured(8 << 10, "ring")};
    struct cs_compared runs[] = {{.measured = &m[0], .time_s = 2, .predicted = {.time_s = 2}},
                                 {.measured = &m[1], .time_s = 3, .predicted = {.time_s = 3}},
                                 {.measured = &m[2], .time_s = 1, .predicted = {.time_s = 9}},
                                 {.measured = &m[3], .time_s = 1, .predicted = {.time_s = 9}}};
    struct cs_comparison comparison = {.runs = runs, .run_count = 4};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_regret *regrets;

    m[3].command = "run --channels 32";
    assert_int_equal(cs_breakdown_regrets(&comparison, &arena, &regrets), 1);
    assert_int_equal(regrets[0].choices, 1);
    assert_int_equal(regrets[0].right, 1);
}
