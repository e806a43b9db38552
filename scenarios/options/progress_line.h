/*
 * Progress line: progress and interruption of a long run.
 *
 * On a terminal, after a second, a line shows the computation, the speed and
 * the time left, or that the machine is opened and the run planned.  Elsewhere a
 * line is printed after a minute and then every five minutes, and one at once where
 * a computation will go on for over ten seconds, with the estimate of its first half
 * second; without an estimate, after ten seconds.  An estimate that has doubled
 * since, or is the first, is printed as well, and memory of a gigabyte or more at the start.
 *
 * Ctrl-C (SIGINT), SIGTERM and a host stop a computation at the next update of the
 * monitor, with CS_ESTOPPED.  Between computations, while machines are opened and plans
 * are made, a signal ends the program at once with status 130; once results exist (keep)
 * it takes effect at the next update or check.
 *
 * Order: open; begin and end per computation, and checks; close.  A command without
 * results to print before its end needs `watch` alone, and clear.
 */
#pragma once

#include "reports/results/store/database.h"
#include "scenarios/options/signals.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/engine/progress.h"

#include <stdatomic.h>
#include <stdio.h>

/* A process that computations run in without a program: it is asked at updates, at once
 * and then every 50 ms, and nothing is printed. */
struct cs_progress_host {
    /* The share that is done; negative: unknown.  False stops. */
    bool (*goes_on)(void *ctx, const char *phase, double share);
    void *ctx;
    double asked_s;
};

struct cs_progress_line {
    FILE *messages;      /* from here to `note` set by the caller */
    bool terminal;       /* messages are a terminal */
    struct cs_text what; /* "run 3 of 9: ring, 1 GiB", or empty */
    struct cs_text note; /* behind the line, of the current run */
    double expected_ps;  /* simulated time of the computation, about; 0: unknown */
    double memory_bytes; /* of the current computation, or more; 0: little */
    /* Of several computations of about equal length: the number of the current
     * computation, from 0, and the count, for the total time left; 0: a single
     * computation. */
    uint32_t part, parts;
    /* The share of a worker process is kept here, in millionths, in place of lines; else
     * NULL. */
    atomic_uint_fast64_t *share;
    double started_s; /* the first computation */
    double shown_s;
    bool shown;                    /* a line is on the terminal */
    bool announced;                /* in a log: a long computation */
    double announced_s;            /* its whole time as announced; 0: none */
    bool keeps;                    /* results are to be printed */
    bool stopped;                  /* by a signal, or the host */
    double lock_shown_s;           /* seconds of a wait for a lock at its last line; 0: none */
    struct cs_signals *signals;    /* NULL: of a worker, or of a host */
    struct cs_progress_host *host; /* NULL: the program */
    /* The current computation: */
    const char *phase; /* "proving" */
    double began_s;    /* the first update: work before has no share */
    bool begun;
    struct cs_monitor monitor;
};

/* Seconds of a computation that is announced. */
#define CS_PROGRESS_LONG_S 10

/* Appends a duration in the unit that gives at least 2: "45 s", "3 min". */
void cs_progress_line_add_duration(double duration_s, struct cs_text *out);

/* A signal ends the program, as after cs_signals_listen, and a line says that plans take
 * long. */
void cs_progress_line_open(struct cs_progress_line *display, bool is_json);

/* From now on a signal waits for an update or a check: results are to be printed. */
void cs_progress_line_keep(struct cs_progress_line *display);

/* CS_ESTOPPED where a signal waits; live may be NULL. */
int cs_progress_line_check(struct cs_progress_line *display, struct cs_err *err);

/* The wait for a results database that another process has locked, which the line
 * shows; display may be NULL. */
struct cs_database_wait cs_progress_line_lock(struct cs_progress_line *display);

/* Begins a run: keeps a copy of the note; NULL: none.  display may be NULL. */
void cs_progress_line_note(struct cs_progress_line *display, const char *note);

/* Begins a computation and returns the monitor; NULL without a line.  The action of
 * the signals is unchanged, and `end` need not follow. */
const struct cs_monitor *cs_progress_line_watch(struct cs_progress_line *display,
                                                const char *phase);

/* The same; a signal waits for the next update. */
const struct cs_monitor *cs_progress_line_begin(struct cs_progress_line *display,
                                                const char *phase);

/* Ends the computation: returns `code`, or CS_ESTOPPED for a signal after the
 * last update. */
int cs_progress_line_end(struct cs_progress_line *display, int code, struct cs_err *err);

/* Whether the process is a host's, which is not forked. */
static inline bool cs_progress_line_is_hosted(const struct cs_progress_line *display)
{
    return display && display->host;
}

/* Clears the line on the terminal, before other output. */
void cs_progress_line_clear(struct cs_progress_line *display);

/* Ends the interruptible part: a pending signal is dropped, and the next one ends the
 * program, as after `listen`. */
void cs_progress_line_close(struct cs_progress_line *display);
