#include "scenarios/new/templates.h"

const struct cs_template cs_templates[] = {
#define TEMPLATE(name, about, text) {name, about, text},
#include "scenarios/new/templates.def"
#undef TEMPLATE
};

enum {
    TEMPLATES = sizeof(cs_templates) / sizeof(*cs_templates)
};
_Static_assert((int)TEMPLATES <= (int)CS_TEMPLATES_MAX, "room for the names");

const size_t cs_template_count = TEMPLATES;
