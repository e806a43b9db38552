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
 * The reader follows NCCL (src/graph/topo.cc): PCI classes are compared by
 * prefix; an unknown link speed is 8 GT/s, a missing width x16; NVLinks to the
 * same target add up; the NVSwitches of a host are a single switch, shared by
 * hosts that name the same NVSwitches (NVLink across hosts); two levels of a
 * Broadcom switch are a single level; the sockets of a host are joined
 * pairwise. GPUs are ordered by `dev`; host_hash identifies the host.
 *
 * A bridge with a single device below is part of that device's link, with the
 * lower rate of the two: a latency is for a path through one switch.
 *
 * Files of cloud providers often list only CPUs and PCI devices, because NCCL
 * detects the rest at run time.  The links between GPUs then come from
 * --platform, GPU by GPU; without --platform a note reports that links are
 * missing.  Not modelled: the small packets of GPUs below Intel CPUs (NCCL
 * reduces the rate by a fifth).
 */
#include "topo/documents/xml.h"
#include "topo/formats/nccl/reader.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/socket.h"

/* ---- between PCI switches ---- */

/* The key of a PCI element: host and bus id. */
static const char *pci_key(const struct cs_nccl_reader *reader, uint32_t host, const char *id)
{
    return cs_arena_printf(reader->graph->arena, "%u %llx", host,
                           (unsigned long long)cs_nccl_busid(id));
}

/* Switches that Broadcom's fabric joins are one to NCCL: LOC_BW.  Each of both
 * may name the other; what has no switch of its own here is one with it. */
static int join_switch(struct cs_nccl_reader *reader, uint32_t link,
                       const struct cs_names *elements, struct cs_names *joined)
{
    const struct cs_nccl_place *from = &reader->places[reader->places[link].parent];
    const char *target;
    uint32_t element, a, b;
    int rc = cs_xml_want_text(reader->doc, link, "target", &target, reader->err);

    if (rc)
        return rc;
    element = cs_names_find(elements, pci_key(reader, from->host, target));
    a = from->device;
    b = element == CS_NO_NAME ? CS_DOC_NONE : reader->places[element].device;
    if (a == CS_DOC_NONE || b == CS_DOC_NONE) {
        cs_graph_note(reader->graph,
                      "line %u: pcilink to '%.40s' is ignored: no such PCI switch in this file",
                      reader->doc->nodes[link].line, target);
        return 0;
    }
    if (a == b ||
        cs_names_add(joined,
                     cs_arena_printf(reader->graph->arena, "%u %u", a < b ? a : b, a < b ? b : a),
                     0) != CS_NO_NAME)
        return 0;
    cs_link_kind_join(reader->graph, a, b, "local", 0)->line = reader->doc->nodes[link].line;
    return 0;
}

static int join_switches(struct cs_nccl_reader *reader)
{
    struct cs_names elements, joined;
    int rc = 0;

    cs_names_init(&elements, reader->graph->arena, 0);
    cs_names_init(&joined, reader->graph->arena, 0);
    for (uint32_t i = 1; reader->has_pcilinks && i < reader->doc->count; i++) {
        const char *id =
            cs_doc_is(reader->doc, i, "pci") ? cs_doc_attribute(reader->doc, i, "busid") : NULL;

        if (id)
            (void)cs_names_add(&elements, pci_key(reader, reader->places[i].host, id), i);
    }
    for (uint32_t i = 1; reader->has_pcilinks && i < reader->doc->count && !rc; i++)
        if (cs_doc_is(reader->doc, i, "pcilink"))
            rc = join_switch(reader, i, &elements, &joined);
    return rc;
}

/* ---- sockets ---- */

static struct cs_socket nccl_socket_of(const struct cs_nccl_reader *reader, uint32_t element)
{
    return (struct cs_socket){cs_doc_attribute(reader->doc, element, "arch"),
                              cs_doc_attribute(reader->doc, element, "vendor"),
                              cs_doc_attribute(reader->doc, element, "familyid"),
                              cs_doc_attribute(reader->doc, element, "modelid")};
}

/* The CPUs of a host, and the kind of the first CPU with a known one. */
static void join_sockets_of(struct cs_nccl_reader *reader, uint32_t host, uint32_t *own,
                            bool *guessed)
{
    struct cs_device *devices = reader->graph->devices;
    const char *kind = NULL;
    uint32_t count = 0, line = 0;

    for (uint32_t a = 0; a < reader->cpu_count; a++) {
        struct cs_socket socket = nccl_socket_of(reader, reader->cpu_elements[a]);

        if (devices[reader->cpus[a]].host != host)
            continue;
        kind = kind ? kind : cs_socket_kind(&socket);
        line = line ? line : reader->doc->nodes[reader->cpu_elements[a]].line;
        own[count++] = reader->cpus[a];
    }
    *guessed = *guessed || (count > 1 && !kind);
    if (count)
        cs_sockets_join(
            reader->graph, own, count, kind ? kind : "upi",
            cs_arena_printf(reader->graph->arena, "%scpu-fabric", cs_nccl_prefix(reader, host)),
            line);
}

/* NCCL has rates of its own below CPUs of AMD and others. */
static void note_vendors(struct cs_nccl_reader *reader)
{
    uint32_t unknown = 0;

    for (uint32_t a = 0; a < reader->cpu_count; a++)
        unknown += reader->graph->devices[reader->cpus[a]].vendor == CS_CPU_UNKNOWN;
    if (unknown)
        cs_graph_note(
            reader->graph,
            "the vendor of %u of the %u CPUs is unknown: NCCL's choices by vendor are left out",
            unknown, reader->cpu_count);
}

