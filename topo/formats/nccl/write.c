/*
 * nccl: a topology file for NCCL or RCCL (NCCL_TOPO_FILE), as nccl/read.c
 * reads.
 *
 * CPUs are the roots of trees of switches, GPUs and NICs, each device below its
 * parent of write_tree.h.  NVLinks, xGMI links, C2C and NVSwitches are
 * attributes of GPUs.  A link of another class is written as the PCIe link with
 * the nearest rate.  Omitted, with a note: networks between hosts, alternate
 * paths, links between sockets (NCCL derives those from the CPU), latencies,
 * efficiencies.
 */
#include "topo/formats/nccl/net_port.h"
#include "topo/formats/nccl/write_tree.h"
#include "topo/formats/writer.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/port.h"

#include <math.h>
#include <string.h>

/* ---- PCIe links ---- */

struct nccl_writer_pci_link {
    const char *speed;
    uint32_t width;
};

/* The rate after the efficiency. */
static double pci_rate_Bps(size_t generation, uint32_t width)
{
    const struct cs_link_kind *kind = cs_link_kind_get(cs_nccl_pcies[generation].kind);

    return kind->rate_Bps * kind->efficiency * width;
}

static bool is_off(double a, double b)
{
    return fabs(a - b) > 0.01 * b;
}

/* The nearest in rate; of equals the oldest. */
static struct nccl_writer_pci_link nearest_link(struct cs_nccl_writer *writer, double rate_Bps)
{
    struct nccl_writer_pci_link best = {0};
    double best_Bps = 0;

    for (size_t g = 0; g < cs_nccl_pcie_count; g++)
        for (uint32_t width = 1; width <= CS_NCCL_WRITTEN_WIDTH_MAX; width++) {
            double is_Bps = pci_rate_Bps(g, width);

            if (best.width && fabs(is_Bps - rate_Bps) > fabs(best_Bps - rate_Bps) - 1e-9 * rate_Bps)
                continue;
            best = (struct nccl_writer_pci_link){cs_nccl_pcies[g].speed, width};
            best_Bps = is_Bps;
        }
    writer->has_rates |= is_off(best_Bps, rate_Bps);
    return best;
}

/* The generation of the wire's class if the rate matches; otherwise the
 * nearest. */
static struct nccl_writer_pci_link nccl_writer_link_of(struct cs_nccl_writer *writer, uint32_t w)
{
    const struct cs_wire *wire = &writer->graph->wires[w];
    struct cs_link_class cut;

    if (!cs_link_class_cut(wire->class_name, &cut, NULL) && cut.width)
        for (size_t g = 0; g < cs_nccl_pcie_count; g++)
            if (strcmp(cut.name, cs_nccl_pcies[g].kind) == 0 &&
                !is_off(cs_link_kind_get(cut.name)->rate_Bps * cut.width, wire->rate_Bps))
                return (struct nccl_writer_pci_link){cs_nccl_pcies[g].speed, cut.width};
    writer->has_others = true;
    return nearest_link(writer, cs_wire_effective(wire));
}

/* ---- elements ---- */

static void nccl_writer_indent(struct cs_nccl_writer *writer, uint32_t depth)
{
    for (uint32_t i = 0; i < depth; i++)
        cs_text_add(writer->out, "  ");
}

static const char *nccl_writer_busid(struct cs_nccl_writer *writer, uint32_t d)
{
    return cs_arena_printf(&writer->arena, "%04x:%02x:00.0", d >> 8, d & 0xff);
}

/* Of PCI, without a vendor. */
static const struct cs_nccl_port nccl_gpu_class = {
    .pci_class = "0x030200", .vendor = "", .device = ""};
static const struct cs_nccl_port nccl_bridge_class = {
    .pci_class = "0x060400", .vendor = "", .device = ""};

static void open_pci(struct cs_nccl_writer *writer, uint32_t d, const struct cs_nccl_port *as,
                     uint32_t depth)
{
    struct nccl_writer_pci_link link = nccl_writer_link_of(writer, writer->parent[d]);

    nccl_writer_indent(writer, depth);
    cs_text_printf(writer->out, "<pci busid=\"%s\" class=\"%s\"", nccl_writer_busid(writer, d),
                   as->pci_class);
    if (*as->vendor)
        cs_text_printf(writer->out, " vendor=\"%s\"", as->vendor);
    if (*as->device)
        cs_text_printf(writer->out, " device=\"%s\"", as->device);
    cs_text_printf(writer->out, " link_speed=\"%s\" link_width=\"%u\">\n", link.speed, link.width);
}

