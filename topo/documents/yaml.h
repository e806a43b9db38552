/*
 * YAML documents: reads a YAML or JSON file into a tree (doc.h); JSON is YAML.
 *
 * Only plain data is accepted: no anchors or aliases (so no cycles and no
 * "billion laughs"), no tags, one document, no duplicate key in a map.  Limits
 * are checked before memory is allocated.
 *
 *     read   O(bytes); the keys of a map are sorted to find a duplicate
 */
#pragma once

#include "topo/documents/doc.h"

enum {
    CS_YAML_BYTES_MAX = 16 << 20, /* the largest file seen has 1 MB */
    CS_YAML_NODES_MAX = 1000000,
};

/* Reads a file; refuses a file above the limit after reading the limit. */
int cs_yaml_read_file(const char *path, struct cs_doc *doc, struct cs_arena *arena,
                      struct cs_err *err);

/* The same from memory. */
int cs_yaml_read_text(struct cs_doc_text text, struct cs_doc *doc, struct cs_arena *arena,
                      struct cs_err *err);

/* The same for a file of another program, most of whose texts are of no account:
 * their line breaks and control characters, which are refused above, are read as
 * spaces. */
int cs_yaml_read_foreign(struct cs_doc_text text, struct cs_doc *doc, struct cs_arena *arena,
                         struct cs_err *err);
