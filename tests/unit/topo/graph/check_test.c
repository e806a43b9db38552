#include "topo/graph/check.h"

#include "tests/unit/topo/graph/drawn.h"

static void refused(struct fixture *f, const char *sentence)
{
    assert_int_equal(cs_graph_check(&f->graph, &f->err), CS_EINPUT);
    assert_string_equal(f->err.text, sentence);
    cs_arena_free(&f->arena);
}

static void a_complete_machine_passes(void **state)
{
    struct fixture f;

    (void)state;
    open_pair(&f);
    assert_int_equal(cs_graph_check(&f.graph, &f.err), 0);
    assert_int_equal(f.graph.rank_count, 2);
    cs_arena_free(&f.arena);
}

static void a_single_rank_passes(void **state)
{
    struct fixture f;

    (void)state;
    open_graph(&f);
    device(&f, "a", CS_DEVICE_HOST);
    cs_graph_place_all(&f.graph);
    assert_int_equal(cs_graph_check(&f.graph, &f.err), 0);
    cs_arena_free(&f.arena);
}

static void a_duplicate_name_is_rejected(void **state)
{
    struct fixture f;

    (void)state;
    open_pair(&f);
    device(&f, "gpu1", CS_DEVICE_NIC);
    refused(&f, "m.yaml:4: device 'gpu1' is a duplicate of line 2");
}

static void a_wire_from_a_device_to_itself_is_rejected(void **state)
{
    struct fixture f;

    (void)state;
    open_pair(&f);
    wire(&f, 2, 2, CS_DUPLEX_FULL);
    refused(&f, "m.yaml:100: 'plx' is linked to itself");
}

static void a_rate_of_zero_is_rejected(void **state)
{
    struct fixture f;

    (void)state;
    open_pair(&f);
    f.graph.wires[0].rate_Bps = 0;
    refused(&f, "m.yaml:100: the rate of 'cable' is not above zero and finite");
}

static void a_switch_cannot_be_a_rank(void **state)
{
    struct fixture f;

    (void)state;
    open_pair(&f);
    f.graph.rank_device[1] = 2;
    refused(&f, "m.yaml:3: 'plx' is a switch and cannot be a rank; a rank is a "
                "gpu or a host");
}

static void two_ranks_cannot_share_a_device(void **state)
{
    struct fixture f;

    (void)state;
    open_pair(&f);
    f.graph.rank_device[1] = 0;
    refused(&f, "m.yaml:1: 'gpu0' would be two ranks or servers at once");
}

static void a_machine_without_ranks_is_rejected(void **state)
{
    struct fixture f;

    (void)state;
    open_graph(&f);
    device(&f, "plx", CS_DEVICE_SWITCH);
    cs_graph_place_all(&f.graph);
    refused(&f, "m.yaml: no rank: the machine has neither a gpu nor a host");
}

static void a_rank_without_a_route_is_reported(void **state)
{
    struct fixture f;

    (void)state;
    open_pair(&f);
    device(&f, "gpu2", CS_DEVICE_GPU);
    cs_graph_place_all(&f.graph);
    assert_false(cs_graph_needs_relays(&f.graph));
    refused(&f, "m.yaml:4: 'gpu2' cannot be reached from 'gpu0'; only a cpu, "
                "nic, switch or bus passes messages on");
}

static void gpus_in_a_row_do_not_forward(void **state)
{
    struct fixture f;

    (void)state;
    open_graph(&f);
    for (uint32_t i = 0; i < 3; i++)
        device(&f, i == 0 ? "a" : i == 1 ? "b" : "c", CS_DEVICE_GPU);
    wire(&f, 0, 1, CS_DUPLEX_FULL);
    wire(&f, 1, 2, CS_DUPLEX_FULL);
    cs_graph_place_all(&f.graph);
    assert_true(cs_graph_needs_relays(&f.graph));
    refused(&f, "m.yaml:3: 'c' cannot be reached from 'a'; only a cpu, nic, "
                "switch or bus passes messages on");
}

static void fully_connected_gpus_need_no_switch(void **state)
{
    struct fixture f;

    (void)state;
    open_graph(&f);
    for (uint32_t i = 0; i < 3; i++)
        device(&f, i == 0 ? "a" : i == 1 ? "b" : "c", CS_DEVICE_GPU);
    wire(&f, 0, 1, CS_DUPLEX_FULL);
    wire(&f, 1, 2, CS_DUPLEX_FULL);
    wire(&f, 2, 0, CS_DUPLEX_FULL);
    cs_graph_place_all(&f.graph);
    assert_false(cs_graph_needs_relays(&f.graph));
    assert_int_equal(cs_graph_check(&f.graph, &f.err), 0);
    cs_arena_free(&f.arena);
}

