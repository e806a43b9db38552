/*
 * State of the hwloc reader (read.c), and access to objects of the document.
 */
#ifndef CS_TOPO_FORMATS_HWLOC_READER_H
#define CS_TOPO_FORMATS_HWLOC_READER_H

#include "sim/base/collections/name_index.h"
#include "topo/documents/doc.h"
#include "topo/graph/graph.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_HWLOC_GPUS_MAX = 1024,
    CS_HWLOC_PACKAGES_MAX = 1024,
    CS_HWLOC_OBJECTS_MAX = 4096, /* of a matrix */
    CS_HWLOC_LINK_MBPS_MAX = 100000000,
};

/* The position of an element's children. */
struct cs_hwloc_place {
    uint32_t parent;
    uint32_t device;  /* above the children; CS_DOC_NONE above packages */
    double slow_GBps; /* lowest rate of omitted bridges; 0: no bridge */
};

struct cs_hwloc_reader {
    const struct cs_doc *doc;
    struct cs_graph *graph;
    struct cs_err *err;
    struct cs_hwloc_place *places;
    struct cs_names objects; /* "OSDev:802" -> element */
    uint32_t *packages;      /* elements */
    uint32_t package_count;
    uint32_t gpu_count, nic_count, bridge_count;
    uint32_t nvswitch; /* device, or CS_DOC_NONE */
    uint32_t unknown;  /* links without a speed */
};

/* The value of an attribute, "" if missing. */
const char *cs_hwloc_get(const struct cs_hwloc_reader *reader, uint32_t element, const char *name);

/* Whether the element is an object of that type. */
bool cs_hwloc_is(const struct cs_hwloc_reader *reader, uint32_t element, const char *type);

/* A node of the document. */
const struct cs_doc_node *cs_hwloc_at(const struct cs_hwloc_reader *reader, uint32_t node);

/* The value of an <info> in the element, or NULL. */
const char *cs_hwloc_info(const struct cs_hwloc_reader *reader, uint32_t element, const char *name);

/* Adds a device with the name `stem` and a number; returns the device. */
uint32_t cs_hwloc_add_device(const struct cs_hwloc_reader *reader, const char *stem,
                             uint32_t number, enum cs_device_kind kind, uint32_t element);

#endif
