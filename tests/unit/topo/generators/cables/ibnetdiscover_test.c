#include "topo/formats/source.h"

#include "sim/base/text.h"
#include "tests/test.h"
#include "topo/documents/doc.h"
#include "topo/graph/graph.h"

/* Hosts in the order of the file on a switch, each with an adapter of that speed. */
static const char *fabric_of(const char *const *hosts, uint32_t count, const char *speed)
{
    static char text[4096];
    int at = snprintf(
        text, sizeof(text),
        "switchguid=0x1(1)\nSwitch\t64 \"S-1\"\t# \"MF0;leaf:X/U1\" enhanced port 0 lid 1 lmc 0\n");

    for (uint32_t h = 0; h < count; h++)
        at += snprintf(text + at, sizeof(text) - (size_t)at,
                       "[%u]\t\"H-%u\"[1](%u)\t# \"%s\" lid 5 %s\n", h + 1, h, h, hosts[h], speed);
    for (uint32_t h = 0; h < count; h++)
        at += snprintf(text + at, sizeof(text) - (size_t)at,
                       "\ncaguid=0x%u\nCa\t1 \"H-%u\"\t# \"%s\"\n[1](%u) \t\"S-1\"[%u]\t# lid 5 "
                       "lmc 0 \"leaf\" lid 1 %s\n",
                       h, h, hosts[h], h, h + 1, speed);
    return text;
}

static int read_text(const char *text, struct cs_graph *graph, struct cs_arena *arena,
                     struct cs_err *err)
{
    struct cs_topo_request request = {.spec = "ibnetdiscover:"};

    return cs_topo_read(&request, (struct cs_doc_text){"f", text, strlen(text)}, graph, arena, err);
}

ARENA_TEST(hosts_are_in_order_of_name)
{
    static const char *const hosts[] = {"node10 mlx5_0", "node9 mlx5_0", "login"};
    struct cs_graph graph;
    double rates_Bps[3] = {0};

    assert_done(read_text(fabric_of(hosts, 3, "4xNDR"), &graph, arena, &err));
    assert_int_equal(graph.rank_count, 3);
    assert_string_equal(cs_graph_device(&graph, 3).name, "leaf");
    assert_int_equal(graph.wire_count, 3);
    for (uint32_t w = 0; w < 3; w++)
        rates_Bps[w] = cs_graph_wire(&graph, w).rate_Bps;
    assert_true(rates_Bps[0] == 50e9 && rates_Bps[1] == 50e9 && rates_Bps[2] == 50e9);
    /* login, node9, node10: lines of their adapters' cables. */
    assert_true(cs_graph_wire(&graph, 1).line == 4 && cs_graph_wire(&graph, 2).line == 3);
}

TEST(width_and_speed_make_the_rate)
{
    static const struct {
        const char *speed;
        double GBps;
    } rows[] = {{"4xXDR", 100},  {"4xNDR", 50},   {"2xNDR", 25},  {"4xHDR", 25},
                {"2xHDR", 12.5}, {"4xEDR", 12.5}, {"4xFDR10", 5}, {"12xQDR", 12}};
    static const char *const hosts[] = {"a mlx5_0", "b mlx5_0"};

    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_graph graph;
        double rate_Bps;

        assert_done(read_text(fabric_of(hosts, 2, rows[r].speed), &graph, &arena, &err));
        rate_Bps = cs_graph_wire(&graph, 0).rate_Bps;
        if (!(rate_Bps > 0.999 * rows[r].GBps * 1e9 && rate_Bps < 1.001 * rows[r].GBps * 1e9))
            fail_msg("%s: %g GB/s in place of %g", rows[r].speed, rate_Bps * 1e-9, rows[r].GBps);
    }
}

