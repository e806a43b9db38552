/*
 * Database: SQLite, with errors as struct cs_err.
 *
 * The only module with sqlite3.h.  A statement is prepared, bound from parameter 1
 * on, stepped, and finalized by the owner before the database is closed.  Every
 * error names the file.  A locked database is waited for, at most ten minutes.
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;

/* Called again and again while another process has locked the database, with the
 * seconds since the wait began; false ends the wait with CS_ESTOPPED. */
struct cs_database_wait {
    bool (*goes_on)(void *ctx, double waited_s);
    void *ctx;
};

/* An open database stays at its address. */
struct cs_database {
    struct sqlite3 *handle;       /* NULL: not open */
    const char *path;             /* of the caller; for messages */
    struct cs_database_wait wait; /* of the caller; {0}: waits silently */
    double waits_since_s;
    bool stopped; /* the wait was ended */
};

enum cs_database_mode {
    CS_DATABASE_CREATE,
    CS_DATABASE_EXISTING,
    CS_DATABASE_UNCHANGING, /* read only, without a lock or a journal */
    CS_DATABASE_MODES
};

/* What is done with a row, whose columns are valid during the call. */
struct cs_database_use {
    void (*row)(void *ctx, struct sqlite3_stmt *row);
    void *ctx;
};

/* Opens database->path.  Returns 0, or the errno of the failure, or -1 for a
 * failure without errno.  cs_database_close() must follow in both cases. */
int cs_database_open(struct cs_database *database, enum cs_database_mode mode);
void cs_database_close(struct cs_database *database);

/* Runs statements without results. */
int cs_database_run(const struct cs_database *database, const char *sql, struct cs_err *err);
/* The integer result of a query, where it has one, with whole numbers for its marks:
 * 1, or 0 without a row. */
int cs_database_find(const struct cs_database *database, const char *sql, const int64_t *marks,
                     int count, int64_t *number, struct cs_err *err);
/* The same of a query without marks: 0. */
int cs_database_number(const struct cs_database *database, const char *sql, int64_t *number,
                       struct cs_err *err);

/* Calls `use` for every row of a query with whole numbers for its marks. */
int cs_database_each(const struct cs_database *database, const char *sql, const int64_t *marks,
                     int count, struct cs_database_use use, struct cs_err *err);

/* Ends the transaction: commits if `rc` is 0 and rolls back otherwise.  Returns
 * rc, or the error of the commit. */
int cs_database_end(const struct cs_database *database, int rc, struct cs_err *err);

/* Sets the journal to WAL, where the file system has shared memory. */
int cs_database_use_wal(struct cs_database *database, struct cs_err *err);

/* The number of the row inserted last. */
int64_t cs_database_last_row(const struct cs_database *database);

/* Prepares a statement, and frees the text. */
int cs_statement_open(const struct cs_database *database, const char *sql,
                      struct sqlite3_stmt **statement, struct cs_err *err);
int cs_statement_prepare(const struct cs_database *database, struct cs_text *sql,
                         struct sqlite3_stmt **statement, struct cs_err *err);
/* NULL is fine. */
void cs_statement_finalize(struct sqlite3_stmt *statement);
void cs_statement_reset(struct sqlite3_stmt *statement);

/* NaN becomes NULL; texts are copied. */
void cs_statement_bind_text(struct sqlite3_stmt *statement, int at, const char *text);
void cs_statement_bind_real(struct sqlite3_stmt *statement, int at, double number);
void cs_statement_bind_i64(struct sqlite3_stmt *statement, int at, int64_t number);

/* The next row: 1; 0 after the last; or an error. */
int cs_statement_step(const struct cs_database *database, struct sqlite3_stmt *statement,
                      struct cs_err *err);

/* A column of the row, from 0 on, valid until the next step; NULL reads as "",
 * 0 or NaN. */
const char *cs_statement_text(struct sqlite3_stmt *statement, int at);
double cs_statement_real(struct sqlite3_stmt *statement, int at);
/* The bytes of a column and their number; of NULL none. */
const unsigned char *cs_statement_blob(struct sqlite3_stmt *statement, int at, size_t *bytes);
int64_t cs_statement_i64(struct sqlite3_stmt *statement, int at);

/*
 * How a results database is opened.
 */

enum cs_store_mode {
    CS_STORE_CREATE,   /* the first put creates a missing file */
    CS_STORE_EXISTING, /* a missing file is an error; may be read only */
};
