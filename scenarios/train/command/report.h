/*
 * Report of a training step: as text, or as a sheet for programs (command/sheet.h).
 */
#pragma once

#include "scenarios/options/command.h"
#include "scenarios/train/command/result.h"

/* Prints the report. */
void cs_train_report(const struct cs_cli *cli, const struct cs_train_result *result);
