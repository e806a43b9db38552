#include "sim/fold/fold.h"

#include "sim/base/random.h"
#include "sim/fold/state.h"

#include <string.h>

enum {
    REFINEMENTS = 2,
    COLOURED = 1 << 14,  /* ranks that are looked at first */
    TRIES = 8,           /* before all are */
    PAIRS_MAX = 1 << 24, /* routes that are checked, at most */
    PEERS_MAX = 1 << 28, /* orbits x ranks: a bit for each pair */
};

/* ---- the search ---- */

struct fold_search {
    const struct cs_program *program;
    const struct cs_net *net;
    struct cs_arena *arena; /* for what the fold consists of */
    struct cs_arena scratch;
    const char **why;
    struct cs_cut cut;
    struct cs_fold_group group;
    struct cs_ops mine, theirs;
    uint32_t *links;        /* room for a route */
    struct fold_hop *route; /* and for what is known of one */
    uint32_t channels;      /* that messages are matched by */
    uint64_t *peers;        /* a bit for each representative and rank */
    struct classes link, resource;
    bool own_resources; /* each link has one of the same number */
    bool uneven; /* images of blocks count as alike, whatever their size */
    const struct cs_monitor *monitor;
    struct cs_progress progress;
    uint64_t steps; /* until now, of the search */
    bool stopped;
};

static bool fold_refuse(const struct fold_search *search, const char *why)
{
    *search->why = why;
    return false;
}

/* A step of the search; false once it is to stop. */
static bool fold_go_on(struct fold_search *search)
{
    if (search->monitor && ++search->steps % CS_MONITOR_STEPS == 0 &&
        !search->monitor->update(search->monitor->ctx, &search->progress))
        search->stopped = true;
    return !search->stopped;
}

static struct cs_ops *round_of(const struct fold_search *search,
                               struct cs_ops *ops, uint32_t rank, uint32_t lane,
                               uint64_t k)
{
    ops->count = 0;
    search->program->round(search->program->ctx, rank, lane, k, ops);
    return ops;
}

static uint64_t fold_rounds_of(const struct fold_search *search, uint32_t rank,
                               uint32_t lane)
{
    return search->program->rounds(search->program->ctx, rank, lane);
}

static bool fold_is_message(const struct cs_op *op)
{
    return op->kind == CS_OP_SEND || op->kind == CS_OP_RECV ||
           op->kind == CS_OP_RECV_REDUCE;
}

/* ---- colours ---- */

/* Colours only choose what is tried: it need not be a good hash. */
static uint64_t fold_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t colour_of_route(const struct fold_search *search, uint32_t src,
                                uint32_t dst)
{
    const struct cs_net *net = search->net;
    uint32_t hops = net->route(net->route_ctx, src, dst, search->links);
    uint64_t hash = hops;
    uint32_t i;

    for (i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, search->links[i]);

        hash = fold_mix(hash, (uint64_t)link.rate_Bps);
        hash = fold_mix(hash, link.latency_ps);
    }
    return hash;
}

static uint64_t colour_of_round(struct fold_search *search, uint32_t rank,
                                uint32_t lane, uint64_t k,
                                const uint64_t *before)
{
    const struct cs_ops *ops = round_of(search, &search->mine, rank, lane, k);
    uint64_t hash = ops->count;
    uint32_t i;

    for (i = 0; i < ops->count; i++) {
        const struct cs_op *op = &ops->op[i];

        hash = fold_mix(hash, op->kind);
        if (!fold_is_message(op))
            continue;
        hash = fold_mix(hash, search->uneven ? op->blocks.count
                                             : cs_op_bytes(&search->cut, op));
        hash = fold_mix(hash, before ? before[op->peer]
                                     : colour_of_route(search, rank, op->peer));
    }
    return hash;
}

/* The first and the last round of each lane stand for what a rank does. */
static uint64_t colour_of(struct fold_search *search, uint32_t rank,
                          const uint64_t *before)
{
    struct cs_net_party party = cs_net_party_at(search->net, rank);
    uint64_t hash = fold_mix(party.reduce_overhead_ps,
                             (uint64_t)(party.reduce_ps_per_byte * 1e6));
    uint32_t lane;

    if (before)
        hash = before[rank];
    for (lane = 0; lane < search->program->lanes; lane++) {
        uint64_t rounds = fold_rounds_of(search, rank, lane);

        hash = fold_mix(hash, rounds);
        if (rounds > 0)
            hash =
                fold_mix(hash, colour_of_round(search, rank, lane, 0, before));
        if (rounds > 1)
            hash = fold_mix(
                hash, colour_of_round(search, rank, lane, rounds - 1, before));
    }
    return hash;
}

