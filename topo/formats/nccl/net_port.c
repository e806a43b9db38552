#include "topo/formats/nccl/net_port.h"

#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "topo/documents/xml.h"
#include "topo/formats/nccl/tables.h"
#include "topo/graph/graph.h"
#include "topo/kinds/link_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- technologies ---- */

enum technology {
    TCP,
    INFINIBAND,
    ROCE,
    EFA1,
    EFA2,
    EFA3,
    EFA4,
    SLINGSHOT,
    OMNI_PATH,
    TECHNOLOGIES
};

/* How a file states the technology: the class, the vendor (Amazon, Cray) and the
 * device of PCI (PCI ID Repository; generations of EFA: Linux,
 * drivers/infiniband/hw/efa/efa_main.c), and the connections of a device, 65536 of NCCL's
 * socket transport (NVIDIA/nccl src/transport/net_socket.cc).  `reference` has
 * the latency and the efficiency of other speeds. */
static const struct {
    const char *reference;
    const char *pci_class, *vendor, *device, *connections; /* "": not stated */
} technologies[TECHNOLOGIES] = {
    [TCP] = {"100gbe", "0x020000", "", "", "65536"},
    [INFINIBAND] = {"ib-hdr", "0x020700", "", "", ""},
    [ROCE] = {"100gbe-roce", "0x020000", "", "", ""},
    [EFA1] = {"efa-100", "0x020000", "0x1d0f", "0xefa0", ""},
    [EFA2] = {"efa2-100", "0x020000", "0x1d0f", "0xefa1", ""},
    [EFA3] = {"efa-200", "0x020000", "0x1d0f", "0xefa2", ""},
    [EFA4] = {"efa-400", "0x020000", "0x1d0f", "0xefa3", ""},
    [SLINGSHOT] = {"slingshot11", "0x020000", "0x17db", "", ""},
    [OMNI_PATH] = {"omni-path", "0x020800", "", "", ""},
};

/* Speeds of one port in Mb/s, as NCCL states them: of InfiniBand before coding
 * (NVIDIA/nccl src/transport/net_ib, ibv speeds times four lanes). */
static const struct {
    enum technology technology;
    long long mbps;
    const char *kind;
} speeds[] = {
    {TCP, 1000, "gbe"},
    {TCP, 10000, "10gbe"},
    {TCP, 25000, "25gbe"},
    {TCP, 32000, "32gbe"},
    {TCP, 40000, "40gbe"},
    {TCP, 50000, "50gbe"},
    {TCP, 100000, "100gbe"},
    {TCP, 200000, "200gbe"},
    {TCP, 400000, "400gbe"},
    {TCP, 800000, "800gbe"},
    {INFINIBAND, 10000, "ib-sdr"},
    {INFINIBAND, 20000, "ib-ddr"},
    {INFINIBAND, 40000, "ib-qdr"},
    {INFINIBAND, 56000, "ib-fdr"},
    {INFINIBAND, 100000, "ib-edr"},
    {INFINIBAND, 200000, "ib-hdr"},
    {INFINIBAND, 400000, "ib-ndr"},
    {INFINIBAND, 800000, "ib-xdr"},
    {ROCE, 10000, "10gbe-roce"},
    {ROCE, 25000, "25gbe-roce"},
    {ROCE, 40000, "40gbe-roce"},
    {ROCE, 100000, "100gbe-roce"},
    {ROCE, 200000, "200gbe-roce"},
    {ROCE, 400000, "400gbe-roce"},
    {ROCE, 800000, "800gbe-roce"},
    {ROCE, 400000, "400gbe-gib"}, /* written alone */
    {EFA1, 100000, "efa-100"},
    {EFA2, 100000, "efa2-100"},
    {EFA3, 200000, "efa-200"},
    {EFA4, 400000, "efa-400"},
    {SLINGSHOT, 200000, "slingshot11"},
    {OMNI_PATH, 100000, "omni-path"},
};

enum {
    SPEEDS = sizeof(speeds) / sizeof(*speeds),
    SOCKET_CONNECTIONS = 65536, /* technologies[TCP].connections */
    DEFAULT_MBPS = 10000,       /* NCCL's */
};

static bool begins_with_any(const char *name, const char *const *stems, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(name, stems[i], strlen(stems[i])) == 0)
            return true;
    return false;
}

