/*
 * Hierarchical algorithms of collectives but the all-reduce, by node.
 */
#include "algorithms/shared/adapters.h"

#include "tests/trial.h"

static const char *const blocks[] = {"all-gather", "reduce-scatter"};
static const char *const rooted[] = {"broadcast", "reduce"};

/* Nodes of 2 to `ranks_most` ranks, from one node to five. */
static void expect_any_nodes(const char *name, uint32_t ranks_most, uint32_t chunks_least,
                             uint32_t chunks_most)
{
    char refused[120];

    (void)snprintf(refused, sizeof(refused),
                   "%s needs nodes that are full: 6 ranks are not a multiple of --group 4", name);
    for (int c = 0; c < 2; c++) {
        for (uint32_t group = 2; group <= ranks_most; group++)
            for (uint32_t nodes = 1; nodes <= 5; nodes++)
                for (uint32_t chunks = chunks_least; chunks <= chunks_most; chunks++)
                    trial_sizes(
                        blocks[c], name,
                        (struct cs_call){.ranks = group * nodes, .group = group, .chunks = chunks},
                        trial_check);
        trial_refused(blocks[c], name, (struct cs_call){.ranks = 6, .elements = 6, .group = 4},
                      refused);
    }
}

TEST(blocks_take_at_most_the_sum_of_their_lanes)
{
    expect_any_nodes("hierarchical", 4, 1, 3);
}

TEST(leaders_of_blocks_serve_nodes_of_any_size)
{
    expect_any_nodes("hierarchical-leader", 5, 0, 7);
}

/* Each node receives every block of other nodes once, or sends it. */
TEST(a_block_moves_between_two_nodes_once)
{
    for (int c = 0; c < 2; c++) {
        struct trial trial = trial_of(
            blocks[c], "hierarchical",
            (struct cs_call){
                .ranks = 12, .elements = 1200, .element_bytes = 1, .group = 4, .chunks = 5});

        /* 2 nodes x 5 chunks along the rail, 3 ranks x (10 chunks + own
         * block). */
        trial_traffic(&trial, UINT64_C(12) * (10 + 3 * 11), UINT64_C(12) * 1100, 1100);
    }
}

/* 3 nodes of 4 ranks, 2 chunks of 8 of the 16 blocks of a node: 2 blocks of each
 * rank.  A node has 3 messages to or from the leader and 9 of own blocks, 2 x 2 to
 * the next leader and 3 x 4 along the chain.  Of an all-gather a leader sends most:
 * 4 x 200 bytes to the next leader, as many into the chain, and 3 x 100. */
TEST(leaders_of_blocks_send_for_their_node)
{
    static const uint64_t most[] = {1900, 1100};

    for (int c = 0; c < 2; c++) {
        struct trial trial = trial_of(
            blocks[c], "hierarchical-leader",
            (struct cs_call){
                .ranks = 12, .elements = 1200, .element_bytes = 1, .group = 4, .chunks = 2});

        trial_traffic(&trial, UINT64_C(3) * (3 + 9 + 4 + 12),
                      UINT64_C(3) * (300 + 900 + 800 + 2400), most[c]);
    }
}

/* Nodes of any number and size, every root, and some or all ranks as carriers: proven,
 * above the bound. */
TEST(every_root_is_proven)
{
    for (int c = 0; c < 2; c++) {
        for (uint32_t group = 2; group <= 5; group++)
            for (uint32_t nodes = 1; nodes <= 3; nodes++)
                for (uint32_t root = 0; root < group * nodes; root++)
                    trial_sizes(rooted[c], "hierarchical",
                                (struct cs_call){.ranks = group * nodes,
                                                 .group = group,
                                                 .carriers = (root + nodes) % group,
                                                 .root = root,
                                                 .chunks = 1 + root % 3},
                                trial_check);
        trial_refused(rooted[c], "hierarchical", (struct cs_call){.ranks = 4, .elements = 6},
                      "hierarchical needs nodes of several ranks, equally many in each; --group "
                      "says how many");
    }
}

/* 3 nodes of 4, 2 chunks of each of 3 pieces: of each chunk one message from or
 * to the root, 2 within its node, 2 between nodes, and 3 within each other. */
TEST(a_vector_moves_once_for_each_rank)
{
    static const uint64_t most[] = {8000, 6000};

    for (int c = 0; c < 2; c++) {
        struct trial trial = trial_of(rooted[c], "hierarchical",
                                      (struct cs_call){.ranks = 12,
                                                       .elements = 6000,
                                                       .element_bytes = 1,
                                                       .root = 6,
                                                       .group = 4,
                                                       .chunks = 2});

        trial_traffic(&trial, UINT64_C(6) * (1 + 2 + 2 + 6), UINT64_C(11) * 6000, most[c]);
    }
}

/* 96 ranks of hpc6a share an adapter of 12.4 GB/s, which six ports of 204 GB/s fill with all
 * 95 copies; 95 carriers sent four times the messages, and took longer.  GPUs have adapters
 * of their own, or few share one. */
TEST(ranks_share_the_adapters_of_their_node)
{
    static const struct {
        const char *node;
        struct cs_adapters adapters;
    } nodes[] = {{"hpc6a", {96, 6}}, {"dgx-h100", {0, 0}}, {"p3dn", {0, 0}}};

    for (size_t n = 0; n < sizeof(nodes) / sizeof(*nodes); n++) {
        CS_AT_END(machine_close) struct machine machine;
        struct cs_adapters adapters;
        char spec[64];

        (void)snprintf(spec, sizeof(spec), "cluster:node=%s,nodes=2,fabric=star", nodes[n].node);
        machine_open(&machine, spec, 0, 0);
        adapters = cs_adapters_of_machine(&machine.net, machine.graph.rank_count,
                                          machine.graph.rank_count / 2, &machine.arena);
        assert_int_equal(adapters.sharing, nodes[n].adapters.sharing);
        assert_int_equal(adapters.carriers, nodes[n].adapters.carriers);
    }
}
