/*
 * Options of a run without effect on its result.
 *
 * The check compares: the run is repeated without each given option, and every
 * result has to be equal.  Parameters of the algorithm are compared when the run is
 * opened (scenarios/run/case/unused.h), of runs of any size.
 */
#pragma once

#include "reports/results/record.h"
#include "scenarios/options/progress_line.h"
#include "scenarios/run/request/scenario.h"
#include "sim/base/text.h"

/* Appends "--NAME VALUE has no effect here" for each given option that could be left
 * out of the finished scenario without a change of a record, a line each.  Only
 * runs of named algorithms with few messages together, and calls of libraries, are repeated; `notes` holds
 * the notes of the run, of which none is said twice.  Such a setting leaves the records'
 * parameters. */
void cs_unused_options_note(const struct cs_scenario *scenario, const struct cs_records *records,
                            struct cs_text *notes);

/* The same for a command that shows or proves a schedule: what a run with these options takes is
 * compared. */
void cs_unused_options_simulate(const struct cs_option_log *log, struct cs_text *notes);

/* ---- slower sizes ---- */

enum {
    CS_SLOWER_SIZES_NAMED = 4 /* more are counted */
};

/* Appends a line with the reason (slower_run.h) for each record that takes longer than
 * the adjacent greater size of its algorithm and number of ranks.  `display`: as of
 * struct cs_case; a signal ends the search for reasons. */
void cs_slower_sizes_note(const struct cs_scenario *scenario, const struct cs_records *records,
                          struct cs_progress_line *display, struct cs_text *notes);
