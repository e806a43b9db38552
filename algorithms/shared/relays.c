#include "algorithms/shared/relays.h"

#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SQUARINGS_MIN = 3, /* powers of the load: 8 to 64 */
    SQUARINGS_MAX = 6,
    SHARES = 512, /* of the blocks of a rank, at least; 2^n, so that 2^n bytes divide */
    SPLIT_MIN = 4,
    SPLIT_MAX = 64,
};

/* The search ends where no routing is faster by more. */
static const double close_to_bound = 0.995;
/* A pass that gains less is followed by one with a higher power. */
static const double small_gain = 0.998;
/* The price of a resource without load, of that of the busiest: longer paths are not free. */
static const double idle_price = 1e-3;

/* The search: routes of all pairs, and the load of each resource. */
struct relay_search {
    const struct cs_net *net;
    enum cs_relays_kind kind;
    uint32_t ranks, split;
    struct relay_route *routes; /* of (s, d) at s ranks + d */
    uint32_t *resources;        /* of all routes */
    double *s_per_byte;         /* beside `resources` */
    double *load_s;             /* by resource, for one byte of each block */
    double *price;              /* by resource, of a second */
    double *cost;               /* by route, of a share */
    double *distance;           /* by rank, while a tree grows */
    bool *grown;                /* the same */
    uint32_t *trees; /* share i of rank s: at (s split + i) ranks the rank before each other one */
    uint32_t squarings;
    double scale_s; /* the greatest load, so that powers stay in range */
};

struct relay_route {
    uint32_t first, hops; /* in `resources` */
    bool wire;            /* a single wire */
    bool down;
};

static struct relay_route *relay_route_of(const struct relay_search *search, uint32_t from,
                                          uint32_t to)
{
    return &search->routes[from * search->ranks + to];
}

static uint32_t *relay_tree(const struct relay_search *search, uint32_t source, uint32_t share)
{
    return &search->trees[((size_t)source * search->split + share) * search->ranks];
}

/* ---- loads ---- */

static void relay_add_route(struct relay_search *search, uint32_t from, uint32_t to, uint32_t *used)
{
    const struct cs_net *net = search->net;
    struct relay_route *route = relay_route_of(search, from, to);
    uint32_t *links = &search->resources[*used];
    uint32_t wires = 0;

    route->first = *used;
    route->hops = net->route(net->route_ctx, from, to, links);
    for (uint32_t i = 0; i < route->hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, links[i]);

        wires += link.from != link.to;
        route->down = route->down || link.down;
        search->s_per_byte[*used + i] = 1 / link.rate_Bps;
        links[i] = link.resource;
    }
    route->wire = wires == 1;
    *used += route->hops;
}

static void relay_add_load(struct relay_search *search, uint32_t from, uint32_t to, double bytes)
{
    const struct relay_route *route = relay_route_of(search, from, to);

    for (uint32_t i = route->first; i < route->first + route->hops; i++)
        search->load_s[search->resources[i]] += bytes * search->s_per_byte[i];
}

/* Adds (or with negative bytes removes) a share of all blocks of a rank. */
static void relay_add_tree(struct relay_search *search, uint32_t source, const uint32_t *tree,
                           double bytes)
{
    for (uint32_t to = 0; to < search->ranks; to++)
        for (uint32_t at = to; at != source; at = tree[at])
            relay_add_load(search, tree[at], at, bytes);
}

static double relay_busiest_s(const struct relay_search *search)
{
    double busiest_s = 0;

    for (uint32_t i = 0; i < search->net->resource_count; i++)
        if (search->load_s[i] > busiest_s)
            busiest_s = search->load_s[i];
    return busiest_s;
}

/* The loads of all trees; the greatest. */
static double relay_load(struct relay_search *search)
{
    memset(search->load_s, 0, search->net->resource_count * sizeof(*search->load_s));
    for (uint32_t source = 0; source < search->ranks; source++)
        for (uint32_t i = 0; i < search->split; i++)
            relay_add_tree(search, source, relay_tree(search, source, i), 1.0 / search->split);
    return relay_busiest_s(search);
}