static void nccl_writer_close(struct cs_nccl_writer *writer, const char *name, uint32_t depth)
{
    nccl_writer_indent(writer, depth);
    cs_text_printf(writer->out, "</%s>\n", name);
}

/* A GPU's attribute in <gpu>, and the kind of its links. */
struct nccl_writer_gpu {
    const char *attribute;
    const char *kind;
};

/* The attribute of a model; without GPU links nothing else states it. */
static void nccl_writer_add_model(struct cs_nccl_writer *writer, const struct cs_gpu_kind *model,
                                  struct nccl_writer_gpu *gpu)
{
    const char *sm;

    if (!model || model->maker != CS_GPU_NVIDIA)
        return;
    sm = cs_arena_printf(&writer->arena, "%u", model->generation);
    if (gpu->kind && !cs_same(gpu->kind, cs_nccl_nvlink_kind(sm)))
        return;
    gpu->kind = cs_nccl_nvlink_kind(sm);
    gpu->attribute = cs_arena_printf(&writer->arena, "sm=\"%s\"", sm);
}

/* From the first of its links with a known class, and the model; A100 by
 * default. */
static struct nccl_writer_gpu nccl_writer_gpu_of(struct cs_nccl_writer *writer, uint32_t d)
{
    struct nccl_writer_gpu gpu = {0};

    for (uint32_t w = 0; w < writer->graph->wire_count && !gpu.attribute; w++) {
        const struct cs_wire *wire = &writer->graph->wires[w];

        if (cs_wire_has_end(wire, d) && cs_nccl_writer_is_gpu_link(wire))
            gpu.attribute = cs_nccl_gpu_attribute(wire->class_name, &gpu.kind);
    }
    nccl_writer_add_model(writer, writer->graph->devices[d].model, &gpu);
    if (!gpu.attribute)
        gpu.attribute = cs_nccl_gpu_attribute("nvlink3", &gpu.kind);
    return gpu;
}

/* The number of links of rate one_Bps nearest to the rate, at least 1. */
static long long nccl_writer_count_of(struct cs_nccl_writer *writer, double rate_Bps,
                                      double one_Bps, long long most)
{
    double count = fmin(fmax(round(rate_Bps / one_Bps), 1), (double)most);

    writer->has_rates |= is_off(count * one_Bps, rate_Bps);
    return (long long)count;
}

static void add_c2c(struct cs_nccl_writer *writer, const struct cs_wire *wire, uint32_t depth)
{
    nccl_writer_indent(writer, depth);
    cs_text_printf(writer->out, "<c2c bw=\"%lld\" count=\"1\"/>\n",
                   nccl_writer_count_of(writer, cs_wire_effective(wire), 1e6, CS_NCCL_MBPS_MAX));
}

static void add_gpu_link(struct cs_nccl_writer *writer, uint32_t d, uint32_t w, uint32_t depth)
{
    const struct cs_wire *wire = &writer->graph->wires[w];
    uint32_t to = cs_wire_far_end(wire, d);
    enum cs_device_kind kind = writer->graph->devices[to].kind;
    double one_Bps = cs_link_kind_get(nccl_writer_gpu_of(writer, d).kind)->rate_Bps;

    if (cs_device_computes(kind) && cs_nccl_writer_rank_of(writer, to) == CS_NCCL_NONE)
        return;
    nccl_writer_indent(writer, depth);
    cs_text_printf(writer->out, "<%s target=\"%s\" count=\"%lld\" tclass=\"%s\"/>\n",
                   wire->family == CS_LINK_XGMI ? "xgmi" : "nvlink", nccl_writer_busid(writer, to),
                   nccl_writer_count_of(writer, wire->rate_Bps, one_Bps, CS_NCCL_LINKS_MAX),
                   kind == CS_DEVICE_SWITCH ? "0x068000"
                   : kind == CS_DEVICE_CPU  ? "0x068001"
                                            : "0x030200");
}

