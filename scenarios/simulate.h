/*
 * One run, from the question to the answer: machine, program, proof,
 * simulation, closed form, bound.
 */
#ifndef CS_SCENARIOS_SIMULATE_H
#define CS_SCENARIOS_SIMULATE_H

#include "algorithms/export.h"
#include "reports/record.h"
#include "scenarios/scenario.h"

/* One combination of a scenario's lists. */
struct cs_point {
    const struct cs_scenario *scenario;
    const struct cs_algo *algo;
    uint64_t bytes;
    uint32_t ranks; /* 0: as many as the machine has */
};

/* Fills the record; its texts and links are in the arena.  Errors are those of
 * the machine (CS_EINPUT) and of the proof (CS_EANSWER). */
int cs_simulate(const struct cs_point *point, struct cs_arena *arena,
                struct cs_record *record, struct cs_err *err);

/* Appends the schedule of that run, as the exporter writes it. */
int cs_simulate_export(const struct cs_point *point,
                       const struct cs_exporter *exporter,
                       struct cs_arena *arena, struct cs_text *out,
                       struct cs_err *err);

#endif
