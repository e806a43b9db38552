/*
 * Concurrent jobs: the main job and those of `--with` on one machine.
 *
 * The main job has ranks 0, 1, ...; another job has the same ranks, some of them,
 * or ranks behind.  Each job is planned for its own ranks of the healthy machine,
 * and proved by itself.  All run as one program (sim/program/combine.h) on the
 * ranks of all jobs.
 */
#ifndef CS_SCENARIOS_RUN_CONCURRENT_JOBS_H
#define CS_SCENARIOS_RUN_CONCURRENT_JOBS_H

#include "scenarios/run/run.h"

/* Simulates all jobs at once; run->result holds the main job alone before, and
 * all jobs after.  Time and critical path in the result are the main job's. */
int cs_concurrent_jobs_run(struct cs_run *run,
                           const struct cs_exec_watch *watch);

/* Adds the time of each job, and its time alone with the same noise, to the
 * record.  Counts of messages in run->result become those of the main job. */
int cs_concurrent_jobs_report(struct cs_run *run, struct cs_record *record);

/* The program of all jobs; of a single job its own. */
const struct cs_program *cs_concurrent_jobs_program(const struct cs_run *run);

#endif
