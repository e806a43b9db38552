/*
 * nccl: a topology file for NCCL or RCCL (NCCL_TOPO_FILE), as src_nccl.c reads.
 *
 * CPUs are the roots, and what hangs on them by PCIe follows: switches, GPUs
 * and NICs, each below the first that leads to it.  NVLinks, xGMI links and
 * NVSwitches are written with their GPUs.  A link that is none of PCIe is
 * written as the PCIe that is as fast, or nearly; what the format has no place
 * for is left out, with a remark: fabrics between computers, links between
 * sockets (NCCL knows them by the CPU), latencies, efficiencies.
 */
#include "topo/link_kind.h"
#include "topo/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    NONE = UINT32_MAX,
    DEEPEST = 60,     /* cpu > pci > pci ...; a reader's limit */
    RANKS_MAX = 1024, /* the same */
};

struct writer {
    const struct cs_graph *graph;
    struct cs_arena arena;
    uint32_t *parent; /* device -> the wire that leads to it, or NONE */
    uint32_t *queue;  /* devices, those nearer to a CPU first */
    uint32_t queued;
    bool has_sockets; /* CPUs are linked to each other */
    bool has_outside; /* something leads out of a computer */
    bool has_loops;   /* PCIe is no tree */
    bool has_others;  /* a link that is none of PCIe stands for one */
    struct cs_text *out;
};

static const struct cs_device *device_of(const struct writer *writer,
                                         uint32_t d)
{
    return &writer->graph->devices[d];
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_gpu_link(const struct cs_wire *wire)
{
    return begins(wire->class_name, "nvlink") ||
           (begins(wire->class_name, "xgmi") &&
            !begins(wire->class_name, "xgmi-socket"));
}

static uint32_t other_end(const struct cs_wire *wire, uint32_t d)
{
    return wire->a == d ? wire->b : wire->a;
}

static bool is_end(const struct cs_wire *wire, uint32_t d)
{
    return wire->a == d || wire->b == d;
}

/* ---- the tree of PCIe ---- */

/* Whether the wire leads from `d` down to what is inside the same computer. */
static bool leads_down(struct writer *writer, uint32_t w, uint32_t d)
{
    const struct cs_wire *wire = &writer->graph->wires[w];
    uint32_t to = other_end(wire, d);
    const struct cs_device *from = device_of(writer, d);
    const struct cs_device *other = device_of(writer, to);

    if (!is_end(wire, d) || is_gpu_link(wire) || w == writer->parent[d])
        return false;
    if (from->kind == CS_DEVICE_CPU && other->kind == CS_DEVICE_CPU) {
        writer->has_sockets = true;
        return false;
    }
    if (from->host != other->host) {
        writer->has_outside = true;
        return false;
    }
    return other->kind != CS_DEVICE_CPU;
}

static void take(struct writer *writer, uint32_t w, uint32_t d)
{
    uint32_t to = other_end(&writer->graph->wires[w], d);

    if (writer->parent[to] != NONE) {
        writer->has_loops = true;
        return;
    }
    writer->parent[to] = w;
    writer->queue[writer->queued++] = to;
}

/* Breadth first from all CPUs; GPUs and NICs pass nothing on. */
static void grow(struct writer *writer)
{
    const struct cs_graph *graph = writer->graph;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        writer->parent[d] = NONE;
        if (graph->devices[d].kind == CS_DEVICE_CPU)
            writer->queue[writer->queued++] = d;
    }
    for (uint32_t i = 0; i < writer->queued; i++) {
        uint32_t d = writer->queue[i];

        if (!cs_device_forwards(device_of(writer, d)->kind))
            continue;
        for (uint32_t w = 0; w < graph->wire_count; w++)
            if (leads_down(writer, w, d))
                take(writer, w, d);
    }
}

/* ---- PCIe links ---- */

struct pci_link {
    const char *speed;
    uint32_t width;
};

static const struct {
    const char *kind, *speed;
} generations[] = {
    {"pcie1", "2.5 GT/s PCIe"},  {"pcie2", "5.0 GT/s PCIe"},
    {"pcie3", "8.0 GT/s PCIe"},  {"pcie4", "16.0 GT/s PCIe"},
    {"pcie5", "32.0 GT/s PCIe"}, {"pcie6", "64.0 GT/s PCIe"},
};

