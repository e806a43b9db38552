#include "reports/figures/plot/gnuplot.h"
#include "reports/figures/plot/plot.h"
#include "tests/unit/reports/figures_sample.h"
#include "tests/unit/reports/sample.h"

static void assert_quoted(const char *text, const char *quoted)
{
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    cs_plot_quote(text, &out);
    assert_string_equal(cs_text_str(&out), quoted);
}

TEST(quoted_text_cannot_end_its_quotes)
{
    assert_quoted("dgx a100", "'dgx a100'");
    assert_quoted("it's", "'it''s'");
    assert_quoted("`rm x`", "'''rm x'''");
    assert_quoted("a\nsystem('x')", "'a?system(''x'')'");
    assert_quoted("\\", "'\\'");
    assert_quoted("\xFF", "'?'");
    assert_quoted("", "''");
}

static size_t count_text(const struct cs_text *out, const char *what)
{
    const char *at = cs_text_str(out);
    size_t count = 0;

    while ((at = strstr(at, what)) != NULL) {
        at += strlen(what);
        count++;
    }
    return count;
}

TEXT_TEST(curves_without_a_name_are_grey_and_counted)
{
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};

    sample_begin_many(&figures, "f", 24, CS_LIMIT_LOWER);
    cs_figures_settle(&figures);
    cs_figure_script(&figures.items[0], out);
    assert_int_equal(count_text(out, " with linespoints "), CS_FIGURE_NAMED);
    assert_int_equal(count_text(out, "linecolor rgb '#bdbdbd' notitle"), 16);
    assert_int_equal(count_text(out, " title '16 others'"), 1);
    assert_int_equal(count_text(out, " title '"), CS_FIGURE_NAMED + 3);
    assert_null(strstr(cs_text_str(out), "set key font"));
}

TEXT_TEST(figures_are_settled_when_they_are_written)
{
    struct cs_figures figures = {0};
    char dir[64];

    assert_int_equal(sample_dir_make(dir), 0);
    sample_begin_many(&figures, "f", 2, CS_LIMIT_LOWER);
    assert_true(cs_figures_write(&figures, dir, out, NULL) >= 0);
    assert_int_equal(figures.items[0].series[1].style, 1);
    cs_figures_free(&figures);
    sample_dir_remove(dir);
}

TEXT_TEST(a_long_name_continues_in_the_next_line_of_the_key)
{
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};

    sample_begin(&figures, "f");
    cs_figures_series(&figures, "ring, fault=gpu0-nvswitch:rate=50% transport=nccl-ll");
    sample_point(&figures, 1, 1);
    cs_figure_script(&figures.items[0], out);
    assert_non_null(strstr(cs_text_str(out), " title 'ring, fault=gpu0-nvswitch:rate=50%', "));
    assert_non_null(strstr(cs_text_str(out), " title 'transport=nccl-ll', "));
    assert_null(strstr(cs_text_str(out), "set key font"));
}

/* Eight names of 100 letters: in type of 19 each takes three lines. */
TEXT_TEST(many_long_names_are_set_in_smaller_type)
{
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
    char name[101];

    sample_begin(&figures, "f");
    for (int i = 0; i < 8; i++) {
        memset(name, 'a' + i, sizeof name);
        name[100] = '\0';
        cs_figures_series(&figures, name);
        sample_point(&figures, 1, 1);
    }
    cs_figures_settle(&figures);
    cs_figure_script(&figures.items[0], out);
    assert_non_null(strstr(cs_text_str(out), "set key font 'DejaVu Sans,13'"));
    assert_int_equal(count_text(out, " title '"), 8 * 2 + 2);
    assert_null(strstr(cs_text_str(out), " ...'"));
}

/* The run of one curve whose bound holds with that help. */
static void add_bound(struct cs_figures *figures, const char *series, double y, double bound,
                      enum cs_helper helper)
{
    cs_figures_series(figures, series);
    cs_figures_point(figures, &(struct cs_point){1, y, y, bound, helper});
}

TEXT_TEST(the_bound_drawn_is_the_least_of_those_with_the_same_help)
{
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};

    sample_begin(&figures, "f");
    add_bound(&figures, "ring", 9, 8, CS_HELPER_NONE);
    add_bound(&figures, "tree", 9, 7, CS_HELPER_NONE);
    cs_figure_data(&figures.items[0], out);
    assert_non_null(strstr(cs_text_str(out), "# 'lower bound'\n# x bound\n1 7\n"));
}

TEST(bounds_with_servers_and_switches_are_lines_with_names)
{
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
    struct cs_text out = {0};

    sample_begin(&figures, "f");
    add_bound(&figures, "sharp", 5, 3, CS_HELPER_SWITCH);
    add_bound(&figures, "ring", 9, 8, CS_HELPER_NONE);
    add_bound(&figures, "ps", 7, 4, CS_HELPER_SERVER);
    cs_figure_data(&figures.items[0], &out);
    assert_non_null(strstr(cs_text_str(&out), "# 'lower bound'\n# x bound\n1 8\n\n\n"
                                              "# 'lower bound (server)'\n# x bound\n1 4\n\n\n"
                                              "# 'lower bound (switch)'\n# x bound\n1 3\n"));
    cs_text_free(&out);
    cs_figure_script(&figures.items[0], &out);
    assert_int_equal(count_text(&out, " title 'lower bound'"), 1);
    assert_int_equal(count_text(&out, " title 'lower bound (server)'"), 1);
    assert_int_equal(count_text(&out, " title 'lower bound (switch)'"), 1);
    cs_text_free(&out);
}

/* s0 would be the best, were it one that the machine can run. */
TEST(a_hypothetical_series_is_not_the_best)
{
    struct cs_figures figures = {0};
    struct cs_text out = {0};

    sample_begin_many(&figures, "f", 24, CS_LIMIT_LOWER);
    cs_figures_series(&figures, "s0");
    cs_figures_hypothetical(&figures);
    cs_figures_settle(&figures);
    assert_true(figures.items[0].series[0].is_other);
    assert_false(figures.items[0].series[1].is_other);
    cs_figure_script(&figures.items[0], &out);
    assert_int_equal(count_text(&out, " title '15 others'"), 1);
    assert_int_equal(count_text(&out, " title '1 hypothetical'"), 1);
    cs_text_free(&out);
    cs_figures_free(&figures);
    sample_begin(&figures, "g");
    add_bound(&figures, "sharp (hypothetical)", 5, 3, CS_HELPER_SWITCH);
    cs_figures_hypothetical(&figures);
    cs_figure_script(&figures.items[0], &out);
    assert_non_null(strstr(cs_text_str(&out), " dashtype (12,8) pointtype "));
    cs_text_free(&out);
    cs_figures_free(&figures);
}

TEXT_TEST(ticks_are_powers_with_units)
{
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};

    sample_begin(&figures, "f");
    cs_figures_series(&figures, "ring");
    sample_point(&figures, 1024, 20e-6);
    sample_point(&figures, 1048576, 2e-3);
    cs_figure_script(&figures.items[0], out);
    assert_non_null(strstr(cs_text_str(out), "'1 KiB' 1024"));
    assert_non_null(strstr(cs_text_str(out), "'1 MiB' 1048576"));
    assert_non_null(strstr(cs_text_str(out), "'100 µs' 0.0001"));
    assert_non_null(strstr(cs_text_str(out), "'1 ms' 0.001"));
}
