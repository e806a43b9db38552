#include "sim/models/models.h"

#include "sim/base/text.h"

#include <strings.h>

#define LINK_MODEL(name) extern const struct cs_link_model cs_link_model_##name;
#include "sim/models/models.def"
#undef LINK_MODEL

const struct cs_link_model *const cs_link_models[] = {
#define LINK_MODEL(name) &cs_link_model_##name,
#include "sim/models/models.def"
#undef LINK_MODEL
};

const size_t cs_link_model_count = sizeof(cs_link_models) / sizeof(*cs_link_models);

bool cs_link_model_takes(const struct cs_link_model *model, const char *parameter)
{
    const char *const *name = model->parameters;

    while (name && *name && !cs_same(*name, parameter))
        name++;
    return name && *name;
}

const struct cs_link_model *cs_link_model_find(const char *name)
{
    for (size_t i = 0; i < cs_link_model_count; i++)
        if (!strcasecmp(cs_link_models[i]->name, name))
            return cs_link_models[i];
    return NULL;
}
