#include "reports/results/store/database.h"
#include "sim/base/clock.h"

#include <math.h>
#include <sqlite3.h>
#include <string.h>

enum {
    BUSY_LIMIT_S = 600, /* longer than any transaction of a concurrent writer */
    BUSY_PAUSE_MS = 5,
};

/* Waits a moment for a lock; 0 where the wait is over.  `count` is 0 at the first
 * call for a lock. */
static int database_busy(void *ctx, int count)
{
    struct cs_database *database = ctx;
    double now_s = cs_clock_s(), waited_s;

    if (count == 0)
        database->waits_since_s = now_s;
    waited_s = now_s - database->waits_since_s;
    database->stopped =
        database->wait.goes_on && !database->wait.goes_on(database->wait.ctx, waited_s);
    if (database->stopped || waited_s > BUSY_LIMIT_S)
        return 0;
    sqlite3_sleep(count < BUSY_PAUSE_MS ? 1 : BUSY_PAUSE_MS);
    return 1;
}

/* SQLite gives "file:", ":memory:" and "" special meanings.  A relative path
 * gets the prefix "./", which has none. */
static const char *database_prefix(const char *path)
{
    return path[0] == '/' ? "" : "./";
}

/* "file:" and the path, with the special characters of a URI escaped. */
static void database_add_uri(struct cs_text *uri, const char *path)
{
    cs_text_printf(uri, "file:%s", database_prefix(path));
    for (; *path; path++)
        if (strchr("%?#", *path))
            cs_text_printf(uri, "%%%02X", (unsigned)*path);
        else
            cs_text_printf(uri, "%c", *path);
    cs_text_add(uri, "?immutable=1");
}

/* Names are plain paths; only the read-only mode uses a URI, for
 * immutable=1. */
