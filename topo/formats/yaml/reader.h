/*
 * State of the YAML reader, and what its parts exchange.
 *
 *     devices.c        sets of names become lists of devices; kind, count, host
 *     links.c          link classes, links, and paths that are not the cheapest
 *     read.c           the file, its nodes, ranks and parameter servers
 *
 * Everything lives in the graph's arena.  While `in_node` is set, names of
 * devices are names in node 0 and get its prefix "n0.".
 */
#pragma once

#include "sim/base/collections/name_index.h"
#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/graph/graph.h"
#include "topo/graph/name_set.h"

#include <stdbool.h>
#include <stdint.h>

/* Limits of a file, above the largest known machines. */
enum {
    CS_YAML_COUNT_MAX = 65536,     /* count of a device; nodes */
    CS_YAML_DEVICES_MAX = 1 << 20, /* of the machine; route.c relies on this limit */
    CS_YAML_WIRES_MAX = 1 << 20,
    CS_YAML_ROUTED_RANKS_MAX = 512,     /* whose routes are written */
    CS_YAML_ROUTES_MAX = 1 << 20,       /* pairs of `routes:` */
    CS_YAML_NAME_MAX = CS_NAME_MAX - 8, /* characters of a name without `node:` */
};

/* A link class of the file's own. */
struct cs_yaml_class {
    const char *name;
    struct cs_wire numbers; /* of width 1 */
};

struct cs_yaml_reader {
    const struct cs_doc *doc;
    struct cs_graph *graph;
    struct cs_err *err;
    struct cs_names devices; /* full name -> device */
    struct cs_names counts;  /* name with a count -> the count */
    struct cs_yaml_class *classes;
    uint32_t class_count;
    uint32_t nodes;        /* value of `nodes:`; 0 if missing */
    uint32_t node_devices; /* number of devices per node */
    bool in_node;          /* names belong to node 0 */
    bool has_node;         /* the file has `node:` */
    uint32_t next_host;    /* next host number for devices of kind host */
};

/* Devices by number; in the arena. */
struct cs_yaml_list {
    uint32_t *items;
    uint32_t count;
};

/* Sets of names, with the document node of each set. */
struct cs_yaml_set {
    struct cs_name_set names;
    uint32_t node;
};

struct cs_yaml_sets {
    struct cs_yaml_set *at;
    uint32_t count;
    uint64_t names; /* sum over the sets, at most the limit of read_sets */
};

/* The prefix of names in the current section: "n0." or "". */
static inline const char *cs_yaml_prefix(const struct cs_yaml_reader *reader)
{
    return reader->in_node && reader->nodes ? "n0." : "";
}

/* Checks that a name differs from a number, a width and a set. A full name
 * (without "n0." in front) may come from another tool and have other
 * characters. */
int cs_yaml_check_name(const struct cs_yaml_reader *reader, uint32_t node, bool is_full);

/* The name as written in the section: without "n0." in a node. */
const char *cs_yaml_local_name(const struct cs_yaml_reader *reader, uint32_t device);

/* The device with that name in the section, or CS_NO_NAME. */
uint32_t cs_yaml_find_device(const struct cs_yaml_reader *reader, const char *name);

/* Appends the devices of a set to a list with enough room. */
int cs_yaml_append_set(const struct cs_yaml_reader *reader, const struct cs_yaml_set *set,
                       struct cs_yaml_list *list);

/* Reads a set or a list of sets with at most `limit` names; `what` is the name
 * of the key in messages. */
int cs_yaml_read_sets(const struct cs_yaml_reader *reader, uint32_t node, const char *what,
                      uint64_t limit, struct cs_yaml_sets *sets);

/* Reads the devices of a key that the map has. */
int cs_yaml_read_end(const struct cs_yaml_reader *reader, uint32_t map, const char *key,
                     uint64_t limit, struct cs_yaml_list *list);

/* Reads `classes:`. */
int cs_yaml_read_classes(struct cs_yaml_reader *reader, uint32_t map);

/* Sets class, rate, latency and family of a wire from a class of the file or a
 * built-in one. */
int cs_yaml_find_class(const struct cs_yaml_reader *reader, const char *text, struct cs_wire *wire,
                       struct cs_err *err);

/* Reads `devices:` of a section. */
int cs_yaml_read_devices(struct cs_yaml_reader *reader, uint32_t map);

/* Reads `links:` of a section: one device to many, or two lists in pairs. */
int cs_yaml_read_links(struct cs_yaml_reader *reader, uint32_t list);

/* Reads `routes:`, after devices and links. */
int cs_yaml_read_routes(struct cs_yaml_reader *reader, uint32_t list);

/* CS_EINPUT for two wires of the same class between the same devices. */
int cs_yaml_check_twice(const struct cs_yaml_reader *reader);

/* Builds the graph of a document; the document's arena must outlive the graph. */
int cs_yaml_build(const struct cs_doc *doc, const struct cs_topo_request *request,
                  struct cs_graph *graph, struct cs_err *err);
