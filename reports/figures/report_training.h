/*
 * Training steps of a results database, as pages.
 *
 * The tables `training` and `cases` of `train --db` become training.html and
 * training.md (document.h): steps with efficiency and parts, efficiency and time
 * against ranks, and the cases of each variation.
 *
 *     write   O(rows)
 */
#ifndef CS_REPORTS_FIGURES_REPORT_TRAINING_H
#define CS_REPORTS_FIGURES_REPORT_TRAINING_H

#include "reports/results/store/store.h"
#include "sim/base/text.h"

/* Writes the pages into the directory, made if needed, and sets *found; no pages for a
 * database without training steps.  `log` gets a line per file. */
int cs_report_training(struct cs_store *store, const char *outdir, struct cs_text *log, bool *found,
                       struct cs_err *err);

#endif
