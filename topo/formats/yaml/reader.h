/*
 * State of the YAML reader (read.c), and what all of its parts use.
 *
 * Everything lives in the graph's arena.  While `in_node` is set, names of
 * devices are names in node 0 and get its prefix "n0.".
 */
#ifndef CS_TOPO_FORMATS_YAML_READER_H
#define CS_TOPO_FORMATS_YAML_READER_H

#include "sim/base/collections/name_index.h"
#include "topo/documents/doc.h"
#include "topo/graph/graph.h"

#include <stdbool.h>
#include <stdint.h>

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

/* The arena of the graph. */
struct cs_arena *cs_yaml_arena(const struct cs_yaml_reader *reader);

/* A node of the document. */
const struct cs_doc_node *cs_yaml_at(const struct cs_yaml_reader *reader, uint32_t node);

/* The prefix of names in the current section: "n0." or "". */
const char *cs_yaml_prefix(const struct cs_yaml_reader *reader);

/* Checks that a name differs from a number, a width and a set. A full name
 * (without "n0." in front) may come from another tool and have other
 * characters. */
int cs_yaml_check_name(const struct cs_yaml_reader *reader, uint32_t node, bool is_full);

#endif
