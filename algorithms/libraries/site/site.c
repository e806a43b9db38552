#include "algorithms/libraries/site/site.h"

#include "algorithms/libraries/site/node.h"
#include "algorithms/libraries/site/parts.h"
#include "sim/base/order.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that a sum moves through a CPU's memory for a byte of the result: two
 * reads and a write.  The library states a CPU's `reduce` likewise. */
#define SUM_BYTES 3

/* ---- GPUs ---- */

/* The kind of a GPU without a model, from the class of the links. */
static const struct cs_gpu_kind *site_kind_of_links(const struct cs_graph *graph, uint32_t device)
{
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        struct cs_link_class of;

        if (cs_wire_has_end(wire, device) && cs_site_is_link(wire) &&
            !cs_link_class_cut(wire->class_name, &of, NULL) && cs_gpu_kind_of_link(of.name))
            return cs_gpu_kind_of_link(of.name);
    }
    return NULL;
}

static const enum cs_site_maker site_makers[CS_GPU_MAKERS] = {
    [CS_GPU_OTHER] = CS_MAKER_OTHER,
    [CS_GPU_NVIDIA] = CS_MAKER_NVIDIA,
    [CS_GPU_AMD] = CS_MAKER_AMD,
};

static void site_set_gpu(const struct cs_graph *graph, struct cs_site *site)
{
    const struct cs_device *first = &graph->devices[graph->rank_device[0]];
    const struct cs_gpu_kind *kind = first->model;

    site->peer_access = true;
    if (first->kind == CS_DEVICE_HOST) {
        site->maker = CS_MAKER_HOST;
        return;
    }
    if (!kind)
        kind = site_kind_of_links(graph, graph->rank_device[0]);
    site->maker = kind ? site_makers[kind->maker] : CS_MAKER_NVIDIA;
    site->generation = kind ? kind->generation : 0;
    site->gpu = first->model ? first->model->name : NULL;
    if (first->peers != CS_PEERS_BY_MODEL)
        site->peer_access = first->peers == CS_PEERS_YES;
    else if (first->model)
        site->peer_access = first->model->peer_access;
}

/* Nodes of the folded form are equal. */
static void site_compare_makers(const struct cs_graph *graph, struct cs_site *site)
{
    enum cs_site_maker maker = site->maker;

    for (uint32_t r = 0; r < graph->rank_count && !graph->replicated.count; r++) {
        const struct cs_device *device = &graph->devices[graph->rank_device[r]];

        if ((device->kind == CS_DEVICE_HOST) != (maker == CS_MAKER_HOST) ||
            (device->model && site_makers[device->model->maker] != maker))
            site->maker = CS_MAKER_MIXED;
    }
}

static bool site_is_rank(const struct cs_graph *graph, uint32_t device)
{
    for (uint32_t r = 0; r < graph->rank_count; r++)
        if (graph->rank_device[r] == device)
            return true;
    return false;
}

/* Wires of one GPU. */
struct site_gpu_wires {
    double link_Bps, pcie_Bps;
    bool has_switch;
};

static struct site_gpu_wires site_wires_of(const struct cs_graph *graph, uint32_t device)
{
    struct site_gpu_wires sum = {0};

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        uint32_t to = cs_wire_far_end(wire, device);
        enum cs_device_kind kind = graph->devices[to].kind;
        double rate_Bps = cs_wire_effective(wire);

        if (!cs_wire_has_end(wire, device) || wire->down)
            continue;
        if (cs_site_is_link(wire)) {
            if (kind == CS_DEVICE_SWITCH || site_is_rank(graph, to))
                sum.link_Bps += rate_Bps;
            sum.has_switch = sum.has_switch || kind == CS_DEVICE_SWITCH;
        } else if (kind != CS_DEVICE_GPU && wire->family != CS_LINK_NETWORK &&
                   wire->family != CS_LINK_LOCAL && rate_Bps > sum.pcie_Bps) {
            sum.pcie_Bps = rate_Bps;
        }
    }
    return sum;
}

/* The GPU with the slowest wires counts. */
static void site_set_wires(const struct cs_graph *graph, struct cs_site *site,
                           struct cs_arena *arena)
{
    const unsigned *abilities = cs_graph_abilities(graph, arena);

    site->has_switch = graph->rank_count > 0;
    for (uint32_t r = 0; r < graph->rank_count; r++) {
        struct site_gpu_wires of = site_wires_of(graph, graph->rank_device[r]);

        if (r == 0 || of.link_Bps < site->link_Bps)
            site->link_Bps = of.link_Bps;
        if (r == 0 || of.pcie_Bps < site->pcie_Bps)
            site->pcie_Bps = of.pcie_Bps;
        site->has_switch = site->has_switch && of.has_switch;
    }
    for (uint32_t d = 0; d < graph->device_count && site->has_switch; d++)
        if (graph->devices[d].kind == CS_DEVICE_SWITCH && abilities[d] & CS_SWITCH_MULTIMEM)
            site->has_nvls = true;
}

