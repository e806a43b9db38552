#include "reports/results/store/sweep.h"

#include "reports/results/store/handle.h"

#include <inttypes.h>

static const char sweep_tables[] = "CREATE TABLE IF NOT EXISTS sweeps (\n"
                                   "  id INTEGER PRIMARY KEY,\n"
                                   "  hash INTEGER NOT NULL UNIQUE,\n"
                                   "  base INTEGER NOT NULL,\n"
                                   "  cases INTEGER NOT NULL,\n"
                                   "  about TEXT NOT NULL\n) STRICT;\n"
                                   "CREATE TABLE IF NOT EXISTS sweep_refusals (\n"
                                   "  id INTEGER PRIMARY KEY,\n"
                                   "  reason TEXT NOT NULL\n) STRICT;\n";

int cs_store_sweep_open(const char *path, const struct cs_database_wait *wait,
                        struct cs_store **store, struct cs_err *err)
{
    int rc = cs_store_open_waiting(path, CS_STORE_CREATE, wait, store, err);

    if (!rc && (*store)->database.handle)
        rc = cs_database_run(&(*store)->database, "PRAGMA synchronous = NORMAL", err);
    return rc;
}

/* ---- the sweep ---- */

/* The rows of a sweep: their numbers follow `base`. */
struct sweep_rows {
    uint64_t base, count;
};

/* A query between two numbers: ?1 < id <= ?2. */
static int sweep_query(const struct cs_store *store, const char *text, struct sweep_rows rows,
                       struct sqlite3_stmt **query, struct cs_err *err)
{
    int rc = cs_statement_open(&store->database, text, query, err);

    if (rc)
        return rc;
    cs_statement_bind_i64(*query, 1, (int64_t)rows.base);
    cs_statement_bind_i64(*query, 2, (int64_t)(rows.base + rows.count));
    return 0;
}

