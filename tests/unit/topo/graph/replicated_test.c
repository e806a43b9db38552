#include "topo/graph/replicated.h"

#include "tests/test.h"
#include "topo/graph/route.h"

enum {
    NODES = 16,
    HOPS_MAX = 256,
};

struct fixture {
    struct cs_arena arena;
    struct cs_graph graph;
};

static uint32_t device(struct fixture *f, enum cs_device_kind kind)
{
    return cs_graph_add_device(&f->graph, (struct cs_device){.name = "", .kind = kind});
}

static uint32_t wire(struct fixture *f, uint32_t a, uint32_t b)
{
    return cs_graph_add_wire(&f->graph, (struct cs_wire){.a = a,
                                                         .b = b,
                                                         .class_name = "",
                                                         .rate_Bps = 1e9,
                                                         .efficiency = 1,
                                                         .latency_ps = 1000});
}

/* Nodes of a GPU and a NIC; no fabric yet. */
static void open_nodes(struct fixture *f, uint32_t nodes)
{
    memset(f, 0, sizeof(*f));
    cs_graph_init(&f->graph, &f->arena);
    for (uint32_t k = 0; k < nodes; k++) {
        device(f, CS_DEVICE_GPU);
        device(f, CS_DEVICE_NIC);
    }
    for (uint32_t k = 0; k < nodes; k++)
        wire(f, 2 * k, 2 * k + 1);
    f->graph.identical = (struct cs_graph_replicas){.count = nodes, .devices = 2, .wires = 1};
}

/* All nodes on a switch; wire NODES + k is the wire of node k. */
static void open_star(struct fixture *f)
{
    uint32_t leaf;

    open_nodes(f, NODES);
    leaf = device(f, CS_DEVICE_SWITCH);
    for (uint32_t k = 0; k < NODES; k++)
        wire(f, 2 * k + 1, leaf);
}

static struct cs_replicated *copies(struct fixture *f)
{
    cs_graph_place_all(&f->graph);
    return cs_replicated_new(&f->graph, &f->arena);
}

static void nothing_small(struct fixture *f)
{
    assert_null(copies(f));
    cs_arena_free(&f->arena);
}

static void star_close(struct fixture *f)
{
    cs_arena_free(&f->arena);
}

#define STAR_TEST(name) TEST_OF(struct fixture, f, star_close, name)

STAR_TEST(a_star_keeps_three_nodes)
{
    struct cs_replicated *c;
    struct cs_replicated_view view;

    open_star(f);
    c = copies(f);
    assert_non_null(c);
    assert_int_equal(cs_replicated_graph(c)->device_count, 3 * 2 + 1);
    assert_int_equal(cs_replicated_graph(c)->wire_count, 3 + 3);
    view = cs_replicated_view_of(c, 2 * 9, 2 * 4);
    assert_int_equal(cs_replicated_device(c, &view, view.src), 2 * 9);
    assert_int_equal(cs_replicated_device(c, &view, view.dst), 2 * 4);
    assert_int_equal(cs_replicated_device(c, &view, 6), 2 * NODES);
    /* Wires of the first, the second, and a third node. */
    assert_int_equal(cs_replicated_link(c, &view, 0), 2 * 9);
    assert_int_equal(cs_replicated_link(c, &view, 1), 2 * 9 + 1);
    assert_int_equal(cs_replicated_link(c, &view, 2 * 4), 2 * (NODES + 4));
    assert_int_equal(cs_replicated_link(c, &view, 2 * 2), UINT32_MAX);
    assert_int_equal(cs_replicated_link(c, &view, 2 * 5), UINT32_MAX);
}

STAR_TEST(a_node_with_other_plugs_forms_a_group)
{
    struct cs_replicated *c;
    struct cs_replicated_view view;

    open_star(f);
    f->graph.wires[NODES + 5].rate_Bps = 2e9;
    c = copies(f);
    assert_int_equal(cs_replicated_graph(c)->device_count, 4 * 2 + 1);
    view = cs_replicated_view_of(c, 2 * 9, 2 * 5);
    assert_int_equal(cs_replicated_device(c, &view, view.dst), 2 * 5);
}

