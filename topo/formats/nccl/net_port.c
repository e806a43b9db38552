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

/* ---- networks ---- */

/* How a file states the network: the class, the vendor (Amazon, Cray) and the device of
 * PCI (PCI ID Repository; generations of EFA: Linux,
 * drivers/infiniband/hw/efa/efa_main.c), and the connections of a device, 65536 of NCCL's
 * socket transport (NVIDIA/nccl src/transport/net_socket.cc).  `reference` has the
 * latency and the efficiency of other speeds. */
static const struct stated_network {
    const char *reference;
    const char *pci_class, *vendor, *device, *connections; /* "": not stated */
} stated[CS_NETWORKS] = {
    [CS_NET_SOCKET] = {"100gbe", "0x020000", "", "", "65536"},
    [CS_NET_IB] = {"ib-hdr", "0x020700", "", "", ""},
    [CS_NET_ROCE] = {"100gbe-roce", "0x020000", "", "", ""},
    [CS_NET_GIB] = {"400gbe-gib", "0x020000", "", "", ""},
    [CS_NET_EFA1] = {"efa-100", "0x020000", "0x1d0f", "0xefa0", ""},
    [CS_NET_EFA2] = {"efa2-100", "0x020000", "0x1d0f", "0xefa1", ""},
    [CS_NET_EFA3] = {"efa-200", "0x020000", "0x1d0f", "0xefa2", ""},
    [CS_NET_EFA4] = {"efa-400", "0x020000", "0x1d0f", "0xefa3", ""},
    [CS_NET_SLINGSHOT] = {"slingshot11", "0x020000", "0x17db", "", ""},
    [CS_NET_OMNI_PATH] = {"omni-path", "0x020800", "", "", ""},
};

static const enum cs_network_id generations[] = {CS_NET_EFA1, CS_NET_EFA2, CS_NET_EFA3,
                                                 CS_NET_EFA4};

/* Speeds of a port of old InfiniBand in Mb/s, which NCCL states before coding
 * (NVIDIA/nccl src/transport/net_ib, ibv speeds times four lanes). */
static const struct {
    const char *kind;
    int64_t mbps;
} coded[] = {{"ib-sdr", 10000}, {"ib-ddr", 20000}, {"ib-qdr", 40000}, {"ib-fdr", 56000}};

enum {
    GENERATIONS = sizeof(generations) / sizeof(*generations),
    CODED = sizeof(coded) / sizeof(*coded),
    SOCKET_CONNECTIONS = 65536, /* stated[CS_NET_SOCKET].connections */
    DEFAULT_MBPS = 10000,       /* NCCL's */
};

static int64_t mbps_of_kind(const struct cs_link_kind *kind)
{
    for (size_t i = 0; i < CODED; i++)
        if (cs_same(coded[i].kind, kind->name))
            return coded[i].mbps;
    return llround(kind->rate_Bps * 8 / 1e6);
}

/* The first kind with a port's speed, or NULL. */
static const char *kind_of_speed(enum cs_network_id network, int64_t mbps)
{
    for (size_t i = 0; i < cs_link_kind_count; i++)
        if (cs_link_kinds[i].network == network && mbps_of_kind(&cs_link_kinds[i]) == mbps)
            return cs_link_kinds[i].name;
    return NULL;
}

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
static enum cs_network_id efa_of(const struct cs_nccl_reader *reader, uint32_t pci, uint32_t net)
{
    const char *device = cs_doc_attribute(reader->doc, pci, "device");
    const char *speed = cs_doc_attribute(reader->doc, net, "speed");
    long long mbps = speed ? strtoll(speed, NULL, 10) : 0;

    for (size_t i = 0; device && i < GENERATIONS; i++)
        if (cs_same(device, stated[generations[i]].device))
            return generations[i];
    for (size_t i = 0; i < GENERATIONS; i++)
        if (kind_of_speed(generations[i], mbps))
            return generations[i];
    return CS_NET_EFA1;
}

