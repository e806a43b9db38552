#include "topo/graph/link_family.h"

#include "topo/kinds/link_kind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void the_stem_of_an_own_class_gives_its_family(void **state)
{
    (void)state;
    assert_int_equal(cs_link_family_of("nvlink"), CS_LINK_NVLINK);
    assert_int_equal(cs_link_family_of("nvlink6-pair"), CS_LINK_NVLINK_SHARP);
    assert_int_equal(cs_link_family_of("nvlink-c2c-half"), CS_LINK_C2C);
    assert_int_equal(cs_link_family_of("xgmi-socket-2"), CS_LINK_SOCKET);
    assert_int_equal(cs_link_family_of("pcie 12.3 GB/s"), CS_LINK_PCIE);
    assert_int_equal(cs_link_family_of("cable"), CS_LINK_OTHER);
}

/* Networks, sockets and memories have no stem in common. */
static void a_stem_never_contradicts_the_family_of_a_built_in_kind(void **state)
{
    (void)state;
    for (size_t i = 0; i < cs_link_kind_count; i++) {
        enum cs_link_family family = cs_link_family_of(cs_link_kinds[i].name);

        assert_true(family == CS_LINK_OTHER || family == cs_link_kinds[i].family);
        assert_true(cs_link_kinds[i].family != CS_LINK_OTHER);
    }
}

static void only_ports_are_of_the_network_family(void **state)
{
    (void)state;
    for (size_t i = 0; i < cs_link_kind_count; i++)
        assert_int_equal(cs_link_kinds[i].family == CS_LINK_NETWORK,
                         strcmp(cs_link_kinds[i].unit, "port") == 0);
}

static void a_link_of_gpus_has_a_word_of_nvidia_smi(void **state)
{
    (void)state;
    assert_string_equal(cs_link_families[CS_LINK_NVLINK_SHARP].word, "NV");
    assert_true(cs_link_families[CS_LINK_NVLINK_SHARP].multicasts);
    assert_false(cs_link_families[CS_LINK_NVLINK].multicasts);
    assert_null(cs_link_families[CS_LINK_C2C].word);
    assert_null(cs_link_families[CS_LINK_OTHER].word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stem_of_an_own_class_gives_its_family),
        cmocka_unit_test(a_stem_never_contradicts_the_family_of_a_built_in_kind),
        cmocka_unit_test(only_ports_are_of_the_network_family),
        cmocka_unit_test(a_link_of_gpus_has_a_word_of_nvidia_smi),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
