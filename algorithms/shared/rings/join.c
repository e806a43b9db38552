#include "algorithms/shared/rings/node_rings.h"

#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/rings/load.h"

#include <math.h>

enum {
    PASSES_MAX = 4,         /* of replacement over all rings */
    EXCHANGE_MAX = 1 << 20, /* routes of two rings, for all pairs of rings */
    HOPS_KEPT = 1 << 20     /* of the routes of all ends */
};

/* The ranks of a node by which a ring enters and leaves. */
struct ring_ends {
    uint32_t entry, exit;
};

struct join_hop {
    uint32_t resource;
    double s_per_byte;
};

/* Of the routes from each node to the next for some ends. */
struct join_routes {
    const struct join_hop *hops; /* NULL: not kept */
    uint32_t *ends;              /* of the hops, by node */
};

struct ring_join {
    const struct cs_ring_nodes *nodes;
    struct cs_arena *arena;
    struct join_routes *routes; /* of [entry * group + exit] */
    struct join_hop *room;      /* for the routes of all nodes */
    uint32_t kept;              /* hops */
    struct cs_node_rings local;
    uint32_t count;
    struct ring_ends *ends; /* of each ring */
    struct cs_ring_tally tally;
    struct cs_route_load alone; /* of the first ring on an empty machine */
};

static const struct cs_route_load no_limit = {(double)INFINITY, 0};

/* The step from the node whose first slot is `first` to the next node. */
static struct cs_ring_step join_step(const struct cs_ring_nodes *nodes, struct ring_ends ends,
                                     uint32_t first)
{
    uint32_t next = first + nodes->group < nodes->ranks ? first + nodes->group : 0;

    return (struct cs_ring_step){nodes->rank[first + ends.exit], nodes->rank[next + ends.entry]};
}

/* Of very many nodes none are kept. */
static void join_open_routes(struct ring_join *join)
{
    const struct cs_ring_nodes *nodes = join->nodes;
    uint64_t most = (uint64_t)(nodes->ranks / nodes->group) * nodes->net->max_hops;

    join->routes =
        cs_arena_alloc(join->arena, (size_t)nodes->group * nodes->group, sizeof(*join->routes));
    if (most <= HOPS_KEPT)
        join->room = cs_arena_alloc(join->arena, most + 1, sizeof(*join->room));
}

/* Keeps the routes of the ends, which are asked for at each placement of a ring. */
static void join_keep_routes(struct ring_join *join, struct ring_ends ends,
                             struct join_routes *routes)
{
    const struct cs_ring_nodes *nodes = join->nodes;
    const struct cs_net *net = nodes->net;
    uint32_t count = 0;

    routes->ends = cs_arena_alloc(join->arena, nodes->ranks / nodes->group, sizeof(*routes->ends));
    for (uint32_t first = 0; first < nodes->ranks; first += nodes->group) {
        struct cs_ring_step step = join_step(nodes, ends, first);
        uint32_t hops = net->route(net->route_ctx, step.from, step.to, join->tally.links);

        for (uint32_t i = 0; i < hops; i++) {
            struct cs_net_link link = cs_net_link_at(net, join->tally.links[i]);

            join->room[count++] = (struct join_hop){link.resource, 1 / link.rate_Bps};
        }
        routes->ends[first / nodes->group] = count;
    }
    routes->hops = cs_arena_copy(join->arena, join->room, count, sizeof(*join->room));
    join->kept += count;
}

/* NULL where too many are kept. */
static const struct join_routes *join_routes_of(struct ring_join *join, struct ring_ends ends)
{
    struct join_routes *routes = &join->routes[ends.entry * join->nodes->group + ends.exit];

    if (!routes->hops && join->room && join->kept < HOPS_KEPT)
        join_keep_routes(join, ends, routes);
    return routes->hops ? routes : NULL;
}

/* As cs_route_load_with. */
static struct cs_route_load load_of_kept(const struct ring_join *join,
                                         const struct join_routes *routes, uint32_t node)
{
    struct cs_route_load load = {0};

    for (uint32_t i = node ? routes->ends[node - 1] : 0; i < routes->ends[node]; i++) {
        const struct join_hop *hop = &routes->hops[i];
        double load_s = join->tally.resource_s_per_byte[hop->resource] + hop->s_per_byte;

        load.busiest_s = load_s > load.busiest_s ? load_s : load.busiest_s;
        load.sum_s += load_s;
    }
    return load;
}

