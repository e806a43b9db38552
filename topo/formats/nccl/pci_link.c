#include "topo/formats/nccl/pci_link.h"

#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "topo/documents/xml.h"
#include "topo/formats/nccl/reader.h"
#include "topo/graph/graph.h"
#include "topo/kinds/link_kind.h"

/* ---- PCI links ---- */

int cs_nccl_read_pci_link(const struct cs_nccl_reader *reader, uint32_t element,
                          struct cs_nccl_pci_link *link)
{
    const char *speed = cs_doc_attribute(reader->doc, element, "link_speed");
    int64_t width;
    int rc = cs_xml_number_or(reader->doc, element,
                              &(struct cs_xml_number){"link_width", 0, CS_NCCL_WIDTH_MAX}, 16,
                              &width, reader->err);

    if (rc)
        return rc;
    link->width = width ? (uint32_t)width : 16;
    link->kind = cs_nccl_pcie_kind(speed ? speed : "");
    if (link->kind)
        return 0;
    cs_graph_note(reader->graph,
                  "line %u: link speed '%.40s' is unknown to NCCL; 8 GT/s assumed, as in NCCL",
                  reader->doc->nodes[element].line, speed ? speed : "");
    link->kind = "pcie3";
    return 0;
}

int cs_nccl_join(const struct cs_nccl_reader *reader, uint32_t element, uint32_t device)
{
    struct cs_graph *graph = reader->graph;
    const struct cs_nccl_place *up = &reader->places[reader->places[element].parent];
    struct cs_wire *wire;
    struct cs_nccl_pci_link own;
    struct cs_nccl_pci_link bridge;
    int rc = cs_nccl_read_pci_link(reader, element, &own);

    if (!rc && up->slow != CS_DOC_NONE)
        rc = cs_nccl_read_pci_link(reader, up->slow, &bridge);
    if (rc)
        return rc;
    if (up->slow != CS_DOC_NONE && cs_link_kind_get(bridge.kind)->rate_Bps * bridge.width <
                                       cs_link_kind_get(own.kind)->rate_Bps * own.width)
        own = bridge;
    wire = cs_link_kind_join(graph, device, up->device, own.kind, own.width);
    wire->line = reader->doc->nodes[element].line;
    return 0;
}
