/*
 * The library of a scenario: --library and --algo as a cost model and the names
 * of its engines.
 */
#pragma once

#include "scenarios/run/request/scenario.h"

/* Fills scenario->by.  `auto`, or no --algo, is the choice of the library.
 * CS_EINPUT for an unknown library or version, with the nearest name, and for
 * --launch with a library without kernels; the library itself checks names of
 * engines. */
int cs_library_choose(struct cs_scenario *scenario, struct cs_err *err);

/* The same for logs, which are of one algorithm: CS_EINPUT for several. */
int cs_library_choose_one(struct cs_scenario *scenario, struct cs_err *err);

/* The first name of --algo; NULL: the choice of the library. */
const char *cs_library_engine(const struct cs_scenario *scenario);
