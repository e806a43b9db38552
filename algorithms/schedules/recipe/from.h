/*
 * Schedules of solvers, which become a text of algorithms/schedules/recipe/recipe.h.
 */
#pragma once

#include "algorithms/importer.h"
#include "sim/base/text.h"

/* Reads the text as an algorithm and frees it; `about` is a phrase for reports. */
int cs_recipe_algo_from(struct cs_text *text, const char *about, const char *file,
                        struct cs_arena *arena, struct cs_algo *algo, struct cs_err *err);
