/*
 * Lines of `measure tcp`, read back.
 *
 * A line is a JSON object whose keys are the fields of struct cs_tcp_line; further
 * keys are provenance and ignored.  Errors are CS_EINPUT, "file:line: ...".
 *
 *     read   O(bytes)
 */
#ifndef CS_VALIDATE_TCP_LINES_H
#define CS_VALIDATE_TCP_LINES_H

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Missing texts are "", missing numbers 0. */
/* A wire, as shaped. */
struct cs_tcp_wire {
    double rate_Bps;
    uint64_t burst_bytes;
    double delay_s, loss, change_Bps, change_s, load;
};

struct cs_tcp_line {
    const char *file;
    uint32_t line;
    const char *kind;      /* pattern, run, calibrated */
    const char *algorithm; /* or pattern */
    const char *collective;
    const char *lab; /* namespaces, loopback */
    const char *congestion, *waiting;
    uint64_t ranks, parties, k, bytes, runs, wrong, resent, packets;
    double time_s;       /* the median */
    double time_least_s; /* the least */
    struct cs_tcp_wire wire;
};

struct cs_tcp_lines {
    struct cs_tcp_line *items;
    size_t count;
    uint32_t room;
};

/* Appends the lines of a text of a file; empty lines are skipped.  Texts are in
 * the arena, as is `items` afterwards. */
int cs_tcp_lines_read_text(const char *file, const char *text, size_t length,
                           struct cs_arena *arena, struct cs_tcp_lines *lines, struct cs_err *err);

/* The same from a file. */
int cs_tcp_lines_read(const char *path, struct cs_arena *arena, struct cs_tcp_lines *lines,
                      struct cs_err *err);

#endif
