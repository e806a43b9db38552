/*
 * Number lists: a growing array of step or op numbers.
 *
 * A struct zeroed with {0} is empty; `count = 0` empties a list and keeps the
 * memory.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_NUMBER_LIST_H
#define CS_ALGORITHMS_SCHEDULES_NUMBER_LIST_H

#include "sim/base/collections/vector.h"

#include <stdlib.h>

struct cs_number_list {
    uint32_t *item;
    uint32_t count, capacity;
};

/* Amortised O(1). */
static inline void cs_number_list_add(struct cs_number_list *list,
                                      uint32_t number)
{
    list->item = cs_vector_room(list->item, list->count + 1, &list->capacity,
                                sizeof(number));
    list->item[list->count++] = number;
}

static inline void cs_number_list_free(struct cs_number_list *list)
{
    free(list->item);
    *list = (struct cs_number_list){0};
}

#endif
