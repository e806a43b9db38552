/* What network plugins leave of NCCL's engines and protocols. */
#include "algorithms/libraries/gpu/library.h"

#include "tests/fixture.h"

TEST(environments_of_tcpx_and_efa_limit_the_choice)
{
    const unsigned ring = 1u << CS_NCCL_RING;
    const unsigned tree = 1u << CS_NCCL_TREE;
    const unsigned simple = 1u << CS_NCCL_SIMPLE;
    const unsigned ll128 = 1u << CS_NCCL_LL128;
    const struct {
        struct cs_site site;
        struct cs_nccl_allowed allowed;
    } cases[] = {
        {{.nodes = 2, .net = CS_NET_TCPX}, {ring, simple}},
        {{.nodes = 2, .net = CS_NET_TCPXO}, {ring | tree, simple | ll128}},
        {{.nodes = 1, .net = CS_NET_TCPXO}, {0, 0}},
        {{.nodes = 2, .net = CS_NET_EFA1, .gdr = true}, {0, simple}},
        {{.nodes = 2, .net = CS_NET_EFA2, .gdr = true}, {0, 0}},
        {{.nodes = 2, .net = CS_NET_EFA2}, {0, simple}},
        {{.nodes = 2, .net = CS_NET_IB, .generation = 90}, {0, 0}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct cs_nccl_allowed allowed = cs_nccl_plugin_allowed(&cases[i].site);

        assert_int_equal(allowed.engines, cases[i].allowed.engines);
        assert_int_equal(allowed.protocols, cases[i].allowed.protocols);
    }
}
