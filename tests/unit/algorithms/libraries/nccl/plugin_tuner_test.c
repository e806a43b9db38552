/*
 * What Amazon's plugin takes in place of NCCL: the map that a post of 2026 prints of four
 * p5en nodes with NCCL 2.30.7, and the calls that the plugin leaves to NCCL.
 */
#include "algorithms/libraries/nccl/plugin_tuner.h"
#include "tests/fixture.h"

static const double all[CS_NCCL_ENGINES][CS_NCCL_PROTOCOLS] = {0};

static struct cs_nccl_decision taken(enum cs_nccl_tuner tuner, uint32_t nodes, uint32_t each,
                                     uint64_t bytes)
{
    struct cs_nccl_comm comm = {.tuner = tuner, .nodes = nodes, .ranks = nodes * each};

    return cs_nccl_tuner_decide(&comm, CS_NCCL_ALL_REDUCE, bytes, all);
}

TEST(four_nodes_take_what_their_log_says)
{
    static const struct {
        uint64_t bytes;
        enum cs_nccl_engine engine;
        enum cs_nccl_protocol protocol;
    } map[] = {
        {256, CS_NCCL_TREE, CS_NCCL_LL},           {128 << 10, CS_NCCL_TREE, CS_NCCL_LL},
        {256 << 10, CS_NCCL_TREE, CS_NCCL_LL128},  {16 << 20, CS_NCCL_TREE, CS_NCCL_LL128},
        {32 << 20, CS_NCCL_RING, CS_NCCL_LL128},   {256 << 20, CS_NCCL_RING, CS_NCCL_LL128},
        {512 << 20, CS_NCCL_RING, CS_NCCL_SIMPLE}, {4ull << 30, CS_NCCL_RING, CS_NCCL_SIMPLE},
    };

    for (size_t i = 0; i < sizeof(map) / sizeof(*map); i++) {
        struct cs_nccl_decision choice = taken(CS_NCCL_TUNER_P5EN, 4, 8, map[i].bytes);

        assert_int_equal(choice.engine, map[i].engine);
        assert_int_equal(choice.protocol, map[i].protocol);
    }
}

TEST(two_nodes_and_odd_numbers_of_ranks_are_left_to_nccl)
{
    assert_false(taken(CS_NCCL_TUNER_P5EN, 2, 8, 1 << 20).is_made);
    assert_false(taken(CS_NCCL_TUNER_P5EN, 4, 4, 1 << 20).is_made);
    assert_false(taken(CS_NCCL_TUNER_NONE, 4, 8, 1 << 20).is_made);
}

/* Every call up to 8 GiB on whole nodes, and on one GPU of each, is in a region. */
TEST(the_regions_leave_no_gap)
{
    static const enum cs_nccl_tuner tuners[] = {CS_NCCL_TUNER_P5, CS_NCCL_TUNER_P5EN,
                                                CS_NCCL_TUNER_P6, CS_NCCL_TUNER_B300};

    for (size_t t = 0; t < sizeof(tuners) / sizeof(*tuners); t++)
        for (uint32_t nodes = 4; nodes <= 64; nodes *= 2)
            for (uint64_t bytes = 1024; bytes <= 8ull << 30; bytes *= 2)
                if (!taken(tuners[t], nodes, 8, bytes).is_made)
                    fail_msg("tuner %d, %u nodes, %llu bytes: no region", (int)tuners[t], nodes,
                             (unsigned long long)bytes);
}

TEST(a_pair_that_nccl_does_not_offer_is_passed_over)
{
    double some[CS_NCCL_ENGINES][CS_NCCL_PROTOCOLS] = {0};
    struct cs_nccl_comm comm = {.tuner = CS_NCCL_TUNER_P5EN, .nodes = 4, .ranks = 32};

    some[CS_NCCL_TREE][CS_NCCL_LL] = (double)INFINITY;
    assert_false(cs_nccl_tuner_decide(&comm, CS_NCCL_ALL_REDUCE, 1 << 10, some).is_made);
}

TEST(only_instances_of_amazon_with_gpudirect_have_one)
{
    struct cs_site site = {.net = CS_NET_EFA4, .gdr = true, .generation = 103};

    assert_int_equal(cs_nccl_tuner_of(&site, 0), CS_NCCL_TUNER_B300);
    site.generation = 100;
    assert_int_equal(cs_nccl_tuner_of(&site, 23007), CS_NCCL_TUNER_P6);
    assert_int_equal(cs_nccl_tuner_of(&site, 21805), CS_NCCL_TUNER_NONE);
    site.gdr = false;
    assert_int_equal(cs_nccl_tuner_of(&site, 0), CS_NCCL_TUNER_NONE);
    site = (struct cs_site){.net = CS_NET_IB, .gdr = true, .generation = 90};
    assert_int_equal(cs_nccl_tuner_of(&site, 0), CS_NCCL_TUNER_NONE);
}
