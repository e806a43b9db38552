/*
 * GPUs of an NCCL file and the links between them: NVLink, xGMI, C2C.
 *
 * Called after the PCI tree is read: GPUs are sorted by host and `dev`,
 * then links are counted in a matrix, so that a link listed at
 * both ends is a single wire.
 */
#ifndef CS_TOPO_FORMATS_NCCL_GPU_LINKS_H
#define CS_TOPO_FORMATS_NCCL_GPU_LINKS_H

#include "topo/formats/nccl/reader.h"
#include "topo/graph/graph.h"

#include <stdint.h>

/* Adds the GPUs as devices in the order of ranks, each with its PCI link.
 * CS_EINPUT without a GPU, and for duplicates. */
int cs_nccl_add_gpus(struct cs_nccl_reader *reader);

/* Adds an NVSwitch; returns the device. */
uint32_t cs_nccl_add_nvswitch(struct cs_graph *graph, const char *name, uint32_t host);

/* Adds the links between GPUs, to NVSwitches and to CPUs. */
int cs_nccl_join_gpus(struct cs_nccl_reader *reader);

#endif
