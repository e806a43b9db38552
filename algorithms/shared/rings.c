#include "algorithms/shared/rings.h"

#include "algorithms/shared/pattern.h"
#include "algorithms/shared/ring_search.h"

#include <math.h>
#include <string.h>

enum {
    UNITS_MAX = 8,          /* rates that are tried as that of a lane */
    STRIDES_MAX = 8,        /* rings where any order serves */
    PASSES_MAX = 4,         /* over all rings, each placed anew */
    EXCHANGE_MAX = 1 << 20, /* routes of two rings, for all pairs of rings */
    PAIRS_MAX = 1 << 19,    /* pairs of ranks of all computers, for each ring */
    NO_LINK = UINT32_MAX
};

/* Rates come from divisions: lanes are whole within this. */
static const double rounding = 1 + 1e-9;

/* The ranks of one computer, or of all that are alike. */
struct members {
    const struct cs_net *net;
    uint32_t ranks, group;
    double *rate_Bps; /* of the wire from a to b: [a * group + b]; 0: none */
    uint32_t *links;  /* room for a way */
};

/* ---- wires ---- */

/* The link that alone leads from a to b; software is no way. */
static uint32_t direct_link(const struct members *members, uint32_t a,
                            uint32_t b)
{
    const struct cs_net *net = members->net;
    uint32_t hops = net->route(net->route_ctx, a, b, members->links);
    uint32_t i;

    for (i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, members->links[i]);

        if (link.from == cs_net_party_at(net, a).node &&
            link.to == cs_net_party_at(net, b).node)
            return members->links[i];
    }
    return NO_LINK;
}

/* 0 where there is no such wire, or both directions share it. */
static double direct_Bps(const struct members *members, uint32_t a, uint32_t b)
{
    uint32_t there = direct_link(members, a, b);
    uint32_t back = direct_link(members, b, a);
    struct cs_net_link link;

    if (there == NO_LINK)
        return 0;
    link = cs_net_link_at(members->net, there);
    if (link.down ||
        (back != NO_LINK &&
         cs_net_link_at(members->net, back).resource == link.resource))
        return 0;
    return link.rate_Bps;
}

/* The slowest such wire of all computers, if each has one. */
static double common_Bps(const struct members *members, uint32_t a, uint32_t b)
{
    double least_Bps = direct_Bps(members, a, b);
    uint32_t first;

    for (first = members->group; first < members->ranks && least_Bps > 0;
         first += members->group) {
        double rate_Bps = direct_Bps(members, first + a, first + b);

        least_Bps = rate_Bps < least_Bps ? rate_Bps : least_Bps;
    }
    return least_Bps;
}

static void look_at_wires(const struct members *members)
{
    uint32_t n = members->group;
    uint32_t a, b;

    for (a = 0; a < n; a++)
        for (b = 0; b < n; b++)
            if (a != b)
                members->rate_Bps[(size_t)a * n + b] =
                    common_Bps(members, a, b);
}

/* ---- rings of one computer ---- */

/* The next faster wire; 0: there is none. */
static double next_unit(const struct members *members, double after_Bps)
{
    size_t pairs = (size_t)members->group * members->group;
    double next_Bps = 0;
    size_t i;

    for (i = 0; i < pairs; i++)
        if (members->rate_Bps[i] > after_Bps * rounding &&
            (next_Bps <= 0 || members->rate_Bps[i] < next_Bps))
            next_Bps = members->rate_Bps[i];
    return next_Bps;
}

static uint32_t rings_search(const struct members *members, double unit_Bps,
                             uint32_t *lanes, uint32_t *order)
{
    struct cs_ring_lanes wires = {members->group, lanes};
    size_t pairs = (size_t)members->group * members->group;
    size_t i;

    for (i = 0; i < pairs; i++) {
        double width = members->rate_Bps[i] / unit_Bps * rounding;

        lanes[i] = width < CS_RINGS_MAX ? (uint32_t)width : CS_RINGS_MAX;
    }
    return cs_ring_search(&wires, CS_RINGS_MAX, order);
}

/* Rings over wires, as many as there are; room for CS_RINGS_MAX. */
static uint32_t rings_of_wires(const struct members *members, uint32_t *order,
                               struct cs_arena *scratch)
{
    size_t n = members->group;
    uint32_t *lanes = cs_arena_alloc(scratch, n * n, sizeof(*lanes));
    uint32_t *tried = cs_arena_alloc(scratch, CS_RINGS_MAX * n, sizeof(*tried));
    double unit_Bps = 0, best_Bps = 0;
    uint32_t best = 0;
    uint32_t i;

