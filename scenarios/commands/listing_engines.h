/*
 * Listing of engines: the registry of algorithms/libraries/engines.def, with the
 * sizes that run on each by default on a machine.
 */
#ifndef CS_SCENARIOS_COMMANDS_LISTING_ENGINES_H
#define CS_SCENARIOS_COMMANDS_LISTING_ENGINES_H

#include "scenarios/commands/listing.h"

enum {
    CS_ENGINE_COLUMNS = 9,
    CS_ENGINE_SIZE_COLUMNS = 10,
};

extern const struct cs_table_column cs_engine_columns[CS_ENGINE_COLUMNS];
/* With the sizes of a machine. */
extern const struct cs_table_column
    cs_engine_size_columns[CS_ENGINE_SIZE_COLUMNS];

int cs_engine_fill(struct cs_table *table, struct cs_err *err);

/* As struct cs_listing describes. */
int cs_engine_fill_machine(struct cs_table *table,
                           const struct cs_listing_machine *machine,
                           struct cs_err *err);

#endif
