/*
 * All that validation needs of this computer's GPUs, as `make gpu` measures it:
 * validate/cuda/measure.sh, which is part of the program, with tables that are
 * written for it and removed again.
 */
#ifndef CS_SCENARIOS_COMMANDS_MEASURE_ALL_H
#define CS_SCENARIOS_COMMANDS_MEASURE_ALL_H

#include "sim/base/err.h"

struct cs_measure_all {
    const char *program; /* collsim-cuda */
    const char *collsim; /* that writes predictions down */
    const char *out;     /* a folder; NULL where the plan alone is asked for */
    const char *with;    /* words for the script, or NULL */
};

/* Waits for it; what it prints goes to the output.  CS_EANSWER where a step is
 * not done, CS_ECANNOT without a GPU or program to run. */
int cs_measure_all(const struct cs_measure_all *request, struct cs_err *err);

#endif
