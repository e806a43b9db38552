/*
 * Scripts that run a sweep on a cluster: an array of Slurm, GNU parallel.
 *
 * The time of all cases is estimated from a sample of cases, evenly spread over the
 * sweep; each task takes about the wanted time, and sites forbid very many jobs, so
 * that there are at most 1,000.
 */
#ifndef CS_SCENARIOS_SWEEP_SLURM_H
#define CS_SCENARIOS_SWEEP_SLURM_H

#include "scenarios/options/command.h"
#include "scenarios/sweep/options.h"

/* Prints the script. */
int cs_sweep_emit(const struct cs_cli *cli, const struct cs_sweep_options *options,
                  const struct cs_sweep *sweep, struct cs_err *err);

#endif
