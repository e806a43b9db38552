/*
 * A format of logs: a file with a const struct, and a line in formats.def.
 */
#ifndef CS_VALIDATE_LOGS_FORMAT_H
#define CS_VALIDATE_LOGS_FORMAT_H

#include "validate/logs/builder.h"

struct cs_log_format {
    const char *name;
    /* Whether the first bytes of a file (NUL-ended) are of the format. */
    bool (*claims)(const char *head);
    /* State of the format, in the builder's arena; NULL: none. */
    void *(*open)(struct cs_log_builder *builder);
    /* A line without its end.  A line longer than the buffer comes in pieces,
     * each but the first with `continues`. */
    void (*line)(struct cs_log_builder *builder, void *state, char *line, bool continues);
    void (*close)(struct cs_log_builder *builder, void *state); /* or NULL */
};

#define FORMAT(name) extern const struct cs_log_format cs_log_format_##name;
#include "validate/logs/formats.def"
#undef FORMAT

#endif
