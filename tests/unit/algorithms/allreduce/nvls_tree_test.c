/* NVLS trees: several nodes, any channels, faster than the ring, refusals. */
#include "tests/node_run.h"

TEST(any_channels_chunks_and_slices_are_proven)
{
    static const char *const specs[] = {"cluster:node=dgx-h100,nodes=2",
                                        "cluster:node=dgx-h100,nodes=3",
                                        "cluster:node=dgx-h100,nodes=5"};
    static const uint32_t counts[][3] = {{1, 1, 1}, {2, 3, 1}, {3, 2, 2}, {16, 4, 1}, {21, 1, 1}};

    node_run_counts(specs, sizeof(specs) / sizeof(*specs), "nvls-tree", counts,
                    sizeof(counts) / sizeof(*counts));
}

/* A rank sends the vector once and a share, instead of twice. */
TEST(switches_halve_the_bytes_of_a_rank)
{
    const char *spec = "cluster:node=dgx-h100,nodes=2";
    struct node_run nvls = node_run_chunks(spec, "nvls-tree", 8, 0);
    struct node_run tree = node_run_chunks(spec, "double-tree", 8, 0);

    assert_true((double)nvls.time_ps < 0.8 * (double)tree.time_ps);
}

static void expect_refused(struct cs_call call, const char *text)
{
    const struct cs_algo *algo = cs_algo_find("nvls-tree", cs_collective_find("allreduce"));

    cs_algo_resolve(algo, &call, &(struct cs_hockney){4e-6, 50e9, 0});
    assert_refused(cs_algo_check(algo, &call, &err), CS_EINPUT, text);
}

TEST(other_machines_are_refused)
{
    expect_refused((struct cs_call){.ranks = 8, .group = 8},
                   "nvls-tree needs several nodes, and all 8 ranks are in one; nvls is for one");
    expect_refused(
        (struct cs_call){.ranks = 8},
        "nvls-tree needs nodes of several ranks, equally many in each; --group says how many");
    expect_refused((struct cs_call){.ranks = 12, .group = 8},
                   "nvls-tree needs nodes that are full: 12 ranks are not a multiple of --group 8");
    expect_refused((struct cs_call){.ranks = 1200, .group = 600},
                   "nvls-tree needs nodes of one NVSwitch, at most 576 ranks, not 600");
}
