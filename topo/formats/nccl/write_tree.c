#include "topo/formats/nccl/write_tree.h"

#include "topo/graph/graph.h"
#include "topo/kinds/link_kind.h"

#include <string.h>

const struct cs_device *cs_nccl_writer_device_of(const struct cs_nccl_writer *writer, uint32_t d)
{
    return &writer->graph->devices[d];
}

bool cs_nccl_writer_is_c2c(const struct cs_wire *wire)
{
    return wire->family == CS_LINK_C2C;
}

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
    const struct cs_device *other = cs_nccl_writer_device_of(writer, to);

    return cs_wire_has_end(wire, d) && writer->parent[to] == CS_NCCL_NONE &&
           other->kind != CS_DEVICE_CPU && !cs_nccl_writer_is_gpu_link(wire) &&
           !cs_nccl_writer_is_c2c(wire) && wire->family != CS_LINK_NETWORK &&
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

        if (cs_nccl_writer_device_of(writer, d)->kind != CS_DEVICE_CPU &&
            cs_nccl_writer_device_of(writer, d)->kind != CS_DEVICE_SWITCH)
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
