#include "scenarios/plan/price/inventory.h"

#include "tests/test.h"
#include "topo/formats/source.h"

#include <stdbool.h>

/* The machine's inventory with `spares` more nodes. */
static struct cs_inventory bought(const char *spec, uint32_t spares, uint32_t radix)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_topo_request request = {.spec = spec};
    struct cs_switch_networks networks;
    struct cs_inventory inventory;
    struct cs_graph graph;

    assert_done(cs_topo_open(&request, &graph, &arena, &err));
    networks = cs_switch_networks_of(&graph, &arena);
    assert_done(cs_inventory_of(&networks, spares, 1, radix, &inventory, &err));
    return inventory;
}

static struct cs_inventory dgx(const char *fabric, uint32_t nodes, uint32_t spares, uint32_t radix)
{
    char spec[96];

    snprintf(spec, sizeof(spec), "cluster:node=dgx-h100,nodes=%u,fabric=%s", nodes, fabric);
    return bought(spec, spares, radix);
}

TEST(tiers_follow_the_powers_of_half_the_radix)
{
    assert_int_equal(cs_clos_of(64, 0, 0, 64).tiers, 1);
    assert_int_equal(cs_clos_of(65, 0, 0, 64).tiers, 2);
    assert_int_equal(cs_clos_of(2048, 0, 0, 64).tiers, 2);
    assert_int_equal(cs_clos_of(2049, 0, 0, 64).tiers, 3);
    assert_int_equal(cs_clos_of(65536, 0, 0, 64).tiers, 3);
    assert_int_equal(cs_clos_of(65537, 0, 0, 64).tiers, 4);
    assert_int_equal(cs_clos_of(8193, 0, 0, 16).tiers, 0);
    /* 3:1 on 64 ports is 48 down and 16 up. */
    assert_int_equal(cs_clos_of(UINT64_C(48) * 64, 3, 1, 64).tiers, 2);
    assert_int_equal(cs_clos_of(48 * 64 + 1, 3, 1, 64).tiers, 3);
}

/* ---- published bills of materials ---- */

/* NVIDIA, DGX SuperPOD B200 reference architecture, table of larger counts: leaves,
 * spines and cores of 64 ports; cables of nodes, between leaves and spines, and
 * between spines and cores. */
TEST(superpod_b200_has_the_published_switches)
{
    static const uint32_t rows[][7] = {
        {64, 16, 8, 0, 512, 512, 0},
        {128, 32, 16, 0, 1024, 1024, 0},
        {256, 64, 32, 0, 2048, 2048, 0},
        {512, 128, 128, 64, 4096, 4096, 4096},
        {1024, 256, 256, 128, 8192, 8192, 8192},
        {2048, 512, 512, 256, 16384, 16384, 16384},
    };

    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); ++r) {
        const uint32_t *row = rows[r];
        struct cs_inventory inventory = dgx("fat-tree", row[0], 0, 64);

        assert_int_equal(inventory.boxes, row[1] + row[2] + row[3]);
        assert_int_equal(inventory.cables, row[4] + row[5] + row[6]);
        assert_int_equal(inventory.tiers, row[3] ? 3 : 2);
    }
}

/* NVIDIA, DGX SuperPOD H100 reference architecture (RA-11333-001): units of 32 nodes,
 * whose last has four ports for the fabric's manager in place of a node. */
TEST(superpod_h100_has_the_published_switches)
{
    static const uint32_t rows[][4] = {{252, 8, 4, 256}, {508, 16, 8, 512}, {1020, 32, 16, 1024}};

    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); ++r) {
        struct cs_clos clos = cs_clos_of(rows[r][0], 0, 0, 64);

        assert_int_equal(clos.boxes, rows[r][1] + rows[r][2]);
        assert_int_equal(clos.cables, rows[r][3]);
    }
}

/* W. Wang et al., Rail-only, arXiv 2307.12169, table 2: 32,768 GPUs in domains of 256,
 * by the ports of a switch; two transceivers a cable. */
