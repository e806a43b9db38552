/*
 * Files of schedules, plain or compressed by gzip, as streams.
 *
 * A plain file is passed on as it is; pipes are read as files.  Errors are
 * CS_EINPUT and name the file.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_IMPORT_FILE_H
#define CS_ALGORITHMS_SCHEDULES_IMPORT_FILE_H

#include "sim/base/stream.h"

struct cs_import_file {
    const char *path;
    void *gz;
    const struct cs_monitor *monitor; /* counts bytes of `length`; or NULL */
    uint64_t length;                  /* of the file; 0: a pipe */
};

int cs_import_file_open(struct cs_import_file *file, const char *path, struct cs_err *err);
void cs_import_file_close(struct cs_import_file *file);

/* The source of a stream; `ctx` is the file. */
cs_stream_fn cs_import_file_fill;

#endif
