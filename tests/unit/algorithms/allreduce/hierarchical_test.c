/* Hierarchical all-reduce in chunks: phases overlap, and nodes use their
 * wires. */
#include "tests/node_run.h"

/* Rails and NVLinks at once: the slowest phase remains, and not the sum. */
TEST(a_chunk_crosses_nodes_beside_the_next_within)
{
    const char *spec = "cluster:node=dgx-h100,nodes=4";
    struct node_run one = node_run_chunks(spec, "hierarchical", 8, 1);
    struct node_run many = node_run_chunks(spec, "hierarchical", 8, 8);

    assert_true((double)many.time_ps < 0.7 * (double)one.time_ps);
    assert_int_equal(many.bytes_sent, one.bytes_sent);
    assert_true((double)many.time_ps < 1.15 * many.bound_ps);
}

/* One ring of a DGX-1 has a sixth of the NVLinks. */
TEST(the_rings_of_a_node_share_the_vector)
{
    struct node_run run = node_run_chunks("cluster:node=dgx-1,nodes=2", "hierarchical", 8, 0);

    assert_true(run.call.channels > 1);
    assert_true((double)run.time_ps < 1.15 * run.bound_ps);
}

TEST(any_channels_chunks_and_slices_are_proven)
{
    static const uint32_t counts[][3] = {{1, 3, 1}, {2, 1, 1}, {3, 5, 2}, {5, 2, 3}, {16, 4, 1}};

    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
        node_run_of("cluster:node=dgx-h100,nodes=3", "hierarchical",
                    (struct cs_call){.group = 8,
                                     .elements = 77777,
                                     .element_bytes = 4,
                                     .channels = counts[i][0],
                                     .chunks = counts[i][1],
                                     .slices = counts[i][2]});
}

TEST(chunks_beyond_all_blocks_are_refused)
{
    const struct cs_algo *algo = cs_algo_find("hierarchical", cs_collective_find("allreduce"));
    struct cs_call call = {
        .ranks = 1 << 20, .group = 8, .channels = 1, .slices = 1, .chunks = 1 << 16};

    assert_refused(cs_algo_check(algo, &call, &err), CS_EINPUT,
                   "65536 chunks are too many for 1048576 ranks");
}
