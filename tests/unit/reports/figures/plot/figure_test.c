#include "reports/figures/plot/figure.h"
#include "tests/test.h"
#include "tests/unit/reports/figures_sample.h"

static void assert_safe(const char *text, const char *name)
{
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    cs_figure_safe_name(text, &out);
    assert_string_equal(cs_text_str(&out), name);
}

TEST(a_file_name_is_safe_for_any_machine_name)
{
    assert_safe("DGX A100 (8 x 80 GB)", "dgx-a100-8-x-80-gb");
    assert_safe("../../etc/passwd", "etc-passwd");
    assert_safe("-rf", "rf");
    assert_safe("µ", "figure");
    assert_safe("", "figure");
    assert_safe("a'b`c$d", "a-b-c-d");
}

#define FIGURES_TEST(name) TEST_OF(struct cs_figures, figures, cs_figures_free, name)

FIGURES_TEST(figures_of_one_name_get_files_of_their_own)
{
    sample_begin(figures, "a b");
    sample_begin(figures, "a/b");
    sample_begin(figures, "a-b");
    assert_string_equal(figures->items[0].name, "a-b");
    assert_string_equal(figures->items[1].name, "a-b-2");
    assert_string_equal(figures->items[2].name, "a-b-3");
}

FIGURES_TEST(points_are_in_order_and_the_later_one_wins)
{
    const struct cs_series *series;

    sample_begin(figures, "f");
    cs_figures_series(figures, "ring");
    sample_point(figures, 4, 1);
    sample_point(figures, 1, 2);
    sample_point(figures, 2, 3);
    sample_point(figures, 4, 5);
    cs_figures_settle(figures);
    series = &figures->items[0].series[0];
    assert_int_equal(series->count, 3);
    assert_true(series->points[0].x == 1 && series->points[1].x == 2);
    assert_true(series->points[2].x == 4 && series->points[2].y == 5);
}

FIGURES_TEST(an_algorithm_looks_the_same_in_all_figures)
{
    sample_begin(figures, "f");
    cs_figures_series(figures, "ring");
    cs_figures_series(figures, "tree");
    sample_begin(figures, "g");
    cs_figures_series(figures, "tree");
    cs_figures_series(figures, "naive");
    cs_figures_settle(figures);
    assert_int_equal(figures->items[1].series[0].style, 1);
    assert_int_equal(figures->items[1].series[1].style, 2);
}

TEST(of_many_curves_the_best_and_the_nearest_are_named)
{
    static const enum cs_limit limits[] = {CS_LIMIT_LOWER, CS_LIMIT_UPPER};

    for (size_t k = 0; k < 2; k++) {
        CS_AT_END(cs_figures_free) struct cs_figures figures = {0};

        sample_begin_many(&figures, "f", 24, limits[k]);
        cs_figures_settle(&figures);
        for (size_t i = 0; i < 24; i++)
            assert_int_equal(figures.items[0].series[i].is_other,
                             i >= CS_FIGURE_NAMED - 1 && i < 23);
    }
}

FIGURES_TEST(no_name_is_taken_from_a_few_curves)
{
    sample_begin_many(figures, "f", CS_FIGURE_NAMED, CS_LIMIT_LOWER);
    cs_figures_settle(figures);
    for (uint32_t i = 0; i < CS_FIGURE_NAMED; i++) {
        assert_false(figures->items[0].series[i].is_other);
        assert_int_equal(figures->items[0].series[i].style, i);
    }
}

/* Where two names that had the same looks meet, one gets others. */
FIGURES_TEST(no_two_named_curves_of_a_figure_look_identical)
{
    unsigned seen = 0;

    sample_begin_many(figures, "f", 6, CS_LIMIT_LOWER);
    sample_begin(figures, "g");
    for (int i = 0; i < 5; i++) {
        char series[16];

        (void)snprintf(series, sizeof series, "t%d", i);
        cs_figures_series(figures, series);
    }
    sample_begin(figures, "h"); /* s0 and t2 have the same, from f and g */
    cs_figures_series(figures, "t2");
    cs_figures_series(figures, "s0");
    cs_figures_series(figures, "t0");
    cs_figures_settle(figures);
    assert_int_equal(figures->items[1].series[2].style, figures->items[0].series[0].style);
    for (size_t i = 0; i < 3; i++)
        seen |= 1U << figures->items[2].series[i].style;
    assert_int_equal(__builtin_popcount(seen), 3);
}

FIGURES_TEST(of_distributions_those_of_lowest_median_are_named)
{
    char series[16];

    sample_begin(figures, "f");
    figures->items[0].limit = CS_LIMIT_NONE;
    figures->items[0].y_axis = CS_AXIS_SHARE;
    for (int i = 0; i < 10; i++) {
        (void)snprintf(series, sizeof series, "s%d", i);
        cs_figures_series(figures, series);
        sample_point(figures, 1, 0.1);
        sample_point(figures, 20 - i, 0.6);
        sample_point(figures, 30 + i, 1);
    }
    cs_figures_settle(figures);
    for (size_t i = 0; i < 10; i++)
        assert_int_equal(figures->items[0].series[i].is_other, i < 2);
}

FIGURES_TEST(slow_references_have_names_too)
{
    sample_begin_many(figures, "f", 24, CS_LIMIT_LOWER);
    cs_figures_series(figures, "s20");
    cs_figures_reference(figures);
    cs_figures_settle(figures);
    assert_false(figures->items[0].series[20].is_other);
    assert_true(figures->items[0].series[CS_FIGURE_NAMED - 2].is_other);
}