static void add_gpu(struct cs_nccl_writer *writer, uint32_t d, uint32_t rank, uint32_t depth)
{
    open_pci(writer, d, &nccl_gpu_class, depth);
    nccl_writer_indent(writer, depth + 1);
    cs_text_printf(writer->out, "<gpu dev=\"%u\" %s rank=\"%u\" gdr=\"1\">\n", rank,
                   nccl_writer_gpu_of(writer, d).attribute, rank);
    for (uint32_t w = 0; w < writer->graph->wire_count; w++) {
        const struct cs_wire *wire = &writer->graph->wires[w];

        if (cs_wire_has_end(wire, d) && cs_nccl_writer_is_gpu_link(wire))
            add_gpu_link(writer, d, w, depth + 2);
        else if (cs_wire_has_end(wire, d) && wire->family == CS_LINK_C2C)
            add_c2c(writer, wire, depth + 2);
    }
    nccl_writer_close(writer, "gpu", depth + 1);
    nccl_writer_close(writer, "pci", depth);
}

/* The link of a NIC's ports: its first link out of the host, with the rate of
 * all such links, or else what the machine states of its ports; NULL:
 * unknown. */
static const struct cs_wire *nccl_writer_port_of(struct cs_nccl_writer *writer, uint32_t d)
{
    const struct cs_graph *graph = writer->graph;
    struct cs_wire *port = NULL;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];

        if (!cs_wire_has_end(wire, d) ||
            graph->devices[cs_wire_far_end(wire, d)].host == graph->devices[d].host)
            continue;
        if (port) {
            port->rate_Bps += wire->rate_Bps;
            port->class_name = "several links";
            continue;
        }
        port = cs_arena_alloc(&writer->arena, 1, sizeof(*port));
        *port = *wire;
    }
    return port ? port : cs_port_link(graph, &graph->devices[d], &writer->arena);
}

/* The name without the prefix "n3." of a host, which a reader adds again. A
 * name that a reader generates itself ("gpu0") gets the prefix "net-". */
static const char *nccl_writer_local_name(struct cs_nccl_writer *writer, uint32_t d)
{
    static const char *const made[] = {"gpu", "cpu", "pci", "nvswitch", "fabric"};
    const char *name = writer->names[d];
    size_t digits = strspn(name + 1, "0123456789");

    if (*name == 'n' && digits > 0 && name[digits + 1] == '.')
        name += digits + 2;
    for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++)
        if (strncmp(name, made[i], strlen(made[i])) == 0)
            return cs_arena_printf(&writer->arena, "net-%s", name);
    return *name ? name : "net";
}

/* Names of NICs are unique in a host. */
static const char *net_name(struct cs_nccl_writer *writer, uint32_t d)
{
    const char *local = nccl_writer_local_name(writer, d);
    const char *name = local;

    for (uint32_t i = 2;
         cs_names_add(&writer->net_names,
                      cs_arena_printf(&writer->arena, "%u %s", writer->host[d], name),
                      d) != CS_NO_NAME;
         i++)
        name = cs_arena_printf(&writer->arena, "%s_%u", local, i);
    return name;
}

/* A <net> per port; the ports of a NIC after the first have a number in their
 * names. */
static void add_net(struct cs_nccl_writer *writer, uint32_t d, const struct cs_nccl_port *port,
                    uint32_t depth)
{
    const char *name = net_name(writer, d);

    nccl_writer_indent(writer, depth);
    cs_text_add(writer->out, "<nic>\n");
    for (uint32_t i = 1; i <= port->ports; i++) {
        nccl_writer_indent(writer, depth + 1);
        cs_text_add(writer->out, "<net name=\"");
        cs_writer_xml(writer->out, name);
        if (i > 1)
            cs_text_printf(writer->out, "-%u", i);
        cs_text_printf(writer->out, "\" dev=\"%u\" speed=\"%lld\" port=\"%u\"", writer->nets++,
                       port->mbps, i);
        if (*port->connections)
            cs_text_printf(writer->out, " maxconn=\"%s\"", port->connections);
        cs_text_add(writer->out, "/>\n");
    }
    nccl_writer_close(writer, "nic", depth);
}

