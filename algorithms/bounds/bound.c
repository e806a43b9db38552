#include "algorithms/bounds/bound.h"

#include "algorithms/bounds/islands.h"
#include "algorithms/bounds/partition.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <math.h>
#include <string.h>

/* Rates as whole multiples of 2^-RATE_BITS B/s, so that a sum is the same in
 * whatever order it is made: 2^22 links of 2^60 B/s fit. */
__extension__ typedef unsigned __int128 wide;

enum {
    RATE_BITS = 40, /* exact from 8 kB/s on, where doubles have 53 bits */
    NO_GROUP = CS_NO_ISLAND,
    RATES_MAX = 64,
    PASSES_MAX = 64,
    NAMES_MAX = 4,
    NAMES_LENGTH_MAX = 60, /* characters that a reason spends on classes */
    LINKS_MAX = 1 << 20,   /* that are looked at one by one */
};

/* The capacity of a set of links: that of their servers, each once, at the
 * rate of its quickest link. */
struct capacity {
    double rate_Bps;
    uint64_t latency_ps; /* least of the links */
};

/* The same while it is added up. */
struct rate_sum {
    wide exact;
    bool endless; /* a link that costs nothing is in it */
};

struct bound {
    const struct cs_graph *graph;
    const struct cs_net *net;
    const struct cs_bound_request *request;
    struct cs_arena *arena;  /* for what is told */
    struct cs_arena scratch; /* for what is looked at on the way */
    uint32_t root;     /* the rank of the graph where the root is seated */
    uint32_t *counted; /* server: stamp of the sum that it is in */
    double *rate_Bps;  /* server: what it counts for in that sum; >= 0 */
    uint32_t stamp;
    struct cs_bound best;
};

static void bound_offer(struct bound *bound, double time_s, const char *why)
{
    if (time_s > bound->best.time_s * (1 + 1e-12))
        bound->best = (struct cs_bound){time_s, why};
}

static bool bound_leaves(const struct cs_islands *groups,
                         const struct cs_net_link *link)
{
    uint32_t from = cs_island_at(groups, link->from);

    return from != NO_GROUP && cs_island_at(groups, link->to) != from;
}

static bool bound_enters(const struct cs_islands *groups,
                         const struct cs_net_link *link)
{
    uint32_t to = cs_island_at(groups, link->to);

    return to != NO_GROUP && cs_island_at(groups, link->from) != to;
}

/* Which links of a group count; NO_GROUP as group means all groups. */
enum side {
    OUT = 1,
    IN = 2,
    BOTH = 3
};

static bool bound_counts(const struct cs_islands *groups,
                         const struct cs_net_link *link, uint32_t group,
                         enum side side)
{
    bool out = !link->down && bound_leaves(groups, link) &&
               (group == NO_GROUP || cs_island_at(groups, link->from) == group);
    bool in = !link->down && bound_enters(groups, link) &&
              (group == NO_GROUP || cs_island_at(groups, link->to) == group);

    return ((side & OUT) && out) || ((side & IN) && in);
}

/* At most 2^60 B/s, which is more than any link has. */
static wide exact_rate(double rate_Bps)
{
    return (wide)ldexp(fmin(rate_Bps, 0x1p60), RATE_BITS);
}

static double rounded_rate(const struct rate_sum *sum)
{
    return sum->endless ? (double)INFINITY
                        : ldexp((double)sum->exact, -RATE_BITS);
}

/* Adds `weight` links like this one, but for what its server has in the sum
 * already. */
static void bound_add_rate(struct bound *bound, const struct cs_net_link *link,
                           uint32_t weight, struct rate_sum *sum)
{
    double before_Bps = 0;

    if (isinf(link->rate_Bps)) {
        sum->endless = true;
        return;
    }
    if (bound->net->links) {
        if (bound->counted[link->resource] == bound->stamp)
            before_Bps = bound->rate_Bps[link->resource];
        if (link->rate_Bps <= before_Bps)
            return;
        bound->counted[link->resource] = bound->stamp;
        bound->rate_Bps[link->resource] = link->rate_Bps;
    }
    sum->exact +=
        (exact_rate(link->rate_Bps) - exact_rate(before_Bps)) * weight;
}

/* Groups are made of computers alike as these are: where all groups count
 * together, one of each kind of link is looked at. */
