/*
 * Names: an index from a name to a number.
 *
 * A hash table in an arena; the texts are not copied and must outlive the index.
 * The table is never iterated, so the order of its slots has no effect.
 *
 *     add, find   O(1) expected
 */
#pragma once

#include "sim/base/mem.h"

#include <stdint.h>

enum {
    CS_NO_NAME = UINT32_MAX
};

struct cs_names {
    struct cs_arena *arena;
    const char **keys; /* NULL: a free slot */
    uint32_t *values;
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t count;
};

/* An empty index with room for about `expected` names. */
void cs_names_init(struct cs_names *names, struct cs_arena *arena, uint32_t expected);

/* Enters a name. CS_NO_NAME when the name is new; otherwise the number of the
 * earlier entry, which is unchanged. */
uint32_t cs_names_add(struct cs_names *names, const char *name, uint32_t number);

/* The number of the name, or CS_NO_NAME. */
uint32_t cs_names_find(const struct cs_names *names, const char *name);
