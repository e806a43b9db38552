/*
 * The report of compare: predicted beside measured per size, causes, words.
 * Every figure of a sentence is a value of the JSON document.
 */
#pragma once

#include "scenarios/compare/table.h"
#include "scenarios/options/command.h"

struct cs_compare_report {
    const struct cs_log *log;
    const char *path;
    const char *machine;
    const char *taken; /* from the log in place of options; NULL: nothing */
    const struct cs_compared_table *tables;
    uint32_t count;
};

/* Prints text, CSV (the rows) or JSON.  With an error, as of --expect, the JSON
 * document begins with the error, and main has no message left. */
void cs_compare_print(const struct cs_cli *cli, const struct cs_compare_report *report,
                      enum cs_format format);

/*
 * Several logs side by side: which node, pair of nodes or adapter is slow.
 *
 * A log per node, per pair of nodes or per adapter has calls of one kind; each is
 * compared with the machine by itself, and with the median of all.
 */

enum {
    CS_COMPARE_LOGS_MAX = 4096
};

/* Prints a line per table of the reports, slowest first, and names those that are
 * slower than the median of their collective, ranks and largest size.  `code`: of a log
 * that falls short of --expect. */
void cs_compare_print_logs(const struct cs_cli *cli, const struct cs_compare_report *reports,
                           uint32_t count, enum cs_format format, int code);
