/*
 * Signals of the program: Ctrl-C (SIGINT) and SIGTERM, and the timer of plans that take
 * long.
 *
 * A signal ends the program at once with status 130; while it is held, it waits until it
 * is taken.  Signals that the caller of the program ignored stay ignored, and have no
 * effect here.  A process that is not the program (a worker, a host of the library) has
 * none: every function takes NULL and does nothing.
 *
 * Order: new; listen, hold, take, release as often as necessary; free.  One at a time.
 */
#pragma once

#include <stdbool.h>

struct cs_signals;

/* Without any effect so far.  Free gives the signals the actions of before. */
struct cs_signals *cs_signals_new(void);
void cs_signals_free(struct cs_signals *signals);

/* From now on a signal ends the program with "stopped"; `is_json`: with a document that
 * has it as its error. */
void cs_signals_listen(struct cs_signals *signals, bool is_json);

/* From now on a signal waits, until release. */
void cs_signals_hold(struct cs_signals *signals);
void cs_signals_release(struct cs_signals *signals);

/* Releases; what waits is lost. */
void cs_signals_drop(struct cs_signals *signals);

/* Whether a signal waited, which is taken. */
bool cs_signals_take(struct cs_signals *signals);

/* On a terminal in a second, else in ten, prints that plans take long, unless `untime`
 * comes before; only where `file` is the standard error. */
void cs_signals_time(struct cs_signals *signals, int file, bool is_terminal);

/* Whether that line was printed since. */
bool cs_signals_untime(struct cs_signals *signals);
