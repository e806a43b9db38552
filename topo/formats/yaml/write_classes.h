/*
 * Link classes of a YAML file.
 *
 * A wire with the numbers of a built-in kind has the class of the kind.  A wire
 * with other numbers, or a second wire of a class between two devices, has a
 * class with a new name, defined in the file.  The same holds for the ports of
 * NICs.
 */
#ifndef CS_TOPO_FORMATS_YAML_WRITE_CLASSES_H
#define CS_TOPO_FORMATS_YAML_WRITE_CLASSES_H

#include "sim/base/text.h"
#include "topo/graph/graph.h"

struct cs_yaml_class_names {
    const char **wires; /* by wire */
    const char **ports; /* by device; of NICs with a link of their own */
};

/* Sets the class of each wire and each port, and appends the definitions, a
 * line each; names are in the arena.  O(wires + devices). */
void cs_yaml_name_classes(const struct cs_graph *graph, const struct cs_yaml_class_names *names,
                          struct cs_text *definitions, struct cs_arena *arena);

#endif