/* The colours' period: the least divisor of the number of ranks under which the
 * `count` first of them repeat; count is more than any useful one. */
static uint32_t fold_period(const uint64_t *colours, uint32_t count,
                            uint32_t ranks)
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

static void fold_colour(struct fold_search *search, const uint64_t *before,
                        uint32_t count, uint64_t *colours)
{
    uint32_t r;

    for (r = 0; r < count && fold_go_on(search); r++)
        colours[r] = colour_of(search, r, before);
}

/* Where orbits are looked for first: as a part of the ranks tells. */
static uint32_t first_orbits(struct fold_search *search)
{
    uint32_t ranks = search->program->ranks;
    uint32_t count = ranks < COLOURED ? ranks : COLOURED;
    uint64_t *colours =
        cs_arena_alloc(&search->scratch, count, sizeof(*colours));

    fold_colour(search, NULL, count, colours);
    return fold_period(colours, count, ranks);
}

/* As all of them tell, refined by the colours of those that they exchange
 * messages with. */
static uint32_t refined_orbits(struct fold_search *search)
{
    uint32_t ranks = search->program->ranks;
    uint64_t *colours =
        cs_arena_alloc(&search->scratch, ranks, sizeof(*colours));
    uint64_t *refined =
        cs_arena_alloc(&search->scratch, ranks, sizeof(*refined));
    uint64_t *swap;
    uint32_t i;

    fold_colour(search, NULL, ranks, colours);
    for (i = 0; i < REFINEMENTS; i++) {
        fold_colour(search, colours, ranks, refined);
        swap = colours;
        colours = refined;
        refined = swap;
    }
    return fold_period(colours, ranks, ranks);
}

/* ---- the check of the program ---- */

/* Whether those blocks are the image of the representative's. */
static bool is_image(const struct fold_search *search, struct cs_blocks rep,
                     struct cs_blocks blocks, struct turn g)
{
    uint64_t moved = (uint64_t)g.row * search->group.orbits * search->cut.parts;

    return is_in_a_piece(&search->cut, rep) &&
           blocks.first == (rep.first + moved) % search->cut.blocks;
}

/* Whether the two move as much, or as much but for one element. */
static bool same_size(const struct fold_search *search, const struct cs_op *rep,
                      const struct cs_op *op, struct turn g)
{
    if (search->uneven && rep->blocks.count)
        return is_image(search, rep->blocks, op->blocks, g);
    return cs_op_bytes(&search->cut, rep) == cs_op_bytes(&search->cut, op);
}

static bool same_op(const struct fold_search *search, const struct cs_op *rep,
                    const struct cs_op *op, struct turn g)
{
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
    return !fold_is_message(rep) ||
           (rep->channel == op->channel &&
            image(&search->group, g, rep->peer) == op->peer);
}

/* Whether `theirs` is the image of `mine`. */
static bool same_ops(const struct fold_search *search, struct turn g)
{
    const struct cs_ops *rep = &search->mine;
    const struct cs_ops *ops = &search->theirs;
    uint32_t i;

    if (rep->count != ops->count)
        return false;
    for (i = 0; i < rep->count; i++)
        if (!same_op(search, &rep->op[i], &ops->op[i], g))
            return false;
    return true;
}

static bool same_round(struct fold_search *search, uint32_t rank, uint32_t lane,
                       uint64_t k)
{
    struct member member = member_of(&search->group, rank);

    if (k >= fold_rounds_of(search, member.of, lane))
        return false;
    (void)round_of(search, &search->mine, member.of, lane, k);
    (void)round_of(search, &search->theirs, rank, lane, k);
    return same_ops(search, member.copy);
}

/* Round k of all that a representative stands for. */
static bool same_in_orbit(struct fold_search *search, uint32_t of,
                          uint32_t lane, uint64_t k)
{
    const struct cs_fold_group *group = &search->group;
    struct member rep = {of, {0, 0}};
    struct turn g;

    (void)round_of(search, &search->mine, of, lane, k);
    for (g.row = 0; g.row < group->rows; g.row++)
        for (g.column = 0; g.column < group->columns; g.column++) {
            uint32_t rank = image_of(group, g, rep);

            if (k >= fold_rounds_of(search, rank, lane))
                return false;
            (void)round_of(search, &search->theirs, rank, lane, k);
            if (!same_ops(search, g))
                return false;
        }
    return true;
}

