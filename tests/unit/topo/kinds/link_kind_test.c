#include "topo/kinds/link_kind.h"

#include "sim/base/text.h"
#include "tests/test.h"

/* Rates within a part in 10^9: they are products of a few decimals. */
static void effective(const char *text, double expected_Bps)
{
    struct cs_wire wire = {0};
    double off;

    assert_done(cs_link_kind_find(text, &wire, &err));
    off = cs_wire_effective(&wire) / expected_Bps - 1;
    if (!(fabs(off) <= 1e-9))
        fail_msg("%s: %.0f B/s", text, cs_wire_effective(&wire));
}

static void refused(const char *text, const char *sentence)
{
    struct cs_wire wire = {0};

    assert_refused(cs_link_kind_find(text, &wire, &err), CS_EINPUT, sentence);
}

TEST(gpu_links_have_the_effective_rates_of_nccl)
{
    effective("nvlink1 x4", 72e9);
    effective("nvlink2 x6", 120e9);
    effective("nvlink3 x12", 240e9);
    effective("nvlink4 x18", 370.8e9);
    effective("nvlink5 x18", 721.8e9);
}

TEST(sixteen_lanes_have_the_effective_rates_of_nccl)
{
    effective("pcie3 x16", 12e9);
    effective("pcie4 x16", 24e9);
    effective("pcie5 x16", 48e9);
    effective("pcie6 x16", 96e9);
    effective("pcie4 x8", 12e9);
}

TEST(networks_have_the_rate_without_headers)
{
    effective("gbe", 0.125e9 * 1448 / 1538);
    effective("100gbe", 12.5e9 * 1448 / 1538);
    effective("ib-hdr", 24.825e9);
    effective("ib-ndr x2", 99.3e9);
    effective("qpi", 6e9);
    effective("xgmi-socket", 16e9);
}

TEST(the_size_of_packets_sets_the_share_of_headers)
{
    effective("pcie4 x16 mps=128", 32e9 * 128 / 130 * 128 / 152);
    effective("pcie4 x16 mps=256", 32e9 * 128 / 130 * 256 / 280);
    effective("pcie3 x8 mps=512", 8e9 * 128 / 130 * 512 / 536);
    effective("10gbe mtu=9000", 1.25e9 * 8948 / 9038);
    effective("100gbe-roce mtu=1024", 12.5e9 * 1024 / 1106);
    effective("ib-hdr x2 mtu=2048", 50e9 * 2048 / 2076);
}

/* Of PCIe it is not: there the kind has what NCCL counts on. */
TEST(a_kind_without_a_size_has_that_of_its_typical_packets)
{
    for (size_t i = 0; i < cs_link_kind_count; i++) {
        const struct cs_link_kind *kind = &cs_link_kinds[i];
        struct cs_wire wire = {0};
        char text[CS_LINK_NAME_MAX + 16];

        if (kind->framing == CS_FRAMING_NONE || kind->framing == CS_FRAMING_PCIE)
            continue;
        snprintf(text, sizeof(text), "%s mtu=%d", kind->name,
                 strstr(kind->name, "tcpx")        ? 8244
                 : kind->framing == CS_FRAMING_TCP ? 1500
                                                   : 4096);
        assert_int_equal(cs_link_kind_find(text, &wire, NULL), 0);
        /* 0.993 of InfiniBand is a rounded number. */
        assert_true(fabs(wire.efficiency - kind->efficiency) < 5e-4);
        assert_true(wire.latency_ps == kind->latency_ps);
        assert_non_null(strstr(wire.source, "by arithmetic"));
    }
}

TEST(larger_packets_carry_more)
{
    double before = 0;

    for (uint32_t mps = 128; mps <= 4096; mps *= 2) {
        struct cs_wire wire = {0};
        char text[40];

        snprintf(text, sizeof(text), "pcie5 x16 mps=%u", mps);
        assert_int_equal(cs_link_kind_find(text, &wire, NULL), 0);
        assert_true(wire.efficiency > before && wire.efficiency < 1);
        before = wire.efficiency;
    }
}

