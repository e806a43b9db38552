#include "algorithms/bounds/flow.h"

#include <math.h>
#include <string.h>

enum {
    FLOW_LOCAL = 256, /* nodes that a search labels in all directions */
    FLOW_GONE = 8,    /* of so many nodes one that supplies no more: hops are counted again */
    FLOW_PHASES = 64, /* of a run, after which searches are by levels alone: an end is proven */
};

void cs_flow_init(struct cs_flow *flow, uint32_t nodes, uint32_t pairs, struct cs_arena *arena)
{
    *flow = (struct cs_flow){.node_count = nodes};
    flow->nodes = cs_arena_alloc(arena, nodes, sizeof(*flow->nodes));
    flow->arcs = cs_arena_alloc(arena, pairs, 2 * sizeof(*flow->arcs));
    flow->drains = cs_arena_alloc(arena, nodes, sizeof(uint32_t));
    flow->queue = cs_arena_alloc(arena, nodes, sizeof(uint32_t));
    flow->spread = cs_arena_alloc(arena, nodes, sizeof(uint32_t));
    flow->visits = cs_arena_alloc(arena, nodes, sizeof(*flow->visits));
    flow->changed_arcs = cs_arena_alloc(arena, pairs, sizeof(uint32_t));
    flow->changed_nodes = cs_arena_alloc(arena, nodes, sizeof(uint32_t));
    for (uint32_t i = 0; i < nodes; i++)
        flow->nodes[i].first = flow->nodes[i].level = flow->nodes[i].near = CS_FLOW_NONE;
}

static void flow_add_half(struct cs_flow *flow, uint32_t from, uint32_t to, double capacity)
{
    flow->arcs[flow->arc_count] = (struct cs_flow_arc){
        .to = to, .next = flow->nodes[from].first, .capacity = capacity, .left = capacity};
    flow->nodes[from].first = flow->arc_count++;
}

uint32_t cs_flow_add(struct cs_flow *flow, uint32_t a, uint32_t b, double ab_capacity,
                     double ba_capacity)
{
    flow_add_half(flow, a, b, ab_capacity);
    flow_add_half(flow, b, a, ba_capacity);
    return flow->arc_count - 2;
}

/* ---- hops from the nearest supply ---- */

/* Takes over fewer hops behind the first `count` nodes of flow->spread, which are sorted by
 * hops. */
static void flow_spread_near(struct cs_flow *flow, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct cs_flow_node *node = &flow->nodes[flow->spread[i]];

        for (uint32_t e = node->first; e != CS_FLOW_NONE; e = flow->arcs[e].next) {
            struct cs_flow_node *to = &flow->nodes[flow->arcs[e].to];

            if (flow->arcs[e].capacity <= 0 || to->near <= node->near + 1)
                continue;
            to->near = node->near + 1;
            flow->spread[count++] = flow->arcs[e].to;
        }
    }
}

static void flow_learn_near(struct cs_flow *flow)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < flow->node_count; i++) {
        bool supplies = flow->nodes[i].supply > 0;

        flow->nodes[i].near = supplies ? 0 : CS_FLOW_NONE;
        if (supplies)
            flow->spread[count++] = i;
    }
    flow_spread_near(flow, count);
    flow->gone = 0;
}

/* ---- supplies and drains ---- */

void cs_flow_supply(struct cs_flow *flow, uint32_t number, double amount)
{
    struct cs_flow_node *node = &flow->nodes[number];

    flow->gone += amount <= 0 && node->supply > 0;
    node->supply = node->supply_left = amount;
    if (amount <= 0 || node->near == 0)
        return;
    node->near = 0;
    flow->spread[0] = number;
    flow_spread_near(flow, 1);
}

void cs_flow_drain(struct cs_flow *flow, uint32_t node, double amount)
{
    struct cs_flow_node *at = &flow->nodes[node];

    if (!at->is_drain && amount > 0)
        flow->drains[flow->drain_count++] = node;
    at->is_drain = at->is_drain || amount > 0;
    at->drain = at->drain_left = amount;
    if (amount <= 0 && flow->drain_count && flow->drains[flow->drain_count - 1] == node) {
        flow->drain_count--;
        at->is_drain = false;
    }
}

void cs_flow_clear_drains(struct cs_flow *flow)
{
    for (uint32_t i = 0; i < flow->drain_count; i++) {
        struct cs_flow_node *node = &flow->nodes[flow->drains[i]];

        node->drain = node->drain_left = 0;
        node->is_drain = false;
    }
    flow->drain_count = 0;
}

/* ---- changes of a run, undone by the next run ---- */

/* Undoing the changes costs less than copying capacities where a flow stays
 * local. */
