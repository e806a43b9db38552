#include "sim/engine/progress.h"
#include "sim/models/fluid/maxmin.h"

#include "tests/fixture.h"

struct rates {
    struct cs_maxmin maxmin;
};

static void rates_open(struct rates *rates, const double *capacity_Bps, uint32_t resources)
{
    *rates = (struct rates){0};
    cs_maxmin_open(&rates->maxmin, capacity_Bps, resources);
}

static void rates_close(struct rates *rates)
{
    cs_maxmin_free(&rates->maxmin);
}

/* A flow over servers a, and b unless it is the same. */
static double add(struct rates *rates, uint32_t flow, uint32_t a, uint32_t b)
{
    const struct cs_maxmin_use uses[] = {{a, 1}, {b, 1}};

    return cs_maxmin_add(&rates->maxmin, flow, uses, a == b ? 1 : 2, (double)INFINITY);
}

static void expect_rate(const struct rates *rates, uint32_t flow, double rate_Bps)
{
    /* A few roundings. */
    assert_true(fabs(cs_maxmin_rate_Bps(&rates->maxmin, flow) - rate_Bps) <= 1e-14 * rate_Bps);
}

#define RATES_TEST(name) TEST_OF(struct rates, rates, rates_close, name)

/* Two links in a row: one flow over both, one over each. */
RATES_TEST(a_parking_lot_is_shared_as_the_books_say)
{
    const double capacity_Bps[] = {1, 2};

    rates_open(rates, capacity_Bps, 2);
    add(rates, 0, 0, 1);
    add(rates, 1, 0, 0);
    add(rates, 2, 1, 1);
    assert_true(cs_maxmin_stale(&rates->maxmin));
    cs_maxmin_solve(&rates->maxmin);
    assert_false(cs_maxmin_stale(&rates->maxmin));
    expect_rate(rates, 0, 0.5);
    expect_rate(rates, 1, 0.5);
    expect_rate(rates, 2, 1.5);
}

/* A chain in which each server has to be set right in turn, without the visits
 * for it. */
TEST(a_solve_that_does_not_settle_fills_all_rates_anew)
{
    enum {
        CHAIN = 40
    };
    double capacity_Bps[CHAIN];
    CS_AT_END(rates_close) struct rates settled, filled;

    for (uint32_t i = 0; i < CHAIN; i++)
        capacity_Bps[i] = 1 + i;
    rates_open(&settled, capacity_Bps, CHAIN);
    rates_open(&filled, capacity_Bps, CHAIN);
    filled.maxmin.visits_max = 0;
    for (uint32_t i = 0; i + 1 < CHAIN; i++) {
        add(&settled, i, i, i + 1);
        add(&filled, i, i, i + 1);
    }
    cs_maxmin_solve(&settled.maxmin);
    cs_maxmin_solve(&filled.maxmin);
    assert_int_equal(settled.maxmin.filled, 0);
    assert_int_equal(filled.maxmin.filled, 1);
    assert_false(cs_maxmin_stale(&filled.maxmin));
    for (uint32_t i = 0; i + 1 < CHAIN; i++)
        expect_rate(&filled, i, cs_maxmin_rate_Bps(&settled.maxmin, i));
}

/* Counts the questions; stops at the number `stop_at`, or never at 0. */
struct questions {
    uint64_t asked, stop_at;
};

static bool count_question(void *ctx, const struct cs_progress *progress)
{
    struct questions *questions = ctx;

    (void)progress;
    return ++questions->asked != questions->stop_at;
}

/* A parking lot of many links: each is settled at least once. */
static bool solve_long(struct questions *questions, uint64_t *looked)
{
    enum {
        LINKS = 400
    };
    const struct cs_monitor monitor = {count_question, questions};
    double capacity_Bps[LINKS];
    CS_AT_END(rates_close) struct rates rates;
    bool solved;

    for (uint32_t i = 0; i < LINKS; i++)
        capacity_Bps[i] = 1 + i;
    rates_open(&rates, capacity_Bps, LINKS);
    rates.maxmin.monitor = &monitor;
    for (uint32_t i = 0; i + 1 < LINKS; i++)
        add(&rates, i, i, i + 1);
    solved = cs_maxmin_solve(&rates.maxmin);
    *looked = rates.maxmin.looked;
    return solved;
}

