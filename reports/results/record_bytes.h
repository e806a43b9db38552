/*
 * Bytes of a record: a record on its way from one process to its parent.
 *
 * The bytes are for the same executable on the same machine only: numbers are
 * copied as they are in memory.
 *
 *     pack, unpack   O(size of the record)
 */
#ifndef CS_REPORTS_RESULTS_RECORD_BYTES_H
#define CS_REPORTS_RESULTS_RECORD_BYTES_H

#include "reports/results/record.h"
#include "sim/base/text.h"

/* Appends the bytes of the record; NULL texts as "". */
void cs_record_pack(const struct cs_record *record, struct cs_text *out);

/* Reads a packed record, with texts and arrays in the arena, and returns the byte
 * behind it. */
const char *cs_record_unpack(const char *bytes, struct cs_arena *arena, struct cs_record *record);

#endif
