/*
 * Fields: the entries of record.def as lists.
 *
 * The database, JSON, CSV, --where, tables and listings loop over the lists, so
 * the order of writing and reading cannot differ.  A field refers to a member of
 * an object: a struct cs_record, or the struct of a row of a record.
 */
#pragma once

#include "reports/results/record.h"
#include "reports/results/sheet.h"

/*
 * Remarks: notes of the listing, computed from the run.
 *
 * An entry of record.def names a function by REMARK.  The function appends a note
 * or leaves the text unchanged.
 */

typedef void cs_remark_fn(const struct cs_record *record, struct cs_text *out);

/* The kind of the agents. */
cs_remark_fn cs_remark_algorithm;
cs_remark_fn cs_remark_agents;
/* The effect of the noise on the mean, and the mean's confidence interval. */
cs_remark_fn cs_remark_baseline;
cs_remark_fn cs_remark_mean;
/* The slowdown by the faults. */
cs_remark_fn cs_remark_healthy;
/* The distance of the simulation from the formula. */
cs_remark_fn cs_remark_closed_form;
/* What the bound is divided by. */
cs_remark_fn cs_remark_efficiency;
/* The upper end of the interval of a library's call. */
cs_remark_fn cs_remark_interval;
/* The argument of the bound, and the algorithm's own bound; the argument of the
 * reachable bound. */
cs_remark_fn cs_remark_bound;
cs_remark_fn cs_remark_reachable;
/* Reason for a missing bottleneck; the interval of the utilisation. */
cs_remark_fn cs_remark_bottleneck;
cs_remark_fn cs_remark_busy;

/* Condition for a known value; a real number must also be finite. */
enum cs_known_when {
    CS_KNOWN_ALWAYS,
    CS_KNOWN_PROVED,  /* the data flow was proved */
    CS_KNOWN_SCATTER, /* and the algorithm has a reduce-scatter phase */
    CS_KNOWN_NOISE,   /* the run had noise */
    CS_KNOWN_SIMULATED,
    CS_KNOWN_LIBRARY, /* a cost model gave the time */
};

/* Condition for a column or a row. */
enum cs_shown_when {
    CS_SHOWN_NEVER,
    CS_SHOWN_ALWAYS,   /* the condition above holds, in some run; a row: and the
                          value is known, or real */
    CS_SHOWN_KNOWN,    /* known, and not 0 or empty, in some run */
    CS_SHOWN_DIFFERS,  /* runs of the table differ in the value */
    CS_SHOWN_NAMES,    /* as DIFFERS, or the table has one run */
    CS_SHOWN_NARROWS,  /* known, and the reachable bound is above the lower one,
                          in some run */
    CS_SHOWN_REPEATED, /* a row: statistics of two or more runs */
};

/* The groups of the listing of a run, in order. */
enum cs_section {
    CS_SECTION_NONE,
    CS_SECTION_REQUEST,
    CS_SECTION_TIME,
    CS_SECTION_RATES,
    CS_SECTION_TRAFFIC,
    CS_SECTION_MEMORY,
    CS_SECTION_BOTTLENECK,
    CS_SECTION_PATH,
    CS_SECTION_PARTS,
    CS_SECTION_NOISE,
    CS_SECTIONS
};

struct cs_field {
    struct cs_sheet_column value; /* of the object; the name is that in JSON */
    const char *group;            /* the nested object, or NULL */
    enum cs_known_when known;
    bool is_stored, is_exported, is_request, is_part;
    bool is_mark;  /* a text of which a table shows "yes" or "" */
    bool is_seed;  /* a number of 64 bits, kept as text */
    bool is_hash;  /* a number of 64 bits, for comparison only */
    bool is_bound; /* real seconds; 0 means unknown if time_ps > 0 */
    struct {
        enum cs_shown_when when;
        const char *title, *unit;
    } column;
    size_t footnote; /* offset of the text of the note; 0: no note */
    struct {
        enum cs_section section;
        enum cs_shown_when when;
        const char *label, *note;
    } row;
    cs_remark_fn *remark;      /* in place of row.note, or NULL */
    const char *library_label; /* in place of row.label, or NULL */
};

struct cs_field_list {
    const struct cs_field *item;
    size_t count;
    size_t object_size;
};

extern const struct cs_field_list cs_record_fields;
extern const struct cs_field_list cs_job_fields;

/* The lists of a record: rows of one kind, and their table in the results database. */
struct cs_record_list {
    const char *table;
    const struct cs_field_list *fields;
    size_t rows, count; /* offsets of array and length in a record */
};

enum {
    CS_RECORD_PARAMETERS,
    CS_RECORD_LINKS,
    CS_RECORD_JOBS,
    CS_RECORD_TIMES,
    CS_RECORD_LISTS
};
extern const struct cs_record_list cs_record_lists[CS_RECORD_LISTS];

/* The rows, which may be NULL, and their number. */
const char *cs_record_rows(const struct cs_record_list *list, const struct cs_record *record,
                           uint32_t *count);
void cs_record_set_rows(const struct cs_record_list *list, const void *rows,
                        struct cs_record *record);

/* The field of record.def with the JSON name, which must exist. */
const struct cs_field *cs_record_field(const char *name);

/* Appends the name in CSV: "critical_path_latency_s". */
void cs_field_add_name(const struct cs_field *field, struct cs_text *out);

/* Whether the member is a text, not a number with a word for each value. */
static inline bool cs_field_has_text(const struct cs_field *field)
{
    return cs_sheet_is_text(field->value.kind) && !field->value.words;
}

/* Whether the condition of enum cs_known_when holds. */
bool cs_field_due(const struct cs_field *field, const void *object);
/* The value, known where that condition holds, too; a NULL text reads as "". */
struct cs_sheet_cell cs_field_cell(const struct cs_field *field, const void *object);
/* Whether the value is known and not 0 or empty. */
bool cs_field_given(const struct cs_field *field, const void *object);
/* Whether the values of two objects are equal. */
bool cs_field_same(const struct cs_field *field, const void *a, const void *b);

/* Sets the member to a text, a real number or an integer. */
void cs_field_set_text(const struct cs_field *field, void *object, const char *text);
void cs_field_set_real(const struct cs_field *field, void *object, double number);
void cs_field_set_u64(const struct cs_field *field, void *object, uint64_t number);

/* Appends the value with the unit, for people; "-": unknown. */
void cs_field_show(const struct cs_field *field, const void *object, struct cs_text *out);

/* "99.8 %": only from 99.95 on 100, and below 0.05 "<0.1 %", not 0. */
void cs_field_show_share(double share, struct cs_text *out);