static struct capacity capacity_of(struct bound *bound,
                                   const struct cs_islands *groups,
                                   uint32_t group, enum side side)
{
    struct capacity capacity = {0, UINT64_MAX};
    struct rate_sum sum = {0};
    const struct cs_net *net = bound->net;
    bool by_kind = group == NO_GROUP;
    uint32_t i;

    bound->stamp++;
    for (i = 0; i < net->link_count;
         i = by_kind ? cs_net_next_link(net, i) : i + 1) {
        struct cs_net_link link = cs_net_link_at(net, i);

        if (!bound_counts(groups, &link, group, side))
            continue;
        if (link.latency_ps < capacity.latency_ps)
            capacity.latency_ps = link.latency_ps;
        bound_add_rate(bound, &link, by_kind ? cs_net_link_weight(net, i) : 1,
                       &sum);
    }
    capacity.rate_Bps = rounded_rate(&sum);
    return capacity;
}

static double bound_seconds(double bytes, struct capacity capacity)
{
    if (capacity.rate_Bps <= 0 || bytes <= 0)
        return 0;
    return bytes / capacity.rate_Bps + (double)capacity.latency_ps * 1e-12;
}

/* Bytes that have to go out of a group and into it. */
struct bound_crossing {
    double out_bytes;
    double in_bytes;
};

/* What so many of the blocks, one for each rank, come to. */
struct share {
    double least_bytes;
    double most_bytes;
};

static struct share bound_share_of(const struct bound *bound, uint32_t blocks)
{
    uint32_t ranks = bound->graph->rank_count;
    double bytes = bound->request->element_bytes;
    double elements = bound->request->vector_bytes / bytes;
    double each = floor(elements / ranks);
    uint32_t longer = (uint32_t)(elements - each * ranks + 0.5);
    uint32_t shorter = ranks - longer;

    if (bound->request->element_bytes == 0) {
        bytes = bound->request->vector_bytes * blocks / ranks;
        return (struct share){bytes, bytes};
    }
    return (struct share){
        (each * blocks + (blocks > shorter ? blocks - shorter : 0)) * bytes,
        (each * blocks + (blocks < longer ? blocks : longer)) * bytes};
}

static struct bound_crossing crossing_bytes(const struct bound *bound,
                                            uint32_t ranks, bool has_root)
{
    const struct cs_collective *collective = bound->request->collective;
    double volume = bound->request->vector_bytes;
    uint32_t others = bound->graph->rank_count - ranks;
    struct share own = bound_share_of(bound, ranks);
    struct bound_crossing all = {volume, volume};

    if (collective->is_signal)
        return (struct bound_crossing){0, 0};
    if (collective->after == CS_TRANSPOSED) {
        double bytes = ranks * volume * others / bound->graph->rank_count;

        return (struct bound_crossing){bytes, bytes};
    }
    if (collective->after == CS_OWN_BLOCK)
        all = (struct bound_crossing){volume - own.most_bytes, own.least_bytes};
    if (collective->before == CS_OWN_BLOCK)
        all = (struct bound_crossing){own.least_bytes, volume - own.most_bytes};
    if (collective->before == CS_ROOT && has_root)
        all.in_bytes = 0;
    if (collective->before == CS_ROOT && !has_root)
        all.out_bytes = 0;
    if (collective->after == CS_ROOT && has_root)
        all.out_bytes = 0;
    if (collective->after == CS_ROOT && !has_root)
        all.in_bytes = 0;
    return all;
}

static struct bound_crossing crossing_of(const struct bound *bound,
                                         const struct cs_islands *groups,
                                         uint32_t group)
{
    uint32_t slot = bound->graph->rank_device[bound->root];

    return crossing_bytes(bound, groups->ranks[group],
                          cs_island_at(groups, slot) == group);
}

/* Every rank has, or is owed, its own block: together that is V. */
static bool is_shared_out(const struct cs_collective *collective)
{
    return (collective->before == CS_OWN_BLOCK &&
            collective->after == CS_EVERY_RANK) ||
           (collective->before == CS_EVERY_RANK &&
            collective->after == CS_OWN_BLOCK);
}

/* The same for all groups together. */
static struct bound_crossing crossing_sum(const struct bound *bound,
                                          const struct cs_islands *groups)
{
    struct bound_crossing sum = {0, 0};
    double share = (groups->count - 1.0) * bound->request->vector_bytes;
    double most;
    uint32_t i;

    if (!bound->graph->agent_count) {
        if (is_shared_out(bound->request->collective))
            return (struct bound_crossing){share, share};
        if (bound->request->collective->bus == CS_BUS_TWICE)
            return (struct bound_crossing){2 * share, 2 * share};
    }
    for (i = 0; i < groups->count; i++) {
        struct bound_crossing one = crossing_of(bound, groups, i);

        sum.out_bytes += one.out_bytes;
        sum.in_bytes += one.in_bytes;
    }
    if (bound->graph->agent_count)
        return sum;
    most = sum.out_bytes > sum.in_bytes ? sum.out_bytes : sum.in_bytes;
    return (struct bound_crossing){most, most};
}

