/* Baselines of training steps against figures by hand. */
#include "validate/training/step_score.h"

#include "tests/fixture.h"

static const struct cs_step_table configurations = {.id = "runs", .kind = CS_STEP_CONFIGURATIONS};
static const struct cs_step_machine box = {
    .name = "box", .gpu = "A100", .node_gpus = 8, .inside_Bps = 300e9, .network_Bps = 100e9};

static struct cs_step_series gpt(void)
{
    return (struct cs_step_series){.table = &configurations,
                                   .machine = &box,
                                   .framework = "m",
                                   .method = "",
                                   .model = "g",
                                   .parameters = 1e9,
                                   .shape.layers = 10,
                                   .shape.hidden = 1000,
                                   .shape.sequence = 1000,
                                   .precision = CS_PRECISION_FP16};
}

static struct cs_step_row run(const struct cs_step_series *series, uint32_t gpus, double step_s)
{
    return (struct cs_step_row){.series = series,
                                .gpus = gpus,
                                .tensor = 1,
                                .pipeline = 1,
                                .chunks = 1,
                                .context = 1,
                                .data = gpus,
                                .micro_batch = 1,
                                .accumulation = 1,
                                .global_batch = gpus,
                                .step_s = step_s};
}

static void close_to(double value, double expected)
{
    assert_true(fabs(value / expected - 1) < 1e-9);
}

TEST(six_nd_is_parameters_by_tokens_at_45_percent)
{
    struct cs_step_series series = gpt();
    struct cs_step_row row = run(&series, 8, 1);

    close_to(cs_step_baseline_s(CS_STEP_SIX_ND, &row, &row, 1e14), 6e9 * 1000 / (0.45 * 1e14));
    series.shape.sequence = 0;
    assert_true(isnan(cs_step_baseline_s(CS_STEP_SIX_ND, &row, &row, 1e14)));
}

TEST(perfect_scaling_keeps_the_time_of_a_sample_and_gpu)
{
    struct cs_step_series series = gpt();
    struct cs_step_row anchor = run(&series, 8, 2);
    struct cs_step_row row = run(&series, 64, 3);

    close_to(cs_step_baseline_s(CS_STEP_PERFECT, &row, &anchor, 0), 2);
    row.global_batch = 8;
    close_to(cs_step_baseline_s(CS_STEP_PERFECT, &row, &anchor, 0), 0.25);
}

TEST(the_compact_formula_adds_reductions_and_bubble)
{
    struct cs_step_series series = gpt();
    struct cs_step_row row = run(&series, 8, 1);
    /* 12 L h s is 1.2e8 per token, beside 6e9. */
    double compute = 6.12e9 * 1000 / 0.5e14;

    close_to(cs_step_baseline_s(CS_STEP_COMPACT, &row, &row, 1e14),
             compute + 2 * 7. / 8 * 2e9 / 300e9);
    row.data = 1;
    row.tensor = 2;
    row.pipeline = 4;
    row.accumulation = 8;
    /* Four reductions of 2 MB for each of 10/4 layers and 8 micro batches. */
    close_to(cs_step_baseline_s(CS_STEP_COMPACT, &row, &row, 1e14),
             (compute + 4 * 2.5 * 8 * 2e6 / 300e9) * (1 + 3. / 8));
    series.recompute = CS_STEP_RECOMPUTE_FULL;
    close_to(cs_step_baseline_s(CS_STEP_COMPACT, &row, &row, 1e14),
             (compute * 4 / 3 + 6 * 2.5 * 8 * 2e6 / 300e9) * (1 + 3. / 8));
}

TEST(gradients_between_nodes_divide_the_adapters)
{
    struct cs_step_series series = gpt();
    struct cs_step_row row = run(&series, 64, 1);
    double compute = 6.12e9 * 1000 / 0.5e14;

    row.tensor = 4;
    row.data = 16;
    row.global_batch = 64;
    close_to(cs_step_baseline_s(CS_STEP_COMPACT, &row, &row, 1e14),
             compute + 4 * 10 * 1.5 * 2e6 / 300e9 + 2 * 15. / 16 * 2e9 / 4 / (100e9 / 4));
}
