/*
 * Listings: the registries as tables, for `collsim list NAME`.
 *
 * A listing has columns and a function that adds a row per entry of a registry.
 */
#ifndef CS_SCENARIOS_LISTING_LISTING_H
#define CS_SCENARIOS_LISTING_LISTING_H

#include "reports/results/table.h"
#include "sim/base/err.h"

#include <stddef.h>

struct cs_listing_machine; /* listing/engines.h */

struct cs_listing {
    const char *name;
    const char *about;
    const struct cs_table_column *columns;
    size_t column_count;
    /* Adds the rows; CS_EINPUT for a machine that cannot be opened. */
    int (*fill)(struct cs_table *table, struct cs_err *err);
    /* For a machine; NULL where machines mean nothing to the listing. */
    const struct cs_table_column *machine_columns;
    size_t machine_column_count;
    int (*fill_machine)(struct cs_table *table, const struct cs_listing_machine *machine,
                        struct cs_err *err);
};

/* In the order of printing. */
extern const struct cs_listing cs_listings[];
extern const size_t cs_listing_count;

#endif
