/* Parameters without a site: the tables of a site have no influence on its own
 * predictions. */
#include "validate/published/left_out.h"

#include "sim/base/text.h"
#include "tests/fixture.h"
#include "validate/published/published_files.h"

#include <math.h>

struct left_case {
    struct cs_arena arena;
    struct cs_published published;
    struct cs_published_answer *answers;
};

/* Predicts the tables of the program, with the measurements of a site scaled. */
static struct left_case left_made(const char *site, double scale)
{
    struct left_case made = {0};
    struct cs_err err = {0};
    uint32_t i;
    uint32_t r;

    assert_int_equal(cs_published_builtin(&made.arena, &made.published, &err),
                     0);
    for (i = 0; i < made.published.count; i++)
        for (r = 0; r < made.published.tables[i].row_count; r++)
            if (cs_same(made.published.tables[i].site, site))
                ((struct cs_published_row *)&made.published.tables[i].rows[r])
                    ->time_s *= scale;
    made.answers = cs_published_predict(
        &made.published, cs_published_machines(&made.published, &made.arena),
        CS_EFFECTS_ALL, &made.arena);
    cs_left_out_predict(made.answers, made.published.count, made.answers,
                        made.published.count, &made.arena);
    return made;
}

static double left_first(const struct left_case *made, const char *site,
                         enum cs_predictor predictor)
{
    uint32_t i;

    for (i = 0; i < made->published.count; i++)
        if (cs_same(made->answers[i].table->site, site) &&
            !made->answers[i].unknown)
            return made->answers[i].points[0].time_s[predictor];
    fail_msg("no table of %s", site);
    return 0;
}

static void measurements_of_a_site_do_not_reach_its_predictions(void **state)
{
    struct left_case as_is = left_made("seville", 1);
    struct left_case slower = left_made("seville", 3);

    (void)state;
    assert_true(left_first(&as_is, "seville", CS_PREDICTOR_LEFT_OUT) ==
                left_first(&slower, "seville", CS_PREDICTOR_LEFT_OUT));
    /* The other sites see these measurements. */
    assert_true(left_first(&as_is, "Panlichen", CS_PREDICTOR_LEFT_OUT) !=
                left_first(&slower, "Panlichen", CS_PREDICTOR_LEFT_OUT));
    cs_arena_free(&as_is.arena);
    cs_arena_free(&slower.arena);
}

static void a_site_that_took_no_part_keeps_the_shipped_parameters(void **state)
{
    struct left_case made = left_made("", 1);
    struct cs_published_table own = *made.answers[0].table;
    struct cs_published_answer answer = made.answers[0];

    (void)state;
    own.site = "new";
    answer.table = &own;
    cs_left_out_predict(made.answers, made.published.count, &answer, 1,
                        &made.arena);
    assert_true(answer.points[0].time_s[CS_PREDICTOR_LEFT_OUT] ==
                answer.points[0].time_s[CS_PREDICTOR_MODEL]);
    cs_arena_free(&made.arena);
}

static void rows_of_mpi_have_no_prediction_without_the_site(void **state)
{
    struct left_case made = left_made("", 1);
    uint32_t i;

    (void)state;
    for (i = 0; i < made.published.count; i++)
        if (cs_same(made.answers[i].table->library, "mpi"))
            assert_true(
                isnan(made.answers[i].points[0].time_s[CS_PREDICTOR_LEFT_OUT]));
    cs_arena_free(&made.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measurements_of_a_site_do_not_reach_its_predictions),
        cmocka_unit_test(a_site_that_took_no_part_keeps_the_shipped_parameters),
        cmocka_unit_test(rows_of_mpi_have_no_prediction_without_the_site),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
