
#include "sim/fold/search.h"

/* Peers become their representatives. Messages that are not images of each
 * other must not match, so the channel contains the destination rank of the
 * representative sender, and modulo the channels it is that of the op. */
static void fold_message(const struct quotient *quotient, uint32_t of, uint32_t channel,
                         struct cs_op *op)
{
    const struct cs_fold_group *group = &quotient->group;
    struct fold_member peer = member_of(group, op->peer);
    struct fold_member own = {of, {0, 0}};
    uint32_t to =
        op->kind == CS_OP_SEND ? op->peer : image_of(group, inverse(group, peer.copy), own);

    op->channel = 1 + to * quotient->channels + channel;
    op->source = to;
    op->peer = peer.of;
}

/* The op moves as much as the longest of its images. */
static void fold_lengthen(const struct quotient *quotient, struct cs_op *op)
{
    if (op->blocks.count == 0)
        return;
    op->amount = longest_bytes(&quotient->sizes, op->blocks);
    op->blocks = (struct cs_blocks){0};
}

static uint64_t folded_rounds(const void *ctx, struct cs_at at)
{
    const struct quotient *quotient = ctx;

    return cs_program_rounds(quotient->of, first_member(&quotient->group, at.party), at.lane);
}

static void folded_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct quotient *quotient = ctx;
    uint32_t i = ops->count;

    quotient->of->round(quotient->of->ctx,
                        (struct cs_at){first_member(&quotient->group, at.party), at.lane, at.round},
                        ops);
    for (; i < ops->count; i++) {
        if (quotient->uneven)
            fold_lengthen(quotient, &ops->op[i]);
        if (cs_op_is_message(&ops->op[i]))
            fold_message(quotient, at.party, cs_op_channel(quotient->of, at.lane, &ops->op[i]),
                         &ops->op[i]);
    }
}

/* The channel without the destination. */
static uint32_t folded_served(const void *ctx, uint32_t lane, const struct cs_op *send)
{
    const struct quotient *quotient = ctx;
    struct cs_op whole = *send;

    whole.channel = (send->channel - 1) % quotient->channels - quotient->of->lanes + 1;
    return quotient->of->served(quotient->of->ctx, lane, &whole);
}

static uint32_t link_class(const struct quotient *quotient, uint32_t link)
{
    return quotient->link.class_of[place_of(&quotient->link, link).number] - 1;
}

/* The element that maps the first resource of the orbit to that of a link. */
static struct shift resource_shift(const struct quotient *quotient, uint32_t link)
{
    const struct classes *classes = quotient->own_resources ? &quotient->link : &quotient->resource;

    if (!quotient->own_resources)
        link = cs_net_link_at(quotient->net, link).resource;
    return copy_of(&quotient->group, classes, place_of(classes, link));
}

/* Split agents are one end of messages. */
static uint32_t fold_end(const struct quotient *quotient, uint32_t party)
{
    return party < quotient->group.ranks ? party : quotient->origin[party];
}

static struct cs_origin fold_origin(const struct quotient *quotient, struct shift shift,
                                    uint32_t src, uint32_t to)
{
    const struct cs_fold_group *group = &quotient->group;
    struct shift back = inverse(group, shift);

    return (struct cs_origin){fold_end(quotient, image(group, back, src)),
                              fold_end(quotient, image(group, back, to))};
}

/* The route of a representative, read once for its links and its origins. */
static uint32_t quotient_route(struct quotient *quotient, uint32_t src, uint32_t to)
{
    const struct cs_net *net = quotient->net;

    if (quotient->src != src || quotient->to != to)
        quotient->hops = net->route(net->route_ctx, src, to, quotient->links);
    quotient->src = src;
    quotient->to = to;
    return quotient->hops;
}

static void folded_origins(void *ctx, uint32_t src, uint32_t to, struct cs_origin *origins)
{
    struct quotient *quotient = ctx;
    uint32_t hops, i;

    src = first_member(&quotient->group, src);
    hops = quotient_route(quotient, src, to);
    for (i = 0; i < hops; i++)
        origins[i] = fold_origin(quotient, resource_shift(quotient, quotient->links[i]), src, to);
    origins[hops] = fold_origin(quotient, member_of(&quotient->group, to).copy, src, to);
}

