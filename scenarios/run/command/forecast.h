/*
 * Forecast: how long the runs of several sizes take, said before the first.
 *
 * The seconds are those of the ops that are simulated at least (folding.h), by the
 * model.  With `auto` the small programs of a size and one large program count, as
 * the others end early.
 *
 *     O(cases) plans; after the last size, up to CS_FORECAST_S
 */
#pragma once

#include "scenarios/run/request/scenario.h"

/* Seconds that plans may take. */
#define CS_FORECAST_S 0.3

/* Seconds of all runs, on the scenario's number of processes; 0 for a single run,
 * and for several numbers of ranks, whose machines differ. */
double cs_forecast_s(const struct cs_scenario *scenario);
