#include "topo/formats/nccl/reader.h"

#include "topo/documents/xml.h"
#include "topo/formats/nccl/net_port.h"
#include "topo/kinds/link_kind.h"

#include <string.h>
#include <strings.h>

/* ---- devices ---- */

const char *cs_nccl_prefix(const struct cs_nccl_reader *reader, uint32_t host)
{
    return reader->host_count > 1 ? cs_arena_printf(reader->graph->arena, "n%u.", host) : "";
}

uint64_t cs_nccl_busid(const char *text)
{
    uint64_t id = 0;
    unsigned digits = 0;

    for (; *text; text++) {
        const char *hex = "0123456789abcdef";
        const char *at = strchr(hex, *text | 0x20);

        if (*text == ':' || *text == '.')
            continue;
        if (!at || ++digits > 15)
            return CS_NCCL_BAD_BUSID;
        id = id << 4 | (uint64_t)(at - hex);
    }
    return digits ? id : CS_NCCL_BAD_BUSID;
}

/* Adds a device on the element's host, with the prefix of the host before the name. */
static uint32_t nccl_add_device(const struct cs_nccl_reader *reader, const char *name,
                                enum cs_device_kind kind, uint32_t element)
{
    uint32_t host = reader->places[element].host;
    uint32_t device = cs_graph_add(
        reader->graph, kind, host,
        cs_arena_printf(reader->graph->arena, "%s%s", cs_nccl_prefix(reader, host), name));

    reader->graph->devices[device].line = reader->doc->nodes[element].line;
    return device;
}

uint32_t cs_nccl_add_numbered(const struct cs_nccl_reader *reader, const char *stem, int64_t n,
                              enum cs_device_kind kind, uint32_t element)
{
    return nccl_add_device(
        reader, cs_arena_printf(reader->graph->arena, "%s%lld", stem, (long long)n), kind, element);
}

/* ---- PCI links ---- */

struct pci_link {
    const char *kind;
    uint32_t width;
};

/* Reads link_speed and link_width of a <pci>; NCCL's defaults, with a note, for unknown
 * values. */
static int read_pci_link(const struct cs_nccl_reader *reader, uint32_t element,
                         struct pci_link *link)
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

/* The slower of two links, of which the second may be missing (CS_DOC_NONE), and its
 * element. */
static int read_slower_link(const struct cs_nccl_reader *reader, uint32_t *element, uint32_t other,
                            struct pci_link *link)
{
    struct pci_link outer;

    if (read_pci_link(reader, *element, link) ||
        (other != CS_DOC_NONE && read_pci_link(reader, other, &outer)))
        return CS_EINPUT;
    if (other != CS_DOC_NONE && cs_link_kind_get(outer.kind)->rate_Bps * outer.width <
                                    cs_link_kind_get(link->kind)->rate_Bps * link->width) {
        *link = outer;
        *element = other;
    }
    return 0;
}

int cs_nccl_join(const struct cs_nccl_reader *reader, uint32_t element, uint32_t device)
{
    const struct cs_nccl_place *up = &reader->places[reader->places[element].parent];
    struct pci_link link;
    uint32_t slower = element;

    if (read_slower_link(reader, &slower, up->slow, &link))
        return CS_EINPUT;
    cs_link_kind_join(reader->graph, device, up->device, link.kind, link.width)->line =
        reader->doc->nodes[element].line;
    return 0;
}

/* ---- classes ---- */

enum nccl_class {
    BRIDGE,
    GPU,
    NIC,
    NVSWITCH,
    UNKNOWN,
};

static enum nccl_class nccl_class_of(const struct cs_nccl_reader *reader, uint32_t element)
{
    const char *text = cs_doc_attribute(reader->doc, element, "class");

    if (cs_doc_get(reader->doc, element, "gpu") != CS_DOC_NONE)
        return GPU;
    if (cs_doc_get(reader->doc, element, "nic") != CS_DOC_NONE)
        return NIC;
    if (cs_doc_get(reader->doc, element, "pci") != CS_DOC_NONE)
        return BRIDGE;
    if (!text)
        return UNKNOWN;
    if (cs_nccl_begins(text, "0x068000"))
        return NVSWITCH;
    if (cs_nccl_begins(text, "0x03") || cs_nccl_begins(text, "0x12"))
        return GPU;
    return cs_nccl_begins(text, "0x02") ? NIC : BRIDGE;
}

/* The host of a socket; look_ahead has numbered all hosts. */
static uint32_t nccl_host_of(const struct cs_nccl_reader *reader, uint32_t element)
{
    const char *hash = cs_doc_attribute(reader->doc, element, "host_hash");

    return cs_names_find(&reader->hosts, hash ? hash : "");
}

