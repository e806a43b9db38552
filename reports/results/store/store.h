/*
 * Store: the results database, an SQLite file.
 *
 *     runs            request and results, a row per run, units in the names
 *     run_parameters  parameters of the run: name, value, chosen by
 *     run_links       links with traffic
 *     run_jobs        concurrent jobs
 *     run_times       the times of repeated runs with noise, ascending
 *
 * A put is a transaction.  After cs_store_put returns 0, the run is in the file
 * permanently: a SIGKILL at any moment or a power failure loses no run.  Several
 * processes may write concurrently; a writer waits for the lock (database.h).
 *
 * The columns are the entries of record.def.  A file that is not a database, a
 * database of a different program or with different columns is refused and
 * stays unchanged; migrations start with the first release.
 *
 * Order: open, any number of put and each, close.  One store per thread.
 *
 *     put    one transaction, O(parameters + links + jobs + times) rows
 *     each   O(rows)
 */
#pragma once

#include "reports/results/record.h"
#include "reports/results/sheet.h"
#include "reports/results/store/database.h"
#include "sim/base/err.h"
#include "sim/base/mem.h"

struct cs_store;

enum cs_store_pick {
    CS_STORE_LATEST, /* the latest run of every request */
    CS_STORE_ALL,
};

/* Opens `path` and sets *store, to be closed with cs_store_close.
 * CS_STORE_EXISTING also opens a read-only database: a put fails then.
 * On an error *store is NULL: CS_EINPUT when the path or the file cannot be
 * used, CS_ECANNOT when the disk is full or failing, or the database stays
 * locked. */
int cs_store_open(const char *path, enum cs_store_mode mode, struct cs_store **store,
                  struct cs_err *err);

/* The same; `wait` is called while another process has locked the database, now and
 * later; NULL: waits silently. */
int cs_store_open_waiting(const char *path, enum cs_store_mode mode,
                          const struct cs_database_wait *wait, struct cs_store **store,
                          struct cs_err *err);

/* The number of the last run, from 1, which is at least that of all runs; 0: none. */
int cs_store_last(struct cs_store *store, uint64_t *last, struct cs_err *err);

/* Adds a run with all rows, atomically.  CS_EINPUT, without a change, for a
 * quantity from 2^63 on, beyond the integers of SQLite.  Seeds use the full 64
 * bits.  NaN is stored as NULL. */
int cs_store_put(struct cs_store *store, const struct cs_record *record, struct cs_err *err);

/* Appends to `records` the latest run with the REQUEST fields, parameters and
 * fingerprint of the query, if present.  Times of ranks are not kept. */
int cs_store_find(struct cs_store *store, const struct cs_record *query, struct cs_records *records,
                  struct cs_err *err);

/* Called with a run; the record, texts and arrays are valid during the call.  A
 * value other than 0 ends the walk. */
typedef int cs_store_fn(void *ctx, const struct cs_record *record);

/* Calls fn for the runs in the order of puts.  Returns the value of fn that ended
 * the walk.  fn must not put into the store. */
int cs_store_each(struct cs_store *store, enum cs_store_pick pick, cs_store_fn *fn, void *ctx,
                  struct cs_err *err);

/* Appends the runs to `records`, in the order of puts. */
int cs_store_load(struct cs_store *store, enum cs_store_pick pick, struct cs_records *records,
                  struct cs_err *err);

/* Ends the store; NULL is fine. */
void cs_store_close(struct cs_store *store);

/*
 * Store scan: the runs of a large database in one pass, for summaries.
 *
 * A scan reads a run with parameters and times, without links and jobs, and keeps
 * each distinct text once: a million runs take the memory of their different
 * texts.  Equal texts of a scan have equal addresses.
 *
 *     scan   O(rows); a query per table, none per run
 */

/* Calls fn for the runs in the order of puts.  Texts and parameters of a record
 * live as long as the arena, `spread.times` and the record itself during the call.
 * Returns the value of fn that ended the scan, or an error. */
int cs_store_scan(struct cs_store *store, enum cs_store_pick pick, cs_store_fn *fn, void *ctx,
                  struct cs_arena *arena, struct cs_err *err);

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