STAR_TEST(nodes_that_differ_are_not_reduced)
{
    open_star(f);
    f->graph.wires[7].latency_ps++;
    nothing_small(f);
    open_star(f);
    f->graph.wires[7].rate_Bps = 2e9;
    nothing_small(f);
    open_star(f);
    f->graph.devices[7].kind = CS_DEVICE_SWITCH;
    nothing_small(f);
    open_star(f);
    f->graph.wires[7].b = 3;
    nothing_small(f);
    open_star(f);
    f->graph.identical.count = NODES + 1;
    nothing_small(f);
}

STAR_TEST(a_form_without_a_gain_is_not_built)
{
    uint32_t leaf;

    open_nodes(f, 5);
    leaf = device(f, CS_DEVICE_SWITCH);
    for (uint32_t k = 0; k < 5; k++)
        wire(f, 2 * k + 1, leaf);
    nothing_small(f);
    /* A switch for each two. */
    open_nodes(f, NODES);
    for (uint32_t k = 0; k < NODES; k++) {
        if (k % 2 == 0)
            leaf = device(f, CS_DEVICE_SWITCH);
        wire(f, 2 * k + 1, leaf);
    }
    nothing_small(f);
}

TEST(nodes_with_wires_to_each_other_are_not_reduced)
{
    CS_AT_END(nothing_small) struct fixture f;

    open_star(&f);
    wire(&f, 1, 3);
}

STAR_TEST(nodes_without_the_hint_are_not_reduced)
{
    open_star(f);
    f->graph.identical = (struct cs_graph_replicas){0};
    nothing_small(f);
    open_star(f);
    f->graph.identical = (struct cs_graph_replicas){.count = NODES};
    nothing_small(f);
}

/* Two switches joined by the nodes alone: between GPUs on different switches a
 * path crosses every node, at equal cost. */
static void open_two_planes(struct fixture *f)
{
    uint32_t leaf = NODES * 6;

    memset(f, 0, sizeof(*f));
    cs_graph_init(&f->graph, &f->arena);
    for (uint32_t k = 0; k < NODES; k++) {
        device(f, CS_DEVICE_GPU); /* on leaf 0 by NIC 2 */
        device(f, CS_DEVICE_GPU); /* on leaf 1 by NIC 3 */
        for (uint32_t i = 0; i < 4; i++)
            device(f, CS_DEVICE_NIC);
    }
    for (uint32_t k = 0; k < NODES; k++) {
        wire(f, 6 * k, 6 * k + 2);
        wire(f, 6 * k + 1, 6 * k + 3);
        wire(f, 6 * k + 4, 6 * k + 5);
    }
    f->graph.identical = (struct cs_graph_replicas){.count = NODES, .devices = 6, .wires = 3};
    device(f, CS_DEVICE_SWITCH);
    device(f, CS_DEVICE_SWITCH);
    for (uint32_t k = 0; k < NODES; k++)
        for (uint32_t i = 2; i < 6; i++)
            wire(f, 6 * k + i, leaf + i % 2);
}

STAR_TEST(routes_through_third_nodes_are_all_counted)
{
    struct cs_graph plain;
    struct cs_routes *small, *whole;
    uint32_t by_third = 0;

    open_two_planes(f);
    assert_non_null(copies(f));
    plain = f->graph;
    plain.identical.count = 0;
    small = cs_routes_new(&f->graph, &f->arena);
    whole = cs_routes_new(&plain, &f->arena);
    for (uint32_t src = 0; src < 2 * NODES; src++)
        for (uint32_t dst = 0; dst < 2 * NODES; dst++) {
            uint32_t expected[HOPS_MAX], got[HOPS_MAX], hops;

            if (src == dst)
                continue;
            hops = cs_routes_find(whole, src, dst, expected);
            assert_int_equal(cs_routes_find(small, src, dst, got), hops);
            assert_memory_equal(got, expected, hops * sizeof(*got));
            by_third += hops > 4;
        }
    assert_true(by_third > 0);
}
