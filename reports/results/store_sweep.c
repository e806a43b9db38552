#include "reports/results/store_sweep.h"

#include "reports/results/store_file.h"
#include "reports/results/store_handle.h"

#include <inttypes.h>
#include <string.h>

static const char sweep_tables[] =
    "CREATE TABLE IF NOT EXISTS sweeps (\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  hash INTEGER NOT NULL UNIQUE,\n"
    "  base INTEGER NOT NULL,\n"
    "  cases INTEGER NOT NULL,\n"
    "  about TEXT NOT NULL\n) STRICT;\n"
    "CREATE TABLE IF NOT EXISTS sweep_refusals (\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  reason TEXT NOT NULL\n) STRICT;\n";

int cs_store_sweep_open(const char *path, struct cs_store **store,
                        struct cs_err *err)
{
    int rc = cs_store_open(path, CS_STORE_CREATE, store, err);

    if (!rc && (*store)->database.handle)
        rc = cs_database_run(&(*store)->database, "PRAGMA synchronous = NORMAL",
                             err);
    return rc;
}

/* ---- the sweep ---- */

static int sweep_prepare(const struct cs_store *store, const char *text,
                         struct sqlite3_stmt **statement, struct cs_err *err)
{
    struct cs_text sql = {0};

    cs_text_add(&sql, text);
    return cs_statement_prepare(&store->database, &sql, statement, err);
}

/* Sets *found, and *base for a known sweep. */
static int sweep_find(const struct cs_store *store, uint64_t hash,
                      uint64_t *base, bool *found, struct cs_err *err)
{
    struct sqlite3_stmt *query = NULL;
    int rc = sweep_prepare(store, "SELECT base FROM sweeps WHERE hash = ?",
                           &query, err);

    *found = false;
    if (rc)
        return rc;
    cs_statement_bind_i64(query, 1, (int64_t)hash);
    rc = cs_statement_step(&store->database, query, err);
    if (rc > 0) {
        *found = true;
        *base = (uint64_t)cs_statement_i64(query, 0);
        rc = 0;
    }
    cs_statement_finalize(query);
    return rc;
}

static int sweep_add(const struct cs_store *store, uint64_t hash,
                     uint64_t cases, const char *about, uint64_t *base,
                     struct cs_err *err)
{
    struct sqlite3_stmt *add = NULL;
    int64_t number = 0;
    int rc = cs_database_number(
        &store->database,
        "SELECT max(coalesce((SELECT max(id) FROM runs), 0),"
        " coalesce((SELECT max(base + cases) FROM sweeps), 0))",
        &number, err);

    if (!rc)
        rc = sweep_prepare(store,
                           "INSERT INTO sweeps (hash, base, cases, about)"
                           " VALUES (?, ?, ?, ?)",
                           &add, err);
    if (rc)
        return rc;
    *base = (uint64_t)number;
    cs_statement_bind_i64(add, 1, (int64_t)hash);
    cs_statement_bind_i64(add, 2, number);
    cs_statement_bind_i64(add, 3, (int64_t)cases);
    cs_statement_bind_text(add, 4, about);
    rc = cs_statement_step(&store->database, add, err);
    cs_statement_finalize(add);
    return rc;
}

int cs_store_sweep_begin(struct cs_store *store, uint64_t hash, uint64_t cases,
                         const char *about, uint64_t *base, struct cs_err *err)
{
    struct cs_store_write write;
    bool found = false;
    int rc = cs_store_write_begin(&write, &store->database, err);

    if (rc)
        return rc;
    rc = cs_database_run(&store->database, sweep_tables, err);
    if (!rc)
        rc = sweep_find(store, hash, base, &found, err);
    if (!rc && !found)
        rc = sweep_add(store, hash, cases, about, base, err);
    return cs_store_write_end(&write, rc, err);
}

int cs_store_sweep_done(struct cs_store *store, uint64_t base, uint64_t cases,
                        bool *done, uint64_t *count, struct cs_err *err)
{
    struct sqlite3_stmt *query = NULL;
    int rc = sweep_prepare(store,
                           "SELECT id FROM runs WHERE id > ?1 AND id <= ?2"
                           " UNION ALL SELECT id FROM sweep_refusals"
                           " WHERE id > ?1 AND id <= ?2",
                           &query, err);

    *count = 0;
    if (rc)
        return rc;
    cs_statement_bind_i64(query, 1, (int64_t)base);
    cs_statement_bind_i64(query, 2, (int64_t)(base + cases));
    while ((rc = cs_statement_step(&store->database, query, err)) > 0) {
        uint64_t number = (uint64_t)cs_statement_i64(query, 0) - base - 1;

        *count += !done[number];
        done[number] = true;
    }
    cs_statement_finalize(query);
    return rc;
}

/* ---- cases ---- */

int cs_store_sweep_put(struct cs_store *store, uint64_t base, uint64_t number,
                       const struct cs_record *record, struct cs_err *err)
{
    return cs_store_put_numbered(store, (int64_t)(base + number + 1), record,
                                 err);
}

