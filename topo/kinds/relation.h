/*
 * Relations: how two devices of a computer are joined, in nvidia-smi's words.
 *
 *     NV#        so many NVLinks side by side, or to a switch that both have
 *     XGMI, HCCS the same of AMD and Huawei
 *     PIX        one PCIe switch between at most
 *     PXB        several, and no CPU
 *     PHB        one CPU
 *     NODE       several parts of one NUMA node
 *     SYS        what joins two sockets
 *     NET        another computer, or a network inside of this one
 *
 * After `nvidia-smi topo -m` (NVIDIA, legend of its own output).
 */
#ifndef CS_TOPO_KINDS_RELATION_H
#define CS_TOPO_KINDS_RELATION_H

#include "topo/graph/graph.h"

enum {
    CS_RELATION_TEXT = 24,
    CS_RELATION_DEVICES_MAX = 1024, /* GPUs and NICs of one table */
};

/* GPUs, hosts and NICs, in this order; as many as *count, in the arena. */
const uint32_t *cs_relation_devices(const struct cs_graph *graph,
                                    struct cs_arena *arena, uint32_t *count);

/* The relations of `from` to all devices of the list, into texts[i].
 * O(devices + wires) a call. */
void cs_relation_row(const struct cs_graph *graph, uint32_t from,
                     const uint32_t *devices, uint32_t count,
                     char (*texts)[CS_RELATION_TEXT]);

#endif
