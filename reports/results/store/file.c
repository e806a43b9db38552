/* Store file: see store/handle.h. */
#include "reports/results/store/handle.h"
#include "reports/results/store/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "csim" in SQLite's header: the program that owns the database. */
#define APPLICATION_ID 0x6373696d

/* ---- the owner and the schema ---- */

/* Sets *is_new for an empty database; refuses databases of different programs or
 * with different tables before any change. */
static int store_file_check(const struct cs_database *database, bool *is_new, struct cs_err *err)
{
    int64_t id = 0;
    int64_t version = 0;
    int64_t objects = 0;
    int rc = cs_database_number(database, "PRAGMA application_id", &id, err);

    if (!rc)
        rc = cs_database_number(database, "PRAGMA user_version", &version, err);
    if (!rc)
        rc = cs_database_number(database, "SELECT count(*) FROM sqlite_schema", &objects, err);
    if (rc)
        return rc;
    *is_new = objects == 0 && id == 0;
    if (id != APPLICATION_ID && !*is_new)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is a database of another program; the file is unchanged",
                          database->path);
    if (!*is_new && version != cs_store_version())
        return cs_err_set(err, CS_EINPUT,
                          "results database '%s' has the tables of another version of collsim and "
                          "is unchanged; name a new file, or remove this one and run again",
                          database->path);
    return 0;
}

/* A transaction around the queries: if a second process created the tables in
 * between, the answers would look like a database of a different program. */
static int store_file_check_at_once(const struct cs_database *database, bool *is_new,
                                    struct cs_err *err)
{
    int rc = cs_database_run(database, "BEGIN", err);

    return rc ? rc : cs_database_end(database, store_file_check(database, is_new, err), err);
}

/* Creates the tables if still missing under the lock: another
 * process may have been faster. */
static int store_file_make_tables(const struct cs_database *database, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text sql = {0};
    bool is_new = false;
    int rc = store_file_check(database, &is_new, err);

    if (rc || !is_new)
        return rc;
    cs_store_schema(&sql);
    cs_text_printf(&sql, "PRAGMA application_id = %d;\nPRAGMA user_version = %" PRId32 ";\n",
                   APPLICATION_ID, cs_store_version());
    return cs_database_run(database, cs_text_str(&sql), err);
}

