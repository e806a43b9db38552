#include "sim/fold/search.h"

#include "sim/base/order.h"

#include <stdlib.h>
#include <string.h>

/* Adds the peers to which a representative sends in a round. */
static void add_peers(struct fold_search *search, uint32_t of, uint32_t lane, uint64_t k)
{
    uint32_t from = first_member(&search->group, of);
    const struct cs_ops *ops = round_of(search, &search->mine, from, lane, k);

    for (uint32_t i = 0; i < ops->count; i++) {
        const struct cs_op *op = &ops->op[i];
        uint32_t channel = cs_op_channel(search->program, lane, op);

        if (op->kind != CS_OP_SEND)
            continue;
        if (channel >= search->channels)
            search->channels = channel + 1;
        if (search->sender[op->peer] == of + 1)
            continue;
        search->sender[op->peer] = of + 1;
        search->peers[search->peer_count++] = op->peer;
    }
}

/* In order, so that links are numbered by their parties. */
static void find_peers_of(struct fold_search *search, uint32_t of)
{
    uint32_t from = first_member(&search->group, of);

    search->peer_count = 0;
    for (uint32_t lane = 0; lane < search->program->lanes; lane++) {
        uint64_t rounds = fold_rounds_of(search, from, lane);
        uint64_t k = 0;

        /* A ring has the same peers in all rounds, and a line sends in the last one. */
        if ((search->program->ring_lanes || search->program->line_lanes) && rounds > 1)
            k = rounds - 1;
        for (; k < rounds && fold_go_on(search); k++)
            add_peers(search, of, lane, k);
    }
    if (search->peer_count > 0)
        qsort(search->peers, search->peer_count, sizeof(*search->peers), cs_order_of_numbers);
}

/* Every group sees the same pairs, so that too many end the search. */
static bool end_at_pairs(struct fold_search *search)
{
    search->ended = true;
    return fold_refuse(search, "too many pairs of ranks exchange messages");
}

/* The class of the thing at a place, or a new one. */
static uint32_t fold_class_of(struct classes *classes, struct place place)
{
    uint32_t class = classes->class_of[place.number];

    return class ? class - 1 : classes->count++;
}

/* Assigns the item of the place to the class as the given copy, or checks an
 * earlier assignment. */
static bool stands_at(const struct cs_fold_group *group, struct classes *classes,
                      struct place place, uint32_t class, struct shift copy)
{
    struct shift is;

    if (classes->class_of[place.number] == 0) {
        classes->class_of[place.number] = class + 1;
        classes->copy_of[place.number] =
            compose(group, inverse(group, (struct shift){place.row, 0}), copy);
    }
    is = copy_of(group, classes, place);
    return classes->class_of[place.number] == class + 1 && is.row == copy.row &&
           is.column == copy.column;
}

static bool same_link(const struct cs_net_link *a, const struct cs_net_link *b)
{
    return a->rate_Bps == b->rate_Bps && a->latency_ps == b->latency_ps &&
           a->ahead_ps == b->ahead_ps && a->burst_ps == b->burst_ps &&
           a->peak_ps_per_byte == b->peak_ps_per_byte && a->down == b->down;
}

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

/* The entry of the image of the hop that is copy `at` of its class, or NULL. */
static uint32_t *image_entry(const struct fold_search *search, const struct fold_hop *hop,
                             struct shift at)
{
    const struct cs_fold_group *group = &search->group;
    uint64_t first = (uint64_t)hop->class * group->copies;
    uint32_t copy = at.row * group->columns + at.column;

    return search->images && first + group->copies <= search->net->link_count
               ? &search->images[first + copy]
               : NULL;
}

/* Whether `link` is the image of the hop under g, and its resource too. A link
 * of infinite rate may serve all copies, as no message waits for it. */
