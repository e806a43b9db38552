#include "algorithms/rings.h"

#include "algorithms/pattern.h"
#include "algorithms/ring_search.h"

#include <math.h>
#include <string.h>

enum {
    UNITS_MAX = 8,   /* rates that are tried as that of a lane */
    STRIDES_MAX = 8, /* rings where any order serves */
    NO_LINK = UINT32_MAX
};

/* Rates come from divisions: lanes are whole within this. */
static const double rounding = 1 + 1e-9;

/* The ranks of one computer, or of all that are alike. */
struct crew {
    const struct cs_net *net;
    uint32_t ranks, group;
    double *rate_Bps; /* of the wire from a to b: [a * group + b]; 0: none */
    uint32_t *links;  /* room for a way */
};

/* ---- wires ---- */

/* The link that alone leads from a to b; software is no way. */
static uint32_t direct_link(const struct crew *crew, uint32_t a, uint32_t b)
{
    const struct cs_net *net = crew->net;
    uint32_t hops = net->route(net->route_ctx, a, b, crew->links);
    uint32_t i;

    for (i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, crew->links[i]);

        if (link.from == cs_net_party_at(net, a).node &&
            link.to == cs_net_party_at(net, b).node)
            return crew->links[i];
    }
    return NO_LINK;
}

/* 0 where there is no such wire, or both directions share it. */
static double direct_Bps(const struct crew *crew, uint32_t a, uint32_t b)
{
    uint32_t there = direct_link(crew, a, b);
    uint32_t back = direct_link(crew, b, a);
    struct cs_net_link link;

    if (there == NO_LINK)
        return 0;
    link = cs_net_link_at(crew->net, there);
    if (link.down || (back != NO_LINK &&
                      cs_net_link_at(crew->net, back).server == link.server))
        return 0;
    return link.rate_Bps;
}

/* The slowest such wire of all computers, if each has one. */
static double common_Bps(const struct crew *crew, uint32_t a, uint32_t b)
{
    double least_Bps = direct_Bps(crew, a, b);
    uint32_t first;

    for (first = crew->group; first < crew->ranks && least_Bps > 0;
         first += crew->group) {
        double rate_Bps = direct_Bps(crew, first + a, first + b);

        least_Bps = rate_Bps < least_Bps ? rate_Bps : least_Bps;
    }
    return least_Bps;
}

static void look_at_wires(const struct crew *crew)
{
    uint32_t n = crew->group;
    uint32_t a, b;

    for (a = 0; a < n; a++)
        for (b = 0; b < n; b++)
            if (a != b)
                crew->rate_Bps[(size_t)a * n + b] = common_Bps(crew, a, b);
}

/* ---- rings of one computer ---- */

/* The next faster wire; 0: there is none. */
static double next_unit(const struct crew *crew, double after_Bps)
{
    size_t pairs = (size_t)crew->group * crew->group;
    double next_Bps = 0;
    size_t i;

    for (i = 0; i < pairs; i++)
        if (crew->rate_Bps[i] > after_Bps * rounding &&
            (next_Bps <= 0 || crew->rate_Bps[i] < next_Bps))
            next_Bps = crew->rate_Bps[i];
    return next_Bps;
}

static uint32_t search(const struct crew *crew, double unit_Bps,
                       uint32_t *lanes, uint32_t *order)
{
    struct cs_ring_lanes wires = {crew->group, lanes};
    size_t pairs = (size_t)crew->group * crew->group;
    size_t i;

    for (i = 0; i < pairs; i++) {
        double width = crew->rate_Bps[i] / unit_Bps * rounding;

        lanes[i] = width < CS_RINGS_MAX ? (uint32_t)width : CS_RINGS_MAX;
    }
    return cs_ring_search(&wires, CS_RINGS_MAX, order);
}

/* Rings over wires, as many as there are; room for CS_RINGS_MAX. */
static uint32_t rings_of_wires(const struct crew *crew, uint32_t *order,
                               struct cs_arena *scratch)
{
    size_t n = crew->group;
    uint32_t *lanes = cs_arena_alloc(scratch, n * n, sizeof(*lanes));
    uint32_t *tried = cs_arena_alloc(scratch, CS_RINGS_MAX * n, sizeof(*tried));
    double unit_Bps = 0, best_Bps = 0;
    uint32_t best = 0;
    uint32_t i;

