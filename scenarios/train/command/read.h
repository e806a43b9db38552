/*
 * The options of a command line of `collsim train`.
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_READ_H
#define CS_SCENARIOS_TRAIN_COMMAND_READ_H

#include "scenarios/train/command/given.h"

/* Reads the words behind "train"; what the options point to is in the arena. */
int cs_train_read(int argc, char **argv, struct cs_arena *arena, struct cs_train_options *given,
                  struct cs_err *err);

#endif
