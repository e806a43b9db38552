#include "topo/graph/route_links.h"

#include <math.h>
#include <string.h>

#define PROBE_BYTES ((double)(1 << 20))

/* The cost of the slowest link, 8.8 s or 120 kB/s: a sum over 2^20 links (more
 * than a file may declare) does not overflow. */
#define COST_MAX_PS (UINT64_C(1) << 43)

uint64_t cs_route_wire_cost(const struct cs_wire *wire)
{
    double ps = PROBE_BYTES * 1e12 / cs_wire_effective(wire);
    uint64_t cost = COST_MAX_PS;

    if (ps < (double)COST_MAX_PS && wire->latency_ps < COST_MAX_PS)
        cost = (uint64_t)llround(ps) + wire->latency_ps + 1;
    return cost < COST_MAX_PS ? cost : COST_MAX_PS;
}

static uint32_t wire_start(const struct cs_wire *wire, uint32_t link)
{
    return link % 2 ? wire->b : wire->a;
}

/* Counting sort, so the links of a device are in order of number and ties are
 * resolved equally in every build. */
struct cs_route_links cs_route_links_of(const struct cs_graph *graph, struct cs_arena *arena)
{
    uint32_t *start = cs_arena_alloc(arena, (size_t)graph->device_count + 1, sizeof(*start));
    uint32_t *links = cs_arena_alloc(arena, graph->wire_count, 2 * sizeof(*links));

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        start[graph->wires[w].a + 1]++;
        start[graph->wires[w].b + 1]++;
    }
    for (uint32_t d = 0; d < graph->device_count; d++)
        start[d + 1] += start[d];
    for (uint32_t link = 2 * graph->wire_count; link-- > 0;)
        links[--start[wire_start(&graph->wires[link / 2], link) + 1]] = link;
    /* Rows were filled from the end, so row i begins at start[i + 1]. */
    memmove(start, start + 1, graph->device_count * sizeof(*start));
    start[graph->device_count] = 2 * graph->wire_count;
    return (struct cs_route_links){graph, start, links};
}

static bool route_joins(const struct cs_route_links *links, uint32_t link, uint32_t to)
{
    const struct cs_wire *wire = &links->graph->wires[link / 2];

    return wire_start(wire, link ^ 1) == to && cs_wire_leads(wire, link);
}

uint32_t cs_route_link(const struct cs_route_links *links, uint32_t from, uint32_t to)
{
    uint32_t best = UINT32_MAX;
    uint64_t least = UINT64_MAX;

    for (uint32_t i = links->start[from]; i < links->start[from + 1]; i++) {
        uint32_t link = links->links[i];
        uint64_t cost = cs_route_wire_cost(&links->graph->wires[link / 2]);

        if (!route_joins(links, link, to) || cost >= least)
            continue;
        best = link;
        least = cost;
    }
    return best;
}

uint32_t cs_route_link_nth(const struct cs_route_links *links, uint32_t from, uint32_t to,
                           uint32_t nth)
{
    for (uint32_t i = links->start[from]; i < links->start[from + 1]; i++)
        if (route_joins(links, links->links[i], to) && nth-- == 0)
            return links->links[i];
    return UINT32_MAX;
}
