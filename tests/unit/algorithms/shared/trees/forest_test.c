/* Forest: lanes, blocks and the refusal; without a table of trees every rank has
 * a tree to all others. */
#include "algorithms/shared/trees/forest.h"

#include "tests/fixture.h"

TEST(without_a_table_every_rank_sends_to_all_others)
{
    struct cs_call call = {
        .collective = &cs_collective_allgather, .ranks = 4, .elements = 64, .chunks = 1};
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    assert_int_equal(cs_forest_blocks(&call), 4);
    cs_forest_round(&call, (struct cs_at){2, 2, 0}, &ops);
    assert_int_equal(ops.count, 3);
    assert_int_equal(ops.op[0].peer, 3);
    assert_int_equal(ops.op[1].peer, 0);
    assert_int_equal(ops.op[2].peer, 1);
    assert_int_equal(ops.op[0].blocks.first, 2);
}

TEST(with_a_root_every_other_rank_passes_a_share_on)
{
    struct cs_call call = {
        .collective = &cs_collective_broadcast, .ranks = 4, .elements = 64, .chunks = 1, .root = 1};
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    assert_int_equal(cs_forest_blocks(&call), 3);
    cs_forest_round(&call, (struct cs_at){1, 1, 0}, &ops);
    assert_int_equal(ops.count, 1);
    assert_int_equal(ops.op[0].peer, 3);
    ops.count = 0;
    cs_forest_round(&call, (struct cs_at){3, 1, 1}, &ops);
    assert_int_equal(ops.count, 2);
    assert_int_equal(ops.op[0].peer, 0);
    assert_int_equal(ops.op[1].peer, 2);
}

/* Levels and chunks less one; a port carries one unit for each other rank.  Where chunks take
 * long, streams hide the latencies of all but the first one. */
TEST(steps_are_levels_and_further_chunks)
{
    struct cs_call call = {.collective = &cs_collective_allgather,
                           .ranks = 4,
                           .elements = 1200,
                           .element_bytes = 1,
                           .chunks = 3,
                           .hockney = {1e-6, 1e9, 0}};
    struct cs_cost cost = cs_forest_cost(&call);

    assert_within(cost.rounds, 1 + 2, 0);
    assert_within(cost.bytes, 3 * 3 * 100, 0);
    call.collective = &cs_collective_allreduce;
    cost = cs_forest_cost(&call);
    assert_within(cost.rounds, 2, 0);
    assert_within(cost.bytes, 4 * 6 * 100, 0);
}

TEST(more_than_64_ranks_are_refused_with_the_limit)
{
    struct cs_call call = {.ranks = 65, .elements = 64};
    const struct cs_algo *algo = cs_algo_find("forest", &cs_collective_allgather);

    assert_refused_with(cs_forest_check(algo, &call, &err), CS_EINPUT,
                        "at most 64 ranks, not of 65");
    call.ranks = 64;
    assert_done(cs_forest_check(algo, &call, &err));
}
