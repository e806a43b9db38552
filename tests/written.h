/*
 * A machine that is written and read back, and what has to be the same then.
 */
#ifndef CS_TESTS_WRITTEN_H
#define CS_TESTS_WRITTEN_H

#include "topo/formats/writer.h"

#include "tests/fixture.h"

#include <math.h>

/* A machine with its net, as of a spec or of a text. */
struct told {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_net net;
    uint32_t *links;
    const char *remarks; /* of its writer */
};

static inline void told_lower(struct told *told)
{
    cs_lower(&told->graph, &told->net, &told->arena);
    told->links = cs_arena_alloc(&told->arena, told->net.max_hops + 1,
                                 sizeof(*told->links));
}

static inline void told_free(struct told *told)
{
    cs_arena_free(&told->arena);
}

/* Writes and reads back; false, and why, where the format cannot hold it.  What
 * the writer remarks is in the arena of what is read back. */
static inline bool told_round_trip(const struct told *told, const char *format,
                                   struct told *back, struct cs_err *err)
{
    struct cs_text text = {0};
    struct cs_text remarks = {0};
    struct cs_topo_request request = {0};
    const struct cs_writer *writer;
    bool written;

    *back = (struct told){0};
    assert_int_equal(cs_writer_find(format, &writer, NULL), 0);
    request.spec = writer->prefix;
    written = !writer->write(&told->graph, &text, &remarks, err);
    assert_int_equal(err->code, written ? CS_OK : CS_EINPUT);
    if (written) {
        if (cs_topo_read(&request,
                         (struct cs_source_text){"written", cs_text_str(&text),
                                                 text.length},
                         &back->graph, &back->arena, err))
            fail_msg("%s as %s: %s", told->graph.name, format, err->text);
        told_lower(back);
        back->remarks = cs_arena_text(&back->arena, cs_text_str(&remarks));
    }
    cs_text_free(&text);
    cs_text_free(&remarks);
    return written;
}

/* ---- what is the same ---- */

/* Files hold rates to a millionth of a bit, shares to 15 digits. */
static inline bool told_is_near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-14 * fabs(a);
}

static inline void expect_same_devices(const struct cs_graph *a,
                                       const struct cs_graph *b)
{
    assert_int_equal(a->device_count, b->device_count);
    for (uint32_t d = 0; d < a->device_count; d++) {
        struct cs_device x = cs_graph_device(a, d);
        struct cs_device y = cs_graph_device(b, d);

        assert_string_equal(x.name, y.name);
        assert_int_equal(x.kind, y.kind);
        assert_int_equal(x.host, y.host);
        assert_true(told_is_near(x.reduce_Bps, y.reduce_Bps));
        assert_int_equal(x.reduce_overhead_ps, y.reduce_overhead_ps);
    }
}

static inline void expect_same_wires(const struct cs_graph *a,
                                     const struct cs_graph *b)
{
    assert_int_equal(a->wire_count, b->wire_count);
    for (uint32_t w = 0; w < a->wire_count; w++) {
        struct cs_wire x = cs_graph_wire(a, w);
        struct cs_wire y = cs_graph_wire(b, w);

        assert_int_equal(x.a, y.a);
        assert_int_equal(x.b, y.b);
        assert_int_equal(x.duplex, y.duplex);
        assert_int_equal(x.latency_ps, y.latency_ps);
        assert_true(told_is_near(x.rate_Bps, y.rate_Bps));
        assert_true(told_is_near(x.efficiency, y.efficiency));
        if (x.source)
            assert_string_equal(x.source, y.source);
    }
}

static inline void expect_same_seats(const uint32_t *a, uint32_t a_count,
                                     const uint32_t *b, uint32_t b_count)
{
    assert_int_equal(a_count, b_count);
    for (uint32_t i = 0; i < a_count; i++)
        assert_int_equal(a[i], b[i]);
}

static inline void expect_same_machine(const struct cs_graph *a,
                                       const struct cs_graph *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->about, b->about);
    assert_string_equal(a->port_class ? a->port_class : "",
                        b->port_class ? b->port_class : "");
    expect_same_devices(a, b);
    expect_same_wires(a, b);
    expect_same_seats(a->rank_device, a->rank_count, b->rank_device,
                      b->rank_count);
    /* A generator makes places for servers when it is asked. */
    if (*a->file)
        expect_same_seats(a->agent_device, a->agent_seats, b->agent_device,
                          b->agent_seats);
}

