#include "algorithms/bounds/bound.h"

#include "algorithms/bounds/case.h"
#include "algorithms/bounds/flow_bounds.h"
#include "algorithms/bounds/group_bounds.h"
#include "algorithms/bounds/reach.h"

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
    farthest_ps = cs_reach_farthest_ps(
        of->graph, of->net, of->root, after == CS_ROOT ? CS_REACH_TO : CS_REACH_FROM, &of->scratch);
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
    cs_group_bounds_of_ranks(of);
    if (!of->request->ports_only) {
        cs_flow_bounds(of);
        cs_group_bounds_of_rates(of);
        cs_flow_bounds_with_reducers(of);
    }
    bound_try_reductions(of);
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
