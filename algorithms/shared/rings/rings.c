#include "algorithms/shared/rings/rings.h"

#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/rings/load.h"

/* The load after each ring: the first c rings are a subset in use. */
static void rings_add_load(struct cs_rings *rings, struct cs_ring_tally *tally,
                           struct cs_arena *arena)
{
    double *load = cs_arena_alloc(arena, rings->count, sizeof(*load));
    double *slowest = cs_arena_alloc(arena, rings->count, sizeof(*slowest));

    for (uint32_t c = 0; c < rings->count; c++) {
        const uint32_t *order = &rings->order[(size_t)c * rings->ranks];

        for (uint32_t i = 0; i < rings->ranks; i++) {
            uint32_t next = order[cs_ahead(i, 1, rings->ranks)];

            cs_ring_tally_add(tally, (struct cs_ring_step){order[i], next}, 1);
        }
        load[c] = tally->busiest_s_per_byte;
        slowest[c] = tally->slowest_Bps;
    }
    rings->load_s_per_byte = load;
    rings->slowest_Bps = slowest;
    rings->switched = tally->switched;
    rings->direct = tally->switched == 0;
}

struct cs_rings *cs_rings_of_orders(const struct cs_net *net, uint32_t ranks, uint32_t count,
                                    const uint32_t *order, struct cs_arena *arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_rings *rings = cs_arena_alloc(arena, 1, sizeof(*rings));
    size_t all = (size_t)count * ranks;
    uint32_t *place = cs_arena_alloc(arena, all, sizeof(*place));
    struct cs_ring_tally tally = cs_ring_tally_new(net, &scratch);

    for (size_t i = 0; i < all; i++)
        place[i - i % ranks + order[i]] = (uint32_t)(i % ranks);
    *rings = (struct cs_rings){.ranks = ranks, .count = count, .order = order, .place = place};
    rings_add_load(rings, &tally, arena);
    return rings;
}

/* Channels beyond the number of rings use the rings again: the load is that of
 * whole rounds of all rings plus that of the remaining first rings. */
double cs_rings_contention(const struct cs_rings *rings, uint32_t channels)
{
    uint32_t times = channels / rings->count;
    uint32_t rest = channels % rings->count;
    double load_s = times * rings->load_s_per_byte[rings->count - 1];
    uint32_t used = times ? rings->count : rest;

    if (rest)
        load_s += rings->load_s_per_byte[rest - 1];
    return load_s * rings->slowest_Bps[used - 1];
}

double cs_rings_rate_Bps(const struct cs_rings *rings)
{
    return rings->count / rings->load_s_per_byte[rings->count - 1];
}
