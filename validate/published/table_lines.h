/*
 * Lines of tables.csv: one published table each.
 *
 *     read   O(bytes)
 */
#ifndef CS_VALIDATE_PUBLISHED_TABLE_LINES_H
#define CS_VALIDATE_PUBLISHED_TABLE_LINES_H

#include "sim/base/collections/name_index.h"
#include "topo/documents/csv_rows.h"
#include "validate/published/published.h"

enum {
    CS_PUBLISHED_TABLES_MAX = 4096,
};

/* Reads header and lines into `tables`, which has room for a table per line and
 * at most CS_PUBLISHED_TABLES_MAX; `names` gets their ids. */
int cs_table_lines_read(struct cs_csv_rows *csv, struct cs_published_table *tables, uint32_t *count,
                        struct cs_names *names, struct cs_err *err);

#endif