/* ---- prices ---- */

/* The derivative of a power of the load. */
static void relay_set_prices(struct relay_search *search)
{
    for (uint32_t r = 0; r < search->net->resource_count; r++) {
        double x = search->load_s[r] / search->scale_s, power = x;

        for (uint32_t i = 0; i < search->squarings; i++)
            power *= power;
        search->price[r] = (x > 0 ? power / x : 0) + idle_price;
    }
}

static void relay_set_costs(struct relay_search *search)
{
    for (uint32_t n = 0; n < search->ranks * search->ranks; n++) {
        const struct relay_route *route = &search->routes[n];
        double cost = route->down ? INFINITY : 0;

        for (uint32_t i = route->first; i < route->first + route->hops; i++)
            cost += search->price[search->resources[i]] * search->s_per_byte[i];
        search->cost[n] = cost;
    }
}

/* ---- trees ---- */

/* Whether a path from the source may pass `at` and go on to another rank. */
static bool relay_goes_on(const struct relay_search *search, uint32_t source, const uint32_t *tree,
                          uint32_t at)
{
    return search->kind == CS_RELAYS_ANY || at == source ||
           (tree[at] == source && relay_route_of(search, source, at)->wire);
}

/* The rank that is nearest of those outside of the tree; `ranks`: none. */
static uint32_t relay_nearest(const struct relay_search *search)
{
    uint32_t nearest = search->ranks;

    for (uint32_t r = 0; r < search->ranks; r++)
        if (!search->grown[r] &&
            (nearest == search->ranks || search->distance[r] < search->distance[nearest]))
            nearest = r;
    return nearest;
}

/* Shortest paths by the prices (Dijkstra, Numerische Mathematik 1, 1959). */
static void relay_grow(struct relay_search *search, uint32_t source, uint32_t *tree)
{
    for (uint32_t r = 0; r < search->ranks; r++) {
        search->distance[r] = r == source ? 0 : search->cost[source * search->ranks + r];
        search->grown[r] = r == source;
        tree[r] = source;
    }
    for (uint32_t at; (at = relay_nearest(search)) < search->ranks;) {
        search->grown[at] = true;
        if (!relay_goes_on(search, source, tree, at))
            continue;
        for (uint32_t r = 0; r < search->ranks; r++) {
            double distance = search->distance[at] + search->cost[at * search->ranks + r];

            if (search->grown[r] || distance >= search->distance[r] ||
                (search->kind == CS_RELAYS_ONE && !relay_route_of(search, at, r)->wire))
                continue;
            search->distance[r] = distance;
            tree[r] = at;
        }
    }
}

/* Prices of resources bound the load of every routing: the distances of all pairs, by the
 * prices of all resources. */
static double relay_bound_s(struct relay_search *search)
{
    double prices = 0, distances = 0;
    uint32_t *tree = &search->trees[(size_t)search->ranks * search->split * search->ranks];

    search->scale_s = relay_busiest_s(search);
    relay_set_prices(search);
    relay_set_costs(search);
    for (uint32_t r = 0; r < search->net->resource_count; r++)
        prices += search->price[r];
    for (uint32_t source = 0; source < search->ranks; source++) {
        relay_grow(search, source, tree);
        for (uint32_t r = 0; r < search->ranks; r++)
            distances += search->distance[r];
    }
    return distances / prices;
}

/* Every share anew, of every rank in turn. */
static void relay_pass(struct relay_search *search)
{
    double bytes = 1.0 / search->split;

    for (uint32_t i = 0; i < search->split; i++)
        for (uint32_t source = 0; source < search->ranks; source++) {
            uint32_t *tree = relay_tree(search, source, i);

            relay_add_tree(search, source, tree, -bytes);
            relay_set_prices(search);
            relay_set_costs(search);
            relay_grow(search, source, tree);
            relay_add_tree(search, source, tree, bytes);
        }
}

