#include "sim/base/collections/name_index.h"

#include "sim/base/hash.h"

#include <string.h>

static uint64_t name_index_hash(const char *name)
{
    uint64_t hash = cs_hash_text(CS_HASH_START, name);

    return hash ^ hash >> 32;
}

/* The slot of the name, or the free slot for it. */
static uint32_t name_index_slot(const struct cs_names *names, const char *name)
{
    uint32_t mask = names->capacity - 1;
    uint32_t i = (uint32_t)name_index_hash(name) & mask;

    while (names->keys[i] && strcmp(names->keys[i], name) != 0)
        i = (i + 1) & mask;
    return i;
}

static void name_index_resize(struct cs_names *names, uint32_t capacity)
{
    struct cs_names old = *names;

    names->keys = cs_arena_alloc(names->arena, capacity, sizeof(*names->keys));
    names->values = cs_arena_alloc(names->arena, capacity, sizeof(*names->values));
    names->capacity = capacity;
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (old.keys[i]) {
            uint32_t to = name_index_slot(names, old.keys[i]);

            names->keys[to] = old.keys[i];
            names->values[to] = old.values[i];
        }
    }
}

void cs_names_init(struct cs_names *names, struct cs_arena *arena, uint32_t expected)
{
    uint32_t capacity = 16;

    *names = (struct cs_names){.arena = arena};
    while (capacity / 2 < expected && capacity < UINT32_C(1) << 30)
        capacity *= 2;
    name_index_resize(names, capacity);
}

uint32_t cs_names_add(struct cs_names *names, const char *name, uint32_t number)
{
    uint32_t i;

    if (names->count >= names->capacity / 2)
        name_index_resize(names, 2 * names->capacity);
    i = name_index_slot(names, name);
    if (names->keys[i])
        return names->values[i];
    names->keys[i] = name;
    names->values[i] = number;
    names->count++;
    return CS_NO_NAME;
}

uint32_t cs_names_find(const struct cs_names *names, const char *name)
{
    uint32_t i = name_index_slot(names, name);

    return names->keys[i] ? names->values[i] : CS_NO_NAME;
}
