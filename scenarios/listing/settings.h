/*
 * The listing of settings: variables of a library and conditions of a node,
 * with values, unit, default, effect and source.
 */
#ifndef CS_SCENARIOS_LISTING_SETTINGS_H
#define CS_SCENARIOS_LISTING_SETTINGS_H

#include "reports/results/table.h"
#include "sim/base/err.h"

enum {
    CS_SETTING_COLUMNS = 6,
};

extern const struct cs_table_column cs_setting_columns[CS_SETTING_COLUMNS];

/* Adds a row per setting. */
int cs_setting_fill(struct cs_table *table, struct cs_err *err);

#endif
