/*
 * nccl: a topology file for NCCL or RCCL (NCCL_TOPO_FILE), as nccl/read.c reads.
 *
 * CPUs are the roots, and what hangs on them by PCIe follows: switches, GPUs
 * and NICs, each below the first that leads to it.  NVLinks, xGMI links, C2C and
 * NVSwitches are written with their GPUs.  A link that is none of PCIe is
 * written as the PCIe that is nearest in rate.  What the format has no place for
 * is left out and told: fabrics between computers, second ways, links between
 * sockets (NCCL knows them by the CPU), latencies, efficiencies.
 */
#include "sim/base/collections/name_index.h"
#include "topo/formats/writer.h"
#include "topo/kinds/link_kind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    NONE = UINT32_MAX,
    DEEPEST = 60,       /* cpu > pci > pci ...; a reader's limit */
    RANKS_MAX = 1024,   /* the same */
    WIDTH_MAX = 16,     /* lanes of PCIe */
    LINKS_MAX = 128,    /* of one GPU to one target; a reader's limit */
    MBPS_MAX = 1600000, /* the same */
};

struct nccl_writer {
    const struct cs_graph *graph;
    struct cs_arena arena;
    uint32_t *parent; /* device -> the wire that leads to it, or NONE */
    uint32_t *host;   /* device -> the computer of its CPU */
    uint32_t *queue;  /* devices, those nearer to a CPU first */
    uint32_t queued;
    const char **names; /* of devices, for files */
    struct cs_names net_names;
    uint32_t nets;
    bool has_others; /* a link that is none of PCIe stands for one */
    bool has_rates;  /* a rate is off by over a percent */
    struct cs_text *out;
};

static const struct cs_device *nccl_writer_device_of(
    const struct nccl_writer *writer, uint32_t d)
{
    return &writer->graph->devices[d];
}

static bool nccl_writer_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool nccl_writer_is_c2c(const struct cs_wire *wire)
{
    return wire->family == CS_LINK_C2C;
}

/* NCCL and RCCL have elements for NVLink and xGMI; HCCS is unknown there. */
static bool nccl_writer_is_gpu_link(const struct cs_wire *wire)
{
    return wire->family == CS_LINK_NVLINK ||
           wire->family == CS_LINK_NVLINK_SHARP || wire->family == CS_LINK_XGMI;
}

static uint32_t nccl_writer_other_end(const struct cs_wire *wire, uint32_t d)
{
    return wire->a == d ? wire->b : wire->a;
}

static bool nccl_writer_is_end(const struct cs_wire *wire, uint32_t d)
{
    return wire->a == d || wire->b == d;
}

/* Its rank, or NONE. */
static uint32_t nccl_writer_rank_of(const struct nccl_writer *writer,
                                    uint32_t d)
{
    uint32_t r = 0;

    while (r < writer->graph->rank_count && writer->graph->rank_device[r] != d)
        r++;
    return r < writer->graph->rank_count ? r : NONE;
}

/* ---- the tree of PCIe ---- */

/* Whether the wire leads from `d` down to what hangs nowhere yet; a switch may
 * be of no computer. */
static bool leads_down(const struct nccl_writer *writer, uint32_t w, uint32_t d)
{
    const struct cs_wire *wire = &writer->graph->wires[w];
    uint32_t to = nccl_writer_other_end(wire, d);
    const struct cs_device *other = nccl_writer_device_of(writer, to);

    return nccl_writer_is_end(wire, d) && writer->parent[to] == NONE &&
           other->kind != CS_DEVICE_CPU && !nccl_writer_is_gpu_link(wire) &&
           !nccl_writer_is_c2c(wire) && wire->family != CS_LINK_NETWORK &&
           (other->host == writer->host[d] ||
            (other->host == CS_NO_HOST && other->kind == CS_DEVICE_SWITCH));
}