TEST(packets_that_a_kind_does_not_have_are_refused)
{
    refused("nvlink3 x12 mps=256", "link class 'nvlink3' takes no 'mps'");
    refused("pcie4 x16 mtu=256", "link class 'pcie4' takes no 'mtu'; did you mean 'mps'?");
    refused("10gbe mtu=9217",
            "'mtu=9217' of link class '10gbe' is out of range; expected 576 to 9216");
    refused(
        "pcie4 x16 mps=300",
        "'mps=300' of link class 'pcie4' is out of range; expected 128 to 4096, a power of two");
    refused("pcie4 mps=256",
            "'pcie4' is counted in lanes; add the number of lanes, as in 'pcie4 x16'");
    refused("10gbe mtu=big", "'mtu=big' of link class '10gbe' is not a packet size; expected "
                             "bytes, as in 'mtu=9000' or 'mps=256'");
    refused("10gbe mut=1500", "'mut=1500' of link class '10gbe' is not a packet size; expected "
                              "bytes, as in 'mtu=9000' or 'mps=256'");
}

ARENA_TEST(a_class_is_written_as_read)
{
    static const char *const texts[] = {"gbe", "nvlink3 x12", "gbe mtu=9000", "pcie4 x16 mps=256"};

    for (size_t i = 0; i < 4; i++) {
        struct cs_link_class cut;

        assert_int_equal(cs_link_class_cut(texts[i], &cut, NULL), 0);
        assert_string_equal(cs_link_class_text(&cut, arena), texts[i]);
    }
}

TEST(a_route_through_an_nvswitch_has_the_measured_latency)
{
    struct cs_wire wire = {0};

    assert_int_equal(cs_link_kind_find("nvlink3 x12", &wire, NULL), 0);
    assert_int_equal(2 * wire.latency_ps, 2700000);
}

TEST(every_kind_is_in_order)
{
    for (size_t i = 0; i < cs_link_kind_count; i++) {
        const struct cs_link_kind *kind = &cs_link_kinds[i];

        assert_true(strlen(kind->name) < CS_LINK_NAME_MAX);
        assert_ptr_equal(cs_link_kind_get(kind->name), kind);
        assert_true(kind->rate_Bps > 0 && isfinite(kind->rate_Bps));
        assert_true(kind->efficiency > 0 && kind->efficiency <= 1);
        assert_true(kind->latency_ps > 0);
        assert_true(strlen(kind->source) > 10);
    }
}

TEST(spaces_before_a_width_are_free)
{
    effective("nvlink3   x12", 240e9);
    effective("nvlink3", 20e9);
}

TEST(a_wrong_name_is_reported_with_the_nearest)
{
    refused("nvlnk3 x12", "no link class called 'nvlnk3'; did you mean 'nvlink3'?");
    refused("warpdrive", "no link class called 'warpdrive'; 'collsim list links' has all");
}

TEST(a_wrong_width_is_reported)
{
    static const char *const texts[] = {"nvlink3 x0",    "nvlink3 x", "nvlink3 12",
                                        "nvlink3 x1025", " x4",       "",
                                        "nvlink3 x4 x4", "x4 x4 x4",  "gbe mtu=1500 x4"};

    for (size_t i = 0; i < 9; i++) {
        struct cs_wire wire = {0};

        assert_refused_with(cs_link_kind_find(texts[i], &wire, &err), CS_EINPUT,
                            "expected a name and a width from x1 to x1024, as in 'nvlink3 x12'");
    }
}

TEST(lanes_must_be_counted)
{
    refused("pcie4", "'pcie4' is counted in lanes; add the number of lanes, as in 'pcie4 x16'");
}

TEST(a_class_named_after_a_kind_is_of_its_family_and_network)
{
    static const char *const forms[] = {"%s", "%s_2", "%s x4", "2 of %s", "2 of %s x8"};
    struct cs_wire wire;
    char name[100];

    for (size_t i = 0; i < cs_link_kind_count; i++)
        for (size_t f = 0; f < sizeof(forms) / sizeof(*forms); f++) {
            (void)snprintf(name, sizeof(name), forms[f], cs_link_kinds[i].name);
            cs_link_kind_belong(name, &wire);
            if (wire.family != cs_link_kinds[i].family || wire.network != cs_link_kinds[i].network)
                fail_msg("class '%s' has another family or network than its kind", name);
        }
    cs_link_kind_belong("nvlink 12.3 GB/s", &wire);
    assert_int_equal(wire.family, CS_LINK_NVLINK);
    cs_link_kind_belong("of my own", &wire);
    assert_int_equal(wire.family, CS_LINK_OTHER);
    assert_int_equal(wire.network, CS_NET_NONE);
}

/* Every port states its network, and nothing else does. */
TEST(ports_alone_have_a_network)
{
    for (size_t i = 0; i < cs_link_kind_count; i++)
        if ((cs_link_kinds[i].family == CS_LINK_NETWORK) !=
            (cs_link_kinds[i].network != CS_NET_NONE))
            fail_msg("%s has no network, or is no port", cs_link_kinds[i].name);
}
