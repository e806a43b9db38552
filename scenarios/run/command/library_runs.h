/*
 * Library runs: `collsim --library NAME`, a record for each number of ranks,
 * size and algorithm of the scenario, by the cost model of the library.
 */
#pragma once

#include "reports/results/record.h"
#include "reports/results/store/store.h"
#include "scenarios/run/request/scenario.h"

struct cs_library_runs {
    const struct cs_scenario *scenario;
    struct cs_store *store;     /* keeps calls that it does not have; or NULL */
    struct cs_records *records; /* of the finished calls, in order */
    struct cs_text *notes;      /* a note per line */
};

/* CS_EINPUT for a machine that cannot be opened, an unknown algorithm, or a call
 * that the library does not serve, after the other algorithms and sizes have
 * run; finished records are kept. */
int cs_library_runs(const struct cs_library_runs *runs, struct cs_err *err);
