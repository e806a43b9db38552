#include "algorithms/schedules/goal/graph.h"

#include "sim/base/hash.h"

#include <stdbool.h>
#include <string.h>

/* ---- order ---- */

/* Requirements of the ops in both directions. */
struct goal_graph_ends {
    struct cs_goal_rows needs, needed_by;
};

static struct goal_graph_ends goal_graph_ends_of(uint32_t n, const struct cs_goal_edges *edges,
                                                 struct cs_arena *arena)
{
    return (struct goal_graph_ends){cs_goal_rows_of(n, edges, CS_GOAL_NEEDS, arena),
                                    cs_goal_rows_of(n, edges, CS_GOAL_NEEDED_BY, arena)};
}

/* Sorts the ops topologically; a fault names an op on a cycle, or after one. */
static struct cs_goal_result goal_graph_sort(uint32_t n, const struct goal_graph_ends *ends,
                                             uint32_t *order, struct cs_arena *arena)
{
    uint32_t count = cs_goal_sort(n, &ends->needs, &ends->needed_by, order, arena);

    if (count == n)
        return (struct cs_goal_result){CS_GOAL_FINE, 0};
    return (struct cs_goal_result){CS_GOAL_CYCLE, cs_goal_first_missing(n, order, count, arena)};
}

/* ---- dependencies on starts ---- */

/* Adds the predecessors of start.before to those of start.after.  Returns false
 * above the limit.  `extra` grows behind the run that the loop reads: `end` is
 * fixed before. */
static bool goal_graph_inherit(const struct cs_goal_rows *own, struct cs_goal_edges *extra,
                               const uint32_t *extra_first, struct cs_goal_edge start)
{
    uint32_t end;
    uint32_t i;

    for (i = own->row[start.before]; i < own->row[start.before + 1]; i++)
        cs_goal_edges_add(extra, (struct cs_goal_edge){start.after, own->to[i]});
    end = extra->edge ? extra->count : 0;
    for (i = extra_first[start.before]; i < end && extra->edge[i].after == start.before; i++)
        cs_goal_edges_add(extra, (struct cs_goal_edge){start.after, extra->edge[i].before});
    return extra->count <= CS_GOAL_IMPLIED_MAX;
}

/* Turns `starts` into edges.  Ops are processed in topological order of the
 * two kinds of dependencies: the predecessors of an op are complete before
 * other ops inherit the list. */
static struct cs_goal_result goal_graph_resolve_starts(uint32_t n, struct cs_goal_edges *edges,
                                                       const struct cs_goal_edges *starts,
                                                       struct cs_arena *arena)
{
    CS_AT_END(cs_goal_edges_free) struct cs_goal_edges both = {0};
    CS_AT_END(cs_goal_edges_free) struct cs_goal_edges extra = {0};
    struct cs_goal_result result;
    uint32_t *order = cs_arena_alloc(arena, n, sizeof(*order));
    uint32_t *extra_first = cs_arena_alloc(arena, n, sizeof(*extra_first));
    struct cs_goal_rows own = cs_goal_rows_of(n, edges, CS_GOAL_NEEDS, arena);
    struct cs_goal_rows by_start = cs_goal_rows_of(n, starts, CS_GOAL_NEEDS, arena);
    struct goal_graph_ends ends;
    uint32_t k;

    for (uint32_t i = 0; i < edges->count; i++)
        cs_goal_edges_add(&both, edges->edge[i]);
    for (uint32_t i = 0; i < starts->count; i++)
        cs_goal_edges_add(&both, starts->edge[i]);
    ends = goal_graph_ends_of(n, &both, arena);
    result = goal_graph_sort(n, &ends, order, arena);
    for (uint32_t i = 0; i < n && !result.fault; i++) {
        extra_first[order[i]] = CS_GOAL_NONE;
        if (by_start.row[order[i]] < by_start.row[order[i] + 1])
            extra_first[order[i]] = extra.count;
        for (k = by_start.row[order[i]]; k < by_start.row[order[i] + 1] && !result.fault; k++)
            if (!goal_graph_inherit(&own, &extra, extra_first,
                                    (struct cs_goal_edge){order[i], by_start.to[k]}))
                result = (struct cs_goal_result){CS_GOAL_TOO_MANY, order[i]};
        if (extra_first[order[i]] == extra.count)
            extra_first[order[i]] = CS_GOAL_NONE;
    }
    for (uint32_t i = 0; i < extra.count && !result.fault; i++)
        cs_goal_edges_add(edges, extra.edge[i]);
    return result;
}

