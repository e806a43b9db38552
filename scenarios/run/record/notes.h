/*
 * Notes on a finished run: limits of the model or of the comparison that explain
 * the figures.  Notes are appended to the case's notes.
 */
#ifndef CS_SCENARIOS_RUN_RECORD_NOTES_H
#define CS_SCENARIOS_RUN_RECORD_NOTES_H

#include "scenarios/run/case/run.h"

/* Faults that came after the end. */
void cs_note_late_faults(const struct cs_run *run, const struct cs_record_spread *spread);

/* Reasons why the simulated time is above the closed form, and the parameters of
 * a model without links. */
void cs_note_closed_form(const struct cs_run *run, const struct cs_record *record);

/* Timed faults that slow a link, in models in which a message keeps its rate. */
void cs_note_kept_rates(const struct cs_run *run);

/* Whole messages of another job, in models in which messages queue. */
void cs_note_queued_jobs(const struct cs_run *run);

#endif