/* ---- CPUs ---- */

static bool site_begins(const char *text, const char *with)
{
    return text && strncmp(text, with, strlen(with)) == 0;
}

static void site_set_vendor(struct cs_site *site, enum cs_cpu_vendor vendor)
{
    site->cpu_is_amd = site->cpu_is_amd || vendor == CS_CPU_AMD;
    site->cpu_is_arm = site->cpu_is_arm || vendor == CS_CPU_ARM;
}

/* The link between sockets also states the vendor, for machines that do not
 * state one. */
static void site_set_cpus(const struct cs_graph *graph, struct cs_site *site)
{
    for (uint32_t d = 0; d < graph->device_count; d++) {
        const struct cs_device *device = &graph->devices[d];
        double rate_Bps = SUM_BYTES * device->reduce_Bps;

        if (device->kind != CS_DEVICE_CPU)
            continue;
        site->cpus++;
        site_set_vendor(site, device->vendor);
        if (rate_Bps > 0 && (site->host_Bps <= 0 || rate_Bps < site->host_Bps))
            site->host_Bps = rate_Bps;
    }
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        double rate_Bps = cs_wire_effective(wire);

        if (wire->family != CS_LINK_SOCKET)
            continue;
        if (site->socket_Bps <= 0 || rate_Bps < site->socket_Bps)
            site->socket_Bps = rate_Bps;
        if (site_begins(wire->class_name, "xgmi-socket"))
            site_set_vendor(site, CS_CPU_AMD);
        else if (site_begins(wire->class_name, "arm-socket"))
            site_set_vendor(site, CS_CPU_ARM);
    }
}

/* Ranks from `first` on, alone in their node. */
static struct cs_site_part site_part_of(const struct cs_site_node *node, uint32_t first,
                                        uint32_t ranks, struct cs_arena *arena)
{
    struct cs_site_node part = *node;
    struct cs_site site = {0};

    part.graph.rank_device += first;
    part.graph.rank_count = ranks;
    site_set_wires(&part.graph, &site, arena);
    cs_site_rings_read(&part, arena, &site);
    return (struct cs_site_part){site.link_Bps, site.ring_Bps, site.gpu_path};
}

/* Launchers number ranks by their GPUs, whatever the order of the machine's
 * rings. */
static void site_read_parts(const struct cs_site_node *node, struct cs_site *site)
{
    uint32_t n = node->graph.rank_count, device[CS_SITE_PARTED_MAX];
    struct cs_site_node launched = *node;
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};

    if (site->has_switch || n > CS_SITE_PARTED_MAX)
        return;
    memcpy(device, node->graph.rank_device, n * sizeof(*device));
    qsort(device, n, sizeof(*device), cs_order_of_numbers);
    launched.graph.rank_device = device;
    for (uint32_t p = 0, ranks = 2; p < CS_SITE_PARTS && ranks < n; p++, ranks *= 2)
        for (uint32_t first = 0; first + ranks <= n; first += ranks) {
            struct cs_site_part part = site_part_of(&launched, first, ranks, &scratch);

            if (first == 0 || part.ring_Bps < site->parts[p].ring_Bps)
                site->parts[p] = part;
        }
}

int cs_site_read(const struct cs_graph *graph, struct cs_arena *arena, struct cs_site *site,
                 struct cs_err *err)
{
    struct cs_site_node node;

    *site = (struct cs_site){.ranks = graph->rank_count};
    if (graph->rank_count == 0)
        return cs_err_set(err, CS_EINPUT, "a machine without ranks has no library to run");
    cs_site_node_read(graph, arena, &node);
    site->nodes = node.nodes;
    site->node_ranks = node.graph.rank_count;
    site_set_gpu(&node.graph, site);
    site_compare_makers(graph, site);
    site_set_wires(&node.graph, site, arena);
    site_set_cpus(&node.graph, site);
    cs_site_rings_read(&node, arena, site);
    site_read_parts(&node, site);
    cs_site_net_read(graph, &node, arena, site);
    cs_site_fabric_read(graph, site);
    cs_site_uplinks_read(&node, arena, site);
    return 0;
}

void cs_site_scale_links(struct cs_site *site, double times)
{
    site->link_Bps *= times;
    site->ring_Bps *= times;
    site->exchange_Bps *= times;
    site->next_Bps *= times;
    site->root_Bps *= times;
    for (int p = 0; p < CS_SITE_PARTS; p++) {
        site->parts[p].link_Bps *= times;
        site->parts[p].ring_Bps *= times;
    }
}