/* ---- nodes: ops with equal rows ---- */

/* Ops with equal rows form a node, unless an op with equal requirements and other
 * successors stands between them; nodes are numbered by the first op. */
struct goal_graph_nodes {
    const struct cs_goal_rows *needs;
    const struct cs_goal_rows *needed_by;
    uint32_t *node_of; /* by op */
    uint32_t *ops;     /* by node, in ascending order */
    uint32_t *first;   /* by node: index in `ops`; and the end */
    uint32_t count;
};

static uint64_t goal_graph_hash_row(uint64_t hash, const struct cs_goal_rows *rows, uint32_t op)
{
    for (uint32_t i = rows->row[op]; i < rows->row[op + 1]; i++)
        hash = cs_hash_mix(hash, rows->to[i]);
    return cs_hash_mix(hash, UINT64_MAX);
}

static bool goal_graph_is_same_row(const struct cs_goal_rows *rows, uint32_t a, uint32_t b)
{
    uint32_t length = rows->row[a + 1] - rows->row[a];

    return length == rows->row[b + 1] - rows->row[b] &&
           memcmp(rows->to + rows->row[a], rows->to + rows->row[b], length * sizeof(*rows->to)) ==
               0;
}

/* Numbers the nodes with a hash table of the last ops with equal requirements: a round of
 * another lane that starts with them ends a node, so that lanes start in the order of the
 * file. */
static void goal_graph_number(uint32_t n, struct goal_graph_nodes *nodes, struct cs_arena *arena)
{
    uint32_t slots = 2;
    uint32_t *table;

    while (slots < 2 * n)
        slots *= 2;
    table = cs_arena_alloc(arena, slots, sizeof(*table));
    for (uint32_t i = 0; i < n; i++) {
        uint64_t hash = goal_graph_hash_row(0, nodes->needs, i);
        uint32_t slot = cs_hash_slot(hash) & (slots - 1);

        while (table[slot] && !goal_graph_is_same_row(nodes->needs, table[slot] - 1, i))
            slot = (slot + 1) & (slots - 1);
        if (table[slot] && goal_graph_is_same_row(nodes->needed_by, table[slot] - 1, i))
            nodes->node_of[i] = nodes->node_of[table[slot] - 1];
        else
            nodes->node_of[i] = nodes->count++;
        table[slot] = i + 1;
    }
}

/* A counting sort by node, as in cs_goal_rows_of(). */
static void goal_graph_list_ops(uint32_t n, struct goal_graph_nodes *nodes)
{
    for (uint32_t i = 0; i < n; i++)
        nodes->first[nodes->node_of[i] + 2]++;
    for (uint32_t i = 1; i <= nodes->count; i++)
        nodes->first[i + 1] += nodes->first[i];
    for (uint32_t i = 0; i < n; i++)
        nodes->ops[nodes->first[nodes->node_of[i] + 1]++] = i;
}

/* ---- lanes ---- */

struct goal_graph_place {
    uint32_t lane;
    uint32_t last;      /* number of the node's round in the lane */
    uint32_t users;     /* successors without a place */
    uint32_t free_lane; /* list of ended lanes for successors to reuse */
};

struct goal_graph_layout {
    struct cs_arena *arena;
    struct cs_goal_rows needs; /* of nodes */
    struct cs_goal_node *nodes;
    uint32_t count; /* of nodes */
    struct goal_graph_place *places;
    struct cs_goal_wait *waits;
    uint32_t wait_count;
    /* By lane. */
    uint32_t *lane_first; /* node */
    uint32_t *lane_end;   /* last node */
    uint32_t *lane_rounds;
    uint32_t *lane_next; /* next lane of a free_lane list */
    uint32_t *wanted;    /* 1 + round to wait for; 0: no wait */
    uint32_t lanes;
};

/* A lane left to the successors of a predecessor, or NONE. */
static uint32_t goal_graph_take_free_lane(struct goal_graph_layout *layout, uint32_t node)
{
    const struct cs_goal_rows *needs = &layout->needs;

    for (uint32_t i = needs->row[node]; i < needs->row[node + 1]; i++) {
        struct goal_graph_place *place = &layout->places[needs->to[i]];
        uint32_t lane = place->free_lane;

        if (lane == CS_GOAL_NONE)
            continue;
        place->free_lane = layout->lane_next[lane];
        return lane;
    }
    return CS_GOAL_NONE;
}

