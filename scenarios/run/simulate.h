/*
 * Simulation of a case: machine, program, proof, simulation, closed form, bound.
 */
#pragma once

#include "algorithms/schedules/export.h"
#include "reports/results/record.h"
#include "scenarios/run/case/run.h"
#include "sim/proof/proof.h"
#include "sim/proof/steps.h"

/* Simulates a case and fills the record, with texts and links in the arenas of run
 * and machine.  Errors: of the machine (CS_EINPUT), of the proof (CS_EANSWER);
 * CS_SIMULATE_REFUSED, KNOWN, SLOWER and LATER without a result. */
int cs_simulate(const struct cs_case *which, struct cs_arena *arena, struct cs_record *record,
                struct cs_err *err);

/* Simulates an open run without concurrent jobs, folded if possible, or with its noise;
 * *spread describes the runs with noise.  Returns as cs_simulate does. */
int cs_simulate_run(struct cs_run *run, struct cs_record_spread *spread);

/* Appends the schedule of the case in the format of the exporter. */
int cs_simulate_export(const struct cs_case *which, const struct cs_exporter *exporter,
                       struct cs_arena *arena, struct cs_text *out, struct cs_err *err);

/* The same part by part; the parts are in the arena, and closed in any case. */
int cs_simulate_export_parts(const struct cs_case *which, const struct cs_exporter *exporter,
                             struct cs_arena *arena, struct cs_export_parts *parts,
                             struct cs_err *err);

/* Simulates a case and records every step with its times; CS_EINPUT also for too
 * many steps. */
int cs_simulate_steps(const struct cs_case *which, struct cs_arena *arena, struct cs_record *record,
                      struct cs_steps *steps, struct cs_err *err);

/* Proves without simulating, on *ranks ranks; returns as cs_simulate does. */
int cs_simulate_proof(const struct cs_case *which, struct cs_arena *arena, struct cs_proof *proof,
                      uint32_t *ranks, struct cs_err *err);

/* ---- estimate ---- */

struct cs_estimate {
    double closed_form_s; /* NAN: the algorithm has none on this machine */
    double bus_factor;    /* bus bandwidth / algorithm bandwidth */
    double bytes;         /* of the vector */
};

/* As cs_simulate: 0, CS_SIMULATE_REFUSED or an error. */
int cs_run_estimate(const struct cs_case *which, struct cs_arena *arena,
                    struct cs_estimate *estimate, struct cs_err *err);

/* ---- without faults ---- */

/* Simulates a run completely: alone, with concurrent jobs, with noise. */
typedef int cs_healthy_fn(struct cs_run *run, const struct cs_exec_watch *watch,
                          struct cs_record *record);

/* Adds the healthy machine's time and bottleneck to the record of a run with
 * faults, and the links that carry messages only with the faults.  With timed
 * faults the bound becomes the healthy machine's, which holds at every time. */
int cs_healthy_compare(const struct cs_run *run, cs_healthy_fn *simulate, struct cs_record *record);
