#include "topo/graph/link_family.h"

#include "tests/test.h"
#include "topo/kinds/link_kind.h"

TEST(the_stem_of_an_own_class_gives_its_family)
{
    assert_int_equal(cs_link_family_of("nvlink"), CS_LINK_NVLINK);
    assert_int_equal(cs_link_family_of("nvlink6-pair"), CS_LINK_NVLINK_SHARP);
    assert_int_equal(cs_link_family_of("nvlink-c2c-half"), CS_LINK_C2C);
    assert_int_equal(cs_link_family_of("xgmi-socket-2"), CS_LINK_SOCKET);
    assert_int_equal(cs_link_family_of("pcie 12.3 GB/s"), CS_LINK_PCIE);
    assert_int_equal(cs_link_family_of("cable"), CS_LINK_OTHER);
}

/* Networks, sockets and memories have no stem in common. */
TEST(a_stem_never_contradicts_the_family_of_a_built_in_kind)
{
    for (size_t i = 0; i < cs_link_kind_count; i++) {
        enum cs_link_family family = cs_link_family_of(cs_link_kinds[i].name);

        assert_true(family == CS_LINK_OTHER || family == cs_link_kinds[i].family);
        assert_true(cs_link_kinds[i].family != CS_LINK_OTHER);
    }
}

TEST(only_ports_are_of_the_network_family)
{
    for (size_t i = 0; i < cs_link_kind_count; i++)
        assert_int_equal(cs_link_kinds[i].family == CS_LINK_NETWORK,
                         strcmp(cs_link_kinds[i].unit, "port") == 0);
}

TEST(a_link_of_gpus_has_a_word_of_nvidia_smi)
{
    assert_string_equal(cs_link_families[CS_LINK_NVLINK_SHARP].word, "NV");
    assert_true(cs_link_families[CS_LINK_NVLINK_SHARP].multicasts);
    assert_false(cs_link_families[CS_LINK_NVLINK].multicasts);
    assert_null(cs_link_families[CS_LINK_C2C].word);
    assert_null(cs_link_families[CS_LINK_OTHER].word);
}
