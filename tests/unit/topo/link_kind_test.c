#include "topo/link_kind.h"

#include "sim/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

/* Rates within a part in 10^9: they are products of a few decimals. */
static void effective(const char *text, double expected_Bps)
{
    struct cs_wire wire = {0};
    struct cs_err err = {0};
    double off;

    if (cs_link_kind_find(text, &wire, &err))
        fail_msg("%s", err.text);
    off = cs_wire_effective(&wire) / expected_Bps - 1;
    if (fabs(off) > 1e-9)
        fail_msg("%s: %.0f B/s", text, cs_wire_effective(&wire));
}

static void refused(const char *text, const char *sentence)
{
    struct cs_wire wire = {0};
    struct cs_err err = {0};

    assert_int_equal(cs_link_kind_find(text, &wire, &err), CS_EINPUT);
    assert_string_equal(err.text, sentence);
}

static void gpu_links_give_what_nccl_counts_on(void **state)
{
    (void)state;
    effective("nvlink1 x4", 72e9);
    effective("nvlink2 x6", 120e9);
    effective("nvlink3 x12", 240e9);
    effective("nvlink4 x18", 370.8e9);
    effective("nvlink5 x18", 721.8e9);
}

static void sixteen_lanes_give_what_nccl_counts_on(void **state)
{
    (void)state;
    effective("pcie3 x16", 12e9);
    effective("pcie4 x16", 24e9);
    effective("pcie5 x16", 48e9);
    effective("pcie6 x16", 96e9);
    effective("pcie4 x8", 12e9);
}

static void networks_give_what_is_left_after_headers(void **state)
{
    (void)state;
    effective("gbe", 0.125e9 * 1448 / 1538);
    effective("100gbe", 12.5e9 * 1448 / 1538);
    effective("ib-hdr", 24.825e9);
    effective("ib-ndr x2", 99.3e9);
    effective("qpi", 6e9);
    effective("xgmi-socket", 16e9);
}

static void a_way_through_an_nvswitch_takes_what_was_measured(void **state)
{
    struct cs_wire wire = {0};

    (void)state;
    assert_int_equal(cs_link_kind_find("nvlink3 x12", &wire, NULL), 0);
    assert_int_equal(2 * wire.latency_ps, 2700000);
}

static void every_kind_is_in_order(void **state)
{
    (void)state;
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

static void spaces_before_a_width_are_free(void **state)
{
    (void)state;
    effective("nvlink3   x12", 240e9);
    effective("nvlink3", 20e9);
}

static void a_wrong_name_is_told_with_the_nearest(void **state)
{
    (void)state;
    refused("nvlnk3 x12", "no link class called 'nvlnk3'; did you mean "
                          "'nvlink3'?");
    refused("warpdrive", "no link class called 'warpdrive'");
}

static void a_wrong_width_is_told(void **state)
{
    static const char *const texts[] = {
        "nvlink3 x0", "nvlink3 x", "nvlink3 12", "nvlink3 x1025", " x4", ""};

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        struct cs_wire wire = {0};
        struct cs_err err = {0};

        assert_int_equal(cs_link_kind_find(texts[i], &wire, &err), CS_EINPUT);
        assert_non_null(strstr(err.text, "expected a name and a width from x1 "
                                         "to x1024, as in 'nvlink3 x12'"));
    }
}

static void lanes_must_be_counted(void **state)
{
    (void)state;
    refused("pcie4", "'pcie4' is counted in lanes; write how many, as in "
                     "'pcie4 x16'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpu_links_give_what_nccl_counts_on),
        cmocka_unit_test(sixteen_lanes_give_what_nccl_counts_on),
        cmocka_unit_test(networks_give_what_is_left_after_headers),
        cmocka_unit_test(a_way_through_an_nvswitch_takes_what_was_measured),
        cmocka_unit_test(every_kind_is_in_order),
        cmocka_unit_test(spaces_before_a_width_are_free),
        cmocka_unit_test(a_wrong_name_is_told_with_the_nearest),
        cmocka_unit_test(a_wrong_width_is_told),
        cmocka_unit_test(lanes_must_be_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
