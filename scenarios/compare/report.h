/*
 * The report of compare: predicted beside measured per size, causes, words.
 * Every figure of a sentence is a value of the JSON document.
 */
#ifndef CS_SCENARIOS_COMPARE_REPORT_H
#define CS_SCENARIOS_COMPARE_REPORT_H

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

#endif
