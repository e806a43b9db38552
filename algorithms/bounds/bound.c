#include "algorithms/bounds/bound.h"

#include "algorithms/bounds/case.h"
#include "algorithms/shared/rings/torus.h"
#include "sim/net/net.h"
#include "topo/graph/graph.h"

#include <math.h>
#include <string.h>

/* Bounds from groups of ranks, single and together (groups.h). */

enum {
    RATES_MAX = 64,
    CUT_GROUPS_MAX = 64, /* cuts can differ from the sum where groups are few */
};

static struct cs_crossing group_bound_crossing_of(const struct cs_bound_case *of,
                                                  const struct cs_islands *islands, uint32_t group)
{
    uint32_t slot = of->graph->rank_device[of->root];

    return cs_crossing_of(&of->crossing, islands->ranks[group],
                          cs_island_at(islands, slot) == group);
}

/* Whether one of the devices is between the groups; inside a group it is as good
 * as the group's ranks. */
static bool group_bound_is_between(const struct cs_islands *islands, const uint32_t *devices,
                                   uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (cs_island_at(islands, devices[i]) == CS_NO_ISLAND)
            return true;
    return false;
}

/* The bytes of the groups together, with an agent that reduces or copies between
 * them. */
static struct cs_crossing group_bound_sum_of_each(const struct cs_bound_case *of,
                                                  const struct cs_islands *islands)
{
    struct cs_crossing sum = {0, 0};

    for (uint32_t i = 0; i < islands->count; i++) {
        struct cs_crossing one = group_bound_crossing_of(of, islands, i);

        sum.out_bytes += one.out_bytes;
        sum.in_bytes += one.in_bytes;
    }
    return sum;
}

/* The same without: bytes out of a group enter a group. */
static struct cs_crossing group_bound_sum(const struct cs_bound_case *of,
                                          const struct cs_islands *islands)
{
    const struct cs_collective *collective = of->request->collective;
    double share = (islands->count - 1.0) * of->request->vector_bytes;
    struct cs_crossing sum;
    double most;

    if (cs_crossing_is_in_blocks(collective))
        return (struct cs_crossing){share, share};
    if (collective->bus == CS_BUS_TWICE)
        return (struct cs_crossing){2 * share, 2 * share};
    sum = group_bound_sum_of_each(of, islands);
    most = fmax(sum.out_bytes, sum.in_bytes);
    return (struct cs_crossing){most, most};
}

static void group_bound_side(struct cs_bound_case *of, const struct cs_islands *islands,
                             uint32_t group, enum cs_groups_side side, double bytes,
                             const char *why)
{
    struct cs_groups_capacity capacity = cs_groups_capacity(&of->groups, islands, group, side);

    cs_bound_offer(of, cs_bound_seconds(bytes, capacity.rate_Bps, capacity.latency_ps), why);
}

/* `group` is a group, or CS_GROUPS_ALL. */
static void group_bound_crossing(struct cs_bound_case *of, const struct cs_islands *islands,
                                 uint32_t group, struct cs_crossing bytes, const char *why)
{
    group_bound_side(of, islands, group, CS_GROUPS_OUT, bytes.out_bytes, why);
    group_bound_side(of, islands, group, CS_GROUPS_IN, bytes.in_bytes, why);
    /* A link straight from group to group would count twice. */
    if (group != CS_GROUPS_ALL || !cs_groups_touch(&of->groups, islands))
        group_bound_side(of, islands, group, CS_GROUPS_BOTH, bytes.out_bytes + bytes.in_bytes, why);
}

static void group_bound_together(struct cs_bound_case *of, const struct cs_islands *islands,
                                 const char *why)
{
    const struct cs_graph *graph = of->graph;
    bool has_agents = group_bound_is_between(islands, graph->agent_device, graph->agent_count);
    bool has_reducers = group_bound_is_between(islands, of->reducers, of->reducer_count);

    if (has_agents || has_reducers)
        group_bound_crossing(of, islands, CS_GROUPS_ALL, group_bound_sum_of_each(of, islands), why);
    if (has_agents)
        return;
    of->excludes_reducers = has_reducers;
    group_bound_crossing(of, islands, CS_GROUPS_ALL, group_bound_sum(of, islands), why);
    of->excludes_reducers = false;
}

/* The sum of many groups is close to every cut; cuts of few groups can be far
 * tighter. */
static void group_bound_all(struct cs_bound_case *of, const struct cs_islands *islands,
                            const char *why)
{
    if (islands->count < 2)
        return;
    group_bound_together(of, islands, why);
    if (islands->count > CUT_GROUPS_MAX || cs_bound_is_vast(of))
        return;
    cs_groups_sort(&of->groups, islands, &of->scratch);
    for (uint32_t i = 0; i < islands->count; i++)
        group_bound_crossing(of, islands, i, group_bound_crossing_of(of, islands, i), why);
}

/* Every rank is a group. O(links). */
static void group_bounds_of_ranks(struct cs_bound_case *of)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_islands islands = cs_islands_of(of->graph, INFINITY, &scratch);

    group_bound_all(of, &islands, cs_why_own_links(of->graph, of->arena));
}

