/* NVLS with SHARP: several nodes, any channels, under the bound of rings between nodes. */
#include "tests/node_run.h"

TEST(any_channels_chunks_and_slices_are_proven)
{
    static const char *const specs[] = {"cluster:node=dgx-h100,nodes=2",
                                        "cluster:node=dgx-h100,nodes=3,fabric=rail",
                                        "cluster:node=dgx-h100,nodes=5"};
    static const uint32_t counts[][3] = {{1, 1, 1}, {2, 3, 1}, {3, 2, 2}, {8, 5, 1}, {21, 1, 1}};

    node_run_counts(specs, sizeof(specs) / sizeof(*specs), "nvls-sharp", counts,
                    sizeof(counts) / sizeof(*counts));
}

/* A head sends its share between the nodes once, for any n. */
TEST(adapters_carry_less_than_for_rings)
{
    const char *spec = "cluster:node=dgx-h100,nodes=4";
    struct cs_call call = {.group = 8, .elements = 1 << 28, .element_bytes = 4};
    struct node_run sharp = node_run_of(spec, "nvls-sharp", call);
    struct node_run ring = node_run_of(spec, "nvls-ring", call);

    assert_true((double)sharp.time_ps < 0.8 * (double)ring.time_ps);
    assert_true((double)sharp.time_ps < sharp.bound_ps / 0.85);
}

/* V within the nodes and V/g between them, up and down. */
TEST(the_ranks_and_switches_send_the_least)
{
    struct cs_call call = {.group = 8, .elements = 1 << 20, .element_bytes = 4, .chunks = 4};
    struct node_run run = node_run_of("cluster:node=dgx-h100,nodes=4", "nvls-sharp", call);
    uint64_t bytes = 4u << 20;

    assert_int_equal(run.bytes_sent, 32 * (2 * bytes + 2 * bytes / 8));
}