static int sweep_add(const struct cs_store *store, uint64_t hash, uint64_t cases, const char *about,
                     uint64_t *base, struct cs_err *err)
{
    struct sqlite3_stmt *add = NULL;
    int64_t number = 0;
    int rc = cs_database_number(&store->database,
                                "SELECT max(coalesce((SELECT max(id) FROM runs), 0), "
                                "coalesce((SELECT max(base + cases) FROM sweeps), 0))",
                                &number, err);

    if (!rc)
        rc = cs_statement_open(&store->database,
                               "INSERT INTO sweeps (hash, base, cases, about) VALUES (?, ?, ?, ?)",
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

/* Runs without a number of their own get ids beyond all sweeps: AUTOINCREMENT counts
 * on from sqlite_sequence. */
static int sweep_reserve(const struct cs_store *store, struct cs_err *err)
{
    return cs_database_run(
        &store->database,
        "INSERT INTO sqlite_sequence (name, seq) SELECT 'runs', 0 WHERE NOT EXISTS (SELECT 1 FROM "
        "sqlite_sequence WHERE name = 'runs');UPDATE sqlite_sequence SET seq = max(seq, (SELECT "
        "coalesce(max(base + cases), 0) FROM main.sweeps)) WHERE name = 'runs'",
        err);
}

int cs_store_sweep_begin(struct cs_store *store, uint64_t hash, uint64_t cases, const char *about,
                         uint64_t *base, struct cs_err *err)
{
    struct cs_store_write write;
    int64_t known = 0;
    int rc = cs_store_write_begin(&write, &store->database, err);

    if (rc)
        return rc;
    rc = cs_database_run(&store->database, sweep_tables, err);
    if (!rc)
        rc = cs_database_find(&store->database, "SELECT base FROM sweeps WHERE hash = ?",
                              &(int64_t){(int64_t)hash}, 1, &known, err);
    *base = (uint64_t)known;
    if (!rc)
        rc = sweep_add(store, hash, cases, about, base, err);
    if (rc >= 0)
        rc = sweep_reserve(store, err);
    return cs_store_write_end(&write, rc, err);
}

int cs_store_sweep_done(struct cs_store *store, uint64_t base, uint64_t cases, bool *done,
                        uint64_t *count, struct cs_err *err)
{
    struct sqlite3_stmt *query = NULL;
    int rc = sweep_query(store,
                         "SELECT id FROM runs WHERE id > ?1 AND id <= ?2 UNION ALL SELECT id "
                         "FROM sweep_refusals WHERE id > ?1 AND id <= ?2",
                         (struct sweep_rows){base, cases}, &query, err);

    *count = 0;
    if (rc)
        return rc;
    while ((rc = cs_statement_step(&store->database, query, err)) > 0) {
        uint64_t number = (uint64_t)cs_statement_i64(query, 0) - base - 1;

        *count += !done[number];
        done[number] = true;
    }
    cs_statement_finalize(query);
    return rc;
}

/* ---- cases ---- */

int cs_store_sweep_has(const struct cs_store *store, uint64_t base, uint64_t number,
                       struct cs_err *err)
{
    return cs_store_has(store, (int64_t)(base + number + 1), err);
}

int cs_store_sweep_put(struct cs_store *store, uint64_t base, uint64_t number,
                       const struct cs_record *record, struct cs_err *err)
{
    return cs_store_put_numbered(store, (int64_t)(base + number + 1), record, err);
}

int cs_store_sweep_refuse(struct cs_store *store, uint64_t base, uint64_t number,
                          const char *reason, struct cs_err *err)
{
    struct cs_store_write write;
    struct sqlite3_stmt *add = NULL;
    int known, rc = cs_store_write_begin(&write, &store->database, err);

    if (rc)
        return rc;
    rc = known = cs_store_sweep_has(store, base, number, err);
    if (!rc)
        rc = cs_statement_open(&store->database,
                               "INSERT INTO sweep_refusals (id, reason) VALUES (?, ?)", &add, err);
    if (add) {
        cs_statement_bind_i64(add, 1, (int64_t)(base + number + 1));
        cs_statement_bind_text(add, 2, reason);
        rc = cs_statement_step(&store->database, add, err);
    }
    cs_statement_finalize(add);
    rc = cs_store_write_end(&write, rc < 0 ? rc : 0, err);
    return rc ? rc : known;
}

int cs_store_sweep_reasons(struct cs_store *store, uint64_t base, uint64_t cases,
                           struct cs_text *out, struct cs_err *err)
{
    struct sqlite3_stmt *query = NULL;
    int rc = sweep_query(store,
                         "SELECT count(*), reason FROM sweep_refusals WHERE id > ?1 AND id <= ?2 "
                         "GROUP BY reason ORDER BY count(*) DESC, reason LIMIT 5",
                         (struct sweep_rows){base, cases}, &query, err);

    if (rc)
        return rc;
    while ((rc = cs_statement_step(&store->database, query, err)) > 0)
        cs_text_printf(out, "  %" PRId64 " x %s\n", cs_statement_i64(query, 0),
                       cs_statement_text(query, 1));
    cs_statement_finalize(query);
    return rc;
}

int cs_store_sweep_padded(struct cs_store *store, uint64_t base, uint64_t cases, uint64_t *padded,
                          struct cs_err *err)
{
    const int64_t marks[] = {(int64_t)base, (int64_t)(base + cases)};
    int64_t number = 0;
    int rc = cs_database_find(
        &store->database,
        "SELECT count(*) FROM runs WHERE id > ?1 AND id <= ?2 AND padded_bytes > 0", marks, 2,
        &number, err);

    *padded = (uint64_t)number;
    return rc < 0 ? rc : 0;
}

int cs_store_sweep_missing(struct cs_store *store, FILE *messages, struct cs_err *err)
{
    struct sqlite3_stmt *query = NULL;
    int rc =
        cs_statement_open(&store->database,
                          "SELECT cases, cases - (SELECT count(*) FROM runs WHERE id > base AND "
                          "id <= base + cases) - (SELECT count(*) FROM sweep_refusals WHERE id > "
                          "base AND id <= base + cases), about FROM sweeps ORDER BY base",
                          &query, err);

    if (rc)
        return rc;
    while ((rc = cs_statement_step(&store->database, query, err)) > 0)
        fprintf(messages, "'%s': %" PRId64 " cases, %" PRId64 " missing\n", store->path,
                cs_statement_i64(query, 0), cs_statement_i64(query, 1));
    cs_statement_finalize(query);
    return rc;
}

int cs_store_sweep_flush(struct cs_store *store, struct cs_err *err)
{
    int64_t busy = 0;

    return store->database.handle
               ? cs_database_number(&store->database, "PRAGMA wal_checkpoint(TRUNCATE)", &busy, err)
               : 0;
}

/* ---- merging ---- */

/* The tables with rows of a part: the key, the table of the cases, and the columns
 * behind the key, with those of the fields. */
static const struct merged_table {
    const char *name, *key, *owner, *columns;
    const struct cs_field_list *fields; /* NULL: none */
    int list;                           /* of cs_record_lists; -1: none */
} merged_tables[] = {
    {"sweep_refusals", "id", "sweep_refusals", "reason", NULL, -1},
    {"runs", "id", "runs", "created_at_utc, request, ", &cs_record_fields, -1},
    {NULL, "run_id", "runs", "position, ", NULL, CS_RECORD_PARAMETERS},
    {NULL, "run_id", "runs", "position, ", NULL, CS_RECORD_LINKS},
    {NULL, "run_id", "runs", "position, ", NULL, CS_RECORD_JOBS},
    {NULL, "run_id", "runs", "position, ", NULL, CS_RECORD_TIMES},
};

enum {
    MERGED_TABLES = sizeof(merged_tables) / sizeof(*merged_tables)
};
_Static_assert(MERGED_TABLES == 2 + CS_RECORD_LISTS, "a table is missing");

static const char *merged_name(const struct merged_table *table)
{
    return table->list < 0 ? table->name : cs_record_lists[table->list].table;
}

static void merged_columns(const struct merged_table *table, struct cs_text *sql)
{
    const struct cs_field_list *fields =
        table->list < 0 ? table->fields : cs_record_lists[table->list].fields;

    cs_text_add(sql, table->columns);
    if (fields)
        cs_store_add_columns(sql, fields, CS_STORE_ALL_COLUMNS);
}

/* The result of a query about the attached file, which must be 0. */
static int merge_none(const struct cs_store *store, const char *sql, int64_t *number,
                      struct cs_err *err)
{
    *number = 0;
    return cs_database_number(&store->database, sql, number, err);
}

static int merge_check_sweeps(const struct cs_store *store, const char *path, struct cs_err *err)
{
    int64_t number;
    int rc = merge_none(store, "SELECT count(*) = 0 FROM part.sqlite_schema WHERE name = 'sweeps'",
                        &number, err);

    if (!rc && !number)
        rc = merge_none(store, "SELECT count(*) = 0 FROM part.sweeps", &number, err);
    if (!rc && number)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' has no sweep; expected the database of 'collsim sweep'", path);
    if (!rc)
        rc = merge_none(
            store,
            "SELECT (EXISTS (SELECT 1 FROM joined) AND NOT EXISTS (SELECT 1 FROM part.sweeps JOIN "
            "joined USING (hash))) OR EXISTS (SELECT 1 FROM part.sweeps AS p JOIN main.sweeps AS m "
            "ON m.hash = p.hash WHERE m.cases <> p.cases)",
            &number, err);
    if (!rc && number)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is a part of another sweep; expected parts of one scenario file",
                          path);
    return rc;
}

/* Adds unknown sweeps, with the ids of the part in an empty file and else with ids
 * beyond all others, and lists the ids of this file: moved(old, new). */
static int merge_number(const struct cs_store *store, struct cs_err *err)
{
    int rc = cs_database_run(
        &store->database,
        "INSERT OR IGNORE INTO main.sweeps (hash, base, cases, about) SELECT hash, base + "
        "max((SELECT coalesce(max(id), 0) FROM main.runs), (SELECT coalesce(max(base + cases), 0) "
        "FROM main.sweeps)), cases, about FROM part.sweeps ORDER BY base;INSERT OR IGNORE INTO "
        "joined SELECT hash FROM part.sweeps",
        err);

    if (!rc)
        rc = sweep_reserve(store, err);
    return rc ? rc
              : cs_database_run(
                    &store->database,
                    "CREATE TEMP TABLE moved (old INTEGER PRIMARY KEY, new INTEGER NOT "
                    "NULL);INSERT INTO moved SELECT r.id, r.id - p.base + m.base FROM (SELECT id "
                    "FROM part.runs UNION SELECT id FROM part.sweep_refusals) AS r JOIN "
                    "part.sweeps AS p ON r.id > p.base AND r.id <= p.base + p.cases JOIN "
                    "main.sweeps AS m ON m.hash = p.hash;INSERT INTO moved SELECT id, (SELECT seq "
                    "FROM main.sqlite_sequence WHERE name = 'runs') + row_number() OVER (ORDER BY "
                    "id) FROM part.runs AS r WHERE id NOT IN (SELECT old FROM moved) AND NOT "
                    "EXISTS (SELECT 1 FROM main.runs AS m WHERE m.request = r.request AND "
                    "m.created_at_utc = r.created_at_utc)",
                    err);
}

/* The first case in both files with different rows. */
static int merge_check_table(const struct cs_store *store, const char *path,
                             const struct merged_table *table, struct cs_err *err)
{
    const char *name = merged_name(table);
    CS_AT_END(cs_text_free) struct cs_text sql = {0};
    int64_t number;
    int rc;

    cs_text_add(&sql, "SELECT coalesce(min(new), 0) FROM (SELECT new, ");
    merged_columns(table, &sql);
    cs_text_printf(&sql,
                   " FROM part.%s JOIN moved ON %s = old WHERE new IN (SELECT id FROM main.%s) "
                   "EXCEPT SELECT %s, ",
                   name, table->key, table->owner, table->key);
    merged_columns(table, &sql);
    cs_text_printf(&sql, " FROM main.%s)", name);
    rc = merge_none(store, cs_text_str(&sql), &number, err);
    if (!rc && number)
        rc = cs_err_set(err, CS_EANSWER,
                        "case %" PRId64 " of '%s' differs from the same case in '%s'", number - 1,
                        path, store->path);
    return rc;
}

/* A case is a run in one file and a refusal in the other. */
static int merge_check_kinds(const struct cs_store *store, const char *path, struct cs_err *err)
{
    int64_t number;
    int rc =
        merge_none(store,
                   "SELECT coalesce(min(new), 0) FROM moved WHERE (old IN (SELECT id FROM "
                   "part.runs) AND new IN (SELECT id FROM main.sweep_refusals)) OR (old IN (SELECT "
                   "id FROM part.sweep_refusals) AND new IN (SELECT id FROM main.runs))",
                   &number, err);

    if (!rc && number)
        rc = cs_err_set(err, CS_EANSWER,
                        "case %" PRId64
                        " has a result in one of '%s' and '%s' and a refusal in the other",
                        number - 1, path, store->path);
    return rc;
}

static int merge_copy_table(const struct cs_store *store, const struct merged_table *table,
                            struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text sql = {0};

    cs_text_printf(&sql, "INSERT OR IGNORE INTO main.%s (%s, ", merged_name(table), table->key);
    merged_columns(table, &sql);
    cs_text_add(&sql, ") SELECT new, ");
    merged_columns(table, &sql);
    cs_text_printf(&sql, " FROM part.%s JOIN moved ON %s = old ORDER BY new", merged_name(table),
                   table->key);
    return cs_database_run(&store->database, cs_text_str(&sql), err);
}

static int merge_attached(struct cs_store *store, const char *path, struct cs_err *err)
{
    struct cs_store_write write;
    int rc = cs_store_write_begin(&write, &store->database, err);

    if (rc)
        return rc;
    rc = cs_database_run(&store->database, sweep_tables, err);
    if (!rc)
        rc = cs_database_run(&store->database,
                             "CREATE TEMP TABLE IF NOT EXISTS joined (hash INTEGER PRIMARY KEY)",
                             err);
    if (!rc)
        rc = merge_check_sweeps(store, path, err);
    if (!rc)
        rc = merge_number(store, err);
    if (!rc)
        rc = merge_check_kinds(store, path, err);
    for (size_t t = 0; t < MERGED_TABLES && !rc; ++t)
        rc = merge_check_table(store, path, &merged_tables[t], err);
    for (size_t t = 0; t < MERGED_TABLES && !rc; ++t)
        rc = merge_copy_table(store, &merged_tables[t], err);
    if (!rc)
        rc = cs_database_run(&store->database, "DROP TABLE moved", err);
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

int cs_store_sweep_merge(struct cs_store *store, const char *path, struct cs_err *err)
{
    struct sqlite3_stmt *attach = NULL;
    struct cs_err ignored = {0};
    int rc = merge_check_part(path, err);

    if (!rc && !store->database.handle)
        rc = merge_make_file(store, err);
    if (!rc)
        rc = cs_statement_open(&store->database, "ATTACH ? AS part", &attach, err);
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
