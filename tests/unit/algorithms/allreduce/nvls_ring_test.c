/* NVLS rings: several nodes, any channels, near the bound. */
#include "tests/node_run.h"

TEST(any_channels_chunks_and_slices_are_proven)
{
    static const char *const specs[] = {"dgx-h100", "cluster:node=dgx-h100,nodes=2",
                                        "cluster:node=dgx-h100,nodes=3",
                                        "cluster:node=dgx-h100,nodes=5"};
    static const uint32_t counts[][3] = {{1, 1, 1}, {2, 3, 1}, {3, 2, 2}, {8, 5, 1}, {21, 1, 1}};

    node_run_counts(specs, sizeof(specs) / sizeof(*specs), "nvls-ring", counts,
                    sizeof(counts) / sizeof(*counts));
}

/* Over more than two nodes a head sends 2 (n-1)/n of its share, an inner head of a tree twice. */
TEST(adapters_carry_less_than_for_trees)
{
    const char *spec = "cluster:node=dgx-h100,nodes=4";
    struct cs_call call = {.group = 8, .elements = 1 << 28, .element_bytes = 4};
    struct node_run ring = node_run_of(spec, "nvls-ring", call);
    struct node_run tree = node_run_of(spec, "nvls-tree", call);

    assert_true((double)ring.time_ps < 0.8 * (double)tree.time_ps);
    assert_true((double)ring.time_ps < ring.bound_ps / 0.95);
}

/* A head does not send its contribution up to the switch and down again, as an owner of nvls
 * does. */
TEST(a_node_is_nearer_to_the_bound_than_with_owners)
{
    struct cs_call call = {.group = 8, .elements = 1 << 28, .element_bytes = 4};
    struct node_run ring = node_run_of("dgx-h100", "nvls-ring", call);
    struct node_run owners = node_run_of("dgx-h100", "nvls", call);

    assert_true((double)ring.time_ps < 0.9 * (double)owners.time_ps);
}
