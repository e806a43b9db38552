/*
 * Exporters: programs as schedules of other tools.
 *
 * An exported schedule can be imported again (import.h) and takes the same
 * time: rounds are mapped to the constructs of the format.  No format expresses
 * messages with a handshake (`handshake`).  A program beyond the format is
 * CS_EINPUT with a message.
 *
 * cs_export_write imports the text again and proves the result.  A table has no
 * importer; the program is proved instead.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_EXPORT_H
#define CS_ALGORITHMS_SCHEDULES_EXPORT_H

#include "algorithms/algo.h"
#include "sim/base/text.h"

enum {
    CS_EXPORT_STEPS_MAX = 4000000
};

struct cs_export {
    const struct cs_algo *algo;
    const struct cs_program *program;
    /* Cost of a reduction, for formats with computation. */
    double reduce_ps_per_byte;
    uint64_t reduce_overhead_ps;
    const struct cs_call *call; /* parameters of the program, or NULL */
};

struct cs_exporter {
    const char *name; /* "msccl" */
    const char *about;
    int (*write)(const struct cs_export *what, struct cs_text *out,
                 struct cs_err *err);
};

/* Writes and proves.  CS_EANSWER: the program is wrong, or the exporter wrote a
 * wrong schedule. */
int cs_export_write(const struct cs_exporter *exporter,
                    const struct cs_export *what, struct cs_text *out,
                    struct cs_err *err);

extern const struct cs_exporter *const cs_exporters[];
extern const size_t cs_exporter_count;

/* The exporter with the name; CS_EINPUT: unknown name. */
int cs_exporter_choose(const char *name, const struct cs_exporter **exporter,
                       struct cs_err *err);

#endif
