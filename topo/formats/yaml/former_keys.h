/*
 * Former names of keys, which files from before version 0.1 may have:
 *
 *     adds: yes      reduces: yes
 *     computer: 3    host: 3
 *     way: back      direction: back
 */
#ifndef CS_TOPO_FORMATS_YAML_FORMER_KEYS_H
#define CS_TOPO_FORMATS_YAML_FORMER_KEYS_H

#include "topo/documents/doc.h"
#include "topo/graph/graph.h"

/* The document with the present names; a copy in the graph's arena, and a note
 * of the graph for each name, where the document has former names.  O(nodes). */
struct cs_doc cs_yaml_present_keys(const struct cs_doc *doc, struct cs_graph *graph);

#endif
