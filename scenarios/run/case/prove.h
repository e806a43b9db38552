/*
 * Proof beside a run: where it is cheap, every simulated program is proved.
 */
#pragma once

#include "scenarios/run/case/run.h"

/* Proves the run's program and adds the verdict to the record; adds a note, and
 * no verdict, where the proof would take long beside the run. */
int cs_run_prove(struct cs_run *run, struct cs_record *record);

/* The same for a concurrent job of the main run, without a record. */
int cs_run_prove_job(const struct cs_run *job, const struct cs_run *main_run);
