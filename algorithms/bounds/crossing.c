#include "algorithms/bounds/case.h"

#include <math.h>

bool cs_crossing_is_in_blocks(const struct cs_collective *collective)
{
    return (collective->before == CS_OWN_BLOCK && collective->after == CS_EVERY_RANK) ||
           (collective->before == CS_EVERY_RANK && collective->after == CS_OWN_BLOCK);
}

/* The length of a number of blocks. */
struct crossing_share {
    double min_bytes;
    double max_bytes;
};

/* As MPI cuts a vector, V mod p blocks are an element longer; a set may contain
 * few or many of the longer blocks. */
static struct crossing_share crossing_share_of(const struct cs_crossing_request *request,
                                               uint32_t blocks)
{
    uint32_t ranks = request->ranks;
    double bytes = request->element_bytes;
    double elements = request->vector_bytes / bytes;
    double each = floor(elements / ranks);
    uint32_t longer = (uint32_t)(elements - each * ranks + 0.5);
    uint32_t shorter = ranks - longer;

    if (request->element_bytes == 0) {
        bytes = request->vector_bytes * blocks / ranks;
        return (struct crossing_share){bytes, bytes};
    }
    return (struct crossing_share){(each * blocks + (blocks > shorter ? blocks - shorter : 0)) *
                                       bytes,
                                   (each * blocks + (blocks < longer ? blocks : longer)) * bytes};
}

/* A root's vector crosses away from the root or towards the root alone. */
static struct cs_crossing crossing_by_root(const struct cs_collective *collective, bool has_root,
                                           struct cs_crossing all)
{
    if (collective->before == CS_ROOT && has_root)
        all.in_bytes = 0;
    if (collective->before == CS_ROOT && !has_root)
        all.out_bytes = 0;
    if (collective->after == CS_ROOT && has_root)
        all.out_bytes = 0;
    if (collective->after == CS_ROOT && !has_root)
        all.in_bytes = 0;
    return all;
}

struct cs_crossing cs_crossing_of(const struct cs_crossing_request *request, uint32_t inside,
                                  bool has_root)
{
    const struct cs_collective *collective = request->collective;
    double volume = request->vector_bytes;
    struct crossing_share own = crossing_share_of(request, inside);
    struct cs_crossing all = {volume, volume};

    if (collective->is_signal)
        return (struct cs_crossing){0, 0};
    if (collective->after == CS_TRANSPOSED) {
        double others = request->ranks - inside;
        double bytes = inside * volume * others / request->ranks;

        return (struct cs_crossing){bytes, bytes};
    }
    if (collective->after == CS_OWN_BLOCK)
        all = (struct cs_crossing){volume - own.max_bytes, own.min_bytes};
    if (collective->before == CS_OWN_BLOCK)
        all = (struct cs_crossing){own.min_bytes, volume - own.max_bytes};
    return crossing_by_root(collective, has_root, all);
}
