/*
 * Writers: a machine as a file that collsim or others read.
 *
 * What a format has no place for is told as a remark of the writer, a line each
 * without a full stop; what it cannot hold at all is CS_EINPUT with the reason.
 *
 * A new format is a file write_NAME.c with a const struct and a line in
 * writers.def.
 */
#ifndef CS_TOPO_FORMATS_WRITER_H
#define CS_TOPO_FORMATS_WRITER_H

#include "sim/base/text.h"
#include "topo/graph/graph.h"

#include <stddef.h>

struct cs_writer {
    const char *name;   /* "simgrid", as in --format */
    const char *prefix; /* that --topo takes before such a file, or NULL: it is
                           not read back */
    const char *about;  /* one line */
    /* Appends the file, and remarks; the machine is told in full. */
    int (*write)(const struct cs_graph *graph, struct cs_text *out,
                 struct cs_text *notes, struct cs_err *err);
};

extern const struct cs_writer *const cs_writers[];
extern const size_t cs_writer_count;

/* The writer of that name; CS_EINPUT with the nearest one. */
int cs_writer_find(const char *name, const struct cs_writer **writer,
                   struct cs_err *err);

/* The machine without the links that are down, as no format has such; these
 * are told.  In the arena where there are any. */
struct cs_graph cs_writer_up(const struct cs_graph *graph,
                             struct cs_arena *arena, struct cs_text *notes);

enum {
    CS_WRITER_LETTER = 5 /* bytes of one in UTF-8, and its NUL */
};

/* The next letter of the text, "?" for what neither XML nor YAML takes: bytes
 * that are not UTF-8, control characters.  False at the end. */
bool cs_writer_letter(const char **text, char letter[CS_WRITER_LETTER]);

/* Appends the text with & < > " ' as XML's entities. */
void cs_writer_xml(struct cs_text *out, const char *text);

enum {
    CS_WRITER_NAME_MAX = 240 /* letters; what readers take, and a number */
};

/*
 * Names that a format takes: letters that it does not, those of `less` and those
 * that no file takes, become '_', what is too long is cut, and what is there
 * twice then gets a number, which is told.  As many as the machine has devices,
 * in the arena.
 */
const char **cs_writer_names(const struct cs_graph *graph, const char *less,
                             struct cs_arena *arena, struct cs_text *notes);

#endif
