/*
 * A machine that is written and read back, and what has to be the same then.
 */
#pragma once

#include "topo/formats/writer.h"

#include "tests/fixture.h"
#include "topo/documents/doc.h"

#include <math.h>

/* A machine with its net, as of a spec or of a text. */
struct reported {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_net net;
    uint32_t *links;
    const char *notes; /* of its writer */
};

static inline void reported_lower(struct reported *reported)
{
    cs_lower(&reported->graph, &reported->net, &reported->arena);
    reported->links =
        cs_arena_alloc(&reported->arena, reported->net.max_hops + 1, sizeof(*reported->links));
}

static inline void known_free(struct reported *reported)
{
    cs_arena_free(&reported->arena);
}

/* Writes and reads back; false, and why, where the format cannot hold it.  What
 * the writer remarks is in the arena of what is read back. */
static inline bool reported_round_trip(const struct reported *reported, const char *format,
                                       struct reported *back, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    CS_AT_END(cs_text_free) struct cs_text notes = {0};
    struct cs_topo_request request = {0};
    const struct cs_writer *writer;
    bool written;

    *back = (struct reported){0};
    assert_int_equal(cs_writer_find(format, &writer, NULL), 0);
    request.spec = writer->prefix;
    written = !writer->write(&reported->graph, &text, &notes, err);
    assert_int_equal(err->code, written ? CS_OK : CS_EINPUT);
    if (written) {
        if (cs_topo_read(&request, (struct cs_doc_text){"written", cs_text_str(&text), text.length},
                         &back->graph, &back->arena, err))
            fail_msg("%s as %s: %s", reported->graph.name, format, err->text);
        reported_lower(back);
        back->notes = cs_arena_text(&back->arena, cs_text_str(&notes));
    }
    return written;
}

/* ---- what is the same ---- */

/* Files hold rates to a millionth of a bit, shares to 15 digits. */
static inline bool reported_is_near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-14 * fabs(a);
}

static inline void expect_same_devices(const struct cs_graph *a, const struct cs_graph *b)
{
    assert_int_equal(a->device_count, b->device_count);
    for (uint32_t d = 0; d < a->device_count; d++) {
        struct cs_device x = cs_graph_device(a, d);
        struct cs_device y = cs_graph_device(b, d);

        assert_string_equal(x.name, y.name);
        assert_int_equal(x.kind, y.kind);
        assert_int_equal(x.host, y.host);
        assert_true(reported_is_near(x.reduce_Bps, y.reduce_Bps));
        assert_int_equal(x.reduce_overhead_ps, y.reduce_overhead_ps);
        assert_int_equal(!x.port, !y.port);
        if (x.port && y.port)
            assert_true(reported_is_near(cs_wire_when_up(x.port), cs_wire_when_up(y.port)));
    }
}

static inline void expect_same_wires(const struct cs_graph *a, const struct cs_graph *b)
{
    assert_int_equal(a->wire_count, b->wire_count);
    for (uint32_t w = 0; w < a->wire_count; w++) {
        struct cs_wire x = cs_graph_wire(a, w);
        struct cs_wire y = cs_graph_wire(b, w);

        assert_int_equal(x.a, y.a);
        assert_int_equal(x.b, y.b);
        assert_int_equal(x.duplex, y.duplex);
        assert_int_equal(x.latency_ps, y.latency_ps);
        assert_true(reported_is_near(x.rate_Bps, y.rate_Bps));
        assert_true(reported_is_near(x.efficiency, y.efficiency));
        if (x.source)
            assert_string_equal(x.source, y.source);
    }
}

static inline void expect_same_slots(const uint32_t *a, uint32_t a_count, const uint32_t *b,
                                     uint32_t b_count)
{
    assert_int_equal(a_count, b_count);
    for (uint32_t i = 0; i < a_count; i++)
        assert_int_equal(a[i], b[i]);
}

static inline void expect_same_machine(const struct cs_graph *a, const struct cs_graph *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->about, b->about);
    assert_string_equal(a->port_class ? a->port_class : "", b->port_class ? b->port_class : "");
    expect_same_devices(a, b);
    expect_same_wires(a, b);
    expect_same_slots(a->rank_device, a->rank_count, b->rank_device, b->rank_count);
    /* A generator makes places for servers when it is asked. */
    if (*a->file)
        expect_same_slots(a->agent_device, a->agent_slots, b->agent_device, b->agent_slots);
}

