/*
 * What is written reads back: as the same machine in YAML, with the same ways in
 * SimGrid's platforms, and with the same rates between GPUs in NCCL's files.
 */
#include "topo/lower.h"
#include "topo/writer.h"

#include "tests/fixture.h"

#include <math.h>

static const char *const generated[] = {
    "switch:ranks=6,gamma=7GB/s,overhead=1us",
    "switch:ranks=5,duplex=half",
    "bus:ranks=4",
    "mesh:ranks=5",
    "cluster:node=dgx-h100,nodes=2,fabric=rail",
    "cluster:node=mi300x,nodes=2",
    "cluster:node=hgx-a100-4+dgx,nodes=1+1,link=ib-hdr",
    "fat-tree:ranks=16,radix=4",
    "dragonfly:ranks=24",
    "cluster:ranks=3,bandwidth=23437500001B/s,latency=1234567ps",
};

enum {
    GENERATED = sizeof(generated) / sizeof(*generated),
    RANKS_MAX = 80, /* all pairs of which are compared */
};

struct told {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_net net;
    uint32_t *links;
};

static void open_told(struct told *told)
{
    cs_lower(&told->graph, &told->net, &told->arena);
    told->links = cs_arena_alloc(&told->arena, told->net.max_hops + 1,
                                 sizeof(*told->links));
}

static void tell(struct told *told, const char *spec)
{
    struct cs_topo_request request = {.spec = spec};
    struct cs_err err = {0};

    *told = (struct told){0};
    if (cs_topo_open(&request, &told->graph, &told->arena, &err))
        fail_msg("%s: %s", spec, err.text);
    open_told(told);
}

static void forget(struct told *told)
{
    cs_arena_free(&told->arena);
}

/* Writes and reads back; false where the format cannot hold it. */
static bool round_trip(struct told *told, const char *format, struct told *back)
{
    const struct cs_writer *writer;
    struct cs_text text = {0};
    struct cs_text remarks = {0};
    struct cs_err err = {0};
    struct cs_topo_request request = {0};

    *back = (struct told){0};
    assert_int_equal(cs_writer_find(format, &writer, NULL), 0);
    request.spec = writer->prefix;
    if (writer->write(&told->graph, &text, &remarks, &err)) {
        assert_int_equal(err.code, CS_EINPUT);
        cs_text_free(&text);
        cs_text_free(&remarks);
        return false;
    }
    if (cs_topo_read(
            &request,
            (struct cs_source_text){"written", cs_text_str(&text), text.length},
            &back->graph, &back->arena, &err))
        fail_msg("%s as %s: %s\n%s", told->graph.name, format, err.text,
                 cs_text_str(&text));
    open_told(back);
    cs_text_free(&text);
    cs_text_free(&remarks);
    return true;
}

/* ---- yaml ---- */

static void expect_same_devices(const struct told *a, const struct told *b)
{
    assert_int_equal(a->graph.device_count, b->graph.device_count);
    for (uint32_t d = 0; d < a->graph.device_count; d++) {
        struct cs_device x = cs_graph_device(&a->graph, d);
        struct cs_device y = cs_graph_device(&b->graph, d);

        assert_string_equal(x.name, y.name);
        assert_int_equal(x.kind, y.kind);
        assert_int_equal(x.host, y.host);
        assert_true(x.reduce_Bps == y.reduce_Bps);
        assert_int_equal(x.reduce_overhead_ps, y.reduce_overhead_ps);
    }
}

static void expect_same_wires(const struct told *a, const struct told *b)
{
    assert_int_equal(a->graph.wire_count, b->graph.wire_count);
    for (uint32_t w = 0; w < a->graph.wire_count; w++) {
        struct cs_wire x = cs_graph_wire(&a->graph, w);
        struct cs_wire y = cs_graph_wire(&b->graph, w);

        assert_int_equal(x.a, y.a);
        assert_int_equal(x.b, y.b);
        assert_int_equal(x.duplex, y.duplex);
        assert_int_equal(x.latency_ps, y.latency_ps);
        assert_true(x.rate_Bps == y.rate_Bps);
        assert_true(fabs(x.efficiency - y.efficiency) < 1e-14);
    }
}