TEST(rail_only_has_the_published_switches)
{
    static const uint32_t rows[][3] = {{64, 2560, 1536}, {128, 1280, 256}, {256, 384, 128}};

    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); ++r) {
        struct cs_switch_network rail = {.ports = 128, .count = 256, .is_clos = true};
        struct cs_switch_networks rails = {.item = &rail, .count = 1, .nodes = 128};
        struct cs_inventory inventory;

        assert_int_equal(cs_clos_of(32768, 0, 0, rows[r][0]).boxes, rows[r][1]);
        assert_done(cs_inventory_of(&rails, 0, 1, rows[r][0], &inventory, &err));
        assert_int_equal(inventory.boxes, rows[r][2]);
    }
}

/* The Llama 3 Herd of Models, arXiv 2407.21783, section 3.3.1: 24,576 H100; a rack of two
 * nodes and a switch, 192 racks a pod without oversubscription, eight pods over a layer with
 * 1:7.  The chassis above the racks are not counted there; these have 576 ports (Arista
 * 7816R3). */
TEST(llama_3_cluster_has_the_published_racks)
{
    static const char *const spec = "cluster:node=dgx-h100,nodes=3072,fabric=fat-tree,radix=32,pod="
                                    "192,chassis=576,core-oversubscription=7";
    const uint32_t racks = 8 * 192, planes = 16, above = 28; /* 192 / 28 = 6.86 */
    struct cs_inventory inventory = bought(spec, 0, 64);

    assert_int_equal(inventory.gpus, 24576);
    assert_int_equal(inventory.tiers, 3);
    assert_int_equal(inventory.boxes, racks + 8 * planes / 2 + 7);
    assert_int_equal(inventory.cables, 24576 + racks * planes + 8 * planes * above);
    /* A node more is in a ninth pod. */
    inventory = bought(spec, 1, 64);
    assert_int_equal(inventory.boxes, racks + 1 + 9 * planes / 2 + 7);
}

/* ---- what can be wired ---- */

enum {
    PARTS_MAX = 4096,
};

/* Deals the cables of `lower` boxes over `upper`, each box of the lower row the next
 * upper one in turn; whether no upper box has more than `ports`. */
static bool deals(uint32_t lower, uint32_t cables, uint32_t upper, uint32_t ports)
{
    static uint32_t used[PARTS_MAX];
    uint32_t next = 0;

    assert_true(upper <= PARTS_MAX);
    memset(used, 0, upper * sizeof(*used));
    for (uint32_t c = 0; c < lower * cables; ++c, next = (next + 1) % upper)
        if (++used[next] > ports)
            return false;
    return true;
}

/* The fewest boxes over a row of them. */
static uint32_t least_upper(uint32_t lower, uint32_t cables, uint32_t ports)
{
    uint32_t upper = 1;

    while (!deals(lower, cables, upper, ports))
        ++upper;
    return upper;
}

struct wired {
    uint32_t boxes, cables;
};

/* A network of `ports` cables of nodes, wired box by box with leaves as full down as
 * up: the fewest leaves, then the fewest boxes above them, in the fewest tiers. */
static struct wired wire(uint32_t ports, uint32_t radix)
{
    uint32_t half = radix / 2, leaves = 1, full, upper, pods = 1, pod, top;

    if (ports <= radix)
        return (struct wired){1, 0};
    while (leaves * half < ports)
        ++leaves;
    if (leaves <= radix) {
        full = (ports + leaves - 1) / leaves;
        upper = least_upper(leaves, full, radix);
        if (full < upper)
            full = upper;
        return (struct wired){leaves + upper, leaves * full};
    }
    while (pods * half * half < ports)
        ++pods;
    pod = (ports + pods - 1) / pods;
    leaves = 1;
    while (leaves * half < pod)
        ++leaves;
    full = (pod + leaves - 1) / leaves;
    upper = least_upper(leaves, full, half);
    if (full < upper)
        full = upper;
    top = least_upper(pods, leaves * full, radix);
    return (struct wired){pods * (leaves + upper) + top, 2 * pods * leaves * full};
}

