/* Oversubscribed switches between nodes. */
#include "algorithms/libraries/site/parts.h"

#include "tests/site.h"

#define GB 1e9

static double exchange_s(const struct cs_site *site)
{
    const struct cs_library_request request = {.site = site,
                                               .collective = &cs_collective_alltoall,
                                               .bytes = UINT64_C(1) << 30,
                                               .effects = CS_EFFECTS_ALL};
    const struct cs_library *library = library_named("nccl");
    struct cs_library_time time;

    assert_done(library->time(&request, &time, &err));
    return time.total_s;
}

TEST(a_single_switch_is_no_limit)
{
    struct cs_site site = site_of("cluster:node=dgx-h100,nodes=4", 0);

    assert_within(site.fabric_Bps, 0, 0);
    assert_int_equal(site.leaf_nodes, 0);
}

/* A third of the rate to switches: leaves of three nodes have 24 ports down and
 * 8 up.  29 of 31 other nodes are at other leaves. */
TEST(uplinks_limit_an_exchange)
{
    struct cs_site full = site_of("cluster:node=dgx-h100,nodes=32,fabric=fat-tree,radix=32", 0);
    struct cs_site third =
        site_of("cluster:node=dgx-h100,nodes=32,fabric=fat-tree,radix=32,oversubscription=3", 0);

    assert_int_equal(third.leaf_nodes, 3);
    assert_true(third.fabric_Bps <= third.adapter_Bps / 3 * 31 / 29 + 1);
    assert_true(third.fabric_Bps > .8 * third.adapter_Bps / 3);
    assert_true(full.fabric_Bps > .95 * full.node_Bps / 8);
    assert_true(exchange_s(&third) > 2.4 * exchange_s(&full));
}

/* Pods of 16 nodes over cores with half the ports, of 64 nodes: 48 of 63 others are in
 * other pods. */
TEST(pods_limit_an_exchange)
{
    struct cs_site full =
        site_of("cluster:node=dgx-h100,nodes=64,fabric=fat-tree,radix=32,pod=8,chassis=64", 0);
    struct cs_site half = site_of("cluster:node=dgx-h100,nodes=64,fabric=fat-tree,radix=32,pod=8,"
                                  "chassis=64,core-oversubscription=2",
                                  0);

    assert_true(full.fabric_Bps > .95 * full.node_Bps / 8);
    assert_int_equal(half.leaf_nodes, 16);
    assert_true(half.fabric_Bps <= half.adapter_Bps / 2 * 63 / 48 + 1);
    assert_true(half.fabric_Bps > .8 * half.adapter_Bps / 2);
    assert_true(exchange_s(&half) > 1.3 * exchange_s(&full));
}