/* A NIC without PCIe is a virtual NIC, directly below the CPU. */
static void add_nic(struct cs_nccl_writer *writer, uint32_t d, uint32_t depth)
{
    const struct cs_wire *wire = &writer->graph->wires[writer->parent[d]];
    struct cs_nccl_port port = cs_nccl_port_of(nccl_writer_port_of(writer, d));

    if (cs_same(wire->class_name, "local") &&
        writer->graph->devices[cs_wire_far_end(wire, d)].kind == CS_DEVICE_CPU) {
        add_net(writer, d, &port, depth);
        return;
    }
    open_pci(writer, d, &port, depth);
    add_net(writer, d, &port, depth + 1);
    nccl_writer_close(writer, "pci", depth);
}

/* Where the walk through the tree is. */
struct nccl_writer_place {
    uint32_t device;
    uint32_t next_wire;
};

/* A link between sockets that a vendor's CPUs have. */
static const char *const nccl_sockets[CS_CPU_VENDORS] = {
    [CS_CPU_UNKNOWN] = "xgmi-socket", [CS_CPU_INTEL] = "upi",      [CS_CPU_AMD] = "xgmi-socket",
    [CS_CPU_ARM] = "arm-socket",      [CS_CPU_IBM] = "power9-smp", [CS_CPU_ZHAOXIN] = "zpi"};

/* From the first link between sockets that NCCL knows, or else the vendor; AMD
 * by default. */
static const char *cpu_attributes(struct cs_nccl_writer *writer, uint32_t d)
{
    const struct cs_graph *graph = writer->graph;
    const char *kind;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        const char *attributes =
            cs_wire_has_end(wire, d) ? cs_nccl_cpu_attributes(wire->class_name, &kind) : NULL;
        const struct cs_link_kind *known = attributes ? cs_link_kind_get(kind) : NULL;

        if (known)
            writer->has_rates |= is_off(cs_wire_when_up(wire), known->rate_Bps * known->efficiency);
        if (attributes)
            return attributes;
    }
    return cs_nccl_cpu_attributes(nccl_sockets[writer->graph->devices[d].vendor], &kind);
}

static void open_cpu(struct cs_nccl_writer *writer, uint32_t d, uint32_t numa)
{
    nccl_writer_indent(writer, 1);
    cs_text_printf(writer->out, "<cpu numaid=\"%u\" %s host_hash=\"0x%x\">\n", numa,
                   cpu_attributes(writer, d), writer->graph->devices[d].host);
}

/* Opens an element for a switch and returns true; writes the whole element
 * for other devices. */
static bool nccl_writer_enter(struct cs_nccl_writer *writer, uint32_t d, uint32_t depth)
{
    uint32_t rank = cs_nccl_writer_rank_of(writer, d);

    if (writer->graph->devices[d].kind == CS_DEVICE_NIC) {
        add_nic(writer, d, depth);
        return false;
    }
    if (rank != CS_NCCL_NONE) {
        add_gpu(writer, d, rank, depth);
        return false;
    }
    if (!cs_device_forwards(writer->graph->devices[d].kind))
        return false;
    open_pci(writer, d, &nccl_bridge_class, depth);
    return true;
}

/* The next child, or CS_NCCL_NONE. */
static uint32_t next_child(const struct cs_nccl_writer *writer, struct nccl_writer_place *place)
{
    const struct cs_graph *graph = writer->graph;

    for (; place->next_wire < graph->wire_count; place->next_wire++) {
        const struct cs_wire *wire = &graph->wires[place->next_wire];
        uint32_t to = cs_wire_far_end(wire, place->device);

        if (cs_wire_has_end(wire, place->device) && writer->parent[to] == place->next_wire) {
            place->next_wire++;
            return to;
        }
    }
    return CS_NCCL_NONE;
}

static int nccl_writer_add_tree(struct cs_nccl_writer *writer, uint32_t cpu, uint32_t numa,
                                struct cs_err *err)
{
    struct nccl_writer_place stack[CS_NCCL_DEPTH_MAX];
    uint32_t depth = 1;

