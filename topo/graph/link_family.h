/*
 * Link families: the properties that all generations of a link share.
 *
 * Every wire of a graph carries its family (graph.h), so that routing, exports
 * and pictures test a property and not a name.  A built-in link kind states its
 * family in link_kinds.def; a class that a file defines gets the family from
 * the stem of its name, because files written by other tools and by the YAML
 * writer have classes such as "nvlink" or "pcie 12.3 GB/s" with rates of their
 * own.
 */
#pragma once

#include <stdbool.h>

enum cs_link_family {
#define LINK_FAMILY(name, word, counted, multicast) CS_LINK_##name,
#define LINK_STEM(stem, family)
#include "topo/graph/link_families.def"
#undef LINK_FAMILY
#undef LINK_STEM
    CS_LINK_FAMILIES,
};

struct cs_link_properties {
    const char *word; /* of a matrix of GPUs: "NV"; NULL: does not join GPUs */
    bool is_counted;  /* the number of links follows the word */
    bool multicasts;  /* switches copy and reduce data in flight */
};

/* By family; CS_LINK_OTHER is 0 and has no property. */
extern const struct cs_link_properties cs_link_families[CS_LINK_FAMILIES];

/* The family of a class that is not built in, from the stem of the name;
 * CS_LINK_OTHER for an unknown stem. O(stems). */
enum cs_link_family cs_link_family_of(const char *class_name);