int cs_database_open(struct cs_database *database, enum cs_database_mode mode)
{
    static const int flags[CS_DATABASE_MODES] = {
        [CS_DATABASE_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
        [CS_DATABASE_EXISTING] = SQLITE_OPEN_READWRITE,
        [CS_DATABASE_UNCHANGING] = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
    };
    CS_AT_END(cs_text_free) struct cs_text name = {0};
    int reason = 0;

    if (mode == CS_DATABASE_UNCHANGING)
        database_add_uri(&name, database->path);
    else
        cs_text_printf(&name, "%s%s", database_prefix(database->path), database->path);
    if (sqlite3_open_v2(cs_text_str(&name), &database->handle, flags[mode], NULL) != SQLITE_OK) {
        reason = database->handle ? sqlite3_system_errno(database->handle) : 0;
        reason = reason ? reason : -1;
    } else {
        sqlite3_busy_handler(database->handle, database_busy, database);
    }
    return reason;
}

void cs_database_close(struct cs_database *database)
{
    sqlite3_close_v2(database->handle);
    database->handle = NULL;
}

/* The last SQLite error as an error of the program. */
static int database_fail(const struct cs_database *database, struct cs_err *err)
{
    const char *path = database->path;

    switch (sqlite3_errcode(database->handle)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        if (database->stopped)
            return cs_err_set(err, CS_ESTOPPED, "stopped");
        return cs_err_set(err, CS_ECANNOT, "results database '%s' is locked by another process",
                          path);
    case SQLITE_NOTADB:
        return cs_err_set(err, CS_EINPUT, "'%s' is not a results database; the file is unchanged",
                          path);
    case SQLITE_CORRUPT:
        return cs_err_set(err, CS_EINPUT, "results database '%s' is damaged", path);
    case SQLITE_IOERR:
        return cs_err_set(err, CS_ECANNOT, "results database '%s': %s; is the disk full?", path,
                          sqlite3_errmsg(database->handle));
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return cs_err_set(err, CS_EINPUT, "results database '%s' cannot be written", path);
    default:
        return cs_err_set(err, CS_ECANNOT, "results database '%s': %s", path,
                          sqlite3_errmsg(database->handle));
    }
}

int cs_database_run(const struct cs_database *database, const char *sql, struct cs_err *err)
{
    if (sqlite3_exec(database->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        return database_fail(database, err);
    return 0;
}

/* A query with whole numbers for its marks. */
static int database_ask(const struct cs_database *database, const char *sql, const int64_t *marks,
                        int count, struct sqlite3_stmt **query, struct cs_err *err)
{
    int rc = cs_statement_open(database, sql, query, err);

    for (int i = 0; i < count && !rc; i++)
        cs_statement_bind_i64(*query, i + 1, marks[i]);
    return rc;
}

int cs_database_each(const struct cs_database *database, const char *sql, const int64_t *marks,
                     int count, struct cs_database_use use, struct cs_err *err)
{
    struct sqlite3_stmt *query = NULL;
    int rc = database_ask(database, sql, marks, count, &query, err);

    while (!rc && (rc = cs_statement_step(database, query, err)) == 1) {
        use.row(use.ctx, query);
        rc = 0;
    }
    cs_statement_finalize(query);
    return rc;
}

int cs_database_find(const struct cs_database *database, const char *sql, const int64_t *marks,
                     int count, int64_t *number, struct cs_err *err)
{
    struct sqlite3_stmt *query = NULL;
    int rc = database_ask(database, sql, marks, count, &query, err);

    if (!rc)
        rc = cs_statement_step(database, query, err);
    if (rc > 0)
        *number = sqlite3_column_int64(query, 0);
    cs_statement_finalize(query);
    return rc;
}

int cs_database_number(const struct cs_database *database, const char *sql, int64_t *number,
                       struct cs_err *err)
{
    int rc = cs_database_find(database, sql, NULL, 0, number, err);

    return rc > 0 ? 0 : rc;
}

/* SQLite rolls back by itself on some errors, so autocommit is checked before a
 * ROLLBACK. */
int cs_database_end(const struct cs_database *database, int rc, struct cs_err *err)
{
    if (!rc)
        rc = cs_database_run(database, "COMMIT", err);
    if (rc && !sqlite3_get_autocommit(database->handle))
        (void)sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

/* The journal mode is kept in the file.  A change needs the database without
 * other users for a moment, and SQLite's busy handler does not cover the change.
 * On a file system without shared memory, SQLite keeps the rollback journal
 * instead of WAL, with equal safety. */
int cs_database_use_wal(struct cs_database *database, struct cs_err *err)
{
    int count = 0, rc;

    do
        rc = sqlite3_exec(database->handle, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    while (rc == SQLITE_BUSY && database_busy(database, count++));
    return rc == SQLITE_OK ? 0 : database_fail(database, err);
}

int64_t cs_database_last_row(const struct cs_database *database)
{
    return sqlite3_last_insert_rowid(database->handle);
}

int cs_statement_open(const struct cs_database *database, const char *sql,
                      struct sqlite3_stmt **statement, struct cs_err *err)
{
    return sqlite3_prepare_v2(database->handle, sql, -1, statement, NULL) == SQLITE_OK
               ? 0
               : database_fail(database, err);
}

int cs_statement_prepare(const struct cs_database *database, struct cs_text *sql,
                         struct sqlite3_stmt **statement, struct cs_err *err)
{
    int rc = cs_statement_open(database, cs_text_str(sql), statement, err);

    cs_text_free(sql);
    return rc;
}

void cs_statement_finalize(struct sqlite3_stmt *statement)
{
    sqlite3_finalize(statement);
}

void cs_statement_reset(struct sqlite3_stmt *statement)
{
    sqlite3_reset(statement);
}

void cs_statement_bind_text(struct sqlite3_stmt *statement, int at, const char *text)
{
    sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT);
}

void cs_statement_bind_real(struct sqlite3_stmt *statement, int at, double number)
{
    sqlite3_bind_double(statement, at, number);
}

void cs_statement_bind_i64(struct sqlite3_stmt *statement, int at, int64_t number)
{
    sqlite3_bind_int64(statement, at, number);
}

int cs_statement_step(const struct cs_database *database, struct sqlite3_stmt *statement,
                      struct cs_err *err)
{
    switch (sqlite3_step(statement)) {
    case SQLITE_ROW:
        return 1;
    case SQLITE_DONE:
        return 0;
    default:
        return database_fail(database, err);
    }
}

const char *cs_statement_text(struct sqlite3_stmt *statement, int at)
{
    const char *text = (const char *)sqlite3_column_text(statement, at);

    return text ? text : "";
}

const unsigned char *cs_statement_blob(struct sqlite3_stmt *statement, int at, size_t *bytes)
{
    const unsigned char *blob = sqlite3_column_blob(statement, at);

    *bytes = blob ? (size_t)sqlite3_column_bytes(statement, at) : 0;
    return blob;
}

/* NULL would read as 0.0. */
double cs_statement_real(struct sqlite3_stmt *statement, int at)
{
    if (sqlite3_column_type(statement, at) == SQLITE_NULL)
        return (double)NAN;
    return sqlite3_column_double(statement, at);
}

int64_t cs_statement_i64(struct sqlite3_stmt *statement, int at)
{
    return sqlite3_column_int64(statement, at);
}