/* The minimum cut around a group can be narrower than the group's own links. */
static void group_bound_first_island(struct cs_bound_case *of, const struct cs_islands *islands)
{
    const struct cs_graph *graph = of->graph;
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    bool *is_inside = cs_arena_alloc(&scratch, graph->rank_count, sizeof(*is_inside));

    for (uint32_t r = 0; r < graph->rank_count; r++)
        is_inside[r] = cs_island_at(islands, graph->rank_device[r]) == 0;
    cs_flow_bound_around(of, is_inside);
}

/* Cuts the wires up to `rate_Bps`, the rate of `wire`. */
static void group_bound_rate(struct cs_bound_case *of, double rate_Bps, const struct cs_wire *wire)
{
    const struct cs_graph *graph = of->graph;
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_islands islands = cs_islands_of(graph, rate_Bps, &scratch);

    if (islands.count >= 2 && islands.count < graph->rank_count) {
        if (cs_flow_bound_wants_groups(of))
            group_bound_first_island(of, &islands);
        group_bound_all(of, &islands,
                        cs_arena_printf(of->arena, "links between %u groups of ranks (%s)",
                                        islands.count, wire->class_name));
    }
}

/* Groups are the parts of the machine without the wires up to a rate, for every
 * rate. O(rates (links + devices)). */
static void group_bounds_of_rates(struct cs_bound_case *of)
{
    const struct cs_graph *graph = of->graph;
    double rates_Bps[RATES_MAX];
    uint32_t count = 0;
    uint32_t i;
    uint32_t k;

    for (i = 0; i < graph->wire_count && count < RATES_MAX; i = cs_graph_next_wire(graph, i)) {
        struct cs_wire wire = cs_graph_wire(graph, i);
        double rate_Bps = cs_wire_effective(&wire);

        for (k = 0; k < count && rates_Bps[k] != rate_Bps; k++)
            ;
        if (k < count || wire.down)
            continue;
        rates_Bps[count++] = rate_Bps;
        group_bound_rate(of, rate_Bps, &wire);
    }
}

/*
 * Latency from a rank to the farthest rank, by the quickest route.
 *
 * No collective that informs every rank of one rank ends before the message
 * without bytes has arrived everywhere, relays included.
 */

struct cs_net;

enum cs_reach_direction {
    CS_REACH_FROM, /* from the rank to every rank */
    CS_REACH_TO,   /* from every rank to the rank */
};

enum {
    PASSES_MAX = 64
};

/* Relaxes a link; true when a node became nearer. */
static bool reach_relax(const struct cs_net_link *link, enum cs_reach_direction direction,
                        uint64_t *away_ps)
{
    uint32_t near = direction == CS_REACH_FROM ? link->from : link->to;
    uint32_t far = direction == CS_REACH_FROM ? link->to : link->from;
    uint64_t via_ps = away_ps[near] + link->latency_ps;

    if (link->down || away_ps[near] == UINT64_MAX || via_ps >= away_ps[far])
        return false;
    away_ps[far] = via_ps;
    return true;
}

/* Bellman-Ford over the links, in turn upwards and downwards: machines are
 * shallow, and long machines have links in order; a few passes suffice. False
 * when distances still change after PASSES_MAX. */
static bool reach_relax_all(const struct cs_net *net, enum cs_reach_direction direction,
                            uint64_t *away_ps)
{
    uint32_t last = net->link_count - 1;
    bool changed = true;

    for (uint32_t pass = 0; changed && pass < PASSES_MAX; pass++) {
        changed = false;
        for (uint32_t i = 0; i < net->link_count; i++) {
            struct cs_net_link link = cs_net_link_at(net, pass & 1 ? last - i : i);

            changed |= reach_relax(&link, direction, away_ps);
        }
    }
    return !changed;
}

/* The latency in picoseconds; 0 where routes are too long to be found in a few
 * passes over the links.  O(links) a pass; scratch memory in the arena. */
static uint64_t reach_farthest_ps(const struct cs_graph *graph, const struct cs_net *net,
                                  uint32_t rank, enum cs_reach_direction direction,
                                  struct cs_arena *arena)
{
    uint64_t *away_ps = cs_arena_alloc(arena, net->node_count, sizeof(*away_ps));
    uint64_t farthest_ps = 0;

    memset(away_ps, 0xff, net->node_count * sizeof(*away_ps));
    away_ps[graph->rank_device[rank]] = 0;
    if (!reach_relax_all(net, direction, away_ps))
        return 0;
    for (uint32_t i = 0; i < graph->rank_count; i++)
        if (away_ps[graph->rank_device[i]] > farthest_ps)
            farthest_ps = away_ps[graph->rank_device[i]];
    return farthest_ps;
}

/* A rank's block may be empty: no rank needs to be informed of the block. */
static bool bound_has_empty_blocks(const struct cs_bound_case *of)
{
    return cs_collective_has_pieces(of->request->collective) &&
           of->request->vector_bytes < (double)of->graph->rank_count * of->request->element_bytes;
}

