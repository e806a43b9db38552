/*
 * Names of devices in a YAML machine: sets of names (name_set.h) become lists of
 * devices, and an unknown name is reported with the nearest.
 */
#ifndef CS_TOPO_FORMATS_YAML_DEVICE_NAMES_H
#define CS_TOPO_FORMATS_YAML_DEVICE_NAMES_H

#include "sim/base/collections/name_index.h"
#include "topo/formats/yaml/reader.h"
#include "topo/graph/name_set.h"

#include <stdint.h>

/* A set, or a list of sets, as the nodes that hold one each. */
struct cs_yaml_sets {
    struct cs_name_set *sets;
    uint32_t *nodes;
    uint32_t count;
    uint64_t names; /* in all of them; at most the limit it was read with */
};

/* The name as the section writes it: without "n0." in a node. */
const char *cs_yaml_local_name(const struct cs_yaml_reader *reader,
                               uint32_t device);

/* The device that is called so in the section, or CS_NO_NAME. */
uint32_t cs_yaml_find_device(const struct cs_yaml_reader *reader,
                             const char *name);

/* Enters all devices of the set at the end of the list, which has room. */
int cs_yaml_append_set(const struct cs_yaml_reader *reader, uint32_t node,
                       const struct cs_name_set *set,
                       struct cs_yaml_list *list);

int cs_yaml_read_sets(const struct cs_yaml_reader *reader, uint32_t node,
                      const char *what, uint64_t limit,
                      struct cs_yaml_sets *sets);

#endif
