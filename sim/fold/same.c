#include "sim/fold/search.h"

#include "sim/base/random.h"

enum {
    FEW = 1024 /* rounds of a quick look, and of a sample at least */
};

/* Are these blocks the image of the representative's under g? */
static bool is_image(const struct fold_search *search, struct cs_blocks rep,
                     struct cs_blocks blocks, struct shift g)
{
    uint64_t moved = (uint64_t)g.row * search->group.orbits * search->cut.parts;

    return is_in_a_piece(&search->cut, rep) &&
           blocks.first == (rep.first + moved) % search->cut.blocks;
}

/* Do two ops move the same size, with equal counts of blocks?  Images in an uneven search
 * may differ by one element. */
static inline bool same_size(const struct fold_search *search, const struct cs_op *rep,
                             const struct cs_op *op, struct shift g)
{
    if (rep->blocks.count && search->cut.equal_bytes)
        return true;
    if (search->uneven && rep->blocks.count)
        return is_image(search, rep->blocks, op->blocks, g);
    return cs_op_bytes(&search->cut, rep) == cs_op_bytes(&search->cut, op);
}

static inline bool same_op(const struct fold_search *search, uint32_t number, struct shift g)
{
    const struct cs_op *rep = &search->mine.op[number];
    const struct cs_op *op = &search->theirs.op[number];

    if (rep->kind != op->kind || rep->buffer != op->buffer ||
        rep->source_buffer != op->source_buffer || rep->leaves != op->leaves ||
        rep->blocks.count != op->blocks.count)
        return false;
    if (rep->kind == CS_OP_WAIT)
        return rep->peer == op->peer && rep->source == op->source;
    if (rep->kind == CS_OP_WORK)
        return rep->amount == op->amount;
    if (!same_size(search, rep, op, g))
        return false;
    return !cs_op_is_message(rep) ||
           (rep->channel == op->channel &&
            image_of(&search->group, g, search->my_peers[number]) == op->peer);
}

/* Are the ops in `theirs` the images of those in `mine`? */
static bool same_ops(const struct fold_search *search, struct shift g)
{
    if (search->mine.count != search->theirs.count)
        return false;
    for (uint32_t i = 0; i < search->mine.count; i++)
        if (!same_op(search, i, g))
            return false;
    return true;
}

/* Reads the round of a representative, and which parties its messages are for: that is
 * two divisions for each, which are made once for all images. */
static void read_mine(struct fold_search *search, uint32_t first, uint32_t lane, uint64_t k)
{
    const struct cs_ops *ops = round_of(search, &search->mine, first, lane, k);

    if (ops->count > search->my_room) {
        search->my_room = 2 * ops->count;
        search->my_peers =
            cs_arena_alloc(&search->scratch, search->my_room, sizeof(*search->my_peers));
    }
    for (uint32_t i = 0; i < ops->count; i++)
        if (cs_op_is_message(&ops->op[i]))
            search->my_peers[i] = member_of(&search->group, ops->op[i].peer);
}

static bool same_round(struct fold_search *search, uint32_t rank, uint32_t lane, uint64_t k)
{
    struct fold_member member = member_of(&search->group, rank);
    uint32_t first = first_member(&search->group, member.of);

    if (k >= fold_rounds_of(search, first, lane))
        return false;
    read_mine(search, first, lane, k);
    (void)round_of(search, &search->theirs, rank, lane, k);
    return same_ops(search, member.copy);
}

/* Compares round k of all parties of an orbit with the representative's. */
static bool same_in_orbit(struct fold_search *search, uint32_t first, uint32_t lane, uint64_t k)
{
    const struct cs_fold_group *group = &search->group;
    struct fold_member rep = member_of(group, first);
    struct shift g;

    read_mine(search, first, lane, k);
    for (g.row = 0; g.row < group->rows; g.row++)
        for (g.column = g.row == 0; g.column < group->columns; g.column++) {
            uint32_t rank = image_of(group, g, rep);

            if (!fold_go_on(search) || k >= fold_rounds_of(search, rank, lane))
                return false;
            (void)round_of(search, &search->theirs, rank, lane, k);
            if (!same_ops(search, g))
                return false;
        }
    return true;
}

/* The first and the last round of every party. */
static bool same_ends(struct fold_search *search)
{
    for (uint32_t i = 0; i < group_representatives(&search->group) && fold_go_on(search); i++)
        for (uint32_t lane = 0; lane < search->program->lanes; lane++) {
            uint32_t first = first_member(&search->group, i);
            uint64_t rounds = fold_rounds_of(search, first, lane);

            if (rounds > 0 && (!same_in_orbit(search, first, lane, 0) ||
                               !same_in_orbit(search, first, lane, rounds - 1)))
                return false;
        }
    return true;
}

