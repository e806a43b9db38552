/* Scores: errors of rows, tables and groups. */
#include "validate/published/score.h"

#include "tests/unit/validate/published/answers.h"

static const struct cs_published_score *score_find(const struct cs_published_score *scores,
                                                   uint32_t count, const char *name,
                                                   enum cs_size_range sizes)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(scores[i].name, name) == 0 && scores[i].sizes == sizes)
            return &scores[i];
    return NULL;
}

static bool score_near(double value, double expected)
{
    return fabs(value - expected) < 1e-9;
}

TEST(an_error_is_the_same_above_and_below_the_measurement)
{
    static const double ratios[] = {1.25, 0.8};

    for (int i = 0; i < 2; i++) {
        CS_AT_END(answers_free) struct answers made = answers_made(TWO_TABLES, TWO_ROWS, ratios[i]);
        struct cs_table_error error = cs_published_table_error(&made.items[0], CS_SIZES_FROM_64K);

        assert_int_equal(error.rows, 3);
        assert_true(score_near(error.error[CS_PREDICTOR_MODEL], 0.25));
        assert_true(score_near(error.error[CS_PREDICTOR_RING], 1));
        assert_true(score_near(error.error[CS_PREDICTOR_TUNER], 2));
        assert_true(score_near(error.bias, ratios[i] - 1));
    }
}

TEST(a_table_averages_the_logarithms_of_its_rows)
{
    CS_AT_END(answers_free) struct answers made = answers_made(TWO_TABLES, TWO_ROWS, 1);
    struct cs_published_point *points = made.items[0].points;
    struct cs_table_error error;

    points[1].time_s[0] *= 2;
    points[2].time_s[0] /= 4;
    error = cs_published_table_error(&made.items[0], CS_SIZES_FROM_64K);
    assert_true(score_near(error.error[CS_PREDICTOR_MODEL], 1));
    assert_true(score_near(error.bias, pow(0.5, 1.0 / 3) - 1));
}

TEST(a_group_has_the_median_and_the_percentile_of_tables)
{
    CS_AT_END(answers_free) struct answers made = answers_made(TWO_TABLES, TWO_ROWS, 1);
    struct cs_published_score *scores;
    const struct cs_published_score *nccl;
    uint32_t count;

    made.items[1].points[1].time_s[0] *= 1.5;
    count = cs_published_scores(made.items, 3, &made.arena, &scores);
    nccl = score_find(scores, count, "nccl", CS_SIZES_FROM_64K);
    assert_int_equal(nccl->tables, 2); /* with RCCL, without the broken one */
    assert_int_equal(nccl->rows, 4);
    assert_true(score_near(nccl->median[CS_PREDICTOR_MODEL], 0.25));
    assert_true(score_near(nccl->p90[CS_PREDICTOR_MODEL], 0.45));
    assert_true(isnan(nccl->median[CS_PREDICTOR_LEFT_OUT]));
    assert_int_equal(nccl->bounded, 4);
    assert_int_equal(nccl->inside, 4);
    assert_int_equal(score_find(scores, count, "no", CS_SIZES_FROM_64K)->tables, 1);
    assert_null(score_find(scores, count, "gloo", CS_SIZES_FROM_64K));
}

/* A table whose reason is another one than "held out" is one of the seen. */
TEST(tables_held_out_of_estimates_are_unseen)
{
    static const char tables[] =
        ANSWERS_TABLES "a,x,nvswitch,nccl,,all_reduce,8,1,,,,ranks,,,yes,,s,\n"
                       "b,y,efa,nccl,,broadcast,16,2,,,,ranks,,,yes,held out,s,\n"
                       "c,x,efa,nccl,,all_reduce,16,2,,,,ranks,,,yes,old library,s,\n";
    static const struct {
        const char *group;
        uint32_t tables;
    } groups[] = {{"library", 3}, {"seen", 2}, {"unseen", 1}};
    CS_AT_END(answers_free) struct answers made = answers_made(tables, TWO_ROWS, 1);
    struct cs_published_score *scores;
    uint32_t count = cs_published_scores(made.items, 3, &made.arena, &scores);
    uint32_t found = 0;

    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (strcmp(scores[i].group, groups[k].group) == 0 &&
                scores[i].sizes == CS_SIZES_FROM_64K) {
                assert_string_equal(scores[i].name, "nccl");
                assert_int_equal(scores[i].tables, groups[k].tables);
                found++;
            }
    assert_int_equal(found, 3);
}

TEST(small_broadcasts_of_nccl_tests_stand_apart)
{
    CS_AT_END(answers_free) struct answers made = answers_made(TWO_TABLES, TWO_ROWS, 2);
    struct cs_published_score *scores;
    uint32_t count = cs_published_scores(made.items, 3, &made.arena, &scores);

    assert_int_equal(score_find(scores, count, "nccl", CS_SIZES_BELOW_64K)->rows, 1);
    assert_int_equal(score_find(scores, count, "nccl", CS_SIZES_ROOTED_BELOW_64K)->rows, 1);
}

TEST(rows_without_a_prediction_count_for_no_predictor)
{
    CS_AT_END(answers_free) struct answers made = answers_made(TWO_TABLES, TWO_ROWS, 2);
    struct cs_table_error error;

    made.items[0].points[1].time_s[0] = (double)NAN;
    made.items[0].points[1].time_s[CS_PREDICTOR_RING] *= 100;
    error = cs_published_table_error(&made.items[0], CS_SIZES_FROM_64K);
    assert_int_equal(error.rows, 2);
    assert_true(score_near(error.error[CS_PREDICTOR_RING], 1));
}

TEST(the_worst_table_is_first)
{
    CS_AT_END(answers_free) struct answers made = answers_made(TWO_TABLES, TWO_ROWS, 1.1);
    struct cs_table_error *errors;

    made.items[1].points[1].time_s[0] *= 3;
    assert_int_equal(cs_published_worst(made.items, 3, CS_SIZES_FROM_64K, &made.arena, &errors), 3);
    assert_string_equal(errors[0].answer->table->id, "b");
    assert_int_equal(cs_published_worst(made.items, 3, CS_SIZES_FROM_256M, &made.arena, &errors),
                     1);
}

/* The prediction without the site is a fifth too long, and so is its interval. */
TEST(the_interval_is_around_the_prediction_without_the_site)
{
    CS_AT_END(answers_free) struct answers made = answers_made(TWO_TABLES, TWO_ROWS, 1);
    struct cs_published_score *scores;
    const struct cs_published_score *nccl;
    uint32_t count, r;

    for (r = 0; r < made.items[0].table->row_count; r++)
        made.items[0].points[r].time_s[CS_PREDICTOR_LEFT_OUT] =
            1.2 * made.items[0].table->rows[r].time_s;
    count = cs_published_scores(made.items, 3, &made.arena, &scores);
    nccl = score_find(scores, count, "nccl", CS_SIZES_FROM_64K);
    assert_true(score_near(nccl->median[CS_PREDICTOR_LEFT_OUT], 0.2));
    assert_int_equal(nccl->bounded, 4);
    assert_int_equal(nccl->inside, 1);
}