/* Passes with one power while they gain, then with the next. */
static void relay_improve(struct relay_search *search, struct cs_relays *relays,
                          struct cs_arena *arena)
{
    size_t size = (size_t)search->ranks * search->ranks * search->split;
    uint32_t *best = cs_arena_copy(arena, search->trees, size, sizeof(*best));
    double best_s = relay_busiest_s(search), bound_s;

    /* Of the own routes: where these are the best, prices of a high power say so. */
    search->squarings = SQUARINGS_MAX;
    bound_s = relay_bound_s(search);
    search->squarings = SQUARINGS_MIN;
    while (search->squarings <= SQUARINGS_MAX && bound_s < close_to_bound * best_s) {
        double busiest_s;

        relay_pass(search);
        busiest_s = relay_busiest_s(search);
        bound_s = fmax(bound_s, relay_bound_s(search));
        if (busiest_s > small_gain * best_s)
            search->squarings++;
        if (busiest_s >= best_s)
            continue;
        best_s = busiest_s;
        memcpy(best, search->trees, size * sizeof(*best));
    }
    memcpy(search->trees, best, size * sizeof(*best));
    relays->busiest_s_per_byte = relay_load(search);
    relays->least_s_per_byte = bound_s;
}

static void relay_allocate(struct relay_search *search, struct cs_arena *arena)
{
    size_t pairs = (size_t)search->ranks * search->ranks;
    size_t hops = pairs * search->net->max_hops + 1;

    search->routes = cs_arena_alloc(arena, pairs, sizeof(*search->routes));
    search->resources = cs_arena_alloc(arena, hops, sizeof(uint32_t));
    search->s_per_byte = cs_arena_alloc(arena, hops, sizeof(double));
    search->load_s = cs_arena_alloc(arena, search->net->resource_count, sizeof(double));
    search->price = cs_arena_alloc(arena, search->net->resource_count, sizeof(double));
    search->cost = cs_arena_alloc(arena, pairs, sizeof(double));
    search->distance = cs_arena_alloc(arena, search->ranks, sizeof(double));
    search->grown = cs_arena_alloc(arena, search->ranks, sizeof(bool));
    /* One more, for the bound. */
    search->trees =
        cs_arena_alloc(arena, pairs * search->split + search->ranks, sizeof(*search->trees));
}

/* All blocks on their own routes; the load of these. */
static double relay_open(struct relay_search *search)
{
    uint32_t used = 0;

    for (uint32_t from = 0; from < search->ranks; from++)
        for (uint32_t to = 0; to < search->ranks; to++)
            if (to != from)
                relay_add_route(search, from, to, &used);
    for (uint32_t tree = 0; tree < search->ranks * search->split; tree++)
        for (uint32_t to = 0; to < search->ranks; to++)
            search->trees[tree * search->ranks + to] = tree / search->split;
    return relay_load(search);
}

/* ---- the table ---- */

struct relay_table {
    struct relay_search *search;
    struct cs_relays *relays;
    double most_s; /* the load that a resource may have */
    struct cs_relay_hop *hops;
    uint32_t *levels; /* of the hops */
    size_t count;
    uint32_t *slots; /* by rank */
};

/* The order of two shares of a block: shares of one path stand side by side. */
static int relay_order(const struct relay_search *search, const struct cs_relay_hop *block,
                       uint32_t a, uint32_t b)
{
    const uint32_t *one = relay_tree(search, block->source, a);
    const uint32_t *other = relay_tree(search, block->source, b);
    uint32_t at = block->destination;

    while (at != block->source && one[at] == other[at])
        at = one[at];
    return at == block->source ? 0 : cs_order(one[at], other[at]);
}

