/*
 * Rules between options, as their entries state them: which other option an
 * option requires, which options it excludes; and whether the link model takes it,
 * as the model's parameters state.
 */
#ifndef CS_SCENARIOS_OPTIONS_RULES_H
#define CS_SCENARIOS_OPTIONS_RULES_H

#include "scenarios/options/options.h"
#include "sim/engine/model.h"

/* CS_EINPUT for the first given option that has no effect in that model or
 * beside another given option.  `table` is the shared one. */
int cs_option_rules_check(const struct cs_option *table,
                          const struct cs_option_log *log,
                          const struct cs_link_model *model,
                          struct cs_err *err);

#endif