/* A lane whose last node is a predecessor needs no wait; a lane of a free list
 * ended before the node by dependency, and reuse causes no delay. */
static uint32_t goal_graph_choose_lane(struct goal_graph_layout *layout, uint32_t node)
{
    const struct cs_goal_rows *needs = &layout->needs;
    uint32_t lane;

    for (uint32_t i = needs->row[node]; i < needs->row[node + 1]; i++) {
        lane = layout->places[needs->to[i]].lane;
        if (layout->lane_end[lane] == needs->to[i])
            return lane;
    }
    lane = goal_graph_take_free_lane(layout, node);
    if (lane != CS_GOAL_NONE)
        return lane;
    lane = layout->lanes++;
    layout->lane_first[lane] = CS_GOAL_NONE;
    return lane;
}

/* Passes the free lanes of a predecessor on to the last successor, with the
 * predecessor's own lane if the lane ends with the predecessor. */
static void goal_graph_inherit_lanes(struct goal_graph_layout *layout, uint32_t node)
{
    const struct cs_goal_rows *needs = &layout->needs;
    struct goal_graph_place *own = &layout->places[node];

    for (uint32_t i = needs->row[node]; i < needs->row[node + 1]; i++) {
        struct goal_graph_place *place = &layout->places[needs->to[i]];

        if (--place->users > 0)
            continue;
        while (place->free_lane != CS_GOAL_NONE) {
            uint32_t lane = place->free_lane;

            place->free_lane = layout->lane_next[lane];
            layout->lane_next[lane] = own->free_lane;
            own->free_lane = lane;
        }
        if (place->lane == own->lane || layout->lane_end[place->lane] != needs->to[i])
            continue;
        layout->lane_next[place->lane] = own->free_lane;
        own->free_lane = place->lane;
    }
}

/* Adds a wait per other lane, for the latest predecessor in the lane. */
static void goal_graph_add_waits(struct goal_graph_layout *layout, uint32_t node, uint32_t lane)
{
    const struct cs_goal_rows *needs = &layout->needs;
    struct cs_goal_node *added = &layout->nodes[node];

    added->wait = layout->wait_count;
    for (uint32_t i = needs->row[node]; i < needs->row[node + 1]; i++) {
        const struct goal_graph_place *place = &layout->places[needs->to[i]];

        if (layout->wanted[place->lane] < place->last + 1)
            layout->wanted[place->lane] = place->last + 1;
    }
    layout->wanted[lane] = 0;
    for (uint32_t i = needs->row[node]; i < needs->row[node + 1]; i++) {
        uint32_t other = layout->places[needs->to[i]].lane;

        if (layout->wanted[other] == 0)
            continue;
        layout->waits[layout->wait_count++] =
            (struct cs_goal_wait){other, layout->wanted[other] - 1};
        layout->wanted[other] = 0;
    }
    added->waits = layout->wait_count - added->wait;
}

/* The round of a node follows its waits, a round each. */
static void goal_graph_place_node(struct goal_graph_layout *layout, uint32_t node)
{
    struct cs_goal_node *added = &layout->nodes[node];
    struct goal_graph_place *place = &layout->places[node];
    uint32_t lane = goal_graph_choose_lane(layout, node);

    goal_graph_add_waits(layout, node, lane);
    added->next = CS_GOAL_NONE;
    if (layout->lane_first[lane] == CS_GOAL_NONE)
        layout->lane_first[lane] = node;
    else
        layout->nodes[layout->lane_end[lane]].next = node;
    layout->lane_end[lane] = node;
    layout->lane_rounds[lane] += added->waits + 1;
    place->lane = lane;
    place->last = layout->lane_rounds[lane] - 1;
    place->free_lane = CS_GOAL_NONE;
    goal_graph_inherit_lanes(layout, node);
}

static void *goal_graph_u32s(struct goal_graph_layout *layout, uint32_t count)
{
    return cs_arena_alloc(layout->arena, count, sizeof(uint32_t));
}

