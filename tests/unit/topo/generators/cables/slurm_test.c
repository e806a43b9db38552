#include "topo/formats/source.h"

#include "sim/base/random.h"
#include "sim/base/text.h"
#include "tests/test.h"
#include "topo/documents/doc.h"
#include "topo/graph/graph.h"

static int read_text(const char *text, const char *platform, struct cs_graph *graph,
                     struct cs_arena *arena, struct cs_err *err)
{
    struct cs_topo_request request = {.spec = "f", .platform = platform};

    *err = (struct cs_err){0};
    return cs_topo_read(&request, (struct cs_doc_text){"f", text, strlen(text)}, graph, arena, err);
}

static void read_well(const char *text, const char *platform, struct cs_graph *graph,
                      struct cs_arena *arena)
{
    struct cs_err err;

    assert_ok(read_text(text, platform, graph, arena, &err), &err);
}

static uint32_t find_device(const struct cs_graph *graph, const char *name)
{
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (cs_same(cs_graph_device(graph, d).name, name))
            return d;
    fail_msg("no device called '%s'", name);
    return 0;
}

/* The sum of the rates between two devices, in GB/s. */
static double between(const struct cs_graph *graph, const char *a, const char *b)
{
    uint32_t x = find_device(graph, a), y = find_device(graph, b);
    double sum_Bps = 0;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_wire wire = cs_graph_wire(graph, w);

        if ((wire.a == x && wire.b == y) || (wire.a == y && wire.b == x))
            sum_Bps += wire.rate_Bps;
    }
    return sum_Bps * 1e-9;
}

/* ib-ndr has 50 GB/s. */
static void expect_two_leaves(const char *text)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_graph graph;

    read_well(text, "dgx-h100", &graph, &arena);
    assert_int_equal(graph.rank_count, 5 * 8);
    for (int rail = 0; rail < 8; rail++) {
        const char *leaf1 = cs_arena_printf(&arena, "rail%d.leaf1", rail);
        const char *leaf2 = cs_arena_printf(&arena, "rail%d.leaf2", rail);
        const char *top = cs_arena_printf(&arena, "rail%d.top", rail);

        assert_true(between(&graph, leaf1, top) == 150);
        assert_true(between(&graph, leaf2, top) == 50); /* 2 x 200 Gb/s */
        assert_true(between(&graph, cs_arena_printf(&arena, "n2.nic%d", rail), leaf1) == 50);
        assert_true(between(&graph, cs_arena_printf(&arena, "n3.nic%d", rail), leaf2) == 50);
    }
}

TEST(a_tree_is_read_in_each_form)
{
    expect_two_leaves("SwitchName=leaf1 Nodes=node[008-010]\n"
                      "SwitchName=leaf2 Nodes=node[011-012] LinkSpeed=200Gb/s\n"
                      "SwitchName=top Switches=leaf[1-2] LinkSpeed=1800\n");
    expect_two_leaves("# SwitchName=old Nodes=x\r\nSwitchName=top\tSwitches=leaf1,leaf2\r\n\r\n"
                      "  switchname=leaf1   NODES=node[08-09],node10 # three\n"
                      "SwitchName=leaf2 Linkspeed=25GB/s \\\nNodes=node11,\\\nnode12");
}

/* A model of topograph, with names as keys or not. */
ARENA_TEST(a_model_has_hosts_or_blocks_of_them)
{
    static const char blocks[] = "capacity_blocks:\n- name: a\n  nodes: [n1, 'n[2-3]']\n"
                                 "- name: b\n  nodes: [n4, n5, n6]\n";
    static const char switches[] = "switches:\n  top: {switches: [leaf1, leaf2]}\n"
                                   "  leaf1: {capacity_blocks: [a]}\n"
                                   "  leaf2: {nodes: [n7], capacity_blocks: [b]}\n";
    struct cs_graph graph;

    read_well(cs_arena_printf(arena, "%s%s", switches, blocks), NULL, &graph, arena);
    assert_int_equal(graph.rank_count, 7);
    assert_true(3 * between(&graph, "leaf2", "top") == 4 * between(&graph, "leaf1", "top"));
    read_well(blocks, "gb200-nvl72", &graph, arena);
    assert_int_equal(graph.rank_count, 2 * 3 * 4);
    assert_refused(read_text("switches:\n- name: s\n  capacity_blocks: [c]\n"
                             "capacity_blocks: {}\n",
                             NULL, &graph, arena, &err),
                   CS_EINPUT, "f:3: 'c' is in no 'capacity_blocks', or below two switches");
}

ARENA_TEST(a_list_of_topologies_has_a_default)
{
    static const char text[] = "- topology: racks\n  block:\n    block_sizes: [2]\n    blocks:\n"
                               "    - {block: b, nodes: 'n[1-4]'}\n"
                               "- topology: fabric\n  cluster_default: True\n  tree:\n"
                               "    switches:\n"
                               "    - switch: top\n      children: leaf[1-2]\n"
                               "    - switch: leaf1\n      nodes: n[1-3]\n"
                               "    - switch: leaf2\n      nodes: n4\n"
                               "- topology: none\n  flat: true\n";
    struct cs_graph graph;

    read_well(text, NULL, &graph, arena);
    assert_int_equal(graph.rank_count, 4);
    assert_true(between(&graph, "leaf1", "top") == 3 * between(&graph, "leaf2", "top"));
    assert_non_null(strstr(graph.notes[0], "of 2 topologies 'fabric' counts"));
}