/* GPUs that have no PCIe hang on the CPU that they are linked to. */
static void hang_on_cpus(struct nccl_writer *writer)
{
    const struct cs_graph *graph = writer->graph;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        bool down = graph->devices[wire->a].kind == CS_DEVICE_CPU;
        uint32_t cpu = down ? wire->a : wire->b;
        uint32_t to = nccl_writer_other_end(wire, cpu);

        if (graph->devices[cpu].kind == CS_DEVICE_CPU &&
            graph->devices[cpu].host == graph->devices[to].host &&
            cs_device_computes(graph->devices[to].kind) &&
            writer->parent[to] == NONE)
            writer->parent[to] = w;
    }
}

/* Breadth first from all CPUs; GPUs and NICs pass nothing on. */
static void nccl_writer_grow(struct nccl_writer *writer)
{
    const struct cs_graph *graph = writer->graph;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        writer->parent[d] = NONE;
        writer->host[d] = graph->devices[d].host;
        if (graph->devices[d].kind == CS_DEVICE_CPU)
            writer->queue[writer->queued++] = d;
    }
    for (uint32_t i = 0; i < writer->queued; i++) {
        uint32_t d = writer->queue[i];

        if (nccl_writer_device_of(writer, d)->kind != CS_DEVICE_CPU &&
            nccl_writer_device_of(writer, d)->kind != CS_DEVICE_SWITCH)
            continue;
        for (uint32_t w = 0; w < graph->wire_count; w++)
            if (leads_down(writer, w, d)) {
                uint32_t to = nccl_writer_other_end(&graph->wires[w], d);

                writer->parent[to] = w;
                writer->host[to] = writer->host[d];
                writer->queue[writer->queued++] = to;
            }
    }
    hang_on_cpus(writer);
}

/* ---- PCIe links ---- */

struct nccl_writer_pci_link {
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

/* What a collective gets of it. */
static double pci_rate_Bps(size_t generation, uint32_t width)
{
    const struct cs_link_kind *kind =
        cs_link_kind_get(generations[generation].kind);

    return kind->rate_Bps * kind->efficiency * width;
}

static bool is_off(double a, double b)
{
    return fabs(a - b) > 0.01 * b;
}

/* The nearest in rate; of equals the oldest. */
static struct nccl_writer_pci_link nearest_link(struct nccl_writer *writer,
                                                double rate_Bps)
{
    struct nccl_writer_pci_link best = {0};
    double best_Bps = 0;

    for (size_t g = 0; g < GENERATIONS; g++)
        for (uint32_t width = 1; width <= WIDTH_MAX; width++) {
            double is_Bps = pci_rate_Bps(g, width);

            if (best.width && fabs(is_Bps - rate_Bps) >
                                  fabs(best_Bps - rate_Bps) - 1e-9 * rate_Bps)
                continue;
            best = (struct nccl_writer_pci_link){generations[g].speed, width};
            best_Bps = is_Bps;
        }
    writer->has_rates |= is_off(best_Bps, rate_Bps);
    return best;
}

/* That of the wire's class, where it has that rate. */
static struct nccl_writer_pci_link nccl_writer_link_of(
    struct nccl_writer *writer, uint32_t w)
{
    const struct cs_wire *wire = &writer->graph->wires[w];
    struct cs_link_class cut;

