#include "reports/curves.h"
#include "tests/unit/reports/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct told {
    uint64_t bytes;
    const char *parameters;
    uint64_t time_ps;
};

/* The one figure of these runs of a ring. */
static const struct cs_figure *draw(const struct told *told, size_t count,
                                    struct cs_figures *figures)
{
    struct cs_records runs = {0};
    struct cs_report_data data;
    struct cs_err err = {0};

    for (size_t i = 0; i < count; i++) {
        struct cs_record run = sample_ring();

        run.bytes = told[i].bytes;
        run.parameters = told[i].parameters;
        run.time_ps = told[i].time_ps;
        cs_records_add(&runs, &run);
    }
    data = (struct cs_report_data){runs.items, runs.count};
    assert_int_equal(
        cs_report_find("time_size", &err)->write(&data, figures, &err), 0);
    assert_int_equal(figures->count, 1);
    cs_records_free(&runs);
    return &figures->items[0];
}

static void is_series(const struct cs_figure *figure, size_t number,
                      const char *name, size_t points)
{
    assert_true(number < figure->count);
    assert_string_equal(figure->series[number].name, name);
    assert_int_equal(figure->series[number].count, points);
}

static void a_faulty_run_takes_no_place_of_a_healthy_one(void **state)
{
    const struct told told[] = {{1024, "", 1000000},
                                {2048, "", 2000000},
                                {1024, "fault=a-b:down", 7000000},
                                {2048, "fault=a-b:down", 8000000}};
    struct cs_figures figures = {0};
    const struct cs_figure *figure = draw(told, 4, &figures);

    (void)state;
    assert_int_equal(figure->count, 2);
    is_series(figure, 0, "ring", 2);
    is_series(figure, 1, "ring, fault=a-b:down", 2);
    assert_true(figure->series[0].points[0].y == 1e-6);
    assert_true(figure->series[1].points[1].y == 8e-6);
    cs_figures_free(&figures);
}

static void what_all_runs_were_told_is_told_once(void **state)
{
    const struct told told[] = {{1024, "transport=tcp", 1000000},
                                {2048, "transport=tcp", 2000000}};
    struct cs_figures figures = {0};
    const struct cs_figure *figure = draw(told, 2, &figures);

    (void)state;
    assert_int_equal(figure->count, 1);
    is_series(figure, 0, "ring", 2);
    assert_non_null(strstr(figure->subtitle, "; transport=tcp"));
    cs_figures_free(&figures);
}

static void what_an_algorithm_chooses_changes_along_a_series(void **state)
{
    const struct told told[] = {{1024, "chunks=2 fault=a:down", 1000000},
                                {2048, "chunks=31 fault=a:down", 2000000}};
    struct cs_figures figures = {0};
    const struct cs_figure *figure = draw(told, 2, &figures);

    (void)state;
    assert_int_equal(figure->count, 1);
    is_series(figure, 0, "ring", 2);
    cs_figures_free(&figures);
}

static void two_numbers_of_chunks_at_one_size_are_told_apart(void **state)
{
    const struct told told[] = {{1024, "chunks=2", 1000000},
                                {2048, "chunks=4", 2000000},
                                {2048, "chunks=9", 3000000},
                                {2048, "chunks=9", 4000000}};
    struct cs_figures figures = {0};
    const struct cs_figure *figure = draw(told, 4, &figures);

    (void)state;
    assert_int_equal(figure->count, 3);
    is_series(figure, 0, "ring", 1);
    is_series(figure, 1, "ring, chunks=4", 1);
    is_series(figure, 2, "ring, chunks=9", 1);
    assert_true(figure->series[2].points[0].y == 4e-6); /* the later one */
    cs_figures_free(&figures);
}

static void what_runs_share_is_not_in_their_names(void **state)
{
    const struct told told[] = {
        {1024, "transport=tcp", 1000000},
        {2048, "transport=tcp", 2000000},
        {1024, "fault=a-b:down transport=tcp", 7000000},
        {2048, "fault=a-b:down transport=tcp", 8000000}};
    struct cs_figures figures = {0};
    const struct cs_figure *figure = draw(told, 4, &figures);

    (void)state;
    assert_int_equal(figure->count, 2);
    is_series(figure, 0, "ring", 2);
    is_series(figure, 1, "ring, fault=a-b:down", 2);
    assert_non_null(strstr(figure->subtitle, "; transport=tcp"));
    assert_null(strstr(figure->subtitle, "fault"));
    cs_figures_free(&figures);
}

static void a_run_with_servers_has_its_bound_too(void **state)
{
    struct cs_record run = sample_ring();

    (void)state;
    run.agents = 1;
    run.lower_bound_s = 0.004;
    assert_true(cs_curves_lower_bound_s(&run) == 0.004);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_faulty_run_takes_no_place_of_a_healthy_one),
        cmocka_unit_test(what_all_runs_were_told_is_told_once),
        cmocka_unit_test(what_an_algorithm_chooses_changes_along_a_series),
        cmocka_unit_test(what_runs_share_is_not_in_their_names),
        cmocka_unit_test(a_run_with_servers_has_its_bound_too),
        cmocka_unit_test(two_numbers_of_chunks_at_one_size_are_told_apart),
    };

    return cmocka_run_group_tests_name("curves", tests, NULL, NULL);
}
