/*
 * Sheets in the results database: the rows of a sheet in a table of the sheet's name,
 * a column for each column, beside the tables of runs (store.h).
 *
 *     request   what the rows answer: the options of a command
 *     position  of the row in the sheet
 *     version   of the program
 *
 * Rows of an equal request are replaced.  A table whose columns differ is refused and
 * stays unchanged.
 *
 *     put    one transaction, O(cells)
 *     read   O(cells)
 */
#ifndef CS_REPORTS_RESULTS_STORE_SHEET_H
#define CS_REPORTS_RESULTS_STORE_SHEET_H

#include "reports/results/sheet.h"
#include "reports/results/store/store.h"
#include "sim/base/err.h"

/* Puts all rows atomically; the first put creates the file.  Errors as for
 * cs_store_put. */
int cs_store_put_sheet(const char *path, const struct cs_database_wait *wait,
                       const struct cs_sheet *sheet, const char *request, const char *version,
                       struct cs_err *err);

/* Reads the table of form->name into an array in the arena, a struct of form->size
 * bytes a row, in the order of the puts; no rows where the file has no such table.  The
 * columns are some of the table's, by cs_column_set; CS_EINPUT where it lacks one.
 * Empty texts are unknown. */
int cs_store_read_rows(struct cs_store *store, const struct cs_rows *form, struct cs_arena *arena,
                       void **rows, size_t *count, struct cs_err *err);

#endif
