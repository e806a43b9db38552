/*
 * Store rows: the tables of the results database, and objects as their rows.
 *
 *     runs            one row a run; the members of struct cs_record
 *     run_parameters, run_links, run_jobs, run_times
 *                     the rows that belong to a run, in order
 *     comparisons     measured runs and their predictions
 *
 * All of it comes from record.def: schema, statements, binding and reading.  The
 * schema has no version of its own: cs_store_version is a hash of the schema's
 * text, so a database with any other set of columns is recognized.
 */
#ifndef CS_REPORTS_RESULTS_STORE_ROWS_H
#define CS_REPORTS_RESULTS_STORE_ROWS_H

#include "reports/results/database.h"
#include "reports/results/fields.h"
#include "sim/base/mem.h"

/* An array of rows that belongs to a run. */
struct cs_store_child {
    const char *table;
    const struct cs_field_list *fields;
    size_t items, count; /* offsets of the array and its length in a record */
};

enum {
    CS_STORE_CHILDREN = 4
};
extern const struct cs_store_child cs_store_children[CS_STORE_CHILDREN];

/* Appends the statements that make all tables. */
void cs_store_schema(struct cs_text *sql);
/* A positive number of 31 bits that identifies the schema. */
int32_t cs_store_version(void);

/* Identifies what was run: all REQUEST fields and the parameters.  Two requests
 * share a number with a probability of 2^-63; cs_store_find compares the fields,
 * too. */
int64_t cs_store_request_of(const struct cs_record *record);

enum cs_store_columns {
    CS_STORE_ALL_COLUMNS,
    CS_STORE_REQUEST, /* of REQUEST fields only */
};

/* Append "a, b" and "?, ?": the stored columns and their marks. */
void cs_store_add_columns(struct cs_text *sql,
                          const struct cs_field_list *fields,
                          enum cs_store_columns which);
void cs_store_add_marks(struct cs_text *sql, const struct cs_field_list *fields,
                        enum cs_store_columns which);

/* Binds the members of the object from parameter `at` on, in the order of the
 * columns.  CS_EINPUT for an integer of 2^63 and more, which SQLite does not
 * have. */
int cs_store_bind(struct sqlite3_stmt *statement, int at,
                  const struct cs_field_list *fields,
                  enum cs_store_columns which, const void *object,
                  struct cs_err *err);

/* Reads all stored columns from column `at` on; texts are copied into the
 * arena. */
void cs_store_read(struct sqlite3_stmt *statement, int at,
                   const struct cs_field_list *fields, void *object,
                   struct cs_arena *arena);

#endif
