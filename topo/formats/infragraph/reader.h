/*
 * The state of a reader of InfraGraph, and what its parts exchange.
 *
 *     read.c      devices and components, instances and their leaves
 *     edges.c     "server[0:2]", "cx7[0:8].port[0]": endpoints, and edges as pairs of leaves
 *     links.c     the rate and the latency of a link
 *     machine.c   leaves and edges as devices and wires of a graph
 *
 * A leaf is a component of a device that is not a device itself.  A device of L
 * leaves has the leaves 0 to L - 1, in order of components, then of indices; the
 * leaves of an instance follow each other.
 */
#pragma once

#include "topo/documents/doc.h"
#include "topo/graph/graph.h"

enum cs_infra_choice {
    CS_INFRA_CUSTOM,
    CS_INFRA_DEVICE,
    CS_INFRA_CPU,
    CS_INFRA_XPU,
    CS_INFRA_NIC,
    CS_INFRA_MEMORY,
    CS_INFRA_PORT,
    CS_INFRA_SWITCH,
    CS_INFRA_CHOICES,
};

enum {
    CS_INFRA_LEAVES_MAX = 1 << 18, /* of a machine, and of an endpoint */
    CS_INFRA_EDGES_MAX = 1 << 20,
    CS_INFRA_NESTING_MAX = 16, /* of devices; invented, 3 are common */
};

struct cs_infra_component {
    const char *name;
    const char *about; /* the description, or "" */
    enum cs_infra_choice choice;
    uint32_t node;
    uint32_t count;
    uint32_t device; /* index of the device that a component is, or none */
    uint32_t first;  /* leaf of index 0 */
    uint32_t each;   /* leaves of an index: 1 unless a device */
};

struct cs_infra_edge {
    uint32_t a, b; /* leaves */
    uint32_t node; /* of the edge */
    uint32_t link; /* node of the link */
};

/* The leaves of an endpoint, or edges: arrays that grow. */
struct cs_infra_leaves {
    uint32_t *at;
    uint32_t count, capacity;
};

struct cs_infra_edges {
    struct cs_infra_edge *at;
    uint32_t count, capacity;
};

struct cs_infra_device {
    const char *name;
    uint32_t node;
    struct cs_infra_component *components;
    uint32_t count;
    uint32_t leaves;             /* 0: not numbered so far */
    bool has_xpu;                /* in the device, or in a component that is a device */
    struct cs_infra_edges edges; /* without those of inner devices */
};

struct cs_infra_instance {
    const char *name;
    uint32_t device;
    uint32_t count;
    uint32_t first; /* leaf of index 0, of the machine */
    uint32_t host;  /* of index 0, or CS_NO_HOST */
};

struct cs_infra_leaf {
    uint32_t device;    /* the innermost */
    uint32_t component; /* of the device */
    uint32_t index;
    uint32_t instance, instance_index;
    const char *prefix; /* of inner devices, "cx7_3."; "" in an instance */
};

/* A device in the machine, an inner one too: its first leaf. */
struct cs_infra_placed {
    uint32_t device, first;
};

struct cs_infra_reader {
    const struct cs_doc *doc;
    uint32_t root; /* node of the infrastructure */
    struct cs_graph *graph;
    struct cs_err *err;
    const struct cs_gpu_kind *gpu; /* by --gpu, or NULL */
    struct cs_infra_device *devices;
    uint32_t device_count;
    struct cs_infra_instance *instances;
    uint32_t instance_count;
    uint32_t host_count;
    struct cs_infra_leaf *leaves;
    uint32_t leaf_count;
    struct cs_infra_placed *placed;
    uint32_t placed_count, placed_capacity;
    struct cs_infra_edges edges;           /* of the machine, freed by the caller */
    struct cs_infra_leaves ends[2], spare; /* freed by the caller */
    bool *noted;                           /* by node: has a note */
};

static inline const struct cs_infra_component *cs_infra_component_of(
    const struct cs_infra_reader *reader, uint32_t leaf)
{
    const struct cs_infra_leaf *at = &reader->leaves[leaf];

    return &reader->devices[at->device].components[at->component];
}

/* Whether the leaf belongs to an instance that computes. */
static inline bool cs_infra_in_host(const struct cs_infra_reader *reader, uint32_t leaf)
{
    return reader->instances[reader->leaves[leaf].instance].host != CS_NO_HOST;
}

int cs_infra_read_edges(struct cs_infra_reader *reader);
int cs_infra_build(struct cs_infra_reader *reader);

/* What a link is. */
struct cs_infra_wire {
    struct cs_wire wire; /* without ends */
    bool is_internal;    /* without a rate of its own: inside a chip or a box */
};

/*
 * The wire of an edge; `shares` is the number of edges of its link at the GPU of
 * the edge, between which the links of the GPU are divided. CS_EINPUT where
 * neither a bandwidth nor a name says what the link is.
 */
int cs_infra_link(struct cs_infra_reader *reader, const struct cs_infra_edge *edge, uint32_t shares,
                  struct cs_infra_wire *link);

/* The GPU model of a component: of its description, its name or --gpu; NULL:
 * unknown. */
const struct cs_gpu_kind *cs_infra_gpu(const struct cs_infra_reader *reader,
                                       const struct cs_infra_component *component);
