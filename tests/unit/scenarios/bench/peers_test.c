#include "scenarios/bench/peers.h"

#include "sim/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

static void expect_beside(const struct cs_bench_ours *ours, const char *tool, const char *took)
{
    struct cs_table table = {0};
    struct cs_text text = {0};

    cs_bench_peers_begin(&table);
    cs_bench_peers_add(&table, ours);
    cs_table_write(&table, CS_STYLE_PLAIN, &text);
    assert_non_null(strstr(cs_text_str(&text), tool));
    if (!strstr(cs_text_str(&text), took))
        fail_msg("%s", cs_text_str(&text));
    cs_text_free(&text);
    cs_table_free(&table);
}

static void peers_stand_beside_what_they_were_measured_with(void **state)
{
    const struct cs_bench_ours one = {cs_bench_ring, "fluid", 1024, 0.5, 4096};
    const struct cs_bench_ours two = {cs_bench_two_levels, "fluid", 1024, 0.95, 4096};
    const struct cs_bench_ours packets = {cs_bench_packets, "packet", 64, 3.38, 4096};

    (void)state;
    expect_beside(&one, "SimGrid S4U, CM02", " 5.95 s ");
    expect_beside(&two, "SimGrid S4U, CM02", "  9.5 s       -  fluid ");
    expect_beside(&packets, "ns-3.37, point to point", " 33.8 s ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peers_stand_beside_what_they_were_measured_with),
    };

    return cmocka_run_group_tests_name("bench peers", tests, NULL, NULL);
}