static bool check_link(struct fold_search *search, const struct fold_hop *hop, struct shift g,
                       uint32_t link)
{
    const struct cs_fold_group *group = &search->group;
    struct shift at = compose(group, g, hop->offset);
    uint32_t *entry = image_entry(search, hop, at);
    struct cs_net_link of = hop->of;
    struct place place;

    if (entry && *entry == link + 1)
        return true;
    place = place_of(&search->link, link);
    /* A link that is in the class has been compared, or its replica has. */
    if (!search->own_resources || search->link.class_of[place.number] != hop->class + 1)
        of = cs_net_link_at(search->net, link);
    if (!same_link(&hop->of, &of))
        return fold_refuse(search, "ranks have links of different kinds");
    if (of.ps_per_byte == 0 && !is_neutral(g))
        return true;
    if (!stands_at(group, &search->link, place, hop->class, at) ||
        (!search->own_resources &&
         !stands_at(group, &search->resource, place_of(&search->resource, of.resource),
                    hop->resource_class, compose(group, g, hop->resource_offset))))
        return fold_refuse(search, "ranks share a link");
    if (entry)
        *entry = link + 1;
    return true;
}

/* Puts the image of a route under g into the classes of the links of the route. */
static bool check_image(struct fold_search *search, struct fold_member src, struct fold_member dst,
                        struct shift g, uint32_t hops)
{
    const struct cs_fold_group *group = &search->group;
    const struct cs_net *net = search->net;

    if (net->route(net->route_ctx, image_of(group, g, src), image_of(group, g, dst),
                   search->links) != hops)
        return fold_refuse(search, "ranks have routes of different lengths");
    for (uint32_t i = 0; i < hops; i++)
        if (!check_link(search, &search->route[i], g, search->links[i]))
            return false;
    return true;
}

/* Whether images in another row are known from those in the first: rows are blocks of
 * nodes, and the routes move with the nodes.  Without agents, which are elsewhere. */
static bool rows_are_even(const struct fold_search *search)
{
    const struct cs_net_replicas *replicated = &search->net->replicated;

    return search->link.each > 0 && replicated->moving_route == search->net->route &&
           replicated->ranks * replicated->copies == search->group.ranks &&
           search->group.agents == 0 && !search->group.is_xor;
}

/* Every link of the route gets as many images as there are copies. */
static bool check_images(struct fold_search *search, uint32_t src, uint32_t dst, uint32_t hops)
{
    struct fold_member from = member_of(&search->group, src);
    struct fold_member to = member_of(&search->group, dst);
    uint32_t rows = rows_are_even(search) ? 1 : search->group.rows;
    struct shift g = {0, 0};

    for (uint32_t i = 0; i < hops; i++) {
        search->route[i] = hop_of(search, search->links[i]);
        if (!check_link(search, &search->route[i], g, search->links[i]))
            return false;
    }
    for (; g.row < rows && fold_go_on(search); g.row++)
        for (g.column = 0; g.column < search->group.columns; g.column++)
            if (!is_neutral(g) && !check_image(search, from, to, g, hops))
                return false;
    return true;
}

/* Of the resource of the link that is the route's hop. */
static uint32_t crossed_class(const struct fold_search *search, uint32_t hop)
{
    const struct fold_hop *crossed = &search->route[hop];

    return search->own_resources ? crossed->class : crossed->resource_class;
}

/* Whether two of the hops of route number `pair` are of one class. */
static bool crosses_twice(const struct fold_search *search, uint32_t hops, uint32_t pair)
{
    for (uint32_t hop = 0; hop < hops; hop++) {
        uint32_t *last = &search->crossed[crossed_class(search, hop)];

        if (*last == pair)
            return true;
        *last = pair;
    }
    return false;
}

static bool check_route(struct fold_search *search, uint32_t src, uint32_t dst, uint32_t pair)
{
    const struct cs_net *net = search->net;
    uint32_t hops = net->route(net->route_ctx, src, dst, search->links);

    if (!check_images(search, src, dst, hops))
        return false;
    return !crosses_twice(search, hops, pair) ||
           fold_refuse(search, "a message crosses two links of one class");
}

