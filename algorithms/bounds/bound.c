#include "algorithms/bounds/bound.h"

#include "algorithms/bounds/crossing.h"
#include "algorithms/bounds/cuts.h"
#include "algorithms/bounds/groups.h"
#include "algorithms/bounds/reach.h"
#include "algorithms/bounds/strength.h"
#include "algorithms/bounds/why.h"

#include <math.h>

enum {
    RATES_MAX = 64,
    LINKS_MAX = 1 << 20, /* that are visited one by one */
    CUT_GROUPS_MAX = 64, /* cuts can differ from the sum where groups are few */
};

struct bound {
    const struct cs_graph *graph;
    const struct cs_net *net;
    const struct cs_bound_request *request;
    struct cs_crossing_request crossing;
    struct cs_arena *arena;  /* of reasons */
    struct cs_arena scratch; /* of all else */
    uint32_t root; /* the rank of the graph where the root is placed */
    struct cs_groups groups;
    struct cs_cells cells; /* the root's host apart */
    struct cs_network_traits traits;
    struct cs_bound best;
};

/* Rounding cannot make a later argument replace an equal one. */
static bool bound_is_higher(const struct bound *bound, double time_s)
{
    return time_s > bound->best.time_s * (1 + 1e-12);
}

static void bound_offer(struct bound *bound, double time_s, const char *why)
{
    if (bound_is_higher(bound, time_s))
        bound->best = (struct cs_bound){time_s, why};
}

static double bound_seconds(double bytes, double rate_Bps, uint64_t latency_ps)
{
    if (rate_Bps <= 0 || bytes <= 0)
        return 0;
    return bytes / rate_Bps + (double)latency_ps * 1e-12;
}

static bool bound_is_vast(const struct bound *bound)
{
    return bound->net->link_count > LINKS_MAX;
}

/* ---- groups: islands of ranks ---- */

static struct cs_crossing bound_crossing_of(const struct bound *bound,
                                            const struct cs_islands *islands,
                                            uint32_t group)
{
    uint32_t slot = bound->graph->rank_device[bound->root];

    return cs_crossing_of(&bound->crossing, islands->ranks[group],
                          cs_island_at(islands, slot) == group);
}

/* The same for all groups together.  What leaves one group enters another,
 * unless an agent sums or copies on the way. */
static struct cs_crossing bound_crossing_sum(const struct bound *bound,
                                             const struct cs_islands *islands)
{
    const struct cs_collective *collective = bound->request->collective;
    struct cs_crossing sum = {0, 0};
    double share = (islands->count - 1.0) * bound->request->vector_bytes;
    double most;
    uint32_t i;

    if (!bound->graph->agent_count) {
        if (cs_crossing_is_in_blocks(collective))
            return (struct cs_crossing){share, share};
        if (collective->bus == CS_BUS_TWICE)
            return (struct cs_crossing){2 * share, 2 * share};
    }
    for (i = 0; i < islands->count; i++) {
        struct cs_crossing one = bound_crossing_of(bound, islands, i);

        sum.out_bytes += one.out_bytes;
        sum.in_bytes += one.in_bytes;
    }
    if (bound->graph->agent_count)
        return sum;
    most = fmax(sum.out_bytes, sum.in_bytes);
    return (struct cs_crossing){most, most};
}

static void bound_try_side(struct bound *bound,
                           const struct cs_islands *islands, uint32_t group,
                           enum cs_groups_side side, double bytes,
                           const char *why)
{
    struct cs_groups_capacity capacity =
        cs_groups_capacity(&bound->groups, islands, group, side);

    bound_offer(bound,
                bound_seconds(bytes, capacity.rate_Bps, capacity.latency_ps),
                why);
}

