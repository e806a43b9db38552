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
 * or 1200 is a GPU, also one of any class with an OSDev of CUDA, NVML or ROCm, and 03xx of
 * NVIDIA, AMD or with Level Zero or OpenCL; 02xx is a NIC; other devices are ignored.  pci_link_speed is GB/s of all lanes at the time of the scan: a
 * link in power saving shows less than its maximum.  A bridge with a single
 * device below limits that device's rate.
 *
 * NVLinkBandwidth is the sum over NVLinks of 20000 or 25000 MB/s; all
 * NVSwitches are a single switch.
 */
#include "sim/base/collections/name_index.h"
#include "sim/base/text.h"
#include "topo/documents/xml.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/socket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HWLOC_GPUS_MAX = 1024,
    HWLOC_PACKAGES_MAX = 1024,
    HWLOC_OBJECTS_MAX = 4096, /* of a matrix */
    HWLOC_LINK_MBPS_MAX = 100000000,
};

/* The position of an element's children. */
struct hwloc_place {
    uint32_t parent;
    uint32_t device;  /* above the children; CS_DOC_NONE above packages */
    double slow_GBps; /* lowest rate of omitted bridges; 0: no bridge */
};

struct hwloc_reader {
    const struct cs_doc *doc;
    const struct cs_doc_node *nodes; /* of the document */
    struct cs_graph *graph;
    struct cs_err *err;
    struct hwloc_place *places;
    struct cs_names objects; /* "OSDev:802" -> element */
    uint32_t *packages;      /* elements */
    uint32_t package_count;
    uint32_t gpu_count, nic_count, bridge_count;
    uint32_t nvswitch; /* device, or CS_DOC_NONE */
    uint32_t unknown;  /* links without a speed */
};

/* The value of an attribute, "" if missing. */
static const char *hwloc_get(const struct hwloc_reader *reader, uint32_t element, const char *name)
{
    const char *text = cs_doc_attribute(reader->doc, element, name);

    return text ? text : "";
}

/* Whether the element is an object of that type. */
static bool hwloc_is(const struct hwloc_reader *reader, uint32_t element, const char *type)
{
    return cs_doc_is(reader->doc, element, "object") &&
           cs_same(hwloc_get(reader, element, "type"), type);
}

/* The value of an <info> in the element, or NULL. */
static const char *hwloc_info(const struct hwloc_reader *reader, uint32_t element, const char *name)
{
    for (uint32_t i = reader->nodes[element].first; i != CS_DOC_NONE; i = reader->nodes[i].next)
        if (cs_doc_is(reader->doc, i, "info") && cs_same(hwloc_get(reader, i, "name"), name))
            return cs_doc_attribute(reader->doc, i, "value");
    return NULL;
}

/* Adds a device with the name `stem` and a number. */
static uint32_t hwloc_add_device(const struct hwloc_reader *reader, const char *stem,
                                 uint32_t number, enum cs_device_kind kind, uint32_t element)
{
    uint32_t device = cs_graph_add(reader->graph, kind, 0,
                                   cs_arena_printf(reader->graph->arena, "%s%u", stem, number));

    reader->graph->devices[device].line = reader->nodes[element].line;
    return device;
}

/* ---- PCI ---- */

static bool hwloc_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Whether the object contains an OSDev whose name begins with one of `stems`, up to NULL. */
static bool hwloc_holds(const struct hwloc_reader *reader, uint32_t element,
                        const char *const *stems)
{
    for (uint32_t i = reader->nodes[element].first; i != CS_DOC_NONE; i = reader->nodes[i].next)
        for (uint32_t k = 0; stems[k]; k++)
            if (hwloc_is(reader, i, "OSDev") &&
                hwloc_begins(hwloc_get(reader, i, "name"), stems[k]))
                return true;
    return false;
}

/* The class may be missing, or 0000 where lstopo ran without access to PCI; CUDA, NVML and
 * ROCm know GPUs alone, OpenCL and Level Zero also other devices. */