    if (!cs_link_class_cut(wire->class_name, &cut, NULL) && cut.width)
        for (size_t g = 0; g < GENERATIONS; g++)
            if (strcmp(cut.name, generations[g].kind) == 0 &&
                !is_off(cs_link_kind_get(cut.name)->rate_Bps * cut.width,
                        wire->rate_Bps))
                return (struct nccl_writer_pci_link){generations[g].speed,
                                                     cut.width};
    writer->has_others = true;
    return nearest_link(writer, cs_wire_effective(wire));
}

/* ---- elements ---- */

static void nccl_writer_indent(struct nccl_writer *writer, uint32_t depth)
{
    for (uint32_t i = 0; i < depth; i++)
        cs_text_add(writer->out, "  ");
}

static const char *nccl_writer_busid(struct nccl_writer *writer, uint32_t d)
{
    return cs_arena_printf(&writer->arena, "%04x:%02x:00.0", d >> 8, d & 0xff);
}

static void open_pci(struct nccl_writer *writer, uint32_t d, const char *class,
                     uint32_t depth)
{
    struct nccl_writer_pci_link link =
        nccl_writer_link_of(writer, writer->parent[d]);

    nccl_writer_indent(writer, depth);
    cs_text_printf(writer->out,
                   "<pci busid=\"%s\" class=\"%s\" link_speed=\"%s\" "
                   "link_width=\"%u\">\n",
                   nccl_writer_busid(writer, d), class, link.speed, link.width);
}

static void nccl_writer_close(struct nccl_writer *writer, const char *name,
                              uint32_t depth)
{
    nccl_writer_indent(writer, depth);
    cs_text_printf(writer->out, "</%s>\n", name);
}

/* What NCCL and RCCL tell the links' generation by. */
static const struct gpu_kind {
    const char *kind, *attribute;
} gpu_kinds[] = {
    {"nvlink1", "sm=\"60\""},         {"nvlink2", "sm=\"70\""},
    {"nvlink3-bridge", "sm=\"86\""},  {"nvlink3", "sm=\"80\""},
    {"nvlink4", "sm=\"90\""},         {"nvlink5", "sm=\"100\""},
    {"xgmi-mi350", "gcn=\"gfx950\""}, {"xgmi-mi300", "gcn=\"gfx942\""},
    {"xgmi-mi250", "gcn=\"gfx90a\""}, {"xgmi-mi100", "gcn=\"gfx908\""},
};

enum {
    GPU_KINDS = sizeof(gpu_kinds) / sizeof(*gpu_kinds),
    TYPICAL_KIND = 3, /* nvlink3 */
};

/* By the first of its links whose class is known. */
static const struct gpu_kind *gpu_kind_of(const struct nccl_writer *writer,
                                          uint32_t d)
{
    for (uint32_t w = 0; w < writer->graph->wire_count; w++) {
        const struct cs_wire *wire = &writer->graph->wires[w];

        if (!nccl_writer_is_end(wire, d) || !nccl_writer_is_gpu_link(wire))
            continue;
        for (size_t i = 0; i < GPU_KINDS; i++)
            if (nccl_writer_begins(wire->class_name, gpu_kinds[i].kind))
                return &gpu_kinds[i];
    }
    return &gpu_kinds[TYPICAL_KIND];
}

/* A whole number of `one` that is nearest to the rate and that readers take. */
static long long nccl_writer_count_of(struct nccl_writer *writer,
                                      double rate_Bps, double one_Bps,
                                      long long most)
{
    double count = fmin(fmax(round(rate_Bps / one_Bps), 1), (double)most);

    writer->has_rates |= is_off(count * one_Bps, rate_Bps);
    return (long long)count;
}

static void add_c2c(struct nccl_writer *writer, const struct cs_wire *wire,
                    uint32_t depth)
{
    nccl_writer_indent(writer, depth);
    cs_text_printf(
        writer->out, "<c2c bw=\"%lld\" count=\"1\"/>\n",
        nccl_writer_count_of(writer, cs_wire_effective(wire), 1e6, MBPS_MAX));
}

static void add_gpu_link(struct nccl_writer *writer, uint32_t d, uint32_t w,
                         uint32_t depth)
{
    const struct cs_wire *wire = &writer->graph->wires[w];
    uint32_t to = nccl_writer_other_end(wire, d);
    enum cs_device_kind kind = nccl_writer_device_of(writer, to)->kind;
    double one_Bps = cs_link_kind_get(gpu_kind_of(writer, d)->kind)->rate_Bps;

    if (cs_device_computes(kind) && nccl_writer_rank_of(writer, to) == NONE)
        return;
    nccl_writer_indent(writer, depth);
    cs_text_printf(
        writer->out, "<%s target=\"%s\" count=\"%lld\" tclass=\"%s\"/>\n",
        wire->family == CS_LINK_XGMI ? "xgmi" : "nvlink",
        nccl_writer_busid(writer, to),
        nccl_writer_count_of(writer, wire->rate_Bps, one_Bps, LINKS_MAX),
        kind == CS_DEVICE_SWITCH ? "0x068000"
        : kind == CS_DEVICE_CPU  ? "0x068001"
                                 : "0x030200");
}

static void add_gpu(struct nccl_writer *writer, uint32_t d, uint32_t rank,
                    uint32_t depth)
{
    open_pci(writer, d, "0x030200", depth);
    nccl_writer_indent(writer, depth + 1);
    cs_text_printf(writer->out, "<gpu dev=\"%u\" %s rank=\"%u\" gdr=\"1\">\n",
                   rank, gpu_kind_of(writer, d)->attribute, rank);
    for (uint32_t w = 0; w < writer->graph->wire_count; w++) {
        const struct cs_wire *wire = &writer->graph->wires[w];

        if (nccl_writer_is_end(wire, d) && nccl_writer_is_gpu_link(wire))
            add_gpu_link(writer, d, w, depth + 2);
        else if (nccl_writer_is_end(wire, d) && nccl_writer_is_c2c(wire))
            add_c2c(writer, wire, depth + 2);
    }
    nccl_writer_close(writer, "gpu", depth + 1);
    nccl_writer_close(writer, "pci", depth);
}

/* The rate of what leads out of the computer, or of its port's class. */
static double port_rate_Bps(const struct nccl_writer *writer, uint32_t d)
{
    const struct cs_graph *graph = writer->graph;
    double rate_Bps = 0;
    struct cs_wire port = {0};

    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (nccl_writer_is_end(&graph->wires[w], d) &&
            graph->devices[nccl_writer_other_end(&graph->wires[w], d)].host !=
                graph->devices[d].host)
            rate_Bps += graph->wires[w].rate_Bps;
    if (rate_Bps == 0 && graph->port_class &&
        !cs_link_kind_find(graph->port_class, &port, NULL))
        rate_Bps = port.rate_Bps;
    return rate_Bps;
}

/* Without the "n3." of computer 3, which a reader puts in front again; not a
 * name that a reader makes for what has none in the file. */
static const char *nccl_writer_local_name(struct nccl_writer *writer,
                                          uint32_t d)
{
    static const char *const made[] = {"gpu", "cpu", "pci", "nvswitch",
                                       "fabric"};
    const char *name = writer->names[d];
    size_t digits = strspn(name + 1, "0123456789");

    if (*name == 'n' && digits > 0 && name[digits + 1] == '.')
        name += digits + 2;
    for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++)
        if (nccl_writer_begins(name, made[i]))
            return cs_arena_printf(&writer->arena, "net-%s", name);
    return *name ? name : "net";
}

