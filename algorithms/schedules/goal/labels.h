/*
 * GOAL labels: names of the ops of a rank.
 *
 * A hash table of copies of the names, for one rank at a time.
 *
 *     add, find   O(length) expected       clear   O(labels)
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_GOAL_NO_LABEL = UINT32_MAX
};

struct cs_goal_label {
    uint64_t hash;
    uint32_t op;
    uint32_t start, length; /* in `text`; length 0: a free slot */
};

/* Zeroed at the start; freed by the owner. */
struct cs_goal_labels {
    struct cs_goal_label *slots;
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t count;
    char *text;
    uint32_t text_length, text_capacity;
};

/* False: the name is taken.  length > 0. */
bool cs_goal_labels_add(struct cs_goal_labels *labels, const char *name, uint32_t length,
                        uint32_t op);

/* The op, or CS_GOAL_NO_LABEL. */
uint32_t cs_goal_labels_find(const struct cs_goal_labels *labels, const char *name,
                             uint32_t length);

void cs_goal_labels_clear(struct cs_goal_labels *labels);
void cs_goal_labels_free(struct cs_goal_labels *labels);
