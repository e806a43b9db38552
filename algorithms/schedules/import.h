/*
 * Importers: schedules of other tools as algorithms.
 *
 * "FORMAT:FILE" names a schedule, with a format of importers.def; FILE.cs is text:FILE.cs.  The file
 * becomes a program over a table (schedule.h), which is proved and simulated like
 * any other.  Errors of the file are CS_EINPUT, "file:line: ..."; errors of the
 * schedule are left to the prover.
 */
#pragma once

#include "algorithms/algo.h"
#include "algorithms/importer.h"

struct cs_monitor;

enum {
    CS_IMPORT_BYTES_MAX = 64 << 20 /* of a format that is read whole */
};

/* Whether a name is "FORMAT:FILE" or FILE.cs rather than the name of an algorithm. */
bool cs_import_named(const char *name);

/* Reads the file of "FORMAT:FILE" into the arena; the monitor, or NULL, follows the
 * bytes that a format read as a stream takes from the file. */
int cs_import(const char *name, const struct cs_monitor *monitor, struct cs_arena *arena,
              const struct cs_algo **algo, struct cs_err *err);
