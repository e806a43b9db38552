/*
 * Limits of machines in YAML, for reader and writer.
 */
#pragma once

#include "topo/graph/name_set.h"

/* Limits of a file, above the largest known machines. */
enum {
    CS_YAML_COUNT_MAX = 65536,     /* count of a device; nodes */
    CS_YAML_DEVICES_MAX = 1 << 20, /* of the machine; route.c relies on this limit */
    CS_YAML_WIRES_MAX = 1 << 20,
    CS_YAML_ROUTED_RANKS_MAX = 512,     /* whose routes are written */
    CS_YAML_ROUTES_MAX = 1 << 20,       /* pairs of `routes:` */
    CS_YAML_NAME_MAX = CS_NAME_MAX - 8, /* characters of a name without `node:` */
};