static bool hwloc_is_gpu(const struct hwloc_reader *reader, uint32_t element)
{
    static const char *const gpu_drivers[] = {"cuda", "nvml", "rsmi", NULL};
    static const char *const drivers[] = {"opencl", "ze", NULL};
    const char *type = hwloc_get(reader, element, "pci_type");

    return hwloc_holds(reader, element, gpu_drivers) || hwloc_begins(type, "0302") ||
           hwloc_begins(type, "0380") || hwloc_begins(type, "1200") ||
           (hwloc_begins(type, "03") &&
            (hwloc_holds(reader, element, drivers) || strstr(type, "[10de:") == type + 5 ||
             strstr(type, "[1002:") == type + 5));
}

static bool hwloc_is_nvswitch(const struct hwloc_reader *reader, uint32_t element)
{
    return cs_same(hwloc_get(reader, element, "subtype"), "NVSwitch") ||
           hwloc_begins(hwloc_get(reader, element, "pci_type"), "0680 [10de:");
}

/* The number of bridges and PCI devices below a bridge. */
static uint32_t things_behind(const struct hwloc_reader *reader, uint32_t element)
{
    uint32_t count = 0;

    for (uint32_t i = reader->nodes[element].first; i != CS_DOC_NONE; i = reader->nodes[i].next)
        count += hwloc_is(reader, i, "Bridge") || hwloc_is(reader, i, "PCIDev");
    return count;
}

