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
#ifndef CS_VALIDATE_TCP_TEAM_H
#define CS_VALIDATE_TCP_TEAM_H

#include "validate/tcp/member.h"

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

#endif