/* 40 numbers of nodes on five fabrics, recounted by wiring every box. */
TEST(boxes_can_be_wired)
{
    static const struct {
        const char *name;
        uint32_t networks; /* of eight adapters a node */
    } fabrics[] = {{"star", 1}, {"fat-tree", 1}, {"rail", 8}, {"rail-only", 8}, {"dual-plane", 2}};

    for (size_t f = 0; f < sizeof(fabrics) / sizeof(*fabrics); ++f)
        for (uint32_t i = 0; i < 40; ++i) {
            uint32_t nodes = 2 + i * i, networks = fabrics[f].networks;
            uint32_t ports = nodes * 8 / networks;
            struct wired one = wire(ports, 64);
            struct cs_inventory inventory = dgx(fabrics[f].name, nodes, 0, 64);
            uint32_t shared = ports <= 64 ? 64 / ports : 1;
            uint32_t boxes = (networks + shared - 1) / shared * one.boxes;
            uint32_t cables = 8 * nodes + networks * one.cables;

            if (inventory.boxes != boxes || inventory.cables != cables)
                fail_msg("%s of %u nodes: %u boxes and %u cables, wired %u and %u", fabrics[f].name,
                         nodes, (unsigned)inventory.boxes, (unsigned)inventory.cables, boxes,
                         cables);
        }
}

/* A pod tree, of `radix`-port leaves as full down as up. */
struct pods {
    uint32_t hosts, radix, pod, chassis, over;
};

/* Puts whole switches of `ports` in boxes, one after the other. */
static uint32_t put(uint32_t switches, uint32_t ports, uint32_t chassis)
{
    uint32_t boxes = 0, free = 0;

    for (uint32_t s = 0; s < switches; ++s, free -= ports)
        if (free < ports) {
            ++boxes;
            free = chassis ? chassis : ports;
        }
    return boxes;
}

/* Fills leaf after leaf and pod after pod, then puts what is above in boxes. */
static struct wired wire_pods(struct pods of)
{
    uint32_t planes = of.radix / 2, above = 0, leaves = 0, pods = 0, put_hosts = 0;
    struct wired wired;

    while (above * of.over < of.pod)
        ++above;
    for (; put_hosts < of.hosts; put_hosts += planes)
        pods += leaves++ % of.pod == 0;
    wired = (struct wired){leaves, leaves * planes};
    if (pods == 1) {
        wired.boxes += put(planes, leaves, of.chassis);
        return wired;
    }
    wired.boxes += pods * put(planes, of.pod + above, of.chassis);
    wired.boxes += put(planes * above, pods, of.chassis);
    wired.cables += pods * planes * above;
    return wired;
}

/* Ports of the switches of a graph that has no others. */
static void assert_ports_fit(const struct cs_graph *graph, struct pods of)
{
    static uint32_t used[PARTS_MAX];

    assert_true(graph->device_count <= PARTS_MAX);
    memset(used, 0, sizeof(used));
    for (uint32_t w = 0; w < graph->wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(graph, w);

        ++used[wire.a];
        ++used[wire.b];
    }
    for (uint32_t d = 0; d < graph->device_count; ++d) {
        struct cs_device device = cs_graph_device(graph, d);
        uint32_t most = strncmp(device.name, "leaf", 4) != 0 && of.chassis ? of.chassis : of.radix;

        if (device.kind == CS_DEVICE_SWITCH && used[d] > most)
            fail_msg("%s has %u ports, and %u are wired", device.name, most, used[d]);
    }
}

