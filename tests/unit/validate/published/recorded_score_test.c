/* Recorded scores: reading, and the gate. */
#include "validate/published/recorded_score.h"

#include "tests/fixture.h"

#define RECORD_HEAD                                                     \
    "group,name,sizes,tables,rows,median,p90,bias,left_out_median,"     \
    "left_out_p90,ring_median,ring_p90,tuner_median,tuner_p90,bounded," \
    "inside\n"
#define RECORD_LINE "library,nccl,from-64KiB,3,40,0.2,0.5,,0.3,,,,,,0,0\n"

static int record_judge(const char *record, const struct cs_published_score *score,
                        struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_recorded_lines recorded;
    int code = cs_record_read((struct cs_doc_text){"s", record, strlen(record)},
                              &cs_published_record, &arena, &recorded, err);

    return code ? code : cs_recorded_scores_judge(&recorded, score, 1, err);
}

TEST(a_score_may_be_a_point_worse_and_no_more)
{
    struct cs_published_score score = {
        .group = "library", .name = "nccl", .sizes = CS_SIZES_FROM_64K, .tables = 3};
    struct cs_err err = {0};

    score.median[0] = 0.2099;
    score.p90[0] = 0.3;
    assert_int_equal(record_judge(RECORD_HEAD RECORD_LINE, &score, &err), 0);
    score.median[0] = 0.2101;
    assert_int_equal(record_judge(RECORD_HEAD RECORD_LINE, &score, &err), CS_EANSWER);
    assert_string_equal(
        err.text,
        "nccl, from-64KiB: median of |error| 21.0 %; recorded is 20.0 %, and a point more passes");
    score.median[0] = 0.2;
    score.p90[0] = 0.52;
    err = (struct cs_err){0};
    assert_int_equal(record_judge(RECORD_HEAD RECORD_LINE, &score, &err), CS_EANSWER);
    assert_non_null(strstr(err.text, "90th percentile"));
    score.p90[0] = 0.5;
    score.median[CS_PREDICTOR_LEFT_OUT] = 0.32;
    err = (struct cs_err){0};
    assert_int_equal(record_judge(RECORD_HEAD RECORD_LINE, &score, &err), CS_EANSWER);
    assert_non_null(strstr(err.text, "median without the site"));
}

TEST(a_lost_table_fails_the_gate)
{
    struct cs_published_score score = {
        .group = "library", .name = "nccl", .sizes = CS_SIZES_FROM_64K, .tables = 2};

    assert_refused(record_judge(RECORD_HEAD RECORD_LINE, &score, &err), CS_EANSWER,
                   "nccl, from-64KiB: 2 tables predicted; recorded are 3");
}

/* Scores of other tables than those of the record are not comparable. */
ARENA_TEST(recorded_scores_of_sites_left_out_fill_the_same_tables)
{
    static const char record[] =
        RECORD_HEAD "library,nccl,from-64KiB,3,40,0.2,0.5,,0.3,0.6,,,,,0,0\n";
    struct cs_published_score scores[] = {
        {.group = "library", .name = "nccl", .tables = 3},
        {.group = "library", .name = "nccl", .tables = 2},
        {.group = "library", .name = "nccl", .tables = 3},
    };
    struct cs_recorded_lines recorded;

    scores[0].median[CS_PREDICTOR_LEFT_OUT] = (double)NAN;
    scores[1].median[CS_PREDICTOR_LEFT_OUT] = (double)NAN;
    scores[2].median[CS_PREDICTOR_LEFT_OUT] = 0.7;
    assert_int_equal(cs_record_read((struct cs_doc_text){"s", record, strlen(record)},
                                    &cs_published_record, arena, &recorded, NULL),
                     0);
    for (int i = 0; i < 3; i++)
        cs_recorded_scores_recall(&recorded, &scores[i], 1);
    assert_true(scores[0].median[CS_PREDICTOR_LEFT_OUT] == 0.3);
    assert_true(scores[0].p90[CS_PREDICTOR_LEFT_OUT] == 0.6);
    assert_true(isnan(scores[1].median[CS_PREDICTOR_LEFT_OUT]));
    assert_true(scores[2].median[CS_PREDICTOR_LEFT_OUT] == 0.7);
}

TEXT_TEST(the_sheet_of_scores_is_read_as_a_record)
{
    struct cs_published_score score = {.group = "library",
                                       .name = "mpi",
                                       .sizes = CS_SIZES_BELOW_64K,
                                       .tables = 7,
                                       .median = {0.25, 0.3, 0.5, 0.75},
                                       .p90 = {1, (double)NAN, 2, 3}};
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_published_score_sheet(&score, 1, &sheet);
    cs_sheet_write(&sheet, CS_FORMAT_CSV, CS_STYLE_PLAIN, out);
    assert_done(record_judge(cs_text_str(out), &score, &err));
    score.p90[0] = 1.02;
    assert_int_equal(record_judge(cs_text_str(out), &score, NULL), CS_EANSWER);
}

TEST(a_mistake_in_a_record_is_reported_with_its_line)
{
    struct cs_published_score score = {0};

    assert_refused(
        record_judge(RECORD_HEAD "library,nccl,x,3,40,much,0.5,,,,,,,,0,0\n", &score, &err),
        CS_EINPUT, "s:2: median: 'much'; expected a number from 0");
}
