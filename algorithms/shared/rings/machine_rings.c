#include "algorithms/shared/rings/machine_rings.h"

#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/rings/load.h"
#include "algorithms/shared/rings/node_rings.h"
#include "algorithms/shared/rings/torus.h"

#include <math.h>

enum {
    PAIRS_MAX = 1 << 19 /* pairs of end ranks over all nodes and rings */
};

/* The search over all divisions into nodes. */
struct machine_rings {
    const struct cs_rings *best; /* NULL: none yet */
    struct cs_arena *arena;      /* of the result */
    struct cs_arena *scratch;
};

/* Keeps the better of *best and other rings; equal rates keep *best. */
static void keep_better(const struct cs_rings *rings, const struct cs_rings **best)
{
    if (!*best || cs_rings_rate_Bps(rings) > cs_rings_rate_Bps(*best) * CS_RING_ROUNDING)
        *best = rings;
}

/* Rates of which rings of nodes carry no more. */
struct ring_limits {
    /* Where each ring enters a node where the last one was left. */
    double exit_Bps;
    double inside_Bps;
};

/* The slowest links of the routes out of the first node, each link counted once;
 * infinite for a single node. */
static double exit_rate(const struct cs_ring_nodes *nodes, struct cs_arena *scratch)
{
    const struct cs_net *net = nodes->net;
    bool *seen = cs_arena_alloc(scratch, net->resource_count, sizeof(*seen));
    double sum_Bps = 0;

    if (nodes->group == nodes->ranks)
        return (double)INFINITY;
    for (uint32_t i = 0; i < nodes->group; i++) {
        uint32_t hops =
            net->route(net->route_ctx, nodes->rank[i], nodes->rank[nodes->group + i], nodes->links);
        struct cs_net_link slowest = {.rate_Bps = (double)INFINITY};

        for (uint32_t k = 0; k < hops; k++) {
            struct cs_net_link link = cs_net_link_at(net, nodes->links[k]);

            if (link.rate_Bps < slowest.rate_Bps)
                slowest = link;
        }
        if (hops && !seen[slowest.resource])
            sum_Bps += slowest.rate_Bps;
        seen[slowest.resource] = true;
    }
    return sum_Bps;
}

/* The links with which routes in the first node begin, each resource counted once. */
static double inside_rates(const struct cs_ring_nodes *nodes, double *rate_Bps)
{
    const struct cs_net *net = nodes->net;
    uint32_t n = nodes->group;
    double sum_Bps = 0;

    for (uint32_t i = 0; i < n * n; i++) {
        struct cs_net_link first;

        if (i % n == i / n ||
            !net->route(net->route_ctx, nodes->rank[i / n], nodes->rank[i % n], nodes->links))
            continue;
        first = cs_net_link_at(net, nodes->links[0]);
        if (first.rate_Bps > rate_Bps[first.resource]) {
            sum_Bps += first.rate_Bps - rate_Bps[first.resource];
            rate_Bps[first.resource] = first.rate_Bps;
        }
    }
    return sum_Bps;
}

/* Whether the route passes a resource with a rate. */
static bool route_passes(const struct cs_ring_nodes *nodes, struct cs_ring_step step,
                         const double *rate_Bps)
{
    const struct cs_net *net = nodes->net;
    uint32_t hops = net->route(net->route_ctx, step.from, step.to, nodes->links);

    for (uint32_t i = 0; i < hops; i++)
        if (rate_Bps[cs_net_link_at(net, nodes->links[i]).resource] > 0)
            return true;
    return false;
}

/* Every ring leaves all ranks of the first node but one for another rank of the node,
 * and the last one for another slot of the next node: on rails by a link inside. */
static double inside_rate(const struct cs_ring_nodes *nodes, struct cs_arena *scratch)
{
    double *rate_Bps = cs_arena_alloc(scratch, nodes->net->resource_count, sizeof(*rate_Bps));
    double sum_Bps = inside_rates(nodes, rate_Bps);
    uint32_t n = nodes->group;
    bool always = n < nodes->ranks;

    if (n < 2)
        return (double)INFINITY;
    for (uint32_t i = 0; i < n * n && always; i++)
        if (i % n != i / n) {
            struct cs_ring_step step = {nodes->rank[i / n], nodes->rank[n + i % n]};

            always = route_passes(nodes, step, rate_Bps);
        }
    return sum_Bps / (always ? n : n - 1);
}

