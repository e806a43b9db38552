#include "reports/results/store/handle.h"
#include "reports/results/store/store.h"
#include "sim/base/collections/vector.h"

#include <math.h>

enum {
    SHEET_OWN_COLUMNS = 3 /* request, position, version */
};

static const char *sheet_column_type(enum cs_sheet_kind kind)
{
    if (cs_sheet_is_text(kind))
        return "TEXT";
    return cs_sheet_is_u64(kind) || kind == CS_SHEET_BOOL ? "INTEGER" : "REAL";
}

/* Names of sheets and columns are the program's own. */
static int sheet_make_table(const struct cs_database *database, const struct cs_sheet *sheet,
                            struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text sql = {0};

    cs_text_printf(&sql,
                   "CREATE TABLE IF NOT EXISTS \"%s\" (\n  request TEXT NOT NULL,\n  position "
                   "INTEGER NOT NULL,\n  version TEXT NOT NULL",
                   sheet->name);
    for (size_t c = 0; c < sheet->column_count; c++)
        cs_text_printf(&sql, ",\n  \"%s\" %s", sheet->columns[c].name,
                       sheet_column_type(sheet->columns[c].kind));
    cs_text_add(&sql, ",\n  UNIQUE (request, position)\n) STRICT;\n");
    return cs_database_run(database, cs_text_str(&sql), err);
}

/* CS_EINPUT where the table lacks a column of the sheet, or has others. */
static int sheet_check_table(const struct cs_database *database, const struct cs_sheet *sheet,
                             struct cs_err *err)
{
    struct cs_text sql = {0};
    int64_t known = 0, all = 0;
    int rc;

    cs_text_printf(&sql,
                   "SELECT count(*) FROM pragma_table_info('%s') WHERE name IN ('request', "
                   "'position', 'version'",
                   sheet->name);
    for (size_t c = 0; c < sheet->column_count; c++)
        cs_text_printf(&sql, ", '%s'", sheet->columns[c].name);
    cs_text_add(&sql, ")");
    rc = cs_database_number(database, cs_text_str(&sql), &known, err);
    cs_text_free(&sql);
    cs_text_printf(&sql, "SELECT count(*) FROM pragma_table_info('%s')", sheet->name);
    if (!rc)
        rc = cs_database_number(database, cs_text_str(&sql), &all, err);
    cs_text_free(&sql);
    if (rc || (known == all && (size_t)all == sheet->column_count + SHEET_OWN_COLUMNS))
        return rc;
    return cs_err_set(err, CS_EINPUT,
                      "results database '%s' has the table '%s' of another version of collsim and "
                      "is unchanged; name a new file",
                      database->path, sheet->name);
}

static void sheet_bind_cell(struct sqlite3_stmt *add, int at, const struct cs_sheet_cell *cell,
                            enum cs_sheet_kind kind)
{
    const char *type = sheet_column_type(kind);

    if (!cell->known)
        cs_statement_bind_real(add, at, (double)NAN); /* NULL */
    else if (type[0] == 'T')
        cs_statement_bind_text(add, at, cell->is.text);
    else if (kind == CS_SHEET_BOOL)
        cs_statement_bind_i64(add, at, cell->is.boolean);
    else if (type[0] == 'I')
        cs_statement_bind_i64(add, at, (int64_t)cell->is.u64);
    else
        cs_statement_bind_real(add, at, cell->is.real);
}

static int sheet_add_rows(const struct cs_database *database, const struct cs_sheet *sheet,
                          const char *request, const char *version, struct sqlite3_stmt *add,
                          struct cs_err *err)
{
    size_t rows = cs_sheet_rows(sheet);
    int rc = 0;

    for (size_t r = 0; r < rows && !rc; r++) {
        cs_statement_bind_text(add, 1, request);
        cs_statement_bind_i64(add, 2, (int64_t)r);
        cs_statement_bind_text(add, 3, version);
        for (size_t c = 0; c < sheet->column_count; c++)
            sheet_bind_cell(add, (int)c + 1 + SHEET_OWN_COLUMNS, cs_sheet_at(sheet, r, c),
                            sheet->columns[c].kind);
        rc = cs_statement_step(database, add, err);
        cs_statement_reset(add);
    }
    return rc;
}

static int sheet_remove_rows(const struct cs_database *database, const struct cs_sheet *sheet,
                             const char *request, struct cs_err *err)
{
    struct cs_text sql = {0};
    struct sqlite3_stmt *remove = NULL;
    int rc;

    cs_text_printf(&sql, "DELETE FROM \"%s\" WHERE request = ?", sheet->name);
    rc = cs_statement_prepare(database, &sql, &remove, err);
    if (!rc) {
        cs_statement_bind_text(remove, 1, request);
        rc = cs_statement_step(database, remove, err);
    }
    cs_statement_finalize(remove);
    return rc;
}

static int sheet_prepare_add(const struct cs_database *database, const struct cs_sheet *sheet,
                             struct sqlite3_stmt **add, struct cs_err *err)
{
    struct cs_text sql = {0};

