/*
 * The state of a reader of InfraGraph, and what its parts exchange.
 *
 *     inventory.c   devices and components, instances and their leaves
 *     endpoints.c   "server[0:2]", "cx7[0:8].port[0]": the leaves of an endpoint
 *     edges.c       the edges of devices and of the infrastructure, as pairs
 *     links.c       the rate and the latency of a link
 *     machine.c     leaves and edges as devices and wires of a graph
 *
 * A leaf is a component of a device that is not a device itself.  A device of L
 * leaves has the leaves 0 to L - 1, in order of components, then of indices; the
 * leaves of an instance follow each other.
 */
#pragma once

#include "topo/documents/doc.h"
#include "topo/graph/graph.h"

enum cs_infragraph_choice {
    CS_INFRAGRAPH_CUSTOM,
    CS_INFRAGRAPH_DEVICE,
    CS_INFRAGRAPH_CPU,
    CS_INFRAGRAPH_XPU,
    CS_INFRAGRAPH_NIC,
    CS_INFRAGRAPH_MEMORY,
    CS_INFRAGRAPH_PORT,
    CS_INFRAGRAPH_SWITCH,
    CS_INFRAGRAPH_CHOICES,
};

enum {
    CS_INFRAGRAPH_LEAVES_MAX = 1 << 18, /* of a machine, and of an endpoint */
    CS_INFRAGRAPH_EDGES_MAX = 1 << 20,
    CS_INFRAGRAPH_NESTING_MAX = 16, /* of devices; invented, 3 are common */
};

struct cs_infragraph_component {
    const char *name;
    const char *about; /* the description, or "" */
    const char *type;  /* of a custom component, or "" */
    enum cs_infragraph_choice choice;
    uint32_t node;
    uint32_t count;
    uint32_t device; /* index of the device that a component is, or none */
    uint32_t first;  /* leaf of index 0 */
    uint32_t each;   /* leaves of an index: 1 unless a device */
};

struct cs_infragraph_edge {
    uint32_t a, b; /* leaves */
    uint32_t node; /* of the edge */
    uint32_t link; /* node of the link; CS_DOC_NONE: not described */
};

/* The leaves of an endpoint, or edges: arrays that grow. */
struct cs_infragraph_leaves {
    uint32_t *at;
    uint32_t count, capacity;
};

struct cs_infragraph_edges {
    struct cs_infragraph_edge *at;
    uint32_t count, capacity;
};

struct cs_infragraph_device {
    const char *name;
    const char *about;
    uint32_t node;
    struct cs_infragraph_component *components;
    uint32_t count;
    uint32_t leaves;                  /* 0: not measured so far */
    bool has_xpu;                     /* in the device, or in a component that is a device */
    struct cs_infragraph_edges edges; /* without those of inner devices */
};

struct cs_infragraph_instance {
    const char *name;
    uint32_t node;
    uint32_t device;
    uint32_t count;
    uint32_t first; /* leaf of index 0, of the machine */
    uint32_t host;  /* of index 0, or CS_NO_HOST */
};

struct cs_infragraph_leaf {
    uint32_t device;    /* the innermost */
    uint32_t component; /* of the device */
    uint32_t index;
    uint32_t instance, instance_index;
    const char *prefix; /* of inner devices, "cx7_3."; "" in an instance */
};

struct cs_infragraph_reader {
    const struct cs_doc *doc;
    uint32_t root; /* node of the infrastructure */
    struct cs_graph *graph;
    struct cs_err *err;
    const struct cs_gpu_kind *gpu; /* by --gpu, or NULL */
    struct cs_infragraph_device *devices;
    uint32_t device_count;
    struct cs_infragraph_instance *instances;
    uint32_t instance_count;
    uint32_t host_count;
    struct cs_infragraph_leaf *leaves;
    uint32_t leaf_count;
    struct cs_infragraph_edges edges;           /* of the machine, freed by the caller */
    struct cs_infragraph_leaves ends[2], spare; /* freed by the caller */
    bool *noted;                                /* by node: has a note */
};

/* The description of a node, or "". */
const char *cs_infragraph_about(const struct cs_infragraph_reader *reader, uint32_t node);

/*
 * A value that the writer keeps in a description, "efficiency" of "ib-ndr;
 * efficiency=0.99": in the arena, or NULL.
 */
const char *cs_infragraph_kept(const struct cs_infragraph_reader *reader, const char *about,
                               const char *key);

/* A name that the writer's descriptions and the reader share. */
#define CS_INFRAGRAPH_TWIN "parallel-link"

static inline const struct cs_infragraph_component *cs_infragraph_component_of(
    const struct cs_infragraph_reader *reader, uint32_t leaf)
{
    const struct cs_infragraph_leaf *at = &reader->leaves[leaf];

    return &reader->devices[at->device].components[at->component];
}

/* Whether the leaf belongs to an instance that computes. */
static inline bool cs_infragraph_in_host(const struct cs_infragraph_reader *reader, uint32_t leaf)
{
    return reader->instances[reader->leaves[leaf].instance].host != CS_NO_HOST;
}

/* The index of the device, or CS_DOC_NONE. O(devices). */
uint32_t cs_infragraph_device(const struct cs_infragraph_reader *reader, const char *name);

int cs_infragraph_read_inventory(struct cs_infragraph_reader *reader);
int cs_infragraph_read_edges(struct cs_infragraph_reader *reader);
int cs_infragraph_build(struct cs_infragraph_reader *reader);

/* Appends the leaves of an endpoint of the device to `leaves`, from 0 on.
 * `text`: "cx7[0:8].port[0]". CS_EINPUT for an unknown component. */
int cs_infragraph_expand(struct cs_infragraph_reader *reader, uint32_t device, uint32_t node,
                         const char *text, struct cs_infragraph_leaves *leaves);

/* The indices of "[1:4]" behind a name, by the rules of slices of Python;
 * without brackets all. CS_EINPUT for an index outside. */
int cs_infragraph_slice(struct cs_infragraph_reader *reader, uint32_t node, const char *text,
                        uint32_t count, struct cs_infragraph_leaves *indices);

/* The link with a name in the list of an owner, which messages call `of`: "same
 * device".  CS_EINPUT without it. */
int cs_infragraph_find_link(const struct cs_infragraph_reader *reader, uint32_t node,
                            const char *name, uint32_t owner, const char *of, uint32_t *link);

/* What a link is. */
struct cs_infragraph_wire {
    struct cs_wire wire; /* without ends */
    bool is_internal;    /* without a rate of its own: inside a chip or a box */
};

/*
 * The wire of an edge; `shares` is the number of edges of its link at the GPU of
 * the edge, between which the links of the GPU are divided. CS_EINPUT where
 * neither a bandwidth nor a name says what the link is.
 */
int cs_infragraph_link(struct cs_infragraph_reader *reader, const struct cs_infragraph_edge *edge,
                       uint32_t shares, struct cs_infragraph_wire *link);

/* The GPU model of a component: of its description, its name or --gpu; NULL:
 * unknown. */
const struct cs_gpu_kind *cs_infragraph_gpu(const struct cs_infragraph_reader *reader,
                                            const struct cs_infragraph_component *component);
