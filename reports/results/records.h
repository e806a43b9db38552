/*
 * Records: a growing list of copies of records.
 *
 * A record borrows texts and arrays from the code that filled it; the list keeps
 * copies in one arena, so that a callback of the store or a sweep can collect
 * records that end with the call.
 *
 *     add    O(size of the record)
 *     free   everything at once
 *
 * Invariant: a list that was zeroed ({0}) is empty and valid.  `items` may
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

/* Appends a copy.  Texts that are NULL become "". */
void cs_records_add(struct cs_records *records, const struct cs_record *record);

/* Frees the copies; the list is empty and usable again. */
void cs_records_free(struct cs_records *records);

#endif
