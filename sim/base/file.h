/*
 * Files: a whole one in memory.
 *
 * Anything that can be opened and is no directory is read, pipes too, up to a
 * number of bytes that the reader names; a larger one is refused without
 * reading all of it.  Every complaint is CS_EINPUT and names the file.
 */
#ifndef CS_SIM_BASE_FILE_H
#define CS_SIM_BASE_FILE_H

#include "sim/base/err.h"
#include "sim/base/text.h"

/* Appends the file to `text`, which the caller frees in any case. */
int cs_file_read(const char *path, size_t bytes_max, struct cs_text *text,
                 struct cs_err *err);

/* 0, or the complaint that `length` is more than that. */
int cs_file_check_size(const char *path, size_t length, size_t bytes_max,
                       struct cs_err *err);

#endif
