/* NCCL's constants by version. */
#include "algorithms/libraries/nccl/constants.h"

#include "tests/fixture.h"

static struct cs_nccl_constants of_version(uint32_t version)
{
    struct cs_nccl_constants constants;

    cs_nccl_constants_read(version, &constants);
    return constants;
}

static double net_hop(uint32_t version, enum cs_nccl_engine engine)
{
    struct cs_nccl_constants constants = of_version(version);

    return constants.hop_us[CS_NCCL_HOP_NET][engine][CS_NCCL_SIMPLE];
}

static double blackwell_ll128(uint32_t version)
{
    struct cs_nccl_constants constants = of_version(version);

    return constants.ring_ll128_GBps[CS_NCCL_BLACKWELL][0];
}

TEST(a_version_takes_the_tables_of_its_time)
{
    assert_true(net_hop(0, CS_NCCL_NVLS_TREE) == 20.9);
    assert_true(net_hop(22809, CS_NCCL_NVLS_TREE) == 14);
    assert_true(net_hop(22200, CS_NCCL_TREE) == 28);
    assert_true(net_hop(21805, CS_NCCL_TREE) == 14);
    assert_true(net_hop(21200, CS_NCCL_RING) == 28);
    assert_true(net_hop(21000, CS_NCCL_RING) == 9.6);
    assert_true(blackwell_ll128(23007) == 40);
    assert_true(blackwell_ll128(22803) == 73.4);
    assert_true(blackwell_ll128(22403) == 36.7);
    assert_true(of_version(21000).ring_ll_share == .25);
    assert_true(of_version(22300).ring_ll_share == .5);
    assert_true(of_version(20800).ll_intra_factor == 1.8);
}

/* Simple's latencies over NVLink and PCI (src/graph/tuning.cc, hwLat): a tree's as between
 * nodes to 2.22, and of NVLS trees 25 us from 2.21 on. */
TEST(latencies_inside_nodes_follow_the_version)
{
    struct cs_nccl_constants newest = of_version(0), old = of_version(22200);
    struct cs_nccl_constants oldest = of_version(22005);

    for (int hop = CS_NCCL_HOP_NVLINK; hop <= CS_NCCL_HOP_PCI; hop++) {
        assert_true(newest.hop_us[hop][CS_NCCL_TREE][CS_NCCL_SIMPLE] == 4);
        assert_true(old.hop_us[hop][CS_NCCL_TREE][CS_NCCL_SIMPLE] == 28);
    }
    assert_true(old.hop_us[CS_NCCL_HOP_NVLINK][CS_NCCL_NVLS_TREE][CS_NCCL_SIMPLE] == 25);
    assert_true(oldest.hop_us[CS_NCCL_HOP_NVLINK][CS_NCCL_NVLS_TREE][CS_NCCL_SIMPLE] == 23);
}

TEST(versions_without_tables_have_a_note)
{
    assert_null(cs_nccl_constants_note(0));
    assert_null(cs_nccl_constants_note(23007));
    assert_non_null(strstr(cs_nccl_constants_note(23206), "2.32"));
    assert_non_null(strstr(cs_nccl_constants_note(20708), "2.8"));
    assert_non_null(cs_nccl_constants_note(21500));
    assert_null(cs_nccl_unmodelled(0));
    assert_null(cs_nccl_unmodelled(23007));
    assert_non_null(cs_nccl_unmodelled(23100));
}

TEST(engines_appear_with_their_version)
{
    for (int e = 0; e < CS_NCCL_ENGINES; e++)
        assert_true(cs_nccl_engine_since((enum cs_nccl_engine)e, 0));
    assert_false(cs_nccl_engine_since(CS_NCCL_PAT, 22205));
    assert_true(cs_nccl_engine_since(CS_NCCL_PAT, 22304));
    assert_false(cs_nccl_engine_since(CS_NCCL_NVLS, 21605));
    assert_true(cs_nccl_engine_since(CS_NCCL_RING, 20800));
    assert_string_equal(cs_nccl_engine_name(CS_NCCL_NVLS_TREE), "nvls-tree");
    assert_string_equal(cs_nccl_protocol_name(CS_NCCL_LL128), "ll128");
}
