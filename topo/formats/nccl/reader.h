/*
 * State of the NCCL reader, and what its parts exchange.
 *
 *     pci_tree.c    sockets, bridges, NICs and places of GPUs; bus ids, PCI links
 *     gpu_links.c   GPUs, and the links between them
 *     net_port.c    the network side of a NIC
 *     read.c        sockets, and what the file leaves open
 *
 * All memory is in the graph's arena.  Arrays by element of the document hold
 * the parent, the host and the device above each element.
 */
#pragma once

#include "sim/base/collections/name_index.h"
#include "topo/documents/doc.h"
#include "topo/formats/nccl/tables.h"
#include "topo/graph/graph.h"

#include <stdbool.h>
#include <stdint.h>

struct cs_nccl_gpu {
    uint32_t element; /* the <pci> */
    uint32_t gpu;     /* the <gpu>, or CS_DOC_NONE */
    uint32_t host;
    uint32_t cpu; /* device */
    int64_t dev;
    uint32_t device;
    uint64_t busid;
};

/* The position of an element's children. */
struct cs_nccl_place {
    uint32_t parent; /* element */
    uint32_t device; /* above the children, or CS_DOC_NONE */
    uint32_t cpu;    /* device of the socket */
    uint32_t host;
    uint32_t slow; /* the omitted bridge with the lowest rate, or CS_DOC_NONE */
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
    uint32_t *cpus; /* devices in file order, and the elements */
    uint32_t *cpu_elements;
    uint32_t cpu_count;
    uint32_t switch_count, nic_count;
    struct cs_names virtual_nics; /* host and name */
    uint32_t idle;                /* interfaces that join nothing, left out */
    bool has_adapters;            /* a <net> that joins something */
    uint32_t classless;           /* a PCI leaf of unknown class, or CS_DOC_NONE */
    bool has_gpus;                /* the file has <gpu> elements */
    bool has_links;
    bool has_pcilinks;
};

/* No bus id. */
#define CS_NCCL_BAD_BUSID UINT64_MAX

/* The prefix of a host's device names: "n1.", or "" for a single host. */
const char *cs_nccl_prefix(const struct cs_nccl_reader *reader, uint32_t host);

/* The hexadecimal digits of a bus id, without separators: "0000:1B:00.0" ->
 * 0x00001b000; CS_NCCL_BAD_BUSID for any other text. */
uint64_t cs_nccl_busid(const char *text);

/* Adds a device on the element's host, with the prefix of the host before `stem` and
 * a number; returns the device. */
uint32_t cs_nccl_add_numbered(const struct cs_nccl_reader *reader, const char *stem, int64_t n,
                              enum cs_device_kind kind, uint32_t element);

/* Adds a wire from `device` to the nearest device above, with the lower rate of the
 * element and of the omitted bridge between them. */
int cs_nccl_join(const struct cs_nccl_reader *reader, uint32_t element, uint32_t device);

/* Reads all <cpu>, <pci> and <nic> elements, parents before children: adds sockets,
 * bridges and NICs, and records GPUs, whose order of ranks depends on all of them. */
int cs_nccl_read_tree(struct cs_nccl_reader *reader);

/* Adds the GPUs as devices in the order of ranks, by host and `dev`, each with its PCI
 * link.  CS_EINPUT without a GPU, and for duplicates. */
int cs_nccl_add_gpus(struct cs_nccl_reader *reader);

/* Adds the links between GPUs, to NVSwitches and to CPUs: NVLink, xGMI, C2C.  They are
 * counted in a matrix first, so that a link listed at both ends is a single wire. */
int cs_nccl_join_gpus(struct cs_nccl_reader *reader);
