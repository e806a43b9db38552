/* Machines: words that distinguish specifications. */
#include "reports/figures/machine.h"

#include "tests/unit/reports/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void size_is_ignored_on_request(void **state)
{
    const char *small = "fat-tree:ranks=64,radix=8";
    const char *large = "fat-tree:ranks=128,radix=8";

    (void)state;
    assert_int_not_equal(cs_machine_order(small, large, CS_MACHINE_ALL), 0);
    assert_int_equal(cs_machine_order(small, large, CS_MACHINE_BUT_SIZE), 0);
    assert_int_equal(cs_machine_order(small, small, CS_MACHINE_ALL), 0);
    assert_true(cs_machine_order("ring", small, CS_MACHINE_ALL) > 0);
    assert_true(cs_machine_order("fat-tree", small, CS_MACHINE_ALL) < 0);
}

static void parameters_and_missing_words_distinguish_machines(void **state)
{
    struct cs_record runs[] = {
        {.topology = "fat-tree",
         .ranks = 64,
         .topology_spec = "fat-tree:ranks=64,radix=8,oversubscription=3"},
        {.topology = "fat-tree", .ranks = 64, .topology_spec = "fat-tree:ranks=64,radix=8"},
        {.topology = "ring", .ranks = 64, .topology_spec = "ring:ranks=64"},
    };
    struct cs_arena arena = {0};
    const struct cs_report_data data = cs_machine_data(runs, 3, &arena);

    (void)state;
    assert_string_equal(cs_machine_apart(&data, &runs[0], CS_MACHINE_ALL, &arena),
                        "radix=8, oversubscription=3");
    assert_string_equal(cs_machine_apart(&data, &runs[1], CS_MACHINE_ALL, &arena), "radix=8");
    assert_string_equal(cs_machine_apart(&data, &runs[2], CS_MACHINE_ALL, &arena), "");
    cs_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_is_ignored_on_request),
        cmocka_unit_test(parameters_and_missing_words_distinguish_machines),
    };

    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
