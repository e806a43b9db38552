/*
 * What tests of readers share: a machine out of a text, and questions to it.
 */
#pragma once

#include "tests/test.h"
#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct machine {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_net net;
    struct cs_err err;
};

static inline void machine_close(struct machine *m)
{
    cs_arena_free(&m->arena);
}

#define MACHINE_TEST(name) TEST_OF(struct machine, m, machine_close, name)

/* In place of the machine that was open, if any. */
static inline int machine_try(struct machine *m, struct cs_topo_request request, const char *text)
{
    machine_close(m);
    memset(m, 0, sizeof(*m));
    return cs_topo_read(&request, (struct cs_doc_text){"m", text, strlen(text)}, &m->graph,
                        &m->arena, &m->err);
}

static inline void machine_open(struct machine *m, struct cs_topo_request request, const char *text)
{
    if (machine_try(m, request, text))
        fail_msg("%s", m->err.text);
    cs_lower(&m->graph, &m->net, &m->arena);
}

/* The whole sentence, as everything in it is made for the reader. */
static inline void machine_refused(const char *text, const char *sentence)
{
    CS_AT_END(machine_close) struct machine m = {0};

    assert_int_equal(machine_try(&m, (struct cs_topo_request){.spec = "m"}, text), CS_EINPUT);
    assert_string_equal(m.err.text, sentence);
}

/* The slowest link of the route between two ranks, in GB/s; 1e-6 off at most. */
static inline void machine_route(const struct machine *m, uint32_t src, uint32_t dst, double GBps,
                                 uint32_t hops)
{
    uint32_t *links = calloc(m->net.max_hops + 1, sizeof(*links));
    uint32_t count = m->net.route(m->net.route_ctx, src, dst, links);
    double slowest = INFINITY;

    for (uint32_t i = 0; i < count; i++)
        slowest = fmin(slowest, m->net.links[links[i]].rate_Bps / 1e9);
    free(links);
    assert_int_equal(count, hops);
    if (!(fabs(slowest - GBps) <= 1e-6))
        fail_msg("%u to %u: %.6f GB/s, expected %.6f", src, dst, slowest, GBps);
}

/* How many remarks have this in them. */
static inline uint32_t machine_notes(const struct machine *m, const char *part)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < m->graph.note_count; i++)
        count += strstr(m->graph.notes[i], part) != NULL;
    return count;
}
