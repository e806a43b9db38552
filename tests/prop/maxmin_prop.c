/*
 * Max-min rates, flow by flow: while flows come and go, the solver that looks
 * only at what is affected gives the rates that filling everything anew gives.
 */
#include "sim/models/fluid/maxmin.h"

#include "tests/prop/filling.h"

enum {
    WORLDS = 300,
    CHANGES = 60, /* of each world */
    ROUTE_MAX = 6,
    USES_MAX = 2 * ROUTE_MAX, /* with the route back */
};

/* A flow's route, for both solvers. */
struct route_of {
    struct cs_maxmin_use uses[USES_MAX];
    uint32_t count;
    double limit_Bps;
};

struct trial {
    struct cs_random *random;
    struct filling plain;
    struct cs_maxmin maxmin;
    struct route_of routes[FILLING_FLOWS];
    bool integral; /* weights are 1: many things tie */
    /* Weights of up to a million to one, and 5 % of each flow on a route back, as
     * in model simgrid. */
    bool wide;
};

static void expect(bool holds, uint32_t world, const char *what)
{
    if (!holds)
        fail_msg("COLLSIM_SEED=%" PRIu64 ", world %u: %s", fixture_seed(), world, what);
}

static uint64_t below(struct trial *trial, uint64_t limit)
{
    return cs_random_below(trial->random, limit);
}

/* As close as rates must be: rounding, times the flows of a world. */
static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * b;
}

static void trial_open(struct trial *trial, struct cs_random *random, bool wide)
{
    *trial = (struct trial){.random = random};
    trial->integral = below(trial, 2);
    trial->wide = wide;
    trial->plain.flows = 1 + (uint32_t)below(trial, FILLING_FLOWS);
    trial->plain.resources = 1 + (uint32_t)below(trial, 24);
    for (uint32_t s = 0; s < trial->plain.resources; s++)
        trial->plain.capacity_Bps[s] = trial->integral ? 1e9 * (double)(1 + below(trial, 4))
                                                       : 1e9 * (0.1 + 40 * cs_random_unit(random));
    cs_maxmin_open(&trial->maxmin, trial->plain.capacity_Bps, trial->plain.resources);
    if (below(trial, 2)) /* all rates anew, at once or soon */
        trial->maxmin.visits_max = (uint32_t)below(trial, 2);
}

static void trial_close(struct trial *trial)
{
    cs_maxmin_free(&trial->maxmin);
}

static void widen_route(struct trial *trial, struct route_of *route)
{
    double penalty = pow(10, 6 * cs_random_unit(trial->random));
    uint32_t hops = route->count;

    for (uint32_t i = 0; i < hops; i++) {
        route->uses[i].weight /= penalty;
        route->uses[route->count++] =
            (struct cs_maxmin_use){(uint32_t)below(trial, trial->plain.resources), 0.05 / penalty};
    }
    route->limit_Bps *= penalty;
}

/* A route that may cross a server more than once. */
static void draw_route(struct trial *trial, struct route_of *route)
{
    route->count = 1 + (uint32_t)below(trial, ROUTE_MAX);
    for (uint32_t i = 0; i < route->count; i++)
        route->uses[i] =
            (struct cs_maxmin_use){(uint32_t)below(trial, trial->plain.resources),
                                   trial->integral ? 1 : 1 + 3 * cs_random_unit(trial->random)};
    route->limit_Bps =
        below(trial, 4) ? (double)INFINITY : 3e9 * (0.01 + cs_random_unit(trial->random));
    if (trial->wide)
        widen_route(trial, route);
}

static void add(struct trial *trial, uint32_t flow)
{
    const struct route_of *route = &trial->routes[flow];

    trial->plain.display[flow] = true;
    trial->plain.limit_Bps[flow] = route->limit_Bps;
    memset(trial->plain.weight[flow], 0, sizeof(trial->plain.weight[flow]));
    for (uint32_t i = 0; i < route->count; i++)
        trial->plain.weight[flow][route->uses[i].resource] += route->uses[i].weight;
    cs_maxmin_add(&trial->maxmin, flow, route->uses, route->count, route->limit_Bps);
}

static void drop(struct trial *trial, uint32_t flow)
{
    trial->plain.display[flow] = false;
    trial->plain.rate_Bps[flow] = 0;
    cs_maxmin_remove(&trial->maxmin, flow);
}

/* A few flows come or go at once. */
static void change(struct trial *trial)
{
    uint32_t count = 1 + (uint32_t)below(trial, 3);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t flow = (uint32_t)below(trial, trial->plain.flows);

        if (trial->plain.display[flow]) {
            drop(trial, flow);
        } else {
            draw_route(trial, &trial->routes[flow]);
            add(trial, flow);
        }
    }
}

static void settle(struct trial *trial)
{
    if (cs_maxmin_stale(&trial->maxmin))
        cs_maxmin_solve(&trial->maxmin);
}

static void compare(const struct trial *trial, uint32_t world)
{
    const struct filling *plain = &trial->plain;

    for (uint32_t f = 0; f < plain->flows; f++)
        if (plain->display[f]) {
            expect(is_near(cs_maxmin_rate_Bps(&trial->maxmin, f), plain->rate_Bps[f]), world,
                   "a rate differs from that of filling everything");
            expect(cs_maxmin_rate_Bps(&trial->maxmin, f) <= plain->limit_Bps[f], world,
                   "a flow is faster than its limit");
        }
}

