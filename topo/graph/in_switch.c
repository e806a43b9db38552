#include "topo/graph/in_switch.h"

#include "topo/graph/route.h"

#include <assert.h>
#include <string.h>

enum {
    NO_LINK = UINT32_MAX,
    NO_PARTY = UINT32_MAX,
    HOPS_MAX = 4, /* up two levels and down two */
};

/* The tree: by party, ranks first, then agents. */
struct in_switch_routes {
    cs_route_fn *route; /* between ranks */
    void *route_ctx;
    const struct cs_graph *graph;
    uint32_t parties;
    uint32_t *agent_in; /* switch -> the first agent there */
    uint32_t *above;    /* party -> the switch above, or NO_PARTY */
    uint32_t *up;       /* party -> link to it */
    uint32_t *down;     /* party -> link from it */
};

/* From `src` up to the lowest common ancestor, then down to `dst`.  Between the
 * agents of two nodes, which have no ancestor, there is no link. */
static uint32_t inside_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct in_switch_routes *through = ctx;
    uint32_t down[HOPS_MAX], downs = 0, hops = 0;

    if (src < through->graph->rank_count && dst < through->graph->rank_count)
        return through->route(through->route_ctx, src, dst, links);
    while (cs_graph_party_device(through->graph, src) !=
               cs_graph_party_device(through->graph, dst) &&
           (through->above[src] != NO_PARTY || through->above[dst] != NO_PARTY))
        if (through->above[dst] != NO_PARTY && (dst < src || through->above[src] == NO_PARTY)) {
            down[downs++] = through->down[dst];
            dst = through->agent_in[through->above[dst]];
        } else {
            links[hops++] = through->up[src];
            src = through->agent_in[through->above[src]];
        }
    while (downs)
        links[hops++] = down[--downs];
    return hops;
}

/* An array of NO_LINK or NO_PARTY. */
static uint32_t *in_switch_nothing(const struct cs_graph *graph, size_t count)
{
    uint32_t *numbers = cs_arena_alloc(graph->arena, count, sizeof(*numbers));

    memset(numbers, 0xff, count * sizeof(*numbers));
    return numbers;
}

static bool in_switch_leads(const struct cs_graph *graph, uint32_t link)
{
    return cs_wire_leads(&graph->wires[link / 2], link);
}

static double link_rate(const struct cs_graph *graph, uint32_t link)
{
    return cs_wire_effective(&graph->wires[link / 2]);
}

/* ---- selection of switches ---- */

static bool in_switch_is_switch(const struct cs_graph *graph, uint32_t device)
{
    enum cs_device_kind kind = graph->devices[device].kind;

    return kind == CS_DEVICE_SWITCH || kind == CS_DEVICE_BUS;
}

/* The switch with the most bandwidth on wires of marked devices, the first of
 * equals; device_count without a switch. */
static uint32_t busiest_switch(const struct cs_graph *graph, const bool *marked)
{
    double *rates_Bps = cs_arena_alloc(graph->arena, graph->device_count, sizeof(*rates_Bps));
    uint32_t best = graph->device_count;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];

        if (marked[wire->a])
            rates_Bps[wire->b] += cs_wire_effective(wire);
        if (marked[wire->b])
            rates_Bps[wire->a] += cs_wire_effective(wire);
    }
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (in_switch_is_switch(graph, d) && !marked[d] && rates_Bps[d] > 0 &&
            (best == graph->device_count || rates_Bps[d] > rates_Bps[best]))
            best = d;
    return best;
}

static bool *no_marks(const struct cs_graph *graph)
{
    return cs_arena_alloc(graph->arena, graph->device_count, sizeof(bool));
}

