/*
 * Relations: the connection of two devices of a host, in the terms of
 * nvidia-smi.
 *
 *     NV#        # parallel NVLinks, direct or to a common switch
 *     XGMI, HCCS the same for AMD and Huawei
 *     PIX        at most one PCIe switch
 *     PXB        several PCIe switches, no CPU
 *     PHB        one CPU
 *     NODE       several host bridges of a NUMA node
 *     SYS        a link between sockets
 *     NET        another host, or a network inside the host
 *
 * Source: legend of `nvidia-smi topo -m` (NVIDIA).
 */
#pragma once

#include "topo/graph/graph.h"

enum {
    CS_RELATION_TEXT = 24,
    CS_RELATION_DEVICES_MAX = 1024, /* GPUs and NICs of a table */
};

/* GPUs and hosts, then NICs; *count entries, in the arena. */
const uint32_t *cs_relation_devices(const struct cs_graph *graph, struct cs_arena *arena,
                                    uint32_t *count);

/* Writes the relation of `from` and devices[i] to texts[i]. O(devices *
 * wires) in the worst case. */
void cs_relation_row(const struct cs_graph *graph, uint32_t from, const uint32_t *devices,
                     uint32_t count, char (*texts)[CS_RELATION_TEXT]);