    cs_text_printf(&sql, "INSERT INTO \"%s\" (request, position, version", sheet->name);
    for (size_t c = 0; c < sheet->column_count; c++)
        cs_text_printf(&sql, ", \"%s\"", sheet->columns[c].name);
    cs_text_add(&sql, ") VALUES (?, ?, ?");
    for (size_t c = 0; c < sheet->column_count; c++)
        cs_text_add(&sql, ", ?");
    cs_text_add(&sql, ")");
    return cs_statement_prepare(database, &sql, add, err);
}

static int sheet_put(const struct cs_database *database, const struct cs_sheet *sheet,
                     const char *request, const char *version, struct cs_err *err)
{
    struct sqlite3_stmt *add = NULL;
    int rc = sheet_make_table(database, sheet, err);

    if (!rc)
        rc = sheet_check_table(database, sheet, err);
    if (!rc)
        rc = sheet_remove_rows(database, sheet, request, err);
    if (!rc)
        rc = sheet_prepare_add(database, sheet, &add, err);
    if (!rc)
        rc = sheet_add_rows(database, sheet, request, version, add, err);
    cs_statement_finalize(add);
    return rc;
}

int cs_store_put_sheet(const char *path, const struct cs_database_wait *wait,
                       const struct cs_sheet *sheet, const char *request, const char *version,
                       struct cs_err *err)
{
    struct cs_store_write write;
    struct cs_store *store;
    int rc = cs_store_open_waiting(path, CS_STORE_CREATE, wait, &store, err);

    if (rc)
        return rc;
    rc = cs_store_write_begin(&write, &store->database, err);
    if (!rc) {
        rc = sheet_put(&store->database, sheet, request, version, err);
        rc = cs_store_write_end(&write, rc, err);
    }
    cs_store_close(store);
    return rc;
}

/* ---- reading ---- */

static struct cs_sheet_cell sheet_read_cell(struct sqlite3_stmt *query, int at,
                                            enum cs_sheet_kind kind, struct cs_arena *arena)
{
    const char *type = sheet_column_type(kind);
    const char *text;

    if (type[0] == 'R')
        return (struct cs_sheet_cell){true, {.real = cs_statement_real(query, at)}};
    if (type[0] == 'I' && kind == CS_SHEET_BOOL)
        return (struct cs_sheet_cell){true, {.boolean = cs_statement_i64(query, at) != 0}};
    if (type[0] == 'I')
        return (struct cs_sheet_cell){true, {.u64 = (uint64_t)cs_statement_i64(query, at)}};
    text = cs_statement_text(query, at);
    return (struct cs_sheet_cell){*text, {.text = cs_arena_text(arena, text)}};
}

/* Sets *known to the number of the columns that the table has; -1: no table. */
static int sheet_count_known(const struct cs_database *database, const struct cs_sheet *sheet,
                             int64_t *known, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text sql = {0};

    cs_text_add(&sql, "SELECT CASE count(*) WHEN 0 THEN -1 ELSE sum(name IN (''");
    for (size_t c = 0; c < sheet->column_count; c++)
        cs_text_printf(&sql, ", '%s'", sheet->columns[c].name);
    cs_text_printf(&sql, ")) END FROM pragma_table_info('%s')", sheet->name);
    return cs_database_number(database, cs_text_str(&sql), known, err);
}

static int sheet_read_rows(const struct cs_database *database, const struct cs_rows *form,
                           struct cs_arena *arena, void **rows, size_t *count, struct cs_err *err)
{
    struct cs_text sql = {0};
    struct sqlite3_stmt *query = NULL;
    uint32_t capacity = 0;
    int rc;

    cs_text_add(&sql, "SELECT ");
    for (size_t c = 0; c < form->column_count; c++)
        cs_text_printf(&sql, "%s\"%s\"", c ? ", " : "", form->columns[c].name);
    cs_text_printf(&sql, " FROM \"%s\" ORDER BY rowid", form->name);
    rc = cs_statement_prepare(database, &sql, &query, err);
    while (!rc && (rc = cs_statement_step(database, query, err)) > 0) {
        *rows = cs_vector_room_in(arena, *rows, (uint32_t)*count + 1, &capacity, form->size);
        for (size_t c = 0; c < form->column_count; c++)
            cs_column_set(&form->columns[c],
                          sheet_read_cell(query, (int)c, form->columns[c].kind, arena),
                          (char *)*rows + *count * form->size);
        ++*count;
        rc = 0;
    }
    cs_statement_finalize(query);
    return rc;
}

int cs_store_read_rows(struct cs_store *store, const struct cs_rows *form, struct cs_arena *arena,
                       void **rows, size_t *count, struct cs_err *err)
{
    struct cs_sheet sheet;
    int64_t known = -1;
    int rc;

    *rows = NULL;
    *count = 0;
    cs_sheet_begin(&sheet, form->name, form->columns, form->column_count);
    rc = sheet_count_known(&store->database, &sheet, &known, err);
    if (rc || known < 0)
        return rc;
    if ((size_t)known != form->column_count)
        return cs_err_set(err, CS_EINPUT,
                          "results database '%s' has the table '%s' of another version of collsim; "
                          "run again into a new file",
                          store->path, form->name);
    return sheet_read_rows(&store->database, form, arena, rows, count, err);
}