    open_cpu(writer, cpu, numa);
    stack[0] = (struct nccl_writer_place){cpu, 0};
    while (depth > 0) {
        uint32_t to = next_child(writer, &stack[depth - 1]);

        if (to == CS_NCCL_NONE) {
            nccl_writer_close(writer, depth == 1 ? "cpu" : "pci", depth);
            depth--;
        } else if (nccl_writer_enter(writer, to, depth + 1)) {
            if (depth == CS_NCCL_DEPTH_MAX)
                return cs_err_set(err, CS_EINPUT, "over %d PCIe switches in a row",
                                  CS_NCCL_DEPTH_MAX);
            stack[depth++] = (struct nccl_writer_place){to, 0};
        }
    }
    return 0;
}

/* ---- the file ---- */

static bool has_nic(const struct cs_nccl_writer *writer, uint32_t host)
{
    uint32_t d = 0;

    while (d < writer->graph->device_count &&
           (writer->graph->devices[d].kind != CS_DEVICE_NIC || writer->parent[d] == CS_NCCL_NONE ||
            writer->host[d] != host))
        d++;
    return d < writer->graph->device_count;
}

static int nccl_writer_check(const struct cs_nccl_writer *writer, struct cs_err *err)
{
    const struct cs_graph *graph = writer->graph;
    uint32_t first = writer->graph->devices[graph->rank_device[0]].host, last = first;

    for (uint32_t r = 0; r < graph->rank_count; r++) {
        uint32_t d = graph->rank_device[r];

        if (writer->parent[d] == CS_NCCL_NONE)
            return cs_err_set(err, CS_EINPUT,
                              "'%s' has no path to a CPU; an NCCL file is a tree below CPUs",
                              writer->graph->devices[d].name);
        if (writer->host[d] != last &&
            (!has_nic(writer, writer->host[d]) || !has_nic(writer, first)))
            return cs_err_set(err, CS_EINPUT,
                              "the nodes of '%s' and '%s' are not connected by NICs below a CPU, "
                              "as an NCCL file requires",
                              writer->graph->devices[graph->rank_device[0]].name,
                              writer->graph->devices[d].name);
        last = writer->host[d];
    }
    return 0;
}

static int add_system(struct cs_nccl_writer *writer, struct cs_err *err)
{
    const struct cs_graph *graph = writer->graph;
    uint32_t numa = 0, host = CS_NCCL_NONE;
    int code = 0;

    cs_text_add(writer->out, "<system version=\"1\">\n");
    for (uint32_t d = 0; d < graph->device_count && !code; d++) {
        if (graph->devices[d].kind != CS_DEVICE_CPU)
            continue;
        numa = graph->devices[d].host == host ? numa + 1 : 0;
        host = graph->devices[d].host;
        code = nccl_writer_add_tree(writer, d, numa, err);
    }
    cs_text_add(writer->out, "</system>\n");
    return code;
}

static int nccl_writer_write(const struct cs_graph *graph, struct cs_text *out,
                             struct cs_text *notes, struct cs_err *err)
{
    struct cs_nccl_writer writer = {.out = out};
    struct cs_graph up;
    int code;

    if (graph->rank_count > CS_NCCL_GPUS_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "%u GPUs; an NCCL file has at most %d; --ranks %d exports the first, "
                          "--format yaml all",
                          graph->rank_count, CS_NCCL_GPUS_MAX, CS_NCCL_GPUS_MAX);
    up = cs_writer_up(graph, &writer.arena, notes);
    writer.graph = &up;
    writer.names = cs_writer_names(&up, "", &writer.arena, notes);
    cs_names_init(&writer.net_names, &writer.arena, 16);
    writer.parent = cs_arena_alloc(&writer.arena, graph->device_count, sizeof(*writer.parent));
    writer.host = cs_arena_alloc(&writer.arena, graph->device_count, sizeof(*writer.host));
    writer.queue = cs_arena_alloc(&writer.arena, graph->device_count, sizeof(*writer.queue));
    cs_nccl_writer_grow(&writer);
    code = nccl_writer_check(&writer, err);
    if (!code)
        code = add_system(&writer, err);
    if (!code)
        cs_nccl_writer_note(&writer, notes);
    cs_arena_free(&writer.arena);
    return code;
}

const struct cs_writer cs_writer_nccl = {
    .name = "nccl",
    .prefix = "nccl:",
    .about = "a topology file of NCCL or RCCL",
    .write = nccl_writer_write,
};