/* `group` is one, or CS_GROUPS_ALL. */
static void bound_try_crossing(struct bound *bound,
                               const struct cs_islands *islands, uint32_t group,
                               struct cs_crossing bytes, const char *why)
{
    bound_try_side(bound, islands, group, CS_GROUPS_OUT, bytes.out_bytes, why);
    bound_try_side(bound, islands, group, CS_GROUPS_IN, bytes.in_bytes, why);
    /* A link straight from group to group would count for both. */
    if (group != CS_GROUPS_ALL || !cs_groups_touch(&bound->groups, islands))
        bound_try_side(bound, islands, group, CS_GROUPS_BOTH,
                       bytes.out_bytes + bytes.in_bytes, why);
}

static void bound_try_groups(struct bound *bound,
                             const struct cs_islands *islands, const char *why)
{
    uint32_t i;

    if (islands->count < 2)
        return;
    bound_try_crossing(bound, islands, CS_GROUPS_ALL,
                       bound_crossing_sum(bound, islands), why);
    if (islands->count > CUT_GROUPS_MAX || bound_is_vast(bound))
        return;
    for (i = 0; i < islands->count; i++)
        bound_try_crossing(bound, islands, i,
                           bound_crossing_of(bound, islands, i), why);
}

static void bound_try_ranks(struct bound *bound)
{
    struct cs_arena scratch = {0};
    struct cs_islands islands = cs_islands_of(bound->graph, INFINITY, &scratch);

    bound_try_groups(bound, &islands,
                     cs_why_own_links(bound->graph, bound->arena));
    cs_arena_free(&scratch);
}

/* Cuts all wires up to `rate_Bps`, of which `wire` is one. */
static void bound_try_rate(struct bound *bound, double rate_Bps,
                           const struct cs_wire *wire)
{
    const struct cs_graph *graph = bound->graph;
    struct cs_arena scratch = {0};
    struct cs_islands islands = cs_islands_of(graph, rate_Bps, &scratch);

    if (islands.count >= 2 && islands.count < graph->rank_count)
        bound_try_groups(
            bound, &islands,
            cs_arena_printf(bound->arena,
                            "links between %u groups of ranks (%s)",
                            islands.count, wire->class_name));
    cs_arena_free(&scratch);
}

static void bound_try_rates(struct bound *bound)
{
    const struct cs_graph *graph = bound->graph;
    double rates_Bps[RATES_MAX];
    uint32_t count = 0;
    uint32_t i;
    uint32_t k;

    for (i = 0; i < graph->wire_count && count < RATES_MAX;
         i = cs_graph_next_wire(graph, i)) {
        struct cs_wire wire = cs_graph_wire(graph, i);
        double rate_Bps = cs_wire_effective(&wire);

        for (k = 0; k < count && rates_Bps[k] != rate_Bps; k++)
            ;
        if (k < count || wire.down)
            continue;
        rates_Bps[count++] = rate_Bps;
        bound_try_rate(bound, rate_Bps, &wire);
    }
}

/* ---- cuts by maximum flow ---- */

/* How a collective's cut is found, and the bytes that cross in a direction. */
enum bound_search {
    SEARCH_DENSEST,
    SEARCH_TOWARDS,
    SEARCH_NARROWEST,
};

static double bound_bytes(const struct bound *bound,
                          const struct cs_network *network,
                          const struct cs_flow_cut *cut)
{
    uint32_t root = bound->graph->rank_device[bound->root];
    struct cs_crossing crossing = cs_crossing_of(
        &bound->crossing, cut->ranks, cs_cut_has(network, cut, root));

    switch (network->direction) {
    case CS_CUT_INTO:
        return crossing.in_bytes;
    case CS_CUT_OUT_OF:
        return crossing.out_bytes;
    default:
        return crossing.in_bytes + crossing.out_bytes;
    }
}

static void bound_try_cut(struct bound *bound, enum cs_cut_direction direction,
                          enum bound_search search)
{
    uint32_t root = bound->graph->rank_device[bound->root];
    struct cs_arena scratch = {0};
    struct cs_network network =
        cs_network_of(bound->graph, &bound->cells, direction, &scratch);
    struct cs_flow_cut cut = search == SEARCH_DENSEST
                                 ? cs_cuts_densest(&network, &scratch)
                             : search == SEARCH_TOWARDS
                                 ? cs_cuts_towards(&network, root, &scratch)
                                 : cs_cuts_narrowest(&network, root, &scratch);