/* Device -> the switch on the device's fastest wire, or NO_PARTY. */
static uint32_t *nearest_switches(const struct cs_graph *graph)
{
    uint32_t *nearest = in_switch_nothing(graph, graph->device_count);
    double *rates_Bps = cs_arena_alloc(graph->arena, graph->device_count, sizeof(*rates_Bps));

    for (uint32_t i = 0; i < 2 * graph->wire_count; i++) {
        const struct cs_wire *wire = &graph->wires[i / 2];
        uint32_t from = i % 2 ? wire->b : wire->a;
        uint32_t to = i % 2 ? wire->a : wire->b;

        if (!in_switch_is_switch(graph, to) || !in_switch_leads(graph, i) ||
            cs_wire_effective(wire) <= rates_Bps[from])
            continue;
        rates_Bps[from] = cs_wire_effective(wire);
        nearest[from] = to;
    }
    return nearest;
}

static int no_switch(const struct cs_graph *graph, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT, "'%s' has no switch that its ranks are wired to",
                      graph->name);
}

/* ---- wires ---- */

static struct in_switch_routes *in_switch_new_routes(struct cs_graph *graph, uint32_t agents)
{
    struct in_switch_routes *through = cs_arena_alloc(graph->arena, 1, sizeof(*through));

    graph->agent_count = agents;
    graph->agent_device = cs_arena_alloc(graph->arena, agents, sizeof(*graph->agent_device));
    through->graph = graph;
    through->parties = graph->rank_count + agents;
    through->agent_in = in_switch_nothing(graph, graph->device_count);
    through->above = in_switch_nothing(graph, through->parties);
    through->up = in_switch_nothing(graph, through->parties);
    through->down = in_switch_nothing(graph, through->parties);
    return through;
}

/* Selects the fastest link, the first of equals. */
static void offer_link(const struct cs_graph *graph, uint32_t link, uint32_t *best)
{
    if (in_switch_leads(graph, link) &&
        (*best == NO_LINK || link_rate(graph, link) > link_rate(graph, *best)))
        *best = link;
}

static void in_switch_find_wires(const struct cs_graph *graph, struct in_switch_routes *through)
{
    uint32_t *party_at = in_switch_nothing(graph, graph->device_count);

    for (uint32_t i = 0; i < through->parties; i++)
        if (through->above[i] != NO_PARTY)
            party_at[cs_graph_party_device(graph, i)] = i;
    for (uint32_t i = 0; i < 2 * graph->wire_count; i++) {
        const struct cs_wire *wire = &graph->wires[i / 2];
        uint32_t party = party_at[i % 2 ? wire->b : wire->a];

        if (party == NO_PARTY || through->above[party] != (i % 2 ? wire->a : wire->b))
            continue;
        offer_link(graph, i, &through->up[party]);
        offer_link(graph, i ^ 1, &through->down[party]);
    }
}

enum in_switch_direction {
    IN_SWITCH_UP,
    IN_SWITCH_DOWN
};

/* A leaf without a wire to the top is in a fabric of more levels: one spine
 * reaches the leaves of a pod only. */
static int no_wire(const struct cs_graph *graph, uint32_t party, enum in_switch_direction direction,
                   uint32_t above, struct cs_err *err)
{
    uint32_t device = cs_graph_party_device(graph, party);
    uint32_t from = direction == IN_SWITCH_UP ? device : above;
    uint32_t to = direction == IN_SWITCH_UP ? above : device;

    return cs_err_set(
        err, CS_EINPUT,
        "no wire leads from '%s' straight to '%s', as reduction in the switch needs%s",
        graph->devices[from].name, graph->devices[to].name,
        party < graph->rank_count ? ""
                                  : ": its tree has two levels, leaves and one switch above all");
}

/* Both directions of each edge need a wire: sums go up, results come down. */
static int in_switch_check_wires(const struct cs_graph *graph,
                                 const struct in_switch_routes *through, struct cs_err *err)
{
    for (uint32_t i = 0; i < through->parties; i++) {
        if (through->above[i] == NO_PARTY)
            continue;
        if (through->up[i] == NO_LINK)
            return no_wire(graph, i, IN_SWITCH_UP, through->above[i], err);
        if (through->down[i] == NO_LINK)
            return no_wire(graph, i, IN_SWITCH_DOWN, through->above[i], err);
    }
    return 0;
}

/* After all parties are placed: finds the wires of the tree and sets the
 * routes. */
