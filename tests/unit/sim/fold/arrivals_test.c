#include "sim/fold/arrivals.h"

#include "tests/fixture.h"

static struct cs_path at(uint64_t latency_ps, uint64_t wait_ps)
{
    return (struct cs_path){.latency_ps = latency_ps, .wait_ps = wait_ps};
}

static void add(struct cs_arrivals *arrivals, uint64_t latency_ps)
{
    struct cs_path path = at(latency_ps, 0);

    cs_arrivals_add(arrivals, &path);
}

static void expect_next(struct cs_arrivals *arrivals, uint64_t latency_ps)
{
    struct cs_path path;

    assert_true(cs_arrivals_take(arrivals, &path));
    assert_int_equal(path.latency_ps, latency_ps);
}

static void expect_none(struct cs_arrivals *arrivals)
{
    struct cs_path path;

    assert_false(cs_arrivals_take(arrivals, &path));
    cs_arrivals_free(arrivals);
}

TEST(arrivals_leave_in_their_order)
{
    static const uint64_t times_ps[] = {1, 4, 7, 10, 11, 20, 29, 31};
    CS_AT_END(expect_none) struct cs_arrivals arrivals = {0};

    for (size_t i = 0; i < 8; i++)
        add(&arrivals, times_ps[i]);
    assert_int_equal(arrivals.count - arrivals.first, 3);
    for (size_t i = 0; i < 8; i++)
        expect_next(&arrivals, times_ps[i]);
}

TEST(periods_are_one_entry)
{
    const struct cs_path first[] = {{.latency_ps = 3}, {.latency_ps = 5}};
    const struct cs_path next[] = {{.latency_ps = 33}, {.latency_ps = 35}};
    const struct cs_path growth[] = {{.latency_ps = 10}, {.latency_ps = 10}};
    CS_AT_END(expect_none) struct cs_arrivals arrivals = {0};

    cs_arrivals_repeat(&arrivals, first, growth, 2, 3);
    cs_arrivals_repeat(&arrivals, next, growth, 2, 1000);
    assert_int_equal(arrivals.count, 2);
    expect_next(&arrivals, 3);
    expect_next(&arrivals, 5);
    expect_next(&arrivals, 13);
    cs_arrivals_skip(&arrivals, 2, 1001);
    expect_next(&arrivals, 10025);
}

static void expect_at(struct cs_arrivals *arrivals, uint64_t number, uint64_t latency_ps)
{
    struct cs_path path;

    assert_true(cs_arrivals_peek(arrivals, number, &path));
    assert_int_equal(path.latency_ps, latency_ps);
}

TEST(arrivals_are_seen_before_they_are_taken)
{
    const struct cs_path first[] = {{.latency_ps = 3}, {.latency_ps = 5}};
    const struct cs_path growth[] = {{.latency_ps = 10}, {.latency_ps = 10}};
    CS_AT_END(cs_arrivals_free) struct cs_arrivals arrivals = {0};
    struct cs_path path;

    assert_false(cs_arrivals_peek(&arrivals, 0, &path));
    cs_arrivals_repeat(&arrivals, first, growth, 2, 100);
    add(&arrivals, 2000);
    expect_next(&arrivals, 3);
    expect_at(&arrivals, 0, 5);
    expect_at(&arrivals, 1, 13);
    expect_at(&arrivals, 198, 995);
    expect_at(&arrivals, 199, 2000);
    assert_false(cs_arrivals_peek(&arrivals, 200, &path));
}

TEST(periods_count_where_every_part_grows_as_asked)
{
    const struct cs_path growth = at(10, 0);
    const struct cs_path waits = at(9, 1);
    CS_AT_END(cs_arrivals_free) struct cs_arrivals arrivals = {0};
    struct cs_path last;

    for (uint64_t i = 0; i < 100; i++)
        add(&arrivals, 10 * i);
    assert_true(cs_arrivals_take(&arrivals, &last));
    assert_int_equal(cs_arrivals_periods(&arrivals, &last, &growth, 1), 99);
    assert_int_equal(cs_arrivals_periods(&arrivals, &last, &waits, 1), 0);
    last.latency_ps++;
    assert_int_equal(cs_arrivals_periods(&arrivals, &last, &growth, 1), 0);
}

/* The arrivals of the period before are to be of the same run. */
TEST(periods_of_several_arrivals_follow_a_whole_one)
{
    const struct cs_path growth = at(30, 0);
    CS_AT_END(cs_arrivals_free) struct cs_arrivals arrivals = {0};
    struct cs_path last;

    for (uint64_t i = 0; i < 100; i++)
        add(&arrivals, 10 * i);
    for (uint64_t i = 0; i < 4; i++) {
        assert_true(cs_arrivals_take(&arrivals, &last));
        assert_int_equal(cs_arrivals_periods(&arrivals, &last, &growth, 3), i < 3 ? 0 : 32);
    }
}

/* What waits, and what will, is of one period. */
TEST(further_periods_go_on)
{
    const struct cs_path growth = at(10, 0);
    const struct cs_path next = at(1000, 0);
    const struct cs_path late = at(1001, 0);
    CS_AT_END(cs_arrivals_free) struct cs_arrivals arrivals = {0};
    struct cs_path last;

    for (uint64_t i = 0; i < 100; i++)
        add(&arrivals, 10 * i);
    assert_int_equal(cs_arrivals_next(&arrivals)->latency_ps, 0);
    for (uint64_t i = 0; i < 100; i++) {
        assert_true(cs_arrivals_take(&arrivals, &last));
        assert_true(cs_arrivals_go_on(&arrivals, &last, &growth, &next, &growth, 1));
        assert_false(cs_arrivals_go_on(&arrivals, &last, &growth, &late, &growth, 1));
    }
    assert_null(cs_arrivals_next(&arrivals));
    add(&arrivals, 1001);
    assert_false(cs_arrivals_go_on(&arrivals, &last, &growth, &next, &growth, 1));
}