/* Reads pci_link_speed in GB/s; 0 if missing. */
static int read_speed(const struct hwloc_reader *reader, uint32_t element, double *gigabytes)
{
    const char *text = hwloc_get(reader, element, "pci_link_speed");
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
static int hwloc_join(struct hwloc_reader *reader, uint32_t element, uint32_t device)
{
    const struct hwloc_place *up = &reader->places[reader->places[element].parent];
    struct cs_wire *wire;
    double gigabytes;
    int rc = read_speed(reader, element, &gigabytes);

    if (rc)
        return rc;
    gigabytes = hwloc_lower(gigabytes, up->slow_GBps);
    wire = cs_link_kind_join(reader->graph, device, up->device, "pcie3", 16);
    wire->line = reader->nodes[element].line;
    reader->unknown += gigabytes <= 0;
    if (gigabytes <= 0)
        return 0;
    wire->rate_Bps = gigabytes * 1e9;
    wire->class_name = cs_arena_printf(reader->graph->arena, "pcie %.4g GB/s", gigabytes);
    wire->source = "rate: pci_link_speed; efficiency and latency: as pcie3";
    return 0;
}

static int hwloc_read_bridge(struct hwloc_reader *reader, uint32_t element)
{
    struct hwloc_place *place = &reader->places[element];
    const struct hwloc_place *up = &reader->places[place->parent];
    double gigabytes;
    int rc;

    place->slow_GBps = up->slow_GBps;
    if (hwloc_begins(hwloc_get(reader, element, "bridge_type"), "0-"))
        return 0; /* the host's */
    if (things_behind(reader, element) < 2) {
        rc = read_speed(reader, element, &gigabytes);
        place->slow_GBps = hwloc_lower(gigabytes, up->slow_GBps);
        return rc;
    }
    place->slow_GBps = 0;
    place->device =
        hwloc_add_device(reader, "pci", reader->bridge_count++, CS_DEVICE_SWITCH, element);
    return hwloc_join(reader, element, place->device);
}

/* The model of "0302 [10de:20b0] ..."; NULL: unknown. */
static const struct cs_gpu_kind *hwloc_model_of(const struct hwloc_reader *reader, uint32_t element)
{
    const char *type = hwloc_get(reader, element, "pci_type");
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

static int hwloc_read_pci(struct hwloc_reader *reader, uint32_t element)
{
    struct hwloc_place *place = &reader->places[element];

    if (hwloc_is_nvswitch(reader, element)) {
        if (reader->nvswitch == CS_DOC_NONE)
            reader->nvswitch =
                cs_graph_add(reader->graph, CS_DEVICE_SWITCH, CS_NO_HOST, "nvswitch");
        place->device = reader->nvswitch;
        return 0;
    }
    if (hwloc_is_gpu(reader, element)) {
        if (reader->gpu_count == HWLOC_GPUS_MAX)
            return cs_doc_err(reader->doc, element, reader->err, "over %d GPUs", HWLOC_GPUS_MAX);
        place->device =
            hwloc_add_device(reader, "gpu", reader->gpu_count++, CS_DEVICE_GPU, element);
        reader->graph->devices[place->device].model = hwloc_model_of(reader, element);
        return hwloc_join(reader, element, place->device);
    }
    if (!hwloc_begins(hwloc_get(reader, element, "pci_type"), "02"))
        return 0;
    place->device = hwloc_add_device(reader, "nic", reader->nic_count++, CS_DEVICE_NIC, element);
    return hwloc_join(reader, element, place->device);
}

/* ---- the tree ---- */

/* Packages are added first, because bridges outside of packages are
 * connected to the first package. */
static int add_packages(struct hwloc_reader *reader)
{
    const struct cs_doc *doc = reader->doc;

    reader->packages = cs_arena_alloc(reader->graph->arena, HWLOC_PACKAGES_MAX, sizeof(uint32_t));
    for (uint32_t i = 0; i < doc->count; i++) {
        for (uint32_t c = doc->nodes[i].first; c != CS_DOC_NONE; c = doc->nodes[c].next)
            reader->places[c].parent = i;
        reader->places[i].device = CS_DOC_NONE;
        if (!hwloc_is(reader, i, "Package"))
            continue;
        if (reader->package_count == HWLOC_PACKAGES_MAX)
            return cs_doc_err(doc, i, reader->err, "over %d packages", HWLOC_PACKAGES_MAX);
        reader->places[i].device =
            hwloc_add_device(reader, "cpu", reader->package_count, CS_DEVICE_CPU, i);
        reader->packages[reader->package_count++] = i;
    }
    if (reader->package_count)
        return 0;
    return cs_doc_err(doc, 0, reader->err, "no object of type Package in this topology");
}

static int read_object(struct hwloc_reader *reader, uint32_t element)
{
    struct hwloc_place *place = &reader->places[element];
    const struct hwloc_place *up = &reader->places[place->parent];
    const char *type = hwloc_get(reader, element, "type");
    const char *id = hwloc_get(reader, element, "gp_index");
    uint32_t other = CS_NO_NAME;

    if (*id)
        other =
            cs_names_add(&reader->objects,
                         cs_arena_printf(reader->graph->arena, "%.20s:%.20s", type, id), element);
    if (other != CS_NO_NAME && cs_same(type, "PCIDev"))
        return cs_doc_err(reader->doc, element, reader->err,
                          "gp_index=\"%.20s\" is a duplicate of line %u", id,
                          reader->nodes[other].line);
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

static void join_packages(struct hwloc_reader *reader)
{
    const char *arch = hwloc_info(reader, 0, "Architecture"); /* version 3 */
    bool guessed = false;

    if (!arch)
        arch = hwloc_info(reader, reader->nodes[0].first, "Architecture");

    for (uint32_t a = 0; a < reader->package_count; a++) {
        uint32_t element = reader->packages[a];
        struct cs_socket socket = {arch, hwloc_info(reader, element, "CPUVendor"),
                                   hwloc_info(reader, element, "CPUFamilyNumber"),
                                   hwloc_info(reader, element, "CPUModelNumber")};
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

/* ---- NVLinks ---- */

/* Iterates over the words in all children with a name. */
struct hwloc_words {
    const struct hwloc_reader *reader;
    uint32_t child; /* next child, or CS_DOC_NONE */
    const char *name;
    const char *text;
};

static bool hwloc_next_word(struct hwloc_words *words, char *word, size_t size)
{
    for (;;) {
        size_t length;

        words->text += strspn(words->text, " \t\r\n");
        length = strcspn(words->text, " \t\r\n");
        if (length) {
            snprintf(word, size, "%.*s", (int)length, words->text);
            words->text += length;
            return true;
        }
        while (words->child != CS_DOC_NONE &&
               !cs_same(words->reader->nodes[words->child].key, words->name))
            words->child = words->reader->nodes[words->child].next;
        if (words->child == CS_DOC_NONE)
            return false;
        words->text = words->reader->nodes[words->child].text;
        if (!words->text)
            words->text = "";
        words->child = words->reader->nodes[words->child].next;
    }
}

/* The devices of the rows: GPUs, the NVSwitch, packages. */
static int read_ends(const struct hwloc_reader *reader, uint32_t element, uint32_t count,
                     uint32_t *ends)
{
    struct hwloc_words words = {reader, reader->nodes[element].first, "indexes", ""};
    char word[48];

    for (uint32_t i = 0; i < count; i++) {
        uint32_t object = CS_NO_NAME, end;

        if (hwloc_next_word(&words, word, sizeof(word)))
            object = cs_names_find(&reader->objects, word);
        if (object == CS_NO_NAME)
            return cs_doc_err(reader->doc, element, reader->err,
                              "entry %u of %u in <indexes> is not an object of this file", i + 1,
                              count);
        end = hwloc_is(reader, object, "OSDev") ? reader->places[object].parent : object;
        ends[i] = reader->places[end].device;
    }
    return 0;
}

/* Adds the number of NVLinks that gives the rate: those of the GPU's model if
 * the rate is a multiple, otherwise 25 GB/s each for NVLink 2 to 4, 20 GB/s for
 * NVLink 1. */
static void hwloc_join_nvlinks(struct hwloc_reader *reader, uint32_t a, uint32_t b,
                               uint64_t megabytes)
{
    const struct cs_gpu_kind *model = reader->graph->devices[a].model;
    const struct cs_link_kind *own = model ? cs_link_kind_get(model->link) : NULL;
    uint64_t each = own ? (uint64_t)(own->rate_Bps / 1e6) : 0;
    struct cs_wire *wire;

    if (own && cs_link_families[own->family].word && each && megabytes % each == 0)
        cs_link_kind_join(reader->graph, a, b, own->name, (uint32_t)(megabytes / each));
    else if (megabytes % 25000 == 0)
        cs_link_kind_join(reader->graph, a, b, "nvlink2", (uint32_t)(megabytes / 25000));
    else if (megabytes % 20000 == 0)
        cs_link_kind_join(reader->graph, a, b, "nvlink1", (uint32_t)(megabytes / 20000));
    else {
        wire = cs_link_kind_join(reader->graph, a, b, "nvlink2", 1);
        wire->rate_Bps = (double)megabytes * 1e6;
        wire->class_name = "nvlink";
    }
}

static bool is_kind(const struct hwloc_reader *reader, uint32_t device, enum cs_device_kind kind)
{
    return device != CS_DOC_NONE && reader->graph->devices[device].kind == kind;
}

/* A row of the matrix: links to later GPUs, and the sum of links to
 * NVSwitches. */
static int hwloc_read_row(struct hwloc_reader *reader, struct hwloc_words *words, uint32_t row,
                          const uint32_t *ends, uint32_t count)
{
    uint64_t to_switch = 0;
    char word[48];

    for (uint32_t i = 0; i < count; i++) {
        uint64_t megabytes;
        char *end = word;

        word[0] = '\0';
        (void)hwloc_next_word(words, word, sizeof(word));
        megabytes = strtoull(word, &end, 10);
        if (*word < '0' || *word > '9' || *end || megabytes > HWLOC_LINK_MBPS_MAX)
            return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, 0,
                             "'%.20s' in NVLinkBandwidth; expected %u times %u numbers of MB/s",
                             word, count, count);
        if (!megabytes || !is_kind(reader, ends[row], CS_DEVICE_GPU) || ends[i] == ends[row] ||
            ends[i] == CS_DOC_NONE)
            continue;
        if (ends[i] == reader->nvswitch)
            to_switch += megabytes;
        else if (i > row || !is_kind(reader, ends[i], CS_DEVICE_GPU))
            hwloc_join_nvlinks(reader, ends[row], ends[i], megabytes);
    }
    if (to_switch)
        hwloc_join_nvlinks(reader, ends[row], reader->nvswitch, to_switch);
    return 0;
}

static int read_nvlinks(struct hwloc_reader *reader, uint32_t element)
{
    struct hwloc_words words = {reader, reader->nodes[element].first, "u64values", ""};
    int64_t count;
    uint32_t *ends;
    int rc = cs_xml_want_number(reader->doc, element,
                                &(struct cs_xml_number){"nbobjs", 1, HWLOC_OBJECTS_MAX}, &count,
                                reader->err);

    if (rc)
        return rc;
    ends = cs_arena_alloc(reader->graph->arena, (size_t)count, sizeof(*ends));
    rc = read_ends(reader, element, (uint32_t)count, ends);
    for (uint32_t row = 0; row < count && !rc; row++)
        rc = hwloc_read_row(reader, &words, row, ends, (uint32_t)count);
    return rc;
}

static int hwloc_read_matrices(struct hwloc_reader *reader)
{
    bool any = false;
    int rc = 0;

    for (uint32_t i = reader->nodes[0].first; i != CS_DOC_NONE && !rc; i = reader->nodes[i].next)
        if (cs_same(hwloc_get(reader, i, "name"), "NVLinkBandwidth")) {
            rc = any ? cs_doc_err(reader->doc, i, reader->err, "NVLinkBandwidth is a duplicate")
                 : reader->objects.count ? read_nvlinks(reader, i)
                                         : 0;
            any = true;
        }
    if (any && !reader->objects.count)
        cs_graph_note(
            reader->graph,
            "objects have no gp_index: NVLinkBandwidth is ignored, all traffic uses PCIe");
    if (!any && reader->gpu_count > 1)
        cs_graph_note(reader->graph, "the file has no NVLinks: all traffic uses PCIe");
    return rc;
}

/* ---- the source ---- */

/* GPU and adapters of a DGX Spark, which a file without PCI devices names by its product:
 * as topo/library/gb10.yaml. */
static void add_spark(struct hwloc_reader *reader)
{
    const char *product = hwloc_info(reader, reader->nodes[0].first, "DMIProductName");
    uint32_t cpu = reader->places[reader->packages[0]].device, gpu;

    if (reader->gpu_count || !product || !strstr(product, "DGX_Spark"))
        return;
    gpu = hwloc_add_device(reader, "gpu", reader->gpu_count++, CS_DEVICE_GPU, 0);
    (void)cs_gpu_kind_find("gb10", &reader->graph->devices[gpu].model, NULL);
    cs_link_kind_join(reader->graph, gpu, cpu, "nvlink-c2c", 0);
    for (uint32_t n = 0; n < 2; n++)
        cs_link_kind_join(reader->graph,
                          hwloc_add_device(reader, "nic", reader->nic_count++, CS_DEVICE_NIC, 0),
                          cpu, "pcie5", 4);
    cs_graph_note(reader->graph,
                  "the file has no PCI devices: GPU and adapters are those of gb10, "
                  "which its product %.40s has",
                  product);
}

static int hwloc_read_tree(struct hwloc_reader *reader)
{
    const char *version = hwloc_get(reader, 0, "version");
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
    if (!rc)
        add_spark(reader);
    if (!rc && reader->gpu_count == 0)
        rc = cs_doc_err(reader->doc, 0, reader->err,
                        "no GPU in this topology; expected a PCIDev of class 0302, 0380 or 1200, "
                        "or with an OSDev of CUDA, NVML or RSMI");
    return rc;
}

static int hwloc_read(const struct cs_topo_request *request, const struct cs_doc *doc,
                      struct cs_graph *graph, struct cs_err *err)
{
    struct hwloc_reader reader = {
        .doc = doc, .nodes = doc->nodes, .graph = graph, .err = err, .nvswitch = CS_DOC_NONE};

    (void)request;
    reader.places = cs_arena_alloc(graph->arena, doc->count, sizeof(*reader.places));
    if (hwloc_read_tree(&reader) || hwloc_read_matrices(&reader))
        return CS_EINPUT;
    join_packages(&reader);
    cs_graph_note(
        graph,
        "PCIe rates are as measured by hwloc; a link in power saving shows less than its maximum");
    if (reader.unknown)
        cs_graph_note(graph, "%u PCIe links have no speed; 8 GT/s x16 is assumed", reader.unknown);
    graph->about = "from an XML file of hwloc";
    return 0;
}

const struct cs_source cs_source_hwloc = {
    .name = "hwloc",
    .usage = "hwloc:FILE.xml",
    .about = "the output of hwloc's 'lstopo FILE.xml', versions 2 and 3",
    .read_document = hwloc_read,
    .root = "topology",
};