/* Of an adapter of PCI. */
static enum cs_network_id network_of_pci(const struct cs_nccl_reader *reader, uint32_t pci,
                                         uint32_t net, const char *name)
{
    enum cs_network_id named = cs_network_of_adapter(name);
    const char *class = cs_doc_attribute(reader->doc, pci, "class");
    const char *vendor = cs_doc_attribute(reader->doc, pci, "vendor");

    vendor = vendor ? vendor : "";
    if (cs_nccl_begins(vendor, stated[CS_NET_EFA1].vendor) || named == CS_NET_EFA1)
        return efa_of(reader, pci, net);
    if (cs_nccl_begins(vendor, stated[CS_NET_SLINGSHOT].vendor) || named == CS_NET_SLINGSHOT)
        return CS_NET_SLINGSHOT;
    if ((class && cs_nccl_begins(class, "0x0208")) || named == CS_NET_OMNI_PATH)
        return CS_NET_OMNI_PATH;
    return class && !cs_nccl_begins(class, "0x0207") ? CS_NET_ROCE : CS_NET_IB;
}

static enum cs_network_id network_of(const struct cs_nccl_reader *reader, uint32_t nic,
                                     uint32_t net)
{
    const struct cs_doc *doc = reader->doc;
    uint32_t pci = reader->places[nic].parent;
    const char *name = cs_doc_attribute(doc, net, "name");
    const char *connections = cs_doc_attribute(doc, net, "maxconn");

    name = name ? name : "";
    if (!cs_doc_is(doc, pci, "pci") || /* a virtual NIC */
        (connections ? strtoll(connections, NULL, 10) == SOCKET_CONNECTIONS : is_interface(name)))
        return CS_NET_SOCKET;
    return network_of_pci(reader, pci, net, name);
}

/* ---- reading ---- */

/* Whether a port is an interface of Linux that no PCI adapter has. */
static bool is_virtual(const struct cs_nccl_reader *reader, uint32_t nic, uint32_t net)
{
    const char *name = cs_doc_attribute(reader->doc, net, "name");

    return name && is_interface(name) && !cs_doc_is(reader->doc, reader->places[nic].parent, "pci");
}

/* NCCL takes 10 Gb/s for no speed. */
static int read_speed(const struct cs_nccl_reader *reader, uint32_t nic, uint32_t net,
                      int64_t *mbps)
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
    } else if (*mbps == DEFAULT_MBPS && is_virtual(reader, nic, net)) {
        cs_graph_note(reader->graph,
                      "line %u: %.40s on no PCI adapter has 10 Gb/s, which NCCL writes where Linux "
                      "states no speed, as in a container; 10 Gb/s assumed",
                      line, cs_doc_attribute(reader->doc, net, "name"));
    } else if (*mbps <= 0) {
        cs_graph_note(reader->graph, "line %u: a port without a speed; 10 Gb/s assumed, as in NCCL",
                      line);
        *mbps = DEFAULT_MBPS;
    }
    return 0;
}

/* Ports of a speed that no kind has. */
static void set_other_rate(const struct cs_nccl_reader *reader, enum cs_network_id network,
                           int64_t sum, struct cs_wire *link)
{
    const char *reference = stated[network].reference;
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
    enum cs_network_id network = CS_NET_SOCKET;
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
        if (read_speed(reader, nic, i, &mbps))
            return CS_EINPUT;
        if (mbps > each) {
            network = network_of(reader, nic, i);
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
        kind = kind_of_speed(network, each);
    *port = link = cs_arena_alloc(arena, 1, sizeof(*link));
    if (!kind) {
        set_other_rate(reader, network, count * each, link);
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
    const struct stated_network *as;
    const struct cs_link_kind *kind;

    if (!link)
        return port;
    port.mbps = llround(link->rate_Bps * 8 / 1e6);
    if (cs_link_class_cut(link->class_name, &cut, NULL))
        return port;
    kind = cs_link_kind_get(cut.name);
    as = kind ? &stated[kind->network] : NULL;
    if (!as || !as->reference)
        return port;
    return (struct cs_nccl_port){mbps_of_kind(kind), cut.width ? cut.width : 1,
                                 as->pci_class,      as->vendor,
                                 as->device,         as->connections};
}
