/*
 * Live: what a long run says while it lasts, and how it is stopped.
 *
 * On a terminal a line tells, after a second, what is done, how fast and for
 * how long still; elsewhere one after a minute and then every five.  From the first begin to close SIGINT waits, so that what is
 * known can be told: a computation with the live's pulse stops at its next beat
 * with CS_ESTOPPED.  Before and after it ends the program as usual.
 *
 * Order: any number of begin and end, one computation at a time; close.
 */
#ifndef CS_SCENARIOS_LIVE_H
#define CS_SCENARIOS_LIVE_H

#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/pulse.h"

#include <signal.h>
#include <stdio.h>

struct cs_live {
    FILE *messages;      /* from here to `remark` the caller's */
    bool terminal;       /* messages go to one */
    struct cs_text what; /* "run 3 of 9: ring, 1 GiB" */
    const char *remark;  /* behind the line, or NULL */
    /* Of several computations of about equal length the time to go is that of all:
     * which this is, from 0, and how many there are; 0: this one's alone. */
    uint32_t part, parts;
    double started_s; /* the first computation */
    double shown_s;
    bool shown; /* a line is on the terminal */
    bool holds; /* SIGINT */
    /* Of this computation: */
    const char *phase; /* "proving" */
    double began_s;
    struct cs_pulse pulse;
    sigset_t before; /* what was blocked */
};

/* Begins a computation and gives its pulse; NULL for no live. */
const struct cs_pulse *cs_live_begin(struct cs_live *live, const char *phase);

/* Ends it: its `code`, or CS_ESTOPPED where SIGINT came too late for it. */
int cs_live_end(struct cs_live *live, int code, struct cs_err *err);

/* Takes the line off the terminal, before something else is written. */
void cs_live_clear(struct cs_live *live);

/* All is done: a SIGINT that comes now is too late, the next one is not. */
void cs_live_close(struct cs_live *live);

#endif
