/*
 * Listing of engines: the registry of algorithms/libraries/engines.def, with the
 * sizes that run on each by default on a machine.
 */
#ifndef CS_SCENARIOS_LISTING_ENGINES_H
#define CS_SCENARIOS_LISTING_ENGINES_H

#include "reports/results/table.h"
#include "sim/base/err.h"

#include <stdint.h>

/* A machine whose figures a listing adds. */
struct cs_listing_machine {
    const char *topo; /* NULL: none */
    uint32_t ranks;   /* the first; 0: all */
};

enum {
    CS_ENGINE_COLUMNS = 9,
    CS_ENGINE_SIZE_COLUMNS = 10,
};

extern const struct cs_table_column cs_engine_columns[CS_ENGINE_COLUMNS];
/* With the sizes of a machine. */
extern const struct cs_table_column cs_engine_size_columns[CS_ENGINE_SIZE_COLUMNS];

int cs_engine_fill(struct cs_table *table, struct cs_err *err);

/* CS_EINPUT for a machine that cannot be opened. */
int cs_engine_fill_machine(struct cs_table *table, const struct cs_listing_machine *machine,
                           struct cs_err *err);

#endif
