#include "sim/engine/model.h"

#include "sim/base/text.h"

#define LINK_MODEL(name) extern const struct cs_link_model cs_link_model_##name;
#include "sim/models/models.def"
#undef LINK_MODEL

const struct cs_link_model *const cs_link_models[] = {
#define LINK_MODEL(name) &cs_link_model_##name,
#include "sim/models/models.def"
#undef LINK_MODEL
};

const size_t cs_link_model_count =
    sizeof(cs_link_models) / sizeof(*cs_link_models);

void cs_traffic_uncount(struct cs_traffic *traffic, uint32_t number,
                        uint32_t hops)
{
    const uint32_t *route = cs_traffic_route(traffic, number);
    uint64_t bytes = traffic->messages[number].bytes;
    uint32_t i;

    for (i = 0; i < hops; i++) {
        struct cs_link_use *use = &traffic->use[route[i]];
        uint64_t take_ps = cs_time_rounded(
            (double)bytes * traffic->net->links[route[i]].ps_per_byte);

        /* It may have been counted at a rate of before. */
        use->busy_ps -= take_ps < use->busy_ps ? take_ps : use->busy_ps;
        use->bytes -= bytes;
        use->messages--;
    }
}

bool cs_link_model_takes(const struct cs_link_model *model,
                         const char *parameter)
{
    const char *const *name = model->parameters;

    while (name && *name && !cs_same(*name, parameter))
        name++;
    return name && *name;
}

const struct cs_link_model *cs_link_model_find(const char *name)
{
    size_t i;

    for (i = 0; i < cs_link_model_count; i++)
        if (cs_same(cs_link_models[i]->name, name))
            return cs_link_models[i];
    return NULL;
}