/* The first and the last round of everybody. */
static bool same_ends(struct fold_search *search)
{
    uint32_t lane;
    uint32_t r;

    for (r = 0; r < search->group.orbits && fold_go_on(search); r++)
        for (lane = 0; lane < search->program->lanes; lane++) {
            uint64_t rounds = fold_rounds_of(search, r, lane);

            if (rounds > 0 && (!same_in_orbit(search, r, lane, 0) ||
                               !same_in_orbit(search, r, lane, rounds - 1)))
                return false;
        }
    return true;
}

static bool same_parties(const struct fold_search *search)
{
    uint32_t orbits = search->group.orbits;
    uint32_t lane;
    uint32_t r;

    for (r = orbits; r < search->program->ranks; r++) {
        struct cs_net_party rep = cs_net_party_at(search->net, r % orbits);
        struct cs_net_party party = cs_net_party_at(search->net, r);

        if (rep.reduce_ps_per_byte != party.reduce_ps_per_byte ||
            rep.reduce_overhead_ps != party.reduce_overhead_ps ||
            rep.slow != party.slow)
            return false;
        for (lane = 0; lane < search->program->lanes; lane++)
            if (fold_rounds_of(search, r, lane) !=
                fold_rounds_of(search, r % orbits, lane))
                return false;
    }
    return true;
}

/* The rounds of all ranks, if they can be counted. */
static uint64_t all_rounds(const struct fold_search *search)
{
    uint64_t sum = 0;
    uint32_t lane;
    uint32_t r;

    for (r = 0; r < search->group.orbits; r++)
        for (lane = 0; lane < search->program->lanes; lane++)
            if (__builtin_add_overflow(sum, fold_rounds_of(search, r, lane),
                                       &sum))
                return UINT64_MAX;
    if (__builtin_mul_overflow(sum, (uint64_t)search->group.copies, &sum))
        return UINT64_MAX;
    return sum;
}

static bool same_everywhere(struct fold_search *search)
{
    uint32_t lane;
    uint32_t r;
    uint64_t k;

    for (r = search->group.orbits; r < search->program->ranks; r++)
        for (lane = 0; lane < search->program->lanes; lane++)
            for (k = 0; k < fold_rounds_of(search, r, lane); k++)
                if (!fold_go_on(search) || !same_round(search, r, lane, k))
                    return false;
    return true;
}

/* A number below `below` made of the 32 bits, each as likely but for less than
 * 2^-32 x below. */
static uint32_t below_of(uint32_t bits, uint32_t below)
{
    return (uint32_t)((uint64_t)bits * below >> 32);
}

static bool same_at_random(struct fold_search *search, uint64_t seed)
{
    uint64_t state = cs_mix64(seed);
    bool same = true;
    uint32_t i;

    for (i = 0; i < CS_FOLD_ROUNDS && same && fold_go_on(search); i++) {
        uint64_t bits = cs_mix64(state + 2 * (uint64_t)i);
        uint32_t rank = below_of((uint32_t)bits, search->program->ranks);
        uint32_t lane =
            below_of((uint32_t)(bits >> 32), search->program->lanes);
        uint64_t rounds = fold_rounds_of(search, rank, lane);

        if (rounds > 0)
            same = same_round(search, rank, lane,
                              cs_mix64(state + 2 * (uint64_t)i + 1) % rounds);
    }
    return same;
}

/* ---- the check of the machine ---- */

/* Marks whom a representative sends to in a round; returns how many are new. */
static uint32_t mark_peers(struct fold_search *search, uint32_t rank,
                           uint32_t lane, uint64_t k)
{
    const struct cs_ops *ops = round_of(search, &search->mine, rank, lane, k);
    uint32_t found = 0;
    uint32_t i;

    for (i = 0; i < ops->count; i++) {
        const struct cs_op *op = &ops->op[i];
        uint64_t bit = (uint64_t)rank * search->program->ranks + op->peer;
        uint64_t mask = (uint64_t)1 << bit % 64;
        uint32_t channel = cs_op_channel(search->program, lane, op);

        if (op->kind != CS_OP_SEND)
            continue;
        if (channel >= search->channels)
            search->channels = channel + 1;
        found += !(search->peers[bit / 64] & mask);
        search->peers[bit / 64] |= mask;
    }
    return found;
}

