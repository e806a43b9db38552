/*
 * Store: the results database, one SQLite file.
 *
 *     scenarios    what was asked; a row is unique by its content
 *     runs         what came out, one row a run, units in the column names
 *     run_links    what each link that carried anything did
 *     run_times    of runs with noise the time of each, rising
 *     comparisons  measured runs beside what was predicted of them
 *
 * A put is one transaction.  When cs_store_put has returned 0 the run is in
 * the file and stays there: after SIGKILL at any moment, and after a power
 * failure.  The journal is WAL with synchronous=FULL, which costs one fsync a
 * run; NORMAL would survive SIGKILL too, but may lose the last runs when the
 * power goes, and a run takes longer than an fsync.
 *
 * A database is never without runs: a new file and its tables are part of the
 * first put, and when that fails there is no file.
 *
 * Several processes may write at once; each waits up to 30 s for the others.
 *
 * A file that is not a database, a database of another program and one that
 * was written by a newer version are refused and left as they are.  An older
 * one is migrated on opening, in one transaction.
 *
 * Order: open, any number of put and each, close.  One store per thread.
 *
 *     put    one transaction, O(links + times) rows
 *     each   O(runs + links + times)
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
    CS_STORE_LATEST, /* of each scenario the latest run */
    CS_STORE_ALL,
};

/* Opens `path` and sets *store, which the caller ends with cs_store_close.
 * CS_STORE_EXISTING opens a database that cannot be written, too: a put fails.
 * On an error *store is NULL: CS_EINPUT when the path or the file cannot be
 * used, CS_ECANNOT when the disk is full or failing, or the database stays
 * locked. */
int cs_store_open(const char *path, enum cs_store_mode mode,
                  struct cs_store **store, struct cs_err *err);

/* Adds one run and its links, all or nothing.  A quantity of 2^63 and more
 * does not fit into an SQLite integer: CS_EINPUT, and nothing is written.
 * Seeds use all 64 bits.  Real numbers that are NaN are kept as NULL. */
int cs_store_put(struct cs_store *store, const struct cs_record *record,
                 struct cs_err *err);

/* Appends to `records` the latest run of what is asked in `question` (all up to
 * its seed, and the fingerprint), if it is there.  What the store does not keep,
 * jobs and times of ranks, is not in it. */
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

/* A run on real hardware and what was predicted of it; texts are the
 * caller's. */
struct cs_store_comparison {
    const char *gpu, *algorithm, *route, *dtype;
    const char *table;   /* hash of the program that was run */
    const char *unknown; /* why nothing is predicted, or "" */
    const char *version; /* of this program */
    uint32_t ranks, channels;
    uint64_t bytes, slice_bytes;
    double measured_s;                                 /* NaN: it failed */
    double predicted_s, closed_form_s, bound_s, error; /* NaN: unknown */
};

/* Adds all of them or none, in place of those that are of the same
 * measurements. */
int cs_store_put_comparisons(struct cs_store *store,
                             const struct cs_store_comparison *comparisons,
                             size_t count, struct cs_err *err);

/* SQLite's integrity and foreign key checks; CS_EANSWER and the first finding
 * when one fails. */
int cs_store_check(struct cs_store *store, struct cs_err *err);

/* Ends the store; NULL is fine. */
void cs_store_close(struct cs_store *store);

#endif
