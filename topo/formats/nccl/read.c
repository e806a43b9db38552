/*
 * nccl: topology files of NCCL and RCCL (NCCL_TOPO_FILE, NCCL_TOPO_DUMP_FILE).
 *
 *     system
 *       cpu numaid arch vendor familyid modelid [host_hash]
 *         pci busid class link_speed link_width         pci in pci: a bridge
 *           gpu dev sm | gcn
 *             nvlink | xgmi target count tclass    c2c bw count
 *           nic
 *             net name speed (Mb/s) port
 *         nic                                           virtual, no PCI
 *
 * The reader does what NCCL does (src/graph/topo.cc): classes by prefix; an
 * unknown link speed is 8 GT/s and no width is x16; NVLinks to one target add
 * up; all NVSwitches of a computer are one, and those of computers that name the
 * same ones (NVLink over several computers); two levels of one Broadcom switch are one level;
 * sockets of a computer are joined each with each.  GPUs are ordered by `dev`,
 * computers told apart by host_hash.
 *
 * A bridge with one device behind it is a part of that device's link and lends
 * it the lower of the two rates: latencies are for the way through one switch.
 *
 * Files of clouds often list CPUs and PCI devices alone, as NCCL asks the
 * machine for the rest.  Then the links between GPUs come from --platform, GPU
 * by GPU, or there are none, and the remarks say so.  Not modelled: that GPUs
 * under Intel CPUs talk in small packets (NCCL counts a fifth less).
 */
#include "sim/base/collections/name_index.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/xml.h"
#include "topo/formats/source.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/socket.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    GPUS_MAX = 1024,   /* invented; the largest file seen has 72 */
    CPUS_MAX = 1024,   /* sockets are joined each with each */
    WIDTH_MAX = 64,    /* lanes; PCIe has up to 32 */
    LINKS_MAX = 128,   /* NVLinks to one target */
    MBPS_MAX = 1600000 /* above the fastest port there is, 1.6 Tb/s */
};

struct gpu {
    uint32_t element; /* its <pci> */
    uint32_t gpu;     /* its <gpu>, or CS_DOC_NONE */
    uint32_t host;
    uint32_t cpu; /* device */
    int64_t dev;
    uint32_t device;
    uint64_t busid;
};

/* What an element is to its children. */
struct nccl_place {
    uint32_t parent; /* element */
    uint32_t device; /* that children hang on, or CS_DOC_NONE */
    uint32_t cpu;    /* device of the socket */
    uint32_t host;
    uint32_t slow; /* a bridge left out whose link is the slower, or NONE */
};

struct nccl_reader {
    const struct cs_doc *doc;
    struct cs_graph *graph;
    struct cs_err *err;
    struct nccl_place *places; /* by element */
    struct gpu *gpus;
    uint32_t gpu_count;
    struct cs_names hosts; /* host_hash -> number */
    uint32_t host_count;
    uint32_t *cpus; /* devices, in order; with their elements */
    uint32_t *cpu_elements;
    uint32_t cpu_count;
    uint32_t switch_count, nic_count;
    uint32_t classless; /* a leaf that could be anything, or CS_DOC_NONE */
    bool has_gpus;      /* there are <gpu> elements */
    bool has_links;
    bool has_pcilinks;
};

/* "n1." where there are several computers. */
static const char *nccl_prefix(const struct nccl_reader *reader, uint32_t host)
{
    return reader->host_count > 1
               ? cs_arena_printf(reader->graph->arena, "n%u.", host)
               : "";
}

/* ---- classes ---- */

enum class {
    BRIDGE,
    GPU,
    NIC,
    NVSWITCH,
    UNKNOWN,
};

