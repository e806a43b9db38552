/*
 * The struct behind a store, for the modules that write the tables.
 */
#ifndef CS_REPORTS_RESULTS_STORE_HANDLE_H
#define CS_REPORTS_RESULTS_STORE_HANDLE_H

#include "reports/results/record.h"
#include "reports/results/store/database.h"
#include "reports/results/store/rows.h"

struct cs_store {
    struct cs_database database; /* closed until the first put makes the file */
    char *path;
    struct sqlite3_stmt *add_run; /* NULL until the first put */
    struct sqlite3_stmt *add_numbered;
    struct sqlite3_stmt *add_child[CS_STORE_CHILDREN];
};

/* 1 where a run or a refusal has the id, else 0, or an error.  The tables of sweeps
 * exist. */
int cs_store_has(const struct cs_store *store, int64_t id, struct cs_err *err);

/* As cs_store_put with the id of the run, which has no time of creation; 1, without
 * a change, for an id in use. */
int cs_store_put_numbered(struct cs_store *store, int64_t id, const struct cs_record *record,
                          struct cs_err *err);

/* The end of a query for the latest run of every request. */
#define CS_STORE_LATEST_RUNS " WHERE id IN (SELECT max(id) FROM runs GROUP BY request)"

/* Whether a request has several runs.  O(runs) in the index. */
int cs_store_repeats(const struct cs_store *store, bool *repeats, struct cs_err *err);

#endif
