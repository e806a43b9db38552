/*
 * What the parts of the writer of InfraGraph share: places of devices in the
 * file, and the links and edges of a device or of the infrastructure.
 */
#pragma once

#include "sim/base/collections/name_index.h"
#include "sim/base/text.h"
#include "topo/formats/infragraph/reader.h"

enum {
    CS_INFRAGRAPH_NAMES = 16,
};

/* The place of a device in the file. */
struct cs_infragraph_place {
    const char *component;
    uint32_t index; /* of the component */
    uint32_t count; /* of the component */
    const char *instance;
    uint32_t instance_index;
};

/* Links and edges of a device or of the infrastructure. */
struct cs_infragraph_scope {
    struct cs_text links, edges;
    struct cs_names known; /* numbers of a link -> index of `names` */
    struct cs_names taken;
    const char **names;
    uint32_t count, capacity;
    uint32_t twins;
};

/* A device or a wire, in order of the host that it belongs to. */
struct cs_infragraph_part {
    uint32_t host;
    uint32_t number;
};

struct cs_infragraph_writer {
    const struct cs_graph *graph;
    struct cs_arena *arena;
    struct cs_infragraph_place *places;
    struct cs_text devices, instances;
    struct cs_names device_names, instance_names, bodies;
    struct cs_names pairs; /* of devices with a wire */
    struct cs_infragraph_part *host_devices, *host_wires;
    struct cs_text last_text; /* of the last instance's device */
    struct cs_infragraph_scope outer;
    const char *last_body; /* device of the last instance */
    const char *last_instance;
    uint32_t last_count;
    uint32_t serial; /* of names */
    uint32_t *order; /* of computing devices, as a reader finds them */
    uint32_t order_count;
};

/* The text without ';' and characters that no file accepts; in the arena. */
const char *cs_infragraph_plain(struct cs_infragraph_writer *writer, const char *text);

/* A name of letters, digits, '_' and '-' from `length` bytes of a text, not
 * taken so far. */
const char *cs_infragraph_name_in(struct cs_infragraph_writer *writer, struct cs_names *taken,
                                  const char *text, size_t length);

/* Appends "key=value" to a description. */
void cs_infragraph_add_kept(struct cs_text *out, const char *key, const char *value);

/* Moves the text to the arena. */
const char *cs_infragraph_taken(struct cs_infragraph_writer *writer, struct cs_text *text);

void cs_infragraph_scope_open(struct cs_infragraph_writer *writer,
                              struct cs_infragraph_scope *scope);
void cs_infragraph_scope_close(struct cs_infragraph_scope *scope);

/* The name of a link in a scope, which describes it once. */
const char *cs_infragraph_link_in(struct cs_infragraph_writer *writer,
                                  struct cs_infragraph_scope *scope, const struct cs_wire *wire);

/* The first of `count` parts of a host, or `count`. */
uint32_t cs_infragraph_parts_of(const struct cs_infragraph_part *parts, uint32_t count,
                                uint32_t host);

/* Puts devices and wires in order of hosts. */
void cs_infragraph_order_parts(struct cs_infragraph_writer *writer);

/* Appends the wires with both ends in a host, or (CS_NO_HOST) all others. */
void cs_infragraph_add_edges(struct cs_infragraph_writer *writer, struct cs_infragraph_scope *scope,
                             uint32_t host);
