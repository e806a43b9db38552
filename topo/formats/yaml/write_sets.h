/*
 * Sets of devices in a YAML file: gpu[0-7] for consecutive names, or a list of sets.
 */
#ifndef CS_TOPO_FORMATS_YAML_WRITE_SETS_H
#define CS_TOPO_FORMATS_YAML_WRITE_SETS_H

#include "sim/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of "gpu" and the number 12 of "gpu12"; 0 for a name without a number or
 * with a leading 0. */
size_t cs_yaml_stem_of(const char *name, uint32_t *number);

/* Whether `next` is `name` with a number greater by `by`. */
bool cs_yaml_follows(const char *name, const char *next, uint32_t by);

/* Appends the names of devices. */
void cs_yaml_add_sets(struct cs_text *out, const char *const *names, const uint32_t *devices,
                      uint32_t count);

#endif
