/*
 * hwloc: the output of `lstopo FILE.xml`, versions 2 and 3.
 *
 *     topology version
 *       object type=Machine | Package | Group | NUMANode | ...
 *         object type=Bridge pci_link_speed        PCIe switch or port
 *           object type=PCIDev pci_busid pci_type="0302 [10de:20b0] ..."
 *             object type=OSDev gp_index
 *       distances2hetero name=NVLinkBandwidth      MB/s, pairwise
 *
 * Packages are joined pairwise, as in NCCL.  A PCI device of class 0302, 0380
 * or 1200 is a GPU, also 03xx of NVIDIA or with CUDA or ROCm, and 02xx a NIC;
 * other devices are ignored.  pci_link_speed is GB/s of all lanes at the time of the scan: a
 * link in power saving shows less than its maximum.  A bridge with a single
 * device below limits that device's rate.
 *
 * NVLinkBandwidth is the sum over NVLinks of 20000 or 25000 MB/s; all
 * NVSwitches are a single switch.
 */
#include "sim/base/collections/name_index.h"
#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "topo/documents/xml.h"
#include "topo/formats/hwloc/nvlinks.h"
#include "topo/formats/hwloc/reader.h"
#include "topo/formats/source.h"
#include "topo/graph/graph.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/socket.h"

#include <stdlib.h>
#include <string.h>

/* ---- PCI ---- */

static bool hwloc_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Whether the object contains an OSDev of CUDA, NVML or ROCm. */
static bool has_gpu_driver(const struct cs_hwloc_reader *reader, uint32_t element)
{
    for (uint32_t i = cs_hwloc_at(reader, element)->first; i != CS_DOC_NONE;
         i = cs_hwloc_at(reader, i)->next) {
        const char *name = cs_hwloc_get(reader, i, "name");

        if (cs_hwloc_is(reader, i, "OSDev") &&
            (hwloc_begins(name, "cuda") || hwloc_begins(name, "nvml") ||
             hwloc_begins(name, "rsmi")))
            return true;
    }
    return false;
}

static bool hwloc_is_gpu(const struct cs_hwloc_reader *reader, uint32_t element)
{
    const char *type = cs_hwloc_get(reader, element, "pci_type");

    return hwloc_begins(type, "0302") || hwloc_begins(type, "0380") || hwloc_begins(type, "1200") ||
           (hwloc_begins(type, "03") &&
            (has_gpu_driver(reader, element) || strstr(type, "[10de:") == type + 5));
}

static bool hwloc_is_nvswitch(const struct cs_hwloc_reader *reader, uint32_t element)
{
    return cs_same(cs_hwloc_get(reader, element, "subtype"), "NVSwitch") ||
           hwloc_begins(cs_hwloc_get(reader, element, "pci_type"), "0680 [10de:");
}

/* The number of bridges and PCI devices below a bridge. */
static uint32_t things_behind(const struct cs_hwloc_reader *reader, uint32_t element)
{
    uint32_t count = 0;

    for (uint32_t i = cs_hwloc_at(reader, element)->first; i != CS_DOC_NONE;
         i = cs_hwloc_at(reader, i)->next)
        count += cs_hwloc_is(reader, i, "Bridge") || cs_hwloc_is(reader, i, "PCIDev");
    return count;
}

/* Reads pci_link_speed in GB/s; 0 if missing. */
static int read_speed(const struct cs_hwloc_reader *reader, uint32_t element, double *gigabytes)
{
    const char *text = cs_hwloc_get(reader, element, "pci_link_speed");
    char *end;

    *gigabytes = strtod(text, &end);
    if (!*text || (*text >= '0' && *text <= '9' && !*end && *gigabytes <= 10000))
        return 0;
    return cs_doc_err(reader->doc, element, reader->err,
                      "pci_link_speed=\"%.40s\"; expected GB/s, 0 to 10000", text);
}

static double hwloc_lower(double a, double b)
{
    return a > 0 && (b <= 0 || a < b) ? a : b;
}

/* Adds the wire of an element; pcie3 gives the efficiency, because NCCL's
 * is the same for PCIe 3 to 5. */
static int hwloc_join(struct cs_hwloc_reader *reader, uint32_t element, uint32_t device)
{
    const struct cs_hwloc_place *up = &reader->places[reader->places[element].parent];
    struct cs_wire *wire;
    double gigabytes;
    int rc = read_speed(reader, element, &gigabytes);

    if (rc)
        return rc;
    gigabytes = hwloc_lower(gigabytes, up->slow_GBps);
    wire = cs_link_kind_join(reader->graph, device, up->device, "pcie3", 16);
    wire->line = cs_hwloc_at(reader, element)->line;
    reader->unknown += gigabytes <= 0;
    if (gigabytes <= 0)
        return 0;
    wire->rate_Bps = gigabytes * 1e9;
    wire->class_name = cs_arena_printf(reader->graph->arena, "pcie %.4g GB/s", gigabytes);
    wire->source = "rate: pci_link_speed; efficiency and latency: as pcie3";
    return 0;
}

