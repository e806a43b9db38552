/* Figures of published tables: errors and factors by size, and few tables. */
#include "validate/published/figures.h"

#include "tests/unit/validate/published/answers.h"

#define FIGURE_TABLES                                        \
    ANSWERS_TABLES                                           \
    "a,x,nvswitch,nccl,,all_reduce,8,1,,,,ranks,,,yes,,s,\n" \
    "b,y,efa,nccl,,all_reduce,16,2,,,,ranks,,,yes,,s,\n"     \
    "c,z,efa,nccl,,all_reduce,16,2,,,,ranks,,,yes,,s,\n"
#define FIGURE_ROWS ANSWERS_ROWS "a,1024,10\nb,1024,20\nc,1025,30\nc,65536,9\n"

static void errors_are_medians_over_the_rows_of_a_size(void **state)
{
    struct answers made = answers_made(FIGURE_TABLES, FIGURE_ROWS, 1.25);
    struct cs_figures figures = {0};
    const struct cs_figure *errors;

    (void)state;
    cs_published_figures(made.items, 3, &figures);
    errors = &figures.items[0];
    assert_int_equal(figures.count, 5); /* two, and three tables */
    assert_string_equal(errors->name, "published-error-by-size");
    assert_string_equal(errors->series[0].name, "shipped");
    /* A single row of 64 KiB is too few for a median. */
    assert_int_equal(errors->series[0].count, 1);
    assert_true(errors->series[0].points[0].x == 1024);
    assert_true(fabs(errors->series[0].points[0].y - 25) < 1e-9);
    cs_figures_free(&figures);
    cs_arena_free(&made.arena);
}

static void factors_have_a_series_for_each_class(void **state)
{
    struct answers made = answers_made(FIGURE_TABLES, FIGURE_ROWS, 1.25);
    struct cs_figures figures = {0};
    const struct cs_figure *factors;

    (void)state;
    cs_published_figures(made.items, 3, &figures);
    factors = &figures.items[1];
    assert_int_equal(factors->count, 2);
    assert_string_equal(factors->series[1].name, "efa");
    assert_int_equal(factors->series[1].count, 2);
    assert_true(fabs(factors->series[1].points[0].y - 1.25) < 1e-9);
    cs_figures_free(&figures);
    cs_arena_free(&made.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_medians_over_the_rows_of_a_size),
        cmocka_unit_test(factors_have_a_series_for_each_class),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
