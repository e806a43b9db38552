/*
 * Records: a growing list of copies of records.
 *
 * A record borrows texts and arrays from the caller; the list keeps copies in an
 * arena.  A callback of the store or a sweep can thus collect records with a
 * shorter lifetime.
 *
 *     add    O(size of the record)
 *     free   the arena
 *
 * Invariant: a zeroed list ({0}) is empty and valid.  `items` may
 * move when a record is added; the texts do not.
 */
#ifndef CS_REPORTS_RESULTS_RECORDS_H
#define CS_REPORTS_RESULTS_RECORDS_H

#include "reports/results/record.h"
#include "sim/base/mem.h"

#include <stddef.h>

struct cs_records {
    struct cs_arena arena;
    struct cs_record *items;
    size_t count;
    uint32_t capacity;
};

/* Appends a copy.  NULL texts become "". */
void cs_records_add(struct cs_records *records, const struct cs_record *record);

/* Frees the copies; the list is empty and usable again. */
void cs_records_free(struct cs_records *records);

#endif
