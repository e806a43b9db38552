/* Scores of training steps: who calibrates, what counts, and the ranking. */
#include "validate/training/step_score.h"

#include "tests/fixture.h"

static const struct cs_step_machine box = {.name = "box", .gpu = "A100"};
static const struct cs_step_table tables[] = {
    {.id = "runs", .kind = CS_STEP_CONFIGURATIONS},
    {.id = "scaling", .kind = CS_STEP_SCALING},
};
static const struct cs_step_series series[] = {
    {.id = "1",
     .table = &tables[0],
     .machine = &box,
     .framework = "m",
     .method = "",
     .model = "g",
     .shape.sequence = 512},
    {.id = "2",
     .table = &tables[0],
     .machine = &box,
     .framework = "m",
     .method = "",
     .model = "g",
     .shape.sequence = 1024},
    {.id = "3", .table = &tables[1], .machine = &box, .framework = "m", .method = "", .model = "g"},
};

static struct cs_step_row run(int of, uint32_t gpus, uint32_t tensor, double step_s)
{
    return (struct cs_step_row){.series = &series[of],
                                .gpus = gpus,
                                .tensor = tensor,
                                .pipeline = 1,
                                .context = 1,
                                .data = gpus / tensor,
                                .global_batch = 8,
                                .step_s = step_s};
}

static struct cs_step_data steps_of(const struct cs_step_row *rows, uint32_t count)
{
    return (struct cs_step_data){.machines = &box,
                                 .tables = tables,
                                 .series = series,
                                 .rows = rows,
                                 .machine_count = 1,
                                 .table_count = 2,
                                 .series_count = 3,
                                 .row_count = count};
}

ARENA_TEST(the_smallest_and_plainest_row_calibrates_its_model)
{
    const struct cs_step_row rows[] = {run(0, 16, 1, 1), run(0, 8, 2, 1), run(1, 8, 1, 1),
                                       run(1, 8, 1, 1), run(2, 4, 1, 1)};
    struct cs_step_data steps = steps_of(rows, 5);
    const bool skip[5] = {[2] = true};
    const uint32_t *anchors = cs_step_anchors(&steps, NULL, arena);

    assert_int_equal(anchors[0], 2);
    assert_int_equal(anchors[1], 2);
    assert_int_equal(anchors[3], 2);
    assert_int_equal(anchors[4], 4);
    assert_int_equal(cs_step_anchors(&steps, skip, arena)[0], 3);
}

static struct cs_step_answer answer(double factor, double measured)
{
    struct cs_step_answer a = {0};

    for (int k = 0; k < CS_STEP_PREDICTORS; k++)
        a.predicted_s[k] = factor * measured;
    return a;
}

ARENA_TEST(calibrating_and_unserved_rows_do_not_count)
{
    const struct cs_step_row rows[] = {run(0, 8, 1, 1), run(0, 8, 2, 2), run(0, 8, 4, 4),
                                       run(0, 8, 8, 4)};
    struct cs_step_answer answers[] = {answer(1, 1), answer(1.2, 2), answer(0.9, 4), answer(9, 4)};
    struct cs_step_data steps = steps_of(rows, 4);
    const struct cs_step_score *scores;
    uint32_t *worst;

    answers[0].calibrates = true;
    answers[3].unserved = "unknown";
    scores = cs_step_scores(&steps, answers, arena);
    assert_int_equal(scores[0].rows, 4);
    assert_int_equal(scores[0].served, 3);
    assert_int_equal(scores[0].error[CS_STEP_CALIBRATED].rows, 2);
    assert_int_equal(scores[0].error[CS_STEP_PLAIN].rows, 3);
    assert_true(fabs(scores[0].error[CS_STEP_CALIBRATED].mean - 0.15) < 1e-12);
    assert_true(fabs(scores[0].error[CS_STEP_CALIBRATED].signed_mean - 0.05) < 1e-12);
    assert_int_equal(scores[1].rows, 0);
    assert_int_equal(scores[1].error[CS_STEP_PLAIN].rows, 0);
    assert_int_equal(cs_step_worst(&steps, answers, arena, &worst), 2);
    assert_int_equal(worst[0], 1);
}

ARENA_TEST(ranking_asks_for_the_fastest_among_the_first_three)
{
    const struct cs_step_row rows[] = {run(0, 8, 1, 1), run(0, 8, 2, 2), run(0, 8, 4, 3),
                                       run(0, 8, 8, 4)};
    struct cs_step_answer answers[] = {answer(1, 3), answer(1, 2), answer(1, 1), answer(1, 4)};
    struct cs_step_data steps = steps_of(rows, 4);
    const struct cs_step_score *scores = cs_step_scores(&steps, answers, arena);

    assert_int_equal(scores[0].choices, 1);
    assert_int_equal(scores[0].found, 1);
    answers[0] = answer(1, 5);
    scores = cs_step_scores(&steps, answers, arena);
    assert_int_equal(scores[0].found, 0);
    answers[3].unserved = "unknown";
    scores = cs_step_scores(&steps, answers, arena);
    assert_int_equal(scores[0].choices, 0);
}

/* Two of 0.9 and 1.1 of their mean; a third has other degrees. */
ARENA_TEST(repeated_rows_differ_from_their_mean)
{
    const struct cs_step_row rows[] = {run(0, 8, 1, 1.8), run(0, 8, 1, 2.2), run(0, 8, 2, 5)};
    struct cs_step_answer answers[] = {answer(1, 2), answer(1, 2), answer(1, 2)};
    struct cs_step_data steps = steps_of(rows, 3);
    const struct cs_step_score *scores = cs_step_scores(&steps, answers, arena);

    assert_int_equal(scores[0].repeated.rows, 2);
    assert_true(fabs(scores[0].repeated.mean - 0.1) < 1e-12);
    assert_int_equal(scores[1].repeated.rows, 0);
}
