#include "scenarios/bench/work.h"

#include "sim/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

static void expect_beside(const struct cs_bench_case *bench, double took_s, const char *tool,
                          const char *took)
{
    const struct cs_bench_timing ours = {.figures.took_s = took_s, .peak_bytes = 4096};
    struct cs_table table = {0};
    struct cs_text text = {0};

    cs_bench_peers_begin(&table);
    cs_bench_peers_add(&table, bench, &ours);
    cs_table_write(&table, CS_STYLE_PLAIN, &text);
    assert_non_null(strstr(cs_text_str(&text), tool));
    if (!strstr(cs_text_str(&text), took))
        fail_msg("%s", cs_text_str(&text));
    cs_text_free(&text);
    cs_table_free(&table);
}

static void peers_stand_beside_what_they_were_measured_with(void **state)
{
    const struct cs_bench_case one = {.what = cs_bench_of_ring, .model = "fluid", .ranks = 1024};
    const struct cs_bench_case two = {.what = cs_bench_of_levels, .model = "fluid", .ranks = 1024};
    const struct cs_bench_case packets = {
        .what = cs_bench_of_packets, .model = "packet", .ranks = 64};

    (void)state;
    expect_beside(&one, .5, "SimGrid S4U, CM02", " 5.95 s ");
    expect_beside(&two, .95, "SimGrid S4U, CM02", "  9.5 s       -  fluid ");
    expect_beside(&packets, 3.38, "ns-3.37, point to point", " 33.8 s ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peers_stand_beside_what_they_were_measured_with),
    };

    return cmocka_run_group_tests_name("bench peers", tests, NULL, NULL);
}