/* The hops of shares with one path, which is that of a tree, from the last one back. */
static void relay_add_path(struct relay_table *table, struct cs_relay_hop hop, const uint32_t *tree)
{
    uint32_t level = 0;

    for (uint32_t at = hop.destination; at != hop.source; at = tree[at])
        level++;
    if (level > table->relays->levels)
        table->relays->levels = level;
    hop.from_slot = CS_RELAYS_NO_SLOT;
    for (uint32_t at = hop.destination; at != hop.source; at = tree[at]) {
        hop.to = at;
        hop.from = tree[at];
        hop.to_slot = hop.from_slot;
        hop.from_slot = CS_RELAYS_NO_SLOT;
        if (hop.from != hop.source) {
            hop.from_slot = table->slots[hop.from];
            table->slots[hop.from] += hop.count;
        }
        table->hops[table->count] = hop;
        table->levels[table->count++] = --level;
    }
}

/* Room for the paths of one more block. */
static void relay_make_room(struct relay_table *table)
{
    size_t most = table->count + (size_t)table->search->split * table->search->ranks;

    table->hops = cs_grow(table->hops, most, sizeof(*table->hops));
    table->levels = cs_grow(table->levels, most, sizeof(*table->levels));
}

/* Shares of one path side by side. */
static void relay_sort(const struct relay_search *search, const struct cs_relay_hop *block,
                       uint32_t *trees)
{
    for (uint32_t i = 1; i < search->split; i++) {
        uint32_t tree = trees[i];
        uint32_t at = i;

        for (; at > 0 && relay_order(search, block, tree, trees[at - 1]) < 0; at--)
            trees[at] = trees[at - 1];
        trees[at] = tree;
    }
}

/* The shares from number `first` on that have one path. */
static uint32_t relay_run(const struct relay_search *search, const struct cs_relay_hop *block,
                          const uint32_t *trees, uint32_t first)
{
    uint32_t count = 1;

    while (first + count < search->split &&
           relay_order(search, block, trees[first], trees[first + count]) == 0)
        count++;
    return count;
}

/* Loads of shares of one block along a path. */
static void relay_add_shares(struct relay_search *search, const struct cs_relay_hop *block,
                             uint32_t share, double count)
{
    const uint32_t *tree = relay_tree(search, block->source, share);

    for (uint32_t at = block->destination; at != block->source; at = tree[at])
        relay_add_load(search, tree[at], at, count / search->split);
}

/* The load of the busiest resource of a path. */
static double relay_path_s(const struct relay_search *search, const struct cs_relay_hop *block,
                           uint32_t share)
{
    const uint32_t *tree = relay_tree(search, block->source, share);
    double busiest_s = 0;

    for (uint32_t at = block->destination; at != block->source; at = tree[at]) {
        const struct relay_route *route = relay_route_of(search, tree[at], at);

        for (uint32_t i = route->first; i < route->first + route->hops; i++)
            busiest_s = fmax(busiest_s, search->load_s[search->resources[i]]);
    }
    return busiest_s;
}

/* Moves `count` shares from the path of one tree to that of another, unless a resource
 * would be too busy. */
static bool relay_move(const struct relay_table *table, const struct cs_relay_hop *block,
                       uint32_t from, uint32_t to)
{
    relay_add_shares(table->search, block, from, -(double)block->count);
    relay_add_shares(table->search, block, to, block->count);
    if (relay_path_s(table->search, block, to) <= table->most_s)
        return true;
    relay_add_shares(table->search, block, to, -(double)block->count);
    relay_add_shares(table->search, block, from, block->count);
    return false;
}

/* Few paths make few messages: shares of a path join those of the first other path of the
 * block that has room. */
static void relay_join(const struct relay_table *table, struct cs_relay_hop block, uint32_t *trees)
{
    const struct relay_search *search = table->search;

    for (; block.first < search->split; block.first += block.count) {
        block.count = relay_run(search, &block, trees, block.first);
        for (uint32_t i = 0; i < search->split; i += relay_run(search, &block, trees, i)) {
            if (i == block.first || !relay_move(table, &block, trees[block.first], trees[i]))
                continue;
            for (uint32_t j = 0; j < block.count; j++)
                trees[block.first + j] = trees[i];
            break;
        }
    }
}