static void bound_try_reach(struct cs_bound_case *of)
{
    enum cs_content after = of->request->collective->after;
    uint64_t farthest_ps;

    if (after == CS_SHIFTED || bound_has_empty_blocks(of) || cs_bound_is_vast(of))
        return;
    farthest_ps = reach_farthest_ps(of->graph, of->net, of->root,
                                    after == CS_ROOT ? CS_REACH_TO : CS_REACH_FROM, &of->scratch);
    cs_bound_offer(of, (double)farthest_ps * 1e-12, "latency to the farthest rank");
}

/* (p-1) V bytes are reduced, at best by the parties in proportion to speed.  A
 * party that reduces at the speed of arrival leaves no bound. */
static void bound_try_reductions(struct cs_bound_case *of)
{
    double rate_Bps = 0;

    if (!cs_collective_reduces(of->request->collective))
        return;
    for (uint32_t i = 0; i < of->net->party_count; i++) {
        struct cs_net_party party = cs_net_party_at(of->net, i);

        if (party.reduce_ps_per_byte <= 0)
            return;
        rate_Bps += 1e12 / party.reduce_ps_per_byte;
    }
    of->excludes_reducers = of->reducer_count > 0;
    cs_bound_offer(of, (of->graph->rank_count - 1.0) * of->request->vector_bytes / rate_Bps,
                   "reductions, by all parties together");
}

/* Of an all-to-all on a torus, where cuts are too many to be tried: every block passes
 * at least as many wires of a dimension as the coordinates are apart around it, on
 * average side / 4 of an even side. */
static void bound_try_torus(struct cs_bound_case *of)
{
    struct cs_torus torus;

    if (of->request->collective != &cs_collective_alltoall || cs_bound_is_vast(of))
        return;
    torus = cs_torus_of_net(of->net, of->graph->rank_count);
    for (uint32_t i = 0; i < torus.count; i++) {
        double side = torus.sides[i];
        double steps = floor(side * side / 4) / side;
        double rate_Bps = (side > 2 ? 2 : 1) * torus.rate_Bps;

        cs_bound_offer(of, steps * of->request->vector_bytes / rate_Bps,
                       cs_arena_printf(of->arena, "distances in dimension %u, of %u ranks", i + 1,
                                       torus.sides[i]));
    }
}

static struct cs_bound_case bound_begin(const struct cs_graph *graph, const struct cs_net *net,
                                        const struct cs_bound_request *request,
                                        struct cs_arena *arena)
{
    struct cs_bound_case of = {.graph = graph,
                               .net = net,
                               .request = request,
                               .crossing = {request->collective, request->vector_bytes,
                                            graph->rank_count, request->element_bytes},
                               .arena = arena,
                               .best = {{0, "nothing has to move"}, {0, "nothing has to move"}}};

    if (request->collective->after == CS_NOTHING)
        of.best.own.why = of.best.machine.why = "nothing is promised";
    return of;
}

/* Cuts count the same bytes with reductions in the network and without; sums over
 * groups and partitions do not. */
static bool bound_depends_on_reducers(const struct cs_collective *collective)
{
    return collective->bus == CS_BUS_TWICE || cs_crossing_is_in_blocks(collective);
}

static void bound_find_reducers(struct cs_bound_case *of)
{
    const struct cs_graph *graph = of->graph;
    const unsigned *abilities;
    uint32_t *reducers;

    if (!bound_depends_on_reducers(of->request->collective))
        return;
    abilities = cs_graph_abilities(graph, &of->scratch);
    reducers = cs_arena_alloc(&of->scratch, graph->device_count, sizeof(*reducers));
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (abilities[d])
            reducers[of->reducer_count++] = d;
    of->reducers = reducers;
}

static void bound_try_all(struct cs_bound_case *of)
{
    uint32_t slot = cs_net_party_at(of->net, of->request->root).node;

    while (of->graph->rank_device[of->root] != slot)
        of->root++;
    of->groups = cs_groups_of(of->net, &of->scratch);
    bound_try_reach(of);
    group_bounds_of_ranks(of);
    if (!of->request->ports_only) {
        cs_flow_bounds(of);
        group_bounds_of_rates(of);
        cs_flow_bounds_with_reducers(of);
    }
    bound_try_reductions(of);
    if (!of->request->ports_only)
        bound_try_torus(of);
}

struct cs_bound cs_bound_of(const struct cs_graph *graph, const struct cs_net *net,
                            const struct cs_bound_request *request, struct cs_arena *arena)
{
    struct cs_bound_case of = bound_begin(graph, net, request, arena);

    if (graph->rank_count > 1 && request->collective->after != CS_NOTHING)
        bound_try_all(&of);
    cs_arena_free(&of.scratch);
    return of.best.own;
}

struct cs_bounds cs_bounds_of(const struct cs_graph *graph, const struct cs_net *net,
                              const struct cs_bound_request *request, struct cs_arena *arena)
{
    struct cs_bound_case of = bound_begin(graph, net, request, arena);

    if (graph->rank_count > 1 && request->collective->after != CS_NOTHING) {
        bound_find_reducers(&of);
        bound_try_all(&of);
    }
    cs_arena_free(&of.scratch);
    return of.best;
}
