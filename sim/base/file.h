/*
 * Files: as streams, and whole in memory.
 *
 * Readable are files and pipes, but no directories.  What gzip compressed is read as
 * the text that it holds: a file counts by its first bytes, not its name.  Every
 * error is CS_EINPUT and names the file.
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/text.h"

#include <stdint.h>
#include <stdio.h>

struct cs_file {
    FILE *stream;
    int fd;          /* at the bytes of the file that are read so far, compressed or not */
    uint64_t length; /* in such bytes; 0: unknown, a pipe */
};

/* Afterwards `stream` is the caller's to close. */
int cs_file_open(const char *path, struct cs_file *file, struct cs_err *err);

/* Appends the file to `text`, which the caller frees in any case; a larger one is
 * refused without reading the whole. */
int cs_file_read(const char *path, size_t bytes_max, struct cs_text *text, struct cs_err *err);

/* The same for a text that gzip has packed into the program, behind its packed length in eight
 * bytes; `path` is its name in an error. */
int cs_file_unpack(const unsigned char *packed, const char *path, struct cs_text *text,
                   struct cs_err *err);

/* 0, or the error that `length` exceeds the limit. */
static inline int cs_file_check_size(const char *path, size_t length, size_t bytes_max,
                                     struct cs_err *err)
{
    return length <= bytes_max ? 0
                               : cs_err_at(err, CS_EINPUT, path, 0,
                                           "the file is larger than %zu MiB", bytes_max >> 20);
}

/* The error "cannot VERB 'PATH': " with the text of errno; of a stream with damaged
 * compressed data "PATH: damaged or cut gzip data". */
int cs_file_refuse(const char *path, const char *verb, struct cs_err *err);
