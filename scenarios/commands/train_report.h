/*
 * Report of a training step: as text, or as a sheet for programs (train_sheet.h).
 */
#ifndef CS_SCENARIOS_COMMANDS_TRAIN_REPORT_H
#define CS_SCENARIOS_COMMANDS_TRAIN_REPORT_H

#include "scenarios/commands/command.h"
#include "scenarios/commands/train_result.h"

/* Prints the report; JSON is one document with the error, if `code` is not 0. */
void cs_train_report(const struct cs_cli *cli,
                     const struct cs_train_result *result, int code,
                     struct cs_err *err);

#endif
