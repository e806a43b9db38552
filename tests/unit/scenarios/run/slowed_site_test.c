#include "scenarios/run/library_call.h"

#include "tests/unit/scenarios/run/opened.h"

struct sites {
    struct cs_site planned, site;
};

static struct sites sites_with(char *ranks, char *fault)
{
    CS_AT_END(opened_free) struct opened opened;
    struct sites sites;

    opened_run(&opened, WORDS("--topo", "dgx-h100", "--nodes", "4", "--ranks", ranks, "--algo",
                              "ring", "--fault", fault));
    assert_int_equal(cs_slowed_site_read(&opened.run, &sites.planned, &sites.site), 0);
    return sites;
}

static bool is_share(double part, double whole, double share)
{
    return fabs(part / whole - share) < 1e-9;
}

/* The adapters' rate is that of their PCIe lanes: the slow port is that of 10 %. */
TEST(one_slow_adapter_makes_all_adapters_slow)
{
    struct sites first = sites_with("32", "n0.nic0:rate=10%");
    struct sites last = sites_with("32", "n3.nic7:rate=10%");

    assert_true(is_share(first.site.node_Bps, first.planned.node_Bps, 0.1));
    assert_true(first.site.node_Bps == last.site.node_Bps);
    assert_true(first.site.ring_Bps == first.planned.ring_Bps);
}

TEST(adapters_without_traffic_do_not_count)
{
    struct sites sites = sites_with("8", "n3.nic0:rate=10%");

    assert_true(sites.site.link_Bps == sites.planned.link_Bps);
    assert_true(sites.site.pcie_Bps == sites.planned.pcie_Bps);
}

TEST(announced_rates_are_rates_of_the_plan)
{
    struct sites sites = sites_with("32", "n0.nic0:rate=10%,announced");

    assert_true(sites.site.node_Bps == sites.planned.node_Bps);
}
