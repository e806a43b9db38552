/*
 * Link classes of a YAML machine: built-in kinds, and classes of the file.
 */
#ifndef CS_TOPO_FORMATS_YAML_CLASSES_H
#define CS_TOPO_FORMATS_YAML_CLASSES_H

#include "topo/formats/yaml/reader.h"
#include "topo/graph/graph.h"

#include <stdint.h>

/* Reads `classes:`. */
int cs_yaml_read_classes(struct cs_yaml_reader *reader, uint32_t map);

/* Sets class, rate, latency and family of a wire from a class of the file or a
 * built-in one. */
int cs_yaml_find_class(const struct cs_yaml_reader *reader, const char *text, struct cs_wire *wire,
                       struct cs_err *err);

#endif
