#include "reports/figures/report.h"
#include "tests/unit/reports/sample.h"

/* The page of two runs with the parameters, and of the figures. */
static void write_page(const char *first, const char *second, const struct cs_figures *figures,
                       struct cs_text *out)
{
    struct cs_record runs[2] = {sample_ring(), sample_ring()};
    struct cs_page page = {
        .figures = figures, .records = runs, .count = 2, .rows = runs, .row_count = 2, .runs = 2};

    runs[0].parameters = first;
    runs[1].parameters = second;
    cs_page_write(&page, out);
}

TEST(parameters_are_a_column_where_they_differ)
{
    struct cs_figures figures = {0};
    struct cs_text out = {0};

    write_page("", "fault=a-b:rate=50%<", &figures, &out);
    assert_non_null(strstr(cs_text_str(&out), ">parameters</th><th>ranks"));
    assert_non_null(strstr(cs_text_str(&out), "<td class=\"t\">fault=a-b:rate=50%&lt;</td>"));
    cs_text_free(&out);
    write_page("chunks=4", "chunks=4", &figures, &out);
    assert_null(strstr(cs_text_str(&out), "parameters"));
    assert_null(strstr(cs_text_str(&out), "chunks=4"));
    cs_text_free(&out);
}

TEST(padding_is_a_column_where_a_vector_has_one)
{
    struct cs_figures figures = {0};
    struct cs_record runs[2] = {sample_ring(), sample_ring()};
    struct cs_page page = {
        .figures = &figures, .records = runs, .count = 2, .rows = runs, .row_count = 2, .runs = 2};
    struct cs_text out = {0};

    cs_page_write(&page, &out);
    assert_null(strstr(cs_text_str(&out), "padded"));
    cs_text_free(&out);
    runs[1].padded_bytes = 2816;
    cs_page_write(&page, &out);
    assert_non_null(strstr(cs_text_str(&out), ">padded by</th><th>time<"));
    assert_non_null(strstr(cs_text_str(&out), "<td>2.816 kB</td>"));
    cs_text_free(&out);
}

TEXT_TEST(curves_without_a_name_are_named_below_the_picture)
{
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};

    cs_figures_begin(&figures, &(struct cs_figure){.name = "f", .alt = "all"});
    cs_figures_series(&figures, "ring");
    cs_figures_series(&figures, "tree");
    cs_figures_series(&figures, "<naive>");
    figures.items[0].series[1].is_other = true;
    figures.items[0].series[2].is_other = true;
    write_page("", "", &figures, out);
    assert_non_null(strstr(cs_text_str(out), ">all; grey curves: tree; &lt;naive&gt; ("));
}