static bool find_peers(struct fold_search *search)
{
    uint64_t bits = (uint64_t)search->group.orbits * search->program->ranks;
    uint64_t pairs = 0;
    uint32_t lane;
    uint32_t r;
    uint64_t k;

    if (bits > PEERS_MAX)
        return fold_refuse(search, "too many kinds of ranks are left");
    search->channels = 0;
    search->peers =
        cs_arena_alloc(&search->scratch, bits / 64 + 1, sizeof(uint64_t));
    for (r = 0; r < search->group.orbits; r++)
        for (lane = 0; lane < search->program->lanes; lane++)
            for (k = 0;
                 k < fold_rounds_of(search, r, lane) && fold_go_on(search); k++)
                pairs += mark_peers(search, r, lane, k);
    if (pairs * search->group.copies > PAIRS_MAX)
        return fold_refuse(search, "too many pairs of ranks exchange messages");
    if ((uint64_t)search->channels * search->program->ranks >= UINT32_MAX)
        return fold_refuse(search, "there are too many channels");
    return true;
}

/* The class of what is there; a new one if it is in none. */
static uint32_t fold_class_of(struct classes *classes, struct place place)
{
    uint32_t class = classes->class_of[place.number];

    return class ? class - 1 : classes->count++;
}

/* Puts the thing there, or sees whether it is. */
static bool stands_at(const struct cs_fold_group *group,
                      struct classes *classes, struct place place,
                      uint32_t class, struct turn copy)
{
    struct turn is;

    if (classes->class_of[place.number] == 0) {
        classes->class_of[place.number] = class + 1;
        classes->copy_of[place.number] =
            compose(group, inverse(group, (struct turn){place.row, 0}), copy);
    }
    is = copy_of(group, classes, place);
    return classes->class_of[place.number] == class + 1 && is.row == copy.row &&
           is.column == copy.column;
}

static bool same_link(const struct cs_net_link *a, const struct cs_net_link *b)
{
    return a->rate_Bps == b->rate_Bps && a->latency_ps == b->latency_ps &&
           a->ahead_ps == b->ahead_ps && a->down == b->down;
}

/* A link of a route, and where it stands among those alike. */
struct fold_hop {
    struct cs_net_link of;
    uint32_t class, resource_class;
    struct turn offset, resource_offset;
};

static struct fold_hop hop_of(struct fold_search *search, uint32_t link)
{
    struct fold_hop hop = {.of = cs_net_link_at(search->net, link)};

    struct place place = place_of(&search->link, link);

    hop.class = fold_class_of(&search->link, place);
    hop.offset = copy_of(&search->group, &search->link, place);
    if (search->own_resources)
        return hop;
    place = place_of(&search->resource, hop.of.resource);
    hop.resource_class = fold_class_of(&search->resource, place);
    hop.resource_offset = copy_of(&search->group, &search->resource, place);
    return hop;
}

/* Whether `link` is the image of the hop under g, and its server too.  A link
 * of infinite rate may be everybody's: nobody waits for it. */
static bool check_link(struct fold_search *search, const struct fold_hop *hop,
                       struct turn g, uint32_t link)
{
    const struct cs_fold_group *group = &search->group;
    struct place place = place_of(&search->link, link);
    struct cs_net_link of = hop->of;

    /* What is in the class has been looked at, there or at one alike. */
    if (!search->own_resources ||
        search->link.class_of[place.number] != hop->class + 1)
        of = cs_net_link_at(search->net, link);
    if (!same_link(&hop->of, &of))
        return fold_refuse(search, "ranks have links of different kinds");
    if (of.ps_per_byte == 0 && !is_neutral(g))
        return true;
    if (!stands_at(group, &search->link, place, hop->class,
                   compose(group, g, hop->offset)) ||
        (!search->own_resources &&
         !stands_at(
             group, &search->resource, place_of(&search->resource, of.resource),
             hop->resource_class, compose(group, g, hop->resource_offset))))
        return fold_refuse(search, "ranks share a link");
    return true;
}

/* The image of the way between the two, in the class of each of its links. */
static bool check_image(struct fold_search *search, struct member src,
                        struct member dst, struct turn g, uint32_t hops)
{
    const struct cs_fold_group *group = &search->group;
    const struct cs_net *net = search->net;
    uint32_t i;

