/*
 * Every measurement for validation on the GPUs of this node, as `make gpu` runs
 * them: the script validate/cuda/measure.sh, embedded in the program, with op
 * tables in a temporary directory.
 */
#pragma once

#include "sim/base/err.h"

struct cs_measure_all {
    const char *program; /* collsim-cuda */
    const char *collsim; /* writes the registered predictions */
    const char *out;     /* a directory; NULL: print the plan only */
    const char *with;    /* arguments of the script, or NULL */
};

/* Runs the script to its end, with its output on the output.  CS_EANSWER for an
 * unfinished step, CS_ECANNOT without a GPU or program. */
int cs_measure_all(const struct cs_measure_all *request, struct cs_err *err);