    for (i = 0; i < UNITS_MAX; i++) {
        uint32_t count;

        unit_Bps = next_unit(members, unit_Bps);
        if (unit_Bps <= 0)
            break;
        count = rings_search(members, unit_Bps, lanes, tried);
        if (count * unit_Bps <= best_Bps * rounding)
            continue;
        best = count;
        best_Bps = count * unit_Bps;
        memcpy(order, tried, count * n * sizeof(*order));
    }
    return best;
}

/* One for each rank to start at, in the way of strides. */
static uint32_t rings_of_strides(uint32_t n, uint32_t *order)
{
    uint32_t count = n < STRIDES_MAX ? n : STRIDES_MAX;
    uint32_t c, i;

    for (c = 0; c < count; c++) {
        uint64_t step = cs_stride_step(n, c);

        for (i = 0; i < n; i++)
            order[c * n + i] = (uint32_t)(i * step % n);
    }
    return count;
}

/* ---- how they share links ---- */

/* Of a ring. */
struct rings_step {
    uint32_t from, to;
};

struct rings_tally {
    const struct cs_net *net;
    uint32_t *links;
    double *server_s_per_byte;
    double load_s_per_byte, slowest_Bps;
    bool direct;
};

/* So many rings more go that way, or fewer.  Links without a rate are
 * software's. */
static void tally_step(struct rings_tally *tally, struct rings_step step,
                       double rings)
{
    const struct cs_net *net = tally->net;
    uint32_t hops =
        net->route(net->route_ctx, step.from, step.to, tally->links);
    uint32_t wires = 0;
    uint32_t i;

    for (i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, tally->links[i]);
        double *load_s = &tally->server_s_per_byte[link.resource];

        *load_s += rings / link.rate_Bps;
        if (*load_s > tally->load_s_per_byte)
            tally->load_s_per_byte = *load_s;
        if (link.rate_Bps < tally->slowest_Bps)
            tally->slowest_Bps = link.rate_Bps;
        wires += link.from != link.to;
    }
    tally->direct = tally->direct && wires == 1;
}

static struct rings_tally new_tally(const struct cs_net *net,
                                    struct cs_arena *scratch)
{
    return (struct rings_tally){
        .net = net,
        .links = cs_arena_alloc(scratch, net->max_hops + 1, sizeof(uint32_t)),
        .server_s_per_byte =
            cs_arena_alloc(scratch, net->resource_count, sizeof(double)),
        .slowest_Bps = 1e300,
        .direct = true,
    };
}

/* What another ring would find on a route: its busiest link then, and all of its
 * links together. */
struct route_load {
    double busiest_s, sum_s;
};

static struct route_load load_with(const struct rings_tally *tally,
                                   struct rings_step step)
{
    const struct cs_net *net = tally->net;
    uint32_t hops =
        net->route(net->route_ctx, step.from, step.to, tally->links);
    struct route_load load = {0};
    uint32_t i;

    for (i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, tally->links[i]);
        double load_s =
            tally->server_s_per_byte[link.resource] + 1 / link.rate_Bps;

        load.busiest_s = load_s > load.busiest_s ? load_s : load.busiest_s;
        load.sum_s += load_s;
    }
    return load;
}

/* ---- rings of all ---- */

/* The ranks of a node by which a ring comes in and leaves. */
struct rings_ends {
    uint32_t entry, exit;
};

/* The rings of one computer. */
struct local {
    uint32_t *order;
    uint32_t count;
    bool any_order; /* others would do as well */
};

/* So many rings of all, which go round the local ones. */
struct join {
    const struct members *members;
    struct local local;
    uint32_t count;
    struct rings_ends *ends; /* of each ring */
    struct rings_tally tally;
    struct route_load alone; /* what the first ring finds */
};

/* From the computer that begins with that rank to the next. */
static struct rings_step rings_step_of(const struct members *members,
                                       struct rings_ends ends, uint32_t first)
{
    uint32_t next =
        first + members->group < members->ranks ? first + members->group : 0;

    return (struct rings_step){first + ends.exit, next + ends.entry};
}

/* Of all computers' routes to the next. */
static struct route_load load_of_ends(const struct join *join,
                                      struct rings_ends ends)
{
    const struct members *members = join->members;
    struct route_load all = {0};
    uint32_t first;

    for (first = 0; first < members->ranks; first += members->group) {
        struct route_load load =
            load_with(&join->tally, rings_step_of(members, ends, first));

        if (load.busiest_s > all.busiest_s)
            all.busiest_s = load.busiest_s;
        all.sum_s += load.sum_s;
    }
    return all;
}