int cs_store_sweep_refuse(struct cs_store *store, uint64_t base,
                          uint64_t number, const char *reason,
                          struct cs_err *err)
{
    struct cs_store_write write;
    struct sqlite3_stmt *add = NULL;
    int rc = cs_store_write_begin(&write, &store->database, err);

    if (rc)
        return rc;
    rc = sweep_prepare(store,
                       "INSERT OR REPLACE INTO sweep_refusals (id, reason)"
                       " VALUES (?, ?)",
                       &add, err);
    if (!rc) {
        cs_statement_bind_i64(add, 1, (int64_t)(base + number + 1));
        cs_statement_bind_text(add, 2, reason);
        rc = cs_statement_step(&store->database, add, err);
    }
    cs_statement_finalize(add);
    return cs_store_write_end(&write, rc, err);
}

int cs_store_sweep_reasons(struct cs_store *store, uint64_t base,
                           uint64_t cases, struct cs_text *out,
                           struct cs_err *err)
{
    struct sqlite3_stmt *query = NULL;
    int rc = sweep_prepare(store,
                           "SELECT count(*), reason FROM sweep_refusals"
                           " WHERE id > ?1 AND id <= ?2 GROUP BY reason"
                           " ORDER BY count(*) DESC, reason LIMIT 5",
                           &query, err);

    if (rc)
        return rc;
    cs_statement_bind_i64(query, 1, (int64_t)base);
    cs_statement_bind_i64(query, 2, (int64_t)(base + cases));
    while ((rc = cs_statement_step(&store->database, query, err)) > 0)
        cs_text_printf(out, "  %" PRId64 " x %s\n", cs_statement_i64(query, 0),
                       cs_statement_text(query, 1));
    cs_statement_finalize(query);
    return rc;
}

int cs_store_sweep_padded(struct cs_store *store, uint64_t base, uint64_t cases,
                          uint64_t *padded, struct cs_err *err)
{
    struct sqlite3_stmt *query = NULL;
    int rc = sweep_prepare(store,
                           "SELECT count(*) FROM runs WHERE id > ?1"
                           " AND id <= ?2 AND padded_bytes > 0",
                           &query, err);

    if (rc)
        return rc;
    cs_statement_bind_i64(query, 1, (int64_t)base);
    cs_statement_bind_i64(query, 2, (int64_t)(base + cases));
    rc = cs_statement_step(&store->database, query, err);
    *padded = rc > 0 ? (uint64_t)cs_statement_i64(query, 0) : 0;
    cs_statement_finalize(query);
    return rc < 0 ? rc : 0;
}

int cs_store_sweep_missing(struct cs_store *store, FILE *messages,
                           struct cs_err *err)
{
    struct sqlite3_stmt *query = NULL;
    int rc = sweep_prepare(
        store,
        "SELECT cases, cases - (SELECT count(*) FROM runs WHERE id > base AND"
        " id <= base + cases) - (SELECT count(*) FROM sweep_refusals WHERE"
        " id > base AND id <= base + cases), about FROM sweeps ORDER BY base",
        &query, err);

    if (rc)
        return rc;
    while ((rc = cs_statement_step(&store->database, query, err)) > 0)
        fprintf(messages, "'%s': %" PRId64 " cases, %" PRId64 " missing\n",
                store->path, cs_statement_i64(query, 0),
                cs_statement_i64(query, 1));
    cs_statement_finalize(query);
    return rc;
}

int cs_store_sweep_flush(struct cs_store *store, struct cs_err *err)
{
    int64_t busy = 0;

    return store->database.handle
               ? cs_database_number(&store->database,
                                    "PRAGMA wal_checkpoint(TRUNCATE)", &busy,
                                    err)
               : 0;
}

/* ---- merging ---- */

static const char *const merged_tables[] = {"sweep_refusals", "runs",
                                            "run_parameters", "run_links",
                                            "run_jobs",       "run_times"};

enum {
    MERGED_TABLES = sizeof(merged_tables) / sizeof(*merged_tables)
};

/* The result of a query about the attached file, which must be 0. */
static int merge_none(const struct cs_store *store, const char *sql,
                      int64_t *number, struct cs_err *err)
{
    *number = 0;
    return cs_database_number(&store->database, sql, number, err);
}

static int merge_check_sweeps(const struct cs_store *store, const char *path,
                              struct cs_err *err)
{
    int64_t number;
    int rc = merge_none(store,
                        "SELECT count(*) = 0 FROM part.sqlite_schema"
                        " WHERE name = 'sweeps'",
                        &number, err);

    if (!rc && !number)
        rc = merge_none(store, "SELECT count(*) = 0 FROM part.sweeps", &number,
                        err);
    if (!rc && number)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' has no sweep; expected the "
                          "database of 'collsim sweep'",
                          path);
    if (!rc)
        rc = merge_none(store,
                        "SELECT count(*) FROM part.sweeps AS p"
                        " LEFT JOIN main.sweeps AS m ON m.hash = p.hash"
                        " WHERE m.base <> p.base OR m.cases <> p.cases OR"
                        " (m.hash IS NULL AND EXISTS (SELECT 1 FROM"
                        " main.sweeps AS o WHERE p.base < o.base + o.cases AND"
                        " o.base < p.base + p.cases))",
                        &number, err);
    if (!rc && number)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is a part of another sweep; expected parts of "
                          "one scenario file",
                          path);
    return rc;
}

