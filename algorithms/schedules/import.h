/*
 * Importers: schedules of others, as algorithms.
 *
 * "msccl:FILE" or "goal:FILE" names one.  What a file holds becomes a program
 * over a table (schedule.h) that is proven and simulated as any other.  What
 * is wrong with a file is CS_EINPUT, "file:line: ..."; what is wrong with the
 * schedule the prover finds.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_IMPORT_H
#define CS_ALGORITHMS_SCHEDULES_IMPORT_H

#include "algorithms/algo.h"

enum {
    CS_IMPORT_BYTES_MAX = 64 << 20
};

struct cs_import_text {
    const char *file; /* for messages; must live as long as the arena */
    const char *text;
    size_t length;
};

struct cs_importer {
    const char *name; /* "msccl" */
    const char *about;
    /* Fills all of the algorithm but its name, in the arena. */
    int (*read)(struct cs_import_text text, struct cs_arena *arena,
                struct cs_algo *algo, struct cs_err *err);
};

extern const struct cs_importer *const cs_importers[];
extern const size_t cs_importer_count;

/* Is that the name of a file to import ("msccl:FILE"), or of an algorithm? */
bool cs_import_named(const char *name);

/* Reads the file of "msccl:FILE"; everything is in the arena. */
int cs_import(const char *name, struct cs_arena *arena,
              const struct cs_algo **algo, struct cs_err *err);

#endif
