/*
 * Tables of NCCL topology files, shared by reader and writer: how the format
 * spells a PCIe generation, a generation of GPU links and a CPU, and the limits
 * of both.
 *
 * Sources: NVIDIA/nccl src/graph/topo.cc and topo.h, ROCm/rccl
 * src/graph/topo.cc.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    CS_NCCL_GPUS_MAX = 1024,    /* assumed; the largest file seen has 72 */
    CS_NCCL_CPUS_MAX = 1024,    /* sockets are joined pairwise */
    CS_NCCL_WIDTH_MAX = 64,     /* lanes; PCIe has up to 32 */
    CS_NCCL_LINKS_MAX = 128,    /* of one GPU to one target */
    CS_NCCL_GPU_LINKS_MAX = 36, /* of NVLink 6; more is reported */
    CS_NCCL_MBPS_MAX = 1600000, /* the fastest port has 1.6 Tb/s */
};

/* A PCIe generation: the link kind, the speed that current kernels print and
 * that of older kernels. */
struct cs_nccl_pcie {
    const char *kind;
    const char *speed;
    const char *old_speed;
};

extern const struct cs_nccl_pcie cs_nccl_pcies[];
extern const size_t cs_nccl_pcie_count;

/* The link kind of a link_speed, or NULL for an unknown speed. */
const char *cs_nccl_pcie_kind(const char *speed);

/* Whether a text begins with `with`, in any case. */
bool cs_nccl_begins(const char *text, const char *with);

/* The kind of a GPU's links: NCCL decides by compute capability `sm`, RCCL by
 * the chip `gcn`; either may be NULL. */
const char *cs_nccl_nvlink_kind(const char *sm);
const char *cs_nccl_xgmi_kind(const char *gcn);

/* The attribute of <gpu> that a reader maps back to the kind of this class, or
 * NULL for a class that NCCL does not know.  *kind is the link kind. */
const char *cs_nccl_gpu_attribute(const char *class_name, const char **kind);

/* The attributes of <cpu> that a reader maps back to the link between sockets
 * of this class, or NULL.  *kind is the link kind. */
const char *cs_nccl_cpu_attributes(const char *class_name, const char **kind);
