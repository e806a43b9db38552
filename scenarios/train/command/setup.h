/*
 * The job that the options of `collsim train` describe: machine, model, system,
 * degrees and batch.
 */
#pragma once

#include "scenarios/train/command/machine.h"

/* Opens machine, model and system and fills the job; the memory is in the
 * scenario's arena.  The machine may be that of another job of as many ranks; NULL: its
 * own.  CS_EINPUT for what does not fit together. */
int cs_train_setup_on(const struct cs_train_options *given, const struct cs_train_setup *machine,
                      struct cs_train_setup *setup, struct cs_err *err);

/* Fills the job of an open setup anew, from other options of the job alone. */
int cs_train_setup_job(const struct cs_train_options *options, struct cs_train_setup *setup,
                       struct cs_err *err);
