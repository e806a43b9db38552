/*
 * Store rows: the tables of the results database, and objects as rows.
 *
 *     runs            a row per run; the members of struct cs_record
 *     run_parameters, run_links, run_jobs, run_times
 *                     the rows of a run, in order
 *
 * Schema, statements, binding and reading follow from record.def.  The schema
 * has no version number: cs_store_version is a hash of the text of the schema, so
 * a database with a different set of columns is recognized.
 */
#pragma once

#include "reports/results/fields.h"
#include "reports/results/store/database.h"
#include "sim/base/mem.h"

/* Appends the statements that create the tables. */
void cs_store_schema(struct cs_text *sql);
/* A positive number of 31 bits: the identity of the schema. */
int32_t cs_store_version(void);

/* A hash of the request: REQUEST fields and parameters.  Two requests collide
 * with a probability of 2^-63; cs_store_find also compares the fields. */
int64_t cs_store_request_of(const struct cs_record *record);

enum cs_store_columns {
    CS_STORE_ALL_COLUMNS,
    CS_STORE_REQUEST, /* of REQUEST fields only */
};

/* Append "a, b" and "?, ?": the stored columns, and marks for binding. */
void cs_store_add_columns(struct cs_text *sql, const struct cs_field_list *fields,
                          enum cs_store_columns which);
void cs_store_add_marks(struct cs_text *sql, const struct cs_field_list *fields,
                        enum cs_store_columns which);

/* Binds the members of the object from parameter `at` on, in the order of the
 * columns.  CS_EINPUT for an integer from 2^63 on, beyond the integers of
 * SQLite. */
int cs_store_bind(struct sqlite3_stmt *statement, int at, const struct cs_field_list *fields,
                  enum cs_store_columns which, const void *object, struct cs_err *err);

/* Reads the stored columns from column `at` on; texts, which SQLite frees at the next
 * step, are copied by `keep`. */
typedef const char *cs_store_keep_fn(void *ctx, const char *text);
void cs_store_read(struct sqlite3_stmt *statement, int at, const struct cs_field_list *fields,
                   void *object, cs_store_keep_fn *keep, void *ctx);
