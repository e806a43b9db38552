/* Recorded scores of training steps: reading, and the gate. */
#include "validate/training/step_score.h"

#include "tests/fixture.h"

#define HEAD                                                                           \
    "table,decided_by,rows,served,scored,mean,median,p90,signed,plain_mean,"           \
    "plain_median,plain_p90,plain_signed,perfect_mean,six_nd_mean,"                    \
    "compact_mean,compact_median,compact_p90,choices,found,compact_found,"             \
    "language,refused,memory_rows,memory_mean,memory_median,memory_p90,memory_signed," \
    "repeated_rows,repeated_mean,repeated_p90\n"
#define LINE "runs,both,9,8,7,0.1,0.05,0.2,-0.02,0.3,,0.4,,,,,,,20,19,2,9,1,0,,,,,0,,\n"

static const struct cs_step_table runs = {.id = "runs"};

static struct cs_step_score recorded(void)
{
    struct cs_step_score score = {
        .table = &runs, .rows = 9, .served = 8, .choices = 20, .found = 19};

    score.error[CS_STEP_CALIBRATED].mean = 0.1;
    score.error[CS_STEP_CALIBRATED].p90 = 0.2;
    score.error[CS_STEP_PLAIN].mean = 0.3;
    score.error[CS_STEP_PLAIN].p90 = 0.4;
    return score;
}

static int judge(const char *text, const struct cs_step_score *score, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_recorded_lines records;
    int code = cs_record_read((struct cs_doc_text){"s", text, strlen(text)}, &cs_training_record,
                              &arena, &records, err);

    return code ? code : cs_step_records_judge(&records, score, 1, err);
}

TEST(a_mean_may_be_a_point_worse_and_no_more)
{
    struct cs_step_score score = recorded();
    struct cs_err err = {0};

    score.error[CS_STEP_CALIBRATED].mean = 0.1099;
    assert_int_equal(judge(HEAD LINE, &score, &err), 0);
    score.error[CS_STEP_CALIBRATED].mean = 0.1101;
    assert_int_equal(judge(HEAD LINE, &score, &err), CS_EANSWER);
    assert_string_equal(
        err.text, "runs: mean of |error| 11.0 %; recorded is 10.0 %, and a point more passes");
    score = recorded();
    score.error[CS_STEP_PLAIN].p90 = 0.42;
    err = (struct cs_err){0};
    assert_int_equal(judge(HEAD LINE, &score, &err), CS_EANSWER);
}

TEST(a_row_or_choice_that_is_lost_fails)
{
    struct cs_step_score score = recorded();

    score.served = 7;
    assert_refused(judge(HEAD LINE, &score, &err), CS_EANSWER,
                   "runs: 7 rows predicted; recorded are 8");
    score = recorded();
    score.refused = CS_STEP_REFUSED_MAX + 1;
    assert_refused_with(judge(HEAD LINE, &score, &err), CS_EANSWER, "31 jobs exceed the memory");
    score.refused = 0;
    score.found = 18;
    assert_refused_with(judge(HEAD LINE, &score, &err), CS_EANSWER, "found in 18 groups");
}

TEST(a_record_of_another_form_is_refused_with_its_line)
{
    struct cs_step_score score = recorded();

    assert_refused(judge(HEAD "runs,both,9\n", &score, &err), CS_EINPUT,
                   "s:2: 3 cells; expected 31");
    assert_int_equal(judge("table\n", &score, NULL), CS_EINPUT);
}