/* Load of the routes between all nodes for a further ring with these ends; or of
 * the first of them, where these alone are no less than `limit`. */
static struct cs_route_load load_of_ends(struct ring_join *join, struct ring_ends ends,
                                         struct cs_route_load limit)
{
    const struct cs_ring_nodes *nodes = join->nodes;
    const struct join_routes *routes = join_routes_of(join, ends);
    struct cs_route_load all = {0};
    uint32_t first;

    for (first = 0; first < nodes->ranks && cs_route_load_less(all, limit); first += nodes->group) {
        struct cs_route_load load =
            routes ? load_of_kept(join, routes, first / nodes->group)
                   : cs_route_load_with(&join->tally, join_step(nodes, ends, first));

        if (load.busiest_s > all.busiest_s)
            all.busiest_s = load.busiest_s;
        all.sum_s += load.sum_s;
    }
    return all;
}

/* Adds a ring with the ends, or takes it away (-1). */
static void tally_ends(struct ring_join *join, struct ring_ends ends, double rings)
{
    const struct cs_ring_nodes *nodes = join->nodes;
    const struct join_routes *routes = join_routes_of(join, ends);

    if (!routes) {
        for (uint32_t first = 0; first < nodes->ranks; first += nodes->group)
            cs_ring_tally_add(&join->tally, join_step(nodes, ends, first), rings);
        return;
    }
    for (uint32_t i = 0; i < routes->ends[nodes->ranks / nodes->group - 1]; i++)
        join->tally.resource_s_per_byte[routes->hops[i].resource] +=
            rings * routes->hops[i].s_per_byte;
}

static uint32_t position_in(const uint32_t *local, uint32_t rank)
{
    uint32_t i = 0;

    while (local[i] != rank)
        i++;
    return i;
}

static const uint32_t *local_ring(const struct ring_join *join, uint32_t c)
{
    return &join->local.order[(size_t)(c % join->local.count) * join->nodes->group];
}

/* A candidate of ends and the load of the ends. */
struct join_choice {
    struct ring_ends ends;
    struct cs_route_load load;
};

static void join_consider(struct ring_join *join, struct ring_ends ends, struct join_choice *best)
{
    struct join_choice choice = {ends, load_of_ends(join, ends, best->load)};

    if (cs_route_load_less(choice.load, best->load))
        *best = choice;
}

/* The ends with the least busy routes between nodes, below the limit; else the
 * limit as the load: a cut of the local ring.
 * The search starts at rank c, so that rings with equal choices start at
 * different ranks.  Without wires in the node, and where every cut shares a
 * link or makes a detour, any two ranks are candidates. */
static struct join_choice least_busy(struct ring_join *join, uint32_t c, struct cs_route_load limit)
{
    const uint32_t *local = local_ring(join, c);
    uint32_t n = join->nodes->group;
    uint32_t from = position_in(local, c % n);
    struct join_choice best = {.load = limit};

    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = (from + i) % n;
        struct ring_ends cut = {local[place], local[cs_behind(place, 1, n)]};

        join_consider(join, cut, &best);
    }
    if (!join->local.any_order || !cs_route_load_less(join->alone, best.load))
        return best;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (i != j)
                join_consider(join, (struct ring_ends){i, j}, &best);
    return best;
}

/* Greedy placement, ring after ring. */
static void join_place_all(struct ring_join *join)
{
    join->alone = no_limit;
    for (uint32_t c = 0; c < join->count; c++) {
        struct join_choice choice = least_busy(join, c, no_limit);

        if (c == 0)
            join->alone = choice.load;
        join->ends[c] = choice.ends;
        tally_ends(join, choice.ends, 1);
    }
}

static void move_ring(struct ring_join *join, uint32_t c, struct ring_ends ends)
{
    tally_ends(join, join->ends[c], -1);
    join->ends[c] = ends;
    tally_ends(join, ends, 1);
}

/* The load of the routes of ring c with all other rings in place. */
static struct cs_route_load load_of_ring(struct ring_join *join, uint32_t c)
{
    struct cs_route_load load;

    tally_ends(join, join->ends[c], -1);
    load = load_of_ends(join, join->ends[c], no_limit);
    tally_ends(join, join->ends[c], 1);
    return load;
}

