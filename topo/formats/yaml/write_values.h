/*
 * Values of a YAML file: texts and numbers that a reader converts to the same
 * value.
 *
 * A decimal text with a unit is not exact for every number.  The functions read
 * the text back, and fall back to a smaller unit when the values differ.  `before`
 * precedes the value.
 */
#pragma once

#include "sim/base/text.h"
#include "topo/graph/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text in quotes; a name without quotes where YAML allows. */
void cs_yaml_add_quoted(struct cs_text *out, const char *before, const char *text);
void cs_yaml_add_name(struct cs_text *out, const char *before, const char *name);

/* In GB/s if exact, otherwise in b/s. */
void cs_yaml_add_rate(struct cs_text *out, const char *before, double rate_Bps);

/* In us if exact, otherwise in ps. */
void cs_yaml_add_time(struct cs_text *out, const char *before, uint64_t time_ps);

/* With 15 digits. */
void cs_yaml_add_fraction(struct cs_text *out, const char *before, double fraction);

/*
 * Routes of a YAML file: those that a search does not find.
 */

/*
 * Appends `routes:` with the routes between ranks that differ from those a reader of
 * the file finds in `plain`, the graph without wires that are down; nothing where all
 * are equal.  Pairs with common devices between share a line.  Nothing for more than
 * 512 ranks, or more than 8 MiB: the comparison of read_back.h notes the difference.
 *
 *     O(ranks^2 x hops)
 */
void cs_yaml_add_routes(const struct cs_graph *graph, const struct cs_graph *plain,
                        const char *const *names, struct cs_text *out);

/*
 * Sets of devices in a YAML file: gpu[0-7] for consecutive names, or a list of sets.
 */

/* The length of "gpu" and the number 12 of "gpu12"; 0 for a name without a number or
 * with a leading 0. */
size_t cs_yaml_stem_of(const char *name, uint32_t *number);

/* Whether `next` is `name` with a number greater by `by`. */
bool cs_yaml_follows(const char *name, const char *next, uint32_t by);

/* Appends the names of devices. */
void cs_yaml_add_sets(struct cs_text *out, const char *before, const char *const *names,
                      const uint32_t *devices, uint32_t count);
