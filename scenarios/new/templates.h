/*
 * Templates: algorithms as text (algorithms/schedules/recipe/recipe.h) to begin with.
 */
#pragma once

#include <stddef.h>

enum {
    CS_TEMPLATES_MAX = 16
};

struct cs_template {
    const char *name;
    const char *about;
    const char *text;
};

extern const struct cs_template cs_templates[];
extern const size_t cs_template_count;
