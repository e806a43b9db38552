/*
 * Child processes: a program, run to its end or to a deadline.
 *
 * Standard input is empty.  Lines of standard output are passed to a callback
 * while the child runs; of standard error the beginning is kept.  A child past
 * its deadline is killed; a call returns at most one second later.  The child is
 * a process group of its own, and the whole group ends with the call, also when a
 * signal such as Ctrl-C's ends the calling program meanwhile.
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/text.h"

#include <stdint.h>

enum {
    CS_CHILD_LINE_MAX = 1 << 20, /* longer lines are an error */
};

/* A line without its newline; a result other than 0 kills the child. */
typedef int cs_child_fn(void *ctx, const char *line, size_t length, struct cs_err *err);

struct cs_child {
    const char *const *argv; /* up to a NULL; the search path applies to a name without a slash */
    const char *dir;         /* working directory; NULL: unchanged */
    uint64_t deadline_ms;    /* 0: none */
    cs_child_fn *line;       /* NULL: output is discarded */
    void *ctx;
};

enum cs_child_fate {
    CS_CHILD_EXITED, /* with `number` as status */
    CS_CHILD_KILLED, /* by signal `number` */
    CS_CHILD_LATE,   /* killed at the deadline */
    CS_CHILD_ABSENT, /* program not found */
};

struct cs_child_end {
    enum cs_child_fate fate;
    int number;
    /* One line of standard error; freed by the caller. */
    struct cs_text complaint;
};

/* Returns 0 for every fate of the child; otherwise the code of `line`, or
 * CS_ECANNOT when the program could not be started. */
int cs_child_run(const struct cs_child *child, struct cs_child_end *end, struct cs_err *err);

/* 0 for exit status 0; otherwise the error is "NAME was ended by signal 9",
 * "NAME did not end within 2 s", or the child's complaint, with CS_ECANNOT, or
 * for exit status 1 and 2 the code with that meaning in collsim. */
int cs_child_judge(const struct cs_child *child, const struct cs_child_end *end,
                   struct cs_err *err);
