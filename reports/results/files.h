/*
 * Files: making directories and writing whole files, with clear errors.
 */
#ifndef CS_REPORTS_RESULTS_FILES_H
#define CS_REPORTS_RESULTS_FILES_H

#include "sim/base/err.h"
#include "sim/base/text.h"

/* Makes `path` and what is missing above it.  CS_EINPUT when something of it
 * is not a directory or cannot be made. */
int cs_files_mkdirs(const char *path, struct cs_err *err);

/* Writes `dir`/`name`, replacing it at once: a reader sees the old file or
 * the whole new one, of the same mode.  A symbolic link stays, and the file it
 * leads to is replaced; a device or a pipe is written to.  CS_EINPUT when it
 * cannot be written, CS_ECANNOT where the disk is full or broken; then, and
 * after a signal that ends the program, there is no part of it. */
int cs_files_write(const char *dir, const char *name,
                   const struct cs_text *content, struct cs_err *err);

/* Takes away what was written there, if it still is. */
void cs_files_remove(const char *dir, const char *name);

/* "plots/ring.gif" is the file ring.gif, which is returned, in plots, which is
 * appended to `dir`. */
const char *cs_files_split(const char *path, struct cs_text *dir);

#endif
