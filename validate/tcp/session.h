/*
 * Session: a lab, and the lines of what is measured in it.
 *
 * A line is a JSON object with the measurement and everything needed to repeat
 * it: the command, the lab, the transport, the kernel, and the load of the
 * machine while it ran.  Of repeated runs the median counts; runs during which
 * other virtual machines took more than CS_TCP_STEAL of the processors are
 * repeated, at most twice as many runs in all.
 */
#ifndef CS_VALIDATE_TCP_SESSION_H
#define CS_VALIDATE_TCP_SESSION_H

#include "algorithms/algo.h"
#include "validate/tcp/pattern.h"
#include "validate/tcp/team.h"

#define CS_TCP_STEAL 0.05

/* Receives each line with its newline. */
typedef int cs_tcp_line_fn(void *ctx, const char *line, struct cs_err *err);

struct cs_tcp_session {
    /* Of every team, without programs; parties: processes at least, with or without a
     * part. */
    struct cs_tcp_team_spec team;
    uint32_t runs;       /* after one that is not counted */
    double change_Bps;   /* of host 0's wire, during each run; 0: none */
    uint64_t change_ns;  /* after the start */
    const char *command; /* of the user */
    cs_tcp_line_fn *line;
    void *ctx;
};

/* A collective at several sizes: programs[i] at bytes[i]. */
struct cs_tcp_sweep {
    const char *kind;       /* "run", "pattern" */
    const char *algorithm;  /* or pattern */
    const char *collective; /* "" of a pattern */
    uint32_t ranks;
    uint32_t k; /* of a pattern */
    const struct cs_program *const *programs;
    const uint64_t *bytes;
    uint32_t count;
};

/* Measures a sweep, one line for each size.  CS_EANSWER for a wrong sum, after
 * its line, and as cs_tcp_team_run. */
int cs_tcp_session_sweep(const struct cs_tcp_session *session, const struct cs_tcp_sweep *sweep,
                         struct cs_err *err);

/* Measures all patterns, and ends with a line of kind "calibrated". `hosts` is
 * at least 2. */
int cs_tcp_session_calibrate(const struct cs_tcp_session *session, uint32_t hosts,
                             struct cs_err *err);

#endif