static void relay_add_block(struct relay_table *table, uint32_t source, uint32_t destination)
{
    struct relay_search *search = table->search;
    struct cs_relay_hop block = {.source = source, .destination = destination};
    uint32_t trees[SPLIT_MAX] = {0};

    for (uint32_t i = 0; i < search->split; i++)
        trees[i] = i;
    relay_sort(search, &block, trees);
    relay_join(table, block, trees);
    relay_sort(search, &block, trees);
    relay_make_room(table);
    for (; block.first < search->split; block.first += block.count) {
        block.count = relay_run(search, &block, trees, block.first);
        relay_add_path(table, block, relay_tree(search, source, trees[block.first]));
    }
}

/* Lists hops by level and rank. */
static void relay_list(const struct relay_table *table, struct cs_arena *arena)
{
    struct cs_relays *relays = table->relays;
    size_t lists = (size_t)relays->levels * relays->ranks;
    uint32_t *first = cs_arena_alloc(arena, lists + 2, sizeof(*first));
    uint32_t *listed = cs_arena_alloc(arena, 2 * table->count, sizeof(*listed));

    for (size_t i = 0; i < table->count; i++) {
        first[table->levels[i] * relays->ranks + table->hops[i].from + 2]++;
        first[table->levels[i] * relays->ranks + table->hops[i].to + 2]++;
    }
    for (size_t i = 2; i < lists + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < table->count; i++) {
        listed[first[table->levels[i] * relays->ranks + table->hops[i].from + 1]++] = (uint32_t)i;
        listed[first[table->levels[i] * relays->ranks + table->hops[i].to + 1]++] = (uint32_t)i;
    }
    relays->hops = cs_arena_copy(arena, table->hops, table->count, sizeof(*table->hops));
    relays->hop_count = (uint32_t)table->count;
    relays->first = first;
    relays->listed = listed;
}

static void relay_tabulate(struct relay_search *search, struct cs_relays *relays,
                           struct cs_arena *arena)
{
    struct relay_table table = {.search = search, .relays = relays};
    uint32_t p = relays->ranks;

    table.most_s = relays->busiest_s_per_byte * (2 - close_to_bound);
    table.slots = cs_arena_alloc(arena, p, sizeof(*table.slots));
    for (uint32_t step = 1; step < p; step++)
        for (uint32_t from = 0; from < p; from++)
            relay_add_block(&table, from, from + step < p ? from + step : from + step - p);
    for (uint32_t r = 0; r < p; r++)
        if (table.slots[r] > relays->slots)
            relays->slots = table.slots[r];
    relay_list(&table, arena);
    free(table.hops);
    free(table.levels);
}

const struct cs_relays *cs_relays_of_machine(const struct cs_net *net, uint32_t ranks,
                                             enum cs_relays_kind kind, struct cs_arena *arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct relay_search search = {
        .net = net, .kind = kind, .ranks = ranks, .split = SPLIT_MIN, .squarings = SQUARINGS_MIN};
    struct cs_relays relays = {.ranks = ranks};
    double own_s;

    if (ranks < 3 || ranks > (kind == CS_RELAYS_ONE ? CS_RELAYS_ONE_MAX : CS_RELAYS_ANY_MAX))
        return NULL;
    while (search.split < SPLIT_MAX && search.split * ranks < SHARES)
        search.split *= 2;
    relay_allocate(&search, &scratch);
    own_s = relay_open(&search);
    relay_improve(&search, &relays, &scratch);
    if (kind == CS_RELAYS_ONE && relays.busiest_s_per_byte > own_s * (1 - 1e-6))
        return NULL;
    relays.split = search.split;
    relay_tabulate(&search, &relays, arena);
    return cs_arena_copy(arena, &relays, 1, sizeof(relays));
}
