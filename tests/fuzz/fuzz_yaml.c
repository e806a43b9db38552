/*
 * Fuzz target: machines in YAML.  Whatever the text, reading it gives a graph
 * that passes its check, lowers, and has a way between its first and last
 * rank, or CS_EINPUT and a sentence.
 */
#include "topo/lower.h"
#include "topo/src_yaml.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(int holds)
{
    if (!holds)
        abort();
}

static int open_machine(struct cs_doc_text text, struct cs_graph *graph,
                        struct cs_arena *arena, struct cs_err *err)
{
    struct cs_topo_request request = {.spec = "fuzz"};
    struct cs_doc doc;
    int rc = cs_doc_read_text(text, &doc, arena, err);

    if (!rc)
        rc = cs_yaml_build(&doc, &request, graph, err);
    if (!rc)
        rc = cs_graph_check(graph, err);
    return rc;
}

static void use_machine(const struct cs_graph *graph, struct cs_arena *arena)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_doc_text text = {"fuzz.yaml", (const char *)data, size};
    struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_graph graph;
    int rc;

    cs_graph_init(&graph, &arena);
    rc = open_machine(text, &graph, &arena, &err);
    insist(rc == CS_OK || rc == CS_EINPUT);
    insist(err.code == rc && (err.text[0] == '\0') == (rc == CS_OK));
    if (!rc)
        use_machine(&graph, &arena);
    cs_arena_free(&arena);
    return 0;
}
