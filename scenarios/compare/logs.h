/*
 * Several logs side by side: which node, pair of nodes or adapter is slow.
 *
 * A log per node, per pair of nodes or per adapter has calls of one kind; each is
 * compared with the machine by itself, and with the median of all.
 */
#ifndef CS_SCENARIOS_COMPARE_LOGS_H
#define CS_SCENARIOS_COMPARE_LOGS_H

#include "scenarios/compare/report.h"

enum {
    CS_COMPARE_LOGS_MAX = 4096
};

/* Prints a line per table of the reports, slowest first, and names those that are
 * slower than the median of their collective, ranks and largest size.  `code`: of a log
 * that falls short of --expect. */
void cs_compare_print_logs(const struct cs_cli *cli, const struct cs_compare_report *reports,
                           uint32_t count, enum cs_format format, int code);

#endif
