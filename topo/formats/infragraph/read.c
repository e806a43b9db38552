/*
 * infragraph: machines as InfraGraph describes them (version 3.1, YAML or JSON;
 * github.com/Keysight/infragraph), as ASTRA-sim 3.0 reads them.
 *
 *     devices:    [{name, components: [{name, choice: xpu, count: 8}, ...],
 *                   links: [{name, physical: {bandwidth, latency}}],
 *                   edges: [{ep1: {component: "xpu[0:8]"}, ep2: ..., link,
 *                            scheme: many2many}]}]
 *     instances:  [{name, device, count}]
 *     links, edges: the same between instances
 *
 * xpu are ranks; nic, cpu and switch are what they say.  Instances without an
 * xpu are switches: their ports and chips, joined by links without a rate
 * ("integrated circuitry", "serdes"), are one device.  So are the parts of a
 * NIC that is a device of a device.  Two components have one edge; the last
 * counts, as in InfraGraph's service.
 *
 * A link without a bandwidth is what its name or description says: PCIe of a
 * generation, NVLink of a GPU model, a link of sockets.  What is assumed is a
 * note; what neither states is an error.
 *
 * collsim's own export keeps efficiency, duplex, classes and models in
 * descriptions ("class=ib-ndr; efficiency=0.993"), which other readers ignore.
 */
#include "sim/base/text.h"
#include "topo/formats/infragraph/reader.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"

#include <stdlib.h>
#include <string.h>

/* "3 0 1": the xpu of each rank, in order of the file otherwise. */
static int place_ranks(const struct cs_infragraph_reader *reader, const char *order)
{
    struct cs_graph *graph = reader->graph;
    uint32_t *ranks, count = 0;

    cs_graph_place_all(graph);
    if (!order)
        return 0;
    ranks = cs_arena_alloc(graph->arena, strlen(order), sizeof(*ranks));
    while (*order) {
        char *end;
        unsigned long xpu = strtoul(order, &end, 10);

        if (end == order || xpu >= graph->rank_count)
            return cs_doc_err(reader->doc, reader->root, reader->err,
                              "'ranks=' of the description: '%.20s' is no number below %u", order,
                              graph->rank_count);
        ranks[count++] = graph->rank_device[xpu];
        order = end + strspn(end, " ");
    }
    graph->rank_device = ranks;
    graph->rank_count = count;
    return 0;
}

static int infragraph_finish(const struct cs_infragraph_reader *reader)
{
    struct cs_graph *graph = reader->graph;
    const char *about = cs_infragraph_about(reader, reader->root);
    const char *kept = cs_infragraph_kept(reader, about, "about");
    const char *name = cs_doc_text_or(reader->doc, reader->root, "name", "");
    int rc = place_ranks(reader, cs_infragraph_kept(reader, about, "ranks"));

    if (rc)
        return rc;
    if (graph->rank_count == 0)
        return cs_doc_err(reader->doc, reader->root, reader->err,
                          "no component of an instance is an xpu, so nothing computes");
    cs_graph_place_servers(graph);
    if (*name)
        graph->name = name;
    graph->direct = cs_infragraph_kept(reader, about, "forward");
    graph->port_class = cs_infragraph_kept(reader, about, "port");
    graph->about = kept ? kept : *about ? about : "a machine of InfraGraph";
    return 0;
}

static int infragraph_read(const struct cs_topo_request *request, const struct cs_doc *doc,
                           struct cs_graph *graph, struct cs_err *err)
{
    struct cs_infragraph_reader reader = {.doc = doc, .graph = graph, .err = err};
    int rc;

    if (cs_doc_want_map(doc, 0, "an infrastructure", err) ||
        (request->gpu && cs_gpu_kind_find(request->gpu, &reader.gpu, err)))
        return CS_EINPUT;
    reader.root = cs_doc_get(doc, 0, "infrastructure");
    if (reader.root == CS_DOC_NONE)
        reader.root = 0;
    reader.noted = cs_arena_alloc(graph->arena, doc->count, sizeof(bool));
    rc = cs_doc_want_map(doc, reader.root, "an infrastructure", err) ||
                 cs_infragraph_read_inventory(&reader) || cs_infragraph_read_edges(&reader) ||
                 cs_infragraph_build(&reader) || infragraph_finish(&reader)
             ? CS_EINPUT
             : 0;
    free(reader.edges.at);
    free(reader.spare.at);
    for (int i = 0; i < 2; i++)
        free(reader.ends[i].at);
    for (uint32_t d = 0; d < reader.device_count; d++)
        free(reader.devices[d].edges.at);
    return rc;
}

/* The three lists that an infrastructure has to have, as keys. */
static bool infragraph_recognises(struct cs_doc_text text)
{
    static const char *const keys[] = {"instances", "components", "choice"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        if (!memmem(text.text, text.length, keys[i], strlen(keys[i])))
            return false;
    return true;
}

const struct cs_source cs_source_infragraph = {
    .name = "infragraph",
    .usage = "infragraph:FILE",
    .about = "a machine of InfraGraph, YAML or JSON, as for ASTRA-sim 3.0",
    .read_document = infragraph_read,
    .recognises = infragraph_recognises,
    .takes_gpu = true,
};
