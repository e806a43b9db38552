#include "algorithms/libraries/engines.h"

#include "sim/base/text.h"

#define ENGINE(library, name, collectives, protocols, gpus, since, model, when, source) \
    {#library, name, collectives, protocols, gpus, since, CS_ENGINE_##model, when, source},
const struct cs_engine cs_engines[] = {
#include "algorithms/libraries/engines.def"
};
#undef ENGINE

const size_t cs_engine_count = sizeof(cs_engines) / sizeof(*cs_engines);

const char *const cs_engine_model_names[CS_ENGINE_MODELS] = {
    [CS_ENGINE_YES] = "yes",
    [CS_ENGINE_OFF] = "off by default",
    [CS_ENGINE_NO] = "no",
};

size_t cs_engine_spans(const struct cs_library *library, const struct cs_site *site,
                       const struct cs_collective *collective,
                       struct cs_engine_span spans[CS_ENGINE_SIZES])
{
    struct cs_library_request request = {.site = site,
                                         .collective = collective,
                                         .bytes = CS_ENGINE_LEAST_BYTES,
                                         .effects = CS_EFFECTS_ALL};
    size_t count = 0;

    for (int i = 0; i < CS_ENGINE_SIZES; i++, request.bytes *= 2) {
        struct cs_library_time time;

        if (library->time(&request, &time, NULL))
            return 0;
        if (count && cs_same(spans[count - 1].engine, time.engine)) {
            spans[count - 1].most = request.bytes;
            continue;
        }
        spans[count++] = (struct cs_engine_span){
            .engine = time.engine,
            .least = request.bytes,
            .most = request.bytes,
        };
    }
    return count;
}
