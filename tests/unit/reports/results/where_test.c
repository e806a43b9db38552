#include "reports/results/where.h"
#include "tests/unit/reports/sample.h"

/* How many of four runs remain: ring and tree of 1 KiB and 2 KiB. */
static size_t kept(const char *const *conditions, struct cs_err *err)
{
    CS_AT_END(cs_records_free) struct cs_records runs = {0};
    struct cs_where where = {.count = 0};
    size_t count = 0;
    int code = 0;

    for (size_t i = 0; i < 4; i++) {
        struct cs_record run = sample_ring();

        run.algorithm = i % 2 ? "tree" : "ring";
        run.bytes = i < 2 ? 1024 : 2048;
        run.closed_form_s = i < 2 ? 0.25 : (double)NAN;
        cs_records_add(&runs, &run);
    }
    for (; *conditions && !code; conditions++)
        code = cs_where_add(&where, *conditions, err);
    if (!code)
        code = cs_where_filter(&where, &runs, err);
    if (!code)
        count = runs.count;
    return count;
}

static void is_kept(size_t expected, const char *one, const char *two, const char *three)
{
    const char *const conditions[] = {one, two, three, NULL};
    struct cs_err err = {0};

    assert_int_equal(kept(conditions, &err), expected);
}

static void is_refused(const char *condition, const char *why)
{
    const char *const conditions[] = {condition, NULL};
    struct cs_err err = {0};

    assert_int_equal(kept(conditions, &err), 0);
    assert_int_equal(err.code, CS_EINPUT);
    assert_string_equal(err.text, why);
}

TEST(a_run_meets_all_columns_and_one_value_of_each)
{
    is_kept(4, NULL, NULL, NULL);
    is_kept(2, "algorithm=ring", NULL, NULL);
    is_kept(1, "algorithm=ring", "bytes=1KiB", NULL);
    is_kept(2, "bytes=1024", "algorithm=ring", "algorithm=tree");
    is_kept(2, "algorithm!=ring", NULL, NULL);
    is_kept(1, "algorithm!=ring", "bytes=2048", "ranks=8");
}

TEST(numbers_are_compared_as_numbers)
{
    is_kept(4, "time_s=0.00751619276800", NULL, NULL);
    is_kept(4, "time_s=7516.192768us", NULL, NULL);
    is_kept(2, "closed_form_s=2.5e-1", NULL, NULL);
    is_kept(4, "critical_path_wait_s=0.000000192768", NULL, NULL);
    is_kept(4, "verified=true", "seed=18446744073709551615", NULL);
}

TEST(an_empty_value_matches_unknown_values)
{
    is_kept(2, "closed_form_s=", NULL, NULL);
    is_kept(2, "closed_form_s!=", NULL, NULL);
    is_kept(4, "parameters=", NULL, NULL);
}

TEST(mistakes_are_reported_with_the_nearest_name)
{
    is_refused("algoritm=ring", "no column called 'algoritm'; did you mean 'algorithm'?");
    is_refused("algorithm=rnig", "none of the 4 runs has algorithm=rnig; did you mean 'ring'?");
    is_refused("ranks=many", "'ranks=many': expected a number");
    is_refused("bytes=1 KiX", "'bytes=1 KiX': expected a size, such as 64MiB");
    is_refused("verified=maybe", "'verified=maybe': expected true or false");
    is_refused("ring", "'ring': expected COLUMN=VALUE or COLUMN!=VALUE");
    is_refused("=ring", "'=ring': expected COLUMN=VALUE or COLUMN!=VALUE");
}