/* Whether the name is of a network interface of Linux. */
static bool is_interface(const char *name)
{
    static const char *const stems[] = {"eth",  "en",   "em",      "bond", "br-",  "br0", "docker",
                                        "veth", "lxc",  "virbr",   "vmbr", "vlan", "wl",  "tun",
                                        "tap",  "team", "flannel", "cali", "cni",  "ib0", "ib1",
                                        "ib2",  "ib3",  "ib4",     "ib5",  "ib6",  "ib7"};

    return begins_with_any(name, stems, sizeof(stems) / sizeof(*stems));
}

/* The generation of an EFA adapter: by its device, or else the first of its speed. */
static enum technology efa_of(const struct cs_nccl_reader *reader, uint32_t pci, uint32_t net)
{
    const char *device = cs_doc_attribute(reader->doc, pci, "device");
    const char *speed = cs_doc_attribute(reader->doc, net, "speed");
    long long mbps = speed ? strtoll(speed, NULL, 10) : 0;

    for (int t = EFA1; device && t <= EFA4; t++)
        if (cs_same(device, technologies[t].device))
            return (enum technology)t;
    for (size_t i = 0; i < SPEEDS; i++)
        if (speeds[i].technology >= EFA1 && speeds[i].technology <= EFA4 && speeds[i].mbps == mbps)
            return speeds[i].technology;
    return EFA1;
}

/* Of an adapter of PCI. */
static enum technology technology_of_pci(const struct cs_nccl_reader *reader, uint32_t pci,
                                         uint32_t net, const char *name)
{
    static const char *const efa[] = {"rdmap", "efa"};
    static const char *const slingshot[] = {"cxi", "hsn"};
    const char *class = cs_doc_attribute(reader->doc, pci, "class");
    const char *vendor = cs_doc_attribute(reader->doc, pci, "vendor");

    vendor = vendor ? vendor : "";
    if (cs_nccl_begins(vendor, technologies[EFA1].vendor) || begins_with_any(name, efa, 2))
        return efa_of(reader, pci, net);
    if (cs_nccl_begins(vendor, technologies[SLINGSHOT].vendor) ||
        begins_with_any(name, slingshot, 2))
        return SLINGSHOT;
    if ((class && cs_nccl_begins(class, "0x0208")) || strncmp(name, "hfi1", 4) == 0)
        return OMNI_PATH;
    return class && !cs_nccl_begins(class, "0x0207") ? ROCE : INFINIBAND;
}

static enum technology technology_of(const struct cs_nccl_reader *reader, uint32_t nic,
                                     uint32_t net)
{
    const struct cs_doc *doc = reader->doc;
    uint32_t pci = reader->places[nic].parent;
    const char *name = cs_doc_attribute(doc, net, "name");
    const char *connections = cs_doc_attribute(doc, net, "maxconn");

    name = name ? name : "";
    if (!cs_doc_is(doc, pci, "pci") || /* a virtual NIC */
        (connections ? strtoll(connections, NULL, 10) == SOCKET_CONNECTIONS : is_interface(name)))
        return TCP;
    return technology_of_pci(reader, pci, net, name);
}

/* ---- reading ---- */

/* NCCL takes 10 Gb/s for no speed. */
static int read_speed(const struct cs_nccl_reader *reader, uint32_t net, int64_t *mbps)
{
    unsigned line = reader->doc->nodes[net].line;
    int rc =
        cs_xml_number_or(reader->doc, net, &(struct cs_xml_number){"speed", -1, INT64_MAX / 4096},
                         0, mbps, reader->err);

    if (rc)
        return rc;
    if (*mbps > CS_NCCL_MBPS_MAX) {
        cs_graph_note(
            reader->graph,
            "line %u: a port of %lld Mb/s is above the fastest known port; %d Mb/s assumed", line,
            (long long)*mbps, CS_NCCL_MBPS_MAX);
        *mbps = CS_NCCL_MBPS_MAX;
    } else if (*mbps <= 0) {
        cs_graph_note(reader->graph, "line %u: a port without a speed; 10 Gb/s assumed, as in NCCL",
                      line);
        *mbps = DEFAULT_MBPS;
    }
    return 0;
}