    if (net->route(net->route_ctx, image_of(group, g, src),
                   image_of(group, g, dst), search->links) != hops)
        return fold_refuse(search, "ranks have ways of different lengths");
    for (i = 0; i < hops; i++)
        if (!check_link(search, &search->route[i], g, search->links[i]))
            return false;
    return true;
}

/* As many links as there are copies for each link of the way, in a class. */
static bool check_images(struct fold_search *search, uint32_t src, uint32_t dst,
                         uint32_t hops)
{
    struct member from = member_of(&search->group, src);
    struct member to = member_of(&search->group, dst);
    struct turn g = {0, 0};
    uint32_t i;

    for (i = 0; i < hops; i++) {
        search->route[i] = hop_of(search, search->links[i]);
        if (!check_link(search, &search->route[i], g, search->links[i]))
            return false;
    }
    for (; g.row < search->group.rows && fold_go_on(search); g.row++)
        for (g.column = 0; g.column < search->group.columns; g.column++)
            if (!is_neutral(g) && !check_image(search, from, to, g, hops))
                return false;
    return true;
}

static bool check_route(struct fold_search *search, uint32_t src, uint32_t dst)
{
    const struct cs_net *net = search->net;
    uint32_t hops = net->route(net->route_ctx, src, dst, search->links);
    uint32_t hop;
    uint32_t i;

    if (!check_images(search, src, dst, hops))
        return false;
    for (hop = 0; hop < hops; hop++)
        for (i = 0; i < hop; i++)
            if (search->own_resources
                    ? search->route[i].class == search->route[hop].class
                    : search->route[i].resource_class ==
                          search->route[hop].resource_class)
                return fold_refuse(search,
                                   "a message crosses links that stand for "
                                   "each other");
    return true;
}

static bool fold_check_routes(struct fold_search *search)
{
    uint32_t ranks = search->program->ranks;
    uint64_t words = (uint64_t)search->group.orbits * ranks / 64 + 1;
    uint64_t left;
    uint64_t i;

    for (i = 0; i < words; i++)
        for (left = search->peers[i]; left; left &= left - 1) {
            uint64_t bit = 64 * i + (uint32_t)__builtin_ctzll(left);

            if (!fold_go_on(search) ||
                !check_route(search, (uint32_t)(bit / ranks),
                             (uint32_t)(bit % ranks)))
                return false;
        }
    return true;
}

/* Where the first links of the net are those of computers alike, and the group
 * may move computers: how many links it would move together. */
static uint32_t links_moved(const struct fold_search *search)
{
    const struct cs_net_replicas *replicated = &search->net->replicated;
    uint32_t rows = search->group.rows;

    return replicated->copies % rows
               ? 0
               : replicated->copies / rows * replicated->each;
}

static void forget_classes(struct classes *classes, uint32_t things)
{
    uint32_t places = place_count(classes, things);

    memset(classes->class_of, 0, places * sizeof(*classes->class_of));
    memset(classes->copy_of, 0, places * sizeof(*classes->copy_of));
    classes->count = 0;
}

/* With so many links moved together. */
static bool check_machine(struct fold_search *search, uint32_t each)
{
    search->link.each = each;
    search->link.rows = search->resource.rows = search->group.rows;
    forget_classes(&search->link, search->net->link_count);
    if (!search->own_resources)
        forget_classes(&search->resource, search->net->resource_count);
    return fold_check_routes(search);
}

/* Whether that group is one of automorphisms. */
static bool fold_holds(struct fold_search *search, struct cs_fold_group group,
                       uint64_t seed)
{
    bool exhaustive;

    search->group = group;
    if (search->uneven && (group.is_xor || group.columns > 1))
        return false;
    if (group.columns > 1 && !same_ends(search))
        return false;
    exhaustive = all_rounds(search) <= CS_FOLD_ROUNDS;
    /* What is drawn at random may miss the few blocks that are longer. */
    if (!exhaustive && search->cut.longer > 0 && !search->uneven)
        return fold_refuse(search, "its blocks are unequal");
    if (!(exhaustive ? same_everywhere(search)
                     : same_at_random(search, seed)) ||
        !same_parties(search))
        return false;
    return find_peers(search) &&
           ((links_moved(search) &&
             check_machine(search, links_moved(search))) ||
            check_machine(search, 0)) &&
           !search->stopped;
}

