#include "algorithms/bounds/case.h"

#include "algorithms/bounds/cuts.h"
#include "algorithms/bounds/partitions.h"

static double flow_bound_bytes(const struct cs_bound_case *of, enum cs_cut_direction direction,
                               uint32_t inside, bool has_root)
{
    struct cs_crossing crossing = cs_crossing_of(&of->crossing, inside, has_root);

    switch (direction) {
    case CS_CUT_INTO:
        return crossing.in_bytes;
    case CS_CUT_OUT_OF:
        return crossing.out_bytes;
    default:
        return crossing.in_bytes + crossing.out_bytes;
    }
}

/* The searches kept for the machine, or of this bound alone. */
static struct cs_partitions *flow_bound_kept(const struct cs_bound_case *of)
{
    return of->request->partitions ? of->request->partitions : cs_partitions_new(of->arena);
}

/* The search minimises rates by equal blocks; the bytes then count the actual
 * blocks, and the bound is that of the cut found. */
static void flow_bound_cut(struct cs_bound_case *of, enum cs_cut_direction direction,
                           cs_cut_search *search)
{
    uint32_t root = of->graph->rank_device[of->root];
    struct cs_found_cut cut =
        cs_partitions_cut(flow_bound_kept(of), of->graph, &of->cells, root, direction, search);

    if (cut.why)
        cs_bound_offer(of,
                       cs_bound_seconds(flow_bound_bytes(of, direction, cut.ranks, cut.has_root),
                                        cut.rate_Bps, cut.latency_ps),
                       cut.why);
}

/* Arbitrary sets of ranks: sets without the root, then the complements of sets
 * without the root. */
static void flow_bound_all_cuts(struct cs_bound_case *of)
{
    flow_bound_cut(of, CS_CUT_INTO, cs_cuts_narrowest);
    if (of->traits.is_one_way)
        flow_bound_cut(of, CS_CUT_OUT_OF, cs_cuts_narrowest);
}

/* 2 (m-1) V enter the groups, and as many bytes leave; bytes in and out share
 * half-duplex wires and media. */
static void flow_bound_partition(struct cs_bound_case *of, enum cs_cut_direction direction)
{
    double volume = (direction == CS_CUT_BOTH ? 4 : 2) * of->request->vector_bytes;
    struct cs_partition partition = cs_partitions_find(flow_bound_kept(of), of->graph, &of->cells,
                                                       of->graph->rank_device[of->root], direction);

    if (partition.groups > 1)
        cs_bound_offer(of,
                       cs_bound_seconds((partition.groups - 1) * volume, partition.rate_Bps,
                                        partition.latency_ps),
                       partition.why);
}

static void flow_bound_partitions(struct cs_bound_case *of)
{
    flow_bound_partition(of, CS_CUT_INTO);
    if (of->traits.is_one_way)
        flow_bound_partition(of, CS_CUT_OUT_OF);
    if (of->traits.is_shared)
        flow_bound_partition(of, CS_CUT_BOTH);
}

/* With reductions in the network only cuts hold. */
static void flow_bound_cuts_alone(struct cs_bound_case *of)
{
    flow_bound_all_cuts(of);
    if (of->traits.is_shared)
        flow_bound_cut(of, CS_CUT_BOTH, cs_cuts_narrowest);
}

/* Without one-way wires a partition in two is a cut, and needs no own
 * search. */
static void flow_bound_allreduce(struct cs_bound_case *of)
{
    if (of->graph->agent_count) {
        flow_bound_cuts_alone(of);
        return;
    }
    if (of->traits.is_one_way)
        flow_bound_all_cuts(of);
    of->excludes_reducers = of->reducer_count > 0;
    flow_bound_partitions(of);
    of->excludes_reducers = false;
}

void cs_flow_bounds_with_reducers(struct cs_bound_case *of)
{
    if (of->has_flows && !of->graph->agent_count && of->request->collective->bus == CS_BUS_TWICE &&
        cs_bound_raises(&of->best.machine, of->best.own.time_s))
        flow_bound_cuts_alone(of);
}

/* Every block enters or leaves a set: V, where directions share. */
static void flow_bound_blocks(struct cs_bound_case *of, enum cs_cut_direction direction)
{
    flow_bound_cut(of, direction, cs_cuts_densest);
    if (of->traits.is_shared)
        flow_bound_cut(of, CS_CUT_BOTH, cs_cuts_narrowest);
}

/* Marks the cells of the ranks inside; false where a cell of merged hosts has
 * ranks on both sides, or no rank is on one of the sides. */
static bool flow_bound_mark(const struct cs_bound_case *of, const bool *is_inside, bool *is_member,
                            bool *is_outside)
{
    const struct cs_graph *graph = of->graph;
    uint32_t inside = 0;

    for (uint32_t r = 0; r < graph->rank_count; r++) {
        uint32_t cell = of->cells.of[graph->rank_device[r]];

        is_member[cell] = is_member[cell] || is_inside[r];
        is_outside[cell] = is_outside[cell] || !is_inside[r];
        inside += is_inside[r];
    }
    for (uint32_t c = 0; c < of->cells.count; c++)
        if (is_member[c] && is_outside[c])
            return false;
    return inside > 0 && inside < graph->rank_count;
}

