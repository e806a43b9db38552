/*
 * Fields: the members of a record as a list that can be walked.
 *
 * The database, JSON and CSV all say "this column is that member"; each holds
 * a const array of struct cs_field and one loop, so that a new member is one
 * line and cannot be bound in one order and read in another.
 *
 * cs_fields_export is the list that users see: SI units, the same names in
 * the same order in JSON and CSV.  Names are only ever appended.
 */
#ifndef CS_REPORTS_RESULTS_FIELDS_H
#define CS_REPORTS_RESULTS_FIELDS_H

#include "reports/results/record.h"

#include <stddef.h>

enum cs_field_kind {
    CS_FIELD_TEXT,      /* const char * */
    CS_FIELD_U32,       /* uint32_t */
    CS_FIELD_U64,       /* uint64_t */
    CS_FIELD_SEED,      /* uint64_t that may use all 64 bits */
    CS_FIELD_PS,        /* uint64_t picoseconds, shown as exact seconds */
    CS_FIELD_REAL,      /* double */
    CS_FIELD_BOOL,      /* bool */
    CS_FIELD_VERIFIED,  /* enum cs_verified; "proved" is true */
    CS_FIELD_DATA_FLOW, /* the same in words */
    CS_FIELD_PROVEN,    /* uint64_t, known only if the run was proven */
    CS_FIELD_SPREAD,    /* double, known only if there was noise */
    CS_FIELD_SCATTER,   /* the same, and only if has_reduce_scatter */
};

struct cs_field {
    const char *name;
    enum cs_field_kind kind;
    size_t offset;     /* in struct cs_record */
    const char *group; /* the nested object it belongs to, or NULL */
};

extern const struct cs_field cs_fields_export[];
extern const size_t cs_fields_export_count;

/* The member of a record; the caller picks the one that fits `kind`.  A text
 * that was left NULL is "". */
const char *cs_field_text(const struct cs_field *field,
                          const struct cs_record *record);
uint64_t cs_field_u64(const struct cs_field *field,
                      const struct cs_record *record);
double cs_field_real(const struct cs_field *field,
                     const struct cs_record *record);
/* For CS_FIELD_BOOL and CS_FIELD_VERIFIED. */
bool cs_field_bool(const struct cs_field *field,
                   const struct cs_record *record);
/* False for a CS_FIELD_SCATTER of a run without reduce-scatter and for a real
 * number that is not finite: such a value is null, or an empty cell. */
bool cs_field_known(const struct cs_field *field,
                    const struct cs_record *record);

#endif
