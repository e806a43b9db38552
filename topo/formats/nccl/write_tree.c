#include "topo/formats/nccl/write_tree.h"

#include "topo/kinds/link_kind.h"

bool cs_nccl_writer_is_gpu_link(const struct cs_wire *wire)
{
    return wire->family == CS_LINK_NVLINK || wire->family == CS_LINK_NVLINK_SHARP ||
           wire->family == CS_LINK_XGMI;
}

uint32_t cs_nccl_writer_rank_of(const struct cs_nccl_writer *writer, uint32_t d)
{
    uint32_t r = 0;

    while (r < writer->graph->rank_count && writer->graph->rank_device[r] != d)
        r++;
    return r < writer->graph->rank_count ? r : CS_NCCL_NONE;
}

/* ---- the tree of PCIe ---- */

/* Whether the wire leads from `d` down to a device without a parent. A
 * switch inside a host may lack the host's number. */
static bool leads_down(const struct cs_nccl_writer *writer, uint32_t w, uint32_t d)
{
    const struct cs_wire *wire = &writer->graph->wires[w];
    uint32_t to = cs_wire_far_end(wire, d);
    const struct cs_device *other = &writer->graph->devices[to];

    return cs_wire_has_end(wire, d) && writer->parent[to] == CS_NCCL_NONE &&
           other->kind != CS_DEVICE_CPU && !cs_nccl_writer_is_gpu_link(wire) &&
           wire->family != CS_LINK_C2C && wire->family != CS_LINK_NETWORK &&
           wire->family != CS_LINK_SOCKET &&
           (other->host == writer->host[d] ||
            (other->host == CS_NO_HOST && other->kind == CS_DEVICE_SWITCH));
}

/* A GPU without PCIe (Grace) gets the CPU at the other end of a link as
 * parent. */
static void hang_on_cpus(struct cs_nccl_writer *writer)
{
    const struct cs_graph *graph = writer->graph;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        bool down = graph->devices[wire->a].kind == CS_DEVICE_CPU;
        uint32_t cpu = down ? wire->a : wire->b;
        uint32_t to = cs_wire_far_end(wire, cpu);

        if (graph->devices[cpu].kind == CS_DEVICE_CPU &&
            graph->devices[cpu].host == graph->devices[to].host &&
            cs_device_computes(graph->devices[to].kind) && writer->parent[to] == CS_NCCL_NONE)
            writer->parent[to] = w;
    }
}

void cs_nccl_writer_grow(struct cs_nccl_writer *writer)
{
    const struct cs_graph *graph = writer->graph;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        writer->parent[d] = CS_NCCL_NONE;
        writer->host[d] = graph->devices[d].host;
        if (graph->devices[d].kind == CS_DEVICE_CPU)
            writer->queue[writer->queued++] = d;
    }
    for (uint32_t i = 0; i < writer->queued; i++) {
        uint32_t d = writer->queue[i];

        if (writer->graph->devices[d].kind != CS_DEVICE_CPU &&
            writer->graph->devices[d].kind != CS_DEVICE_SWITCH)
            continue;
        for (uint32_t w = 0; w < graph->wire_count; w++)
            if (leads_down(writer, w, d)) {
                uint32_t to = cs_wire_far_end(&graph->wires[w], d);

                writer->parent[to] = w;
                writer->host[to] = writer->host[d];
                writer->queue[writer->queued++] = to;
            }
    }
    hang_on_cpus(writer);
}

/* ---- notes ---- */

/* How the file represents a wire. */
enum nccl_writer_fate {
    FATE_WRITTEN,
    FATE_SOCKETS,
    FATE_OUTSIDE,
    FATE_LEFT_OUT,
    FATES,
};

static enum nccl_writer_fate nccl_writer_fate_of(const struct cs_nccl_writer *writer, uint32_t w)
{
    const struct cs_wire *wire = &writer->graph->wires[w];
    const struct cs_device *a = &writer->graph->devices[wire->a];
    const struct cs_device *b = &writer->graph->devices[wire->b];
    bool has_gpu = cs_device_computes(a->kind) || cs_device_computes(b->kind);