void cs_flow_bound_around(struct cs_bound_case *of, const bool *is_inside)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    bool *is_member = cs_arena_alloc(&scratch, of->cells.count, sizeof(*is_member));
    bool *is_outside = cs_arena_alloc(&scratch, of->cells.count, sizeof(*is_outside));

    if (flow_bound_mark(of, is_inside, is_member, is_outside)) {
        struct cs_network network = cs_network_of(of->graph, &of->cells, CS_CUT_INTO, &scratch);
        struct cs_flow_cut cut = cs_cuts_around(&network, is_member, &scratch);
        bool has_root = cs_cut_has(&network, &cut, of->graph->rank_device[of->root]);
        double time_s = cs_bound_seconds(flow_bound_bytes(of, CS_CUT_INTO, cut.ranks, has_root),
                                         cut.rate_Bps, cut.latency_ps);

        if (cs_bound_is_higher(of, time_s))
            cs_bound_offer(of, time_s, cs_why_cut(&network, &cut, of->arena));
    }
}

/* The ranks in the first nodes, from that of the first rank on. */
static void flow_bound_first_nodes(struct cs_bound_case *of, uint32_t nodes)
{
    const struct cs_graph *graph = of->graph;
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    bool *is_inside = cs_arena_alloc(&scratch, graph->rank_count, sizeof(*is_inside));
    uint32_t first = cs_graph_rank_host(graph, 0);

    for (uint32_t r = 0; r < graph->rank_count; r++)
        is_inside[r] = cs_graph_rank_host(graph, r) - first < nodes;
    cs_flow_bound_around(of, is_inside);
}

/* The cut of an all-gather and that of a node first: candidates on machines with too many pairs,
 * as are halves of rings and tori of nodes, and halves of these. */
static void flow_bound_pairs(struct cs_bound_case *of)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_cells cells = cs_cells_of(of->graph, CS_NO_CELL, &scratch);
    struct cs_lengths lengths = cs_lengths_of(of->graph, &cells, &scratch);
    struct cs_demand demand = cs_demand_of_all(&lengths, &scratch);
    struct cs_pairs pairs = cs_pairs_of(&demand, &scratch);
    uint32_t last = cs_graph_rank_host(of->graph, of->graph->rank_count - 1);
    double block_bytes = of->request->vector_bytes / of->graph->rank_count;
    double time_s = block_bytes * pairs.seconds_per_byte + pairs.latency_s;

    flow_bound_cut(of, CS_CUT_INTO, cs_cuts_densest);
    flow_bound_first_nodes(of, 1);
    if (cs_bound_is_higher(of, time_s))
        cs_bound_offer(of, time_s, cs_why_pairs(of->graph, &demand, &pairs, of->arena));
    for (uint32_t nodes = (last - cs_graph_rank_host(of->graph, 0) + 1) / 2; nodes > 1; nodes /= 2)
        flow_bound_first_nodes(of, nodes);
}

static void flow_bound_shift(struct cs_bound_case *of)
{
    struct cs_shift shift = cs_partitions_shift(flow_bound_kept(of), of->graph, of->net);

    flow_bound_all_cuts(of);
    cs_bound_offer(of, of->request->vector_bytes * shift.seconds_per_byte + shift.latency_s,
                   shift.why);
}

/* Collectives differ in who has data before and who has data after. */
static void flow_bound_search_all(struct cs_bound_case *of)
{
    const struct cs_collective *collective = of->request->collective;
    bool to_root = collective->after == CS_ROOT;
    bool from_root = collective->before == CS_ROOT;
    bool in_blocks = collective->before == CS_OWN_BLOCK || collective->after == CS_OWN_BLOCK;

    if (collective->is_signal)
        return;
    if (to_root || from_root)
        flow_bound_cut(of, to_root == in_blocks ? CS_CUT_INTO : CS_CUT_OUT_OF,
                       in_blocks ? cs_cuts_towards : cs_cuts_narrowest);
    else if (in_blocks)
        flow_bound_blocks(of, collective->before == CS_OWN_BLOCK ? CS_CUT_INTO : CS_CUT_OUT_OF);
    else if (collective->after == CS_TRANSPOSED)
        flow_bound_pairs(of);
    else if (collective->after == CS_SHIFTED)
        flow_bound_shift(of);
    else if (collective->bus == CS_BUS_TWICE)
        flow_bound_allreduce(of);
    else
        flow_bound_all_cuts(of);
}

/* Whether flows are affordable; finds the cells. */
static bool flow_bound_has_flows(struct cs_bound_case *of)
{
    const struct cs_graph *graph = of->graph;

    of->cells = cs_cells_of(graph, graph->rank_device[of->root], &of->scratch);
    of->traits = cs_network_traits(graph);
    return cs_cells_wires(&of->cells, graph) <= CS_BOUND_ARCS / 2;
}

void cs_flow_bounds(struct cs_bound_case *of)
{
    of->has_flows = flow_bound_has_flows(of);
    if (of->has_flows)
        flow_bound_search_all(of);
}