    for (i = 0; i < UNITS_MAX; i++) {
        uint32_t count;

        unit_Bps = next_unit(crew, unit_Bps);
        if (unit_Bps <= 0)
            break;
        count = search(crew, unit_Bps, lanes, tried);
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
struct step {
    uint32_t from, to;
};

struct tally {
    const struct cs_net *net;
    uint32_t *links;
    double *server_s_per_byte;
    double load_s_per_byte, slowest_Bps;
    bool direct;
};

/* Another ring goes that way.  Links without a rate are software's. */
static void tally_step(struct tally *tally, struct step step)
{
    const struct cs_net *net = tally->net;
    uint32_t hops =
        net->route(net->route_ctx, step.from, step.to, tally->links);
    uint32_t wires = 0;
    uint32_t i;

    for (i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, tally->links[i]);
        double *load_s = &tally->server_s_per_byte[link.server];

        *load_s += 1 / link.rate_Bps;
        if (*load_s > tally->load_s_per_byte)
            tally->load_s_per_byte = *load_s;
        if (link.rate_Bps < tally->slowest_Bps)
            tally->slowest_Bps = link.rate_Bps;
        wires += link.from != link.to;
    }
    tally->direct = tally->direct && wires == 1;
}

static struct tally new_tally(const struct cs_net *net,
                              struct cs_arena *scratch)
{
    return (struct tally){
        .net = net,
        .links = cs_arena_alloc(scratch, net->max_hops + 1, sizeof(uint32_t)),
        .server_s_per_byte =
            cs_arena_alloc(scratch, net->server_count, sizeof(double)),
        .slowest_Bps = 1e300,
        .direct = true,
    };
}

/* The busiest link on the way, if another ring took it. */
static double load_with(const struct tally *tally, struct step step)
{
    const struct cs_net *net = tally->net;
    uint32_t hops =
        net->route(net->route_ctx, step.from, step.to, tally->links);
    double most_s = 0;
    uint32_t i;

    for (i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, tally->links[i]);
        double load_s =
            tally->server_s_per_byte[link.server] + 1 / link.rate_Bps;

        most_s = load_s > most_s ? load_s : most_s;
    }
    return most_s;
}

/* ---- rings of all ---- */

/* A ring of one computer, and where it is cut. */
struct cut {
    const uint32_t *local;
    uint32_t place;
};

/* From the computer that begins with that rank to the next. */
static struct step step_of(const struct crew *crew, struct cut cut,
                           uint32_t first)
{
    uint32_t n = crew->group;
    uint32_t next = first + n < crew->ranks ? first + n : 0;

    return (struct step){first + cut.local[cs_behind(cut.place, 1, n)],
                         next + cut.local[cut.place]};
}

static double load_of_cut(const struct crew *crew, const struct tally *tally,
                          struct cut cut)
{
    double most_s = 0;
    uint32_t first;

    for (first = 0; first < crew->ranks; first += crew->group) {
        double load_s = load_with(tally, step_of(crew, cut, first));

        most_s = load_s > most_s ? load_s : most_s;
    }
    return most_s;
}

static uint32_t place_in(const uint32_t *local, uint32_t rank)
{
    uint32_t i = 0;

    while (local[i] != rank)
        i++;
    return i;
}

/* Cuts the ring where the ways to the next computers are the least busy; of
 * equal ones at the first from that to `rank` on. */
static uint32_t place_of_cut(const struct crew *crew, const uint32_t *local,
                             uint32_t rank, struct tally *tally)
{
    uint32_t from = place_in(local, rank);
    struct cut best = {local, from};
    double least_s = INFINITY;
    uint32_t first, i;

    for (i = 0; i < crew->group; i++) {
        struct cut cut = {local, (from + i) % crew->group};
        double load_s = load_of_cut(crew, tally, cut);

        if (load_s * rounding < least_s) {
            least_s = load_s;
            best = cut;
        }
    }
    for (first = 0; first < crew->ranks; first += crew->group)
        tally_step(tally, step_of(crew, best, first));
    return best.place;
}

static void join(const struct crew *crew, const uint32_t *local, uint32_t cut,
                 uint32_t *order)
{
    uint32_t i;

    for (i = 0; i < crew->ranks; i++) {
        uint32_t at = i % crew->group;

        order[i] = i - at + local[cs_ahead(cut, at, crew->group)];
    }
}

/* The rings of one computer. */
struct local {
    uint32_t *order;
    uint32_t count;
};

/* So many rings of all, which go round the local ones. */
static const struct cs_rings *join_all(const struct crew *crew,
                                       struct local local, uint32_t count,
                                       struct cs_arena *arena)
{
    struct cs_arena scratch = {0};
    struct tally tally = new_tally(crew->net, &scratch);
    uint32_t *order =
        cs_arena_alloc(arena, (size_t)count * crew->ranks, sizeof(*order));
    uint32_t n = crew->group;
    uint32_t c;

