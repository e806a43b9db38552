/*
 * Writers: a machine as a file for collsim or other programs.
 *
 * A writer reports omitted properties as notes, one line each without a full
 * stop; a machine that the format cannot represent is CS_EINPUT with the
 * reason.
 *
 * A new format is a file NAME/write.c with a const struct and a line in
 * writers.def.
 */
#pragma once

#include "sim/base/text.h"
#include "topo/graph/graph.h"

#include <stddef.h>

struct cs_writer {
    const char *name;   /* "simgrid", as in --format */
    const char *prefix; /* of --topo for such a file; NULL: not readable */
    const char *about;  /* one line */
    /* Appends the file, and notes. The graph is not replicated. */
    int (*write)(const struct cs_graph *graph, struct cs_text *out, struct cs_text *notes,
                 struct cs_err *err);
};

extern const struct cs_writer *const cs_writers[];
extern const size_t cs_writer_count;

/* The writer of that name; CS_EINPUT with the nearest name. */
int cs_writer_find(const char *name, const struct cs_writer **writer, struct cs_err *err);

/* The machine without links that are down, because no format has such a
 * state; a note has the number. Memory is in the arena. */
struct cs_graph cs_writer_up(const struct cs_graph *graph, struct cs_arena *arena,
                             struct cs_text *notes);

enum {
    CS_WRITER_LETTER = 5 /* bytes of a character in UTF-8, and NUL */
};

/* The next character of the text; "?" for bytes that neither XML nor YAML
 * accepts: invalid UTF-8, control characters. False at the end. */
bool cs_writer_letter(const char **text, char letter[CS_WRITER_LETTER]);

/* Appends the text with & < > " ' as XML's entities; the same in the arena. */
void cs_writer_xml(struct cs_text *out, const char *text);
const char *cs_writer_entities(const char *text, struct cs_arena *arena);

enum {
    CS_WRITER_NAME_MAX = 240 /* characters; the limit of readers less a number */
};

/*
 * Names of devices for a file: characters in `less` and characters that no
 * file accepts become '_', long names are cut, duplicates get a number; a note
 * reports changes. The array has an entry per device, in the arena.
 */
const char **cs_writer_names(const struct cs_graph *graph, const char *less, struct cs_arena *arena,
                             struct cs_text *notes);