static uint32_t folded_route(void *ctx, uint32_t src, uint32_t to, uint32_t *links)
{
    struct quotient *quotient = ctx;
    uint32_t hops = quotient_route(quotient, first_member(&quotient->group, src), to);

    for (uint32_t i = 0; i < hops; i++)
        links[i] = link_class(quotient, quotient->links[i]);
    return hops;
}

/* The link of a class that the representatives use, with its resource numbered
 * anew.  fold->link has the first link of the class for reports. */
static void fold_place(const struct fold_search *search, uint32_t number, struct cs_fold *fold)
{
    const struct classes *classes = &search->link;
    uint32_t class = classes->class_of[number] - 1;
    uint32_t first = first_thing(classes, number);
    struct shift back = inverse(&search->group, classes->copy_of[number]);
    struct cs_net_link link;

    if (first < fold->link[class])
        fold->link[class] = first;
    if (back.column > 0 || (back.row > 0 && number >= classes->each))
        return; /* the place of an image */
    link = cs_net_link_at(search->net, first + back.row * classes->each);
    link.resource = search->own_resources ? class : search->resource.class_of[link.resource] - 1;
    fold->net.links[class] = link;
}

static void fold_links(const struct fold_search *search, struct cs_fold *fold)
{
    const struct cs_net *net = search->net;

    fold->net.link_count = search->link.count;
    fold->net.resource_count = search->own_resources ? search->link.count : search->resource.count;
    fold->net.links = cs_arena_alloc(search->arena, search->link.count, sizeof(*fold->net.links));
    fold->link = cs_arena_alloc(search->arena, search->link.count, sizeof(*fold->link));
    for (uint32_t i = 0; i < search->link.count; i++)
        fold->link[i] = UINT32_MAX;
    for (uint32_t i = 0; i < place_count(&search->link, net->link_count); i++)
        if (search->link.class_of[i])
            fold_place(search, i, fold);
}

static void fold_parties(const struct fold_search *search, struct cs_fold *fold)
{
    uint32_t count = group_representatives(&search->group);

    fold->net.party_count = count;
    fold->net.parties = cs_arena_alloc(search->arena, count, sizeof(*fold->net.parties));
    for (uint32_t i = 0; i < count; i++)
        fold->net.parties[i] = cs_net_party_at(search->net, first_member(&search->group, i));
}

struct cs_fold *cs_fold_quotient(const struct fold_search *search)
{
    struct cs_fold *fold = cs_arena_alloc(search->arena, 1, sizeof(*fold));
    struct quotient *quotient = cs_arena_alloc(search->arena, 1, sizeof(*quotient));

    *quotient = (struct quotient){
        .of = search->program,
        .net = search->net,
        .origin = search->origin,
        .group = search->group,
        .channels = search->channels,
        .link = search->link,
        .resource = search->resource,
        .own_resources = search->own_resources,
        .links = cs_arena_alloc(search->arena, search->net->max_hops, sizeof(uint32_t)),
        .src = UINT32_MAX,
        .uneven = search->uneven,
        .sizes = {search->cut, search->program->ranks, search->group.orbits},
    };
    fold->uneven = search->uneven;
    fold->quotient = quotient;
    fold->group = search->group;
    fold->order = search->origin;
    fold->rounds = cs_fold_all_rounds(search);
    fold->checked = search->checked;
    fold->program = *search->program;
    fold->program.ranks = search->group.orbits;
    fold->program.agents = search->group.agent_orbits;
    fold->program.ctx = quotient;
    if (search->program->served)
        fold->program.served = folded_served;
    fold->program.rounds = folded_rounds;
    fold->program.round = folded_round;
    fold->program.scatters = 0;
    fold->program.where = NULL;
    fold->program.folded = true;
    fold->net = *search->net;
    fold->net.replicated = (struct cs_net_replicas){0};
    fold_parties(search, fold);
    fold->net.route = folded_route;
    fold->net.origins = folded_origins;
    fold->net.origin_columns = search->group.is_within ? search->group.columns : 1;
    fold->net.route_ctx = quotient;
    fold_links(search, fold);
    return fold;
}

bool cs_quotient_has(const struct quotient *quotient, uint32_t link)
{
    return quotient->link.class_of[place_of(&quotient->link, link).number] != 0;
}