static bool is_less(struct route_load a, struct route_load b)
{
    return a.busiest_s * rounding < b.busiest_s ||
           (a.busiest_s < b.busiest_s * rounding &&
            a.sum_s * rounding < b.sum_s);
}

static void tally_ends(struct join *join, struct rings_ends ends, double rings)
{
    const struct members *members = join->members;
    uint32_t first;

    for (first = 0; first < members->ranks; first += members->group)
        tally_step(&join->tally, rings_step_of(members, ends, first), rings);
}

static uint32_t place_in(const uint32_t *local, uint32_t rank)
{
    uint32_t i = 0;

    while (local[i] != rank)
        i++;
    return i;
}

static const uint32_t *local_ring(const struct join *join, uint32_t c)
{
    return &join->local
                .order[(size_t)(c % join->local.count) * join->members->group];
}

/* Where a ring may come in and leave, and what that loads. */
struct rings_choice {
    struct rings_ends ends;
    struct route_load load;
};

static void rings_consider(const struct join *join, struct rings_ends ends,
                           struct rings_choice *best)
{
    struct rings_choice choice = {ends, load_of_ends(join, ends)};

    if (is_less(choice.load, best->load))
        *best = choice;
}

/* Where the routes to the next computers are the least busy: a cut of the local
 * ring, of equal ones the first from that to rank c on; where any order serves
 * and no cut has links of its own, or only by detours, any two ranks. */
static struct rings_choice least_busy(const struct join *join, uint32_t c)
{
    const uint32_t *local = local_ring(join, c);
    uint32_t n = join->members->group;
    uint32_t from = place_in(local, c % n);
    struct rings_choice best = {.load = {(double)INFINITY, 0}};
    uint32_t i, j;

    for (i = 0; i < n; i++) {
        uint32_t place = (from + i) % n;
        struct rings_ends cut = {local[place], local[cs_behind(place, 1, n)]};

        rings_consider(join, cut, &best);
    }
    if (!join->local.any_order || !is_less(join->alone, best.load))
        return best;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            if (i != j)
                rings_consider(join, (struct rings_ends){i, j}, &best);
    return best;
}

/* Places one ring after the other. */
static void rings_place_all(struct join *join)
{
    uint32_t c;

    join->alone = (struct route_load){(double)INFINITY, 0};
    for (c = 0; c < join->count; c++) {
        struct rings_choice choice = least_busy(join, c);

        if (c == 0)
            join->alone = choice.load;
        join->ends[c] = choice.ends;
        tally_ends(join, choice.ends, 1);
    }
}

static void move_ring(struct join *join, uint32_t c, struct rings_ends ends)
{
    tally_ends(join, join->ends[c], -1);
    join->ends[c] = ends;
    tally_ends(join, ends, 1);
}

/* What ring c finds among all others. */
static struct route_load load_of_ring(struct join *join, uint32_t c)
{
    struct route_load load;

    tally_ends(join, join->ends[c], -1);
    load = load_of_ends(join, join->ends[c]);
    tally_ends(join, join->ends[c], 1);
    return load;
}

/* Places ring c anew; does that help? */
static bool place_one(struct join *join, uint32_t c)
{
    struct route_load load;
    struct rings_choice choice;

    tally_ends(join, join->ends[c], -1);
    load = load_of_ends(join, join->ends[c]);
    choice = least_busy(join, c);
    tally_ends(join, join->ends[c], 1);
    if (!is_less(choice.load, load))
        return false;
    move_ring(join, c, choice.ends);
    return true;
}

/* Places ring c and then ring d anew; does that help the busiest? */
static bool place_two(struct join *join, uint32_t c, uint32_t d)
{
    double busiest_s = load_of_ring(join, c).busiest_s;
    struct rings_ends before[] = {join->ends[c], join->ends[d]};
    struct rings_choice first, second;

    tally_ends(join, before[0], -1);
    tally_ends(join, before[1], -1);
    first = least_busy(join, c);
    join->ends[c] = first.ends;
    tally_ends(join, first.ends, 1);
    second = least_busy(join, d);
    join->ends[d] = second.ends;
    tally_ends(join, second.ends, 1);
    if (first.load.busiest_s * rounding < busiest_s &&
        second.load.busiest_s * rounding < busiest_s)
        return true;
    move_ring(join, c, before[0]);
    move_ring(join, d, before[1]);
    return false;
}

