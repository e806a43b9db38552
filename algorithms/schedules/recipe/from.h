/*
 * Schedules of solvers, which become a text of algorithms/schedules/recipe/recipe.h.
 */
#pragma once

#include "algorithms/importer.h"
#include "sim/base/text.h"

/* The text of a file and the lines of the file that its lines are from. */
struct cs_recipe_source {
    const char *file;
    struct cs_text text;
    const uint32_t *line; /* of the line head + i of the text; NULL: those of the text */
    uint32_t head;
};

/* Reads the text as an algorithm and frees it; `about` is a phrase for reports. */
int cs_recipe_algo_from(struct cs_recipe_source *source, const char *about, struct cs_arena *arena,
                        struct cs_algo *algo, struct cs_err *err);
