/*
 * Recorded measurements: the files of --data.
 *
 * A path is a file of JSON lines, a file of gates (*.yaml), the file of failed
 * steps (failed.txt), or a directory with such files, read in the order of their
 * names.
 *
 *     read   O(bytes)
 */
#pragma once

#include "scenarios/published/published.h"
#include "validate/gpu/measured.h"

#include <dirent.h>

/* The default of --data. */
#define CS_RECORDED_DATA "validate/data"

/* Reads a file of --data; `is_data` chooses among those of a directory. */
struct cs_recorded_reader {
    int (*is_data)(const struct dirent *entry);
    int (*read)(void *ctx, const char *path, struct cs_err *err);
    void *ctx;
};

/* Reads the files and directories of --data, or `standard`. */
int cs_recorded_files(const struct cs_validate_request *request, const char *standard,
                      const struct cs_recorded_reader *reader, struct cs_arena *arena,
                      struct cs_err *err);

/* The caller frees with cs_recorded_free, also after an error. */
struct cs_recorded {
    struct cs_arena arena;
    struct cs_measurements all;
    const char *gates[CS_VALIDATE_PATHS_MAX];
    size_t gate_count;
    size_t copies; /* duplicate lines, dropped */
};

/* CS_EINPUT for a file that cannot be read, CS_ECANNOT without a measurement; a
 * missing default directory has none. */
int cs_recorded_read(struct cs_recorded *recorded, const struct cs_validate_request *request,
                     struct cs_err *err);

void cs_recorded_free(struct cs_recorded *recorded);
