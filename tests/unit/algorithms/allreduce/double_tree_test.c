/* Double trees over nodes: all adapters are in use, in any number of
 * channels. */
#include "tests/node_run.h"

/* A tree over all ranks leaves each node by two adapters. */
TEST(trees_of_channels_use_all_adapters)
{
    const char *spec = "cluster:node=dgx-h100,nodes=2";
    struct node_run ranks = node_run_chunks(spec, "double-tree", 1, 32);
    struct node_run nodes = node_run_chunks(spec, "double-tree", 8, 32);

    assert_true((double)nodes.time_ps < 0.5 * (double)ranks.time_ps);
    assert_int_equal(nodes.bytes_sent, ranks.bytes_sent);
}

/* Within a node the chain goes along the wires. */
TEST(chains_of_a_cube_mesh_use_the_nvlinks)
{
    struct node_run run = node_run_chunks("cluster:node=dgx-1,nodes=2", "double-tree", 8, 32);

    assert_true((double)run.time_ps < 1.25 * run.bound_ps);
}

TEST(any_number_of_channels_is_proven)
{
    static const char *const specs[] = {"dgx-h100", "cluster:node=dgx-h100,nodes=3",
                                        "cluster:node=dgx-1,nodes=5"};
    static const uint32_t counts[][3] = {{1, 3, 1}, {2, 1, 1}, {3, 5, 2}, {17, 4, 1}, {40, 2, 1}};

    node_run_counts(specs, sizeof(specs) / sizeof(*specs), "double-tree", counts,
                    sizeof(counts) / sizeof(*counts));
}