/* ---- what stands for all ---- */

/* Ranks become their representatives.  Which pair of ranks a message is
 * between, up to images, is told by its channel: by whom the representative
 * of its sender sends it to. */
static void fold_message(const struct quotient *quotient, uint32_t rank,
                         uint32_t channel, struct cs_op *op)
{
    const struct cs_fold_group *group = &quotient->group;
    struct member peer = member_of(group, op->peer);
    struct member own = {rank, {0, 0}};
    uint32_t to = op->kind == CS_OP_SEND
                      ? op->peer
                      : image_of(group, inverse(group, peer.copy), own);

    op->channel = 1 + channel * group->ranks + to;
    op->source = to;
    op->peer = peer.of;
}

/* The op moves as much as the longest that it stands for. */
static void fold_lengthen(const struct quotient *quotient, struct cs_op *op)
{
    if (op->blocks.count == 0)
        return;
    op->amount = longest_bytes(&quotient->sizes, op->blocks);
    op->blocks = (struct cs_blocks){0};
}

static uint64_t folded_rounds(const void *ctx, uint32_t rank, uint32_t lane)
{
    const struct quotient *quotient = ctx;

    return quotient->of->rounds(quotient->of->ctx, rank, lane);
}

static void folded_round(const void *ctx, uint32_t rank, uint32_t lane,
                         uint64_t k, struct cs_ops *ops)
{
    const struct quotient *quotient = ctx;
    uint32_t i = ops->count;

    quotient->of->round(quotient->of->ctx, rank, lane, k, ops);
    for (; i < ops->count; i++) {
        if (quotient->uneven)
            fold_lengthen(quotient, &ops->op[i]);
        if (fold_is_message(&ops->op[i]))
            fold_message(quotient, rank,
                         cs_op_channel(quotient->of, lane, &ops->op[i]),
                         &ops->op[i]);
    }
}

static uint32_t link_class(const struct quotient *quotient, uint32_t link)
{
    return quotient->link.class_of[place_of(&quotient->link, link).number] - 1;
}

static uint32_t folded_route(void *ctx, uint32_t src, uint32_t to,
                             uint32_t *links)
{
    const struct quotient *quotient = ctx;
    const struct cs_net *net = quotient->net;
    struct last_route *last = &quotient->last[src];
    uint32_t hops;
    uint32_t i;

    if (last->to == to) {
        memcpy(links, last->links, last->hops * sizeof(*links));
        return last->hops;
    }
    hops = net->route(net->route_ctx, src, to, links);
    for (i = 0; i < hops; i++)
        links[i] = link_class(quotient, links[i]);
    if (hops <= ROUTE_MAX) {
        last->to = to;
        last->hops = hops;
        memcpy(last->links, links, hops * sizeof(*links));
    }
    return hops;
}

/* The link of a class that the ranks which stand for all use, its server
 * numbered anew; told by the number of the first of its class. */
static void fold_place(const struct fold_search *search, uint32_t number,
                       struct cs_fold *fold)
{
    const struct classes *classes = &search->link;
    uint32_t class = classes->class_of[number] - 1;
    uint32_t first = first_thing(classes, number);
    struct turn back = inverse(&search->group, classes->copy_of[number]);
    struct cs_net_link link;

    if (first < fold->link[class])
        fold->link[class] = first;
    if (back.column > 0 || (back.row > 0 && number >= classes->each))
        return; /* images are there */
    link = cs_net_link_at(search->net, first + back.row * classes->each);
    link.resource = search->own_resources
                        ? class
                        : search->resource.class_of[link.resource] - 1;
    fold->net.links[class] = link;
}

static void fold_links(const struct fold_search *search, struct cs_fold *fold)
{
    const struct cs_net *net = search->net;
    uint32_t i;

    fold->net.link_count = search->link.count;
    fold->net.resource_count =
        search->own_resources ? search->link.count : search->resource.count;
    fold->net.links = cs_arena_alloc(search->arena, search->link.count,
                                     sizeof(*fold->net.links));
    fold->link =
        cs_arena_alloc(search->arena, search->link.count, sizeof(*fold->link));
    for (i = 0; i < search->link.count; i++)
        fold->link[i] = UINT32_MAX;
    for (i = 0; i < place_count(&search->link, net->link_count); i++)
        if (search->link.class_of[i])
            fold_place(search, i, fold);
}

