/* Registered predictions: older than the run, and still the model's. */
#include "validate/gpu/comparison.h"

#include "tests/unit/validate/synthetic.h"

static const char noon[] = "2026-11-22T12:00:00Z";
static const char one[] = "2026-11-22T13:00:00Z";

static void predict(struct cs_measurements *all, double time_s, const char *date)
{
    struct cs_measured line = synthetic_run("ring", 4, 4096, time_s);

    line.kind = CS_MEASURED_PREDICTED;
    line.date = date;
    synthetic_add(all, line);
}

static struct cs_measured measured(const char *date)
{
    CS_AT_END(cs_measurements_free) struct cs_measurements one_line = {0};
    struct cs_measured run = synthetic_run("ring", 4, 4096, 2e-5);

    run.date = date;
    synthetic_add(&one_line, run);
    return one_line.items[0];
}

TEST(the_strongest_of_several_lines_counts)
{
    CS_AT_END(cs_measurements_free) struct cs_measurements all = {0};
    struct cs_measured run = measured(one);
    const struct cs_measured *written;

    assert_int_equal(cs_registration_find(&all, &run, 1e-5, &written), CS_REGISTERED_NOT);
    assert_null(written);
    predict(&all, 3e-5, noon);
    assert_int_equal(cs_registration_find(&all, &run, 1e-5, &written), CS_REGISTERED_CHANGED);
    predict(&all, 1e-5, "2026-11-22T14:00:00Z");
    assert_int_equal(cs_registration_find(&all, &run, 1e-5, &written), CS_REGISTERED_AFTER);
    assert_ptr_equal(written, &all.items[1]);
    predict(&all, 1e-5, noon);
    assert_int_equal(cs_registration_find(&all, &run, 1e-5, &written), CS_REGISTERED_BEFORE);
    assert_ptr_equal(written, &all.items[2]);
}

TEST(a_skipped_size_matches_any_number_of_channels)
{
    struct cs_measured run = measured(noon);
    struct cs_measured other = run;

    other.run.channels = 8;
    assert_false(cs_registration_same_run(&run, &other));
    other.run.channels = 0;
    assert_true(cs_registration_same_run(&run, &other));
    other.run.delay_s = 2e-5;
    assert_false(cs_registration_same_run(&run, &other));
    run.run.delay_s = 2e-5;
    assert_true(cs_registration_same_run(&run, &other));
    other.run.delay_rank = 1;
    assert_false(cs_registration_same_run(&run, &other));
    other.run.delay_rank = 0;
    other.work.dtype = "fp16";
    assert_false(cs_registration_same_run(&run, &other));
}

TEST(only_earlier_lines_plan_a_run)
{
    CS_AT_END(cs_measurements_free) struct cs_measurements all = {0};
    struct cs_measured run = measured(one);

    predict(&all, 1e-5, noon);
    assert_false(cs_registration_is_planned(&all, 0, &run));
    assert_true(cs_registration_is_planned(&all, 1, &run));
    run.work.bytes *= 2;
    assert_false(cs_registration_is_planned(&all, 1, &run));
}
