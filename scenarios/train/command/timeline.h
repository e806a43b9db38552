/*
 * The timeline of a training step: as text (--timeline), as rows of JSON and CSV,
 * and as a file for Perfetto (--trace).
 */
#pragma once

#include "scenarios/trace/trace.h"
#include "scenarios/train/command/result.h"
#include "scenarios/train/timeline/step_timeline.h"

/* Fills the timeline of the job as its system draws it. */
int cs_train_timeline(const struct cs_train_result *result, struct cs_step_timeline *timeline,
                      struct cs_err *err);

/* Appends a drawing of the streams, the collectives of data parallelism, and the
 * use of each row. */
void cs_train_timeline_text(const struct cs_train_result *result,
                            const struct cs_step_timeline *timeline, struct cs_text *out);

/* A row for each span; the sheet is zeroed. */
void cs_train_timeline_sheet(const struct cs_train_result *result,
                             const struct cs_step_timeline *timeline, struct cs_sheet *sheet);

/* A row for each of the timeline; the sheet is zeroed. */
void cs_train_use_sheet(const struct cs_train_result *result,
                        const struct cs_step_timeline *timeline, struct cs_sheet *sheet);

/* Writes the file of --trace. */
int cs_train_timeline_save(const struct cs_train_result *result,
                           const struct cs_step_timeline *timeline, struct cs_err *err);

/* The same for the events of a replayed trace, measured and replayed beside each
 * other; times by event. */
int cs_train_timeline_save_replay(const struct cs_train_options *given,
                                  const struct cs_trace *trace, const double *start_s,
                                  const double *end_s, struct cs_err *err);
