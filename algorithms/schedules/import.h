/*
 * Importers: schedules of other tools as algorithms.
 *
 * "msccl:FILE" or "goal:FILE" names a schedule.  The file becomes a program over a
 * table (schedule.h), which is proved and simulated like any other.  Errors of
 * the file are CS_EINPUT, "file:line: ..."; errors of the schedule are left to the
 * prover.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_IMPORT_H
#define CS_ALGORITHMS_SCHEDULES_IMPORT_H

#include "algorithms/algo.h"

enum {
    CS_IMPORT_BYTES_MAX = 64 << 20
};

struct cs_import_text {
    const char *file; /* for messages; must outlive the arena */
    const char *text;
    size_t length;
};

struct cs_importer {
    const char *name; /* "msccl" */
    const char *about;
    /* Fills the algorithm except for the name, in the arena. */
    int (*read)(struct cs_import_text text, struct cs_arena *arena,
                struct cs_algo *algo, struct cs_err *err);
};

extern const struct cs_importer *const cs_importers[];
extern const size_t cs_importer_count;

/* Whether a name is "FORMAT:FILE" rather than the name of an algorithm. */
bool cs_import_named(const char *name);

/* Reads the file of "FORMAT:FILE" into the arena. */
int cs_import(const char *name, struct cs_arena *arena,
              const struct cs_algo **algo, struct cs_err *err);

#endif