/* Some link leads from one group straight into another. */
static bool bound_touch(const struct bound *bound,
                        const struct cs_islands *groups)
{
    const struct cs_net *net = bound->net;
    uint32_t i;

    for (i = 0; i < net->link_count; i = cs_net_next_link(net, i)) {
        struct cs_net_link link = cs_net_link_at(net, i);

        if (!link.down && bound_leaves(groups, &link) &&
            bound_enters(groups, &link))
            return true;
    }
    return false;
}

/* `group` is one, or NO_GROUP for all. */
static void try_crossing(struct bound *bound, const struct cs_islands *groups,
                         uint32_t group, struct bound_crossing bytes,
                         const char *why)
{
    bound_offer(
        bound,
        bound_seconds(bytes.out_bytes, capacity_of(bound, groups, group, OUT)),
        why);
    bound_offer(
        bound,
        bound_seconds(bytes.in_bytes, capacity_of(bound, groups, group, IN)),
        why);
    if (group != NO_GROUP || !bound_touch(bound, groups))
        bound_offer(bound,
                    bound_seconds(bytes.out_bytes + bytes.in_bytes,
                                  capacity_of(bound, groups, group, BOTH)),
                    why);
}

/* Cuts are tried where they can differ from the sum: a few groups. */
enum {
    CUT_GROUPS_MAX = 64
};

static bool is_vast(const struct bound *bound)
{
    return bound->net->link_count > LINKS_MAX;
}

static void bound_try_groups(struct bound *bound,
                             const struct cs_islands *groups, const char *why)
{
    uint32_t i;

    if (groups->count < 2)
        return;
    try_crossing(bound, groups, NO_GROUP, crossing_sum(bound, groups), why);
    if (groups->count > CUT_GROUPS_MAX || is_vast(bound))
        return;
    for (i = 0; i < groups->count; i++)
        try_crossing(bound, groups, i, crossing_of(bound, groups, i), why);
}

/* Whether links of the same rate lead to all ranks; so they do where computers
 * are alike. */
static bool ranks_have_as_much(struct bound *bound)
{
    const struct cs_graph *graph = bound->graph;
    double *sums_Bps;
    uint32_t i;

    if (graph->replicated.count)
        return true;
    sums_Bps =
        cs_arena_alloc(&bound->scratch, graph->device_count, sizeof(*sums_Bps));
    for (i = 0; i < graph->wire_count; i++) {
        sums_Bps[graph->wires[i].a] += cs_wire_effective(&graph->wires[i]);
        sums_Bps[graph->wires[i].b] += cs_wire_effective(&graph->wires[i]);
    }
    for (i = 1; i < graph->rank_count; i++)
        if (sums_Bps[graph->rank_device[i]] != sums_Bps[graph->rank_device[0]])
            return false;
    return true;
}

/* "the ranks' own links", with what the bound adds up where the first rank has
 * links of several classes: "(nvlink3 x12 + pcie4 x16 = 264 GB/s)". */
static const char *name_own_links(struct bound *bound)
{
    const struct cs_graph *graph = bound->graph;
    uint32_t device = graph->rank_device[0];
    char rate[CS_UNITS_TEXT];
    struct cs_text text = {0};
    const char *last = "";
    const char *name = "the ranks' own links";
    double sum_Bps = 0;
    uint32_t classes = 0;
    uint32_t i;

    for (i = 0; i < graph->wire_count; i = cs_graph_next_wire(graph, i)) {
        struct cs_wire wire = cs_graph_wire(graph, i);

        if ((wire.a != device && wire.b != device) ||
            !cs_wire_leads(&wire, wire.b == device))
            continue;
        sum_Bps += cs_wire_effective(&wire);
        classes += !cs_same(last, wire.class_name);
        cs_text_printf(&text, "%s%s", *last ? " + " : "", wire.class_name);
        last = wire.class_name;
    }
    if (classes > 1 && text.length < NAMES_LENGTH_MAX &&
        ranks_have_as_much(bound))
        name = cs_arena_printf(bound->arena, "%s (%s = %s)", name,
                               cs_text_str(&text),
                               cs_units_show_rate(rate, sum_Bps));
    cs_text_free(&text);
    return name;
}

static void try_ranks(struct bound *bound)
{
    struct cs_arena scratch = {0};
    struct cs_islands groups = cs_islands_of(bound->graph, INFINITY, &scratch);

    bound_try_groups(bound, &groups, name_own_links(bound));
    cs_arena_free(&scratch);
}

