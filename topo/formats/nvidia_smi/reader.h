/*
 * State of the reader of nvidia-smi: the kind of every pair of devices, symmetric, with
 * gaps filled, and the links of GPUs (read.c); the PCIe tree behind them, where groups
 * of close devices become switches, host bridges and NUMA nodes (pcie.c).
 */
#pragma once

#include "topo/formats/matrix.h"
#include "topo/graph/graph.h"
#include "topo/kinds/gpu_kind.h"

#include <stdbool.h>
#include <stdint.h>

enum cs_smi_level {
    CS_SMI_PIX,
    CS_SMI_PXB,
    CS_SMI_PHB,
    CS_SMI_NODE,
    CS_SMI_LEVELS, /* number of levels with groups */
    CS_SMI_SYS = CS_SMI_LEVELS,
    CS_SMI_NVLINK,
    CS_SMI_UNKNOWN,
};

struct cs_smi_relation {
    uint8_t level;
    bool assumed;   /* the pair is missing */
    uint32_t links; /* of NVLINK */
};

enum cs_smi_limits {
    CS_SMI_SWITCH_LINKS_MIN = 6, /* above every known mesh, per pair */
    CS_SMI_NVLINKS_MAX = 1000,
};

/* NVLinks of a GPU; 0 for other devices. */
struct cs_smi_links {
    uint32_t mesh; /* first GPU that NVLinks lead to, from GPU to GPU */
    uint32_t row;  /* in all pairs */
    uint32_t pair; /* in the pair with the most */
    /* Of the first GPU of a mesh: the largest row, and whether the pairs could
     * be those of a switch. */
    uint32_t largest_row;
    bool looks_switched;
};

struct cs_smi_reader {
    struct cs_matrix matrix;
    struct cs_graph *graph;
    struct cs_err *err;
    const struct cs_gpu_kind *gpu;
    bool named;                        /* by --gpu, not a guess */
    struct cs_smi_relation *relations; /* row by row, symmetric */
    uint32_t *group[CS_SMI_LEVELS];    /* device -> first device of its group */
    struct cs_smi_links *links;        /* by device */
    uint32_t gpu_count;
};

/* The relation of devices a and b. */
static inline struct cs_smi_relation *cs_smi_at(const struct cs_smi_reader *reader, uint32_t a,
                                                uint32_t b)
{
    return &reader->relations[a * reader->matrix.columns + b];
}

/* Whether column i is a GPU. */
static inline bool cs_smi_is_gpu(const struct cs_smi_reader *reader, uint32_t i)
{
    return cs_matrix_is_gpu(reader->matrix.names[i]);
}

/* Sets the groups of every level, from the relations and CPU affinities. */
void cs_smi_make_groups(struct cs_smi_reader *reader);

/* Adds CPUs, host bridges, switches and PCIe links to the graph. */
void cs_smi_join_tree(struct cs_smi_reader *reader);
