/*
 * The PCIe tree of a graph, for the NCCL writer (write.c).
 *
 * An NCCL file is a tree below CPUs; a graph is not.  Every device gets one
 * parent wire, breadth first from all CPUs, so that the path to the nearest CPU
 * is kept.  Devices without a path to a CPU have no parent and are not written.
 */
#pragma once

#include "sim/base/collections/name_index.h"
#include "sim/base/text.h"
#include "topo/graph/graph.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_NCCL_NONE = UINT32_MAX,
    CS_NCCL_DEPTH_MAX = 60,         /* cpu > pci > pci ...; a reader's limit */
    CS_NCCL_WRITTEN_WIDTH_MAX = 16, /* lanes; wider slots are not in use */
};

struct cs_nccl_writer {
    const struct cs_graph *graph;
    struct cs_arena arena;
    uint32_t *parent; /* device -> the wire to the parent, or CS_NCCL_NONE */
    uint32_t *host;   /* device -> the host of the CPU above */
    uint32_t *queue;  /* devices by distance to a CPU */
    uint32_t queued;
    const char **names; /* of devices, for files */
    struct cs_names net_names;
    uint32_t nets;
    bool has_others; /* a link is written as PCIe although of another class */
    bool has_rates;  /* a rate differs by over a percent */
    struct cs_text *out;
};

/* NCCL and RCCL have elements for NVLink and xGMI; HCCS is unknown there. */
bool cs_nccl_writer_is_gpu_link(const struct cs_wire *wire);

/* The rank of a device, or CS_NCCL_NONE. */
uint32_t cs_nccl_writer_rank_of(const struct cs_nccl_writer *writer, uint32_t d);

/* Sets parents breadth first from all CPUs; GPUs and NICs have no children. */
void cs_nccl_writer_grow(struct cs_nccl_writer *writer);

/* Appends notes, a line each, of the links and NICs that the file lacks and of rates
 * that differ; called after the file is written. */
void cs_nccl_writer_note(struct cs_nccl_writer *writer, struct cs_text *notes);
