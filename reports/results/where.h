/*
 * Where: conditions on columns that select runs.
 *
 *     algorithm=ring     model!=postal     bytes=64MiB     folding=
 *
 * Columns as in CSV.  A run must meet the conditions of every column; several
 * '=' for a column are alternatives.  Numbers are compared as numbers;
 * sizes and times may have units; an empty value matches unknown values and
 * empty texts.
 *
 *     parse   O(columns)
 *     filter  O(runs x conditions^2)
 */
#pragma once

#include "reports/results/fields.h"
#include "reports/results/record.h"
#include "sim/base/err.h"

enum {
    CS_WHERE_MAX = 64
};

struct cs_where_term {
    const struct cs_field *field;
    const char *text;  /* the whole condition */
    const char *value; /* part after the = */
    uint64_t number;   /* of columns of integers and exact times */
    double real;       /* of columns of real numbers */
    bool is_not;
};

/* Conditions; {0} keeps every run.  The texts are the caller's. */
struct cs_where {
    struct cs_where_term terms[CS_WHERE_MAX];
    size_t count;
};

/* Adds a condition.  CS_EINPUT for a malformed condition, an unknown column (with
 * the nearest name), and a value of the wrong type. */
int cs_where_add(struct cs_where *where, const char *text, struct cs_err *err);

/* Whether the run meets the conditions.  `met`, of CS_WHERE_MAX values, gets true
 * for each condition that the run meets alone; NULL is fine. */
bool cs_where_keeps(const struct cs_where *where, const struct cs_record *record, bool *met);

/* Removes the runs that fail a condition.  CS_EINPUT if no run remains, with the
 * first condition without a run and the nearest value of the column. */
int cs_where_filter(const struct cs_where *where, struct cs_records *records, struct cs_err *err);
