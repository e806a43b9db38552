/* Every cable of an inventory has its two ports, and the list is a machine again. */
#include "scenarios/plan/price/wiring.h"

#include "tests/fixture.h"
#include "topo/documents/doc.h"

enum {
    RADIX = 64
};

struct wired {
    struct cs_arena arena;
    struct cs_switch_networks networks;
    struct cs_inventory inventory;
    struct cs_wiring wiring;
};

static void wired_open(struct wired *wired, const char *fabric, uint32_t nodes, uint32_t spares,
                       uint32_t planes)
{
    struct cs_topo_request request = {.replicas_from = 256};
    struct cs_graph graph;
    struct cs_err err = {0};

    *wired = (struct wired){.arena = {0}};
    request.spec =
        cs_arena_printf(&wired->arena, "cluster:node=dgx-h100,nodes=%u,fabric=%s", nodes, fabric);
    assert_int_equal(cs_topo_open(&request, &graph, &wired->arena, &err), 0);
    wired->networks = cs_switch_networks_of(&graph, &wired->arena);
    assert_int_equal(
        cs_inventory_of(&wired->networks, spares, planes, RADIX, &wired->inventory, &err), 0);
    if (cs_wiring_of(
            &(struct cs_wiring_request){&wired->networks, spares, planes, RADIX, .rack_nodes = 4},
            &wired->arena, &wired->wiring, &err))
        fail_msg("%s of %u nodes: %s", fabric, nodes, err.text);
}

/* The ports of a box are 1 up to at most the radix, each once; a box has boxes of the next
 * tier alone above it. */
static void check_ports(const struct cs_wiring *wiring)
{
    static unsigned char used[65536][RADIX + 1];

    assert_true(wiring->box_count <= 65536);
    memset(used, 0, wiring->box_count * sizeof(*used));
    for (uint32_t c = 0; c < wiring->cable_count; c++) {
        const struct cs_wiring_cable *cable = &wiring->cables[c];
        const struct cs_wiring_box *to = &wiring->boxes[cable->to];

        assert_in_range(cable->to_port, 1, RADIX);
        assert_int_equal(used[cable->to][cable->to_port]++, 0);
        assert_true(cable->length_m >= 2);
        if (cable->is_of_node) {
            assert_true(cable->from < wiring->nodes && cable->adapter < wiring->adapters);
            assert_int_equal(to->tier, 1);
            continue;
        }
        assert_in_range(cable->from_port, 1, RADIX);
        assert_int_equal(used[cable->from][cable->from_port]++, 0);
        assert_int_equal(to->tier, wiring->boxes[cable->from].tier + 1);
        assert_int_equal(to->network, wiring->boxes[cable->from].network);
    }
}

/* Each leaf reaches each spine of its network in two tiers. */
static void check_reach(const struct cs_wiring *wiring)
{
    static unsigned char reaches[4096][4096];

    if (wiring->tiers != 2 || wiring->box_count > 4096)
        return;
    memset(reaches, 0, sizeof(reaches));
    for (uint32_t c = 0; c < wiring->cable_count; c++)
        if (!wiring->cables[c].is_of_node)
            reaches[wiring->cables[c].from][wiring->cables[c].to] = 1;
    for (uint32_t a = 0; a < wiring->box_count; a++)
        for (uint32_t b = 0; b < wiring->box_count; b++)
            if (wiring->boxes[a].tier == 1 && wiring->boxes[b].tier == 2 &&
                wiring->boxes[a].network == wiring->boxes[b].network)
                assert_int_equal(reaches[a][b], 1);
}

TEST(every_cable_has_two_ports)
{
    static const char *const fabrics[] = {"star", "fat-tree",  "fat-tree,oversubscription=3",
                                          "rail", "rail-only", "dual-plane"};

    for (size_t f = 0; f < sizeof(fabrics) / sizeof(*fabrics); f++)
        for (uint32_t i = 0; i < 20; i++) {
            struct wired wired;

            wired_open(&wired, fabrics[f], 2 + 2 * i * i, i % 4, 1 + i % 2);
            assert_int_equal(wired.wiring.box_count, wired.inventory.boxes);
            assert_int_equal(wired.wiring.cable_count, wired.inventory.cables);
            check_ports(&wired.wiring);
            check_reach(&wired.wiring);
            cs_arena_free(&wired.arena);
        }
}

/* The list read as a machine needs the boxes and cables that were listed. */
TEST(the_list_is_a_machine_with_the_same_boxes)
{
    static const char *const fabrics[] = {"fat-tree", "rail", "dual-plane"};

    for (size_t f = 0; f < sizeof(fabrics) / sizeof(*fabrics); f++) {
        struct cs_topo_request request = {.spec = "ibnetdiscover:", .platform = "dgx-h100"};
        CS_AT_END(cs_text_free) struct cs_text text = {0};
        struct cs_switch_networks networks;
        struct cs_inventory again;
        struct cs_graph graph;
        struct wired wired;

        wired_open(&wired, fabrics[f], 80, 0, 1);
        cs_wiring_write(&wired.wiring, "NDR", &wired.arena, &text);
        assert_done_of(fabrics[f],
                       cs_topo_read(&request, (struct cs_doc_text){"list", text.data, text.length},
                                    &graph, &wired.arena, &err));
        networks = cs_switch_networks_of(&graph, &wired.arena);
        assert_done(cs_inventory_of(&networks, 0, 1, RADIX, &again, &err));
        assert_int_equal(again.boxes, wired.inventory.boxes);
        assert_int_equal(again.cables, wired.inventory.cables);
        cs_arena_free(&wired.arena);
    }
}

/* Racks of four nodes: those of the same rack as the leaf are beside it. */
TEST(far_racks_have_long_cables)
{
    struct wired wired;
    double longest = 0;

    wired_open(&wired, "rail", 128, 0, 1);
    for (uint32_t c = 0; c < wired.wiring.cable_count; c++)
        if (wired.wiring.cables[c].length_m > longest)
            longest = wired.wiring.cables[c].length_m;
    /* Two rows of 16 racks, 9.6 m long. */
    assert_true(longest > 7 && longest < 5 + 9.6 + 3);
    assert_int_equal(cs_wiring_rack_nodes(10200), 4);
    assert_int_equal(cs_wiring_rack_nodes(120000), 1);
    cs_arena_free(&wired.arena);
}

ARENA_TEST(meshes_have_no_list)
{
    struct cs_topo_request request = {.spec = "dragonfly:ranks=72"};
    struct cs_switch_networks networks;
    struct cs_wiring wiring;
    struct cs_graph graph;

    assert_done(cs_topo_open(&request, &graph, arena, &err));
    networks = cs_switch_networks_of(&graph, arena);
    assert_int_equal(
        cs_wiring_of(&(struct cs_wiring_request){&networks, 0, 1, RADIX, .rack_nodes = 4}, arena,
                     &wiring, NULL),
        CS_ECANNOT);
}
