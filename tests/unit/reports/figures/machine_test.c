/* Machines: words that distinguish specifications. */
#include "reports/figures/machine.h"

#include "tests/unit/reports/sample.h"

TEST(size_is_ignored_on_request)
{
    const char *small = "fat-tree:ranks=64,radix=8";
    const char *large = "fat-tree:ranks=128,radix=8";

    assert_int_not_equal(cs_machine_order(small, large, CS_MACHINE_ALL), 0);
    assert_int_equal(cs_machine_order(small, large, CS_MACHINE_BUT_SIZE), 0);
    assert_int_equal(cs_machine_order(small, small, CS_MACHINE_ALL), 0);
    assert_true(cs_machine_order("ring", small, CS_MACHINE_ALL) > 0);
    assert_true(cs_machine_order("fat-tree", small, CS_MACHINE_ALL) < 0);
}

ARENA_TEST(parameters_and_missing_words_distinguish_machines)
{
    struct cs_record runs[] = {
        {.topology = "fat-tree",
         .ranks = 64,
         .topology_spec = "fat-tree:ranks=64,radix=8,oversubscription=3"},
        {.topology = "fat-tree", .ranks = 64, .topology_spec = "fat-tree:ranks=64,radix=8"},
        {.topology = "ring", .ranks = 64, .topology_spec = "ring:ranks=64"},
    };
    const struct cs_report_data data = cs_machine_data(runs, 3, arena);

    assert_string_equal(cs_machine_apart(&data, &runs[0], CS_MACHINE_ALL, arena),
                        "radix=8, oversubscription=3");
    assert_string_equal(cs_machine_apart(&data, &runs[1], CS_MACHINE_ALL, arena), "radix=8");
    assert_string_equal(cs_machine_apart(&data, &runs[2], CS_MACHINE_ALL, arena), "");
}