    for (c = 0; c < count; c++) {
        const uint32_t *ring = &local.order[(size_t)(c % local.count) * n];
        uint32_t cut =
            n < crew->ranks ? place_of_cut(crew, ring, c % n, &tally) : 0;

        join(crew, ring, cut, &order[(size_t)c * crew->ranks]);
    }
    cs_arena_free(&scratch);
    return cs_rings_of_orders(crew->net, crew->ranks, count, order, arena);
}

/* What all rings carry at once, in bytes per second. */
static double rate_of(const struct cs_rings *rings)
{
    return rings->count / rings->load_s_per_byte[rings->count - 1];
}

/* Twice as many rings where more adapters then carry more. */
static const struct cs_rings *join_best(const struct crew *crew,
                                        struct local local,
                                        struct cs_arena *arena)
{
    const struct cs_rings *rings = join_all(crew, local, local.count, arena);
    const struct cs_rings *more;

    while (crew->group < crew->ranks && 2 * rings->count <= CS_RINGS_MAX) {
        more = join_all(crew, local, 2 * rings->count, arena);
        if (rate_of(more) <= rate_of(rings) * rounding)
            break;
        rings = more;
    }
    return rings;
}

/* Do strides over all ranks carry more? */
static bool strides_are_better(const struct crew *crew,
                               const struct cs_rings *rings,
                               struct cs_arena *scratch)
{
    uint32_t *order = cs_arena_alloc(scratch, (size_t)STRIDES_MAX * crew->ranks,
                                     sizeof(*order));
    uint32_t count = rings_of_strides(crew->ranks, order);

    return rate_of(cs_rings_of_orders(crew->net, crew->ranks, count, order,
                                      scratch)) > rate_of(rings) * rounding;
}

static const struct cs_rings *rings_of_crew(const struct crew *crew,
                                            struct cs_arena *scratch,
                                            struct cs_arena *arena)
{
    uint32_t n = crew->group;
    struct local local = {
        cs_arena_alloc(scratch, (size_t)CS_RINGS_MAX * n, sizeof(uint32_t)), 0};
    const struct cs_rings *rings;

    look_at_wires(crew);
    local.count = rings_of_wires(crew, local.order, scratch);
    if (local.count)
        return join_best(crew, local, arena);
    if (n == crew->ranks)
        return NULL;
    local.count = rings_of_strides(n, local.order);
    rings = join_best(crew, local, arena);
    return strides_are_better(crew, rings, scratch) ? NULL : rings;
}

const struct cs_rings *cs_rings_of_machine(const struct cs_net *net,
                                           uint32_t ranks, uint32_t group,
                                           struct cs_arena *arena)
{
    struct cs_arena scratch = {0};
    struct crew crew = {net, ranks, group > 1 ? group : ranks, NULL, NULL};
    const struct cs_rings *rings;

    if (ranks > CS_RINGS_RANKS_MAX || crew.group > CS_RINGS_GROUP_MAX ||
        crew.group < 2)
        return NULL;
    crew.rate_Bps = cs_arena_alloc(&scratch, (size_t)crew.group * crew.group,
                                   sizeof(*crew.rate_Bps));
    crew.links =
        cs_arena_alloc(&scratch, net->max_hops + 1, sizeof(*crew.links));
    rings = rings_of_crew(&crew, &scratch, arena);
    cs_arena_free(&scratch);
    return rings;
}

/* ---- the table ---- */

static void tally_rings(struct cs_rings *rings, struct tally *tally,
                        struct cs_arena *arena)
{
    double *load = cs_arena_alloc(arena, rings->count, sizeof(*load));
    double *slowest = cs_arena_alloc(arena, rings->count, sizeof(*slowest));
    uint32_t c, i;

    for (c = 0; c < rings->count; c++) {
        const uint32_t *order = &rings->order[(size_t)c * rings->ranks];

        for (i = 0; i < rings->ranks; i++)
            tally_step(
                tally,
                (struct step){order[i], order[cs_ahead(i, 1, rings->ranks)]});
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
    struct tally tally = new_tally(net, &scratch);
    size_t i;

    for (i = 0; i < all; i++)
        place[i - i % ranks + order[i]] = (uint32_t)(i % ranks);
    *rings = (struct cs_rings){
        .ranks = ranks, .count = count, .order = order, .place = place};
    tally_rings(rings, &tally, arena);
    cs_arena_free(&scratch);
    return rings;
}

double cs_rings_crowd(const struct cs_rings *rings, uint32_t channels)
{
    uint32_t times = channels / rings->count;
    uint32_t rest = channels % rings->count;
    double load_s = times * rings->load_s_per_byte[rings->count - 1];
    uint32_t used = times ? rings->count : rest;

    if (rest)
        load_s += rings->load_s_per_byte[rest - 1];
    return load_s * rings->slowest_Bps[used - 1];
}
