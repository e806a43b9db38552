#include "scenarios/plan/price/inventory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "topo/formats/source.h"

#include <string.h>

static struct cs_inventory count(const char *spec, uint32_t radix)
{
    struct cs_arena arena = {0};
    struct cs_topo_request request = {.spec = spec};
    struct cs_inventory inventory;
    struct cs_graph graph;
    struct cs_err err = {0};

    assert_int_equal(cs_topo_open(&request, &graph, &arena, &err), 0);
    assert_int_equal(cs_inventory_count(&graph, radix, &arena, &inventory, &err), 0);
    cs_arena_free(&arena);
    return inventory;
}

static void tiers_follow_the_powers_of_half_the_radix(void **state)
{
    (void)state;
    assert_int_equal(cs_inventory_tiers(64, 64), 1);
    assert_int_equal(cs_inventory_tiers(65, 64), 2);
    assert_int_equal(cs_inventory_tiers(2048, 64), 2);
    assert_int_equal(cs_inventory_tiers(2049, 64), 3);
    assert_int_equal(cs_inventory_tiers(65536, 64), 3);
}

/* 48 switches for 1,024 GPUs, 2,560 for 32,768 (a cost sheet of August 2024). */
static void clos_of_published_sizes_has_the_published_switches(void **state)
{
    struct cs_inventory inventory = count("cluster:node=dgx-h100,nodes=128,fabric=fat-tree", 64);

    (void)state;
    assert_int_equal(inventory.nodes, 128);
    assert_int_equal(inventory.gpus, 1024);
    assert_int_equal(inventory.boxes, 48);
    assert_int_equal(inventory.cables, 2048);
    inventory = count("cluster:node=dgx-h100,nodes=4096,fabric=fat-tree", 64);
    assert_int_equal(inventory.boxes, 2560);
    assert_int_equal(inventory.cables, 3 * 32768);
}

static void ideal_switch_of_a_rail_becomes_a_clos(void **state)
{
    struct cs_inventory inventory = count("cluster:node=dgx-h100,nodes=128,fabric=rail", 64);

    (void)state;
    assert_int_equal(inventory.tiers, 2);
    assert_int_equal(inventory.boxes, 48);
    inventory = count("cluster:node=dgx-h100,nodes=64,fabric=rail", 64);
    assert_int_equal(inventory.tiers, 1);
    assert_int_equal(inventory.boxes, 8);
    assert_int_equal(inventory.cables, 512);
}

static void oversubscription_saves_switches_and_cables(void **state)
{
    struct cs_inventory full = count("cluster:node=dgx-h100,nodes=96,fabric=fat-tree", 64);
    struct cs_inventory third =
        count("cluster:node=dgx-h100,nodes=96,fabric=fat-tree,oversubscription=3", 64);

    (void)state;
    assert_true(third.boxes < full.boxes);
    assert_int_equal(third.cables, 768 + 256);
}

static void single_node_has_no_network(void **state)
{
    struct cs_inventory inventory = count("dgx-h100", 64);

    (void)state;
    assert_int_equal(inventory.nodes, 1);
    assert_int_equal(inventory.boxes, 0);
    assert_int_equal(inventory.cables, 0);
}

static void too_many_ports_are_refused(void **state)
{
    struct cs_inventory inventory = {0};
    struct cs_err err = {0};

    (void)state;
    assert_int_equal(cs_inventory_add_switch(&inventory, 1000, 4, &err), CS_EINPUT);
    assert_non_null(strstr(err.text, "larger switches"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiers_follow_the_powers_of_half_the_radix),
        cmocka_unit_test(clos_of_published_sizes_has_the_published_switches),
        cmocka_unit_test(ideal_switch_of_a_rail_becomes_a_clos),
        cmocka_unit_test(oversubscription_saves_switches_and_cables),
        cmocka_unit_test(single_node_has_no_network),
        cmocka_unit_test(too_many_ports_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
