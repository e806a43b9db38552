/*
 * Rules between options: required and excluded options, as in the entries, and
 * parameters of link models, as in the models.
 */
#pragma once

#include "scenarios/options/option.h"
#include "sim/engine/model.h"

/* CS_EINPUT for the first given option without effect in the model, beside a
 * second given option or with --library.  `table` is the shared table. */
int cs_option_rules_check(const struct cs_option *table, const struct cs_option_log *log,
                          const struct cs_link_model *model, struct cs_err *err);
