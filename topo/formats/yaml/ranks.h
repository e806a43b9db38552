/*
 * Ranks and parameter servers of a YAML machine: the devices of `ranks:` and
 * `servers:`, or the defaults.
 */
#ifndef CS_TOPO_FORMATS_YAML_RANKS_H
#define CS_TOPO_FORMATS_YAML_RANKS_H

#include "topo/formats/source.h"
#include "topo/formats/yaml/reader.h"

#include <stdint.h>

/* Sets ranks and agents of the graph.  CS_EINPUT with fewer servers than the
 * request has agents. */
int cs_yaml_place_ranks(struct cs_yaml_reader *reader, const struct cs_topo_request *request);

#endif