static bool nccl_begins(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

static enum class nccl_class_of(const struct nccl_reader *reader,
                                uint32_t element) {
    const char *text = cs_doc_attribute(reader->doc, element, "class");

        if (cs_doc_get(reader->doc, element, "gpu") != CS_DOC_NONE) return GPU;
        if (cs_doc_get(reader->doc, element, "nic") != CS_DOC_NONE) return NIC;
        if (cs_doc_get(reader->doc, element, "pci") !=
            CS_DOC_NONE) return BRIDGE;
        if (!text) return UNKNOWN;
        if (nccl_begins(text, "0x068000")) return NVSWITCH;
        if (nccl_begins(text, "0x03") || nccl_begins(text, "0x12")) return GPU;
        return nccl_begins(text, "0x02") ? NIC : BRIDGE;
}

/* Digits without the marks between: "0000:1B:00.0" -> 0x00001b000;
 * BAD_BUSID for what is none. */
#define BAD_BUSID UINT64_MAX

static uint64_t nccl_busid(const char *text)
{
    uint64_t id = 0;
    unsigned digits = 0;

    for (; *text; text++) {
        const char *hex = "0123456789abcdef";
        const char *at = strchr(hex, *text | 0x20);

        if (*text == ':' || *text == '.')
            continue;
        if (!at || ++digits > 15)
            return BAD_BUSID;
        id = id << 4 | (uint64_t)(at - hex);
    }
    return digits ? id : BAD_BUSID;
}

/* ---- PCI links ---- */

struct nccl_pci_link {
    const char *kind;
    uint32_t width;
};

/* The speeds that NCCL knows; the rest is 8 GT/s to it. */
static const char *pcie_of(const char *speed)
{
    static const struct {
        const char *speed, *kind;
    } known[] = {
        {"2.5 GT/s", "pcie1"},       {"5 GT/s", "pcie2"},
        {"8 GT/s", "pcie3"},         {"16 GT/s", "pcie4"},
        {"32 GT/s", "pcie5"},        {"64 GT/s", "pcie6"},
        {"2.5 GT/s PCIe", "pcie1"},  {"5.0 GT/s PCIe", "pcie2"},
        {"8.0 GT/s PCIe", "pcie3"},  {"16.0 GT/s PCIe", "pcie4"},
        {"32.0 GT/s PCIe", "pcie5"}, {"64.0 GT/s PCIe", "pcie6"},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (cs_same(speed, known[i].speed))
            return known[i].kind;
    return NULL;
}

static int read_pci_link(const struct nccl_reader *reader, uint32_t element,
                         struct nccl_pci_link *link)
{
    const char *speed = cs_doc_attribute(reader->doc, element, "link_speed");
    int64_t width;
    int rc =
        cs_xml_number_or(reader->doc, element,
                         &(struct cs_xml_number){"link_width", 0, WIDTH_MAX},
                         16, &width, reader->err);

    if (rc)
        return rc;
    link->width = width ? (uint32_t)width : 16;
    link->kind = pcie_of(speed ? speed : "");
    if (link->kind)
        return 0;
    cs_graph_note(reader->graph,
                  "line %u: link speed '%.40s' is none that NCCL knows; "
                  "taken as 8 GT/s, as NCCL does",
                  reader->doc->nodes[element].line, speed ? speed : "");
    link->kind = "pcie3";
    return 0;
}

/* A wire as wide and fast as the element says, or as slow as the bridge that
 * was left out on the way. */
static int nccl_join(const struct nccl_reader *reader, uint32_t element,
                     uint32_t device)
{
    struct cs_graph *graph = reader->graph;
    const struct nccl_place *up =
        &reader->places[reader->places[element].parent];
    struct cs_wire *wire;
    struct nccl_pci_link own;
    struct nccl_pci_link bridge;
    int rc = read_pci_link(reader, element, &own);

    if (!rc && up->slow != CS_DOC_NONE)
        rc = read_pci_link(reader, up->slow, &bridge);
    if (rc)
        return rc;
    if (up->slow != CS_DOC_NONE &&
        cs_link_kind_get(bridge.kind)->rate_Bps * bridge.width <
            cs_link_kind_get(own.kind)->rate_Bps * own.width)
        own = bridge;
    wire = cs_link_kind_join(graph, device, up->device, own.kind, own.width);
    wire->line = reader->doc->nodes[element].line;
    return 0;
}

/* ---- devices ---- */

static uint32_t nccl_add_device(const struct nccl_reader *reader,
                                const char *name, enum cs_device_kind kind,
                                uint32_t element)
{
    uint32_t host = reader->places[element].host;

    return cs_graph_add_device(
        reader->graph,
        (struct cs_device){.name =
                               cs_arena_printf(reader->graph->arena, "%s%s",
                                               nccl_prefix(reader, host), name),
                           .kind = kind,
                           .host = host,
                           .line = reader->doc->nodes[element].line});
}

static uint32_t add_numbered(const struct nccl_reader *reader, const char *stem,
                             int64_t n, enum cs_device_kind kind,
                             uint32_t element)
{
    return nccl_add_device(
        reader,
        cs_arena_printf(reader->graph->arena, "%s%lld", stem, (long long)n),
        kind, element);
}

/* Which computer the socket is part of; all hosts are known beforehand. */
static uint32_t nccl_host_of(const struct nccl_reader *reader, uint32_t element)
{
    const char *hash = cs_doc_attribute(reader->doc, element, "host_hash");

    return cs_names_find(&reader->hosts, hash ? hash : "");
}

static int read_cpu(struct nccl_reader *reader, uint32_t element)
{
    struct nccl_place *place = &reader->places[element];
    int64_t numa;
    int rc = cs_xml_number_or(reader->doc, element,
                              &(struct cs_xml_number){"numaid", -1, INT32_MAX},
                              reader->cpu_count, &numa, reader->err);

    if (rc)
        return rc;
    if (reader->cpu_count == CPUS_MAX)
        return cs_doc_err(reader->doc, element, reader->err,
                          "over %d <cpu> elements", CPUS_MAX);
    place->host = nccl_host_of(reader, element);
    place->device = add_numbered(reader, "cpu", numa, CS_DEVICE_CPU, element);
    place->cpu = place->device;
    reader->cpu_elements[reader->cpu_count] = element;
    reader->cpus[reader->cpu_count++] = place->device;
    return 0;
}

static bool same_attribute(const struct nccl_reader *reader, uint32_t a,
                           uint32_t b, const char *name)
{
    const char *left = cs_doc_attribute(reader->doc, a, name);
    const char *right = cs_doc_attribute(reader->doc, b, name);

    return left && right && strcasecmp(left, right) == 0;
}

/* The second level of a Broadcom switch that shows as two. */
static bool is_inner_broadcom(const struct nccl_reader *reader,
                              uint32_t element)
{
    uint32_t parent = reader->places[element].parent;
    const char *device = cs_doc_attribute(reader->doc, element, "device");
    const char *vendor = cs_doc_attribute(reader->doc, element, "vendor");

    return device && vendor && nccl_begins(vendor, "0x1000") &&
           (nccl_begins(device, "0xc010") || nccl_begins(device, "0xc030")) &&
           same_attribute(reader, element, parent, "vendor") &&
           same_attribute(reader, element, parent, "device");
}

static int nccl_read_bridge(struct nccl_reader *reader, uint32_t element)
{
    struct nccl_place *place = &reader->places[element];
    const struct nccl_place *up = &reader->places[place->parent];

    if (is_inner_broadcom(reader, element)) {
        place->device = up->device;
        return 0;
    }
    if (cs_doc_count(reader->doc, element, "pci") == 1) {
        struct nccl_pci_link own;
        struct nccl_pci_link outer;
        int rc = read_pci_link(reader, element, &own);

        place->device = up->device;
        place->slow = element;
        if (!rc && up->slow != CS_DOC_NONE)
            rc = read_pci_link(reader, up->slow, &outer);
        if (!rc && up->slow != CS_DOC_NONE &&
            cs_link_kind_get(outer.kind)->rate_Bps * outer.width <
                cs_link_kind_get(own.kind)->rate_Bps * own.width)
            place->slow = up->slow;
        return rc;
    }
    place->device = add_numbered(reader, "pci", reader->switch_count++,
                                 CS_DEVICE_SWITCH, element);
    return nccl_join(reader, element, place->device);
}

/* Keeps the GPU for later: its number among the others is not known yet. */
static int nccl_read_gpu(struct nccl_reader *reader, uint32_t element)
{
    const struct nccl_place *place = &reader->places[element];
    uint32_t gpu = cs_doc_get(reader->doc, element, "gpu");
    const char *text;
    struct gpu *own = &reader->gpus[reader->gpu_count];
    int rc =
        cs_xml_want_text(reader->doc, element, "busid", &text, reader->err);

    if (!rc && gpu == CS_DOC_NONE && reader->has_gpus)
        return 0; /* not a part of the job that was dumped */
    if (!rc && reader->gpu_count == GPUS_MAX)
        rc = cs_doc_err(reader->doc, element, reader->err, "over %d GPUs",
                        GPUS_MAX);
    if (rc)
        return rc;
    *own = (struct gpu){.element = element,
                        .gpu = gpu,
                        .host = place->host,
                        .cpu = place->cpu,
                        .busid = nccl_busid(text)};
    if (own->busid == BAD_BUSID)
        return cs_doc_err(reader->doc, element, reader->err,
                          "busid=\"%.40s\"; expected one like 0000:1b:00.0",
                          text);
    reader->gpu_count++;
    if (gpu == CS_DOC_NONE)
        own->dev = reader->gpu_count;
    else
        rc = cs_xml_number_or(reader->doc, gpu,
                              &(struct cs_xml_number){"dev", 0, INT32_MAX},
                              reader->gpu_count - 1, &own->dev, reader->err);
    return rc;
}

/* ---- NICs ---- */

/* The sum of a NIC's ports, in Mb/s; NCCL takes 10 Gb/s for no speed. */
static int read_ports(const struct nccl_reader *reader, uint32_t nic,
                      int64_t *sum)
{
    int rc = 0;

    *sum = 0;
    for (uint32_t i = reader->doc->nodes[nic].first; i != CS_DOC_NONE && !rc;
         i = reader->doc->nodes[i].next) {
        int64_t speed;

        if (!cs_doc_is(reader->doc, i, "net"))
            continue;
        rc = cs_xml_number_or(
            reader->doc, i,
            &(struct cs_xml_number){"speed", -1, INT64_MAX / 4096}, 0, &speed,
            reader->err);
        if (speed > MBPS_MAX) {
            cs_graph_note(reader->graph,
                          "line %u: a port of %lld Mb/s is no real one; "
                          "taken as %d",
                          reader->doc->nodes[i].line, (long long)speed,
                          MBPS_MAX);
            speed = MBPS_MAX;
        } else if (speed <= 0) {
            cs_graph_note(reader->graph,
                          "line %u: a port without a speed is taken as 10 "
                          "Gb/s, as NCCL does",
                          reader->doc->nodes[i].line);
            speed = 10000;
        }
        *sum += speed;
    }
    return rc;
}

/* The way out: all ports of all computers meet in one switch, as the file says
 * nothing of what is outside. */
static int join_net(struct nccl_reader *reader, uint32_t nic, uint32_t device,
                    uint32_t net)
{
    const char *class =
        cs_doc_attribute(reader->doc, reader->places[nic].parent, "class");
    const char *kind =
        class && nccl_begins(class, "0x0207") ? "ib-hdr" : "100gbe";
    struct cs_wire *wire;
    int64_t speed;
    int rc = read_ports(reader, nic, &speed);

    if (rc || speed == 0)
        return rc;
    wire = cs_link_kind_join(reader->graph, device, net, kind, 0);
    wire->class_name = cs_arena_printf(reader->graph->arena, "%lld Gb/s",
                                       (long long)speed / 1000);
    wire->rate_Bps = (double)speed * 1e6 / 8;
    wire->source = cs_arena_printf(reader->graph->arena,
                                   "rate: %s; efficiency and latency: as %s",
                                   reader->graph->file, kind);
    wire->line = reader->doc->nodes[nic].line;
    return 0;
}

static uint32_t net_switch(struct nccl_reader *reader)
{
    uint32_t net = cs_graph_find(reader->graph, "net");

    if (net != UINT32_MAX)
        return net;
    cs_graph_note(reader->graph, "the file does not say what joins the "
                                 "computers: one switch is assumed");
    return cs_graph_add_device(reader->graph,
                               (struct cs_device){.name = "net",
                                                  .kind = CS_DEVICE_SWITCH,
                                                  .host = CS_NO_HOST});
}

/* A NIC behind PCI, or a virtual one right under its socket. */
static int read_nic(struct nccl_reader *reader, uint32_t element, uint32_t nic)
{
    uint32_t net =
        nic == CS_DOC_NONE ? nic : cs_doc_get(reader->doc, nic, "net");
    const char *name =
        net == CS_DOC_NONE ? NULL : cs_doc_attribute(reader->doc, net, "name");
    uint32_t number_of = reader->nic_count++;
    uint32_t device;
    int rc = 0;

    device =
        name && *name
            ? nccl_add_device(reader, name, CS_DEVICE_NIC, element)
            : add_numbered(reader, "nic", number_of, CS_DEVICE_NIC, element);
    if (element == nic)
        cs_link_kind_join(reader->graph, device, reader->places[nic].cpu,
                          "local", 0);
    else
        rc = nccl_join(reader, element, device);
    if (!rc && nic != CS_DOC_NONE && reader->host_count > 1)
        rc = join_net(reader, nic, device, net_switch(reader));
    return rc;
}

/* ---- the tree ---- */

static int nccl_read_pci(struct nccl_reader *reader, uint32_t element)
{
    switch (nccl_class_of(reader, element)) {
    case GPU:
        return nccl_read_gpu(reader, element);
    case NIC:
        return read_nic(reader, element,
                        cs_doc_get(reader->doc, element, "nic"));
    case BRIDGE:
        return nccl_read_bridge(reader, element);
    case NVSWITCH:
        return 0; /* its PCI side carries no data */
    case UNKNOWN:
        break;
    }
    if (reader->classless == CS_DOC_NONE)
        reader->classless = element;
    return 0;
}

/* Whether an element of that name may hang there. */
static bool nccl_fits(const struct nccl_reader *reader, uint32_t element)
{
    uint32_t parent = reader->places[element].parent;

    if (cs_doc_is(reader->doc, element, "cpu"))
        return parent == 0;
    if (cs_doc_is(reader->doc, element, "pci"))
        return cs_doc_is(reader->doc, parent, "cpu") ||
               cs_doc_is(reader->doc, parent, "pci");
    return cs_doc_is(reader->doc, parent, "cpu") ||
           cs_doc_is(reader->doc, parent, "pci");
}

static int read_element(struct nccl_reader *reader, uint32_t element)
{
    struct nccl_place *place = &reader->places[element];
    const struct nccl_place *up = &reader->places[place->parent];

    place->host = up->host;
    place->cpu = up->cpu;
    place->slow = CS_DOC_NONE;
    place->device = CS_DOC_NONE;
    if (!cs_doc_is(reader->doc, element, "cpu") &&
        !cs_doc_is(reader->doc, element, "pci") &&
        !cs_doc_is(reader->doc, element, "nic"))
        return 0;
    if (!nccl_fits(reader, element) ||
        (cs_doc_is(reader->doc, element, "pci") && up->device == CS_DOC_NONE))
        return cs_doc_err(reader->doc, element, reader->err,
                          "<%s> stands in <%s>; expected system > cpu > pci",
                          reader->doc->nodes[element].key,
                          reader->doc->nodes[place->parent].key);
    if (cs_doc_is(reader->doc, element, "cpu"))
        return read_cpu(reader, element);
    if (cs_doc_is(reader->doc, element, "pci"))
        return nccl_read_pci(reader, element);
    return cs_doc_is(reader->doc, place->parent, "cpu")
               ? read_nic(reader, element, element)
               : 0; /* its <pci> has read it */
}

/* Parents, computers, and whether GPUs are listed at all. */
static void look_ahead(struct nccl_reader *reader)
{
    const struct cs_doc *doc = reader->doc;
    struct cs_arena *arena = reader->graph->arena;

    reader->places =
        cs_arena_alloc(arena, doc->count, sizeof(struct nccl_place));
    cs_names_init(&reader->hosts, arena, 0);
    reader->places[0] = (struct nccl_place){
        .device = CS_DOC_NONE, .cpu = CS_DOC_NONE, .slow = CS_DOC_NONE};
    for (uint32_t i = 0; i < doc->count; i++) {
        const char *hash = cs_doc_attribute(reader->doc, i, "host_hash");

        for (uint32_t c = doc->nodes[i].first; c != CS_DOC_NONE;
             c = doc->nodes[c].next)
            reader->places[c].parent = i;
        reader->has_gpus = reader->has_gpus || cs_doc_is(reader->doc, i, "gpu");
        reader->has_pcilinks =
            reader->has_pcilinks || cs_doc_is(reader->doc, i, "pcilink");
        if (cs_doc_is(reader->doc, i, "cpu") &&
            cs_names_add(&reader->hosts, hash ? hash : "",
                         reader->host_count) == CS_NO_NAME)
            reader->host_count++;
    }
}

/* ---- GPUs, when all are known ---- */

static int by_dev(const void *a, const void *b)
{
    const struct gpu *left = a;
    const struct gpu *right = b;

    if (left->host != right->host)
        return left->host < right->host ? -1 : 1;
    if (left->dev != right->dev)
        return left->dev < right->dev ? -1 : 1;
    return left->element < right->element ? -1 : left->element > right->element;
}

static int no_gpus(const struct nccl_reader *reader)
{
    if (reader->classless == CS_DOC_NONE)
        return cs_doc_err(reader->doc, 0, reader->err,
                          "no GPU in this file; expected <gpu> or a PCI device "
                          "of class 0x03");
    return cs_doc_err(reader->doc, reader->classless, reader->err,
                      "a PCI device without a class: GPU or NIC, NCCL asks the "
                      "machine; expected a file that NCCL_TOPO_DUMP_FILE wrote "
                      "there");
}

static int nccl_check_twice(const struct nccl_reader *reader, uint32_t i)
{
    const struct gpu *gpu = &reader->gpus[i];

    if (i > 0 && gpu[-1].host == gpu->host && gpu[-1].dev == gpu->dev)
        return cs_doc_err(reader->doc, gpu->element, reader->err,
                          "GPU dev %lld is there twice; line %u has it too",
                          (long long)gpu->dev,
                          reader->doc->nodes[gpu[-1].element].line);
    for (uint32_t j = 0; j < i; j++)
        if (reader->gpus[j].busid == gpu->busid &&
            reader->gpus[j].host == gpu->host)
            return cs_doc_err(
                reader->doc, gpu->element, reader->err,
                "busid '%.40s' is there twice; line %u has it "
                "too",
                cs_doc_attribute(reader->doc, gpu->element, "busid"),
                reader->doc->nodes[reader->gpus[j].element].line);
    return 0;
}

static int add_gpus(struct nccl_reader *reader)
{
    if (reader->gpu_count == 0)
        return no_gpus(reader);
    qsort(reader->gpus, reader->gpu_count, sizeof(*reader->gpus), by_dev);
    for (uint32_t i = 0; i < reader->gpu_count; i++) {
        struct gpu *gpu = &reader->gpus[i];
        int64_t dev = gpu->gpu == CS_DOC_NONE ? (int64_t)i : gpu->dev;
        int rc = nccl_check_twice(reader, i);

        if (rc)
            return rc;
        gpu->device =
            add_numbered(reader, "gpu", dev, CS_DEVICE_GPU, gpu->element);
        rc = nccl_join(reader, gpu->element, gpu->device);
        if (rc)
            return rc;
    }
    return 0;
}

/* ---- links between GPUs ---- */

/* NCCL's choice by compute capability; RCCL's by the name of the chip. */
static const char *link_kind_of(const struct nccl_reader *reader, uint32_t gpu,
                                uint32_t link)
{
    const char *sm = cs_doc_attribute(reader->doc, gpu, "sm");
    const char *gcn = cs_doc_attribute(reader->doc, gpu, "gcn");
    long capability = sm ? strtol(sm, NULL, 10) : 0;

    if (cs_doc_is(reader->doc, link, "xgmi")) {
        if (gcn && (nccl_begins(gcn, "gfx95")))
            return "xgmi-mi350";
        if (gcn && (nccl_begins(gcn, "gfx94") || nccl_begins(gcn, "94")))
            return "xgmi-mi300";
        if (gcn && (nccl_begins(gcn, "gfx90a") || nccl_begins(gcn, "91")))
            return "xgmi-mi250";
        return "xgmi-mi100";
    }
    if (capability >= 100)
        return "nvlink5";
    if (capability >= 90)
        return "nvlink4";
    if (capability == 86)
        return "nvlink3-bridge";
    if (capability >= 80 || capability < 60)
        return "nvlink3";
    return capability >= 70 ? "nvlink2" : "nvlink1";
}

/* Links of one kind between GPU `row` and GPU `column`; the last column counts
 * those to NVSwitches. */
struct nccl_matrix {
    uint32_t *links;
    uint32_t n;
    const char **kinds; /* by GPU; NULL: has none */
    uint64_t *nvswitch; /* by computer: the least bus id of its NVSwitches */
};

static uint32_t *nccl_cell(const struct nccl_matrix *matrix, uint32_t row,
                           uint32_t column)
{
    return &matrix->links[(size_t)row * (matrix->n + 1) + column];
}

/* The column of a target, or CS_DOC_NONE with a remark. */
static uint32_t target_of(const struct nccl_reader *reader,
                          const struct nccl_matrix *matrix, uint32_t row,
                          uint32_t link, const char *target)
{
    const char *tclass = cs_doc_attribute(reader->doc, link, "tclass");
    uint64_t *least = &matrix->nvswitch[reader->gpus[row].host];
    uint64_t id = nccl_busid(target);
    uint32_t i = 0;

    if ((tclass && nccl_begins(tclass, "0x068000")) ||
        nccl_begins(target, "fffffff")) {
        if (id < *least)
            *least = id;
        return reader->gpu_count;
    }
    while (i < reader->gpu_count &&
           (reader->gpus[i].busid != id ||
            reader->gpus[i].host != reader->gpus[row].host))
        i++;
    if (i == row)
        cs_graph_note(reader->graph,
                      "line %u: links from a GPU to itself say nothing of "
                      "whom they join; left out",
                      reader->doc->nodes[link].line);
    else if (i < reader->gpu_count)
        return i;
    else
        cs_graph_note(reader->graph,
                      "line %u: links to '%.40s', which is no GPU of this "
                      "file; left out",
                      reader->doc->nodes[link].line, target);
    return CS_DOC_NONE;
}

/* NVLinks of POWER9 and the chip-to-chip link of Grace lead to the socket. */
static int join_socket(struct nccl_reader *reader, uint32_t row, uint32_t link,
                       int64_t count)
{
    const struct gpu *gpu = &reader->gpus[row];
    struct cs_wire *wire;
    int64_t megabytes;
    int rc;

    if (cs_doc_is(reader->doc, link, "c2c")) {
        rc = cs_xml_want_number(reader->doc, link,
                                &(struct cs_xml_number){"bw", 1, MBPS_MAX},
                                &megabytes, reader->err);
        if (rc)
            return rc;
        wire =
            cs_link_kind_join(reader->graph, gpu->device, gpu->cpu, "local", 0);
        wire->rate_Bps = (double)(megabytes * count) * 1e6;
        wire->class_name = "c2c";
        wire->family = CS_LINK_C2C;
        wire->source = "rate: the file; latency: unknown, none assumed";
    } else {
        wire = cs_link_kind_join(reader->graph, gpu->device, gpu->cpu,
                                 link_kind_of(reader, gpu->gpu, link),
                                 (uint32_t)count);
    }
    wire->line = reader->doc->nodes[link].line;
    return 0;
}

static int nccl_read_link(struct nccl_reader *reader,
                          struct nccl_matrix *matrix, uint32_t row,
                          uint32_t link)
{
    const char *tclass = cs_doc_attribute(reader->doc, link, "tclass");
    const char *target;
    uint32_t column;
    int64_t count;
    int rc = cs_xml_number_or(reader->doc, link,
                              &(struct cs_xml_number){"count", 1, LINKS_MAX}, 1,
                              &count, reader->err);

    if (rc)
        return rc;
    reader->has_links = true;
    if (cs_doc_is(reader->doc, link, "c2c") ||
        (tclass && nccl_begins(tclass, "0x068001")))
        return join_socket(reader, row, link, count);
    rc = cs_xml_want_text(reader->doc, link, "target", &target, reader->err);
    if (rc)
        return rc;
    column = target_of(reader, matrix, row, link, target);
    if (column == CS_DOC_NONE)
        return 0;
    matrix->kinds[row] = link_kind_of(reader, reader->gpus[row].gpu, link);
    *nccl_cell(matrix, row, column) += (uint32_t)count;
    if (*nccl_cell(matrix, row, column) > CS_LINK_WIDTH_MAX)
        return cs_doc_err(reader->doc, link, reader->err,
                          "over %d links from one GPU to one target",
                          CS_LINK_WIDTH_MAX);
    return 0;
}

static int nccl_read_links(struct nccl_reader *reader,
                           struct nccl_matrix *matrix)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    int rc = 0;

    for (uint32_t g = 0; g < reader->gpu_count; g++) {
        uint32_t gpu = reader->gpus[g].gpu;

        if (gpu == CS_DOC_NONE)
            continue;
        for (uint32_t i = nodes[gpu].first; i != CS_DOC_NONE && !rc;
             i = nodes[i].next)
            if (cs_doc_is(reader->doc, i, "nvlink") ||
                cs_doc_is(reader->doc, i, "xgmi") ||
                cs_doc_is(reader->doc, i, "c2c"))
                rc = nccl_read_link(reader, matrix, g, i);
    }
    return rc;
}

static uint32_t add_nvswitch(struct cs_graph *graph, const char *name,
                             uint32_t host)
{
    return cs_graph_add_device(
        graph, (struct cs_device){
                   .name = name, .kind = CS_DEVICE_SWITCH, .host = host});
}

/* The NVSwitch of a computer: that of the first one that names the same.
 * devices: by computer, less one. */
static uint32_t nvswitch_of(struct nccl_reader *reader,
                            const struct nccl_matrix *matrix, uint32_t *devices,
                            uint32_t host)
{
    uint32_t first = 0;
    uint32_t users = 0;

    while (matrix->nvswitch[first] != matrix->nvswitch[host])
        first++;
    for (uint32_t i = 0; i < reader->host_count; i++)
        users += matrix->nvswitch[i] == matrix->nvswitch[host];
    if (devices[first] == 0)
        devices[first] =
            1 + add_nvswitch(
                    reader->graph,
                    users == reader->host_count
                        ? "nvswitch"
                        : cs_arena_printf(reader->graph->arena, "%snvswitch",
                                          nccl_prefix(reader, first)),
                    users == 1 && reader->host_count > 1 ? first : CS_NO_HOST);
    return devices[first] - 1;
}

/* A wire for each pair that either end names. */
static void join_pairs(struct nccl_reader *reader,
                       const struct nccl_matrix *matrix, uint32_t row)
{
    const struct gpu *gpus = reader->gpus;

    for (uint32_t column = row + 1; column < matrix->n; column++) {
        uint32_t there = *nccl_cell(matrix, row, column);
        uint32_t back = *nccl_cell(matrix, column, row);
        const char *kind = there ? matrix->kinds[row] : matrix->kinds[column];

        if (there != back)
            cs_graph_note(reader->graph,
                          "lines %u and %u count %u and %u links between two "
                          "GPUs; the larger is taken",
                          reader->doc->nodes[gpus[row].element].line,
                          reader->doc->nodes[gpus[column].element].line, there,
                          back);
        if (there || back)
            cs_link_kind_join(reader->graph, gpus[row].device,
                              gpus[column].device, kind,
                              there > back ? there : back)
                ->line = reader->doc->nodes[gpus[row].element].line;
    }
}

static int join_gpus(struct nccl_reader *reader)
{
    struct nccl_matrix matrix = {.n = reader->gpu_count};
    struct cs_arena scratch = {0};
    uint32_t *nvswitches =
        cs_arena_alloc(&scratch, reader->host_count, sizeof(*nvswitches));
    int rc;

    matrix.nvswitch =
        cs_arena_alloc(&scratch, reader->host_count, sizeof(*matrix.nvswitch));
    memset(matrix.nvswitch, 0xff,
           reader->host_count * sizeof(*matrix.nvswitch));
    matrix.links = cs_arena_alloc(&scratch, (size_t)matrix.n * (matrix.n + 1),
                                  sizeof(*matrix.links));
    matrix.kinds = cs_arena_alloc(&scratch, matrix.n, sizeof(*matrix.kinds));
    rc = nccl_read_links(reader, &matrix);
    for (uint32_t row = 0; row < matrix.n && !rc; row++) {
        uint32_t links = *nccl_cell(&matrix, row, matrix.n);

        join_pairs(reader, &matrix, row);
        if (links)
            cs_link_kind_join(reader->graph, reader->gpus[row].device,
                              nvswitch_of(reader, &matrix, nvswitches,
                                          reader->gpus[row].host),
                              matrix.kinds[row], links)
                ->line = reader->doc->nodes[reader->gpus[row].element].line;
    }
    cs_arena_free(&scratch);
    return rc;
}

/* ---- between PCI switches ---- */

/* Of a PCI element, by computer and bus id. */
static const char *pci_key(const struct nccl_reader *reader, uint32_t host,
                           const char *id)
{
    return cs_arena_printf(reader->graph->arena, "%u %llx", host,
                           (unsigned long long)nccl_busid(id));
}

/* Switches that Broadcom's fabric joins are one to NCCL: LOC_BW.  Each of both
 * may name the other; what has no switch of its own here is one with it. */
static int join_switch(struct nccl_reader *reader, uint32_t link,
                       const struct cs_names *elements, struct cs_names *joined)
{
    const struct nccl_place *from =
        &reader->places[reader->places[link].parent];
    const char *target;
    uint32_t element, a, b;
    int rc =
        cs_xml_want_text(reader->doc, link, "target", &target, reader->err);

    if (rc)
        return rc;
    element = cs_names_find(elements, pci_key(reader, from->host, target));
    a = from->device;
    b = element == CS_NO_NAME ? CS_DOC_NONE : reader->places[element].device;
    if (a == CS_DOC_NONE || b == CS_DOC_NONE) {
        cs_graph_note(reader->graph,
                      "line %u: pcilink to '%.40s', which is no PCI switch "
                      "of this file; left out",
                      reader->doc->nodes[link].line, target);
        return 0;
    }
    if (a == b || cs_names_add(joined,
                               cs_arena_printf(reader->graph->arena, "%u %u",
                                               a < b ? a : b, a < b ? b : a),
                               0) != CS_NO_NAME)
        return 0;
    cs_link_kind_join(reader->graph, a, b, "local", 0)->line =
        reader->doc->nodes[link].line;
    return 0;
}

static int join_switches(struct nccl_reader *reader)
{
    struct cs_names elements, joined;
    int rc = 0;

    cs_names_init(&elements, reader->graph->arena, 0);
    cs_names_init(&joined, reader->graph->arena, 0);
    for (uint32_t i = 1; reader->has_pcilinks && i < reader->doc->count; i++) {
        const char *id = cs_doc_is(reader->doc, i, "pci")
                             ? cs_doc_attribute(reader->doc, i, "busid")
                             : NULL;

        if (id)
            (void)cs_names_add(&elements,
                               pci_key(reader, reader->places[i].host, id), i);
    }
    for (uint32_t i = 1; reader->has_pcilinks && i < reader->doc->count && !rc;
         i++)
        if (cs_doc_is(reader->doc, i, "pcilink"))
            rc = join_switch(reader, i, &elements, &joined);
    return rc;
}

/* ---- sockets ---- */

static const char *socket_kind(const struct nccl_reader *reader,
                               uint32_t element)
{
    struct cs_socket socket = {
        cs_doc_attribute(reader->doc, element, "arch"),
        cs_doc_attribute(reader->doc, element, "vendor"),
        cs_doc_attribute(reader->doc, element, "familyid"),
        cs_doc_attribute(reader->doc, element, "modelid")};

    return cs_socket_kind(&socket);
}

static void join_sockets(struct nccl_reader *reader)
{
    const struct cs_device *devices = reader->graph->devices;
    bool guessed = false;

    for (uint32_t a = 0; a < reader->cpu_count; a++) {
        const char *kind = socket_kind(reader, reader->cpu_elements[a]);

        for (uint32_t b = a + 1; b < reader->cpu_count; b++) {
            if (devices[reader->cpus[a]].host != devices[reader->cpus[b]].host)
                continue;
            guessed = guessed || !kind;
            cs_link_kind_join(reader->graph, reader->cpus[a], reader->cpus[b],
                              kind ? kind : "upi", 0)
                ->line = reader->doc->nodes[reader->cpu_elements[a]].line;
        }
    }
    if (guessed)
        cs_graph_note(reader->graph,
                      "the file does not say what CPUs these are; UPI is "
                      "assumed between them");
}

/* ---- what the file leaves open ---- */

/* Devices of the platform as devices of the graph: the GPUs in their order, and
 * switches as they come up. */
static int match_gpus(const struct nccl_reader *reader,
                      const struct cs_graph *platform, uint32_t *match)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < platform->device_count; i++) {
        match[i] = CS_DOC_NONE;
        if (platform->devices[i].kind != CS_DEVICE_GPU)
            continue;
        if (count < reader->gpu_count)
            match[i] = reader->gpus[count].device;
        count++;
    }
    if (count == reader->gpu_count)
        return 0;
    return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, 0,
                     "--platform %s has %u GPUs, this file %u", platform->name,
                     count, reader->gpu_count);
}