static void flow_undo(struct cs_flow *flow)
{
    for (uint32_t i = 0; i < flow->changed_arc_count; i++) {
        struct cs_flow_arc *pair = &flow->arcs[flow->changed_arcs[i]];

        for (uint32_t side = 0; side < 2; side++) {
            pair[side].left = pair[side].capacity;
            pair[side].changed = false;
        }
    }
    for (uint32_t i = 0; i < flow->changed_node_count; i++) {
        struct cs_flow_node *node = &flow->nodes[flow->changed_nodes[i]];

        node->supply_left = node->supply;
        node->drain_left = node->drain;
        node->changed = false;
    }
    flow->changed_arc_count = 0;
    flow->changed_node_count = 0;
}

static void flow_push_arc(struct cs_flow *flow, uint32_t arc, double amount)
{
    struct cs_flow_arc *pair = &flow->arcs[arc & ~(uint32_t)1];

    if (!pair->changed)
        flow->changed_arcs[flow->changed_arc_count++] = arc & ~(uint32_t)1;
    pair->changed = true;
    flow->arcs[arc].left -= amount;
    flow->arcs[arc ^ 1].left += amount;
}

static struct cs_flow_node *flow_change_node(struct cs_flow *flow, uint32_t number)
{
    struct cs_flow_node *node = &flow->nodes[number];

    if (!node->changed)
        flow->changed_nodes[flow->changed_node_count++] = number;
    node->changed = true;
    return node;
}

/* ---- levels, from the drains backwards ---- */

static void flow_clear_levels(struct cs_flow *flow)
{
    for (uint32_t i = 0; i < flow->queued; i++)
        flow->nodes[flow->queue[i]].level = CS_FLOW_NONE;
    flow->queued = 0;
}

/* Labels a node whose path sends up to `width` into a drain; what the node supplies of
 * that. */
static double flow_label(struct cs_flow *flow, uint32_t number, uint32_t level, double width)
{
    struct cs_flow_node *node = &flow->nodes[number];

    if (node->level != CS_FLOW_NONE)
        return 0;
    node->level = level;
    node->width = width;
    node->at = node->first;
    flow->queue[flow->queued++] = number;
    return fmin(node->supply_left, width);
}

/* The flow that drains can still take: an endless drain by the node's arcs. */
static double flow_wanted(const struct cs_flow *flow)
{
    double sum = 0;

    for (uint32_t i = 0; i < flow->drain_count; i++) {
        const struct cs_flow_node *node = &flow->nodes[flow->drains[i]];
        double arcs = node->supply_left;

        for (uint32_t e = node->first; e != CS_FLOW_NONE; e = flow->arcs[e].next)
            arcs += flow->arcs[e ^ 1].left;
        sum += fmin(node->drain_left, arcs);
    }
    return sum;
}

/* Labels the nodes with a remainder on an arc to `number`, until their supplies
 * suffice; what they supply. */
static double flow_label_before(struct cs_flow *flow, uint32_t number, double wanted)
{
    const struct cs_flow_node *node = &flow->nodes[number];
    double supplied = 0;

    for (uint32_t e = node->first; e != CS_FLOW_NONE && supplied < wanted; e = flow->arcs[e].next)
        if (flow->arcs[e ^ 1].left > 0)
            supplied += flow_label(flow, flow->arcs[e].to, node->level + 1,
                                   fmin(node->width, flow->arcs[e ^ 1].left));
    return supplied;
}

/* Puts the nodes labelled from number `from` on among those to be searched; the fewest hops
 * that a node to be searched may have. */
static uint32_t flow_open(struct cs_flow *flow, uint32_t from, uint32_t least)
{
    for (uint32_t i = from; i < flow->queued; i++) {
        struct cs_flow_node *node = &flow->nodes[flow->queue[i]];
        uint32_t hops = node->near < CS_FLOW_HOPS ? node->near : CS_FLOW_HOPS - 1;

        node->next = flow->open[hops];
        flow->open[hops] = flow->queue[i];
        least = hops < least ? hops : least;
    }
    return least;
}

/* Labels nodes behind those from number `from` on, next to supplies first, until supplies
 * suffice. */
static double flow_label_nearest(struct cs_flow *flow, uint32_t from, double wanted)
{
    double supplied = 0;
    uint32_t hops;

    if (flow->gone > flow->node_count / FLOW_GONE)
        flow_learn_near(flow);
    memset(flow->open, 0xff, sizeof(flow->open));
    hops = flow_open(flow, from, CS_FLOW_HOPS);
    while (hops < CS_FLOW_HOPS && supplied < wanted) {
        uint32_t number = flow->open[hops];
        uint32_t queued = flow->queued;

        if (number == CS_FLOW_NONE) {
            hops++;
            continue;
        }
        flow->open[hops] = flow->nodes[number].next;
        supplied += flow_label_before(flow, number, wanted - supplied);
        hops = flow_open(flow, queued, hops);
    }
    return supplied;
}

