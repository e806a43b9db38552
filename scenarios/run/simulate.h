/*
 * One run, from the question to the answer: machine, program, proof,
 * simulation, closed form, bound.
 */
#ifndef CS_SCENARIOS_RUN_SIMULATE_H
#define CS_SCENARIOS_RUN_SIMULATE_H

#include "algorithms/schedules/export.h"
#include "reports/results/record.h"
#include "scenarios/run/run.h"
#include "sim/proof/proof.h"
#include "sim/proof/steps.h"

/* Fills the record; its texts and links are in the arena.  Errors are those of
 * the machine (CS_EINPUT) and of the proof (CS_EANSWER). */
int cs_simulate(const struct cs_case *which, struct cs_arena *arena,
                struct cs_record *record, struct cs_err *err);

/* Runs an open stage, whole and alone, then with its noise if there is any: what
 * is left is all there is to know, and the spread that of the record.  Returns as
 * cs_simulate does. */
int cs_simulate_run(struct cs_run *run, struct cs_record_spread *spread);

/* Appends the schedule of that run, as the exporter writes it. */
int cs_simulate_export(const struct cs_case *which,
                       const struct cs_exporter *exporter,
                       struct cs_arena *arena, struct cs_text *out,
                       struct cs_err *err);

/* The same, with the steps and their times; CS_EINPUT also where there are too
 * many of them. */
int cs_simulate_steps(const struct cs_case *which, struct cs_arena *arena,
                      struct cs_record *record, struct cs_steps *steps,
                      struct cs_err *err);

/* Proves without simulating, on *ranks ranks; returns as cs_simulate does. */
int cs_simulate_proof(const struct cs_case *which, struct cs_arena *arena,
                      struct cs_proof *proof, uint32_t *ranks,
                      struct cs_err *err);

#endif