static struct ring_limits ring_limits_of(const struct cs_ring_nodes *nodes,
                                         struct cs_arena *scratch)
{
    return (struct ring_limits){exit_rate(nodes, scratch), inside_rate(nodes, scratch)};
}

static bool rings_reach(const struct cs_rings *rings, double limit_Bps)
{
    return cs_rings_rate_Bps(rings) * CS_RING_ROUNDING >= limit_Bps;
}

static bool rings_reach_any(const struct cs_rings *rings, struct ring_limits limits)
{
    return rings_reach(rings, limits.exit_Bps) || rings_reach(rings, limits.inside_Bps);
}

/* The number of rings with the highest rate.  First the number of local rings,
 * doubled while more adapters than local rings carry more; then, until the rate
 * reaches the limit, every number up to twice the local one: lost or slow
 * adapters make odd numbers the best. */
static void join_best(const struct cs_ring_nodes *nodes, struct cs_node_rings local,
                      struct ring_limits limits, struct machine_rings *search)
{
    struct cs_node_rings cut = {local.order, local.count, false};
    struct cs_arena *arena = search->arena;
    const struct cs_rings *rings = cs_rings_join(nodes, cut, cut.count, arena);
    uint32_t count = local.count;

    while (nodes->group < nodes->ranks && count == rings->count && 2 * count <= CS_RINGS_MAX &&
           !rings_reach(rings, limits.inside_Bps) && !cs_ring_nodes_stopped(nodes)) {
        count *= 2;
        keep_better(cs_rings_join(nodes, cut, count, arena), &rings);
    }
    for (count = 1;
         nodes->group < nodes->ranks && count <= 2 * local.count && count <= CS_RINGS_MAX &&
         !rings_reach_any(rings, limits) && !cs_ring_nodes_stopped(nodes);
         count++) {
        if (local.any_order)
            keep_better(cs_rings_join(nodes, local, count, arena), &rings);
        keep_better(cs_rings_join(nodes, cut, count, arena), &rings);
    }
    keep_better(rings, &search->best);
}

/* Rings of strides, and of the near order and the reverse of the near order. */
static void rings_without_wires(const struct cs_ring_nodes *nodes, struct cs_node_rings local,
                                struct ring_limits limits, struct machine_rings *search)
{
    uint32_t n = nodes->group;

    if (n > CS_RINGS_SEARCH_MAX)
        return;
    if (n < nodes->ranks) {
        local.count = cs_rings_of_strides(n, local.order);
        local.any_order = (uint64_t)n * nodes->ranks * local.count <= PAIRS_MAX;
        join_best(nodes, local, limits, search);
        if (rings_reach_any(search->best, limits))
            return;
        local.any_order = false;
    }
    cs_near_order(nodes, local.order, search->scratch);
    for (uint32_t i = 0; i < n; i++)
        local.order[n + i] = local.order[n - 1 - i];
    for (local.count = 1; local.count <= 2; local.count++)
        join_best(nodes, local, limits, search);
}

static void rings_of_nodes(const struct cs_ring_nodes *nodes, struct machine_rings *search)
{
    struct cs_node_rings local = {
        .order =
            cs_arena_alloc(search->scratch, (size_t)CS_RINGS_MAX * nodes->group, sizeof(uint32_t))};
    struct ring_limits limits = ring_limits_of(nodes, search->scratch);

    local.count = cs_rings_of_wires(nodes, limits.exit_Bps, local.order, search->scratch);
    if (local.count)
        join_best(nodes, local, limits, search);
    /* Over several nodes adapters are slower than wires: no need to try the
     * rest, which takes the same time again for each number of rings. */
    if (!local.count || nodes->group == nodes->ranks)
        rings_without_wires(nodes, local, limits, search);
}

/* Numbers the parts that wires join: part[slot], and returns the number of
 * parts if all have equal size, otherwise 1. */