enum {
    GENERATIONS = sizeof(generations) / sizeof(*generations)
};

/* The narrowest that is no slower, or the fastest there is. */
static struct pci_link nearest_link(double rate_Bps)
{
    static const uint32_t widths[] = {1, 2, 4, 8, 16};

    for (size_t w = 2; w < sizeof(widths) / sizeof(*widths); w++)
        for (size_t g = 2; g < GENERATIONS; g++)
            if (cs_link_kind_get(generations[g].kind)->rate_Bps * widths[w] >=
                rate_Bps * 0.99)
                return (struct pci_link){generations[g].speed, widths[w]};
    return (struct pci_link){generations[GENERATIONS - 1].speed, 16};
}

static struct pci_link link_of(struct writer *writer, uint32_t w)
{
    const struct cs_wire *wire = &writer->graph->wires[w];
    struct cs_link_class cut;

    if (!cs_link_class_cut(wire->class_name, &cut, NULL) && cut.width)
        for (size_t g = 0; g < GENERATIONS; g++)
            if (strcmp(cut.name, generations[g].kind) == 0)
                return (struct pci_link){generations[g].speed, cut.width};
    writer->has_others = true;
    return nearest_link(wire->rate_Bps);
}

/* ---- elements ---- */

static void indent(struct writer *writer, uint32_t depth)
{
    for (uint32_t i = 0; i < depth; i++)
        cs_text_add(writer->out, "  ");
}

static const char *busid(struct writer *writer, uint32_t d)
{
    return cs_arena_printf(&writer->arena, "%04x:%02x:00.0", d >> 8, d & 0xff);
}

static void open_pci(struct writer *writer, uint32_t d, const char *class,
                     uint32_t depth)
{
    struct pci_link link = link_of(writer, writer->parent[d]);

    indent(writer, depth);
    cs_text_printf(writer->out,
                   "<pci busid=\"%s\" class=\"%s\" link_speed=\"%s\" "
                   "link_width=\"%u\">\n",
                   busid(writer, d), class, link.speed, link.width);
}

static void close(struct writer *writer, const char *name, uint32_t depth)
{
    indent(writer, depth);
    cs_text_printf(writer->out, "</%s>\n", name);
}

/* How many links side by side the class tells; 1 where it tells none. */
static uint32_t width_of(const struct cs_wire *wire)
{
    struct cs_link_class cut;

    if (cs_link_class_cut(wire->class_name, &cut, NULL) || !cut.width)
        return 1;
    return cut.width;
}

static void add_gpu_link(struct writer *writer, uint32_t d, uint32_t w,
                         uint32_t depth)
{
    const struct cs_wire *wire = &writer->graph->wires[w];
    uint32_t to = other_end(wire, d);
    bool is_switch = device_of(writer, to)->kind == CS_DEVICE_SWITCH;
    bool is_cpu = device_of(writer, to)->kind == CS_DEVICE_CPU;

    indent(writer, depth);
    cs_text_printf(writer->out,
                   "<%s target=\"%s\" count=\"%u\" tclass=\"%s\"/>\n",
                   begins(wire->class_name, "xgmi") ? "xgmi" : "nvlink",
                   busid(writer, to), width_of(wire),
                   is_switch ? "0x068000"
                   : is_cpu  ? "0x068001"
                             : "0x030200");
}

/* What NCCL and RCCL tell the links' generation by. */
static const char *capability_of(const struct writer *writer, uint32_t d)
{
    static const struct {
        const char *kind, *text;
    } known[] = {
        {"nvlink1", "sm=\"60\""},         {"nvlink2", "sm=\"70\""},
        {"nvlink3-bridge", "sm=\"86\""},  {"nvlink3", "sm=\"80\""},
        {"nvlink4", "sm=\"90\""},         {"nvlink5", "sm=\"100\""},
        {"xgmi-mi350", "gcn=\"gfx950\""}, {"xgmi-mi300", "gcn=\"gfx942\""},
        {"xgmi-mi250", "gcn=\"gfx90a\""}, {"xgmi", "gcn=\"gfx908\""},
    };

    for (uint32_t w = 0; w < writer->graph->wire_count; w++) {
        const struct cs_wire *wire = &writer->graph->wires[w];

        if (!is_end(wire, d) || !is_gpu_link(wire))
            continue;
        for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
            if (begins(wire->class_name, known[i].kind))
                return known[i].text;
    }
    return "sm=\"80\"";
}