static void fold_parties(const struct fold_search *search, struct cs_fold *fold)
{
    uint32_t orbits = search->group.orbits;
    uint32_t r;

    fold->net.parties =
        cs_arena_alloc(search->arena, orbits, sizeof(*fold->net.parties));
    for (r = 0; r < orbits; r++)
        fold->net.parties[r] = cs_net_party_at(search->net, r);
}

static struct last_route *no_routes(const struct fold_search *search)
{
    struct last_route *last =
        cs_arena_alloc(search->arena, search->group.orbits, sizeof(*last));
    uint32_t r;

    for (r = 0; r < search->group.orbits; r++)
        last[r].to = UINT32_MAX;
    return last;
}

static struct cs_fold *quotient_of(const struct fold_search *search)
{
    struct cs_fold *fold = cs_arena_alloc(search->arena, 1, sizeof(*fold));
    struct quotient *quotient =
        cs_arena_alloc(search->arena, 1, sizeof(*quotient));

    *quotient = (struct quotient){
        .of = search->program,
        .net = search->net,
        .group = search->group,
        .channels = search->channels,
        .link = search->link,
        .resource = search->resource,
        .own_resources = search->own_resources,
        .last = no_routes(search),
        .uneven = search->uneven,
        .sizes = {search->cut, search->program->ranks, search->group.orbits},
    };
    fold->uneven = search->uneven;
    fold->quotient = quotient;
    fold->group = search->group;
    fold->rounds = all_rounds(search);
    fold->checked =
        fold->rounds < CS_FOLD_ROUNDS ? fold->rounds : CS_FOLD_ROUNDS;
    fold->program = *search->program;
    fold->program.ranks = search->group.orbits;
    fold->program.ctx = quotient;
    fold->program.rounds = folded_rounds;
    fold->program.round = folded_round;
    fold->program.reduce_scatter_rounds = NULL;
    fold->program.where = NULL;
    fold->program.folded = true;
    fold->net = *search->net;
    fold->net.party_count = search->group.orbits;
    fold->net.replicated = (struct cs_net_replicas){0};
    fold_parties(search, fold);
    fold->net.route = folded_route;
    fold->net.route_ctx = quotient;
    fold_links(search, fold);
    return fold;
}

static bool power_of_two(uint32_t n)
{
    return (n & (n - 1)) == 0;
}

/* The groups of so many orbits: of one, the neutral, none. */
static bool try_orbits(struct fold_search *search, uint32_t orbits,
                       uint64_t seed)
{
    uint32_t ranks = search->program->ranks;
    uint32_t copies = ranks / orbits;
    struct cs_fold_group group = {false, ranks, orbits, copies, copies, 1};
    uint32_t columns;

    if (fold_holds(search, group, seed))
        return true;
    group.is_xor = true;
    if (power_of_two(ranks) && power_of_two(orbits) &&
        fold_holds(search, group, seed))
        return true;
    group.is_xor = false;
    for (columns = 2; columns <= copies / 2; columns++) {
        group.columns = columns;
        group.rows = copies / columns;
        if (copies % columns == 0 && fold_holds(search, group, seed))
            return true;
    }
    return false;
}

/* The groups whose orbits are at least as many as the colours say.  A wrong one
 * is found out soon, so that all colours are looked at only after some. */
static bool fold_try_groups(struct fold_search *search, uint64_t seed)
{
    uint32_t ranks = search->program->ranks;
    uint32_t orbits = first_orbits(search);
    uint32_t tries = 0;

    for (; orbits <= ranks / 2; orbits++) {
        if (ranks % orbits)
            continue;
        if (!fold_go_on(search))
            return false;
        if (tries++ == TRIES) {
            uint32_t least = refined_orbits(search);

            if (least > orbits) {
                orbits = least - 1;
                continue;
            }
        }
        if (try_orbits(search, orbits, seed))
            return true;
    }
    return false;
}

static uint32_t *new_numbers(struct cs_arena *arena, uint32_t count)
{
    return cs_arena_alloc(arena, count, sizeof(uint32_t));
}

static struct turn *new_queue(struct cs_arena *arena, uint32_t count)
{
    return cs_arena_alloc(arena, count, sizeof(struct turn));
}

/* Whether blocks differ in length, and the group may move them as it moves
 * ranks. */
