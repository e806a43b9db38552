#include "topo/formats/hwloc/reader.h"

#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "topo/graph/graph.h"

const char *cs_hwloc_get(const struct cs_hwloc_reader *reader, uint32_t element, const char *name)
{
    const char *text = cs_doc_attribute(reader->doc, element, name);

    return text ? text : "";
}

bool cs_hwloc_is(const struct cs_hwloc_reader *reader, uint32_t element, const char *type)
{
    return cs_doc_is(reader->doc, element, "object") &&
           cs_same(cs_hwloc_get(reader, element, "type"), type);
}

const struct cs_doc_node *cs_hwloc_at(const struct cs_hwloc_reader *reader, uint32_t node)
{
    return &reader->doc->nodes[node];
}

const char *cs_hwloc_info(const struct cs_hwloc_reader *reader, uint32_t element, const char *name)
{
    for (uint32_t i = cs_hwloc_at(reader, element)->first; i != CS_DOC_NONE;
         i = cs_hwloc_at(reader, i)->next)
        if (cs_doc_is(reader->doc, i, "info") && cs_same(cs_hwloc_get(reader, i, "name"), name))
            return cs_doc_attribute(reader->doc, i, "value");
    return NULL;
}

uint32_t cs_hwloc_add_device(const struct cs_hwloc_reader *reader, const char *stem,
                             uint32_t number, enum cs_device_kind kind, uint32_t element)
{
    return cs_graph_add_device(
        reader->graph,
        (struct cs_device){.name = cs_arena_printf(reader->graph->arena, "%s%u", stem, number),
                           .kind = kind,
                           .line = cs_hwloc_at(reader, element)->line});
}
