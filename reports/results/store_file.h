/*
 * Store file: the file of the results database.
 *
 * A database is never without runs: a new file and its tables are part of the
 * first write, and when that fails there is no file.  A file that is not a
 * database, a database of another program and one with other tables are refused
 * and stay unchanged.
 *
 * The journal is WAL with synchronous=FULL: one fsync a run.  NORMAL would
 * survive SIGKILL too, but may lose the last runs at a power failure, and a run
 * takes longer than an fsync.
 */
#ifndef CS_REPORTS_RESULTS_STORE_FILE_H
#define CS_REPORTS_RESULTS_STORE_FILE_H

#include "reports/results/database.h"
#include "reports/results/store.h"

/* Opens database->path; the handle stays NULL where the first write makes the
 * file.  Errors are those of cs_store_open. */
int cs_store_file_open(struct cs_database *database, enum cs_store_mode mode,
                       struct cs_err *err);

/* A write: all or nothing. */
struct cs_store_write {
    struct cs_database *database;
    bool makes_file;
};

/* Begins a write, with the file and its tables where there are none yet. */
int cs_store_write_begin(struct cs_store_write *write,
                         struct cs_database *database, struct cs_err *err);
/* Commits if `rc` is 0; otherwise takes back, with a file that it made: the
 * handle is NULL again, and statements must be finalized before.  Returns rc, or
 * the error of the commit. */
int cs_store_write_end(const struct cs_store_write *write, int rc,
                       struct cs_err *err);

#endif
