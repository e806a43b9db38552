/*
 * The options of a command line of `collsim train`: those of a framework, where one is
 * named, and then the user's.
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_READ_H
#define CS_SCENARIOS_TRAIN_COMMAND_READ_H

#include "scenarios/options/options.h"
#include "scenarios/train/command/framework.h"
#include "scenarios/train/command/given.h"

/* Reads the words behind "train"; what the options point to is in the arena. */
int cs_train_read(int argc, char **argv, struct cs_arena *arena, struct cs_train_options *given,
                  struct cs_err *err);

/* Reads options of a command that has those of `collsim train`, too: `given` begins a
 * target of `size` bytes, with nothing given. */
int cs_train_read_into(struct cs_option_tables tables, int argc, char **argv,
                       struct cs_train_options *given, size_t size, struct cs_err *err);

#endif
