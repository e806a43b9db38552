/*
 * Recorded measurements: the files of --data.
 *
 * A path is a file of JSON lines, a file of gates (*.yaml), the file of failed
 * steps (failed.txt), or a directory with such files, read in the order of their
 * names.
 *
 *     read   O(bytes)
 */
#ifndef CS_SCENARIOS_VALIDATE_RECORDED_H
#define CS_SCENARIOS_VALIDATE_RECORDED_H

#include "validate/gpu/measured.h"

/* The default of --data. */
#define CS_RECORDED_DATA "validate/data"

enum {
    CS_RECORDED_PATHS_MAX = 64
};

struct cs_recorded_paths {
    const char *items[CS_RECORDED_PATHS_MAX];
    size_t count;
};

/* The caller frees with cs_recorded_free, also after an error. */
struct cs_recorded {
    struct cs_arena arena;
    struct cs_measurements all;
    const char *gates[CS_RECORDED_PATHS_MAX];
    size_t gate_count;
    size_t copies; /* duplicate lines, dropped */
};

/* CS_EINPUT for a file that cannot be read, CS_ECANNOT without a measurement; a
 * missing default directory has none. */
int cs_recorded_read(struct cs_recorded *recorded, const struct cs_recorded_paths *paths,
                     struct cs_err *err);

void cs_recorded_free(struct cs_recorded *recorded);

#endif