static int hwloc_read_bridge(struct cs_hwloc_reader *reader, uint32_t element)
{
    struct cs_hwloc_place *place = &reader->places[element];
    const struct cs_hwloc_place *up = &reader->places[place->parent];
    double gigabytes;
    int rc;

    place->slow_GBps = up->slow_GBps;
    if (hwloc_begins(cs_hwloc_get(reader, element, "bridge_type"), "0-"))
        return 0; /* the host's */
    if (things_behind(reader, element) < 2) {
        rc = read_speed(reader, element, &gigabytes);
        place->slow_GBps = hwloc_lower(gigabytes, up->slow_GBps);
        return rc;
    }
    place->slow_GBps = 0;
    place->device =
        cs_hwloc_add_device(reader, "pci", reader->bridge_count++, CS_DEVICE_SWITCH, element);
    return hwloc_join(reader, element, place->device);
}

/* The model of "0302 [10de:20b0] ..."; NULL: unknown. */
static const struct cs_gpu_kind *hwloc_model_of(const struct cs_hwloc_reader *reader,
                                                uint32_t element)
{
    const char *type = cs_hwloc_get(reader, element, "pci_type");
    const char *ids = strchr(type, '[');
    char *end;
    unsigned long vendor;

    if (!ids)
        return NULL;
    vendor = strtoul(ids + 1, &end, 16);
    if (*end != ':')
        return NULL;
    return cs_gpu_kind_of_pci((uint32_t)vendor, (uint32_t)strtoul(end + 1, NULL, 16));
}

static int hwloc_read_pci(struct cs_hwloc_reader *reader, uint32_t element)
{
    struct cs_hwloc_place *place = &reader->places[element];

    if (hwloc_is_nvswitch(reader, element)) {
        if (reader->nvswitch == CS_DOC_NONE)
            reader->nvswitch =
                cs_graph_add_device(reader->graph, (struct cs_device){.name = "nvswitch",
                                                                      .kind = CS_DEVICE_SWITCH,
                                                                      .host = CS_NO_HOST});
        place->device = reader->nvswitch;
        return 0;
    }
    if (hwloc_is_gpu(reader, element)) {
        if (reader->gpu_count == CS_HWLOC_GPUS_MAX)
            return cs_doc_err(reader->doc, element, reader->err, "over %d GPUs", CS_HWLOC_GPUS_MAX);
        place->device =
            cs_hwloc_add_device(reader, "gpu", reader->gpu_count++, CS_DEVICE_GPU, element);
        reader->graph->devices[place->device].model = hwloc_model_of(reader, element);
        return hwloc_join(reader, element, place->device);
    }
    if (!hwloc_begins(cs_hwloc_get(reader, element, "pci_type"), "02"))
        return 0;
    place->device = cs_hwloc_add_device(reader, "nic", reader->nic_count++, CS_DEVICE_NIC, element);
    return hwloc_join(reader, element, place->device);
}

/* ---- the tree ---- */

/* Packages are added first, because bridges outside of packages are
 * connected to the first package. */
static int add_packages(struct cs_hwloc_reader *reader)
{
    const struct cs_doc *doc = reader->doc;

    reader->packages =
        cs_arena_alloc(reader->graph->arena, CS_HWLOC_PACKAGES_MAX, sizeof(uint32_t));
    for (uint32_t i = 0; i < doc->count; i++) {
        for (uint32_t c = doc->nodes[i].first; c != CS_DOC_NONE; c = doc->nodes[c].next)
            reader->places[c].parent = i;
        reader->places[i].device = CS_DOC_NONE;
        if (!cs_hwloc_is(reader, i, "Package"))
            continue;
        if (reader->package_count == CS_HWLOC_PACKAGES_MAX)
            return cs_doc_err(doc, i, reader->err, "over %d packages", CS_HWLOC_PACKAGES_MAX);
        reader->places[i].device =
            cs_hwloc_add_device(reader, "cpu", reader->package_count, CS_DEVICE_CPU, i);
        reader->packages[reader->package_count++] = i;
    }
    if (reader->package_count)
        return 0;
    return cs_doc_err(doc, 0, reader->err, "no object of type Package in this topology");
}

