/*
 * Records: scores that a version of this program wrote as CSV, the limits of later
 * versions.
 *
 * A record is the CSV of a sheet of scores.  A figure may be a point worse.
 *
 *     read    O(bytes)
 */
#pragma once

#include "reports/results/sheet.h"
#include "validate/lines/csv.h"

/* A point, as a share. */
#define CS_RECORD_SLACK 0.01

struct cs_record_form {
    const char *what;                      /* a line, for messages */
    const struct cs_sheet_column *columns; /* of the sheet */
    size_t width;
    const struct cs_csv_column *cells; /* that are read, by name; others are for people */
    size_t cell_count;
    size_t size;          /* of the struct of a line */
    const char *standard; /* the directory of the record that the program carries */
    const char *built_in; /* its text */
};

/* The lines of a record, in the arena. */
struct cs_recorded_lines {
    const void *items;
    uint32_t count;
};

/* CS_EINPUT with file and line for a text of another form. */
int cs_record_read(struct cs_doc_text text, const struct cs_record_form *form,
                   struct cs_arena *arena, struct cs_recorded_lines *lines, struct cs_err *err);

/* Reads score.csv of a directory; NULL: the record that the program carries. */
int cs_record_open(const char *directory, const struct cs_record_form *form, struct cs_arena *arena,
                   struct cs_recorded_lines *lines, struct cs_err *err);

/* An error as recorded and as it is; NAN: unknown, which is never worse. */
struct cs_record_pair {
    const char *what; /* "median" */
    double was, is;
};

/* CS_EANSWER for the first that is worse than recorded. */
int cs_record_judge(const char *of, const struct cs_record_pair *pairs, size_t count,
                    struct cs_err *err);
