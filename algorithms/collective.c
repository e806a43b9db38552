#include "algorithms/collective.h"

#include "sim/base/hint.h"

#include <ctype.h>
#include <string.h>

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

const size_t cs_collective_count = sizeof(cs_collectives) / sizeof(*cs_collectives);

/* Names in MPI and nccl-tests that differ by more than hyphens and case. */
static const struct {
    const char *name;
    const struct cs_collective *collective;
} other_names[] = {
    {"bcast", &cs_collective_broadcast},
    {"sendrecv", &cs_collective_sendrecv},
    {"reduce-scatter-block", &cs_collective_reducescatter},
};

static bool collective_is_mark(char c)
{
    return c == '-' || c == '_';
}

/* A known name and one that is given: equal but for case, hyphens and underscores, and for the
 * end of a program of nccl-tests. */
static bool collective_same(const char *a, const char *b)
{
    while ((*a || *b) && (*a || strcmp(b, "_perf") != 0)) {
        if (collective_is_mark(*a))
            a++;
        else if (collective_is_mark(*b))
            b++;
        else if (tolower((unsigned char)*a++) != tolower((unsigned char)*b++))
            return false;
    }
    return true;
}

const struct cs_collective *cs_collective_find(const char *name)
{
    if (strncmp(name, "MPI_", 4) == 0)
        name += 4;
    for (size_t i = 0; i < cs_collective_count; i++)
        if (collective_same(cs_collectives[i]->name, name))
            return cs_collectives[i];
    for (size_t i = 0; i < sizeof(other_names) / sizeof(*other_names); i++)
        if (collective_same(other_names[i].name, name))
            return other_names[i].collective;
    return NULL;
}

int cs_collective_want(const char *name, const struct cs_collective **collective,
                       struct cs_err *err)
{
    const char *names[sizeof(cs_collectives) / sizeof(*cs_collectives)];

    for (size_t i = 0; i < cs_collective_count; i++)
        names[i] = cs_collectives[i]->name;
    *collective = cs_collective_find(name);
    return *collective ? 0
                       : cs_err_set(err, CS_EINPUT, "no collective called '%.40s'%s", name,
                                    cs_hint_all(name, names, cs_collective_count).text);
}

double cs_collective_bus_factor(const struct cs_collective *collective, uint32_t ranks)
{
    double share = (double)(ranks - 1) / ranks;

    if (ranks < 2)
        return 0;
    if (collective->bus == CS_BUS_ONE)
        return 1;
    return collective->bus == CS_BUS_TWICE ? 2 * share : share;
}

bool cs_collective_has_pieces(const struct cs_collective *collective)
{
    return collective->before == CS_OWN_BLOCK || collective->after == CS_OWN_BLOCK ||
           collective->after == CS_TRANSPOSED;
}

bool cs_collective_reduces(const struct cs_collective *collective)
{
    return collective->before == CS_EVERY_RANK && collective->after != CS_TRANSPOSED &&
           collective->after != CS_SHIFTED && !collective->is_signal;
}
