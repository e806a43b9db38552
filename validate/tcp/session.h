/*
 * Session: a lab, and the lines of what is measured in it.
 *
 * A line is a JSON object with the measurement and everything needed to repeat
 * it: the command, the lab, the transport, the kernel, and the load of the
 * machine while it ran.  Of repeated runs the median counts; runs during which
 * other virtual machines took more than CS_TCP_STEAL of the processors are
 * repeated, at most twice as many runs in all.
 */
#pragma once

#include "algorithms/algo.h"
#include "validate/tcp/member.h"
#include "validate/tcp/pattern.h"

/*
 * Team: a process for each party, connected over TCP, that runs programs.
 *
 * The processes are children of the caller.  The kernel ends them with the
 * caller, whatever ends it, and a lab (lab.h) ends with its last process, so
 * nothing has to be removed by hand.
 *
 * A run is: all parties prepare their buffers; all start at one time of the
 * common clock, a little ahead; each reports the end and the wrong elements.  The
 * time of the run is from the common start to the last end.
 *
 *     start   a fork and connections for each party
 *     run     the run, and the preparation and check of the vectors
 *     stop    at most a second
 */

struct cs_tcp_team;

struct cs_tcp_timed {
    double time_s; /* start to last end */
    double ends_s[CS_TCP_PARTIES_MAX];
    uint64_t wrong;     /* elements, of all parties */
    double cpu_s;       /* processor time of all parties */
    uint64_t resent;    /* TCP segments sent again, of all parties */
    double steal_share; /* of the time, processors ran other machines */
    double load;        /* processes that wanted to run, from /proc/loadavg */
};

/* CS_ECANNOT where processes or connections cannot be made. */
int cs_tcp_team_start(const struct cs_tcp_team_spec *spec, struct cs_tcp_team **started,
                      struct cs_err *err);

/* During a run: called once `at_ns` after its start. */
struct cs_tcp_interlude {
    uint64_t at_ns;
    int (*act)(void *ctx, struct cs_err *err);
    void *ctx;
};

/* Runs program `number` once; CS_EANSWER where a party died (named), sent
 * rubbish, or missed the deadline: the team must then be stopped. */
int cs_tcp_team_run(struct cs_tcp_team *team, uint32_t number,
                    const struct cs_tcp_interlude *interlude, struct cs_tcp_timed *timed,
                    struct cs_err *err);

/* Whether the parties run in the real-time class of the scheduler. */
bool cs_tcp_team_is_realtime(const struct cs_tcp_team *team);

/* Ends all processes; NULL is allowed. */
void cs_tcp_team_stop(struct cs_tcp_team *team);

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