/* A visit may take a millisecond: a stop is heard within 16. */
TEST(a_long_solve_asks_at_every_sixteenth_visit_and_stops)
{
    struct questions questions = {0};
    uint64_t looked;

    assert_true(solve_long(&questions, &looked));
    assert_true(looked >= 400);
    assert_int_equal(questions.asked, looked / 16);
    questions = (struct questions){.stop_at = 3};
    assert_false(solve_long(&questions, &looked));
    assert_int_equal(questions.asked, 3);
    assert_true(looked < (uint64_t)3 * 16);
}

/*
 * Two resources, almost all of each taken by a flow at its limit, and a light
 * flow over both of them in the rest: what is left is known to 1e-16 of the
 * capacity only, which is 1e-4 of the rest.  Capacities are not exceeded for it.
 */
TEST(rounding_of_a_heavy_flow_does_not_overload_a_resource)
{
    const double capacity_Bps[] = {1e9 * (1 + 1e-12), 1e9 * (1 + 1e-12)};
    const double limit_Bps = 1e9;
    struct rates rates;

    for (uint32_t visits_max = 0; visits_max < 2; visits_max++) {
        double light_Bps;

        rates_open(&rates, capacity_Bps, 2);
        rates.maxmin.visits_max = visits_max;
        for (uint32_t i = 0; i < 2; i++)
            cs_maxmin_add(&rates.maxmin, i, (struct cs_maxmin_use[]){{i, 1}, {i, 0.05}}, 2,
                          limit_Bps);
        for (uint32_t i = 2; i < 6; i++)
            cs_maxmin_add(&rates.maxmin, i,
                          (struct cs_maxmin_use[]){{i % 2, 1e-13}, {1 - i % 2, 5e-15}}, 2,
                          (double)INFINITY);
        cs_maxmin_solve(&rates.maxmin);
        assert_false(cs_maxmin_stale(&rates.maxmin));
        light_Bps = cs_maxmin_rate_Bps(&rates.maxmin, 2);
        assert_true(1.05 * cs_maxmin_rate_Bps(&rates.maxmin, 0) +
                        (2 * 1e-13 + 2 * 5e-15) * light_Bps <=
                    1e9 * (1 + 1e-11));
        rates_close(&rates);
    }
}

RATES_TEST(an_unused_resource_can_be_resized)
{
    const double capacity_Bps[] = {1, 2};

    rates_open(rates, capacity_Bps, 2);
    add(rates, 0, 0, 1);
    add(rates, 1, 0, 0);
    cs_maxmin_solve(&rates->maxmin);
    cs_maxmin_remove(&rates->maxmin, 0);
    cs_maxmin_remove(&rates->maxmin, 1);
    cs_maxmin_resize(&rates->maxmin, 0, 8);
    add(rates, 0, 0, 1);
    add(rates, 1, 0, 0);
    cs_maxmin_solve(&rates->maxmin);
    expect_rate(rates, 0, 2);
    expect_rate(rates, 1, 6);
}

enum {
    NODES = 2,
    GPUS = 4, /* of a node */
    ALL = NODES * GPUS,
};

/* Servers of a GPU: to and from its node, to and from its own NIC. */
enum {
    NVLINK_OUT,
    NVLINK_IN,
    NIC_OUT,
    NIC_IN,
    PORTS,
};

static void add_pair(struct rates *rates, uint32_t src, uint32_t dst)
{
    const struct cs_maxmin_use uses[] = {{src * PORTS + NVLINK_OUT, 1},
                                         {dst * PORTS + NVLINK_IN, 1},
                                         {src * PORTS + NIC_OUT, 1},
                                         {dst * PORTS + NIC_IN, 1}};

    cs_maxmin_add(&rates->maxmin, src * ALL + dst, uses, src / GPUS == dst / GPUS ? 2 : 4,
                  (double)INFINITY);
}

