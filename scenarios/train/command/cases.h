/*
 * Cases of `collsim train`: a job with other options, side by side.
 *
 *     --case "10 GbE: topo=10gbe-8 ranks=4 measured=120"   label, options
 *     --vary "bucket-cap=1MiB;25MiB"                       a case for each value
 *
 * `measured` is a published throughput in samples a second, printed and drawn beside
 * the computed one.  A value has no blanks.
 */
#pragma once

#include "scenarios/options/command.h"
#include "scenarios/train/command/given.h"

/* Option functions; the target is a struct cs_train_options. */
cs_option_fn cs_train_add_case, cs_train_add_values;

/* "2,4,8" where an option has one number: a case for each.  Of struct cs_option_tables. */
int cs_train_add_list(void *target, const struct cs_option *option, const char *value,
                      struct cs_err *err);

/* Computes the cases, prints a table and draws the picture of --plot.  CS_EINPUT of a
 * case with its label. */
int cs_train_cases(const struct cs_cli *cli, const struct cs_train_options *given,
                   struct cs_err *err);