static int in_switch_connect(struct cs_graph *graph, struct in_switch_routes *through,
                             struct cs_err *err)
{
    in_switch_find_wires(graph, through);
    if (in_switch_check_wires(graph, through, err))
        return CS_EINPUT;
    for (uint32_t i = graph->agent_count; i-- > 0;)
        through->agent_in[graph->agent_device[i]] = graph->rank_count + i;
    cs_routes_give(graph);
    through->route = graph->route;
    through->route_ctx = graph->route_ctx;
    if (graph->route_max_hops < HOPS_MAX)
        graph->route_max_hops = HOPS_MAX;
    graph->route = inside_route;
    graph->route_ctx = through;
    return 0;
}

/* ---- a single switch ---- */

int cs_graph_place_inside(struct cs_graph *graph, uint32_t agents, struct cs_err *err)
{
    bool *computes = no_marks(graph);
    struct in_switch_routes *through;
    uint32_t inside;

    for (uint32_t d = 0; d < graph->device_count; d++)
        computes[d] = cs_device_computes(graph->devices[d].kind);
    inside = busiest_switch(graph, computes);
    if (inside == graph->device_count)
        return no_switch(graph, err);
    through = in_switch_new_routes(graph, agents);
    for (uint32_t i = 0; i < agents; i++)
        graph->agent_device[i] = inside;
    for (uint32_t r = 0; r < graph->rank_count; r++)
        through->above[r] = inside;
    return in_switch_connect(graph, through, err);
}

/* ---- a tree ---- */

/* Places the agents of the lower level, for `each` ranks an agent, and marks
 * their switches. */
static int slot_leaves(struct cs_graph *graph, struct in_switch_routes *through, uint32_t each,
                       bool *leaf, struct cs_err *err)
{
    const uint32_t *nearest = nearest_switches(graph);

    for (uint32_t r = 0; r < graph->rank_count; r++) {
        uint32_t *slot = &graph->agent_device[r / each];

        if (r % each == 0) {
            *slot = nearest[graph->rank_device[r]];
            if (*slot == NO_PARTY)
                return no_switch(graph, err);
            if (leaf[*slot])
                return cs_err_set(err, CS_EINPUT,
                                  "rank %u is on '%s', as is the group of %u ranks before it", r,
                                  graph->devices[*slot].name, each);
            leaf[*slot] = true;
        }
        through->above[r] = *slot;
    }
    return 0;
}

int cs_graph_place_tree(struct cs_graph *graph, uint32_t agents, struct cs_err *err)
{
    struct in_switch_routes *through = in_switch_new_routes(graph, agents);
    bool *leaf = no_marks(graph);
    uint32_t top;
    int code;

    assert(agents > 1 && graph->rank_count % (agents - 1) == 0);
    code = slot_leaves(graph, through, graph->rank_count / (agents - 1), leaf, err);
    if (code)
        return code;
    top = busiest_switch(graph, leaf);
    if (top == graph->device_count)
        return cs_err_set(err, CS_EINPUT, "'%s' has no switch above that of its ranks",
                          graph->name);
    graph->agent_device[agents - 1] = top;
    for (uint32_t i = 0; i + 1 < agents; i++)
        through->above[graph->rank_count + i] = top;
    return in_switch_connect(graph, through, err);
}

int cs_graph_place_nodes(struct cs_graph *graph, uint32_t agents, struct cs_err *err)
{
    struct in_switch_routes *through = in_switch_new_routes(graph, agents);
    int code;

    assert(agents > 0 && graph->rank_count % agents == 0);
    code = slot_leaves(graph, through, graph->rank_count / agents, no_marks(graph), err);
    return code ? code : in_switch_connect(graph, through, err);
}

uint32_t cs_graph_ranks_of_switch(const struct cs_graph *graph)
{
    const uint32_t *nearest = nearest_switches(graph);
    uint32_t first = nearest[graph->rank_device[0]];
    uint32_t ranks = 0;

    while (first != NO_PARTY && ranks < graph->rank_count &&
           nearest[graph->rank_device[ranks]] == first)
        ranks++;
    return ranks;
}