    if (cut.inside) {
        double time_s = bound_seconds(bound_bytes(bound, &network, &cut),
                                      cut.rate_Bps, cut.latency_ps);

        if (bound_is_higher(bound, time_s))
            bound_offer(bound, time_s,
                        cs_why_cut(&network, &cut, bound->arena));
    }
    cs_arena_free(&scratch);
}

/* Any set of ranks: those without the root, then those with the root, whose
 * complements have none. */
static void bound_try_all_cuts(struct bound *bound)
{
    bound_try_cut(bound, CS_CUT_INTO, SEARCH_NARROWEST);
    if (bound->traits.is_one_way)
        bound_try_cut(bound, CS_CUT_OUT_OF, SEARCH_NARROWEST);
}

/* 2 (m-1) V enter the groups, as many bytes leave, and both share what is not
 * full duplex. */
static void bound_try_partition(struct bound *bound,
                                enum cs_cut_direction direction)
{
    struct cs_arena scratch = {0};
    struct cs_network network =
        cs_network_of(bound->graph, &bound->cells, direction, &scratch);
    struct cs_strength strength = cs_strength_of(&network, &scratch);
    double volume =
        (direction == CS_CUT_BOTH ? 4 : 2) * bound->request->vector_bytes;
    double time_s = 0;

    if (strength.groups > 1)
        time_s = bound_seconds((strength.groups - 1) * volume,
                               strength.rate_Bps, strength.latency_ps);
    if (bound_is_higher(bound, time_s))
        bound_offer(bound, time_s,
                    cs_why_partition(&network, &strength, bound->arena));
    cs_arena_free(&scratch);
}

/* With wires equal in both directions a partition in two is a cut. */
static void bound_try_allreduce(struct bound *bound)
{
    if (bound->graph->agent_count || bound->traits.is_one_way)
        bound_try_all_cuts(bound);
    if (bound->graph->agent_count) {
        if (bound->traits.is_shared)
            bound_try_cut(bound, CS_CUT_BOTH, SEARCH_NARROWEST);
        return;
    }
    bound_try_partition(bound, CS_CUT_INTO);
    if (bound->traits.is_one_way)
        bound_try_partition(bound, CS_CUT_OUT_OF);
    if (bound->traits.is_shared)
        bound_try_partition(bound, CS_CUT_BOTH);
}

/* Every block crosses a cut one time or the other: V, where directions share. */
static void bound_try_blocks(struct bound *bound,
                             enum cs_cut_direction direction)
{
    bound_try_cut(bound, direction, SEARCH_DENSEST);
    if (bound->traits.is_shared)
        bound_try_cut(bound, CS_CUT_BOTH, SEARCH_NARROWEST);
}

/* The cut of an all-gather first: a candidate where pairs are too many. */
static void bound_try_alltoall(struct bound *bound)
{
    struct cs_arena scratch = {0};
    struct cs_cells cells = cs_cells_of(bound->graph, CS_NO_CELL, &scratch);
    struct cs_lengths lengths = cs_lengths_of(bound->graph, &cells, &scratch);
    struct cs_alltoall pairs = cs_alltoall_of(&lengths, &scratch);
    double block_bytes =
        bound->request->vector_bytes / bound->graph->rank_count;
    double time_s = block_bytes * pairs.seconds_per_byte + pairs.latency_s;

    bound_try_cut(bound, CS_CUT_INTO, SEARCH_DENSEST);
    if (bound_is_higher(bound, time_s))
        bound_offer(
            bound, time_s,
            cs_why_alltoall(bound->graph, &lengths, &pairs, bound->arena));
    cs_arena_free(&scratch);
}