/* One for each in its computer. */
static const char *net_name(struct nccl_writer *writer, uint32_t d)
{
    const char *local = nccl_writer_local_name(writer, d);
    const char *name = local;

    for (uint32_t i = 2; cs_names_add(&writer->net_names,
                                      cs_arena_printf(&writer->arena, "%u %s",
                                                      writer->host[d], name),
                                      d) != CS_NO_NAME;
         i++)
        name = cs_arena_printf(&writer->arena, "%s_%u", local, i);
    return name;
}

static void add_net(struct nccl_writer *writer, uint32_t d, uint32_t depth)
{
    long long megabits = llround(port_rate_Bps(writer, d) * 8 / 1e6);

    nccl_writer_indent(writer, depth);
    cs_text_add(writer->out, "<nic>\n");
    nccl_writer_indent(writer, depth + 1);
    cs_text_add(writer->out, "<net name=\"");
    cs_writer_xml(writer->out, net_name(writer, d));
    cs_text_printf(writer->out, "\" dev=\"%u\" speed=\"%lld\" port=\"1\"/>\n",
                   writer->nets++, megabits);
    nccl_writer_close(writer, "nic", depth);
}

/* A NIC without PCIe is a virtual one, which stands under its CPU. */
static void add_nic(struct nccl_writer *writer, uint32_t d, uint32_t depth)
{
    const struct cs_wire *wire = &writer->graph->wires[writer->parent[d]];

    if (cs_same(wire->class_name, "local") &&
        nccl_writer_device_of(writer, nccl_writer_other_end(wire, d))->kind ==
            CS_DEVICE_CPU) {
        add_net(writer, d, depth);
        return;
    }
    open_pci(writer, d, "0x020700", depth);
    add_net(writer, d, depth + 1);
    nccl_writer_close(writer, "pci", depth);
}