static void join_sockets(struct cs_nccl_reader *reader)
{
    uint32_t *own = cs_arena_alloc(reader->graph->arena, reader->cpu_count + 1, sizeof(*own));
    bool guessed = false;

    for (uint32_t a = 0; a < reader->cpu_count; a++) {
        struct cs_socket socket = nccl_socket_of(reader, reader->cpu_elements[a]);

        reader->graph->devices[reader->cpus[a]].vendor = cs_socket_vendor(&socket);
    }
    note_vendors(reader);
    for (uint32_t host = 0; host < reader->host_count; host++)
        join_sockets_of(reader, host, own, &guessed);
    if (guessed)
        cs_graph_note(reader->graph, "the CPU model is unknown; UPI is assumed between sockets");
}

/* ---- what the file leaves open ---- */

/* Devices of the platform as devices of the graph: the GPUs in their order, and
 * switches as they come up. */
static int match_gpus(const struct cs_nccl_reader *reader, const struct cs_graph *platform,
                      uint32_t *match)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < platform->device_count; i++) {
        match[i] = CS_DOC_NONE;
        if (platform->devices[i].kind != CS_DEVICE_GPU)
            continue;
        if (count < reader->gpu_count)
            match[i] = reader->gpus[count].device;
        if (count < reader->gpu_count && !reader->graph->devices[match[i]].model)
            reader->graph->devices[match[i]].model = platform->devices[i].model;
        count++;
    }
    if (count == reader->gpu_count)
        return 0;
    return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, 0,
                     "--platform %s has %u GPUs, the file has %u", platform->name, count,
                     reader->gpu_count);
}

/* Whether the file has NICs, all without a rate. */
static bool has_no_ports(const struct cs_graph *graph)
{
    bool found = false;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        if (graph->devices[d].port)
            return false;
        found = found || graph->devices[d].kind == CS_DEVICE_NIC;
    }
    return found;
}

static int nccl_complete(struct cs_nccl_reader *reader, const char *name)
{
    struct cs_graph *graph = reader->graph;
    struct cs_topo_request request = {.spec = name};
    struct cs_graph platform;
    uint32_t *match, wires = 0;
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
                cs_graph_add(graph, CS_DEVICE_SWITCH, CS_NO_HOST, platform.devices[wire.a].name);
        if (match[wire.b] == CS_DOC_NONE)
            match[wire.b] =
                cs_graph_add(graph, CS_DEVICE_SWITCH, CS_NO_HOST, platform.devices[wire.b].name);
        wire.a = match[wire.a];
        wire.b = match[wire.b];
        wire.line = 0;
        cs_graph_add_wire(graph, wire);
        wires++;
    }
    if (!rc)
        cs_graph_note(graph, "%u links between GPUs are taken from '%s'", wires, platform.name);
    if (!rc && platform.port_class && has_no_ports(graph)) {
        graph->port_class = platform.port_class;
        cs_graph_note(graph, "the ports of NICs, %s, are taken from '%s'", platform.port_class,
                      platform.name);
    }
    return rc;
}

/* Whether a GPU is of unknown model, or of a generation with links: a model may
 * be a guess by the generation. */
static bool may_have_links(const struct cs_nccl_reader *reader)
{
    for (uint32_t i = 0; i < reader->gpu_count; i++) {
        const struct cs_gpu_kind *model = reader->graph->devices[reader->gpus[i].device].model;

        if (!model)
            return true;
        for (size_t k = 0; k < cs_gpu_kind_count; k++)
            if (cs_gpu_kinds[k].maker == model->maker &&
                cs_gpu_kinds[k].generation == model->generation && cs_gpu_kinds[k].links)
                return true;
    }
    return false;
}

static int fill_in(struct cs_nccl_reader *reader, const char *platform)
{
    if (reader->has_links) {
        if (platform)
            cs_graph_note(reader->graph, "--platform is ignored: the file has links between GPUs");
        return 0;
    }
    if (platform)
        return nccl_complete(reader, platform);
    if (reader->gpu_count > 1 && may_have_links(reader))
        cs_graph_note(reader->graph, "the file has no links between GPUs, which NCCL may detect at "
                                     "run time; without --platform all traffic uses PCIe");
    return 0;
}

static int nccl_read(const struct cs_topo_request *request, const struct cs_doc *doc,
                     struct cs_graph *graph, struct cs_err *err)
{
    struct cs_nccl_reader reader = {
        .doc = doc, .graph = graph, .err = err, .classless = CS_DOC_NONE};

    if (cs_nccl_read_tree(&reader) || cs_nccl_add_gpus(&reader) || cs_nccl_join_gpus(&reader) ||
        join_switches(&reader))
        return CS_EINPUT;
    join_sockets(&reader);
    graph->about = "from an NCCL topology file";
    return fill_in(&reader, request->platform);
}

const struct cs_source cs_source_nccl = {
    .name = "nccl",
    .usage = "nccl:FILE.xml",
    .about = "an NCCL or RCCL topology file (NCCL_TOPO_DUMP_FILE); completed by --platform",
    .read_document = nccl_read,
    .takes_platform = true,
    .root = "system",
};
