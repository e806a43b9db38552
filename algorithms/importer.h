/*
 * The importers: readers of the schedule formats of other tools, one line each in
 * importers.def.
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stddef.h>

struct cs_algo;
struct cs_stream;

struct cs_import_text {
    const char *file; /* for messages; must outlive the arena */
    const char *text;
    size_t length;
};

struct cs_importer {
    const char *name; /* "msccl" */
    const char *about;
    /* Fills the algorithm except for the name, in the arena. */
    int (*read)(struct cs_import_text text, struct cs_arena *arena, struct cs_algo *algo,
                struct cs_err *err);
    /* The same for a file of any length; NULL: only files up to
     * CS_IMPORT_BYTES_MAX. */
    int (*stream)(struct cs_stream *stream, struct cs_arena *arena, struct cs_algo *algo,
                  struct cs_err *err);
};

extern const struct cs_importer *const cs_importers[];
extern const size_t cs_importer_count;

#define IMPORTER(name) extern const struct cs_importer cs_importer_##name;
#include "algorithms/importers.def"
#undef IMPORTER