struct told_way {
    double rate_Bps;
    uint64_t latency_ps;
};

static inline struct told_way told_way(const struct told *told, uint32_t src,
                                       uint32_t dst)
{
    uint32_t hops = told->net.route(told->net.route_ctx, src, dst, told->links);
    struct told_way way = {(double)INFINITY, 0};

    for (uint32_t i = 0; i < hops; i++) {
        const struct cs_net_link *link = &told->net.links[told->links[i]];

        way.rate_Bps = fmin(way.rate_Bps, link->rate_Bps);
        way.latency_ps += link->latency_ps;
    }
    return way;
}

/* All pairs of these are compared. */
enum {
    TOLD_RANKS_MAX = 80
};

static inline const char *told_rank(const struct told *told, uint32_t rank)
{
    return told->graph.devices[told->graph.rank_device[rank]].name;
}

static inline void expect_same_ways(const struct told *a, const struct told *b)
{
    uint32_t ranks = a->graph.rank_count;

    assert_int_equal(ranks, b->graph.rank_count);
    if (ranks > TOLD_RANKS_MAX)
        return;
    for (uint32_t i = 0; i < ranks * ranks; i++) {
        uint32_t src = i / ranks;
        uint32_t dst = i % ranks;
        struct told_way x, y;

        if (src == dst)
            continue;
        x = told_way(a, src, dst);
        y = told_way(b, src, dst);
        if (!told_is_near(x.rate_Bps, y.rate_Bps) ||
            x.latency_ps != y.latency_ps)
            fail_msg("%s, %s to %s: %.12g B/s %" PRIu64
                     " ps, back %.12g B/s %" PRIu64 " ps",
                     a->graph.name, told_rank(a, src), told_rank(a, dst),
                     x.rate_Bps, x.latency_ps, y.rate_Bps, y.latency_ps);
    }
}

/* Rates between the GPUs of each computer, as an NCCL file has to keep them
 * unless its writer says of links that are left out, or stand for others. */
static inline void expect_same_rates(const struct told *a, const struct told *b)
{
    const struct cs_graph *graph = &a->graph;
    double most = strstr(b->remarks, "nearest in rate") ? 0.01 : 1e-12;
    uint32_t ranks = graph->rank_count;

    assert_int_equal(ranks, b->graph.rank_count);
    if (strstr(b->remarks, "left out, as") || strstr(b->remarks, "off by") ||
        strstr(b->remarks, "not so here"))
        return;
    for (uint32_t i = 0; i < ranks * ranks; i++) {
        uint32_t src = i / ranks;
        uint32_t dst = i % ranks;
        double x_Bps, y_Bps;

        if (src == dst || graph->devices[graph->rank_device[src]].host !=
                              graph->devices[graph->rank_device[dst]].host)
            continue;
        x_Bps = told_way(a, src, dst).rate_Bps;
        y_Bps = told_way(b, src, dst).rate_Bps;
        if (fabs(x_Bps - y_Bps) > most * x_Bps)
            fail_msg("%s, %s to %s: %.12g B/s, back %.12g B/s\n%s", graph->name,
                     told_rank(a, src), told_rank(a, dst), x_Bps, y_Bps,
                     b->remarks);
    }
}

/* In YAML it is the same machine; ways that no file tells are searched. */
static inline void expect_same_yaml(const struct told *told)
{
    struct cs_err err = {0};
    struct told back;

    if (!told_round_trip(told, "yaml", &back, &err)) {
        fail_msg("%s: %s", told->graph.name, err.text);
        return;
    }
    expect_same_machine(&told->graph, &back.graph);
    if (!told->graph.route)
        expect_same_ways(told, &back);
    told_free(&back);
}

static inline void expect_same_simgrid(const struct told *told)
{
    struct cs_err err = {0};
    struct told back;

    if (told->graph.rank_count > TOLD_RANKS_MAX)
        return;
    if (!told_round_trip(told, "simgrid", &back, &err)) {
        fail_msg("%s: %s", told->graph.name, err.text);
        return;
    }
    expect_same_ways(told, &back);
    told_free(&back);
}

#endif