static uint32_t parts_of_wires(const struct cs_ring_nodes *nodes, uint32_t *part, uint32_t *stack)
{
    uint32_t n = nodes->group;
    uint32_t parts = 0, first_size = 0, size, i, b;

    for (i = 0; i < n; i++)
        part[i] = n;
    for (i = 0; i < n; i++) {
        uint32_t depth = 0;

        if (part[i] < n)
            continue;
        part[i] = parts;
        stack[depth++] = i;
        for (size = 0; depth; size++) {
            uint32_t a = stack[--depth];

            for (b = 0; b < n; b++)
                if (part[b] == n && nodes->rate_Bps[(size_t)a * n + b] > 0) {
                    part[b] = parts;
                    stack[depth++] = b;
                }
        }
        first_size = parts++ ? first_size : size;
        if (size != first_size || size < 2)
            return 1;
    }
    return parts;
}

/* Takes each part as a node: part by part within each node, or (`by_part`) node
 * by node within each part. */
static void rings_of_parts(const struct cs_ring_nodes *whole, uint32_t parts, const uint32_t *part,
                           bool by_part, struct machine_rings *search)
{
    uint32_t n = whole->group;
    uint32_t size = n / parts;
    uint32_t *rank = cs_arena_alloc(search->scratch, whole->ranks, sizeof(*rank));
    uint32_t *filled = cs_arena_alloc(search->scratch, parts, sizeof(*filled));
    struct cs_ring_nodes nodes;

    for (uint32_t first = 0; first < whole->ranks; first += n) {
        uint32_t node = first / n;

        for (uint32_t i = 0; i < parts; i++)
            filled[i] = size * (by_part ? i * (whole->ranks / n) + node : node * parts + i);
        for (uint32_t i = 0; i < n; i++)
            rank[filled[part[i]]++] = whole->rank[first + i];
    }
    nodes = cs_ring_nodes_of(whole->net, whole->ranks, size, rank, search->scratch);
    rings_of_nodes(&nodes, search);
}

static void rings_of_divisions(const struct cs_ring_nodes *nodes, struct machine_rings *search)
{
    uint32_t n = nodes->group;
    uint32_t *part = cs_arena_alloc(search->scratch, n, sizeof(*part));
    uint32_t *stack = cs_arena_alloc(search->scratch, n, sizeof(*stack));
    uint32_t parts = parts_of_wires(nodes, part, stack);

    rings_of_nodes(nodes, search);
    if (parts < 2)
        return;
    rings_of_parts(nodes, parts, part, false, search);
    if (n < nodes->ranks)
        rings_of_parts(nodes, parts, part, true, search);
}

/* Bytes per second of strides over all ranks, without regard to nodes. */
static double rate_of_strides(const struct cs_ring_nodes *nodes, struct cs_arena *scratch)
{
    uint32_t *order =
        cs_arena_alloc(scratch, (size_t)CS_STRIDES_MAX * nodes->ranks, sizeof(*order));
    uint32_t count = cs_rings_of_strides(nodes->ranks, order);

    return cs_rings_rate_Bps(cs_rings_of_orders(nodes->net, nodes->ranks, count, order, scratch));
}

/* The best rings against one ring in the order of the ranks, and against
 * strides.  On a single node without wires, rings must carry more than strides,
 * as any order is equally good there. */
static const struct cs_rings *rings_or_strides(const struct cs_ring_nodes *nodes,
                                               struct machine_rings *search)
{
    double strides_Bps = rate_of_strides(nodes, search->scratch);
    double rounding = CS_RING_ROUNDING;

    keep_better(cs_rings_of_orders(nodes->net, nodes->ranks, 1, nodes->rank, search->arena),
                &search->best);
    if (nodes->group == nodes->ranks && !search->best->direct)
        rounding = 1 / CS_RING_ROUNDING;
    return strides_Bps > cs_rings_rate_Bps(search->best) * rounding ? NULL : search->best;
}

/* Whether the ring passes node after node in one order of the slots. */
static bool ring_repeats(const struct cs_ring_nodes *nodes, const uint32_t *order)
{
    for (uint32_t i = nodes->group; i < nodes->ranks; i++)
        if (order[i] != order[i - nodes->group] + nodes->group)
            return false;
    return true;
}

/* The place of the ring's first node behind the dearest step within the node;
 * of equal steps, the place nearest to the next node. */
