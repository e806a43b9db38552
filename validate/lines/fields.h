/*
 * Lines of measurements: a JSON object a line, read into a struct by the offsets of
 * its fields.
 *
 * A key that is missing leaves a number as it is and makes a text ""; further keys are
 * provenance and ignored.  Errors are CS_EINPUT, "file:line: ...".
 *
 *     read, each   O(bytes)
 */
#pragma once

#include "topo/documents/doc.h"

#include <stddef.h>
#include <stdint.h>

enum cs_line_type {
    CS_LINE_TEXT,  /* const char * */
    CS_LINE_COUNT, /* uint64_t */
    CS_LINE_REAL,  /* double, 0 or more */
};

struct cs_line_field {
    const char *key;
    enum cs_line_type type;
    size_t offset;
    int owner;            /* of the kinds of line; for the reader */
    uint64_t least, most; /* of a count; for the reader, and 0 for none */
};

struct cs_line_form {
    const struct cs_line_field *fields;
    size_t count;
    const char *real; /* what a real number is, for messages */
    /* Whether a line keeps the field; others are read all the same. NULL: all do. */
    bool (*keeps)(const struct cs_line_field *field, const void *object);
};

/* A line of text without the newline; `file` is not copied. */
struct cs_measured_line {
    const char *file;
    uint32_t line;
    const char *text;
    size_t length;
};

/* Reads the fields of a map; texts are those of the document. */
int cs_line_read(const struct cs_line_form *form, const struct cs_measured_line *line,
                 const struct cs_doc *doc, void *object, struct cs_err *err);

typedef int cs_line_fn(void *ctx, struct cs_measured_line line, struct cs_err *err);

/* Calls `take` for the lines of a file, or of a text of that file, until one fails;
 * lines of blanks are left out. */
int cs_lines_each(const char *path, cs_line_fn *take, void *ctx, struct cs_arena *arena,
                  struct cs_err *err);
int cs_lines_each_of_text(struct cs_doc_text text, cs_line_fn *take, void *ctx, struct cs_err *err);