/* Finds near supplies, until supplies suffice for the drains; the nearest ones in a search by
 * levels alone. False when no supply reaches a drain; then the labelled nodes are the sink side
 * of a minimum cut. */
static bool flow_find_levels(struct cs_flow *flow, uint32_t phase)
{
    uint32_t local = flow->gone ? FLOW_LOCAL : 0;
    double wanted = flow_wanted(flow);
    double supplied = 0;
    uint32_t i;

    flow_clear_levels(flow);
    for (i = 0; i < flow->drain_count; i++) {
        uint32_t drain = flow->drains[i];

        if (flow->nodes[drain].drain_left > 0)
            supplied += flow_label(flow, drain, 0, flow->nodes[drain].drain_left);
    }
    for (i = 0; i < flow->queued && (i < local || phase >= FLOW_PHASES) && supplied < wanted; i++)
        supplied += flow_label_before(flow, flow->queue[i], wanted - supplied);
    if (i < flow->queued && supplied < wanted)
        supplied += flow_label_nearest(flow, i, wanted - supplied);
    return supplied > 0;
}

/* ---- pulling along the levels ---- */

/* The first visit of a node takes the node's own supply before any arc. */
static void flow_visit(struct cs_flow *flow, uint32_t depth, uint32_t number, double wanted)
{
    struct cs_flow_node *node = flow_change_node(flow, number);
    double own = fmin(node->supply_left, wanted);

    node->supply_left -= own;
    flow->visits[depth] = (struct cs_flow_visit){number, wanted, own};
}

/* The next arc with flow for the node, or CS_FLOW_NONE. */
static uint32_t flow_next_arc(struct cs_flow *flow, uint32_t number)
{
    struct cs_flow_node *node = &flow->nodes[number];

    while (node->at != CS_FLOW_NONE) {
        const struct cs_flow_arc *arc = &flow->arcs[node->at];
        uint32_t level = flow->nodes[arc->to].level;

        if (flow->arcs[node->at ^ 1].left > 0 && level != CS_FLOW_NONE && level == node->level + 1)
            break;
        node->at = arc->next;
    }
    return node->at;
}

/* Ends the visit of a node: the node before takes over the flow, and turns to
 * the next arc where the flow is less than wanted. */
static void flow_leave(struct cs_flow *flow, uint32_t depth)
{
    const struct cs_flow_visit *visit = &flow->visits[depth];
    struct cs_flow_visit *before = &flow->visits[depth - 1];
    struct cs_flow_node *node = &flow->nodes[before->node];
    uint32_t arc = node->at;

    if (visit->got > 0)
        flow_push_arc(flow, arc ^ 1, visit->got);
    before->got += visit->got;
    if (visit->got < visit->wanted)
        node->at = flow->arcs[arc].next;
}

/* Pulls a blocking flow of the level network into a drain, every arc once: a
 * depth-first search with the flow wanted and received by every node on the
 * path. Paths of single supplies would take time in proportion to the square of
 * their length on long machines. */
static double flow_pull(struct cs_flow *flow, uint32_t drain)
{
    uint32_t depth = 0;
    double got;

    flow_visit(flow, 0, drain, flow->nodes[drain].drain_left);
    for (;;) {
        struct cs_flow_visit *visit = &flow->visits[depth];
        uint32_t e = visit->got < visit->wanted ? flow_next_arc(flow, visit->node) : CS_FLOW_NONE;

        if (e != CS_FLOW_NONE)
            flow_visit(flow, ++depth, flow->arcs[e].to,
                       fmin(visit->wanted - visit->got, flow->arcs[e ^ 1].left));
        else if (depth > 0)
            flow_leave(flow, depth--);
        else
            break;
    }
    got = flow->visits[0].got;
    flow->nodes[drain].drain_left -= got;
    return got;
}

/* The last, unsuccessful search for levels leaves the sink side labelled. */
double cs_flow_run(struct cs_flow *flow)
{
    double sum = 0;

    flow_undo(flow);
    for (uint32_t phase = 0; flow_find_levels(flow, phase); phase++)
        for (uint32_t i = 0; i < flow->drain_count; i++)
            if (flow->nodes[flow->drains[i]].drain_left > 0)
                sum += flow_pull(flow, flow->drains[i]);
    return sum;
}