static uint32_t place_behind_dearest(const struct cs_ring_nodes *nodes, const uint32_t *order)
{
    uint32_t n = nodes->group;
    double dearest_s = 0;
    double out_s = (double)INFINITY;
    uint32_t best = 0;

    for (uint32_t i = 0; i < n; i++) {
        double step_s = cs_near_route_s(nodes, order[cs_behind(i, 1, n)], order[i]);
        double exit_s = cs_near_route_s(nodes, order[i], order[i] + n);

        if (step_s * CS_RING_ROUNDING < dearest_s ||
            (step_s <= dearest_s * CS_RING_ROUNDING && exit_s * CS_RING_ROUNDING >= out_s))
            continue;
        dearest_s = step_s;
        out_s = exit_s;
        best = i;
    }
    return best;
}

/* A single ring is cut in every node at the dearest step, between sockets, where
 * the ring loses nothing: chains along the ring (node_lines.h) then start next to
 * the adapter and pass from socket to socket once. */
static const struct cs_rings *cut_at_dearest(const struct cs_ring_nodes *nodes,
                                             const struct cs_rings *rings, struct cs_arena *arena)
{
    uint32_t n = nodes->group;
    const struct cs_rings *turned;
    uint32_t *order;
    uint32_t turn, i;

    if (!rings || rings->count > 1 || rings->direct || n == nodes->ranks ||
        n > CS_RINGS_SEARCH_MAX || !ring_repeats(nodes, rings->order))
        return rings;
    turn = place_behind_dearest(nodes, rings->order);
    order = cs_arena_alloc(arena, nodes->ranks, sizeof(*order));
    for (i = 0; i < nodes->ranks; i++)
        order[i] = rings->order[i - i % n + cs_ahead(i % n, turn, n)];
    turned = cs_rings_of_orders(nodes->net, nodes->ranks, 1, order, arena);
    return cs_rings_rate_Bps(turned) * CS_RING_ROUNDING >= cs_rings_rate_Bps(rings) ? turned
                                                                                    : rings;
}

/* The rings of a torus; NULL: not one, or one of fewer ranks and with a side of 2, of
 * which the search finds more. */
static const struct cs_rings *rings_of_torus(const struct cs_net *net, uint32_t ranks,
                                             struct cs_arena *arena)
{
    struct cs_torus torus = cs_torus_of_net(net, ranks);
    bool is_halved = torus.count && cs_torus_lanes(&torus) > 1;
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_two_factors lines;
    struct cs_rings *rings = NULL;
    uint32_t *order;
    uint32_t count, most;

    if (torus.count < 2 || ranks > CS_RINGS_TORUS_MAX || (is_halved && ranks <= CS_RINGS_GROUP_MAX))
        return NULL;
    lines = cs_torus_lines(&torus, &scratch);
    most = 2 * lines.factors < CS_RINGS_MAX ? 2 * lines.factors : CS_RINGS_MAX;
    order = cs_arena_alloc(arena, (size_t)most * ranks, sizeof(*order));
    count = cs_torus_helices(&torus, order) ? most : cs_ring_swap_factors(&lines, most, order);
    if (count) {
        rings = cs_rings_of_orders(net, ranks, count, order, arena);
        rings->wanted = most;
    }
    return rings;
}

const struct cs_rings *cs_rings_of_machine(const struct cs_net *net, uint32_t ranks, uint32_t group,
                                           struct cs_arena *arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct machine_rings search = {.arena = arena, .scratch = &scratch};
    uint32_t *rank;
    struct cs_ring_nodes nodes = {.net = net, .ranks = ranks};

    if (group < 2)
        group = ranks;
    search.best = group == ranks ? rings_of_torus(net, ranks, arena) : NULL;
    if (search.best && search.best->count == search.best->wanted)
        return search.best;
    if (ranks < 2 || ranks > (group < ranks ? CS_RINGS_RANKS_MAX : CS_RINGS_SINGLE_MAX))
        return search.best;
    rank = cs_arena_alloc(arena, ranks, sizeof(*rank));
    for (uint32_t i = 0; i < ranks; i++)
        rank[i] = i;
    nodes.rank = rank;
    nodes.group = group;
    if (group <= CS_RINGS_GROUP_MAX) {
        nodes = cs_ring_nodes_of(net, ranks, group, rank, &scratch);
        rings_of_divisions(&nodes, &search);
    }
    return cut_at_dearest(&nodes, rings_or_strides(&nodes, &search), arena);
}