/* The routes of a representative to all its peers; the last is number `pairs` of all. */
static bool check_routes_of(struct fold_search *search, uint32_t of, uint32_t pairs)
{
    for (uint32_t i = 0; i < search->peer_count; i++)
        if (!fold_go_on(search) ||
            !check_route(search, first_member(&search->group, of), search->peers[i], pairs - i))
            return false;
    return true;
}

/* Checks the routes of all representatives, with memory of its own. */
static bool check_all_routes(struct fold_search *search, struct cs_arena *arena)
{
    uint64_t copies = search->group.copies;
    uint32_t links = search->net->link_count;
    uint64_t pairs = 0;

    for (uint32_t i = 0; i < group_representatives(&search->group); i++) {
        find_peers_of(search, i);
        pairs += search->peer_count;
        if (pairs > CS_FOLD_PAIRS / copies)
            return end_at_pairs(search);
        /* Images are kept where most links are on several routes. */
        if (!search->images && pairs * copies > links)
            search->images = cs_arena_alloc(arena, links, sizeof(*search->images));
        if (!check_routes_of(search, i, (uint32_t)pairs))
            return false;
    }
    return true;
}

static bool fold_check_routes(struct fold_search *search)
{
    uint32_t parties = group_parties(&search->group);
    struct cs_arena arena = {0};
    bool holds;

    search->channels = 0;
    search->sender = cs_arena_alloc(&arena, parties, sizeof(*search->sender));
    search->peers = cs_arena_alloc(&arena, parties, sizeof(*search->peers));
    search->images = NULL;
    search->crossed = cs_arena_alloc(
        &arena,
        search->own_resources ? place_count(&search->link, search->net->link_count)
                              : place_count(&search->resource, search->net->resource_count),
        sizeof(*search->crossed));
    holds = check_all_routes(search, &arena);
    cs_arena_free(&arena);
    if (holds && (uint64_t)search->channels * parties >= UINT32_MAX)
        return fold_refuse(search, "there are too many channels");
    return holds;
}

/* Links that the group would move together where the first links of the net are
 * those of replicated nodes; 0 where the group cannot move nodes, or moves ranks in
 * another way. */
static uint32_t links_moved(const struct fold_search *search)
{
    const struct cs_net_replicas *replicated = &search->net->replicated;
    uint32_t rows = search->group.rows;

    return search->origin || replicated->copies % rows
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

/* Whether no class has two things as one copy: each copy of a class has a thing, so
 * there are no more things than copies. */
static bool copies_are_single(struct fold_search *search, const struct classes *classes,
                              uint32_t things)
{
    uint32_t *members = cs_arena_alloc(&search->scratch, classes->count, sizeof(*members));

    for (uint32_t i = 0; i < place_count(classes, things); i++) {
        uint32_t class = classes->class_of[i];

        if (class == 0)
            continue;
        members[class - 1] += i < classes->each ? classes->rows : 1;
        if (members[class - 1] > search->group.copies)
            return fold_refuse(search, "ranks share a link");
    }
    return true;
}

/* With `each` links moved together. */
static bool check_machine(struct fold_search *search, uint32_t each)
{
    search->link.each = each;
    search->link.rows = search->resource.rows = search->group.rows;
    forget_classes(&search->link, search->net->link_count);
    if (!search->own_resources)
        forget_classes(&search->resource, search->net->resource_count);
    return fold_check_routes(search) &&
           copies_are_single(search, &search->link, search->net->link_count) &&
           (search->own_resources ||
            copies_are_single(search, &search->resource, search->net->resource_count));
}

bool cs_fold_keeps_machine(struct fold_search *search)
{
    uint32_t each = links_moved(search);

    /* A check that stops has classes for a part of the links. */
    return ((each > 0 && check_machine(search, each)) || check_machine(search, 0)) &&
           !search->stopped;
}
