#include "reports/results/store/rows.h"
#include "sim/base/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool rows_has(const struct cs_field *field, enum cs_store_columns which)
{
    return field->is_stored && (which == CS_STORE_ALL_COLUMNS || field->is_request);
}

/* The name in CSV, but picoseconds are integers: "time_ps". */
static void rows_add_name(const struct cs_field *field, struct cs_text *sql)
{
    cs_field_add_name(field, sql);
    if (field->value.kind == CS_SHEET_TIME) {
        sql->data[--sql->length] = '\0'; /* the s of _s */
        cs_text_add(sql, "ps");
    }
}

void cs_store_add_columns(struct cs_text *sql, const struct cs_field_list *fields,
                          enum cs_store_columns which)
{
    int count = 0;

    for (size_t i = 0; i < fields->count; i++) {
        if (!rows_has(&fields->item[i], which))
            continue;
        cs_text_add(sql, count++ ? ", " : "");
        rows_add_name(&fields->item[i], sql);
    }
}

void cs_store_add_marks(struct cs_text *sql, const struct cs_field_list *fields,
                        enum cs_store_columns which)
{
    int count = 0;

    for (size_t i = 0; i < fields->count; i++)
        if (rows_has(&fields->item[i], which))
            cs_text_add(sql, count++ ? ", ?" : "?");
}

/* ---- the schema ---- */

/* A seed of 64 bits exceeds the signed integers of SQLite and is decimal text; a
 * hash is the signed integer with equal bits. */
static const char *rows_type(const struct cs_field *field)
{
    if (cs_field_has_text(field) || field->is_seed)
        return "TEXT NOT NULL";
    return cs_sheet_is_real(field->value.kind) ? "REAL" : "INTEGER NOT NULL";
}

/* Real columns may be NULL for NaN; other columns are NOT NULL. */
static void rows_add_types(const struct cs_field_list *fields, struct cs_text *sql)
{
    for (size_t i = 0; i < fields->count; i++) {
        if (!fields->item[i].is_stored)
            continue;
        cs_text_add(sql, ",\n  ");
        rows_add_name(&fields->item[i], sql);
        cs_text_printf(sql, " %s", rows_type(&fields->item[i]));
    }
}

void cs_store_schema(struct cs_text *sql)
{
    static const char begin[] =
        "CREATE TABLE %s (\n  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
        "  created_at_utc TEXT NOT NULL DEFAULT (strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now'))";

    cs_text_printf(sql, begin, "runs");
    cs_text_add(sql, ",\n  request INTEGER NOT NULL");
    rows_add_types(&cs_record_fields, sql);
    cs_text_add(sql, "\n) STRICT;\nCREATE INDEX runs_by_request ON runs (request, id);\n");
    for (size_t i = 0; i < CS_RECORD_LISTS; i++) {
        cs_text_printf(sql,
                       "CREATE TABLE %s (\n"
                       "  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,\n  "
                       "position INTEGER NOT NULL",
                       cs_record_lists[i].table);
        rows_add_types(cs_record_lists[i].fields, sql);
        cs_text_add(sql, ",\n  PRIMARY KEY (run_id, position)\n"
                         ") STRICT, WITHOUT ROWID;\n");
    }
}

/* ---- hashes ---- */

/* 0 marks a new file in SQLite, so a hash of 0 becomes 1. */
int32_t cs_store_version(void)
{
    CS_AT_END(cs_text_free) struct cs_text sql = {0};
    uint64_t hash;

    cs_store_schema(&sql);
    hash = cs_mix_text(0, cs_text_str(&sql)) & INT32_MAX;
    return hash ? (int32_t)hash : 1;
}

int64_t cs_store_request_of(const struct cs_record *record)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < cs_record_fields.count; i++) {
        const struct cs_field *field = &cs_record_fields.item[i];

        if (!rows_has(field, CS_STORE_REQUEST))
            continue;
        hash = cs_sheet_is_text(field->value.kind)
                   ? cs_mix_text(hash, cs_column_cell(&field->value, record).is.text)
                   : cs_mix64(hash ^ cs_mix64(cs_column_number(&field->value, record)));
    }
    for (uint32_t i = 0; i < record->parameter_count; i++) {
        hash = cs_mix_text(hash, record->parameter[i].name);
        hash = cs_mix_text(hash, record->parameter[i].value);
    }
    return (int64_t)(hash >> 1);
}

/* ---- binding and reading ---- */

static int rows_bind_u64(struct sqlite3_stmt *statement, int at, const struct cs_field *field,
                         uint64_t number, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text name = {0};

    if (number <= INT64_MAX) {
        cs_statement_bind_i64(statement, at, (int64_t)number);
        return 0;
    }
    rows_add_name(field, &name);
    return cs_err_set(err, CS_EINPUT,
                      "%s %" PRIu64 " does not fit into the results database; at most %" PRId64,
                      cs_text_str(&name), number, INT64_MAX);
}

/* A seed is bound as decimal text, a hash as the signed integer with equal
 * bits; other integers must fit. */
static int rows_bind(struct sqlite3_stmt *statement, int at, const struct cs_field *field,
                     const void *object, struct cs_err *err)
{
    uint64_t number;
    char seed[24];

    if (cs_field_has_text(field)) {
        cs_statement_bind_text(statement, at, cs_column_cell(&field->value, object).is.text);
        return 0;
    }
    if (cs_sheet_is_real(field->value.kind)) {
        cs_statement_bind_real(statement, at, cs_column_cell(&field->value, object).is.real);
        return 0;
    }
    number = cs_column_number(&field->value, object);
    if (field->is_hash) {
        cs_statement_bind_i64(statement, at, (int64_t)number);
        return 0;
    }
    if (!field->is_seed)
        return rows_bind_u64(statement, at, field, number, err);
    (void)snprintf(seed, sizeof seed, "%" PRIu64, number);
    cs_statement_bind_text(statement, at, seed);
    return 0;
}

int cs_store_bind(struct sqlite3_stmt *statement, int at, const struct cs_field_list *fields,
                  enum cs_store_columns which, const void *object, struct cs_err *err)
{
    int rc = 0;

    for (size_t i = 0; !rc && i < fields->count; i++)
        if (rows_has(&fields->item[i], which))
            rc = rows_bind(statement, at++, &fields->item[i], object, err);
    return rc;
}

/* The inverse of cs_store_bind. */
void cs_store_read(struct sqlite3_stmt *statement, int at, const struct cs_field_list *fields,
                   void *object, cs_store_keep_fn *keep, void *ctx)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct cs_field *field = &fields->item[i];

        if (!field->is_stored)
            continue;
        if (cs_field_has_text(field))
            cs_field_set_text(field, object, keep(ctx, cs_statement_text(statement, at)));
        else if (cs_sheet_is_real(field->value.kind))
            cs_field_set_real(field, object, cs_statement_real(statement, at));
        else if (field->is_seed)
            cs_field_set_u64(field, object, strtoull(cs_statement_text(statement, at), NULL, 10));
        else
            cs_field_set_u64(field, object, (uint64_t)cs_statement_i64(statement, at));
        at++;
    }
}