/* The kind of a port's speed, or NULL. */
static const char *kind_of_speed(enum technology technology, int64_t mbps)
{
    for (size_t i = 0; i < SPEEDS; i++)
        if (speeds[i].technology == technology && speeds[i].mbps == mbps)
            return speeds[i].kind;
    return NULL;
}

/* Ports of a speed that no kind has. */
static void set_other_rate(const struct cs_nccl_reader *reader, enum technology technology,
                           int64_t sum, struct cs_wire *link)
{
    const char *reference = technologies[technology].reference;
    struct cs_arena *arena = reader->graph->arena;

    (void)cs_link_kind_find(reference, link, NULL);
    link->rate_Bps = (double)sum * 1e6 / 8;
    link->class_name = cs_arena_printf(arena, "%.15g Gb/s", (double)sum / 1000);
    link->source = cs_arena_printf(arena, "rate: %s; efficiency and latency: as %s",
                                   reader->graph->file, reference);
}

/* NCCL sends through the fastest ports of an adapter alone. */
static void note_slower(const struct cs_nccl_reader *reader, uint32_t nic, int64_t mbps)
{
    cs_graph_note(
        reader->graph,
        "line %u: ports of an adapter with several speeds; those of %.15g Gb/s carry data",
        reader->doc->nodes[nic].line, (double)mbps / 1000);
}

int cs_nccl_read_port(const struct cs_nccl_reader *reader, uint32_t nic, uint32_t only,
                      const struct cs_wire **port)
{
    struct cs_arena *arena = reader->graph->arena;
    enum technology technology = TCP;
    struct cs_wire *link;
    const char *kind = NULL;
    uint32_t count = 0, slower = 0;
    int64_t each = 0;

    *port = NULL;
    for (uint32_t i = reader->doc->nodes[nic].first; i != CS_DOC_NONE;
         i = reader->doc->nodes[i].next) {
        int64_t mbps = 0;

        if (!cs_doc_is(reader->doc, i, "net") || (only != CS_DOC_NONE && i != only))
            continue;
        if (read_speed(reader, i, &mbps))
            return CS_EINPUT;
        if (mbps > each) {
            technology = technology_of(reader, nic, i);
            slower += count;
            count = 0;
            each = mbps;
        }
        count += mbps == each;
        slower += mbps < each;
    }
    if (!count)
        return 0;
    if (slower)
        note_slower(reader, nic, each);
    if (count <= CS_LINK_WIDTH_MAX)
        kind = kind_of_speed(technology, each);
    *port = link = cs_arena_alloc(arena, 1, sizeof(*link));
    if (!kind) {
        set_other_rate(reader, technology, count * each, link);
        return 0;
    }
    link->class_name = count > 1 ? cs_arena_printf(arena, "%s x%u", kind, count) : kind;
    return cs_link_kind_find(link->class_name, link, reader->err);
}

bool cs_nccl_joins_nothing(const struct cs_nccl_reader *reader, uint32_t net)
{
    static const char *const stems[] = {"docker", "br-", "veth", "virbr", "lxc", "flannel",
                                        "cali",   "cni", "wlan", "wlp",   "wlo", "wlx",
                                        "usb",    "enx", "bmc",  "idrac"};
    const char *name = cs_doc_attribute(reader->doc, net, "name");

    return name && begins_with_any(name, stems, sizeof(stems) / sizeof(*stems));
}

/* ---- writing ---- */

struct cs_nccl_port cs_nccl_port_of(const struct cs_wire *link)
{
    struct cs_link_class cut;
    struct cs_nccl_port port = {0, 1, "0x020700", "", "", ""};

    if (!link)
        return port;
    port.mbps = llround(link->rate_Bps * 8 / 1e6);
    if (cs_link_class_cut(link->class_name, &cut, NULL))
        return port;
    for (size_t i = 0; i < SPEEDS; i++)
        if (cs_same(speeds[i].kind, cut.name)) {
            enum technology technology = speeds[i].technology;

            port.mbps = speeds[i].mbps;
            port.ports = cut.width ? cut.width : 1;
            port.pci_class = technologies[technology].pci_class;
            port.connections = technologies[technology].connections;
            port.vendor = technologies[technology].vendor;
            port.device = technologies[technology].device;
        }
    return port;
}
