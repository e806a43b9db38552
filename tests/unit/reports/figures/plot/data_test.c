/* Plot data: bounds and numbers of a figure. */

#include "reports/figures/plot/plot.h"
#include "tests/test.h"
#include "tests/unit/reports/figures_sample.h"

TEST(x_values_are_ascending_without_duplicates)
{
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
    double *x;
    size_t count;

    sample_begin(&figures, "f");
    cs_figures_series(&figures, "a");
    sample_point(&figures, 8, 1);
    sample_point(&figures, 2, 1);
    cs_figures_series(&figures, "b");
    sample_point(&figures, 4, 1);
    sample_point(&figures, 8, 1);
    x = cs_plot_all_x(&figures.items[0], &count);
    assert_int_equal(count, 3);
    assert_true(x[0] == 2 && x[1] == 4 && x[2] == 8);
    free(x);
}

TEXT_TEST(a_bound_of_several_series_is_the_weakest)
{
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};

    sample_begin(&figures, "f");
    cs_figures_series(&figures, "a");
    sample_point(&figures, 8, 4);
    cs_figures_series(&figures, "b");
    sample_point(&figures, 8, 6);
    cs_figure_data(&figures.items[0], out);
    assert_string_equal(cs_text_str(out), "# 'a'\n# x simulated closed_form\n8 4 4\n"
                                          "\n\n# 'b'\n# x simulated closed_form\n8 6 6\n"
                                          "\n\n# 'lower bound'\n# x bound\n8 2\n");
    assert_int_equal(cs_plot_count_limits(&figures.items[0]), 1);
    assert_false(cs_plot_has_limit(&figures.items[0], CS_HELPER_SWITCH));
}

TEXT_TEST(a_name_cannot_end_a_gnuplot_string)
{
    cs_plot_quote("a'b`c\nd", out);
    assert_null(strchr(cs_text_str(out), '`'));
    assert_null(strchr(cs_text_str(out), '\n'));
    assert_non_null(strstr(cs_text_str(out), "a''b"));
}

TEXT_TEST(a_name_cannot_end_a_section_of_data)
{
    cs_plot_quote("a]]>b] ]c]>", out);
    assert_string_equal(cs_text_str(out), "'a] ]>b] ]c]>'");
}
