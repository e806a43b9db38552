/* Loads of cables above the leaves, by counts and by simulation. */

#include "tests/fixture.h"
#include "tests/planned.h"

/* Of 256 GPUs in a fat tree: leaves of 32 ports down and 32 up, or as given. */
static double load_of(const char *line)
{
    CS_AT_END(planned_free) struct planned planned = {0};
    struct cs_topo_request request = {.replicas_from = 256};
    struct cs_graph graph;
    double load;

    plan_of(&planned, line);
    request.spec = planned.plan.cases[0].topo;
    assert_int_equal(cs_topo_open(&request, &graph, &planned.arena, &planned.err), 0);
    load = cs_plan_fabric_load(planned.plan.options, &planned.plan.cases[0], &graph);
    return load;
}

#define JOB "--gpus 256 --mix all-reduce:1MiB "

TEST(spread_routes_share_the_cables)
{
    assert_true(load_of(JOB "--fabric fat-tree") <= 1);
    assert_true(load_of(JOB "--fabric fat-tree --scattered") <= 1);
    /* 43 ports down and 15 up. */
    assert_within(load_of(JOB "--fabric fat-tree:oversubscription=3 --scattered"), 43 / 15.0, 1e-9);
    /* A box for each rail has nothing above it. */
    assert_true(load_of(JOB "--fabric rail --routing ecmp --scattered") <= 1);
}

/* 16 flows of half a cable on 32 cables, from 8 leaves: three on one is likely somewhere, as
 * 'collsim --algo multi-ring --routing ecmp --runs 9' has it, 1.45. */
TEST(hashes_put_flows_on_one_cable)
{
    double one = load_of(JOB "--fabric fat-tree --routing ecmp");
    double four = load_of(JOB "--fabric fat-tree --routing ecmp --qps 4");
    double all = load_of(JOB "--fabric fat-tree --routing ecmp --scattered");
    double many = load_of(JOB "--fabric fat-tree --routing ecmp --scattered --qps 64");

    assert_within(one, 1.5, 0.01);
    assert_true(four <= one && four >= 1);
    assert_true(all > 2 && many < all && many > 1 && many < 1.5);
}