/* Places all nodes; `edges` between nodes are tidy and free of cycles. */
static void goal_graph_make_lanes(struct goal_graph_layout *layout,
                                  const struct cs_goal_edges *edges)
{
    uint32_t count = layout->count;
    struct cs_goal_rows needed_by = cs_goal_rows_of(count, edges, CS_GOAL_NEEDED_BY, layout->arena);
    uint32_t *order = goal_graph_u32s(layout, count);

    layout->needs = cs_goal_rows_of(count, edges, CS_GOAL_NEEDS, layout->arena);
    layout->places = cs_arena_alloc(layout->arena, count, sizeof(*layout->places));
    layout->waits = cs_arena_alloc(layout->arena, edges->count, sizeof(*layout->waits));
    layout->lane_first = goal_graph_u32s(layout, count);
    layout->lane_end = goal_graph_u32s(layout, count);
    layout->lane_rounds = goal_graph_u32s(layout, count);
    layout->lane_next = goal_graph_u32s(layout, count);
    layout->wanted = goal_graph_u32s(layout, count);
    for (uint32_t i = 0; i < count; i++)
        layout->places[i].users = needed_by.row[i + 1] - needed_by.row[i];
    cs_goal_sort(count, &layout->needs, &needed_by, order, layout->arena);
    for (uint32_t i = 0; i < count; i++)
        goal_graph_place_node(layout, order[i]);
}

/* ---- layout ---- */

/* Edges between nodes: the requirements of the first op of each node. */
static void goal_graph_node_edges(const struct goal_graph_nodes *nodes, struct cs_goal_edges *edges)
{
    const struct cs_goal_rows *needs = nodes->needs;

    edges->count = 0;
    for (uint32_t node = 0; node < nodes->count; node++) {
        uint32_t op = nodes->ops[nodes->first[node]];

        for (uint32_t i = needs->row[op]; i < needs->row[op + 1]; i++) {
            struct cs_goal_edge edge = {node, nodes->node_of[needs->to[i]]};

            if (i == needs->row[op] || edge.before != edges->edge[edges->count - 1].before)
                cs_goal_edges_add(edges, edge);
        }
    }
    cs_goal_edges_tidy(edges);
}

/* Makes the nodes and replaces the edges between ops by edges between
 * nodes; returns the ops by node. */
static const uint32_t *goal_graph_make_nodes(struct goal_graph_layout *layout, uint32_t n,
                                             const struct goal_graph_ends *ends,
                                             struct cs_goal_edges *edges)
{
    struct goal_graph_nodes nodes = {.needs = &ends->needs,
                                     .needed_by = &ends->needed_by,
                                     .node_of = goal_graph_u32s(layout, n),
                                     .ops = goal_graph_u32s(layout, n),
                                     .first = goal_graph_u32s(layout, n + 2)};

    goal_graph_number(n, &nodes, layout->arena);
    goal_graph_list_ops(n, &nodes);
    layout->count = nodes.count;
    layout->nodes = cs_arena_alloc(layout->arena, nodes.count, sizeof(*layout->nodes));
    for (uint32_t i = 0; i < nodes.count; i++) {
        layout->nodes[i].op = nodes.first[i];
        layout->nodes[i].ops = nodes.first[i + 1] - nodes.first[i];
    }
    goal_graph_node_edges(&nodes, edges);
    return nodes.ops;
}

struct cs_goal_result cs_goal_layout(uint32_t ops, struct cs_goal_edges *edges,
                                     const struct cs_goal_edges *starts,
                                     struct cs_goal_lanes *lanes, struct cs_arena *arena)
{
    struct cs_goal_result result = {CS_GOAL_FINE, 0};
    struct goal_graph_layout layout = {.arena = arena};
    struct goal_graph_ends ends;
    const uint32_t *by_node;
    uint32_t *order;

    *lanes = (struct cs_goal_lanes){0};
    cs_goal_edges_tidy(edges);
    if (starts->count) {
        result = goal_graph_resolve_starts(ops, edges, starts, arena);
        cs_goal_edges_tidy(edges);
    }
    if (result.fault || ops == 0)
        return result;
    ends = goal_graph_ends_of(ops, edges, arena);
    order = cs_arena_alloc(arena, ops, sizeof(*order));
    result = goal_graph_sort(ops, &ends, order, arena);
    if (result.fault)
        return result;
    by_node = goal_graph_make_nodes(&layout, ops, &ends, edges);
    goal_graph_make_lanes(&layout, edges);
    *lanes = (struct cs_goal_lanes){.first = layout.lane_first,
                                    .count = layout.lanes,
                                    .nodes = layout.nodes,
                                    .ops = by_node,
                                    .waits = layout.waits};
    return result;
}
