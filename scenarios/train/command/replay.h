/*
 * `collsim train --replay FILE`: a measured trace on another machine.
 */
#pragma once

#include "scenarios/options/command.h"
#include "scenarios/train/command/setup.h"

/* Reads the trace, predicts its collectives and prints the replay.  CS_EINPUT
 * for words of the command line that describe a model, and for files that cannot
 * be read. */
int cs_train_replay(const struct cs_cli *cli, const struct cs_train_options *given,
                    struct cs_err *err);
