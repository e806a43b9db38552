/*
 * Routes of a YAML file: those that a search does not find.
 */
#ifndef CS_TOPO_FORMATS_YAML_WRITE_ROUTES_H
#define CS_TOPO_FORMATS_YAML_WRITE_ROUTES_H

#include "sim/base/text.h"
#include "topo/graph/graph.h"

/*
 * Appends `routes:` with the routes between ranks that differ from those a reader of
 * the file finds in `plain`, the graph without wires that are down; nothing where all
 * are equal.  Pairs with common devices between share a line.  Nothing for more than
 * 512 ranks, or more than 8 MiB: the comparison of read_back.h notes the difference.
 *
 *     O(ranks^2 x hops)
 */
void cs_yaml_add_routes(const struct cs_graph *graph, const struct cs_graph *plain,
                        const char *const *names, struct cs_text *out);

#endif