/* What max-min fair means: no server carries more than it can, and every flow
 * is at its limit or crosses a full server on which no flow is faster, but for
 * rounding: of a rate, and of the server's capacity. */
static void check_fairness(const struct trial *trial, uint32_t world)
{
    const struct filling *plain = &trial->plain;
    bool held[FILLING_FLOWS] = {0};

    for (uint32_t s = 0; s < plain->resources; s++) {
        double taken_Bps = 0;
        double fastest_Bps = 0;

        for (uint32_t f = 0; f < plain->flows; f++) {
            double rate_Bps;

            if (!plain->display[f] || plain->weight[f][s] <= 0)
                continue;
            rate_Bps = cs_maxmin_rate_Bps(&trial->maxmin, f);
            taken_Bps += plain->weight[f][s] * rate_Bps;
            fastest_Bps = fmax(fastest_Bps, rate_Bps);
        }
        expect(taken_Bps <= plain->capacity_Bps[s] * (1 + 1e-9), world,
               "a server is over its rate");
        for (uint32_t f = 0; f < plain->flows; f++)
            held[f] |=
                plain->display[f] && plain->weight[f][s] > 0 &&
                is_near(taken_Bps, plain->capacity_Bps[s]) &&
                fastest_Bps - cs_maxmin_rate_Bps(&trial->maxmin, f) <=
                    1e-9 * fastest_Bps + 1e-11 * plain->capacity_Bps[s] / plain->weight[f][s];
    }
    for (uint32_t f = 0; f < plain->flows; f++)
        expect(!plain->display[f] || held[f] ||
                   is_near(cs_maxmin_rate_Bps(&trial->maxmin, f),
                           cs_maxmin_limit_Bps(&trial->maxmin, f)),
               world, "a flow could be faster");
}

TEST(solving_what_is_affected_is_solving_everything)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("maxmin");
    struct trial *trial = malloc(sizeof(*trial));

    assert_non_null(trial);
    for (uint32_t world = 0; world < WORLDS; world++) {
        trial_open(trial, random, false);
        for (uint32_t i = 0; i < CHANGES; i++) {
            change(trial);
            settle(trial);
            filling_solve(&trial->plain);
            compare(trial, world);
            check_fairness(trial, world);
        }
        trial_close(trial);
    }
    free(trial);
}

/* Rates settle, by construction, where levels are uncertain, too. */
TEST(rates_of_very_different_weights_are_fair)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("wide");
    struct trial *trial = malloc(sizeof(*trial));

    assert_non_null(trial);
    for (uint32_t world = 0; world < WORLDS; world++) {
        trial_open(trial, random, true);
        for (uint32_t i = 0; i < CHANGES; i++) {
            change(trial);
            settle(trial);
            expect(!cs_maxmin_stale(&trial->maxmin), world, "does not settle");
            check_fairness(trial, world);
        }
        trial_close(trial);
    }
    free(trial);
}

/* Sums that are kept up to date are as good as new ones, and nothing that was
 * ever taken is left. */
TEST(rates_do_not_drift)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("drift");
    struct trial *trial = malloc(sizeof(*trial));

    assert_non_null(trial);
    for (uint32_t world = 0; world < 20; world++) {
        trial_open(trial, random, false);
        for (uint32_t i = 0; i < 5000; i++) {
            change(trial);
            settle(trial);
        }
        filling_solve(&trial->plain);
        compare(trial, world);
        check_fairness(trial, world);
        trial_close(trial);
    }
    free(trial);
}

/* Adds the flows of `trial` in another order, to servers with other numbers
 * and capacities `scale` times as large. */
static void check_reordered(struct trial *trial, uint32_t world, double scale)
{
    uint32_t resources = trial->plain.resources;
    uint32_t flows = trial->plain.flows;
    double capacity_Bps[FILLING_RESOURCES];
    uint32_t turn = (uint32_t)below(trial, flows);
    CS_AT_END(cs_maxmin_free) struct cs_maxmin other;

    for (uint32_t s = 0; s < resources; s++)
        capacity_Bps[resources - 1 - s] = scale * trial->plain.capacity_Bps[s];
    cs_maxmin_open(&other, capacity_Bps, resources);
    for (uint32_t i = 0; i < flows; i++) {
        uint32_t f = (turn + flows - i) % flows;
        struct route_of route = trial->routes[f];

        for (uint32_t k = 0; k < route.count; k++)
            route.uses[k].resource = resources - 1 - route.uses[k].resource;
        if (trial->plain.display[f])
            cs_maxmin_add(&other, f, route.uses, route.count, scale * route.limit_Bps);
    }
    if (cs_maxmin_stale(&other))
        cs_maxmin_solve(&other);
    for (uint32_t f = 0; f < flows; f++)
        if (trial->plain.display[f])
            expect(is_near(cs_maxmin_rate_Bps(&other, f),
                           scale * cs_maxmin_rate_Bps(&trial->maxmin, f)),
                   world, "a rate depends on numbers, order or scale");
}

TEST(numbers_order_and_scale_do_not_matter)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("reordered");
    struct trial *trial = malloc(sizeof(*trial));

    assert_non_null(trial);
    for (uint32_t world = 0; world < WORLDS; world++) {
        trial_open(trial, random, false);
        for (uint32_t i = 0; i < CHANGES; i++)
            change(trial);
        settle(trial);
        check_reordered(trial, world, 1);
        check_reordered(trial, world, 3.7);
        trial_close(trial);
    }
    free(trial);
}
