#include "sim/fold/search.h"

#include "sim/base/divisor.h"
#include "sim/base/hash.h"
#include "sim/base/order.h"

#include <stdlib.h>

enum {
    REFINEMENTS = 2,
    COLOURED = 1 << 14, /* ranks whose colours are looked at first */
    OPS_SEEN = 256,     /* of a round */
};

static uint64_t colour_of_route(const struct fold_search *search, uint32_t src, uint32_t dst)
{
    const struct cs_net *net = search->net;
    uint32_t hops = net->route(net->route_ctx, src, dst, search->links);
    uint64_t hash = hops;

    for (uint32_t i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, search->links[i]);

        hash = cs_hash_mix(hash, (uint64_t)link.rate_Bps);
        hash = cs_hash_mix(hash, link.latency_ps);
    }
    return hash;
}

static uint64_t colour_of_round(struct fold_search *search, uint32_t rank, uint32_t lane,
                                uint64_t k, const uint64_t *before)
{
    const struct cs_ops *ops = round_of(search, &search->mine, rank, lane, k);
    uint64_t hash = ops->count;

    for (uint32_t i = 0; i < ops->count && i < OPS_SEEN; i++) {
        const struct cs_op *op = &ops->op[i];

        hash = cs_hash_mix(hash, op->kind);
        if (!cs_op_is_message(op))
            continue;
        hash = cs_hash_mix(hash, search->uneven ? op->blocks.count : cs_op_bytes(&search->cut, op));
        hash =
            cs_hash_mix(hash, before ? before[op->peer] : colour_of_route(search, rank, op->peer));
    }
    return hash;
}

/* The first round of each lane, the one in the middle and the last represent what a rank does:
 * hierarchies begin and end inside of nodes. */
static uint64_t colour_of(struct fold_search *search, uint32_t rank, const uint64_t *before)
{
    struct cs_net_party party = cs_net_party_at(search->net, rank);
    uint64_t hash =
        cs_hash_mix(party.reduce_overhead_ps, (uint64_t)(party.reduce_ps_per_byte * 1e6));

    if (before)
        hash = before[rank];
    for (uint32_t lane = 0; lane < search->program->lanes; lane++) {
        uint64_t rounds = fold_rounds_of(search, rank, lane);

        hash = cs_hash_mix(hash, rounds);
        if (rounds > 0)
            hash = cs_hash_mix(hash, colour_of_round(search, rank, lane, 0, before));
        if (rounds > 2)
            hash = cs_hash_mix(hash, colour_of_round(search, rank, lane, rounds / 2, before));
        if (rounds > 1)
            hash = cs_hash_mix(hash, colour_of_round(search, rank, lane, rounds - 1, before));
    }
    return hash;
}

/* The period of the colours: the least divisor of the number of ranks under
 * which the first `count` of them repeat. */
static uint32_t fold_period(const uint64_t *colours, uint32_t count, uint32_t ranks)
{
    uint32_t s;
    uint32_t r;

    for (s = 1; s < ranks; s++) {
        if (ranks % s)
            continue;
        for (r = s; r < count && colours[r] == colours[r - s]; r++) {
        }
        if (r >= count)
            break;
    }
    return s;
}

static void fold_colour(struct fold_search *search, const uint64_t *before, uint32_t count,
                        uint64_t *colours)
{
    for (uint32_t r = 0; r < count && fold_go_on(search); r++)
        colours[r] = colour_of(search, r, before);
}

uint32_t cs_fold_first_orbits(struct fold_search *search)
{
    uint32_t ranks = search->program->ranks;
    uint32_t count = ranks < COLOURED ? ranks : COLOURED;
    uint64_t *colours = cs_arena_alloc(&search->scratch, count, sizeof(*colours));

    fold_colour(search, NULL, count, colours);
    return fold_period(colours, count, ranks);
}

uint32_t cs_fold_refined_orbits(struct fold_search *search)
{
    uint32_t ranks = search->program->ranks;
    uint64_t *colours = cs_arena_alloc(&search->scratch, ranks, sizeof(*colours));
    uint64_t *refined = cs_arena_alloc(&search->scratch, ranks, sizeof(*refined));
    uint64_t *swap;

    fold_colour(search, NULL, ranks, colours);
    for (uint32_t i = 0; i < REFINEMENTS; i++) {
        fold_colour(search, colours, ranks, refined);
        swap = colours;
        colours = refined;
        refined = swap;
    }
    return fold_period(colours, ranks, ranks);
}

/* The route of the first message of the round, if any. */
static uint64_t kind_of_round(struct fold_search *search, uint32_t rank, uint32_t lane, uint64_t k)
{
    const struct cs_ops *ops = round_of(search, &search->mine, rank, lane, k);
    uint32_t i = 0;

    while (i < ops->count && ops->op[i].kind != CS_OP_SEND)
        i++;
    return i < ops->count ? colour_of_route(search, rank, ops->op[i].peer) : 0;
}

/* The lanes in any order, as a permutation of ranks may exchange them. */
static uint64_t kind_of(struct fold_search *search, uint32_t rank)
{
    struct cs_net_party party = cs_net_party_at(search->net, rank);
    uint64_t sum = (uint64_t)(party.slow * 1e6);

    for (uint32_t lane = 0; lane < search->program->lanes; lane++) {
        uint64_t rounds = fold_rounds_of(search, rank, lane);
        uint64_t hash = rounds;

        if (rounds > 0)
            hash = cs_hash_mix(hash, kind_of_round(search, rank, lane, 0));
        if (rounds > 1)
            hash = cs_hash_mix(hash, kind_of_round(search, rank, lane, rounds - 1));
        sum += cs_hash_mix(hash, rounds);
    }
    return sum;
}

bool cs_fold_kinds_divide(struct fold_search *search)
{
    uint32_t ranks = search->program->ranks;
    uint64_t *kinds = cs_arena_alloc(&search->scratch, ranks, sizeof(*kinds));
    uint64_t divisor = 0;
    uint32_t first = 0;

    for (uint32_t r = 0; r < ranks && fold_go_on(search); r++)
        kinds[r] = kind_of(search, r);
    qsort(kinds, ranks, sizeof(*kinds), cs_order_of_wide_numbers);
    for (uint32_t r = 1; r <= ranks && divisor != 1; r++)
        if (r == ranks || kinds[r] != kinds[first]) {
            divisor = cs_common_divisor(divisor, r - first);
            first = r;
        }
    return divisor > 1;
}
