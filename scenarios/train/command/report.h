/*
 * Report of a training step: as text, or as a sheet for programs: JSON and CSV
 * (sheet.c).
 */
#pragma once

#include "scenarios/options/command.h"
#include "scenarios/train/command/result.h"

/* Prints the report. */
void cs_train_report(const struct cs_cli *cli, const struct cs_train_result *result);

/* Fills a zeroed sheet "training": a row for the job, and for each of the best of a
 * search. */
void cs_train_fill_sheet(const struct cs_train_result *result, struct cs_sheet *sheet);

/* Prints the sheet: a row for the job, and for each of the best of a search. */
void cs_train_sheet(const struct cs_cli *cli, const struct cs_train_result *result);
