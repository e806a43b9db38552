/*
 * The file of --memory: the memory of ranks over time in a run.
 */
#pragma once

#include "reports/results/record.h"
#include "scenarios/run/request/scenario.h"
#include "sim/proof/steps.h"
#include "sim/watch/memory_curve.h"

/* CS_EINPUT where the scenario has more than one run, or where no format has the
 * ending of the file. */
int cs_memory_check(const struct cs_scenario *scenario, struct cs_err *err);

/* The contents of the file: either a curve or steps. */
struct cs_memory_account {
    const struct cs_record *record;
    const struct cs_memory_curve *curve; /* in addition to the vectors */
    const struct cs_steps *steps;        /* within the vectors */
};

/* Writes the file; CS_ECANNOT for a picture where gnuplot is not installed. */
int cs_memory_write(const struct cs_scenario *scenario, const struct cs_memory_account *account,
                    struct cs_err *err);
