#include "topo/graph/check.h"

#include "tests/unit/topo/graph/drawn.h"

static void refused(struct fixture *f, const char *sentence)
{
    assert_refused(cs_graph_check(&f->graph, &err), CS_EINPUT, sentence);
    cs_arena_free(&f->arena);
}

DRAWN_TEST(a_complete_machine_passes)
{
    open_pair(f);
    assert_int_equal(cs_graph_check(&f->graph, &f->err), 0);
    assert_int_equal(f->graph.rank_count, 2);
}

DRAWN_TEST(a_single_rank_passes)
{
    open_graph(f);
    device(f, "a", CS_DEVICE_HOST);
    cs_graph_place_all(&f->graph);
    assert_int_equal(cs_graph_check(&f->graph, &f->err), 0);
}

DRAWN_TEST(a_duplicate_name_is_rejected)
{
    open_pair(f);
    device(f, "gpu1", CS_DEVICE_NIC);
    refused(f, "m.yaml:4: device 'gpu1' is a duplicate of line 2");
}

DRAWN_TEST(a_wire_from_a_device_to_itself_is_rejected)
{
    open_pair(f);
    wire(f, 2, 2, CS_DUPLEX_FULL);
    refused(f, "m.yaml:100: 'plx' is linked to itself");
}

DRAWN_TEST(a_rate_of_zero_is_rejected)
{
    open_pair(f);
    f->graph.wires[0].rate_Bps = 0;
    refused(f, "m.yaml:100: the rate of 'cable' is not above zero and finite");
}

DRAWN_TEST(a_switch_cannot_be_a_rank)
{
    open_pair(f);
    f->graph.rank_device[1] = 2;
    refused(f, "m.yaml:3: 'plx' is a switch and cannot be a rank; a rank is a gpu or a host");
}

DRAWN_TEST(two_ranks_cannot_share_a_device)
{
    open_pair(f);
    f->graph.rank_device[1] = 0;
    refused(f, "m.yaml:1: 'gpu0' would be two ranks or servers at once");
}

DRAWN_TEST(a_machine_without_ranks_is_rejected)
{
    open_graph(f);
    device(f, "plx", CS_DEVICE_SWITCH);
    cs_graph_place_all(&f->graph);
    refused(f, "m.yaml: no rank: the machine has neither a gpu nor a host");
}

DRAWN_TEST(a_rank_without_a_route_is_reported)
{
    open_pair(f);
    device(f, "gpu2", CS_DEVICE_GPU);
    cs_graph_place_all(&f->graph);
    assert_false(cs_graph_needs_relays(&f->graph));
    refused(f, "m.yaml:4: 'gpu2' cannot be reached from 'gpu0'; only a cpu, nic, switch or bus "
               "passes messages on");
}

DRAWN_TEST(gpus_in_a_row_do_not_forward)
{
    open_graph(f);
    for (uint32_t i = 0; i < 3; i++)
        device(f, i == 0 ? "a" : i == 1 ? "b" : "c", CS_DEVICE_GPU);
    wire(f, 0, 1, CS_DUPLEX_FULL);
    wire(f, 1, 2, CS_DUPLEX_FULL);
    cs_graph_place_all(&f->graph);
    assert_true(cs_graph_needs_relays(&f->graph));
    refused(f, "m.yaml:3: 'c' cannot be reached from 'a'; only a cpu, nic, switch or bus passes "
               "messages on");
}

DRAWN_TEST(fully_connected_gpus_need_no_switch)
{
    open_graph(f);
    for (uint32_t i = 0; i < 3; i++)
        device(f, i == 0 ? "a" : i == 1 ? "b" : "c", CS_DEVICE_GPU);
    wire(f, 0, 1, CS_DUPLEX_FULL);
    wire(f, 1, 2, CS_DUPLEX_FULL);
    wire(f, 2, 0, CS_DUPLEX_FULL);
    cs_graph_place_all(&f->graph);
    assert_false(cs_graph_needs_relays(&f->graph));
    assert_int_equal(cs_graph_check(&f->graph, &f->err), 0);
}

DRAWN_TEST(overlapping_islands_connect_all_pairs)
{
    /* a-s-b, b-t-c, c-u-a: each pair meets on an island of its own. */

    open_graph(f);
    device(f, "a", CS_DEVICE_GPU);
    device(f, "b", CS_DEVICE_GPU);
    device(f, "c", CS_DEVICE_GPU);
    device(f, "s", CS_DEVICE_SWITCH);
    device(f, "t", CS_DEVICE_SWITCH);
    device(f, "u", CS_DEVICE_SWITCH);
    for (uint32_t i = 0; i < 3; i++) {
        wire(f, i, 3 + i, CS_DUPLEX_FULL);
        wire(f, (i + 1) % 3, 3 + i, CS_DUPLEX_FULL);
    }
    cs_graph_place_all(&f->graph);
    assert_int_equal(cs_graph_check(&f->graph, &f->err), 0);
    f->graph.wire_count--;
    refused(f, "m.yaml:3: 'c' cannot be reached from 'a'; only a cpu, nic, switch or bus passes "
               "messages on");
}

DRAWN_TEST(a_server_on_a_cpu_is_reached_over_its_wires)
{
    open_graph(f);
    device(f, "a", CS_DEVICE_GPU);
    device(f, "b", CS_DEVICE_GPU);
    device(f, "cpu", CS_DEVICE_CPU);
    wire(f, 0, 2, CS_DUPLEX_FULL);
    wire(f, 1, 2, CS_DUPLEX_FULL);
    cs_graph_place_all(&f->graph);
    f->graph.agent_device = (uint32_t[]){2};
    f->graph.agent_count = 1;
    assert_int_equal(cs_graph_check(&f->graph, &f->err), 0);
}

DRAWN_TEST(a_bus_cannot_hold_a_server)
{
    open_pair(f);
    device(f, "ether", CS_DEVICE_BUS);
    f->graph.agent_device = (uint32_t[]){3};
    f->graph.agent_count = 1;
    refused(f, "m.yaml:4: 'ether' is a bus and cannot hold a server");
}

DRAWN_TEST(a_bus_requires_bus_links)
{
    open_pair(f);
    f->graph.devices[2].kind = CS_DEVICE_BUS;
    refused(f, "m.yaml:100: 'plx' is a bus, so 'cable' needs 'duplex: bus'");
}

DRAWN_TEST(a_bus_link_requires_a_bus)
{
    open_pair(f);
    wire(f, 0, 1, CS_DUPLEX_BUS);
    refused(f, "m.yaml:100: 'cable' has 'duplex: bus', but neither 'gpu0' nor 'gpu1' is a bus");
}
