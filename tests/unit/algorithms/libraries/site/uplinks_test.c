/* The links between PCIe switches and CPUs. */
#include "algorithms/libraries/site/parts.h"

#include "tests/site.h"

/* Two GPUs and two adapters of 49 GB/s at each of four switches with a link of
 * 48 GB/s: a GPU has half of the link, adapters in and out together the link. */
TEST(devices_below_a_switch_share_its_link)
{
    struct cs_site site = site_of("cluster:node=rtx6000d,nodes=2", 0);

    assert_within(site.ring_uplink_Bps, 24e9, 1e6);
    assert_within(site.node_uplink_Bps, 4 * 24e9, 1e6);
}

TEST(devices_at_a_cpu_have_no_uplink)
{
    struct cs_site site = site_of("cluster:node=ncv3,nodes=2", 0);

    assert_within(site.ring_uplink_Bps, 0, 0);
    assert_within(site.node_uplink_Bps, 0, 0);
}

/* One GPU and one adapter below each switch: no GPU has a peer there. */
TEST(a_lone_gpu_shares_with_its_adapter)
{
    struct cs_site site = site_of("cluster:node=dgx-h100,nodes=2", 0);

    assert_within(site.ring_uplink_Bps, 0, 0);
    assert_within(site.node_uplink_Bps, 8 * 24e9, 1e6);
}

TEST(a_machine_without_network_has_rings_alone)
{
    struct cs_site site = site_of("a100-pcie", 0);

    assert_true(site.ring_uplink_Bps > 0);
    assert_within(site.node_uplink_Bps, 0, 0);
}