ARENA_TEST(links_are_shared_by_switches_above)
{
    static const char text[] = "SwitchName=a Nodes=n[1-4]\nSwitchName=b Nodes=n[5-8]\n"
                               "SwitchName=s1 Switches=a,b\nSwitchName=s2 Switches=a,b\n"
                               "SwitchName=top Switches=s[1-2]\n";
    struct cs_graph graph;
    double one;

    read_well(text, NULL, &graph, arena);
    one = between(&graph, "rank0", "a");
    assert_true(between(&graph, "a", "s1") == 2 * one && between(&graph, "a", "s2") == 2 * one);
    assert_true(between(&graph, "s1", "top") == 4 * one);
}

TEST(blocks_are_racks_or_hosts)
{
    static const struct {
        const char *text, *platform;
        uint32_t ranks;
    } rows[] = {
        {"BlockName=a Nodes=n[01-18]\nBlockName=b Nodes=n[19-36]\nBlockSizes=18\n", "gb200-nvl72",
         144},
        {"BlockName=a Nodes=n[01-16]\nBlockName=b Nodes=n[19-36]\n", "gb200-nvl72", 128},
        {"BlockName=a Nodes=n[01-16]\nBlockName=b Nodes=n[19-36]\n", "dgx-h100", 34 * 8},
        {"BlockName=a Nodes=n1,n2\n", NULL, 2},
    };

    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_graph graph;

        read_well(rows[r].text, rows[r].platform, &graph, &arena);
        assert_int_equal(graph.rank_count, rows[r].ranks);
    }
}

/* Up from each switch of a random tree goes as much as comes from below. */
TEST(no_switch_of_a_random_tree_blocks)
{
    struct cs_random *random = cs_random_open(42, "slurm");

    for (int round = 0; round < 50; round++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        CS_AT_END(cs_text_free) struct cs_text text = {0};
        struct cs_graph graph;
        double down[64] = {0}, up[64] = {0};
        uint32_t leaves = 2 + (uint32_t)cs_random_below(random, 9), node = 0;
        uint32_t spines = 1 + (uint32_t)cs_random_below(random, 3);

        for (uint32_t leaf = 0; leaf < leaves; leaf++) {
            uint32_t count = spines * (1 + (uint32_t)cs_random_below(random, 5));

            cs_text_printf(&text, "SwitchName=s%u Nodes=n[%03u-%03u]\n", leaf, node,
                           node + count - 1);
            node += count;
        }
        for (uint32_t spine = 0; spine < spines; spine++)
            cs_text_printf(&text, "SwitchName=s%u Switches=s[0-%u]\n", leaves + spine, leaves - 1);
        cs_text_printf(&text, "SwitchName=s%u Switches=s[%u-%u]\n", leaves + spines, leaves,
                       leaves + spines - 1);
        read_well(cs_text_str(&text), NULL, &graph, &arena);
        assert_int_equal(graph.rank_count, node);
        for (uint32_t w = 0; w < graph.wire_count; w++) {
            struct cs_wire wire = cs_graph_wire(&graph, w);

            if (wire.a >= node)
                up[wire.a - node] += wire.rate_Bps;
            down[wire.b - node] += wire.rate_Bps;
        }
        for (uint32_t s = 0; s < leaves + spines; s++)
            assert_true(up[s] > 0 && up[s] == down[s]);
    }
    cs_random_close(random);
}

TEST(bad_files_are_named_with_the_line)
{
    static const struct {
        const char *text, *platform, *message;
    } rows[] = {
        {"SwitchName=a Nods=n1\n", NULL,
         "f:1: 'Nods' is no key of topology.conf with a value; did you mean 'Nodes'?"},
        {"\nSwitchName=a Nodes\n", NULL, "f:2: 'Nodes' is no key of topology.conf with a value"},
        {"SwitchName=a \\\nNodes=n1\nSwitchName=b Nodes=n2]\n", NULL,
         "f:3: 'n2]' is not a set of names; expected something like node3, node[01-16]"},
        {"SwitchName=leaf1 Nodes=n1\nSwitchName=b Switches=leaf2\n", NULL,
         "f:2: no switch called 'leaf2'; did you mean 'leaf1'?"},
        {"SwitchName=a Nodes=n1\nBlockName=b Nodes=n2\n", NULL,
         "f: 2 nodes in 1 blocks and 1 switches"},
        {"BlockName=a\n", NULL, "f:1: expected a switch with nodes or switches, or a block"},
        {"SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\n", NULL,
         "f:2: no cables join this adapter"},
        {"SwitchName=a Nodes=n1 LinkSpeed=5 parsecs\n", NULL, "f:1: 'parsecs' is no key"},
        {"SwitchName=a Nodes=n1 LinkSpeed=5parsecs\n", NULL, "f:1: LinkSpeed: "},
        {"SwitchName=a Nodes=n[1-2]\n", "gb200-nvl72", "f: nodes of a tree are hosts"},
        {"BlockName=a Nodes=n[1-19]\n", "gb200-nvl72",
         "f: 19 nodes in a block; a gb200-nvl72 has 18 trays"},
        {"- topology: a\n  flat: true\n", NULL, "f:1: no topology has 'tree' or 'block'"},
        {"- topology: a\n  tre: {}\n", NULL,
         "f:2: no key called 'tre' in a topology; did you mean 'tree'?"},
        {"- topology: a\n  tree:\n    switches:\n    - switch: a\n      node: n1\n", NULL,
         "f:5: no key called 'node' in switches; did you mean 'nodes'?"},
    };

    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_err err;
        struct cs_graph graph;

        assert_int_equal(read_text(rows[r].text, rows[r].platform, &graph, &arena, &err),
                         CS_EINPUT);
        if (strncmp(err.text, rows[r].message, strlen(rows[r].message)) != 0)
            fail_msg("'%s' in place of '%s'", err.text, rows[r].message);
    }
}