static void overlapping_islands_connect_all_pairs(void **state)
{
    /* a-s-b, b-t-c, c-u-a: each pair meets on an island of its own. */
    struct fixture f;

    (void)state;
    open_graph(&f);
    device(&f, "a", CS_DEVICE_GPU);
    device(&f, "b", CS_DEVICE_GPU);
    device(&f, "c", CS_DEVICE_GPU);
    device(&f, "s", CS_DEVICE_SWITCH);
    device(&f, "t", CS_DEVICE_SWITCH);
    device(&f, "u", CS_DEVICE_SWITCH);
    for (uint32_t i = 0; i < 3; i++) {
        wire(&f, i, 3 + i, CS_DUPLEX_FULL);
        wire(&f, (i + 1) % 3, 3 + i, CS_DUPLEX_FULL);
    }
    cs_graph_place_all(&f.graph);
    assert_int_equal(cs_graph_check(&f.graph, &f.err), 0);
    f.graph.wire_count--;
    refused(&f, "m.yaml:3: 'c' cannot be reached from 'a'; only a cpu, nic, "
                "switch or bus passes messages on");
}

static void a_server_on_a_cpu_is_reached_over_its_wires(void **state)
{
    struct fixture f;

    (void)state;
    open_graph(&f);
    device(&f, "a", CS_DEVICE_GPU);
    device(&f, "b", CS_DEVICE_GPU);
    device(&f, "cpu", CS_DEVICE_CPU);
    wire(&f, 0, 2, CS_DUPLEX_FULL);
    wire(&f, 1, 2, CS_DUPLEX_FULL);
    cs_graph_place_all(&f.graph);
    f.graph.agent_device = (uint32_t[]){2};
    f.graph.agent_count = 1;
    assert_int_equal(cs_graph_check(&f.graph, &f.err), 0);
    cs_arena_free(&f.arena);
}

static void a_bus_cannot_hold_a_server(void **state)
{
    struct fixture f;

    (void)state;
    open_pair(&f);
    device(&f, "ether", CS_DEVICE_BUS);
    f.graph.agent_device = (uint32_t[]){3};
    f.graph.agent_count = 1;
    refused(&f, "m.yaml:4: 'ether' is a bus and cannot hold a server");
}

static void a_bus_requires_bus_links(void **state)
{
    struct fixture f;

    (void)state;
    open_pair(&f);
    f.graph.devices[2].kind = CS_DEVICE_BUS;
    refused(&f, "m.yaml:100: 'plx' is a bus, so 'cable' needs 'duplex: bus'");
}

static void a_bus_link_requires_a_bus(void **state)
{
    struct fixture f;

    (void)state;
    open_pair(&f);
    wire(&f, 0, 1, CS_DUPLEX_BUS);
    refused(&f, "m.yaml:100: 'cable' has 'duplex: bus', but neither 'gpu0' nor "
                "'gpu1' is a bus");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_complete_machine_passes),
        cmocka_unit_test(a_single_rank_passes),
        cmocka_unit_test(a_duplicate_name_is_rejected),
        cmocka_unit_test(a_wire_from_a_device_to_itself_is_rejected),
        cmocka_unit_test(a_rate_of_zero_is_rejected),
        cmocka_unit_test(a_switch_cannot_be_a_rank),
        cmocka_unit_test(two_ranks_cannot_share_a_device),
        cmocka_unit_test(a_machine_without_ranks_is_rejected),
        cmocka_unit_test(a_rank_without_a_route_is_reported),
        cmocka_unit_test(gpus_in_a_row_do_not_forward),
        cmocka_unit_test(fully_connected_gpus_need_no_switch),
        cmocka_unit_test(overlapping_islands_connect_all_pairs),
        cmocka_unit_test(a_server_on_a_cpu_is_reached_over_its_wires),
        cmocka_unit_test(a_bus_cannot_hold_a_server),
        cmocka_unit_test(a_bus_requires_bus_links),
        cmocka_unit_test(a_bus_link_requires_a_bus),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
