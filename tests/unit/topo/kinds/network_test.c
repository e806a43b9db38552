#include "topo/kinds/network.h"

#include "tests/fixture.h"

TEST(names_find_their_network)
{
    for (int i = CS_NET_NONE + 1; i < CS_NETWORKS; i++) {
        enum cs_network_id found;

        assert_int_equal(cs_network_find(cs_networks[i].name, &found, NULL), 0);
        assert_int_equal(found, i);
        assert_true(*cs_networks[i].about && *cs_networks[i].source);
    }
}

TEST(an_unknown_name_is_refused_with_the_nearest)
{
    enum cs_network_id found;

    assert_refused_with(cs_network_find("efa9", &found, &err), CS_EINPUT,
                        "no network called 'efa9'; did you mean 'efa");
    assert_int_equal(cs_network_find("none", &found, NULL), CS_EINPUT);
}

/* What remains without the plugin has none, and kernel TCP is that: settings of both
 * kinds change a network once. */
TEST(a_network_without_its_plugin_needs_none)
{
    for (int i = CS_NET_NONE + 1; i < CS_NETWORKS; i++) {
        const struct cs_network_kind *bare = &cs_networks[cs_networks[i].bare];
        enum cs_network_id tcp = cs_networks[i].tcp;

        assert_string_equal(bare->plugin, "");
        assert_true(*cs_networks[i].plugin || bare == &cs_networks[i]);
        assert_true(cs_network_is_tcp(tcp) || cs_networks[i].carrier == CS_CARRIER_LINKS);
        assert_int_equal(cs_networks[tcp].tcp, tcp);
    }
}

TEST(names_of_classes_say_the_network)
{
    static const struct {
        const char *class_name;
        enum cs_network_id network;
    } cases[] = {
        {"my 100gbe", CS_NET_SOCKET}, {"100gbe-roce-pfc", CS_NET_ROCE}, {"old efa", CS_NET_EFA1},
        {"efa3 x2", CS_NET_EFA3},     {"tcpxo", CS_NET_TCPXO},          {"fibre", CS_NET_NONE},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(cs_network_of_class(cases[i].class_name), cases[i].network);
}