/* Two nodes of four GPUs, NVLink 300 GB/s and NIC 25 GB/s each: the four flows
 * to the other node share the NIC, the three in the node what that leaves. */
RATES_TEST(an_all_to_all_on_two_levels_is_limited_by_nics_then_nvlink)
{
    double capacity_Bps[ALL * PORTS];

    for (uint32_t i = 0; i < ALL * PORTS; i++)
        capacity_Bps[i] = i % PORTS < NIC_OUT ? 300e9 : 25e9;
    rates_open(rates, capacity_Bps, ALL * PORTS);
    for (uint32_t src = 0; src < ALL; src++)
        for (uint32_t dst = 0; dst < ALL; dst++)
            if (dst != src)
                add_pair(rates, src, dst);
    cs_maxmin_solve(&rates->maxmin);
    for (uint32_t src = 0; src < ALL; src++)
        for (uint32_t dst = 0; dst < ALL; dst++)
            if (dst != src)
                expect_rate(rates, src * ALL + dst,
                            src / GPUS == dst / GPUS ? 275e9 / 3 : 25e9 / 4);
}

RATES_TEST(flows_with_room_are_at_their_limit_and_nothing_is_solved)
{
    const double capacity_Bps[] = {8, 4, 4, 4, 3};

    rates_open(rates, capacity_Bps, 5);
    /* Together they fill server 0 exactly. */
    assert_within(add(rates, 0, 0, 1), 4, 0);
    assert_within(add(rates, 1, 0, 2), 4, 0);
    assert_false(cs_maxmin_stale(&rates->maxmin));
    /* One more does not fit. */
    assert_within(add(rates, 2, 0, 3), 0, 0);
    assert_true(cs_maxmin_stale(&rates->maxmin));
    cs_maxmin_remove(&rates->maxmin, 2);
    cs_maxmin_solve(&rates->maxmin);
    expect_rate(rates, 0, 4);
    assert_int_equal(rates->maxmin.last.changed_count, 0);
}

/* Thirds of a capacity are not whole in binary; three of them still fit. */
TEST(equal_parts_of_a_resource_fit_it)
{
    for (uint32_t parts = 1; parts <= 16; parts++) {
        const double capacity_Bps[] = {25e9 * parts, 25e9};
        CS_AT_END(rates_close) struct rates rates;
        double resources_Bps[17];

        for (uint32_t i = 0; i < 17; i++)
            resources_Bps[i] = capacity_Bps[i > 0];
        rates_open(&rates, resources_Bps, 17);
        for (uint32_t i = 0; i < parts; i++)
            assert_within(add(&rates, i, 0, 1 + i), 25e9, 0);
        assert_false(cs_maxmin_stale(&rates.maxmin));
    }
}

RATES_TEST(only_what_is_affected_is_visited)
{
    const double capacity_Bps[] = {1, 1, 1, 100};
    uint64_t looked;

    rates_open(rates, capacity_Bps, 4);
    add(rates, 0, 0, 3);
    add(rates, 1, 0, 3);
    add(rates, 2, 1, 3);
    add(rates, 3, 1, 3);
    cs_maxmin_solve(&rates->maxmin);
    assert_int_equal(rates->maxmin.last.changed_count, 2);
    looked = rates->maxmin.looked;
    /* All meet at server 3, which has room for all of them. */
    cs_maxmin_remove(&rates->maxmin, 0);
    cs_maxmin_solve(&rates->maxmin);
    assert_int_equal(rates->maxmin.last.moved_count, 0);
    assert_int_equal(rates->maxmin.last.changed_count, 1);
    assert_int_equal(rates->maxmin.last.changed[0], 0);
    assert_int_equal(rates->maxmin.looked, looked + 1);
    expect_rate(rates, 1, 1);
    expect_rate(rates, 2, 0.5);
}