static int read_object(struct cs_hwloc_reader *reader, uint32_t element)
{
    struct cs_hwloc_place *place = &reader->places[element];
    const struct cs_hwloc_place *up = &reader->places[place->parent];
    const char *type = cs_hwloc_get(reader, element, "type");
    const char *id = cs_hwloc_get(reader, element, "gp_index");
    uint32_t other = CS_NO_NAME;

    if (*id)
        other =
            cs_names_add(&reader->objects,
                         cs_arena_printf(reader->graph->arena, "%.20s:%.20s", type, id), element);
    if (other != CS_NO_NAME && cs_same(type, "PCIDev"))
        return cs_doc_err(reader->doc, element, reader->err,
                          "gp_index=\"%.20s\" is a duplicate of line %u", id,
                          cs_hwloc_at(reader, other)->line);
    if (place->device != CS_DOC_NONE)
        return 0;
    place->device = up->device;
    if (place->device == CS_DOC_NONE && (cs_same(type, "Bridge") || cs_same(type, "PCIDev")))
        place->device = reader->places[reader->packages[0]].device;
    if (cs_same(type, "Bridge") || cs_same(type, "PCIDev"))
        reader->places[place->parent].device = place->device;
    if (cs_same(type, "Bridge"))
        return hwloc_read_bridge(reader, element);
    return cs_same(type, "PCIDev") ? hwloc_read_pci(reader, element) : 0;
}

static void join_packages(struct cs_hwloc_reader *reader)
{
    const char *arch = cs_hwloc_info(reader, 0, "Architecture"); /* version 3 */
    bool guessed = false;

    if (!arch)
        arch = cs_hwloc_info(reader, cs_hwloc_at(reader, 0)->first, "Architecture");

    for (uint32_t a = 0; a < reader->package_count; a++) {
        uint32_t element = reader->packages[a];
        struct cs_socket socket = {arch, cs_hwloc_info(reader, element, "CPUVendor"),
                                   cs_hwloc_info(reader, element, "CPUFamilyNumber"),
                                   cs_hwloc_info(reader, element, "CPUModelNumber")};
        const char *kind = cs_socket_kind(&socket);

        reader->graph->devices[reader->places[element].device].vendor = cs_socket_vendor(&socket);
        for (uint32_t b = a + 1; b < reader->package_count; b++) {
            guessed = guessed || !kind;
            cs_link_kind_join(reader->graph, reader->places[element].device,
                              reader->places[reader->packages[b]].device, kind ? kind : "upi", 0);
        }
    }
    if (guessed)
        cs_graph_note(reader->graph, "the CPU model is unknown; UPI is assumed between sockets");
}

/* ---- the source ---- */

static int hwloc_read_tree(struct cs_hwloc_reader *reader)
{
    const char *version = cs_hwloc_get(reader, 0, "version");
    int rc;

    if (!hwloc_begins(version, "2") && !hwloc_begins(version, "3"))
        return cs_doc_err(reader->doc, 0, reader->err,
                          "version '%.20s' of hwloc's XML is not supported; expected 2 or 3",
                          version);
    cs_names_init(&reader->objects, reader->graph->arena, 0);
    rc = add_packages(reader);
    for (uint32_t i = 1; i < reader->doc->count && !rc; i++)
        if (cs_doc_is(reader->doc, i, "object"))
            rc = read_object(reader, i);
    if (!rc && reader->gpu_count == 0)
        rc = cs_doc_err(reader->doc, 0, reader->err,
                        "no GPU in this topology; expected a PCIDev of class 0302, 0380 or 1200");
    return rc;
}

static int hwloc_read(const struct cs_topo_request *request, struct cs_doc_text text,
                      struct cs_graph *graph, struct cs_err *err)
{
    struct cs_doc doc;
    struct cs_hwloc_reader reader = {
        .doc = &doc, .graph = graph, .err = err, .nvswitch = CS_DOC_NONE};
    int rc = cs_xml_read_text(text, &doc, graph->arena, err);

    (void)request;
    if (!rc)
        rc = cs_xml_want_name(&doc, 0, "topology", err);
    if (rc)
        return rc;
    reader.places = cs_arena_alloc(graph->arena, doc.count, sizeof(*reader.places));
    rc = hwloc_read_tree(&reader);
    if (!rc)
        rc = cs_hwloc_read_matrices(&reader);
    if (rc)
        return rc;
    join_packages(&reader);
    cs_graph_note(
        graph,
        "PCIe rates are as measured by hwloc; a link in power saving shows less than its maximum");
    if (reader.unknown)
        cs_graph_note(graph, "%u PCIe links have no speed; 8 GT/s x16 is assumed", reader.unknown);
    graph->about = "from an XML file of hwloc";
    cs_graph_place_all(graph);
    cs_graph_place_servers(graph);
    return 0;
}

static bool hwloc_recognises(struct cs_doc_text text)
{
    return cs_xml_begins_with(text.text, text.length, "topology");
}

const struct cs_source cs_source_hwloc = {
    .name = "hwloc",
    .usage = "hwloc:FILE.xml",
    .about = "the output of hwloc's 'lstopo FILE.xml', versions 2 and 3",
    .read = hwloc_read,
    .recognises = hwloc_recognises,
};
