/*
 * A case's schedule as a file, proven before and read again after.
 */
#pragma once

#include "algorithms/schedules/export.h"
#include "scenarios/commands.h"
#include "scenarios/run/case/case.h"

/* Writes to the file, or to the standard output for NULL.  CS_EINPUT for a run that does
 * not open and for a program beyond the format. */
int cs_export_case(const struct cs_cli *cli, const struct cs_case *which,
                   const struct cs_exporter *exporter, const char *out, struct cs_err *err);
