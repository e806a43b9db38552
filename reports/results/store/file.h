/*
 * Store file: the file of the results database.
 *
 * A database is never without runs: the first write creates file and tables, and
 * a failed first write leaves no file.  A file that is not a database, a
 * database of a different program or with different tables is refused and stays
 * unchanged.
 *
 * The journal is WAL with synchronous=FULL: one fsync per run.  NORMAL would
 * survive SIGKILL too, but may lose the last runs at a power failure, and a run
 * takes longer than an fsync.
 */
#ifndef CS_REPORTS_RESULTS_STORE_FILE_H
#define CS_REPORTS_RESULTS_STORE_FILE_H

#include "reports/results/store/database.h"

/* Opens database->path; the handle stays NULL if the first write creates the
 * file.  Errors as for cs_store_open. */
int cs_store_file_open(struct cs_database *database, enum cs_store_mode mode, struct cs_err *err);

/* An atomic write. */
struct cs_store_write {
    struct cs_database *database;
    bool makes_file;
};

/* Begins a write; creates a missing file with the tables. */
int cs_store_write_begin(struct cs_store_write *write, struct cs_database *database,
                         struct cs_err *err);
/* Commits if `rc` is 0.  Otherwise rolls back and removes a file created by the
 * write: the handle is NULL again, and statements must be finalized before.  Returns rc, or
 * the error of the commit. */
int cs_store_write_end(const struct cs_store_write *write, int rc, struct cs_err *err);

#endif
