/*
 * The command of a published training step: the words behind "collsim train" that give
 * its job.
 *
 * Machine, model, degrees and batch are columns of their own in the files
 * (validate/data/training/README.md); the columns that begin with "--" are options
 * as they stand.
 */
#ifndef CS_SCENARIOS_TRAIN_SCORE_ROW_COMMAND_H
#define CS_SCENARIOS_TRAIN_SCORE_ROW_COMMAND_H

#include "validate/training/step_rows.h"

enum {
    CS_ROW_WORDS_MAX = 40 + 2 * CS_STEP_OPTIONS,
};

struct cs_row_command {
    char *words[CS_ROW_WORDS_MAX];
    int count;
    const char *refusal; /* why there is none; NULL: `words` has one */
};

/* Texts are in the arena. */
struct cs_row_command cs_row_command(const struct cs_step_row *row, struct cs_arena *arena);

/* "collsim train ...", for a shell. */
const char *cs_row_command_text(const struct cs_row_command *command, struct cs_arena *arena);

#endif