static int read_cpu(struct cs_nccl_reader *reader, uint32_t element)
{
    struct cs_nccl_place *place = &reader->places[element];
    int64_t numa;
    int rc =
        cs_xml_number_or(reader->doc, element, &(struct cs_xml_number){"numaid", -1, INT32_MAX},
                         reader->cpu_count, &numa, reader->err);

    if (rc)
        return rc;
    if (reader->cpu_count == CS_NCCL_CPUS_MAX)
        return cs_doc_err(reader->doc, element, reader->err, "over %d <cpu> elements",
                          CS_NCCL_CPUS_MAX);
    place->host = nccl_host_of(reader, element);
    place->device = cs_nccl_add_numbered(reader, "cpu", numa, CS_DEVICE_CPU, element);
    place->cpu = place->device;
    reader->cpu_elements[reader->cpu_count] = element;
    reader->cpus[reader->cpu_count++] = place->device;
    return 0;
}

static bool same_attribute(const struct cs_nccl_reader *reader, uint32_t a, uint32_t b,
                           const char *name)
{
    const char *left = cs_doc_attribute(reader->doc, a, name);
    const char *right = cs_doc_attribute(reader->doc, b, name);

    return left && right && strcasecmp(left, right) == 0;
}

/* One Broadcom switch appears as two levels of bridges; NCCL merges the
 * levels, and so does the reader. */
static bool is_inner_broadcom(const struct cs_nccl_reader *reader, uint32_t element)
{
    uint32_t parent = reader->places[element].parent;
    const char *device = cs_doc_attribute(reader->doc, element, "device");
    const char *vendor = cs_doc_attribute(reader->doc, element, "vendor");

    return device && vendor && cs_nccl_begins(vendor, "0x1000") &&
           (cs_nccl_begins(device, "0xc010") || cs_nccl_begins(device, "0xc030")) &&
           same_attribute(reader, element, parent, "vendor") &&
           same_attribute(reader, element, parent, "device");
}

static int nccl_read_bridge(struct cs_nccl_reader *reader, uint32_t element)
{
    struct cs_nccl_place *place = &reader->places[element];
    const struct cs_nccl_place *up = &reader->places[place->parent];

    if (is_inner_broadcom(reader, element)) {
        place->device = up->device;
        return 0;
    }
    if (cs_doc_count(reader->doc, element, "pci") == 1) {
        struct pci_link link;

        place->device = up->device;
        place->slow = element;
        return read_slower_link(reader, &place->slow, up->slow, &link);
    }
    place->device =
        cs_nccl_add_numbered(reader, "pci", reader->switch_count++, CS_DEVICE_SWITCH, element);
    return cs_nccl_join(reader, element, place->device);
}

/* Records the GPU; the device is added later, because the rank depends on
 * `dev` of all GPUs. */
static int nccl_read_gpu(struct cs_nccl_reader *reader, uint32_t element)
{
    const struct cs_nccl_place *place = &reader->places[element];
    uint32_t gpu = cs_doc_get(reader->doc, element, "gpu");
    const char *text;
    struct cs_nccl_gpu *own = &reader->gpus[reader->gpu_count];
    int rc = cs_xml_want_text(reader->doc, element, "busid", &text, reader->err);

    if (!rc && gpu == CS_DOC_NONE && reader->has_gpus)
        return 0; /* the dumped job did not use the GPU */
    if (!rc && cs_doc_count(reader->doc, element, "gpu") > 1)
        cs_graph_note(reader->graph, "line %u: %u <gpu> in one <pci>; the first is read",
                      reader->doc->nodes[element].line,
                      (unsigned)cs_doc_count(reader->doc, element, "gpu"));
    if (!rc && reader->gpu_count == CS_NCCL_GPUS_MAX)
        rc = cs_doc_err(reader->doc, element, reader->err, "over %d GPUs", CS_NCCL_GPUS_MAX);
    if (rc)
        return rc;
    *own = (struct cs_nccl_gpu){.element = element,
                                .gpu = gpu,
                                .host = place->host,
                                .cpu = place->cpu,
                                .busid = cs_nccl_busid(text)};
    if (own->busid == CS_NCCL_BAD_BUSID)
        return cs_doc_err(reader->doc, element, reader->err,
                          "busid=\"%.40s\"; expected one like 0000:1b:00.0", text);
    reader->gpu_count++;
    if (gpu == CS_DOC_NONE)
        own->dev = reader->gpu_count;
    else
        rc = cs_xml_number_or(reader->doc, gpu, &(struct cs_xml_number){"dev", 0, INT32_MAX},
                              reader->gpu_count - 1, &own->dev, reader->err);
    return rc;
}

