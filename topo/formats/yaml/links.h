/*
 * Links of a YAML machine: one device to many, or two lists in pairs.
 */
#ifndef CS_TOPO_FORMATS_YAML_LINKS_H
#define CS_TOPO_FORMATS_YAML_LINKS_H

#include "topo/formats/yaml/reader.h"

#include <stdint.h>

/* Reads `links:` of a section. */
int cs_yaml_read_links(struct cs_yaml_reader *reader, uint32_t list);

/* CS_EINPUT for two wires of the same class between the same devices. */
int cs_yaml_check_twice(const struct cs_yaml_reader *reader);

#endif
