/*
 * The struct behind a store, for the modules that write the tables.
 */
#pragma once

#include "reports/results/record.h"
#include "reports/results/store/database.h"
#include "reports/results/store/rows.h"

struct cs_store {
    struct cs_database database; /* closed until the first put makes the file */
    char *path;
    struct sqlite3_stmt *add_run; /* NULL until the first put */
    struct sqlite3_stmt *add_numbered;
    struct sqlite3_stmt *add_rows[CS_RECORD_LISTS];
};

/* 1 where a run or a refusal has the id, else 0, or an error.  The tables of sweeps
 * exist. */
int cs_store_has(const struct cs_store *store, int64_t id, struct cs_err *err);

/* As cs_store_put with the id of the run, which has no time of creation; 1, without
 * a change, for an id in use. */
int cs_store_put_numbered(struct cs_store *store, int64_t id, const struct cs_record *record,
                          struct cs_err *err);

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
