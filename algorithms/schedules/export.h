/*
 * Exporters: programs as schedules of others.
 *
 * What is written can be read back (import.h) and then takes the same time:
 * rounds become what the format has for them.  Only that messages wait for
 * their receives (`handshake`) no format says.  What a format cannot say is
 * CS_EINPUT and a sentence.
 *
 * cs_export_write proves what it wrote, as it is read back; a table, which is
 * read by another program, it proves before.
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
    /* What adding up a byte takes, for formats that tell; 0: nothing. */
    double reduce_ps_per_byte;
    uint64_t reduce_overhead_ps; /* and what a sum takes beside */
    /* What the program was made of, for formats that tell; or NULL. */
    const struct cs_call *call;
};

struct cs_exporter {
    const char *name; /* "msccl" */
    const char *about;
    int (*write)(const struct cs_export *what, struct cs_text *out,
                 struct cs_err *err);
};

/* Writes and proves.  CS_EANSWER when the program is wrong, which is its
 * fault, or the text is, which is the exporter's. */
int cs_export_write(const struct cs_exporter *exporter,
                    const struct cs_export *what, struct cs_text *out,
                    struct cs_err *err);

extern const struct cs_exporter *const cs_exporters[];
extern const size_t cs_exporter_count;

/* The exporter of that name, or the complaint that there is none. */
int cs_exporter_choose(const char *name, const struct cs_exporter **exporter,
                       struct cs_err *err);

#endif
