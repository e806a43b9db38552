/*
 * Fuzz target: writers of machines.  Whatever file a machine comes from, what a
 * writer makes of it reads back, in YAML as the same machine; or the writer
 * says why it cannot be written.
 */
#include "tests/fuzz/machine.h"
#include "topo/formats/writer.h"

#include <math.h>
#include <string.h>

enum {
    DEVICES_MAX = 64 /* what larger ones show is slow, and the same */
};

static void insist_near(double a, double b)
{
    insist(fabs(a - b) <= 1e-6 * fabs(a));
}

static void insist_same(const struct cs_graph *a, const struct cs_graph *b)
{
    insist(a->device_count == b->device_count);
    insist(a->wire_count == b->wire_count);
    insist(a->rank_count == b->rank_count);
    insist(a->agent_slots == b->agent_slots);
    for (uint32_t d = 0; d < a->device_count; d++) {
        insist(a->devices[d].kind == b->devices[d].kind);
        insist(a->devices[d].host == b->devices[d].host);
    }
    for (uint32_t w = 0; w < a->wire_count; w++) {
        insist(a->wires[w].a == b->wires[w].a);
        insist(a->wires[w].b == b->wires[w].b);
        insist(a->wires[w].duplex == b->wires[w].duplex);
        insist(a->wires[w].latency_ps == b->wires[w].latency_ps);
        insist_near(a->wires[w].rate_Bps, b->wires[w].rate_Bps);
    }
    for (uint32_t r = 0; r < a->rank_count; r++)
        insist(a->rank_device[r] == b->rank_device[r]);
}

static void write_and_read(const struct cs_graph *graph, const struct cs_writer *writer)
{
    struct cs_topo_request request = {.spec = writer->prefix};
    struct cs_doc_text text = {"written", NULL, 0};
    CS_AT_END(cs_text_free) struct cs_text out = {0};
    CS_AT_END(cs_text_free) struct cs_text notes = {0};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_graph back;

    if (writer->write(graph, &out, &notes, &err)) {
        insist(err.code == CS_EINPUT && err.text[0] != '\0');
    } else if (writer->prefix) {
        text.text = cs_text_str(&out);
        text.length = out.length;
        insist(cs_topo_read(&request, text, &back, &arena, &err) == 0);
        if (strcmp(writer->name, "yaml") == 0)
            insist_same(graph, &back);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_graph graph;
    struct cs_doc_text text = {"fuzz", NULL, size};

    text.text = cs_arena_text_n(&arena, (const char *)data, size);
    if (!cs_topo_read(&(struct cs_topo_request){.spec = ""}, text, &graph, &arena, NULL) &&
        graph.device_count <= DEVICES_MAX)
        for (size_t i = 0; i < cs_writer_count; i++)
            write_and_read(&graph, cs_writers[i]);
    return 0;
}
