#include "algorithms/bounds/flow.h"

#include <math.h>
#include <string.h>

void cs_flow_init(struct cs_flow *flow, uint32_t nodes, uint32_t pairs,
                  struct cs_arena *arena)
{
    *flow = (struct cs_flow){.node_count = nodes};
    flow->nodes = cs_arena_alloc(arena, nodes, sizeof(*flow->nodes));
    flow->arcs = cs_arena_alloc(arena, pairs, 2 * sizeof(*flow->arcs));
    flow->drains = cs_arena_alloc(arena, nodes, sizeof(uint32_t));
    flow->queue = cs_arena_alloc(arena, nodes, sizeof(uint32_t));
    flow->found = cs_arena_alloc(arena, nodes, sizeof(uint32_t));
    flow->path = cs_arena_alloc(arena, nodes, sizeof(uint32_t));
    flow->changed_arcs = cs_arena_alloc(arena, pairs, sizeof(uint32_t));
    flow->changed_nodes = cs_arena_alloc(arena, nodes, sizeof(uint32_t));
    for (uint32_t i = 0; i < nodes; i++)
        flow->nodes[i].first = flow->nodes[i].level = CS_FLOW_NONE;
}

static void flow_add_half(struct cs_flow *flow, uint32_t from, uint32_t to,
                          double capacity)
{
    flow->arcs[flow->arc_count] =
        (struct cs_flow_arc){.to = to,
                             .next = flow->nodes[from].first,
                             .capacity = capacity,
                             .left = capacity};
    flow->nodes[from].first = flow->arc_count++;
}

uint32_t cs_flow_add(struct cs_flow *flow, uint32_t a, uint32_t b,
                     double ab_capacity, double ba_capacity)
{
    flow_add_half(flow, a, b, ab_capacity);
    flow_add_half(flow, b, a, ba_capacity);
    return flow->arc_count - 2;
}

/* ---- supplies and drains ---- */

void cs_flow_supply(struct cs_flow *flow, uint32_t node, double amount)
{
    flow->nodes[node].supply = flow->nodes[node].supply_left = amount;
}

void cs_flow_drain(struct cs_flow *flow, uint32_t node, double amount)
{
    struct cs_flow_node *at = &flow->nodes[node];

    if (!at->is_drain && amount > 0)
        flow->drains[flow->drain_count++] = node;
    at->is_drain = at->is_drain || amount > 0;
    at->drain = at->drain_left = amount;
    if (amount <= 0 && flow->drain_count &&
        flow->drains[flow->drain_count - 1] == node) {
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

/* ---- changes of a run, which the next run undoes ---- */

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

static struct cs_flow_node *flow_change_node(struct cs_flow *flow,
                                             uint32_t number)
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
    flow->found_count = 0;
}

static void flow_label(struct cs_flow *flow, uint32_t number, uint32_t level)
{
    struct cs_flow_node *node = &flow->nodes[number];

    if (node->level != CS_FLOW_NONE)
        return;
    node->level = level;
    node->at = node->first;
    flow->queue[flow->queued++] = number;
}

/* Labels the nodes from which an arc with a remainder leads to `number`. */
static void flow_label_before(struct cs_flow *flow, uint32_t number)
{
    uint32_t level = flow->nodes[number].level + 1;
    uint32_t e;

    for (e = flow->nodes[number].first; e != CS_FLOW_NONE;
         e = flow->arcs[e].next)
        if (flow->arcs[e ^ 1].left > 0)
            flow_label(flow, flow->arcs[e].to, level);
}

/* Finds the supplies nearest to a drain.  False when no supply reaches one;
 * then the labelled nodes are the sink side of a minimum cut. */
static bool flow_find_levels(struct cs_flow *flow)
{
    uint32_t found_level = CS_FLOW_NONE;

    flow_clear_levels(flow);
    for (uint32_t i = 0; i < flow->drain_count; i++)
        if (flow->nodes[flow->drains[i]].drain_left > 0)
            flow_label(flow, flow->drains[i], 0);
    for (uint32_t i = 0; i < flow->queued; i++) {
        uint32_t number = flow->queue[i];

        if (flow->nodes[number].level > found_level)
            break;
        if (flow->nodes[number].supply_left > 0) {
            found_level = flow->nodes[number].level;
            flow->found[flow->found_count++] = number;
        }
        if (found_level == CS_FLOW_NONE)
            flow_label_before(flow, number);
    }
    return flow->found_count > 0;
}

/* ---- pushing along the levels ---- */

/* The next arc towards a drain, or CS_FLOW_NONE: a dead end. */
static uint32_t flow_step(struct cs_flow *flow, uint32_t number)
{
    struct cs_flow_node *node = &flow->nodes[number];

    while (node->at != CS_FLOW_NONE) {
        const struct cs_flow_arc *arc = &flow->arcs[node->at];

        if (arc->left > 0 && flow->nodes[arc->to].level == node->level - 1)
            break;
        node->at = arc->next;
    }
    return node->at;
}

static double flow_push_path(struct cs_flow *flow, uint32_t from, uint32_t to,
                             uint32_t length)
{
    struct cs_flow_node *source = flow_change_node(flow, from);
    struct cs_flow_node *sink = flow_change_node(flow, to);
    double amount = fmin(source->supply_left, sink->drain_left);

    for (uint32_t i = 0; i < length; i++)
        amount = fmin(amount, flow->arcs[flow->path[i]].left);
    for (uint32_t i = 0; i < length; i++)
        flow_push_arc(flow, flow->path[i], amount);
    source->supply_left -= amount;
    sink->drain_left -= amount;
    return amount;
}

/* Pushes what the level network takes from one supply. */
static double flow_push_from(struct cs_flow *flow, uint32_t from)
{
    double sum = 0;
    uint32_t length = 0;
    uint32_t number = from;

    while (flow->nodes[from].supply_left > 0) {
        const struct cs_flow_node *node = &flow->nodes[number];
        uint32_t e = CS_FLOW_NONE;

        if (node->level == 0 && node->drain_left > 0) {
            sum += flow_push_path(flow, from, number, length);
            length = 0;
            number = from;
            continue;
        }
        if (node->level > 0)
            e = flow_step(flow, number);
        if (e != CS_FLOW_NONE) {
            flow->path[length++] = e;
            number = flow->arcs[e].to;
        } else if (length > 0) {
            number = flow->arcs[flow->path[--length] ^ 1].to;
            flow->nodes[number].at = flow->arcs[flow->nodes[number].at].next;
        } else {
            break;
        }
    }
    return sum;
}

double cs_flow_run(struct cs_flow *flow)
{
    double sum = 0;

    flow_undo(flow);
    while (flow_find_levels(flow))
        for (uint32_t i = 0; i < flow->found_count; i++)
            sum += flow_push_from(flow, flow->found[i]);
    return sum;
}
