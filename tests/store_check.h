/*
 * The check of a results database, for tests.
 */
#pragma once

#include "reports/results/store/handle.h"

/* Runs a check; `good` is the result without a finding, NULL for no row. */
static inline int check_of_store(const struct cs_store *store, const char *pragma, const char *good,
                                 const char *finding, struct cs_err *err)
{
    struct sqlite3_stmt *query = NULL;
    int rc = cs_statement_open(&store->database, pragma, &query, err);

    if (!rc)
        rc = cs_statement_step(&store->database, query, err);
    if (rc > 0)
        rc = good && cs_same(cs_statement_text(query, 0), good)
                 ? 0
                 : cs_err_set(err, CS_EANSWER, "results database '%s' is damaged: %s%s",
                              store->path, finding, cs_statement_text(query, 0));
    cs_statement_finalize(query);
    return rc;
}

/* SQLite's integrity and foreign key checks; CS_EANSWER and the first finding on
 * failure. */
static inline int cs_store_check(struct cs_store *store, struct cs_err *err)
{
    int rc;

    if (!store->database.handle)
        return 0;
    rc = check_of_store(store, "PRAGMA integrity_check(1)", "ok", "", err);
    return rc ? rc
              : check_of_store(store, "PRAGMA foreign_key_check", NULL, "a row without its run in ",
                               err);
}
