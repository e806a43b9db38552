#include "algorithms/bounds/group_bounds.h"

#include "algorithms/bounds/flow_bounds.h"
#include "algorithms/bounds/why.h"

#include <math.h>

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
    for (uint32_t i = 0; i < islands->count; i++)
        group_bound_crossing(of, islands, i, group_bound_crossing_of(of, islands, i), why);
}

void cs_group_bounds_of_ranks(struct cs_bound_case *of)
{
    struct cs_arena scratch = {0};
    struct cs_islands islands = cs_islands_of(of->graph, INFINITY, &scratch);

    group_bound_all(of, &islands, cs_why_own_links(of->graph, of->arena));
    cs_arena_free(&scratch);
}

/* The minimum cut around a group can be narrower than the group's own links. */
static void group_bound_first_island(struct cs_bound_case *of, const struct cs_islands *islands)
{
    const struct cs_graph *graph = of->graph;
    struct cs_arena scratch = {0};
    bool *is_inside = cs_arena_alloc(&scratch, graph->rank_count, sizeof(*is_inside));

    for (uint32_t r = 0; r < graph->rank_count; r++)
        is_inside[r] = cs_island_at(islands, graph->rank_device[r]) == 0;
    cs_flow_bound_around(of, is_inside);
    cs_arena_free(&scratch);
}

/* Cuts the wires up to `rate_Bps`, the rate of `wire`. */
static void group_bound_rate(struct cs_bound_case *of, double rate_Bps, const struct cs_wire *wire)
{
    const struct cs_graph *graph = of->graph;
    struct cs_arena scratch = {0};
    struct cs_islands islands = cs_islands_of(graph, rate_Bps, &scratch);

    if (islands.count >= 2 && islands.count < graph->rank_count) {
        if (cs_flow_bound_wants_groups(of))
            group_bound_first_island(of, &islands);
        group_bound_all(of, &islands,
                        cs_arena_printf(of->arena, "links between %u groups of ranks (%s)",
                                        islands.count, wire->class_name));
    }
    cs_arena_free(&scratch);
}

void cs_group_bounds_of_rates(struct cs_bound_case *of)
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