/* The graph, the inventory and the recount have as many boxes and cables, with spares, too. */
TEST(pods_are_bought_as_they_are_generated)
{
    static const struct pods rows[] = {
        {64, 8, 4, 0, 1},   {64, 8, 4, 16, 2},   {60, 8, 4, 64, 3},     {256, 16, 8, 32, 7},
        {250, 8, 6, 24, 4}, {500, 32, 8, 72, 5}, {1536, 32, 12, 96, 7}, {100, 16, 20, 48, 7},
    };

    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); ++r) {
        struct pods of = rows[r];
        struct wired one = wire_pods(of);
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        char spec[128], chassis[32] = "";
        struct cs_topo_request request = {.spec = spec};
        struct cs_inventory inventory;
        struct cs_graph graph;

        if (of.chassis)
            snprintf(chassis, sizeof(chassis), ",chassis=%u", of.chassis);
        snprintf(spec, sizeof(spec), "fat-tree:ranks=%u,radix=%u,pod=%u,core-oversubscription=%u%s",
                 of.hosts, of.radix, of.pod, of.over, chassis);
        assert_done(cs_topo_open(&request, &graph, &arena, &err));
        assert_int_equal(graph.device_count, of.hosts + one.boxes);
        assert_int_equal(graph.wire_count, of.hosts + one.cables);
        assert_ports_fit(&graph, of);
        for (uint32_t spares = 0; spares < 12; ++spares) {
            of.hosts = rows[r].hosts + spares;
            one = wire_pods(of);
            inventory = bought(spec, spares, 64);
            assert_int_equal(inventory.boxes, one.boxes);
            assert_int_equal(inventory.cables, of.hosts + one.cables);
        }
    }
}

/* 64-port boxes, spares of the standard availability. */
TEST(spare_nodes_have_ports_of_their_own)
{
    static const struct {
        const char *fabric;
        uint32_t nodes, spares, boxes, tiers;
    } rows[] = {
        {"fat-tree", 8, 1, 5, 2},     {"fat-tree", 32, 2, 14, 2},  {"rail-only", 32, 2, 8, 1},
        {"rail", 64, 2, 40, 2},       {"rail", 128, 3, 64, 2},     {"dual-plane", 16, 2, 10, 2},
        {"fat-tree", 256, 5, 165, 3}, {"rail", 2048, 15, 1320, 3},
    };

    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); ++r) {
        struct cs_inventory inventory = dgx(rows[r].fabric, rows[r].nodes, rows[r].spares, 64);

        assert_int_equal(inventory.nodes, rows[r].nodes + rows[r].spares);
        assert_int_equal(inventory.boxes, rows[r].boxes);
        assert_int_equal(inventory.tiers, rows[r].tiers);
    }
    assert_int_equal(dgx("rail", 64, 2, 64).cables, 1056);
}

TEST(oversubscription_saves_switches_and_cables)
{
    struct cs_inventory full = dgx("fat-tree", 96, 0, 64);
    struct cs_inventory third = dgx("fat-tree,oversubscription=3", 96, 0, 64);

    assert_int_equal(full.boxes, 24 + 12);
    assert_int_equal(third.boxes, 16 + 4);
    assert_int_equal(third.cables, 768 + 256);
}

/* A dragonfly has its routers; a node more has a part of one. */
ARENA_TEST(switches_of_a_mesh_are_boxes)
{
    struct cs_topo_request request = {.spec = "dragonfly:ranks=72"};
    struct cs_graph graph;
    struct cs_switch_networks networks;
    uint32_t routers = 0;
    struct cs_inventory inventory;

    assert_done(cs_topo_open(&request, &graph, arena, &err));
    for (uint32_t d = 0; d < graph.device_count; ++d)
        routers += cs_graph_device(&graph, d).kind == CS_DEVICE_SWITCH;
    networks = cs_switch_networks_of(&graph, arena);
    /* Boxes too small to be shared. */
    assert_done(
        cs_inventory_of(&networks, 0, 1, (uint32_t)networks.item[0].ports + 1, &inventory, &err));
    assert_int_equal(inventory.boxes, routers);
    assert_int_equal(inventory.tiers, 1);
}

TEST(single_node_has_no_network)
{
    struct cs_inventory inventory = bought("dgx-h100", 0, 64);

    assert_int_equal(inventory.nodes, 1);
    assert_int_equal(inventory.boxes, 0);
    assert_int_equal(inventory.cables, 0);
}

TEST(too_many_ports_are_refused)
{
    struct cs_switch_network wide = {.ports = 1000, .count = 1, .is_clos = true};
    struct cs_switch_networks networks = {.item = &wide, .count = 1, .nodes = 1};
    struct cs_inventory inventory = {0};

    assert_refused_with(cs_inventory_of(&networks, 0, 1, 4, &inventory, &err), CS_EINPUT,
                        "larger switches");
}