static void add_gpu(struct writer *writer, uint32_t d, uint32_t rank,
                    uint32_t depth)
{
    open_pci(writer, d, "0x030200", depth);
    indent(writer, depth + 1);
    cs_text_printf(writer->out, "<gpu dev=\"%u\" %s rank=\"%u\" gdr=\"1\">\n",
                   rank, capability_of(writer, d), rank);
    for (uint32_t w = 0; w < writer->graph->wire_count; w++) {
        const struct cs_wire *wire = &writer->graph->wires[w];

        if (is_end(wire, d) && is_gpu_link(wire))
            add_gpu_link(writer, d, w, depth + 2);
    }
    close(writer, "gpu", depth + 1);
    close(writer, "pci", depth);
}

/* The rate of what leads out of the computer, or of its port's class. */
static double port_rate_Bps(const struct writer *writer, uint32_t d)
{
    const struct cs_graph *graph = writer->graph;
    double rate_Bps = 0;
    struct cs_wire port;

    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (is_end(&graph->wires[w], d) &&
            graph->devices[other_end(&graph->wires[w], d)].host !=
                graph->devices[d].host)
            rate_Bps += graph->wires[w].rate_Bps;
    if (rate_Bps == 0 && graph->port_class &&
        !cs_link_kind_find(graph->port_class, &port, NULL))
        rate_Bps = port.rate_Bps;
    return rate_Bps;
}

static void add_nic(struct writer *writer, uint32_t d, uint32_t depth)
{
    long long megabits = llround(port_rate_Bps(writer, d) * 8 / 1e6);

    open_pci(writer, d, "0x020700", depth);
    indent(writer, depth + 1);
    cs_text_add(writer->out, "<nic>\n");
    indent(writer, depth + 2);
    cs_text_add(writer->out, "<net name=\"");
    cs_writer_xml(writer->out, device_of(writer, d)->name);
    cs_text_printf(writer->out, "\" dev=\"%u\" speed=\"%lld\" port=\"1\"/>\n",
                   d, megabits);
    close(writer, "nic", depth + 1);
    close(writer, "pci", depth);
}

/* Where the walk through the tree is. */
struct place {
    uint32_t device;
    uint32_t next_wire;
};

static uint32_t rank_of(const struct writer *writer, uint32_t d)
{
    uint32_t r = 0;

    while (r < writer->graph->rank_count && writer->graph->rank_device[r] != d)
        r++;
    return r < writer->graph->rank_count ? r : NONE;
}

static const char *vendor_of(const struct writer *writer, uint32_t d)
{
    const struct cs_graph *graph = writer->graph;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const char *class = graph->wires[w].class_name;

        if (!is_end(&graph->wires[w], d))
            continue;
        if (begins(class, "xgmi-socket"))
            return "vendor=\"AuthenticAMD\" familyid=\"175\" modelid=\"49\"";
        if (begins(class, "upi2"))
            return "vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\"";
        if (begins(class, "upi"))
            return "vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"85\"";
        if (begins(class, "qpi"))
            return "vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"63\"";
    }
    return "vendor=\"AuthenticAMD\" familyid=\"175\" modelid=\"49\"";
}

static void open_cpu(struct writer *writer, uint32_t d, uint32_t numa)
{
    indent(writer, 1);
    cs_text_printf(
        writer->out,
        "<cpu numaid=\"%u\" arch=\"x86_64\" %s host_hash=\"0x%x\">\n", numa,
        vendor_of(writer, d), device_of(writer, d)->host);
}

/* Opens what has children, writes what has none; whether it was opened. */
static bool enter(struct writer *writer, uint32_t d, uint32_t depth)
{
    uint32_t rank = rank_of(writer, d);

    if (device_of(writer, d)->kind == CS_DEVICE_NIC) {
        add_nic(writer, d, depth);
        return false;
    }
    if (rank != NONE) {
        add_gpu(writer, d, rank, depth);
        return false;
    }
    if (!cs_device_forwards(device_of(writer, d)->kind))
        return false;
    open_pci(writer, d, "0x060400", depth);
    return true;
}

