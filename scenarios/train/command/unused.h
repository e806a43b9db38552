/*
 * Options of `collsim train` without effect on the job.
 *
 * The check compares: the step is timed again with the option changed, and time and
 * memory have to be equal.
 */
#pragma once

#include "scenarios/options/command.h"
#include "scenarios/train/command/result.h"
#include "scenarios/train/command/setup.h"

/* Prints a note for each given option without effect; a step for each given one. */
void cs_train_unused_notes(const struct cs_cli *cli, const struct cs_train_options *given,
                           const struct cs_train_setup *setup);

/* Whether the option of a command has no effect on a case of it: the case has a value of its own,
 * or its step is that without. */
bool cs_train_is_unused(const struct cs_train_options *given, const struct cs_train_setup *setup,
                        const struct cs_train_step *step, const struct cs_given *of);

/* ---- assumptions of a framework ---- */

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
