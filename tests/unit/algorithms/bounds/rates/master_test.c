/*
 * Mixtures of routings of least congestion, against optima worked out by hand, the proof
 * by prices, and a search over the shares.
 */
#include "algorithms/bounds/rates/master.h"

#include "tests/fixture.h"

static void expect_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9))
        fail_msg("%.12g is not %.12g", value, expected);
}

/* One source, two links of capacities 1 and 3: a quarter and three. */
ARENA_TEST(a_source_splits_by_capacity)
{
    const double capacity[] = {1, 3};
    const double by_first[] = {1, 0};
    const double by_second[] = {0, 1};
    struct cs_master master;

    cs_master_begin(&master, 2, 1, capacity, by_first, arena);
    expect_near(cs_master_theta(&master), 1);
    assert_true(cs_master_enter(&master, 0, by_second));
    assert_true(cs_master_settle(&master));
    expect_near(cs_master_theta(&master), 0.25);
    expect_near(cs_master_price(&master, 0), 0.25);
    expect_near(cs_master_price(&master, 1), 0.25);
    assert_false(cs_master_enter(&master, 0, by_first));
}

/* What a perturbation adds is not in the result. */
ARENA_TEST(a_perturbed_mixture_has_the_same_optimum)
{
    const double capacity[] = {1, 3};
    const double by_first[] = {1, 0};
    const double by_second[] = {0, 1};
    struct cs_master master;

    cs_master_begin(&master, 2, 1, capacity, by_first, arena);
    cs_master_perturb(&master);
    expect_near(cs_master_theta(&master), 1);
    assert_true(cs_master_enter(&master, 0, by_second));
    assert_true(cs_master_settle(&master));
    expect_near(cs_master_theta(&master), 0.25);
    assert_false(cs_master_enter(&master, 0, by_first));
}

/* Two sources share the middle link of three; each has one of its own. */
ARENA_TEST(sources_leave_a_shared_link_half_each)
{
    const double capacity[] = {1, 1, 1};
    const double shared[] = {0, 1, 0, 0, 1, 0};
    const double own_first[] = {1, 0, 0};
    const double own_second[] = {0, 0, 1};
    struct cs_master master;

    cs_master_begin(&master, 3, 2, capacity, shared, arena);
    expect_near(cs_master_theta(&master), 2);
    assert_true(cs_master_settle(&master));
    assert_true(cs_master_enter(&master, 0, own_first));
    assert_true(cs_master_settle(&master));
    assert_true(cs_master_enter(&master, 1, own_second));
    assert_true(cs_master_settle(&master));
    expect_near(cs_master_theta(&master), 2.0 / 3);
    for (uint32_t r = 0; r < 3; r++)
        expect_near(cs_master_price(&master, r), 1.0 / 3);
}

enum {
    RESOURCES = 6,
    SOURCES = 4,
    ROUTINGS = 5
};

/* Routings to choose from, of random loads. */
struct choices {
    uint32_t resources, sources, routings;
    double capacity[RESOURCES];
    double loads[SOURCES][ROUTINGS][RESOURCES];
};

static struct choices random_choices(struct cs_random *random, uint32_t resources, uint32_t sources,
                                     uint32_t routings)
{
    struct choices of = {.resources = resources, .sources = sources, .routings = routings};

    for (uint32_t r = 0; r < of.resources; r++)
        of.capacity[r] = 0.2 + cs_random_unit(random);
    for (uint32_t s = 0; s < of.sources; s++)
        for (uint32_t c = 0; c < of.routings; c++)
            for (uint32_t r = 0; r < of.resources; r++)
                of.loads[s][c][r] = cs_random_below(random, 3) ? cs_random_unit(random) : 0;
    return of;
}

static double cost_of(const struct choices *of, const double *loads, const double *price)
{
    double sum = 0;

    for (uint32_t r = 0; r < of->resources; r++)
        sum += loads[r] * price[r];
    return sum;
}

static const double *cheapest(const struct choices *of, uint32_t s, const double *price)
{
    const double *best = of->loads[s][0];

    for (uint32_t c = 1; c < of->routings; c++)
        if (cost_of(of, of->loads[s][c], price) < cost_of(of, best, price))
            best = of->loads[s][c];
    return best;
}

/* Begins with the first routing of every source; offers the cheapest by the prices until
 * none improves.  Fills the last prices and returns the congestion. */
static double least_congestion(const struct choices *of, double *price)
{
    double first[SOURCES * RESOURCES];
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_master master;
    bool better;

    for (uint32_t s = 0; s < of->sources; s++)
        memcpy(&first[(size_t)s * of->resources], of->loads[s][0], of->resources * sizeof(*first));
    cs_master_begin(&master, of->resources, of->sources, of->capacity, first, &arena);
    do {
        better = false;
        assert_true(cs_master_settle(&master));
        for (uint32_t r = 0; r < of->resources; r++) {
            price[r] = cs_master_price(&master, r);
            assert_true(price[r] >= -1e-9);
        }
        for (uint32_t s = 0; s < of->sources; s++)
            better |= cs_master_enter(&master, s, cheapest(of, s, price));
    } while (better);
    return cs_master_theta(&master);
}

/* Prices of sum 1 by capacity prove that no mixture has less congestion than what the
 * cheapest routings cost. */
TEST(prices_prove_the_congestion)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("master");

    for (uint32_t n = 0; n < 200; n++) {
        struct choices of = random_choices(random, 2 + (uint32_t)cs_random_below(random, 5),
                                           1 + (uint32_t)cs_random_below(random, 4),
                                           1 + (uint32_t)cs_random_below(random, 5));
        double price[RESOURCES], proven = 0;
        double theta = least_congestion(&of, price);

        expect_near(cost_of(&of, of.capacity, price), 1);
        for (uint32_t s = 0; s < of.sources; s++)
            proven += cost_of(&of, cheapest(&of, s, price), price);
        expect_near(theta, proven);
    }
}

enum {
    THIRDS = 60
};

/* The busiest resource, where each source gives a share to the first of two routings. */
static double congestion_of(const struct choices *of, const double *share)
{
    double most = 0;

    for (uint32_t r = 0; r < of->resources; r++) {
        double load = 0;

        for (uint32_t s = 0; s < of->sources; s++)
            load += share[s] * of->loads[s][0][r] + (1 - share[s]) * of->loads[s][1][r];
        most = fmax(most, load / of->capacity[r]);
    }
    return most;
}

static double with_share(const struct choices *of, double *share, uint32_t s, double value);

/* The least over the shares of source s and of those behind it.  It is convex in a share,
 * so that thirds of the range close in on it. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as there are sources */
static double least_by_thirds(const struct choices *of, double *share, uint32_t s)
{
    double from = 0, to = 1;

    if (s == of->sources)
        return congestion_of(of, share);
    for (uint32_t i = 0; i < THIRDS; i++) {
        double a = from + (to - from) / 3, b = to - (to - from) / 3;

        if (with_share(of, share, s, a) < with_share(of, share, s, b))
            to = b;
        else
            from = a;
    }
    return with_share(of, share, s, (from + to) / 2);
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static double with_share(const struct choices *of, double *share, uint32_t s, double value)
{
    share[s] = value;
    return least_by_thirds(of, share, s + 1);
}

TEST(mixtures_of_two_by_two_have_the_least_congestion)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("thirds");

    for (uint32_t n = 0; n < 20; n++) {
        struct choices of = random_choices(random, 5, 2, 2);
        double price[RESOURCES], share[SOURCES];

        expect_near(least_congestion(&of, price), least_by_thirds(&of, share, 0));
    }
}