struct reported_route {
    double rate_Bps;
    uint64_t latency_ps;
};

static inline struct reported_route reported_route(const struct reported *reported, uint32_t src,
                                                   uint32_t dst)
{
    uint32_t hops = reported->net.route(reported->net.route_ctx, src, dst, reported->links);
    struct reported_route route = {(double)INFINITY, 0};

    for (uint32_t i = 0; i < hops; i++) {
        const struct cs_net_link *link = &reported->net.links[reported->links[i]];

        route.rate_Bps = fmin(route.rate_Bps, link->rate_Bps);
        route.latency_ps += link->latency_ps;
    }
    return route;
}

/* All pairs of these are compared. */
enum {
    REPORTED_RANKS_MAX = 80
};

static inline const char *reported_rank(const struct reported *reported, uint32_t rank)
{
    return reported->graph.devices[reported->graph.rank_device[rank]].name;
}

static inline void expect_same_routes(const struct reported *a, const struct reported *b)
{
    uint32_t ranks = a->graph.rank_count;

    assert_int_equal(ranks, b->graph.rank_count);
    if (ranks > REPORTED_RANKS_MAX)
        return;
    for (uint32_t i = 0; i < ranks * ranks; i++) {
        uint32_t src = i / ranks;
        uint32_t dst = i % ranks;
        struct reported_route x, y;

        if (src == dst)
            continue;
        x = reported_route(a, src, dst);
        y = reported_route(b, src, dst);
        if (!reported_is_near(x.rate_Bps, y.rate_Bps) || x.latency_ps != y.latency_ps)
            fail_msg("%s, %s to %s: %.12g B/s %" PRIu64 " ps, back %.12g B/s %" PRIu64 " ps",
                     a->graph.name, reported_rank(a, src), reported_rank(a, dst), x.rate_Bps,
                     x.latency_ps, y.rate_Bps, y.latency_ps);
    }
}

/* Rates between the GPUs of each node, as an NCCL file has to keep them
 * unless its writer says of links that are left out, or stand for others. */
static inline void expect_same_rates(const struct reported *a, const struct reported *b)
{
    const struct cs_graph *graph = &a->graph;
    double most = strstr(b->notes, "nearest rate") ? 0.01 : 1e-12;
    uint32_t ranks = graph->rank_count;

    assert_int_equal(ranks, b->graph.rank_count);
    if (strstr(b->notes, "links are omitted that") || strstr(b->notes, "differ by over 1 %") ||
        strstr(b->notes, "not so here"))
        return;
    for (uint32_t i = 0; i < ranks * ranks; i++) {
        uint32_t src = i / ranks;
        uint32_t dst = i % ranks;
        double x_Bps, y_Bps;

        if (src == dst || graph->devices[graph->rank_device[src]].host !=
                              graph->devices[graph->rank_device[dst]].host)
            continue;
        x_Bps = reported_route(a, src, dst).rate_Bps;
        y_Bps = reported_route(b, src, dst).rate_Bps;
        if (!(fabs(x_Bps - y_Bps) <= most * x_Bps))
            fail_msg("%s, %s to %s: %.12g B/s, back %.12g B/s\n%s", graph->name,
                     reported_rank(a, src), reported_rank(a, dst), x_Bps, y_Bps, b->notes);
    }
}

/* In YAML it is the same machine; routes that no file holds are searched. */
static inline void expect_same_yaml(const struct reported *reported)
{
    struct cs_err err = {0};
    CS_AT_END(known_free) struct reported back;

    if (!reported_round_trip(reported, "yaml", &back, &err)) {
        fail_msg("%s: %s", reported->graph.name, err.text);
        return;
    }
    expect_same_machine(&reported->graph, &back.graph);
    if (!reported->graph.route)
        expect_same_routes(reported, &back);
}

static inline void expect_same_simgrid(const struct reported *reported)
{
    struct cs_err err = {0};
    struct reported back;

    if (reported->graph.rank_count > REPORTED_RANKS_MAX)
        return;
    if (!reported_round_trip(reported, "simgrid", &back, &err)) {
        fail_msg("%s: %s", reported->graph.name, err.text);
        return;
    }
    expect_same_routes(reported, &back);
    known_free(&back);
}