/* ---- NICs ---- */

/* The file does not describe the network between hosts: one switch connects
 * all ports. */
static void join_net(const struct cs_nccl_reader *reader, uint32_t nic, uint32_t device,
                     uint32_t net)
{
    struct cs_wire wire = *reader->graph->devices[device].port;

    wire.a = device;
    wire.b = net;
    wire.line = reader->doc->nodes[nic].line;
    (void)cs_graph_add_wire(reader->graph, wire);
}

static uint32_t net_switch(struct cs_nccl_reader *reader)
{
    uint32_t net = cs_graph_find(reader->graph, "net");

    if (net != UINT32_MAX)
        return net;
    cs_graph_note(reader->graph,
                  "the file does not describe the inter-node network; one switch is assumed");
    return cs_graph_add(reader->graph, CS_DEVICE_SWITCH, CS_NO_HOST, "net");
}

/* Whether a virtual NIC is that of another socket, with a note: without a place
 * in PCI, NCCL lists a network interface below every socket. */
static bool is_seen_below_another_cpu(struct cs_nccl_reader *reader, uint32_t nic, const char *name)
{
    uint32_t line = reader->doc->nodes[nic].line;
    uint32_t first = cs_names_add(
        &reader->virtual_nics,
        cs_arena_printf(reader->graph->arena, "%u %s", reader->places[nic].host, name), line);

    if (first == CS_NO_NAME)
        return false;
    cs_graph_note(reader->graph,
                  "line %u: '%.40s' is the NIC of line %u, which has no place in PCI; one NIC is "
                  "read, below the first CPU",
                  line, name, first);
    return true;
}

/* Whether an interface is left out, as the file has others that join something. */
static bool is_idle(struct cs_nccl_reader *reader, uint32_t net)
{
    bool idle = net != CS_DOC_NONE && reader->has_adapters && cs_nccl_joins_nothing(reader, net);

    reader->idle += idle;
    return idle;
}

/* Adds a NIC by the name of its port, or by a number. */
static uint32_t add_nic(struct cs_nccl_reader *reader, uint32_t element, const char *name,
                        const struct cs_wire *port)
{
    uint32_t number = reader->nic_count++;
    uint32_t device = name && *name
                          ? nccl_add_device(reader, name, CS_DEVICE_NIC, element)
                          : cs_nccl_add_numbered(reader, "nic", number, CS_DEVICE_NIC, element);

    reader->graph->devices[device].port = port;
    return device;
}

/* A network interface without a place in PCI, below a socket. */
static int read_interface(struct cs_nccl_reader *reader, uint32_t nic, uint32_t net)
{
    const char *name = cs_doc_attribute(reader->doc, net, "name");
    const struct cs_wire *port;
    uint32_t device;

    if (is_idle(reader, net) || (name && *name && is_seen_below_another_cpu(reader, nic, name)))
        return 0;
    if (cs_nccl_read_port(reader, nic, net, &port))
        return CS_EINPUT;
    device = add_nic(reader, nic, name, port);
    cs_link_kind_join(reader->graph, device, reader->places[nic].cpu, "local", 0);
    if (reader->host_count > 1)
        join_net(reader, nic, device, net_switch(reader));
    return 0;
}

static int read_interfaces(struct cs_nccl_reader *reader, uint32_t nic)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    int rc = 0;

    for (uint32_t i = nodes[nic].first; i != CS_DOC_NONE && !rc; i = nodes[i].next)
        if (cs_doc_is(reader->doc, i, "net"))
            rc = read_interface(reader, nic, i);
    return rc;
}

/* A NIC below PCI. */
static int read_nic(struct cs_nccl_reader *reader, uint32_t element, uint32_t nic)
{
    uint32_t net = nic == CS_DOC_NONE ? nic : cs_doc_get(reader->doc, nic, "net");
    const char *name = net == CS_DOC_NONE ? NULL : cs_doc_attribute(reader->doc, net, "name");
    const struct cs_wire *port = NULL;
    uint32_t device;

    if (is_idle(reader, net))
        return 0;
    if (nic != CS_DOC_NONE && cs_nccl_read_port(reader, nic, CS_DOC_NONE, &port))
        return CS_EINPUT;
    device = add_nic(reader, element, name, port);
    if (cs_nccl_join(reader, element, device))
        return CS_EINPUT;
    if (port && reader->host_count > 1)
        join_net(reader, nic, device, net_switch(reader));
    return 0;
}

/* ---- the tree ---- */