/* One number changes, whoever it concerns. */
RATES_TEST(a_level_is_that_of_all_that_the_resource_holds)
{
    const double capacity_Bps[] = {10, 100};
    uint64_t looked;

    rates_open(rates, capacity_Bps, 2);
    for (uint32_t i = 0; i < 1000; i++)
        add(rates, i, 0, 1);
    cs_maxmin_solve(&rates->maxmin);
    looked = rates->maxmin.looked;
    cs_maxmin_remove(&rates->maxmin, 0);
    cs_maxmin_solve(&rates->maxmin);
    assert_int_equal(rates->maxmin.last.moved_count, 0);
    assert_int_equal(rates->maxmin.last.changed_count, 1);
    assert_int_equal(rates->maxmin.looked, looked + 1);
    for (uint32_t i = 1; i < 1000; i++) {
        assert_int_equal(cs_maxmin_holder(&rates->maxmin, i), 0);
        expect_rate(rates, i, 10.0 / 999);
    }
}

RATES_TEST(a_resource_that_is_crossed_twice_counts_twice)
{
    const double capacity_Bps[] = {12, 12};
    const struct cs_maxmin_use twice[] = {{0, 1}, {1, 1}, {0, 1}};

    rates_open(rates, capacity_Bps, 2);
    assert_within(cs_maxmin_add(&rates->maxmin, 0, twice, 3, (double)INFINITY), 6, 0);
    add(rates, 1, 0, 0);
    cs_maxmin_solve(&rates->maxmin);
    expect_rate(rates, 0, 4);
    expect_rate(rates, 1, 4);
}

RATES_TEST(a_slow_link_takes_more_of_a_shared_resource)
{
    const double capacity_Bps[] = {10};
    const struct cs_maxmin_use slow = {0, 4};

    rates_open(rates, capacity_Bps, 1);
    assert_within(cs_maxmin_add(&rates->maxmin, 0, &slow, 1, (double)INFINITY), 2.5, 0);
    add(rates, 1, 0, 0);
    cs_maxmin_solve(&rates->maxmin);
    expect_rate(rates, 0, 2);
    expect_rate(rates, 1, 2);
}

RATES_TEST(what_a_limit_leaves_is_for_the_others)
{
    const double capacity_Bps[] = {10};
    const struct cs_maxmin_use use = {0, 1};

    rates_open(rates, capacity_Bps, 1);
    cs_maxmin_add(&rates->maxmin, 0, &use, 1, 1);
    cs_maxmin_add(&rates->maxmin, 1, &use, 1, 6);
    add(rates, 2, 0, 0);
    cs_maxmin_solve(&rates->maxmin);
    expect_rate(rates, 0, 1);
    expect_rate(rates, 1, 4.5);
    expect_rate(rates, 2, 4.5);
    assert_within(cs_maxmin_limit_Bps(&rates->maxmin, 1), 6, 0);
}

/* Numbers and routes larger than any before. */
RATES_TEST(room_grows_with_numbers_and_routes)
{
    double capacity_Bps[20];
    struct cs_maxmin_use uses[20];

    for (uint32_t i = 0; i < 20; i++) {
        capacity_Bps[i] = 6;
        uses[i] = (struct cs_maxmin_use){i, 1};
    }
    rates_open(rates, capacity_Bps, 20);
    add(rates, 3, 0, 1);
    cs_maxmin_add(&rates->maxmin, 1000, uses, 20, (double)INFINITY);
    cs_maxmin_add(&rates->maxmin, 4, uses, 20, (double)INFINITY);
    cs_maxmin_solve(&rates->maxmin);
    expect_rate(rates, 3, 2);
    expect_rate(rates, 1000, 2);
    cs_maxmin_remove(&rates->maxmin, 1000);
    cs_maxmin_solve(&rates->maxmin);
    expect_rate(rates, 3, 3);
    expect_rate(rates, 4, 3);
}
