/*
 * Store: the results database, one SQLite file.
 *
 *     runs            request and results, one row a run, units in the names
 *     run_parameters  parameters of the run: name, value, chosen by whom
 *     run_links       each link that carried anything
 *     run_jobs        concurrent jobs
 *     run_times       the times of repeated runs with noise, rising
 *     comparisons     measured runs and their predictions
 *
 * A put is one transaction.  When cs_store_put has returned 0 the run is in
 * the file and stays there: after SIGKILL at any moment, and after a power
 * failure.  Several processes may write at once; each waits up to 30 s for the
 * others.
 *
 * The columns are those of record.def.  A file that is not a database, a
 * database of another program and one with other columns are refused and stay
 * unchanged; there are no migrations before the first release.
 *
 * Order: open, any number of put and each, close.  One store per thread.
 *
 *     put    one transaction, O(parameters + links + jobs + times) rows
 *     each   O(the rows of all runs)
 */
#ifndef CS_REPORTS_RESULTS_STORE_H
#define CS_REPORTS_RESULTS_STORE_H

#include "reports/results/record.h"
#include "reports/results/records.h"
#include "sim/base/err.h"

struct cs_store;

enum cs_store_mode {
    CS_STORE_CREATE,   /* if there is no file, the first put makes it */
    CS_STORE_EXISTING, /* a missing file is an error; may be read only */
};

enum cs_store_pick {
    CS_STORE_LATEST, /* the latest run of each request and its parameters */
    CS_STORE_ALL,
};

/* Opens `path` and sets *store, which the caller ends with cs_store_close.
 * CS_STORE_EXISTING opens a database that cannot be written, too: a put fails.
 * On an error *store is NULL: CS_EINPUT when the path or the file cannot be
 * used, CS_ECANNOT when the disk is full or failing, or the database stays
 * locked. */
int cs_store_open(const char *path, enum cs_store_mode mode,
                  struct cs_store **store, struct cs_err *err);

/* Adds one run and the rows that belong to it, all or nothing.  A quantity of 2^63 and more
 * does not fit into an SQLite integer: CS_EINPUT, and nothing is written.
 * Seeds use all 64 bits.  Real numbers that are NaN are kept as NULL. */
int cs_store_put(struct cs_store *store, const struct cs_record *record,
                 struct cs_err *err);

/* Appends to `records` the latest run with the REQUEST fields, parameters and
 * fingerprint of the query, if there is one.  Times of ranks are not kept. */
int cs_store_find(struct cs_store *store, const struct cs_record *query,
                  struct cs_records *records, struct cs_err *err);

/* Called with one run; the record and what it points to are valid until it
 * returns.  Anything but 0 ends the walk. */
typedef int cs_store_fn(void *ctx, const struct cs_record *record);

/* Calls fn for the runs in the order they were put.  Returns what fn returned
 * if that was not 0.  fn must not put into the same store. */
int cs_store_each(struct cs_store *store, enum cs_store_pick pick,
                  cs_store_fn *fn, void *ctx, struct cs_err *err);

/* Appends the runs to `records`, in the order they were put. */
int cs_store_load(struct cs_store *store, enum cs_store_pick pick,
                  struct cs_records *records, struct cs_err *err);

/* Adds all comparisons or none; those of the same measurements are
 * replaced. */
int cs_store_put_comparisons(struct cs_store *store,
                             const struct cs_store_comparison *comparisons,
                             size_t count, struct cs_err *err);

/* SQLite's integrity and foreign key checks; CS_EANSWER and the first finding
 * when one fails. */
int cs_store_check(struct cs_store *store, struct cs_err *err);

/* Ends the store; NULL is fine. */
void cs_store_close(struct cs_store *store);

#endif
