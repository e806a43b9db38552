/* The cheapest spanning tree: of all trees of small graphs, and along cycles. */
#include "algorithms/shared/trees/spanning.h"

#include "tests/fixture.h"

enum {
    GRAPHS = 300,
    VERTICES_MAX = 6
};

/* Whether the parents lead every vertex to the root. */
static bool spans(const uint32_t *parent, uint32_t n, uint32_t root)
{
    for (uint32_t v = 0; v < n; v++) {
        uint32_t at = v;
        uint32_t steps = 0;

        while (at != root && ++steps <= n)
            at = parent[at];
        if (at != root)
            return false;
    }
    return true;
}

static double cost_of(const double *costs, uint32_t n, const uint32_t *parent, uint32_t root)
{
    double sum = 0;

    for (uint32_t v = 0; v < n; v++)
        if (v != root)
            sum += costs[parent[v] * n + v];
    return sum;
}

/* The least cost over all choices of a parent for each vertex. */
static double least_cost(const double *costs, uint32_t n, uint32_t root)
{
    double least = (double)INFINITY;
    uint64_t choices = 1;

    for (uint32_t v = 0; v < n; v++)
        choices *= n;
    for (uint64_t choice = 0; choice < choices; choice++) {
        uint32_t parent[VERTICES_MAX];
        uint64_t rest = choice;

        for (uint32_t v = 0; v < n; v++, rest /= n)
            parent[v] = (uint32_t)(rest % n);
        if (spans(parent, n, root))
            least = fmin(least, cost_of(costs, n, parent, root));
    }
    return least;
}

TEST(the_tree_costs_no_more_than_any_other)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("spanning");

    for (int g = 0; g < GRAPHS; g++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_spanning spanning;
        uint32_t n = 2 + cs_random_below(random, g % 20 ? 4 : 5);
        uint32_t root = cs_random_below(random, n);
        double costs[VERTICES_MAX * VERTICES_MAX] = {0};
        uint32_t parent[VERTICES_MAX];
        double least;

        for (uint32_t i = 0; i < n * n; i++) {
            uint32_t cost = cs_random_below(random, 8);

            costs[i] = i / n == i % n || cost == 7 ? (double)INFINITY : cost;
        }
        least = least_cost(costs, n, root);
        cs_spanning_init(&spanning, n, &arena);
        assert_int_equal(cs_spanning_tree(&spanning, costs, root, parent), !isinf(least));
        if (!isinf(least)) {
            assert_true(spans(parent, n, root));
            assert_int_equal(parent[root], CS_SPANNING_NONE);
            assert_within(cost_of(costs, n, parent, root) + 1, least + 1, 1e-12);
        }
    }
}
