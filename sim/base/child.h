/*
 * Children: another program, run to its end or to a deadline.
 *
 * The child reads nothing.  What it prints is told line by line while it runs;
 * of what it complains of the beginning is kept.  A child that does not end in
 * time is killed; nobody ever waits for it for longer than a second more.  It
 * is a process group of its own, and none of those that it started is left,
 * also when a signal such as Ctrl-C's ends this program meanwhile.
 */
#ifndef CS_SIM_BASE_CHILD_H
#define CS_SIM_BASE_CHILD_H

#include "sim/base/err.h"
#include "sim/base/text.h"

#include <stdint.h>

enum {
    CS_CHILD_LINE_MAX = 1 << 20, /* a longer one is an error */
};

/* A line without its newline; anything but 0 kills the child. */
typedef int cs_child_fn(void *ctx, const char *line, size_t length,
                        struct cs_err *err);

struct cs_child {
    const char *const *argv; /* up to a NULL; without a slash the first one is
                                looked for in the search path */
    const char *dir;         /* where it runs; NULL: here */
    uint64_t deadline_ms;    /* 0: none */
    cs_child_fn *line;       /* NULL: what it prints is thrown away */
    void *ctx;
};

enum cs_child_fate {
    CS_CHILD_EXITED, /* with `number` as status */
    CS_CHILD_KILLED, /* by signal `number` */
    CS_CHILD_LATE,   /* it was killed at the deadline */
    CS_CHILD_ABSENT, /* there is no such program */
};

struct cs_child_end {
    enum cs_child_fate fate;
    int number;
    struct cs_text complaint; /* one line of it; the caller frees it */
};

/* Returns 0 whatever became of the child; else what `line` returned, or
 * CS_ECANNOT when it could not be run at all. */
int cs_child_run(const struct cs_child *child, struct cs_child_end *end,
                 struct cs_err *err);

/* 0 for a child that exited with 0; else "NAME was ended by signal 9", "NAME
 * did not end within 2 s", or its complaint: CS_ECANNOT, or for exit status 1
 * and 2 the code that collsim itself means by them. */
int cs_child_judge(const struct cs_child *child, const struct cs_child_end *end,
                   struct cs_err *err);

#endif