static void expect_same_seats(const struct told *a, const struct told *b)
{
    assert_int_equal(a->graph.rank_count, b->graph.rank_count);
    assert_true(a->graph.rank_device && b->graph.rank_device);
    for (uint32_t r = 0; r < a->graph.rank_count; r++)
        assert_int_equal(a->graph.rank_device[r], b->graph.rank_device[r]);
}

static void expect_same_yaml(const char *spec)
{
    struct told told, back;

    tell(&told, spec);
    if (!round_trip(&told, "yaml", &back)) {
        fail_msg("%s cannot be written", spec);
        return;
    }
    expect_same_devices(&told, &back);
    expect_same_wires(&told, &back);
    expect_same_seats(&told, &back);
    assert_string_equal(told.graph.name, back.graph.name);
    forget(&told);
    forget(&back);
}

static void yaml_reads_back_as_the_same_machine(void **state)
{
    (void)state;
    for (size_t i = 0; i < cs_library_count; i++)
        expect_same_yaml(cs_library[i].name);
    for (size_t i = 0; i < GENERATED; i++)
        expect_same_yaml(generated[i]);
}

static void machines_whose_ranks_forward_are_refused(void **state)
{
    struct told told, back;

    (void)state;
    tell(&told, "ring:ranks=5");
    assert_false(round_trip(&told, "yaml", &back));
    forget(&told);
    forget(&back);
}

/* ---- ways ---- */

struct path {
    double rate_Bps;
    uint64_t latency_ps;
};

static struct path way_of(const struct told *told, uint32_t src, uint32_t dst)
{
    uint32_t hops = told->net.route(told->net.route_ctx, src, dst, told->links);
    struct path way = {(double)INFINITY, 0};

    for (uint32_t i = 0; i < hops; i++) {
        const struct cs_net_link *link = &told->net.links[told->links[i]];

        way.rate_Bps = fmin(way.rate_Bps, link->rate_Bps);
        way.latency_ps += link->latency_ps;
    }
    return way;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(a);
}

static void expect_same_ways(const struct told *a, const struct told *b,
                             bool with_latency)
{
    uint32_t ranks = a->graph.rank_count;

    assert_int_equal(ranks, b->graph.rank_count);
    for (uint32_t i = 0; i < ranks * ranks; i++) {
        struct path x, y;

        if (i / ranks == i % ranks)
            continue;
        x = way_of(a, i / ranks, i % ranks);
        y = way_of(b, i / ranks, i % ranks);
        if (!is_near(x.rate_Bps, y.rate_Bps) ||
            (with_latency && x.latency_ps != y.latency_ps))
            fail_msg("%s, %u to %u: %.12g B/s %" PRIu64
                     " ps, back %.12g B/s %" PRIu64 " ps",
                     a->graph.name, i / ranks, i % ranks, x.rate_Bps,
                     x.latency_ps, y.rate_Bps, y.latency_ps);
    }
}

static void simgrid_platforms_have_the_same_ways(void **state)
{
    (void)state;
    for (size_t i = 0; i < cs_library_count + GENERATED; i++) {
        struct told told, back;

        tell(&told, i < cs_library_count ? cs_library[i].name
                                         : generated[i - cs_library_count]);
        if (told.graph.rank_count <= RANKS_MAX &&
            round_trip(&told, "simgrid", &back)) {
            expect_same_ways(&told, &back, true);
            forget(&back);
        }
        forget(&told);
    }
}

static void nccl_files_have_the_same_rates_between_gpus(void **state)
{
    static const char *const machines[] = {
        "dgx-1",    "dgx-2", "dgx",      "dgx-h100",   "hgx-h200",
        "dgx-b200", "l40s",  "mi300x",   "hgx-a100-4", "p4d",
        "ndv4",     "ndv2",  "pcie-4gpu"};

    (void)state;
    for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
        struct told told, back;

        tell(&told, machines[i]);
        assert_true(round_trip(&told, "nccl", &back));
        expect_same_ways(&told, &back, false);
        forget(&told);
        forget(&back);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yaml_reads_back_as_the_same_machine),
        cmocka_unit_test(machines_whose_ranks_forward_are_refused),
        cmocka_unit_test(simgrid_platforms_have_the_same_ways),
        cmocka_unit_test(nccl_files_have_the_same_rates_between_gpus),
    };

    return cmocka_run_group_tests_name("writer", tests, NULL, NULL);
}
