/*
 * Names of devices in a YAML machine: sets of names (name_set.h) become lists
 * of devices, and an unknown name is reported with the nearest.
 */
#ifndef CS_TOPO_FORMATS_YAML_DEVICE_NAMES_H
#define CS_TOPO_FORMATS_YAML_DEVICE_NAMES_H

#include "sim/base/collections/name_index.h"
#include "topo/formats/yaml/reader.h"
#include "topo/graph/name_set.h"

#include <stdint.h>

/* Sets of names, with the document node of each set. */
struct cs_yaml_sets {
    struct cs_name_set *sets;
    uint32_t *nodes;
    uint32_t count;
    uint64_t names; /* sum over the sets, at most the limit of read_sets */
};

/* The name as written in the section: without "n0." in a node. */
const char *cs_yaml_local_name(const struct cs_yaml_reader *reader, uint32_t device);

/* The device with that name in the section, or CS_NO_NAME. */
uint32_t cs_yaml_find_device(const struct cs_yaml_reader *reader, const char *name);

/* Appends the devices of a set to a list with enough room. */
int cs_yaml_append_set(const struct cs_yaml_reader *reader, uint32_t node,
                       const struct cs_name_set *set, struct cs_yaml_list *list);

/* Reads a set or a list of sets with at most `limit` names; `what` is the name
 * of the key in messages. */
int cs_yaml_read_sets(const struct cs_yaml_reader *reader, uint32_t node, const char *what,
                      uint64_t limit, struct cs_yaml_sets *sets);

#endif