static int nccl_complete(struct nccl_reader *reader, const char *name)
{
    struct cs_graph *graph = reader->graph;
    struct cs_topo_request request = {.spec = name};
    struct cs_graph platform;
    uint32_t *match;
    uint32_t wires = 0;
    int rc = cs_topo_open(&request, &platform, graph->arena, reader->err);

    if (rc)
        return rc;
    match = cs_arena_alloc(graph->arena, platform.device_count, sizeof(*match));
    rc = match_gpus(reader, &platform, match);
    for (uint32_t w = 0; w < platform.wire_count && !rc; w++) {
        struct cs_wire wire = platform.wires[w];

        if (!cs_link_families[wire.family].word)
            continue;
        if (match[wire.a] == CS_DOC_NONE)
            match[wire.a] =
                add_nvswitch(graph, platform.devices[wire.a].name, CS_NO_HOST);
        if (match[wire.b] == CS_DOC_NONE)
            match[wire.b] =
                add_nvswitch(graph, platform.devices[wire.b].name, CS_NO_HOST);
        wire.a = match[wire.a];
        wire.b = match[wire.b];
        wire.line = 0;
        cs_graph_add_wire(graph, wire);
        wires++;
    }
    if (!rc)
        cs_graph_note(graph, "%u links between GPUs are those of '%s'", wires,
                      platform.name);
    return rc;
}

