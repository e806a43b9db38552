/*
 * Record of a run: from the run's structs to the fields of a result.
 */
#pragma once

#include "scenarios/run/case/closed_form.h"
#include "scenarios/run/case/run.h"

/* Sets the fields that identify an open run, and clears all others; texts are in
 * the arenas of run and machine.  Without an algorithm (library_call.h) the
 * fields of the algorithm stay empty. */
void cs_run_describe(const struct cs_run *run, struct cs_record *record);

/* The closed form on the machine, with the launch of kernels, in seconds; NAN: the
 * algorithm has none. */
double cs_run_closed_form_s(const struct cs_run *run, enum cs_textbook_looks looks);

/* Adds the results of the simulated run: times, rates, bounds, closed form,
 * bottleneck, links. */
void cs_run_collect(struct cs_run *run, struct cs_record *record);

/* The name of a link of the simulated network, in the arena of the struct cs_run
 * that is the context; a cs_net_names function. */
const char *cs_run_link_name(const void *ctx, uint32_t link);

/* The name of a link of the machine, folded or not, in the arena of the run. */
const char *cs_machine_link_name(const struct cs_run *run, uint32_t number);

/* Whether messages cross that link of the machine, folded or not. */
bool cs_run_uses_link(const struct cs_run *run, uint32_t link);

/* CS_EANSWER, with the command that repeats the run, where it took less than its
 * reachable bound: one of the two is wrong.  Call once the bounds are final. */
int cs_record_check_bound(const struct cs_record *record, struct cs_err *err);

/* ---- notes ---- */

/* Faults that came after the end. */
void cs_note_late_faults(const struct cs_run *run, const struct cs_record_spread *spread);

/* Reasons why the simulated time is above the closed form, and the parameters of
 * a model without links. */
void cs_note_closed_form(const struct cs_run *run, const struct cs_record *record);

/* Timed faults that slow a link, in models in which a message keeps its rate. */
void cs_note_kept_rates(const struct cs_run *run);

/* Whole messages of another job, in models in which messages queue. */
void cs_note_queued_jobs(const struct cs_run *run);
