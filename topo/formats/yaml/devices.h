/*
 * Devices of a YAML machine: kind, count, host, and cost of reductions.
 */
#ifndef CS_TOPO_FORMATS_YAML_DEVICES_H
#define CS_TOPO_FORMATS_YAML_DEVICES_H

#include "topo/formats/yaml/reader.h"

#include <stdint.h>

/* Reads `devices:` of a section. */
int cs_yaml_read_devices(struct cs_yaml_reader *reader, uint32_t map);

#endif