static int fill_in(struct nccl_reader *reader, const char *platform)
{
    if (reader->has_links) {
        if (platform)
            cs_graph_note(reader->graph, "the file has links between GPUs; "
                                         "--platform is not looked at");
        return 0;
    }
    if (platform)
        return nccl_complete(reader, platform);
    if (reader->gpu_count > 1)
        cs_graph_note(reader->graph,
                      "the file has no links between GPUs, which NCCL may "
                      "find on the machine; without --platform all goes over "
                      "PCIe");
    return 0;
}

/* ---- the source ---- */

static int nccl_read_tree(struct nccl_reader *reader)
{
    struct cs_arena *arena = reader->graph->arena;
    int rc = 0;

    reader->gpus = cs_arena_alloc(arena, GPUS_MAX, sizeof(*reader->gpus));
    reader->cpus = cs_arena_alloc(arena, CPUS_MAX, sizeof(*reader->cpus));
    reader->cpu_elements =
        cs_arena_alloc(arena, CPUS_MAX, sizeof(*reader->cpu_elements));
    look_ahead(reader);
    for (uint32_t i = 1; i < reader->doc->count && !rc; i++)
        rc = read_element(reader, i);
    return rc;
}

static int nccl_read(const struct cs_topo_request *request,
                     struct cs_source_text text, struct cs_graph *graph,
                     struct cs_err *err)
{
    struct cs_doc doc;
    struct nccl_reader reader = {
        .doc = &doc, .graph = graph, .err = err, .classless = CS_DOC_NONE};
    int rc = cs_xml_read_text(
        (struct cs_doc_text){text.file, text.text, text.length}, &doc,
        graph->arena, err);

    if (!rc)
        rc = cs_xml_want_name(&doc, 0, "system", err);
    if (!rc)
        rc = nccl_read_tree(&reader);
    if (!rc)
        rc = add_gpus(&reader);
    if (!rc)
        rc = join_gpus(&reader);
    if (!rc)
        rc = join_switches(&reader);
    if (rc)
        return rc;
    join_sockets(&reader);
    graph->about = "as an NCCL topology file has it";
    cs_graph_place_all(graph);
    cs_graph_place_servers(graph);
    return fill_in(&reader, request->platform);
}

static bool nccl_recognises(struct cs_source_text text)
{
    return cs_xml_begins_with(text.text, text.length, "system");
}

const struct cs_source cs_source_nccl = {
    .name = "nccl",
    .usage = "nccl:FILE.xml",
    .about = "an NCCL or RCCL topology file (NCCL_TOPO_DUMP_FILE); completed "
             "by --platform",
    .read = nccl_read,
    .takes_platform = true,
    .recognises = nccl_recognises,
};