/* ---- groups that remain when slow wires are cut ---- */

static double wire_rate(struct cs_wire wire)
{
    return cs_wire_effective(&wire);
}

/* Cuts all wires up to `rate_Bps`, of which `wire` is one. */
static void try_cut_off(struct bound *bound, double rate_Bps,
                        const struct cs_wire *wire)
{
    const struct cs_graph *graph = bound->graph;
    struct cs_arena scratch = {0};
    struct cs_islands groups = cs_islands_of(graph, rate_Bps, &scratch);

    if (groups.count >= 2 && groups.count < graph->rank_count)
        bound_try_groups(
            bound, &groups,
            cs_arena_printf(bound->arena,
                            "links between %u groups of ranks (%s)",
                            groups.count, wire->class_name));
    cs_arena_free(&scratch);
}

static void try_rates(struct bound *bound)
{
    const struct cs_graph *graph = bound->graph;
    double rates_Bps[RATES_MAX];
    uint32_t count = 0;
    uint32_t i;
    uint32_t k;

    for (i = 0; i < graph->wire_count && count < RATES_MAX;
         i = cs_graph_next_wire(graph, i)) {
        struct cs_wire wire = cs_graph_wire(graph, i);
        double rate_Bps = wire_rate(wire);

        for (k = 0; k < count && rates_Bps[k] != rate_Bps; k++)
            ;
        if (k < count || wire.down)
            continue;
        rates_Bps[count++] = rate_Bps;
        try_cut_off(bound, rate_Bps, &wire);
    }
}

/* ---- every set of ranks, where they are few ---- */

/* "gpu0 gpu1 gpu2 ..." of a set. */
static void bound_name_set(const struct bound *bound, uint32_t set,
                           struct cs_text *out)
{
    uint32_t named = 0;
    uint32_t i;

    for (i = 0; i < bound->graph->rank_count; i++) {
        if (!(set >> i & 1))
            continue;
        if (named++ == NAMES_MAX) {
            cs_text_add(out, " ...");
            return;
        }
        cs_text_printf(out, "%s%s", named > 1 ? " " : "",
                       cs_graph_name(bound->graph, bound->graph->rank_device[i],
                                     bound->arena));
    }
}

static const char *name_sets(const struct bound *bound, const uint32_t *sets,
                             uint32_t count)
{
    struct cs_text text = {0};
    const char *name;
    uint32_t i;

    for (i = 0; i < count; i++) {
        cs_text_add(&text, i ? " | " : "what can pass between ");
        bound_name_set(bound, sets[i], &text);
    }
    name = cs_arena_text(bound->arena, cs_text_str(&text));
    cs_text_free(&text);
    return name;
}

static void try_set(struct bound *bound, const double *rates_Bps, uint32_t set)
{
    uint32_t all = (1u << bound->graph->rank_count) - 1;
    struct bound_crossing bytes = crossing_bytes(
        bound, (uint32_t)__builtin_popcount(set), set >> bound->root & 1);
    double out_s = bytes.out_bytes / rates_Bps[set];
    double in_s = bytes.in_bytes / rates_Bps[all ^ set];
    double time_s = out_s > in_s ? out_s : in_s;
    uint32_t sides[2] = {set, all ^ set};

    if (time_s > bound->best.time_s)
        bound_offer(bound, time_s, name_sets(bound, sides, 2));
}

static void try_sets(struct bound *bound)
{
    uint32_t ranks = bound->graph->rank_count;
    struct cs_partition worst;
    const double *rates_Bps;
    uint32_t set;

    if (ranks > CS_MINCUT_RANKS_MAX || bound->request->collective->is_signal)
        return;
    rates_Bps = cs_mincut_all(bound->graph, &bound->scratch);
    for (set = 1; set + 1 < 1u << ranks; set++)
        try_set(bound, rates_Bps, set);
    if (bound->graph->agent_count ||
        bound->request->collective->bus != CS_BUS_TWICE)
        return;
    worst = cs_partition_worst(rates_Bps, ranks, &bound->scratch);
    if (worst.count < ranks)
        bound_offer(bound,
                    worst.seconds_per_byte * bound->request->vector_bytes,
                    name_sets(bound, worst.sets, worst.count));
    else
        bound_offer(bound,
                    worst.seconds_per_byte * bound->request->vector_bytes,
                    name_own_links(bound));
}

/* ---- latency and sums ---- */

/* From one device to all, or from all to one. */
enum route {
    DIRECTION_OUT,
    DIRECTION_BACK,
};

