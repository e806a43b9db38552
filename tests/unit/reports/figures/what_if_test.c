/* What-if reports: losses sorted by cost. */
#include "reports/figures/report.h"

#include "reports/figures/plot/figure.h"
#include "tests/unit/reports/sample.h"

static void add_loss(struct cs_records *runs, const char *fault, double slowdown)
{
    struct cs_record run = sample_ring();

    sample_set_parameters(&run, fault, &runs->arena);
    run.slowdown = slowdown;
    cs_records_add(runs, &run);
}

static void make_figures(struct cs_records *runs, struct cs_figures *figures)
{
    const struct cs_report *report = cs_report_find("what_if", NULL);
    struct cs_report_data data = cs_machine_data(runs->items, runs->count, &runs->arena);

    cs_report_add_figures(report, &data, figures);
}

TEST(the_costliest_loss_is_first)
{
    CS_AT_END(cs_records_free) struct cs_records runs = {0};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
    const struct cs_figure *figure;

    add_loss(&runs, "fault=a-b:down", 1.5);
    add_loss(&runs, "fault=b-c:down", 3);
    add_loss(&runs, "fault=a-b:rate=50%", 1.25);
    make_figures(&runs, &figures);
    assert_int_equal(figures.count, 1);
    figure = &figures.items[0];
    assert_non_null(strstr(figure->subtitle, "b-c down, 3 x"));
    assert_int_equal(figure->count, 2);
    assert_string_equal(figure->series[0].name, "down");
    assert_true(figure->series[0].points[0].y == 3);
    assert_true(figure->series[0].points[1].y == 1.5);
    assert_string_equal(figure->series[1].name, "at half the rate");
}

TEST(runs_with_two_faults_or_one_loss_make_no_figure)
{
    CS_AT_END(cs_records_free) struct cs_records runs = {0};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};

    add_loss(&runs, "fault=a-b:down fault=b-c:down", 4);
    add_loss(&runs, "fault=a-b:down", 1.5);
    make_figures(&runs, &figures);
    assert_int_equal(figures.count, 0);
}