    if (writer->parent[wire->a] == w || writer->parent[wire->b] == w ||
        (has_gpu && (cs_nccl_writer_is_gpu_link(wire) || wire->family == CS_LINK_C2C)))
        return FATE_WRITTEN;
    if (wire->family == CS_LINK_SOCKET)
        return FATE_SOCKETS;
    if (writer->host[wire->a] != writer->host[wire->b] || writer->host[wire->a] == CS_NO_HOST)
        return FATE_OUTSIDE;
    return a->kind == CS_DEVICE_CPU && b->kind == CS_DEVICE_CPU ? FATE_SOCKETS : FATE_LEFT_OUT;
}

/* Pairs of CPUs in one host; NCCL assumes a link for every pair. */
static uint64_t count_socket_pairs(const struct cs_graph *graph)
{
    uint64_t pairs = 0;
    uint32_t before = 0, host = CS_NCCL_NONE;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        if (graph->devices[d].kind != CS_DEVICE_CPU)
            continue;
        before = graph->devices[d].host == host ? before + 1 : 0;
        host = graph->devices[d].host;
        pairs += before;
    }
    return pairs;
}

/* Whether the links of CPUs meet in a switch (topo/kinds/socket.h), as a reader
 * of the file makes it. */
static bool has_socket_middle(const struct cs_graph *graph)
{
    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (graph->wires[w].family == CS_LINK_SOCKET &&
            (graph->devices[graph->wires[w].a].kind == CS_DEVICE_SWITCH ||
             graph->devices[graph->wires[w].b].kind == CS_DEVICE_SWITCH))
            return true;
    return false;
}

static uint32_t count_lost_nics(const struct cs_nccl_writer *writer)
{
    uint32_t count = 0;

    for (uint32_t d = 0; d < writer->graph->device_count; d++)
        count +=
            writer->graph->devices[d].kind == CS_DEVICE_NIC && writer->parent[d] == CS_NCCL_NONE;
    return count;
}

static void note_left_out(struct cs_nccl_writer *writer, struct cs_text *notes)
{
    uint32_t nics = count_lost_nics(writer);
    uint32_t fates[FATES] = {0}, first = 0;

    for (uint32_t w = 0; w < writer->graph->wire_count; w++)
        if (fates[nccl_writer_fate_of(writer, w)]++ == 0 &&
            nccl_writer_fate_of(writer, w) == FATE_LEFT_OUT)
            first = w;
    if (fates[FATE_SOCKETS])
        cs_text_add(notes, "links between sockets are given by the CPU's vendor and model\n");
    if (fates[FATE_SOCKETS] < count_socket_pairs(writer->graph) &&
        !has_socket_middle(writer->graph))
        cs_text_add(notes, "NCCL connects all sockets of a node; this machine does not\n");
    if (fates[FATE_OUTSIDE])
        cs_text_add(notes, "the inter-node network is omitted\n");
    if (fates[FATE_LEFT_OUT])
        cs_text_printf(notes,
                       "%u links are omitted that are neither in the PCIe tree nor NVLink, xGMI or "
                       "C2C; the first is %s\n",
                       fates[FATE_LEFT_OUT],
                       cs_graph_link_name(writer->graph, 2 * first, &writer->arena));
    if (nics)
        cs_text_printf(notes, "%u NICs without a path to a CPU are omitted\n", nics);
}

void cs_nccl_writer_note(struct cs_nccl_writer *writer, struct cs_text *notes)
{
    cs_text_add(notes, "latencies and efficiencies are omitted: NCCL has its own\n");
    note_left_out(writer, notes);
    if (writer->has_others)
        cs_text_add(notes, "other links are written as the PCIe link with the nearest rate\n");
    if (writer->has_rates)
        cs_text_add(notes, "some rates differ by over 1 %: the format has no closer rate\n");
}