/* The first case in both files with different rows. */
static int merge_check_table(const struct cs_store *store, const char *path,
                             const char *table, struct cs_err *err)
{
    const char *key = cs_same(table, "runs") || cs_same(table, "sweep_refusals")
                          ? "id"
                          : "run_id";
    const char *owner = cs_same(table, "sweep_refusals") ? table : "runs";
    struct cs_text sql = {0};
    int64_t number;
    int rc;

    cs_text_printf(&sql,
                   "SELECT coalesce(min(%s), 0) FROM (SELECT * FROM part.%s"
                   " WHERE %s IN (SELECT id FROM main.%s)"
                   " EXCEPT SELECT * FROM main.%s)",
                   key, table, key, owner, table);
    rc = merge_none(store, cs_text_str(&sql), &number, err);
    cs_text_free(&sql);
    if (!rc && number)
        rc = cs_err_set(err, CS_EANSWER,
                        "case %" PRId64 " of '%s' differs from the same case "
                        "in '%s'",
                        number - 1, path, store->path);
    return rc;
}

/* A case is a run in one file and a refusal in the other. */
static int merge_check_kinds(const struct cs_store *store, const char *path,
                             struct cs_err *err)
{
    int64_t number;
    int rc = merge_none(
        store,
        "SELECT coalesce(min(id), 0) FROM ("
        "SELECT id FROM part.runs INTERSECT SELECT id FROM main.sweep_refusals"
        " UNION ALL SELECT * FROM (SELECT id FROM part.sweep_refusals"
        " INTERSECT SELECT id FROM main.runs))",
        &number, err);

    if (!rc && number)
        rc = cs_err_set(err, CS_EANSWER,
                        "case %" PRId64 " has a result in one of '%s' and '%s' "
                        "and a refusal in the other",
                        number - 1, path, store->path);
    return rc;
}

static int merge_copy(const struct cs_store *store, struct cs_err *err)
{
    int rc = cs_database_run(&store->database,
                             "INSERT OR IGNORE INTO main.sweeps (hash, base,"
                             " cases, about) SELECT hash, base, cases, about"
                             " FROM part.sweeps ORDER BY base",
                             err);

    for (size_t t = 0; t < MERGED_TABLES && !rc; ++t) {
        struct cs_text sql = {0};

        cs_text_printf(&sql,
                       "INSERT OR IGNORE INTO main.%s SELECT * FROM part.%s",
                       merged_tables[t], merged_tables[t]);
        rc = cs_database_run(&store->database, cs_text_str(&sql), err);
        cs_text_free(&sql);
    }
    return rc;
}

static int merge_attached(struct cs_store *store, const char *path,
                          struct cs_err *err)
{
    struct cs_store_write write;
    int rc = cs_store_write_begin(&write, &store->database, err);

    if (rc)
        return rc;
    rc = cs_database_run(&store->database, sweep_tables, err);
    if (!rc)
        rc = merge_check_sweeps(store, path, err);
    if (!rc)
        rc = merge_check_kinds(store, path, err);
    for (size_t t = 0; t < MERGED_TABLES && !rc; ++t)
        rc = merge_check_table(store, path, merged_tables[t], err);
    if (!rc)
        rc = merge_copy(store, err);
    return cs_store_write_end(&write, rc, err);
}

/* A first write makes the file, outside of the transaction that attaches. */
static int merge_make_file(struct cs_store *store, struct cs_err *err)
{
    struct cs_store_write write;
    int rc = cs_store_write_begin(&write, &store->database, err);

    if (!rc)
        rc = cs_database_run(&store->database, sweep_tables, err);
    return rc ? rc : cs_store_write_end(&write, rc, err);
}

/* A part must be readable as a results database of this version. */
static int merge_check_part(const char *path, struct cs_err *err)
{
    struct cs_store *part;
    int rc = cs_store_open(path, CS_STORE_EXISTING, &part, err);

    cs_store_close(part);
    return rc;
}

int cs_store_sweep_merge(struct cs_store *store, const char *path,
                         struct cs_err *err)
{
    struct sqlite3_stmt *attach = NULL;
    struct cs_err ignored = {0};
    int rc = merge_check_part(path, err);

    if (!rc && !store->database.handle)
        rc = merge_make_file(store, err);
    if (!rc)
        rc = sweep_prepare(store, "ATTACH ? AS part", &attach, err);
    if (rc)
        return rc;
    cs_statement_bind_text(attach, 1, path);
    rc = cs_statement_step(&store->database, attach, err);
    cs_statement_finalize(attach);
    if (rc)
        return rc;
    rc = merge_attached(store, path, err);
    (void)cs_database_run(&store->database, "DETACH part", &ignored);
    return rc;
}
