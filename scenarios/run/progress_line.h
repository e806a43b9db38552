/*
 * Live: what a long run says while it lasts, and how it is stopped.
 *
 * On a terminal a line tells, after a second, what is done, how fast and for
 * how long still; elsewhere one after a minute and then every five.  SIGINT stops a
 * computation with the live's pulse at its next beat with CS_ESTOPPED.  Between
 * computations, where machines are opened and plans are made, it ends the program
 * at once, with status 130; unless something is known already that is to be told
 * (keep): then it waits for the next beat or check.  Before open, where it was
 * ignored, and after close all is as usual.
 *
 * Order: open; any number of begin and end, one computation at a time, and of
 * checks; close.
 */
#ifndef CS_SCENARIOS_RUN_PROGRESS_LINE_H
#define CS_SCENARIOS_RUN_PROGRESS_LINE_H

#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/engine/progress.h"

#include <signal.h>
#include <stdio.h>

struct cs_progress_line {
    FILE *messages;      /* from here to `remark` the caller's */
    bool terminal;       /* messages go to one */
    struct cs_text what; /* "run 3 of 9: ring, 1 GiB" */
    const char *note;    /* behind the line, or NULL */
    /* Of several computations of about equal length the time to go is that of all:
     * which this is, from 0, and how many there are; 0: this one's alone. */
    uint32_t part, parts;
    double started_s; /* the first computation */
    double shown_s;
    bool shown; /* a line is on the terminal */
    bool holds; /* SIGINT */
    bool keeps; /* something is known that is to be told */
    bool opened;
    struct sigaction typical; /* what SIGINT did before */
    /* Of this computation: */
    const char *phase; /* "proving" */
    double began_s;
    struct cs_monitor monitor;
    sigset_t before; /* what was blocked */
};

/* From now on SIGINT ends the program with status 130. */
void cs_progress_line_open(struct cs_progress_line *display);

/* From now on it waits for a beat or a check: something is to be told. */
void cs_progress_line_keep(struct cs_progress_line *display);

/* CS_ESTOPPED where SIGINT waits; live may be NULL. */
int cs_progress_line_check(struct cs_progress_line *display,
                           struct cs_err *err);

/* Begins a computation and gives its pulse; NULL for no live. */
const struct cs_monitor *cs_progress_line_begin(
    struct cs_progress_line *display, const char *phase);

/* Ends it: its `code`, or CS_ESTOPPED where SIGINT came too late for it. */
int cs_progress_line_end(struct cs_progress_line *display, int code,
                         struct cs_err *err);

/* Takes the line off the terminal, before something else is written. */
void cs_progress_line_clear(struct cs_progress_line *display);

/* All is done: a SIGINT that comes now is too late, the next one is not. */
void cs_progress_line_close(struct cs_progress_line *display);

#endif