static bool fold_has_pieces(const struct fold_search *search)
{
    const struct cs_cut *cut = &search->cut;

    return cut->longer > 0 && cut->equal_bytes == 0 &&
           cut->blocks / cut->parts == search->program->ranks;
}

static void open_search(struct fold_search *search)
{
    const struct cs_net *net = search->net;

    search->links = new_numbers(&search->scratch, net->max_hops);
    search->route =
        cs_arena_alloc(&search->scratch, net->max_hops, sizeof(*search->route));
    search->link.class_of = new_numbers(search->arena, net->link_count);
    search->link.copy_of = new_queue(search->arena, net->link_count);
    search->own_resources = net->links == NULL;
    if (search->own_resources)
        return;
    search->resource.class_of = new_numbers(search->arena, net->resource_count);
    search->resource.copy_of = new_queue(search->arena, net->resource_count);
}

/* Blocks of unequal lengths first, as most that fold with them differ. */
static bool find_group(struct fold_search *search, uint64_t seed)
{
    search->uneven = fold_has_pieces(search);
    if (fold_try_groups(search, seed))
        return true;
    if (!search->uneven || search->stopped)
        return false;
    search->uneven = false;
    return fold_try_groups(search, seed);
}

/* Whether all pairs of ranks that exchange messages could be looked at, as the
 * first rounds of rank 0 tell. */
static bool are_pairs_few(struct fold_search *search)
{
    uint64_t ranks = search->program->ranks;
    uint32_t lane, i;

    for (lane = 0; lane < search->program->lanes; lane++) {
        const struct cs_ops *ops = &search->mine;
        uint64_t peers = 0;

        if (fold_rounds_of(search, 0, lane) == 0)
            continue;
        (void)round_of(search, &search->mine, 0, lane, 0);
        for (i = 0; i < ops->count; i++)
            peers += ops->op[i].kind == CS_OP_SEND &&
                     (i == 0 || ops->op[i].peer != ops->op[i - 1].peer);
        if (peers * ranks > PAIRS_MAX)
            return fold_refuse(search,
                               "too many pairs of ranks exchange messages");
    }
    return true;
}

int cs_fold_find(const struct cs_fold_request *request, struct cs_arena *arena,
                 struct cs_fold **fold, const char **why, struct cs_err *err)
{
    struct fold_search search = {.program = request->program,
                                 .net = request->net,
                                 .monitor = request->monitor,
                                 .arena = arena,
                                 .why = why,
                                 .cut = cs_cut_of(request->program)};

    *fold = NULL;
    *why = "no two ranks do the same";
    if (request->program->agents || request->program->start_ps) {
        *why = request->program->agents ? "agents have no equals"
                                        : "ranks begin at times of their own";
        return 0;
    }
    open_search(&search);
    if (are_pairs_few(&search) && find_group(&search, request->seed))
        *fold = quotient_of(&search);
    cs_ops_free(&search.mine);
    cs_ops_free(&search.theirs);
    cs_arena_free(&search.scratch);
    if (search.stopped)
        return cs_err_set(err, CS_ESTOPPED,
                          "stopped in the search for ranks alike");
    return 0;
}

/* ---- the run ---- */

static int fold_count_bytes(const struct cs_fold *fold,
                            struct cs_exec_result *result, struct cs_err *err)
{
    if (!fold->uneven &&
        __builtin_mul_overflow(result->bytes_sent, fold->group.copies,
                               &result->bytes_sent))
        return cs_err_set(err, CS_EINPUT,
                          "more than 2^64 bytes are sent; the vector is too "
                          "large for so many ranks");
    return 0;
}

int cs_fold_run(struct cs_fold *fold, const struct cs_fold_run *run,
                struct cs_arena *arena, struct cs_exec_result *result,
                struct cs_err *err)
{
    struct cs_exec_request request = {.program = &fold->program,
                                      .net = &fold->net,
                                      .model = run->model,
                                      .params = run->params,
                                      .eager = run->eager,
                                      .monitor = run->monitor};
    int code = 0;

    if (fold->uneven && !cs_fold_keeps_pace(fold, run))
        return CS_FOLD_UNEVEN;
    code = cs_exec_run_watched(&request, arena, result, err);
    if (code)
        return code;
    if (result->waits > 0)
        return CS_FOLD_WAITED;
    result->messages *= fold->group.copies;
    if (fold->uneven)
        code = cs_fold_pace(fold, run, result, err);
    return code ? code : fold_count_bytes(fold, result, err);
}