static int store_file_set_modes(const struct cs_database *database, struct cs_err *err)
{
    return cs_database_run(database, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", err);
}

/* ---- opening ---- */

/* Whether a file can be made beside `path`: 0, or an errno. */
static int store_file_beside(const char *path)
{
    const char *slash = strrchr(path, '/');
    CS_AT_END(cs_text_free) struct cs_text dir = {0};

    cs_text_printf(&dir, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    return access(cs_text_str(&dir), W_OK) == 0 ? 0 : errno;
}

/* A full or failing disk is an error of the system; other failures are
 * errors of the input. */
static int store_file_refuse(const struct cs_database *database, int reason, struct cs_err *err)
{
    bool full = reason == ENOSPC || reason == EDQUOT || reason == EIO;

    return cs_err_set(err, full ? CS_ECANNOT : CS_EINPUT, "cannot open results database '%s': %s",
                      database->path,
                      reason > 0 ? strerror(reason) : "not a file that can be written");
}

/* Distinguishes a missing file, an unusable directory and an unusable file. */
static int store_file_connect(struct cs_database *database, enum cs_store_mode mode,
                              struct cs_err *err)
{
    int reason = cs_database_open(database, mode == CS_STORE_CREATE ? CS_DATABASE_CREATE
                                                                    : CS_DATABASE_EXISTING);

    /* SQLite retries to read a file after a failed creation, and reports only the
     * failure of the read. */
    if (mode == CS_STORE_CREATE && reason == ENOENT)
        reason = store_file_beside(database->path);
    else if (mode == CS_STORE_EXISTING && reason == ENOENT)
        return cs_err_set(err, CS_EINPUT, "results database '%s' does not exist", database->path);
    return reason ? store_file_refuse(database, reason, err) : 0;
}

/* New tables are created under a lock; WAL is set outside, as SQLite refuses to
 * change the journal in a transaction. */
static int store_file_set_up(struct cs_database *database, struct cs_err *err)
{
    bool is_new = false;
    int rc = store_file_check_at_once(database, &is_new, err);

    if (!rc && is_new) {
        rc = cs_database_run(database, "BEGIN IMMEDIATE", err);
        if (!rc)
            rc = cs_database_end(database, store_file_make_tables(database, err), err);
    }
    if (!rc)
        rc = cs_database_use_wal(database, err);
    return rc ? rc : store_file_set_modes(database, err);
}

/* Whether the journal has runs beyond the file. */
static bool store_file_has_journal(const char *path)
{
    CS_AT_END(cs_text_free) struct cs_text name = {0};
    struct stat file;

    cs_text_printf(&name, "%s-wal", path);
    return stat(cs_text_str(&name), &file) == 0 && file.st_size > 0;
}

/* WAL needs an index file beside the database even for readers.  In a read-only
 * directory no process can write either; without a left-over journal the
 * database is complete and can be read without WAL. */
static int store_file_open_unchanging(struct cs_database *database, struct cs_err *err)
{
    bool is_new = false;
    int reason;

    cs_database_close(database);
    reason = cs_database_open(database, CS_DATABASE_UNCHANGING);
    return reason ? store_file_refuse(database, reason, err)
                  : store_file_check_at_once(database, &is_new, err);
}

/* SQLite would turn an empty file into a database. */
static bool store_file_is_empty(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

/* A dangling link is not absent. */
static bool store_file_is_absent(const char *path)
{
    struct stat status;

    return lstat(path, &status) != 0 && errno == ENOENT;
}

int cs_store_file_open(struct cs_database *database, enum cs_store_mode mode, struct cs_err *err)
{
    const char *path = database->path;
    struct cs_err writing = {0};
    int rc;

    if (mode == CS_STORE_EXISTING && store_file_is_empty(path))
        return cs_err_set(err, CS_EINPUT, "'%s' is empty, not a results database", path);
    if (mode == CS_STORE_CREATE && store_file_is_absent(path)) {
        rc = store_file_beside(path);
        return rc ? store_file_refuse(database, rc, err) : 0;
    }
    rc = store_file_connect(database, mode, err);
    if (rc)
        return rc;
    rc = store_file_set_up(database, &writing);
    if (rc && mode == CS_STORE_EXISTING &&
        (access(path, W_OK) != 0 || store_file_beside(path) != 0) && !store_file_has_journal(path))
        return store_file_open_unchanging(database, err);
    return rc ? cs_err_set(err, writing.code, "%s", writing.text) : 0;
}

/* ---- writing ---- */

/* The file of a first put: connect, lock, create the tables in the transaction
 * of the put. */
static int store_file_begin_new(struct cs_database *database, struct cs_err *err)
{
    int rc = store_file_connect(database, CS_STORE_CREATE, err);

    if (!rc)
        rc = store_file_set_modes(database, err);
    if (!rc)
        rc = cs_database_run(database, "BEGIN IMMEDIATE", err);
    return rc ? rc : store_file_make_tables(database, err);
}

/* Removes the file, unless a concurrent process has written runs. */
static int store_file_give_up(struct cs_database *database, int rc)
{
    struct cs_err ignored = {0};

    if (database->handle)
        (void)cs_database_end(database, CS_ECANNOT, &ignored);
    if (store_file_is_empty(database->path))
        (void)unlink(database->path);
    cs_database_close(database);
    return rc;
}

/* A write takes the lock at the start (BEGIN IMMEDIATE): a second writer waits
 * instead of failing at the first INSERT. */
int cs_store_write_begin(struct cs_store_write *write, struct cs_database *database,
                         struct cs_err *err)
{
    int rc;

    *write = (struct cs_store_write){database, !database->handle};
    if (database->handle)
        return cs_database_run(database, "BEGIN IMMEDIATE", err);
    rc = store_file_begin_new(database, err);
    return rc ? store_file_give_up(database, rc) : 0;
}

/* After the commit the file must still exist: a file removed meanwhile would
 * lose the run silently. */
int cs_store_write_end(const struct cs_store_write *write, int rc, struct cs_err *err)
{
    struct cs_database *database = write->database;

    rc = cs_database_end(database, rc, err);
    if (!write->makes_file)
        return rc;
    if (rc)
        return store_file_give_up(database, rc);
    if (store_file_is_absent(database->path))
        return cs_err_set(err, CS_ECANNOT, "results database '%s' was removed while it was written",
                          database->path);
    return cs_database_use_wal(database, err);
}
