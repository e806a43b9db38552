/*
 * What fuzz targets of machine readers share.  Whatever the text, reading it
 * gives a graph that passes its check, lowers, and has a route between its first
 * and last rank, or CS_EINPUT and a sentence.
 */
#pragma once

#include "tests/fuzz/insist.h"
#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

#include <stdint.h>

struct cs_doc_text;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void use_machine(const struct cs_graph *graph, struct cs_arena *arena)
{
    struct cs_net net;
    uint32_t *links;
    uint32_t hops;

    cs_lower(graph, &net, arena);
    if (net.party_count < 2)
        return;
    links = cs_arena_alloc(arena, net.max_hops, sizeof(*links));
    hops = net.route(net.route_ctx, 0, net.party_count - 1, links);
    insist(hops >= 1 && hops <= net.max_hops);
    insist(net.links[links[0]].from == net.parties[0].node);
}

/* Reads the bytes as "nccl:", say; libFuzzer hands out text without a NUL. */
static inline void fuzz_machine(const char *format, const uint8_t *data, size_t size)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_graph graph;
    struct cs_doc_text text = {"fuzz", NULL, size};
    int rc;

    text.text = cs_arena_text_n(&arena, (const char *)data, size);
    rc = cs_topo_read(&(struct cs_topo_request){.spec = format}, text, &graph, &arena, &err);
    insist(rc == CS_OK || rc == CS_EINPUT);
    insist(err.code == rc && (err.text[0] == '\0') == (rc == CS_OK));
    if (!rc)
        use_machine(&graph, &arena);
}

/* The target of a format, by its prefix. */
#define FUZZ_MACHINE(form)                                       \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) \
    {                                                            \
        fuzz_machine(form, data, size);                          \
        return 0;                                                \
    }
