/*
 * Files: creation of directories and atomic writing of whole files.
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/text.h"

#include <stdbool.h>

/* Makes `path` and missing directories above.  CS_EINPUT when a part of the path
 * is not a directory or cannot be made. */
int cs_files_mkdirs(const char *path, struct cs_err *err);

/* Writes the file `path` and replaces an old file atomically: a reader sees the
 * old file or the complete new file, with the old mode.  Behind a symbolic link the
 * target is replaced; a device or a pipe is written to.  CS_EINPUT when the file
 * cannot be written, CS_ECANNOT when the disk is full or fails.  An error or a
 * fatal signal leaves no partial file. */
int cs_files_write_path(const char *path, const struct cs_text *content, struct cs_err *err);

/* The same of `dir`/`name`. */
int cs_files_write(const char *dir, const char *name, const struct cs_text *content,
                   struct cs_err *err);

/* Appends the next part of a content to the empty `part`; nothing at the end. */
struct cs_files_source {
    int (*part)(void *ctx, struct cs_text *part, struct cs_err *err);
    void *ctx;
};

/* The same for a content of any length, held part by part.  CS_ESTOPPED: a
 * fatal signal is pending. */
int cs_files_write_parts(const char *path, const struct cs_files_source *source,
                         struct cs_err *err);

/* Whether an output may be written to `path` (NULL: standard output): CS_EINPUT for
 * "-", and where a regular file of the name exists, unless `force`. */
int cs_files_check_new(const char *path, bool force, struct cs_err *err);

/* Removes the file; a missing file is no error. */
void cs_files_remove(const char *dir, const char *name);

/* Splits "plots/ring.gif": returns ring.gif and appends plots to `dir`. */
const char *cs_files_split(const char *path, struct cs_text *dir);

/* The name of a file without its directory. */
const char *cs_files_name(const char *path);
