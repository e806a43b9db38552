/*
 * Where: conditions that choose runs by their columns.
 *
 *     algorithm=ring     model!=postal     bytes=64MiB     folding=
 *
 * Columns are those of CSV.  A run must meet the conditions of all columns; of
 * several '=' for one column, one is enough.  Numbers are compared as numbers;
 * sizes and times may have units; an empty value matches unknown values and
 * empty texts.
 *
 *     parse   O(columns)
 *     filter  O(runs x conditions^2)
 */
#ifndef CS_REPORTS_RESULTS_WHERE_H
#define CS_REPORTS_RESULTS_WHERE_H

#include "reports/results/fields.h"
#include "reports/results/records.h"
#include "sim/base/err.h"

enum {
    CS_WHERE_MAX = 64
};

struct cs_where_term {
    const struct cs_field *field;
    const char *text;  /* the whole condition */
    const char *value; /* its end */
    uint64_t number;   /* of columns of integers and exact times */
    double real;       /* of columns of real numbers */
    bool is_not;
};

/* Conditions; {0} keeps every run.  The texts are the caller's. */
struct cs_where {
    struct cs_where_term terms[CS_WHERE_MAX];
    size_t count;
};

/* Adds a condition.  CS_EINPUT for a text that is not a condition, an unknown
 * column (with the nearest name), and a value that does not fit the column. */
int cs_where_add(struct cs_where *where, const char *text, struct cs_err *err);

/* Removes the other runs.  CS_EINPUT where no run is left, with the first
 * condition that no run meets and the nearest value of the column. */
int cs_where_filter(const struct cs_where *where, struct cs_records *records,
                    struct cs_err *err);

#endif
