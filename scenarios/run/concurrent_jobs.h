/*
 * Concurrent jobs: the main job and the jobs of `--with` on one machine.
 *
 * The main job has ranks 0, 1, ...; a further job has the same ranks, a part, or
 * later ranks.  A job is planned for its ranks of the healthy machine and proved
 * separately.  The jobs run as a combined program (sim/program/combine.h) on the
 * ranks of every job.
 */
#pragma once

#include "scenarios/run/case/run.h"

/* Simulates the jobs at once.  run->result is the main job alone before the call,
 * and the combined program after; time and critical path are the main job's. */
int cs_concurrent_jobs_run(struct cs_run *run, const struct cs_exec_watch *watch);

/* Adds the time of each job to the record, with contention and alone with equal
 * noise.  The counts of messages in run->result become the main job's. */
int cs_concurrent_jobs_report(struct cs_run *run, struct cs_record *record);

/* The combined program, or the program of a single job. */
const struct cs_program *cs_concurrent_jobs_program(const struct cs_run *run);
