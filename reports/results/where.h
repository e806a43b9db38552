/*
 * Where: conditions that choose runs by their columns.
 *
 *     algorithm=ring     model!=postal     bytes=64MiB     folding=
 *
 * Columns are those of CSV.  Conditions of different columns hold together; of
 * several '=' of one column one is enough.  A number is compared as a number,
 * a size may have a unit, a time, too; no value means that it is not known, or
 * an empty text.
 *
 *     parse   O(columns)
 *     keeps   O(conditions^2)
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

/* Adds a condition.  CS_EINPUT: it is none, there is no such column (the nearest
 * is named), or the value is none of the column. */
int cs_where_add(struct cs_where *where, const char *text, struct cs_err *err);

bool cs_where_keeps(const struct cs_where *where,
                    const struct cs_record *record);

/* Leaves out what it does not keep.  CS_EINPUT where nothing is left: names the
 * first condition that no run fulfils, and the nearest value of its column. */
int cs_where_filter(const struct cs_where *where, struct cs_records *records,
                    struct cs_err *err);

#endif
