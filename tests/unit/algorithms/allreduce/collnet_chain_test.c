/* CollNet chains: several nodes, any channels, less through the adapters than
 * trees, refusals. */
#include "tests/node_run.h"

TEST(any_channels_chunks_and_slices_are_proven)
{
    static const char *const specs[] = {"cluster:node=dgx-h100,nodes=2",
                                        "cluster:node=dgx-h100,nodes=5",
                                        "cluster:node=dgx-1,nodes=3"};
    static const uint32_t counts[][3] = {{1, 1, 1}, {2, 3, 1}, {3, 2, 2}, {16, 4, 1}, {21, 1, 1}};

    node_run_counts(specs, sizeof(specs) / sizeof(*specs), "collnet-chain", counts,
                    sizeof(counts) / sizeof(*counts));
}

/* An adapter carries V/g at any number of nodes, in trees 2 V/g. */
TEST(the_switch_halves_the_bytes_of_an_adapter)
{
    const char *spec = "cluster:node=a3-mega,nodes=4";
    struct node_run chain = node_run_chunks(spec, "collnet-chain", 8, 32);
    struct node_run tree = node_run_chunks(spec, "double-tree", 8, 32);

    assert_true((double)chain.time_ps < 0.7 * (double)tree.time_ps);
}

/* Four chains of four ranks, V = 2000 B in five chunks: a chain's first chunk takes
 * three steps up and three down, and a port carries 3/4 V each way; an adapter carries
 * V/4 and a chunk each way. */
TEST(the_closed_form_counts_steps_and_bytes_of_a_port)
{
    const struct cs_algo *algo = cs_algo_find("collnet-chain", cs_collective_find("allreduce"));
    const struct cs_call call = {.ranks = 8,
                                 .group = 4,
                                 .elements = 2000,
                                 .element_bytes = 1,
                                 .chunks = 5,
                                 .channels = 4,
                                 .slices = 1,
                                 .hockney = {4e-6, 50e9, 0}};
    struct cs_cost within = algo->local_cost(&call);
    struct cs_cost all = algo->cost(&call);

    assert_true(within.rounds == 6 + 5 - 1);
    assert_true(within.bytes == 6 * 2000 / 5.0 + 2 * 1500);
    assert_true(within.reduced_bytes == 1500);
    assert_true(all.rounds == within.rounds + 2);
    assert_true(all.bytes == within.bytes + 2000 / 4.0 + 2 * 2000 / 5.0 / 4);
}

TEST(a_single_node_is_refused)
{
    const struct cs_algo *algo = cs_algo_find("collnet-chain", cs_collective_find("allreduce"));
    struct cs_call call = {.ranks = 8, .group = 8};
    struct cs_err err = {0};

    cs_algo_resolve(algo, &call, &(struct cs_hockney){4e-6, 50e9, 0});
    assert_int_equal(cs_algo_check(algo, &call, &err), CS_EINPUT);
    assert_string_equal(
        err.text,
        "collnet-chain needs several nodes, and all 8 ranks are in one; sharp is for one");
}