/* Moves ring c to better ends; true after a move. */
static bool replace_one(struct ring_join *join, uint32_t c)
{
    struct cs_route_load load;
    struct join_choice choice;

    tally_ends(join, join->ends[c], -1);
    load = load_of_ends(join, join->ends[c], no_limit);
    choice = least_busy(join, c, load);
    tally_ends(join, join->ends[c], 1);
    if (!cs_route_load_less(choice.load, load))
        return false;
    move_ring(join, c, choice.ends);
    return true;
}

/* Moves rings c and d if that lowers the load of the busiest link; undoes the
 * moves otherwise.  Two rings can free an adapter for each other where no
 * single move helps. */
static bool replace_two(struct ring_join *join, uint32_t c, uint32_t d)
{
    const struct cs_route_load limit = {load_of_ring(join, c).busiest_s, 0};
    struct ring_ends before[] = {join->ends[c], join->ends[d]};
    struct join_choice first, second;

    tally_ends(join, before[0], -1);
    tally_ends(join, before[1], -1);
    first = least_busy(join, c, limit);
    if (!cs_route_load_less(first.load, limit)) {
        tally_ends(join, before[0], 1);
        tally_ends(join, before[1], 1);
        return false;
    }
    join->ends[c] = first.ends;
    tally_ends(join, first.ends, 1);
    second = least_busy(join, d, limit);
    if (cs_route_load_less(second.load, limit)) {
        join->ends[d] = second.ends;
        tally_ends(join, second.ends, 1);
        return true;
    }
    tally_ends(join, before[1], 1);
    move_ring(join, c, before[0]);
    return false;
}

/* Moves ring c, if the ring shares links, together with a second ring.  On
 * large machines the pairs would take too long. */
static bool replace_with_another(struct ring_join *join, uint32_t c)
{
    const struct cs_ring_nodes *nodes = join->nodes;
    uint64_t work = (uint64_t)join->count * join->count * nodes->group;

    if (work * nodes->ranks > EXCHANGE_MAX ||
        load_of_ring(join, c).busiest_s <= join->alone.busiest_s * CS_RING_ROUNDING)
        return false;
    for (uint32_t d = 0; d < join->count && !cs_ring_nodes_stopped(nodes); d++)
        if (d != c && replace_two(join, c, d))
            return true;
    return false;
}

static void join_improve(struct ring_join *join)
{
    bool helps = true;

    for (uint32_t pass = 0; pass < PASSES_MAX && helps; pass++) {
        helps = false;
        for (uint32_t c = 0; c < join->count && !cs_ring_nodes_stopped(join->nodes); c++)
            helps |= replace_one(join, c) || replace_with_another(join, c);
    }
}

/* Every node in the order of the local ring from the entry on, with the exit
 * moved to the end: the exit need not be next to the entry (any_order). */
static void fill_order(const struct ring_join *join, uint32_t c, uint32_t *order)
{
    const uint32_t *local = local_ring(join, c);
    const uint32_t *rank = join->nodes->rank;
    struct ring_ends ends = join->ends[c];
    uint32_t n = join->nodes->group;
    uint32_t from = position_in(local, ends.entry);

    for (uint32_t first = 0; first < join->nodes->ranks; first += n) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t slot = local[cs_ahead(from, i, n)];

            if (slot != ends.exit)
                *order++ = rank[first + slot];
        }
        *order++ = rank[first + ends.exit];
    }
}

const struct cs_rings *cs_rings_join(const struct cs_ring_nodes *nodes, struct cs_node_rings local,
                                     uint32_t count, struct cs_arena *arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    size_t ranks = nodes->ranks;
    uint32_t *order = cs_arena_alloc(arena, count * ranks, sizeof(*order));
    struct ring_join join = {.nodes = nodes,
                             .arena = &scratch,
                             .local = local,
                             .count = count,
                             .ends = cs_arena_alloc(&scratch, count, sizeof(*join.ends)),
                             .tally = cs_ring_tally_new(nodes->net, &scratch)};

    if (nodes->group < nodes->ranks) {
        join_open_routes(&join);
        join_place_all(&join);
        join_improve(&join);
    } else { /* one node: the local rings as they are */
        for (uint32_t c = 0; c < count; c++)
            join.ends[c] =
                (struct ring_ends){local_ring(&join, c)[0], local_ring(&join, c)[ranks - 1]};
    }
    for (uint32_t c = 0; c < count; c++)
        fill_order(&join, c, &order[c * ranks]);
    return cs_rings_of_orders(nodes->net, nodes->ranks, count, order, arena);
}
