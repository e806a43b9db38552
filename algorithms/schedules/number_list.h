/*
 * Number lists: a growing array of the numbers of steps, ops or channels.
 *
 * A struct zeroed with {0} is empty; `count = 0` empties a list and keeps the
 * memory.
 */
#pragma once

#include "sim/base/collections/vector.h"

#include <stdlib.h>

struct cs_number_list {
    uint32_t *item;
    uint32_t count, capacity;
};

/* Amortised O(1). */
static inline void cs_number_list_add(struct cs_number_list *list, uint32_t number)
{
    *CS_VECTOR_NEXT(list->item, list->count, list->capacity) = number;
}

/* The position of the number; `count`: it is missing.  O(count). */
static inline uint32_t cs_number_list_find(const struct cs_number_list *list, uint32_t number)
{
    uint32_t i = 0;

    while (i < list->count && list->item[i] != number)
        i++;
    return i;
}

/* The position of the number, which is added if missing. */
static inline uint32_t cs_number_list_note(struct cs_number_list *list, uint32_t number)
{
    uint32_t at = cs_number_list_find(list, number);

    if (at == list->count)
        cs_number_list_add(list, number);
    return at;
}

static inline void cs_number_list_free(struct cs_number_list *list)
{
    free(list->item);
    *list = (struct cs_number_list){0};
}
