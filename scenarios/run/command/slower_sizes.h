/*
 * Notes on sizes of one table that take longer than greater ones.
 */
#ifndef CS_SCENARIOS_RUN_COMMAND_SLOWER_SIZES_H
#define CS_SCENARIOS_RUN_COMMAND_SLOWER_SIZES_H

#include "reports/results/records.h"
#include "scenarios/options/progress_line.h"
#include "scenarios/run/request/scenario.h"

enum {
    CS_SLOWER_SIZES_NAMED = 4 /* more are counted */
};

/* Appends a line with the reason (slower_run.h) for each record that takes longer than
 * the adjacent greater size of its algorithm and number of ranks.  `display`: as of
 * struct cs_case; a signal ends the search for reasons. */
void cs_slower_sizes_note(const struct cs_scenario *scenario, const struct cs_records *records,
                          struct cs_progress_line *display, struct cs_text *notes);

#endif
