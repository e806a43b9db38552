/*
 * Reads a log.  Readers stream: a file of any length needs memory for the
 * distinct sizes of its tables alone.
 *
 *     read   O(bytes)
 */
#ifndef CS_VALIDATE_LOGS_READ_H
#define CS_VALIDATE_LOGS_READ_H

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "validate/logs/log.h"

#include <stdio.h>

/* Reads a stream; `name` is for messages.  Memory is in `arena`.  CS_EINPUT for
 * a file without a row, with what was expected. */
int cs_log_read(FILE *file, const char *name, struct cs_arena *arena, struct cs_log *log,
                struct cs_err *err);

/* The same of a path; "-" is the standard input. */
int cs_log_read_file(const char *path, struct cs_arena *arena, struct cs_log *log,
                     struct cs_err *err);

#endif
