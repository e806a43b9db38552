/*
 * Endings: the format of a file by the ending of its name.
 *
 * One table has the formats of all outputs, by the names of --format, and the
 * endings of their files.  Upper and lower case are the same.  A name without an
 * ending, such as /dev/stdout, fits every format.
 */
#pragma once

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the name of the file has an ending. */
bool cs_endings_has(const char *path);

/* Whether the ending is one of the format's. */
bool cs_endings_fits(const char *path, const char *format);

/* The first of the formats, up to a NULL, whose ending the path has.  CS_EINPUT for
 * another ending, and for none, with the list of endings. */
int cs_endings_choose(const char *option, const char *path, const char *const *formats,
                      size_t *format, struct cs_err *err);

/* Whether an output of the format may have that path; NULL: standard output.
 * CS_EINPUT for an ending that is not the format's. */
int cs_endings_check(const char *option, const char *path, const char *format, struct cs_err *err);
