#include "algorithms/schedules/goal/labels.h"

#include "sim/base/collections/vector.h"
#include "sim/base/hash.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_SLOTS = 64
};

/* The slot of the name, or a free slot; capacity > 0. */
static struct cs_goal_label *goal_label_slot(const struct cs_goal_labels *labels, uint64_t hash,
                                             const char *name, uint32_t length)
{
    uint32_t slot = cs_hash_slot(cs_hash_mix(0, hash));

    for (;; slot++) {
        struct cs_goal_label *found = &labels->slots[slot & (labels->capacity - 1)];

        if (found->length == 0 || (found->hash == hash && found->length == length &&
                                   memcmp(labels->text + found->start, name, length) == 0))
            return found;
    }
}

/* At most half full. */
static void goal_labels_grow(struct cs_goal_labels *labels)
{
    struct cs_goal_labels grown = *labels;

    grown.capacity = labels->capacity ? 2 * labels->capacity : FIRST_SLOTS;
    grown.slots = cs_grow(NULL, grown.capacity, sizeof(*grown.slots));
    memset(grown.slots, 0, grown.capacity * sizeof(*grown.slots));
    for (uint32_t i = 0; i < labels->capacity; i++) {
        const struct cs_goal_label *label = &labels->slots[i];

        if (label->length)
            *goal_label_slot(&grown, label->hash, labels->text + label->start, label->length) =
                *label;
    }
    free(labels->slots);
    *labels = grown;
}

bool cs_goal_labels_add(struct cs_goal_labels *labels, const char *name, uint32_t length,
                        uint32_t op)
{
    uint64_t hash = cs_hash_bytes(CS_HASH_START, name, length);
    struct cs_goal_label *slot;

    if (2 * labels->count >= labels->capacity)
        goal_labels_grow(labels);
    slot = goal_label_slot(labels, hash, name, length);
    if (slot->length)
        return false;
    *slot = (struct cs_goal_label){hash, op, labels->text_length, length};
    labels->count++;
    labels->text =
        cs_vector_room(labels->text, labels->text_length + length, &labels->text_capacity, 1);
    memcpy(labels->text + labels->text_length, name, length);
    labels->text_length += length;
    return true;
}

uint32_t cs_goal_labels_find(const struct cs_goal_labels *labels, const char *name, uint32_t length)
{
    uint64_t hash = cs_hash_bytes(CS_HASH_START, name, length);
    const struct cs_goal_label *slot;

    if (labels->count == 0)
        return CS_GOAL_NO_LABEL;
    slot = goal_label_slot(labels, hash, name, length);
    return slot->length ? slot->op : CS_GOAL_NO_LABEL;
}

void cs_goal_labels_clear(struct cs_goal_labels *labels)
{
    if (labels->count)
        memset(labels->slots, 0, labels->capacity * sizeof(*labels->slots));
    labels->count = 0;
    labels->text_length = 0;
}

void cs_goal_labels_free(struct cs_goal_labels *labels)
{
    free(labels->slots);
    free(labels->text);
    *labels = (struct cs_goal_labels){0};
}