TEST(bad_lines_are_named)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"switchguid=0x1\nSwitch\t64 S-1\n", "f:2: expected Switch or Ca, ports"},
        {"switchguid=0x1\n[1] \"H\"[1] # 4xNDR\n", "f:2: expected [port] \"ID\"[port] below"},
        {"Switch 1 \"S\" # \"a\"\n\nSwitch\t1 \"S\" # \"b\"\n", "f:3: 'S' occurs twice"},
        {"switchguid=0x1\nSwitch 1 \"S\" # \"a\"\n[1] \"H\"[1] # \"h\" 4xABC\n",
         "f:3: expected a width and a speed such as 4xNDR"},
        {"switchguid=0x1\nSwitch 1 \"S\" # \"a\"\n[1] \"H\"[1] # \"h\" 4xNDR\n",
         "f:3: 'H' is no Switch or Ca of the file"},
        {"switchguid=0x1\nSwitch 1 \"S\" # \"a\"\n", "f: no adapters of hosts"},
        {"switchguid=0x1\nCa 1 \"H\" # \"h mlx5_0\"\n", "f: no switches between the hosts"},
        {"switchguid=0x1\nSwitch 1 \"S\" # \"a\"\nCa 1 \"H\" # \"h mlx5_0\"\n",
         "f:3: adapter 'mlx5_0' of 'h' has no cable"},
    };

    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_err err = {0};
        struct cs_graph graph;

        assert_int_equal(read_text(rows[r].text, &graph, &arena, &err), CS_EINPUT);
        if (strncmp(err.text, rows[r].message, strlen(rows[r].message)) != 0)
            fail_msg("'%s' in place of '%s'", err.text, rows[r].message);
    }
}

ARENA_TEST(aggregation_nodes_are_left_out)
{
    static const char *const hosts[] = {"a mlx5_0", "b mlx5_0",
                                        "Mellanox Technologies Aggregation Node"};
    struct cs_graph graph;

    assert_done(read_text(fabric_of(hosts, 3, "4xHDR"), &graph, arena, &err));
    assert_int_equal(graph.rank_count, 2);
    assert_int_equal(graph.wire_count, 2);
}

/* A replicated graph has no array of all devices, and its names are checked all the same. */
ARENA_TEST(equal_hosts_may_be_replicated)
{
    static const char *const hosts[] = {"a mlx5_0", "b mlx5_0", "c mlx5_0"};
    const char *text = fabric_of(hosts, 3, "4xNDR");
    struct cs_topo_request request = {.spec = "ibnetdiscover:", .replicas_from = 2};
    struct cs_graph graph;

    assert_done(
        cs_topo_read(&request, (struct cs_doc_text){"f", text, strlen(text)}, &graph, arena, &err));
    assert_int_equal(graph.replicated.count, 3);
    assert_int_equal(graph.rank_count, 3);
    assert_string_equal(cs_graph_device(&graph, 3).name, "leaf");
}

/* Switches without management all have the name of their chip. */
ARENA_TEST(a_switch_with_the_name_of_another_has_its_id)
{
    static const char text[] = "switchguid=0x1\n"
                               "Switch 40 \"S-1\" # \"Quantum Mellanox Technologies\" base\n"
                               "[1] \"H-1\"[1] # \"a mlx5_0\" lid 5 4xHDR\n"
                               "[2] \"S-2\"[2] # \"Quantum Mellanox Technologies\" lid 5 4xHDR\n"
                               "Switch 40 \"S-2\" # \"Quantum Mellanox Technologies\" base\n"
                               "[1] \"H-2\"[1] # \"b mlx5_0\" lid 5 4xHDR\n"
                               "Ca 1 \"H-1\" # \"a mlx5_0\"\nCa 1 \"H-2\" # \"b mlx5_0\"\n";
    struct cs_graph graph;

    assert_done(read_text(text, &graph, arena, &err));
    assert_string_equal(cs_graph_device(&graph, 2).name, "Quantum");
    assert_string_equal(cs_graph_device(&graph, 3).name, "S-2");
}
