/* Figures of a comparison: a series of measured and of predicted times. */

#include "tests/unit/validate/trial.h"

/* 4 KiB to 512 KiB are small, 1 MiB to 4 MiB large. */
static const double factors[] = {1, 1.25, 0.8, 1, 1, 1, 1.25, 1, 1, 1, 0.5};

TEST(figures_show_measured_beside_predicted)
{
    CS_AT_END(trial_free) struct trial trial = {0};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
    struct cs_measured tree = synthetic_run("tree", 4, 1 << 20, 1e-3);

    trial_make(&trial, factors, COUNT(factors));
    tree.run.table.hash = synthetic_table("tree", 4, &trial.arena);
    synthetic_add(&trial.all, tree);
    assert_int_equal(trial_compare(&trial), 0);
    cs_comparison_figures(&trial.comparison, &figures);
    assert_int_equal(figures.count, 2);
    assert_string_equal(figures.items[0].name, "ring-device-4-fp32");
    assert_int_equal(figures.items[0].count, 2);
    assert_string_equal(figures.items[0].series[0].name, "measured");
    assert_int_equal(figures.items[0].series[0].count, COUNT(factors));
    assert_int_equal(figures.items[0].series[1].count, COUNT(factors));
}