static int nccl_read_pci(struct cs_nccl_reader *reader, uint32_t element)
{
    switch (nccl_class_of(reader, element)) {
    case GPU:
        return nccl_read_gpu(reader, element);
    case NIC:
        return read_nic(reader, element, cs_doc_get(reader->doc, element, "nic"));
    case BRIDGE:
        return nccl_read_bridge(reader, element);
    case NVSWITCH:
        return 0; /* data uses the NVLinks, not PCI */
    case UNKNOWN:
        break;
    }
    if (reader->classless == CS_DOC_NONE)
        reader->classless = element;
    return 0;
}

/* Whether the parent may contain the element. */
static bool nccl_fits(const struct cs_nccl_reader *reader, uint32_t element)
{
    uint32_t parent = reader->places[element].parent;

    if (cs_doc_is(reader->doc, element, "cpu"))
        return parent == 0;
    return cs_doc_is(reader->doc, parent, "cpu") || cs_doc_is(reader->doc, parent, "pci");
}

static int read_element(struct cs_nccl_reader *reader, uint32_t element)
{
    struct cs_nccl_place *place = &reader->places[element];
    const struct cs_nccl_place *up = &reader->places[place->parent];

    place->host = up->host;
    place->cpu = up->cpu;
    place->slow = CS_DOC_NONE;
    place->device = CS_DOC_NONE;
    if (!cs_doc_is(reader->doc, element, "cpu") && !cs_doc_is(reader->doc, element, "pci") &&
        !cs_doc_is(reader->doc, element, "nic"))
        return 0;
    if (!nccl_fits(reader, element) ||
        (cs_doc_is(reader->doc, element, "pci") && up->device == CS_DOC_NONE))
        return cs_doc_err(reader->doc, element, reader->err,
                          "<%s> inside <%s>; expected system > cpu > pci",
                          reader->doc->nodes[element].key, reader->doc->nodes[place->parent].key);
    if (cs_doc_is(reader->doc, element, "cpu"))
        return read_cpu(reader, element);
    if (cs_doc_is(reader->doc, element, "pci"))
        return nccl_read_pci(reader, element);
    return cs_doc_is(reader->doc, place->parent, "cpu") ? read_interfaces(reader, element)
                                                        : 0; /* read with the enclosing <pci> */
}

/* First pass: parents, hosts, and the kinds of elements in the file. */
static void look_ahead(struct cs_nccl_reader *reader)
{
    const struct cs_doc *doc = reader->doc;
    struct cs_arena *arena = reader->graph->arena;

    reader->places = cs_arena_alloc(arena, doc->count, sizeof(struct cs_nccl_place));
    cs_names_init(&reader->hosts, arena, 0);
    reader->places[0] =
        (struct cs_nccl_place){.device = CS_DOC_NONE, .cpu = CS_DOC_NONE, .slow = CS_DOC_NONE};
    for (uint32_t i = 0; i < doc->count; i++) {
        const char *hash = cs_doc_attribute(reader->doc, i, "host_hash");

        for (uint32_t c = doc->nodes[i].first; c != CS_DOC_NONE; c = doc->nodes[c].next)
            reader->places[c].parent = i;
        reader->has_gpus = reader->has_gpus || cs_doc_is(reader->doc, i, "gpu");
        reader->has_adapters = reader->has_adapters || (cs_doc_is(reader->doc, i, "net") &&
                                                        !cs_nccl_joins_nothing(reader, i));
        reader->has_pcilinks = reader->has_pcilinks || cs_doc_is(reader->doc, i, "pcilink");
        if (cs_doc_is(reader->doc, i, "cpu") &&
            cs_names_add(&reader->hosts, hash ? hash : "", reader->host_count) == CS_NO_NAME)
            reader->host_count++;
    }
}

/* ---- the source ---- */

int cs_nccl_read_tree(struct cs_nccl_reader *reader)
{
    struct cs_arena *arena = reader->graph->arena;
    int rc = 0;

    reader->gpus = cs_arena_alloc(arena, CS_NCCL_GPUS_MAX, sizeof(*reader->gpus));
    reader->cpus = cs_arena_alloc(arena, CS_NCCL_CPUS_MAX, sizeof(*reader->cpus));
    reader->cpu_elements = cs_arena_alloc(arena, CS_NCCL_CPUS_MAX, sizeof(*reader->cpu_elements));
    cs_names_init(&reader->virtual_nics, arena, 0);
    look_ahead(reader);
    for (uint32_t i = 1; i < reader->doc->count && !rc; i++)
        rc = read_element(reader, i);
    if (!rc && reader->idle)
        cs_graph_note(reader->graph,
                      "%u interfaces of containers, Wi-Fi or management are left out: the file has "
                      "other network interfaces",
                      reader->idle);
    return rc;
}