/* A ring that shares links, and one other. */
static bool place_with_another(struct join *join, uint32_t c)
{
    const struct members *members = join->members;
    uint64_t work = (uint64_t)join->count * join->count * members->group;
    uint32_t d;

    if (work * members->ranks > EXCHANGE_MAX ||
        load_of_ring(join, c).busiest_s <= join->alone.busiest_s * rounding)
        return false;
    for (d = 0; d < join->count; d++)
        if (d != c && place_two(join, c, d))
            return true;
    return false;
}

/* Places rings anew, among all others, while that helps one. */
static void place_again(struct join *join)
{
    bool helps = true;
    uint32_t pass, c;

    for (pass = 0; pass < PASSES_MAX && helps; pass++) {
        helps = false;
        for (c = 0; c < join->count; c++)
            helps |= place_one(join, c) || place_with_another(join, c);
    }
}

/* In all computers as in the local ring from the entry on, but the exit last. */
static void fill_order(const struct join *join, uint32_t c, uint32_t *order)
{
    const uint32_t *local = local_ring(join, c);
    struct rings_ends ends = join->ends[c];
    uint32_t n = join->members->group;
    uint32_t from = place_in(local, ends.entry);
    uint32_t first, i;

    for (first = 0; first < join->members->ranks; first += n) {
        for (i = 0; i < n; i++) {
            uint32_t rank = local[cs_ahead(from, i, n)];

            if (rank != ends.exit)
                *order++ = first + rank;
        }
        *order++ = first + ends.exit;
    }
}

static const struct cs_rings *rings_join_all(const struct members *members,
                                             struct local local, uint32_t count,
                                             struct cs_arena *arena)
{
    struct cs_arena scratch = {0};
    size_t ranks = members->ranks;
    uint32_t *order = cs_arena_alloc(arena, count * ranks, sizeof(*order));
    struct join join = {.members = members,
                        .local = local,
                        .count = count,
                        .ends =
                            cs_arena_alloc(&scratch, count, sizeof(*join.ends)),
                        .tally = new_tally(members->net, &scratch)};
    uint32_t c;

    if (members->group < members->ranks) {
        rings_place_all(&join);
        place_again(&join);
    } else {
        for (c = 0; c < count; c++)
            join.ends[c] = (struct rings_ends){local_ring(&join, c)[0],
                                               local_ring(&join, c)[ranks - 1]};
    }
    for (c = 0; c < count; c++)
        fill_order(&join, c, &order[c * ranks]);
    cs_arena_free(&scratch);
    return cs_rings_of_orders(members->net, members->ranks, count, order,
                              arena);
}

/* What all rings carry at once, in bytes per second. */
static double rings_rate_of(const struct cs_rings *rings)
{
    return rings->count / rings->load_s_per_byte[rings->count - 1];
}

/* Keeps what carries more. */
static void keep_better(const struct members *members, struct local local,
                        uint32_t count, struct cs_arena *arena,
                        const struct cs_rings **best)
{
    const struct cs_rings *rings = rings_join_all(members, local, count, arena);

    if (rings_rate_of(rings) > rings_rate_of(*best) * rounding)
        *best = rings;
}

/* What the slowest links of the routes out of the first computer carry together,
 * each counted once: rings carry no more by them. */
static double most_out(const struct members *members, struct cs_arena *scratch)
{
    const struct cs_net *net = members->net;
    bool *seen = cs_arena_alloc(scratch, net->resource_count, sizeof(*seen));
    double sum_Bps = 0;
    uint32_t i, k;

    for (i = 0; i < members->group; i++) {
        uint32_t hops =
            net->route(net->route_ctx, i, members->group + i, members->links);
        struct cs_net_link slowest = {.rate_Bps = (double)INFINITY};

        for (k = 0; k < hops; k++) {
            struct cs_net_link link = cs_net_link_at(net, members->links[k]);

            if (link.rate_Bps < slowest.rate_Bps)
                slowest = link;
        }
        if (hops && !seen[slowest.resource])
            sum_Bps += slowest.rate_Bps;
        seen[slowest.resource] = true;
    }
    return sum_Bps;
}

/* As many rings as carry the most: as the local ones or, where more adapters
 * then carry more, twice as many and again; else any number up to twice as many,
 * as adapters may be lost or slow, and where any order serves with any ends. */
static const struct cs_rings *join_best(const struct members *members,
                                        struct local local,
                                        struct cs_arena *arena)
{
    struct local cut = {local.order, local.count, false};
    const struct cs_rings *rings =
        rings_join_all(members, cut, cut.count, arena);
    uint32_t count = local.count;
    struct cs_arena scratch = {0};
    double most_Bps;

