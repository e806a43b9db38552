/*
 * Files: a whole file in memory.
 *
 * Readable are files and pipes, but no directories, up to a size that the reader
 * specifies; a larger file is refused without reading the whole.  Every error is
 * CS_EINPUT and names the file.
 */
#ifndef CS_SIM_BASE_FILE_H
#define CS_SIM_BASE_FILE_H

#include "sim/base/err.h"
#include "sim/base/text.h"

/* Appends the file to `text`, which the caller frees in any case. */
int cs_file_read(const char *path, size_t bytes_max, struct cs_text *text, struct cs_err *err);

/* 0, or the error that `length` exceeds the limit. */
int cs_file_check_size(const char *path, size_t length, size_t bytes_max, struct cs_err *err);

/* The error "cannot VERB 'PATH': " with the text of errno. */
int cs_file_refuse(const char *path, const char *verb, struct cs_err *err);

#endif
