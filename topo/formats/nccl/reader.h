/*
 * State of the NCCL reader (read.c), and what all of its parts use: bus ids,
 * prefixes of PCI classes, and devices of the graph.
 *
 * Everything lives in the graph's arena.  Positions are by element of the
 * document: where an element is attached and to which computer it belongs.
 */
#ifndef CS_TOPO_FORMATS_NCCL_READER_H
#define CS_TOPO_FORMATS_NCCL_READER_H

#include "sim/base/collections/name_index.h"
#include "topo/documents/doc.h"
#include "topo/formats/nccl/tables.h"
#include "topo/graph/graph.h"

#include <stdbool.h>
#include <stdint.h>

struct cs_nccl_gpu {
    uint32_t element; /* its <pci> */
    uint32_t gpu;     /* its <gpu>, or CS_DOC_NONE */
    uint32_t host;
    uint32_t cpu; /* device */
    int64_t dev;
    uint32_t device;
    uint64_t busid;
};

/* What an element is to its children. */
struct cs_nccl_place {
    uint32_t parent; /* element */
    uint32_t device; /* that children hang on, or CS_DOC_NONE */
    uint32_t cpu;    /* device of the socket */
    uint32_t host;
    uint32_t slow; /* a bridge left out whose link is the slower, or NONE */
};

struct cs_nccl_reader {
    const struct cs_doc *doc;
    struct cs_graph *graph;
    struct cs_err *err;
    struct cs_nccl_place *places; /* by element */
    struct cs_nccl_gpu *gpus;
    uint32_t gpu_count;
    struct cs_names hosts; /* host_hash -> number */
    uint32_t host_count;
    uint32_t *cpus; /* devices, in order; with their elements */
    uint32_t *cpu_elements;
    uint32_t cpu_count;
    uint32_t switch_count, nic_count;
    uint32_t classless; /* a leaf that could be anything, or CS_DOC_NONE */
    bool has_gpus;      /* there are <gpu> elements */
    bool has_links;
    bool has_pcilinks;
};

/* No bus id. */
#define CS_NCCL_BAD_BUSID UINT64_MAX

/* "n1." where there are several computers. */
const char *cs_nccl_prefix(const struct cs_nccl_reader *reader, uint32_t host);

/* The hexadecimal digits of a bus id, without separators: "0000:1B:00.0" ->
 * 0x00001b000; CS_NCCL_BAD_BUSID for any other text. */
uint64_t cs_nccl_busid(const char *text);

uint32_t cs_nccl_add_device(const struct cs_nccl_reader *reader,
                            const char *name, enum cs_device_kind kind,
                            uint32_t element);

uint32_t cs_nccl_add_numbered(const struct cs_nccl_reader *reader,
                              const char *stem, int64_t n,
                              enum cs_device_kind kind, uint32_t element);

#endif