/* Relaxes one link; true when it led somewhere sooner. */
static bool bound_relax(const struct cs_net_link *link, enum route route,
                        uint64_t *away_ps)
{
    uint32_t near = route == DIRECTION_OUT ? link->from : link->to;
    uint32_t far = route == DIRECTION_OUT ? link->to : link->from;
    uint64_t via_ps = away_ps[near] + link->latency_ps;

    if (link->down || away_ps[near] == UINT64_MAX || via_ps >= away_ps[far])
        return false;
    away_ps[far] = via_ps;
    return true;
}

/* All links, in turn upwards and downwards, until nothing changes: machines
 * are shallow and long ones are in order, so that is a few passes.  False when
 * it would take more than PASSES_MAX. */
static bool relax_all(const struct cs_net *net, enum route route,
                      uint64_t *away_ps)
{
    uint32_t last = net->link_count - 1;
    bool changed = true;
    uint32_t pass;
    uint32_t i;

    for (pass = 0; changed && pass < PASSES_MAX; pass++) {
        changed = false;
        for (i = 0; i < net->link_count; i++) {
            struct cs_net_link link =
                cs_net_link_at(net, pass & 1 ? last - i : i);

            changed |= bound_relax(&link, route, away_ps);
        }
    }
    return !changed;
}

/* Some rank's piece may be empty: nobody needs to hear of it. */
static bool has_empty_pieces(const struct bound *bound)
{
    const struct cs_collective *collective = bound->request->collective;
    bool in_pieces = collective->before == CS_OWN_BLOCK ||
                     collective->after == CS_OWN_BLOCK ||
                     collective->after == CS_TRANSPOSED;

    return in_pieces &&
           bound->request->vector_bytes <
               (double)bound->graph->rank_count * bound->request->element_bytes;
}

static void try_reach(struct bound *bound)
{
    enum cs_content after = bound->request->collective->after;
    const struct cs_graph *graph = bound->graph;
    uint32_t nodes = bound->net->node_count;
    uint64_t farthest_ps = 0;
    uint64_t *away_ps;
    uint32_t i;

    if (after == CS_SHIFTED || has_empty_pieces(bound) || is_vast(bound))
        return;
    away_ps = cs_arena_alloc(&bound->scratch, nodes, sizeof(*away_ps));
    memset(away_ps, 0xff, nodes * sizeof(*away_ps));
    away_ps[graph->rank_device[bound->root]] = 0;
    if (!relax_all(bound->net,
                   after == CS_ROOT ? DIRECTION_BACK : DIRECTION_OUT, away_ps))
        return;
    for (i = 0; i < graph->rank_count; i++)
        if (away_ps[graph->rank_device[i]] > farthest_ps)
            farthest_ps = away_ps[graph->rank_device[i]];
    bound_offer(bound, (double)farthest_ps * 1e-12,
                "latency to the farthest rank");
}

static void try_adding(struct bound *bound)
{
    double rate_Bps = 0;
    uint32_t i;

    if (!cs_collective_reduces(bound->request->collective))
        return;
    for (i = 0; i < bound->net->party_count; i++) {
        struct cs_net_party party = cs_net_party_at(bound->net, i);

        if (party.reduce_ps_per_byte <= 0)
            return;
        rate_Bps += 1e12 / party.reduce_ps_per_byte;
    }
    bound_offer(bound,
                (bound->graph->rank_count - 1.0) *
                    bound->request->vector_bytes / rate_Bps,
                "adding up, with all that can add");
}

struct cs_bound cs_bound_of(const struct cs_graph *graph,
                            const struct cs_net *net,
                            const struct cs_bound_request *request,
                            struct cs_arena *arena)
{
    struct bound bound = {.graph = graph,
                          .net = net,
                          .request = request,
                          .arena = arena,
                          .best = {0, "nothing has to move"}};
    uint32_t slot;

    if (graph->rank_count < 2)
        return bound.best;
    if (request->collective->after == CS_NOTHING) {
        bound.best.why = "nothing is promised";
        return bound.best;
    }
    slot = cs_net_party_at(net, request->root).node;
    while (graph->rank_device[bound.root] != slot)
        bound.root++;
    if (net->links) {
        bound.counted = cs_arena_alloc(&bound.scratch, net->resource_count,
                                       sizeof(uint32_t));
        bound.rate_Bps =
            cs_arena_alloc(&bound.scratch, net->resource_count, sizeof(double));
    }
    try_reach(&bound);
    try_ranks(&bound);
    if (!request->ports_only) {
        try_rates(&bound);
        try_sets(&bound);
    }
    try_adding(&bound);
    cs_arena_free(&bound.scratch);
    return bound.best;
}
