#include "reports/results/store/store.h"
#include "reports/results/store/handle.h"
#include "reports/results/store/rows.h"

#include <stdlib.h>
#include <string.h>

int cs_store_open(const char *path, enum cs_store_mode mode, struct cs_store **store,
                  struct cs_err *err)
{
    return cs_store_open_waiting(path, mode, NULL, store, err);
}

int cs_store_open_waiting(const char *path, enum cs_store_mode mode,
                          const struct cs_database_wait *wait, struct cs_store **store,
                          struct cs_err *err)
{
    int rc;

    *store = NULL;
    if (path[0] == '\0')
        return cs_err_set(err, CS_EINPUT, "the results database has an empty name");
    *store = cs_grow(NULL, 1, sizeof **store);
    **store = (struct cs_store){0};
    (*store)->path = cs_grow(NULL, strlen(path) + 1, 1);
    memcpy((*store)->path, path, strlen(path) + 1);
    (*store)->database.path = (*store)->path;
    if (wait)
        (*store)->database.wait = *wait;
    rc = cs_store_file_open(&(*store)->database, mode, err);
    if (rc) {
        cs_store_close(*store);
        *store = NULL;
    }
    return rc;
}

static void store_finalize(struct cs_store *store)
{
    cs_statement_finalize(store->add_run);
    cs_statement_finalize(store->add_numbered);
    store->add_run = store->add_numbered = NULL;
    for (size_t i = 0; i < CS_RECORD_LISTS; i++) {
        cs_statement_finalize(store->add_rows[i]);
        store->add_rows[i] = NULL;
    }
}

int cs_store_last(struct cs_store *store, uint64_t *last, struct cs_err *err)
{
    int64_t known = 0;
    int rc = store->database.handle
                 ? cs_database_number(&store->database, "SELECT ifnull(max(id), 0) FROM runs",
                                      &known, err)
                 : 0;

    *last = (uint64_t)known;
    return rc;
}

void cs_store_close(struct cs_store *store)
{
    if (!store)
        return;
    store_finalize(store);
    cs_database_close(&store->database);
    free(store->path);
    free(store);
}

/* ---- putting ---- */

/* "INSERT INTO table (first, columns) VALUES (?, ...)" */
struct store_insert {
    const char *table;
    const char *first, *first_marks; /* columns before the fields: "a, ", "?, " */
    const struct cs_field_list *fields;
};

static int store_prepare_insert(const struct cs_store *store, struct store_insert into,
                                struct sqlite3_stmt **statement, struct cs_err *err)
{
    struct cs_text sql = {0};

    cs_text_printf(&sql, "INSERT INTO %s (%s", into.table, into.first);
    cs_store_add_columns(&sql, into.fields, CS_STORE_ALL_COLUMNS);
    cs_text_printf(&sql, ") VALUES (%s", into.first_marks);
    cs_store_add_marks(&sql, into.fields, CS_STORE_ALL_COLUMNS);
    cs_text_add(&sql, ")");
    return cs_statement_prepare(&store->database, &sql, statement, err);
}

/* Statements live as long as the store: preparing takes longer than an
 * insert. */
static int store_prepare(struct cs_store *store, struct cs_err *err)
{
    int rc = 0;

    if (store->add_run)
        return 0;
    for (size_t i = 0; !rc && i < CS_RECORD_LISTS; i++)
        rc = store_prepare_insert(store,
                                  (struct store_insert){cs_record_lists[i].table,
                                                        "run_id, position, ", "?, ?, ",
                                                        cs_record_lists[i].fields},
                                  &store->add_rows[i], err);
    if (!rc)
        rc = store_prepare_insert(store,
                                  (struct store_insert){"runs", "id, created_at_utc, request, ",
                                                        "?, '', ?, ", &cs_record_fields},
                                  &store->add_numbered, err);
    return rc ? rc
              : store_prepare_insert(
                    store, (struct store_insert){"runs", "request, ", "?, ", &cs_record_fields},
                    &store->add_run, err);
}

/* Runs a statement without results. */
static int store_step(const struct cs_store *store, struct sqlite3_stmt *statement,
                      struct cs_err *err)
{
    int rc = cs_statement_step(&store->database, statement, err);

    cs_statement_reset(statement);
    return rc;
}

static int store_put_rows(const struct cs_store *store, size_t number, int64_t run,
                          const struct cs_record *record, struct cs_err *err)
{
    const struct cs_field_list *fields = cs_record_lists[number].fields;
    struct sqlite3_stmt *add = store->add_rows[number];
    uint32_t count;
    const char *rows = cs_record_rows(&cs_record_lists[number], record, &count);
    int rc = 0;

    for (uint32_t i = 0; rows && !rc && i < count; i++) {
        cs_statement_bind_i64(add, 1, run);
        cs_statement_bind_i64(add, 2, i);
        rc = cs_store_bind(add, 3, fields, CS_STORE_ALL_COLUMNS, rows + i * fields->object_size,
                           err);
        if (!rc)
            rc = store_step(store, add, err);
    }
    return rc;
}

/* The run first: rows refer to its id. */
static int store_put_run(struct cs_store *store, int64_t id, const struct cs_record *record,
                         struct cs_err *err)
{
    struct sqlite3_stmt *add;
    int at = 1, rc = store_prepare(store, err);
    int64_t run;

    if (rc)
        return rc;
    add = id ? store->add_numbered : store->add_run;
    if (id)
        cs_statement_bind_i64(add, at++, id);
    cs_statement_bind_i64(add, at++, cs_store_request_of(record));
    rc = cs_store_bind(add, at, &cs_record_fields, CS_STORE_ALL_COLUMNS, record, err);
    if (!rc)
        rc = store_step(store, add, err);
    run = cs_database_last_row(&store->database);
    for (size_t i = 0; !rc && i < CS_RECORD_LISTS; i++)
        rc = store_put_rows(store, i, run, record, err);
    return rc;
}

/* A failed write removes a file created for the write, so the statements on the
 * file must end first. */
static int store_end(struct cs_store *store, const struct cs_store_write *write, int rc,
                     struct cs_err *err)
{
    if (rc && write->makes_file)
        store_finalize(store);
    return cs_store_write_end(write, rc, err);
}

int cs_store_put(struct cs_store *store, const struct cs_record *record, struct cs_err *err)
{
    struct cs_store_write write;
    int rc = cs_store_write_begin(&write, &store->database, err);

    return rc ? rc : store_end(store, &write, store_put_run(store, 0, record, err), err);
}

int cs_store_has(const struct cs_store *store, int64_t id, struct cs_err *err)
{
    int64_t known = 0;

    return cs_database_find(&store->database,
                            "SELECT id FROM runs WHERE id = ?1 UNION ALL SELECT id FROM "
                            "sweep_refusals WHERE id = ?1",
                            &id, 1, &known, err);
}

int cs_store_put_numbered(struct cs_store *store, int64_t id, const struct cs_record *record,
                          struct cs_err *err)
{
    struct cs_store_write write;
    int known = 0;
    int rc = cs_store_write_begin(&write, &store->database, err);

    if (rc)
        return rc;
    rc = known = cs_store_has(store, id, err);
    if (!rc)
        rc = store_put_run(store, id, record, err);
    rc = store_end(store, &write, rc < 0 ? rc : 0, err);
    return rc ? rc : known;
}