static void bound_try_flows(struct bound *bound)
{
    const struct cs_collective *collective = bound->request->collective;
    bool to_root = collective->after == CS_ROOT;
    bool from_root = collective->before == CS_ROOT;
    bool in_blocks =
        collective->before == CS_OWN_BLOCK || collective->after == CS_OWN_BLOCK;

    if (collective->is_signal)
        return;
    if (to_root || from_root)
        bound_try_cut(bound, to_root == in_blocks ? CS_CUT_INTO : CS_CUT_OUT_OF,
                      in_blocks ? SEARCH_TOWARDS : SEARCH_NARROWEST);
    else if (in_blocks)
        bound_try_blocks(bound, collective->before == CS_OWN_BLOCK
                                    ? CS_CUT_INTO
                                    : CS_CUT_OUT_OF);
    else if (collective->after == CS_TRANSPOSED)
        bound_try_alltoall(bound);
    else if (collective->bus == CS_BUS_TWICE)
        bound_try_allreduce(bound);
    else
        bound_try_all_cuts(bound);
}

/* Whether flows are affordable; finds the cells. */
static bool bound_has_flows(struct bound *bound)
{
    const struct cs_graph *graph = bound->graph;
    uint64_t arcs = 0;

    bound->cells =
        cs_cells_of(graph, graph->rank_device[bound->root], &bound->scratch);
    bound->traits = cs_network_traits(graph);
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_wire wire = cs_graph_wire(graph, w);

        arcs += cs_cells_wire_weight(&bound->cells, &wire) ? 2 : 0;
    }
    return arcs <= CS_BOUND_ARCS;
}

/* ---- latency and reductions ---- */

/* Some rank's block may be empty: no rank needs to be informed of it. */
static bool bound_has_empty_blocks(const struct bound *bound)
{
    const struct cs_collective *collective = bound->request->collective;
    bool in_blocks = collective->before == CS_OWN_BLOCK ||
                     collective->after == CS_OWN_BLOCK ||
                     collective->after == CS_TRANSPOSED;

    return in_blocks &&
           bound->request->vector_bytes <
               (double)bound->graph->rank_count * bound->request->element_bytes;
}

static void bound_try_reach(struct bound *bound)
{
    enum cs_content after = bound->request->collective->after;
    uint64_t farthest_ps;

    if (after == CS_SHIFTED || bound_has_empty_blocks(bound) ||
        bound_is_vast(bound))
        return;
    farthest_ps = cs_reach_farthest_ps(
        bound->graph, bound->net, bound->root,
        after == CS_ROOT ? CS_REACH_TO : CS_REACH_FROM, &bound->scratch);
    bound_offer(bound, (double)farthest_ps * 1e-12,
                "latency to the farthest rank");
}

static void bound_try_reductions(struct bound *bound)
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
                "reductions, by all parties together");
}

static struct bound bound_begin(const struct cs_graph *graph,
                                const struct cs_net *net,
                                const struct cs_bound_request *request,
                                struct cs_arena *arena)
{
    struct bound bound = {.graph = graph,
                          .net = net,
                          .request = request,
                          .crossing = {request->collective,
                                       request->vector_bytes, graph->rank_count,
                                       request->element_bytes},
                          .arena = arena,
                          .best = {0, "nothing has to move"}};

    if (request->collective->after == CS_NOTHING)
        bound.best.why = "nothing is promised";
    return bound;
}

struct cs_bound cs_bound_of(const struct cs_graph *graph,
                            const struct cs_net *net,
                            const struct cs_bound_request *request,
                            struct cs_arena *arena)
{
    struct bound bound = bound_begin(graph, net, request, arena);
    uint32_t slot;

    if (graph->rank_count < 2 || request->collective->after == CS_NOTHING)
        return bound.best;
    slot = cs_net_party_at(net, request->root).node;
    while (graph->rank_device[bound.root] != slot)
        bound.root++;
    bound.groups = cs_groups_of(net, &bound.scratch);
    bound_try_reach(&bound);
    bound_try_ranks(&bound);
    if (!request->ports_only) {
        if (bound_has_flows(&bound))
            bound_try_flows(&bound);
        bound_try_rates(&bound);
    }
    bound_try_reductions(&bound);
    cs_arena_free(&bound.scratch);
    return bound.best;
}