/* The next child of the place, or NONE. */
static uint32_t next_child(const struct writer *writer, struct place *place)
{
    const struct cs_graph *graph = writer->graph;

    for (; place->next_wire < graph->wire_count; place->next_wire++) {
        const struct cs_wire *wire = &graph->wires[place->next_wire];
        uint32_t to = other_end(wire, place->device);

        if (is_end(wire, place->device) &&
            writer->parent[to] == place->next_wire) {
            place->next_wire++;
            return to;
        }
    }
    return NONE;
}

static int add_tree(struct writer *writer, uint32_t cpu, uint32_t numa,
                    struct cs_err *err)
{
    struct place stack[DEEPEST];
    uint32_t depth = 1;

    open_cpu(writer, cpu, numa);
    stack[0] = (struct place){cpu, 0};
    while (depth > 0) {
        uint32_t to = next_child(writer, &stack[depth - 1]);

        if (to == NONE) {
            close(writer, depth == 1 ? "cpu" : "pci", depth);
            depth--;
        } else if (enter(writer, to, depth + 1)) {
            if (depth == DEEPEST)
                return cs_err_set(err, CS_EINPUT,
                                  "over %d PCIe switches in a row", DEEPEST);
            stack[depth++] = (struct place){to, 0};
        }
    }
    return 0;
}

/* ---- the file ---- */

static int check(const struct writer *writer, struct cs_err *err)
{
    const struct cs_graph *graph = writer->graph;

    for (uint32_t r = 0; r < graph->rank_count; r++) {
        const struct cs_device *device =
            device_of(writer, graph->rank_device[r]);

        if (writer->parent[graph->rank_device[r]] == NONE)
            return cs_err_set(err, CS_EINPUT,
                              "'%s' hangs on no CPU, and NCCL's files begin "
                              "with CPUs",
                              device->name);
    }
    return 0;
}

static void remark(const struct writer *writer, struct cs_text *remarks)
{
    cs_text_add(remarks, "latencies and efficiencies have no place in the "
                         "format: NCCL has its own\n");
    if (writer->has_sockets)
        cs_text_add(remarks, "links between sockets are told by the CPU's "
                             "vendor and model\n");
    if (writer->has_outside)
        cs_text_add(remarks, "what joins computers is left out\n");
    if (writer->has_loops)
        cs_text_add(remarks, "PCIe is a tree there: second ways to a device "
                             "are left out\n");
    if (writer->has_others)
        cs_text_add(remarks, "links that are none of PCIe stand as the PCIe "
                             "that is as fast\n");
}

static int add_system(struct writer *writer, struct cs_err *err)
{
    const struct cs_graph *graph = writer->graph;
    uint32_t numa = 0;
    uint32_t host = NONE;
    int code = 0;

    cs_text_add(writer->out, "<system version=\"1\">\n");
    for (uint32_t d = 0; d < graph->device_count && !code; d++) {
        if (graph->devices[d].kind != CS_DEVICE_CPU)
            continue;
        numa = graph->devices[d].host == host ? numa + 1 : 0;
        host = graph->devices[d].host;
        code = add_tree(writer, d, numa, err);
    }
    cs_text_add(writer->out, "</system>\n");
    return code;
}

static int write(const struct cs_graph *graph, struct cs_text *out,
                 struct cs_text *remarks, struct cs_err *err)
{
    struct writer writer = {.out = out};
    struct cs_graph up;
    int code;

    if (graph->rank_count > RANKS_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "%u GPUs; the format's readers take "
                          "%d",
                          graph->rank_count, RANKS_MAX);
    up = cs_writer_up(graph, &writer.arena, remarks);
    writer.graph = &up;
    writer.parent = cs_arena_alloc(&writer.arena, graph->device_count,
                                   sizeof(*writer.parent));
    writer.queue = cs_arena_alloc(&writer.arena, graph->device_count,
                                  sizeof(*writer.queue));
    grow(&writer);
    code = check(&writer, err);
    if (!code)
        code = add_system(&writer, err);
    if (!code)
        remark(&writer, remarks);
    cs_arena_free(&writer.arena);
    return code;
}

const struct cs_writer cs_writer_nccl = {
    .name = "nccl",
    .prefix = "nccl:",
    .about = "a topology file of NCCL or RCCL",
    .write = write,
};