/* Where the walk through the tree is. */
struct nccl_writer_place {
    uint32_t device;
    uint32_t next_wire;
};

/* What NCCL tells the link between sockets by. */
static const struct {
    const char *kind, *attributes;
} cpu_kinds[] = {
    {"xgmi-socket", "arch=\"x86_64\" vendor=\"AuthenticAMD\" "
                    "familyid=\"175\" modelid=\"49\""},
    {"upi2-20g", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" "
                 "modelid=\"207\""},
    {"upi2", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" "
             "modelid=\"143\""},
    {"upi", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" "
            "modelid=\"85\""},
    {"qpi", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" "
            "modelid=\"63\""},
    {"zpi", "arch=\"x86_64\" vendor=\"CentaurHauls\""},
    {"power9-smp", "arch=\"ppc64\""},
    {"arm-socket", "arch=\"arm64\""},
    {"nvlink-c2c", "arch=\"arm64\""},
};

enum {
    CPU_KINDS = sizeof(cpu_kinds) / sizeof(*cpu_kinds)
};

/* By the first class at the CPU that tells; else AMD. */
static const char *cpu_attributes(const struct nccl_writer *writer, uint32_t d)
{
    const struct cs_graph *graph = writer->graph;

    for (uint32_t w = 0; w < graph->wire_count; w++)
        for (size_t i = 0;
             i < CPU_KINDS && nccl_writer_is_end(&graph->wires[w], d); i++)
            if (nccl_writer_begins(graph->wires[w].class_name,
                                   cpu_kinds[i].kind))
                return cpu_kinds[i].attributes;
    return cpu_kinds[0].attributes;
}

static void open_cpu(struct nccl_writer *writer, uint32_t d, uint32_t numa)
{
    nccl_writer_indent(writer, 1);
    cs_text_printf(writer->out, "<cpu numaid=\"%u\" %s host_hash=\"0x%x\">\n",
                   numa, cpu_attributes(writer, d),
                   nccl_writer_device_of(writer, d)->host);
}

/* Opens what has children, writes what has none; whether it was opened. */
static bool nccl_writer_enter(struct nccl_writer *writer, uint32_t d,
                              uint32_t depth)
{
    uint32_t rank = nccl_writer_rank_of(writer, d);

    if (nccl_writer_device_of(writer, d)->kind == CS_DEVICE_NIC) {
        add_nic(writer, d, depth);
        return false;
    }
    if (rank != NONE) {
        add_gpu(writer, d, rank, depth);
        return false;
    }
    if (!cs_device_forwards(nccl_writer_device_of(writer, d)->kind))
        return false;
    open_pci(writer, d, "0x060400", depth);
    return true;
}

/* The next child of the place, or NONE. */
static uint32_t next_child(const struct nccl_writer *writer,
                           struct nccl_writer_place *place)
{
    const struct cs_graph *graph = writer->graph;

    for (; place->next_wire < graph->wire_count; place->next_wire++) {
        const struct cs_wire *wire = &graph->wires[place->next_wire];
        uint32_t to = nccl_writer_other_end(wire, place->device);

        if (nccl_writer_is_end(wire, place->device) &&
            writer->parent[to] == place->next_wire) {
            place->next_wire++;
            return to;
        }
    }
    return NONE;
}

