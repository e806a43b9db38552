#include "algorithms/collective.h"

#include "algorithms/algo.h"
#include "sim/base/text.h"

#define COLLECTIVE(identifier, title, first, last, factor, signal, text) \
    const struct cs_collective cs_collective_##identifier = {            \
        .name = (title),                                                 \
        .before = (first),                                               \
        .after = (last),                                                 \
        .bus = (factor),                                                 \
        .is_signal = (signal),                                           \
        .about = (text),                                                 \
    };
#include "algorithms/collectives.def"
#undef COLLECTIVE

const struct cs_collective *const cs_collectives[] = {
#define COLLECTIVE(identifier, title, first, last, factor, signal, text) \
    &cs_collective_##identifier,
#include "algorithms/collectives.def"
#undef COLLECTIVE
};

const size_t cs_collective_count =
    sizeof(cs_collectives) / sizeof(*cs_collectives);

const struct cs_collective *cs_collective_find(const char *name)
{
    size_t i;

    for (i = 0; i < cs_collective_count; i++)
        if (cs_same(cs_collectives[i]->name, name))
            return cs_collectives[i];
    return NULL;
}

double cs_collective_bus_factor(const struct cs_collective *collective,
                                uint32_t ranks)
{
    double share = (double)(ranks - 1) / ranks;

    if (ranks < 2)
        return 0;
    if (collective->bus == CS_BUS_ONE)
        return 1;
    return collective->bus == CS_BUS_TWICE ? 2 * share : share;
}

bool cs_collective_reduces(const struct cs_collective *collective)
{
    return collective->before == CS_EVERY_RANK &&
           collective->after != CS_TRANSPOSED &&
           collective->after != CS_SHIFTED && !collective->is_signal;
}
