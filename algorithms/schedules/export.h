/*
 * Exporters: programs as schedules of other tools.
 *
 * An exported schedule can be imported again (import.h) and takes the same
 * time: rounds are mapped to the constructs of the format.  No format expresses
 * messages with a handshake (`handshake`).  A program beyond the format is
 * CS_EINPUT with a message.
 *
 * cs_export_write imports the text again and proves the result, a plan for
 * launches in a row.  A table has no importer; the program is proved instead.
 *
 * A format may be written in parts: no text is held as a whole, and the proof
 * reads the parts as they are made.  cs_export_open proves; then each
 * cs_export_part() is the next part of the same text, made again.
 */
#pragma once

#include "algorithms/algo.h"
#include "sim/base/text.h"
#include "sim/engine/progress.h"

enum {
    /* Ops and lines of a format that is held as a whole, and of a program with
     * several connections between two ranks on a channel (connections.h). */
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

/* What a format cannot hold (lacks.h). */
enum cs_lack {
    CS_LACK_MEETING,     /* that a message waits for its receive */
    CS_LACK_WAITS,       /* the lanes of a rank, where they wait for one another */
    CS_LACK_FORKS,       /* the order of a rank's messages, where sums go on beside messages */
    CS_LACK_BLOCKS,      /* the order in which connections of a rank start */
    CS_LACK_SUMS,        /* a sum into a block that is still being sent */
    CS_LACK_IN_PLACE,    /* that a rank's own input is in the output at the start */
    CS_LACK_NANOSECONDS, /* computation of a part of a nanosecond */
    CS_LACK_SWITCHES,    /* agents in switches */
    CS_LACK_AGENTS,      /* agents beside ranks */
    CS_LACK_COPIES,      /* messages that arrive where they stay */
    CS_LACK_SIGNALS,     /* a sender that never hears of its receiver, and need not */
    CS_LACKS
};

struct cs_exporter {
    const char *name; /* "msccl" */
    const char *about;
    unsigned lacks; /* a set of bits 1 << enum cs_lack */
    int (*write)(const struct cs_export *what, struct cs_text *out, struct cs_err *err);
    /* Of a format written in parts, else NULL: a writer in the arena, and its
     * next part, appended; nothing at the end. */
    int (*open)(const struct cs_export *what, struct cs_arena *arena, void **writer,
                struct cs_err *err);
    int (*part)(void *writer, struct cs_text *out, struct cs_err *err);
};

/* Writes and proves; where a format's thread blocks race that lanes do not, with sums in one
 * order (ordered.h).  CS_EANSWER: the program is wrong, or the exporter wrote a wrong
 * schedule. */
int cs_export_write(const struct cs_exporter *exporter, const struct cs_export *what,
                    struct cs_text *out, struct cs_err *err);

/* A proved export, part by part.  The monitor, of the caller, or NULL, watches
 * three phases of about equal length: the text is read back, proved, and made
 * again. */
struct cs_export_parts {
    const struct cs_monitor *monitor;
    uint32_t made, all; /* parts of the last phase; all: 0 where unknown */
    const struct cs_exporter *exporter;
    const struct cs_export *what;
    void *writer;
    struct cs_text whole; /* of a format without parts */
};

/* Proves, and opens the parts in the arena; close in any case. */
int cs_export_open(const struct cs_exporter *exporter, const struct cs_export *what,
                   struct cs_arena *arena, struct cs_export_parts *parts, struct cs_err *err);
int cs_export_part(void *parts, struct cs_text *out, struct cs_err *err);
void cs_export_close(struct cs_export_parts *parts);

/* What MSCCL and MSCCL++ share: GPUs alone, whose vector is one buffer in place,
 * and whose input of an all-gather is the GPU's part of it. */

/* Refuses what is beyond both; `format` is the name of one. */
int cs_export_check_gpus(const struct cs_export *what, const char *format, bool reads_input,
                         struct cs_err *err);

/* The letter of the buffer, and where in it block `first` is. */
char cs_export_place(const struct cs_export *what, bool in_place, uint32_t rank, uint8_t buffer,
                     uint32_t *first);

/* The algorithm, as part of a name. */
const char *cs_export_title(const struct cs_export *what);

extern const struct cs_exporter *const cs_exporters[];
extern const size_t cs_exporter_count;

#define EXPORTER(name) extern const struct cs_exporter cs_exporter_##name;
#include "algorithms/schedules/exporters.def"
#undef EXPORTER

/* The exporter with the name; CS_EINPUT: unknown name. */
int cs_exporter_choose(const char *name, const struct cs_exporter **exporter, struct cs_err *err);
