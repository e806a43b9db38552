/*
 * The listing of libraries: name, description, modelled releases, collectives
 * and source of each cost model.
 *
 * The collectives are those that a library serves on a sample machine.
 */
#ifndef CS_SCENARIOS_LISTING_LIBRARIES_H
#define CS_SCENARIOS_LISTING_LIBRARIES_H

#include "reports/results/table.h"
#include "sim/base/err.h"

enum {
    CS_LIBRARY_COLUMNS = 5,
};

extern const struct cs_table_column cs_library_columns[CS_LIBRARY_COLUMNS];

/* Adds a row per library.  CS_EINPUT for a sample machine that cannot be
 * opened. */
int cs_library_fill(struct cs_table *table, struct cs_err *err);

#endif