static int nccl_writer_add_tree(struct nccl_writer *writer, uint32_t cpu,
                                uint32_t numa, struct cs_err *err)
{
    struct nccl_writer_place stack[DEEPEST];
    uint32_t depth = 1;

    open_cpu(writer, cpu, numa);
    stack[0] = (struct nccl_writer_place){cpu, 0};
    while (depth > 0) {
        uint32_t to = next_child(writer, &stack[depth - 1]);

        if (to == NONE) {
            nccl_writer_close(writer, depth == 1 ? "cpu" : "pci", depth);
            depth--;
        } else if (nccl_writer_enter(writer, to, depth + 1)) {
            if (depth == DEEPEST)
                return cs_err_set(err, CS_EINPUT,
                                  "over %d PCIe switches in a row", DEEPEST);
            stack[depth++] = (struct nccl_writer_place){to, 0};
        }
    }
    return 0;
}

/* ---- the file ---- */

static bool has_nic(const struct nccl_writer *writer, uint32_t host)
{
    uint32_t d = 0;

    while (d < writer->graph->device_count &&
           (nccl_writer_device_of(writer, d)->kind != CS_DEVICE_NIC ||
            writer->parent[d] == NONE || writer->host[d] != host))
        d++;
    return d < writer->graph->device_count;
}

static int nccl_writer_check(const struct nccl_writer *writer,
                             struct cs_err *err)
{
    const struct cs_graph *graph = writer->graph;
    uint32_t first = nccl_writer_device_of(writer, graph->rank_device[0])->host;
    uint32_t last = first;

    for (uint32_t r = 0; r < graph->rank_count; r++) {
        uint32_t d = graph->rank_device[r];

        if (writer->parent[d] == NONE)
            return cs_err_set(err, CS_EINPUT,
                              "'%s' hangs on no CPU, and NCCL's files begin "
                              "with CPUs",
                              nccl_writer_device_of(writer, d)->name);
        if (writer->host[d] != last &&
            (!has_nic(writer, writer->host[d]) || !has_nic(writer, first)))
            return cs_err_set(
                err, CS_EINPUT,
                "the computers of '%s' and '%s' meet in no NIC "
                "that hangs on a CPU; NCCL's files know no "
                "other way",
                nccl_writer_device_of(writer, graph->rank_device[0])->name,
                nccl_writer_device_of(writer, d)->name);
        last = writer->host[d];
    }
    return 0;
}

/* What becomes of a wire. */
enum fate {
    FATE_WRITTEN,
    FATE_SOCKETS,
    FATE_OUTSIDE,
    FATE_LEFT_OUT,
    FATES,
};

static enum fate fate_of(const struct nccl_writer *writer, uint32_t w)
{
    const struct cs_wire *wire = &writer->graph->wires[w];
    const struct cs_device *a = nccl_writer_device_of(writer, wire->a);
    const struct cs_device *b = nccl_writer_device_of(writer, wire->b);
    bool has_gpu = cs_device_computes(a->kind) || cs_device_computes(b->kind);

    if (writer->parent[wire->a] == w || writer->parent[wire->b] == w ||
        (has_gpu &&
         (nccl_writer_is_gpu_link(wire) || nccl_writer_is_c2c(wire))))
        return FATE_WRITTEN;
    if (writer->host[wire->a] != writer->host[wire->b] ||
        writer->host[wire->a] == CS_NO_HOST)
        return FATE_OUTSIDE;
    return a->kind == CS_DEVICE_CPU && b->kind == CS_DEVICE_CPU ? FATE_SOCKETS
                                                                : FATE_LEFT_OUT;
}

/* Pairs of CPUs in one computer: NCCL takes all for joined. */
static uint64_t count_socket_pairs(const struct cs_graph *graph)
{
    uint64_t pairs = 0;
    uint32_t before = 0;
    uint32_t host = NONE;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        if (graph->devices[d].kind != CS_DEVICE_CPU)
            continue;
        before = graph->devices[d].host == host ? before + 1 : 0;
        host = graph->devices[d].host;
        pairs += before;
    }
    return pairs;
}