static bool same_parties(struct fold_search *search)
{
    const struct cs_fold_group *group = &search->group;

    for (uint32_t r = 0; r < group_parties(group) && fold_go_on(search); r++) {
        uint32_t first = first_member(group, member_of(group, r).of);
        struct cs_net_party rep = cs_net_party_at(search->net, first);
        struct cs_net_party party = cs_net_party_at(search->net, r);

        if (rep.reduce_ps_per_byte != party.reduce_ps_per_byte ||
            rep.reduce_overhead_ps != party.reduce_overhead_ps || rep.slow != party.slow)
            return false;
        for (uint32_t lane = 0; lane < search->program->lanes; lane++)
            if (fold_rounds_of(search, r, lane) != fold_rounds_of(search, first, lane))
                return false;
        search->steps += search->program->lanes;
    }
    return !search->stopped;
}

uint64_t cs_fold_all_rounds(const struct fold_search *search)
{
    uint64_t sum = 0;

    for (uint32_t r = 0; r < group_representatives(&search->group); r++)
        for (uint32_t lane = 0; lane < search->program->lanes; lane++)
            if (__builtin_add_overflow(
                    sum, fold_rounds_of(search, first_member(&search->group, r), lane), &sum))
                return UINT64_MAX;
    if (__builtin_mul_overflow(sum, (uint64_t)search->group.copies, &sum))
        return UINT64_MAX;
    return sum;
}

/* All rounds, each read once of the representative. */
static bool same_everywhere(struct fold_search *search)
{
    for (uint32_t i = 0; i < group_representatives(&search->group); i++)
        for (uint32_t lane = 0; lane < search->program->lanes; lane++) {
            uint32_t first = first_member(&search->group, i);

            for (uint64_t k = 0; k < fold_rounds_of(search, first, lane); k++)
                if (!same_in_orbit(search, first, lane, k))
                    return false;
        }
    return true;
}

/* A number below `below` from 32 random bits; uneven by less than 2^-32 x below. */
static uint32_t below_of(uint32_t bits, uint32_t below)
{
    return (uint32_t)((uint64_t)bits * below >> 32);
}

/* In up to `most` rounds, drawn. */
static bool same_at_random(struct fold_search *search, uint64_t seed, uint64_t most)
{
    uint64_t state = cs_mix64(seed);
    bool same = true;
    uint32_t i;

    search->checked = 0;
    for (i = 0; i < CS_FOLD_ROUNDS && search->checked < most && same && fold_go_on(search); i++) {
        uint64_t bits = cs_mix64(state + 2 * (uint64_t)i);
        uint32_t rank = below_of((uint32_t)bits, group_parties(&search->group));
        uint32_t lane = below_of((uint32_t)(bits >> 32), search->program->lanes);
        uint64_t rounds = fold_rounds_of(search, rank, lane);

        if (rounds == 0)
            continue;
        search->checked++;
        same = same_round(search, rank, lane, cs_mix64(state + 2 * (uint64_t)i + 1) % rounds);
    }
    return same;
}

/* Ops of a round on average, by as many rounds of representatives as settle whether all
 * are to be compared. */
static uint64_t ops_of_a_round(struct fold_search *search)
{
    uint64_t most = CS_FOLD_OPS / search->group.copies;
    uint64_t rounds = 0;
    uint64_t ops = 0;

    for (uint32_t i = 0;
         i < group_representatives(&search->group) && ops <= most && fold_go_on(search); i++)
        for (uint32_t lane = 0; lane < search->program->lanes && ops <= most; lane++) {
            uint32_t first = first_member(&search->group, i);
            uint64_t all = fold_rounds_of(search, first, lane);

            for (uint64_t k = 0; k < all && ops <= most; k++, rounds++)
                ops += round_of(search, &search->mine, first, lane, k)->count;
        }
    return rounds ? ops / rounds : 0;
}

/* Rounds to be compared, all or a sample; of rounds of many ops, fewer.  Random rounds may
 * miss the few blocks that are longer. */
static uint64_t rounds_compared(struct fold_search *search)
{
    uint64_t rounds = cs_fold_all_rounds(search);
    uint64_t drawn = CS_FOLD_DRAWN;
    uint64_t ops;

    if (rounds > CS_FOLD_ROUNDS)
        return drawn;
    if (search->cut.longer > 0 && !search->uneven)
        return rounds;
    ops = ops_of_a_round(search);
    if (ops * rounds <= CS_FOLD_OPS)
        return rounds;
    while (drawn > FEW && ops * drawn > CS_FOLD_DRAWN_OPS)
        drawn /= 2;
    return drawn < rounds ? drawn : rounds;
}

bool cs_fold_resembles_program(struct fold_search *search, uint64_t seed)
{
    const struct cs_fold_group *group = &search->group;

    if (search->uneven && (group->is_xor || group->columns > 1))
        return false;
    if (search->cut.longer > 0 && !search->uneven && cs_fold_all_rounds(search) > CS_FOLD_ROUNDS)
        return fold_refuse(search, "its blocks are unequal");
    return same_at_random(search, seed, FEW);
}

bool cs_fold_keeps_program(struct fold_search *search, uint64_t seed)
{
    uint64_t compared = rounds_compared(search);
    bool exhaustive = compared == cs_fold_all_rounds(search);

    if (search->group.columns > 1 && (exhaustive || compared == CS_FOLD_DRAWN) &&
        !same_ends(search))
        return false;
    search->checked = compared;
    return (exhaustive ? same_everywhere(search) : same_at_random(search, seed, compared)) &&
           same_parties(search);
}
