/*
 * What the rules of a tuner plugin's CSV gain or cost, by size, against the
 * library's own choice.
 */
#pragma once

#include "scenarios/options/command.h"
#include "scenarios/run/library_call.h"

/* Reads the CSV and prints a row for each size of the scenario. CS_EINPUT as
 * cs_tuner_rules_read, and for a library without NCCL_ALGO. */
int cs_tune_rules(const struct cs_cli *cli, const char *path, struct cs_library_calls *calls,
                  struct cs_err *err);