static uint32_t count_lost_nics(const struct nccl_writer *writer)
{
    uint32_t count = 0;

    for (uint32_t d = 0; d < writer->graph->device_count; d++)
        count += nccl_writer_device_of(writer, d)->kind == CS_DEVICE_NIC &&
                 writer->parent[d] == NONE;
    return count;
}

static void note_left_out(struct nccl_writer *writer, struct cs_text *notes)
{
    uint32_t nics = count_lost_nics(writer);
    uint32_t fates[FATES] = {0};
    uint32_t first = 0;

    for (uint32_t w = 0; w < writer->graph->wire_count; w++)
        if (fates[fate_of(writer, w)]++ == 0 &&
            fate_of(writer, w) == FATE_LEFT_OUT)
            first = w;
    if (fates[FATE_SOCKETS])
        cs_text_add(notes, "links between sockets are told by the CPU's "
                           "vendor and model\n");
    if (fates[FATE_SOCKETS] != count_socket_pairs(writer->graph))
        cs_text_add(notes, "all sockets of a computer are joined there, not "
                           "so here\n");
    if (fates[FATE_OUTSIDE])
        cs_text_add(notes, "what joins computers is left out\n");
    if (fates[FATE_LEFT_OUT])
        cs_text_printf(
            notes,
            "%u links are left out, as they are no part of a tree of PCIe, nor "
            "NVLink, xGMI or C2C; the first is %s\n",
            fates[FATE_LEFT_OUT],
            cs_graph_link_name(writer->graph, 2 * first, &writer->arena));
    if (nics)
        cs_text_printf(notes, "%u NICs that hang on no CPU are left out\n",
                       nics);
}

static void nccl_writer_note(struct nccl_writer *writer, struct cs_text *notes)
{
    cs_text_add(notes, "latencies and efficiencies have no place in the "
                       "format: NCCL has its own\n");
    note_left_out(writer, notes);
    if (writer->has_others)
        cs_text_add(notes, "links that are none of PCIe stand as the PCIe "
                           "that is nearest in rate\n");
    if (writer->has_rates)
        cs_text_add(notes, "some rates are off by over 1 %: the format has "
                           "none like them\n");
}

static int add_system(struct nccl_writer *writer, struct cs_err *err)
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
        code = nccl_writer_add_tree(writer, d, numa, err);
    }
    cs_text_add(writer->out, "</system>\n");
    return code;
}

static int nccl_writer_write(const struct cs_graph *graph, struct cs_text *out,
                             struct cs_text *notes, struct cs_err *err)
{
    struct nccl_writer writer = {.out = out};
    struct cs_graph up;
    int code;

    if (graph->rank_count > RANKS_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "%u GPUs; the format's readers take "
                          "%d",
                          graph->rank_count, RANKS_MAX);
    up = cs_writer_up(graph, &writer.arena, notes);
    writer.graph = &up;
    writer.names = cs_writer_names(&up, "", &writer.arena, notes);
    cs_names_init(&writer.net_names, &writer.arena, 16);
    writer.parent = cs_arena_alloc(&writer.arena, graph->device_count,
                                   sizeof(*writer.parent));
    writer.host = cs_arena_alloc(&writer.arena, graph->device_count,
                                 sizeof(*writer.host));
    writer.queue = cs_arena_alloc(&writer.arena, graph->device_count,
                                  sizeof(*writer.queue));
    nccl_writer_grow(&writer);
    code = nccl_writer_check(&writer, err);
    if (!code)
        code = add_system(&writer, err);
    if (!code)
        nccl_writer_note(&writer, notes);
    cs_arena_free(&writer.arena);
    return code;
}

const struct cs_writer cs_writer_nccl = {
    .name = "nccl",
    .prefix = "nccl:",
    .about = "a topology file of NCCL or RCCL",
    .write = nccl_writer_write,
};
