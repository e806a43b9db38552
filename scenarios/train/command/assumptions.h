/*
 * Assumptions: what a framework implies for a job, and the step without each.
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_ASSUMPTIONS_H
#define CS_SCENARIOS_TRAIN_COMMAND_ASSUMPTIONS_H

#include "scenarios/train/command/result.h"

enum {
    CS_ASSUMPTIONS_MAX = 32
};

struct cs_assumption {
    const char *option;          /* "--gradients fp32" */
    double step_s, memory_bytes; /* without it; NAN: no such job */
};

/* Those of a job that no search chose; returns their number.  Texts are in the arena of the
 * options. */
uint32_t cs_train_assumptions(const struct cs_train_result *result,
                              struct cs_assumption assumptions[CS_ASSUMPTIONS_MAX]);

#endif
