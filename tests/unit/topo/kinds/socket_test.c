#include "topo/kinds/socket.h"

#include "tests/test.h"

/* Vendors and rates of NVIDIA/nccl src/graph/topo.cc. */
TEST(the_link_and_the_vendor_follow_from_the_cpu)
{
    static const struct {
        struct cs_socket socket;
        const char *kind;
        enum cs_cpu_vendor vendor;
    } cases[] = {
        {{"x86_64", "AuthenticAMD", "175", "49"}, "xgmi-socket", CS_CPU_AMD},
        {{"x86_64", "AuthenticAMD", "175", "1"}, "xgmi-socket", CS_CPU_AMD},
        {{"x86_64", "AuthenticAMD", "175", "17"}, "xgmi-socket-32g", CS_CPU_AMD},
        {{"x86_64", "AuthenticAMD", "191", "2"}, "xgmi-socket-32g", CS_CPU_AMD},
        {{"x86_64", "AuthenticAMD", NULL, NULL}, "xgmi-socket", CS_CPU_AMD},
        {{"x86_64", "GenuineIntel", "6", "63"}, "qpi", CS_CPU_INTEL},
        {{"x86_64", "GenuineIntel", "6", "85"}, "upi", CS_CPU_INTEL},
        {{"x86_64", "GenuineIntel", "6", "143"}, "upi2", CS_CPU_INTEL},
        {{"x86_64", "GenuineIntel", "6", "207"}, "upi2-20g", CS_CPU_INTEL},
        {{"x86_64", "CentaurHauls", "7", "91"}, "zpi", CS_CPU_ZHAOXIN},
        {{"ppc64le", NULL, NULL, NULL}, "power9-smp", CS_CPU_IBM},
        {{"aarch64", NULL, NULL, NULL}, "arm-socket", CS_CPU_ARM},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_string_equal(cs_socket_kind(&cases[i].socket), cases[i].kind);
        assert_int_equal(cs_socket_vendor(&cases[i].socket), cases[i].vendor);
    }
}

TEST(an_unknown_cpu_has_neither)
{
    struct cs_socket socket = {"x86_64", "HygonGenuine", "24", "1"};
    struct cs_socket none = {0};

    assert_null(cs_socket_kind(&socket));
    assert_int_equal(cs_socket_vendor(&socket), CS_CPU_UNKNOWN);
    assert_null(cs_socket_kind(&none));
    assert_int_equal(cs_socket_vendor(&none), CS_CPU_UNKNOWN);
}