    if (members->group == members->ranks)
        return rings;
    while (count == rings->count && 2 * count <= CS_RINGS_MAX) {
        count *= 2;
        keep_better(members, cut, count, arena, &rings);
    }
    most_Bps = most_out(members, &scratch);
    cs_arena_free(&scratch);
    for (count = 1; count <= 2 * local.count && count <= CS_RINGS_MAX &&
                    rings_rate_of(rings) * rounding < most_Bps;
         count++) {
        if (local.any_order)
            keep_better(members, local, count, arena, &rings);
        keep_better(members, cut, count, arena, &rings);
    }
    return rings;
}

/* Do strides over all ranks carry more? */
static bool strides_are_better(const struct members *members,
                               const struct cs_rings *rings,
                               struct cs_arena *scratch)
{
    uint32_t *order = cs_arena_alloc(
        scratch, (size_t)STRIDES_MAX * members->ranks, sizeof(*order));
    uint32_t count = rings_of_strides(members->ranks, order);

    return rings_rate_of(cs_rings_of_orders(members->net, members->ranks, count,
                                            order, scratch)) >
           rings_rate_of(rings) * rounding;
}

static const struct cs_rings *rings_of_members(const struct members *members,
                                               struct cs_arena *scratch,
                                               struct cs_arena *arena)
{
    uint32_t n = members->group;
    struct local local = {
        cs_arena_alloc(scratch, (size_t)CS_RINGS_MAX * n, sizeof(uint32_t)), 0,
        false};
    const struct cs_rings *rings;

    look_at_wires(members);
    local.count = rings_of_wires(members, local.order, scratch);
    if (local.count)
        return join_best(members, local, arena);
    if (n == members->ranks)
        return NULL;
    local.count = rings_of_strides(n, local.order);
    local.any_order = (uint64_t)n * members->ranks * local.count <= PAIRS_MAX;
    rings = join_best(members, local, arena);
    return strides_are_better(members, rings, scratch) ? NULL : rings;
}

const struct cs_rings *cs_rings_of_machine(const struct cs_net *net,
                                           uint32_t ranks, uint32_t group,
                                           struct cs_arena *arena)
{
    struct cs_arena scratch = {0};
    struct members members = {net, ranks, group > 1 ? group : ranks, NULL,
                              NULL};
    const struct cs_rings *rings;

    if (ranks > CS_RINGS_RANKS_MAX || members.group > CS_RINGS_GROUP_MAX ||
        members.group < 2)
        return NULL;
    members.rate_Bps =
        cs_arena_alloc(&scratch, (size_t)members.group * members.group,
                       sizeof(*members.rate_Bps));
    members.links =
        cs_arena_alloc(&scratch, net->max_hops + 1, sizeof(*members.links));
    rings = rings_of_members(&members, &scratch, arena);
    cs_arena_free(&scratch);
    return rings;
}

/* ---- the table ---- */

static void tally_rings(struct cs_rings *rings, struct rings_tally *tally,
                        struct cs_arena *arena)
{
    double *load = cs_arena_alloc(arena, rings->count, sizeof(*load));
    double *slowest = cs_arena_alloc(arena, rings->count, sizeof(*slowest));
    uint32_t c, i;

    for (c = 0; c < rings->count; c++) {
        const uint32_t *order = &rings->order[(size_t)c * rings->ranks];

        for (i = 0; i < rings->ranks; i++)
            tally_step(tally,
                       (struct rings_step){order[i],
                                           order[cs_ahead(i, 1, rings->ranks)]},
                       1);
        load[c] = tally->load_s_per_byte;
        slowest[c] = tally->slowest_Bps;
    }
    rings->load_s_per_byte = load;
    rings->slowest_Bps = slowest;
    rings->direct = tally->direct;
}

const struct cs_rings *cs_rings_of_orders(const struct cs_net *net,
                                          uint32_t ranks, uint32_t count,
                                          const uint32_t *order,
                                          struct cs_arena *arena)
{
    struct cs_arena scratch = {0};
    struct cs_rings *rings = cs_arena_alloc(arena, 1, sizeof(*rings));
    size_t all = (size_t)count * ranks;
    uint32_t *place = cs_arena_alloc(arena, all, sizeof(*place));
    struct rings_tally tally = new_tally(net, &scratch);
    size_t i;

    for (i = 0; i < all; i++)
        place[i - i % ranks + order[i]] = (uint32_t)(i % ranks);
    *rings = (struct cs_rings){
        .ranks = ranks, .count = count, .order = order, .place = place};
    tally_rings(rings, &tally, arena);
    cs_arena_free(&scratch);
    return rings;
}

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
