#include "algorithms/schedules/goal_graph.h"

#include <stdbool.h>
#include <stdlib.h>

/* ---- dependencies on starts ---- */

/* Adds the predecessors of start.before to those of start.after.  Returns false
 * above the limit.  `extra` grows behind the run that the loop reads: `end` is
 * fixed before. */
static bool goal_graph_inherit(struct cs_goal_edges *edges,
                               const struct cs_goal_rows *own,
                               struct cs_goal_edges *extra,
                               const uint32_t *extra_first,
                               struct cs_goal_edge start)
{
    uint32_t end;
    uint32_t i;

    for (i = own->row[start.before]; i < own->row[start.before + 1]; i++)
        cs_goal_edges_add(extra,
                          (struct cs_goal_edge){start.after, own->to[i]});
    end = extra->edge ? extra->count : 0;
    for (i = extra_first[start.before];
         i < end && extra->edge[i].after == start.before; i++)
        cs_goal_edges_add(
            extra, (struct cs_goal_edge){start.after, extra->edge[i].before});
    return extra->count + edges->count <= CS_GOAL_EDGES_MAX;
}

/* Turns `starts` into edges.  Ops are processed in topological order of the
 * two kinds of dependencies: the predecessors of an op are complete before
 * other ops inherit the list. */
static struct cs_goal_result goal_graph_resolve_starts(
    uint32_t n, struct cs_goal_edges *edges, const struct cs_goal_edges *starts,
    struct cs_arena *arena)
{
    struct cs_goal_edges both = {0};
    struct cs_goal_edges extra = {0};
    struct cs_goal_result result = {CS_GOAL_FINE, 0};
    uint32_t *order = cs_arena_alloc(arena, n, sizeof(*order));
    uint32_t *extra_first = cs_arena_alloc(arena, n, sizeof(*extra_first));
    struct cs_goal_rows own = cs_goal_rows_of(n, edges, CS_GOAL_NEEDS, arena);
    struct cs_goal_rows by_start =
        cs_goal_rows_of(n, starts, CS_GOAL_NEEDS, arena);
    struct cs_goal_rows needs;
    struct cs_goal_rows needed_by;
    uint32_t count;
    uint32_t i;
    uint32_t k;

    for (i = 0; i < edges->count; i++)
        cs_goal_edges_add(&both, edges->edge[i]);
    for (i = 0; i < starts->count; i++)
        cs_goal_edges_add(&both, starts->edge[i]);
    needs = cs_goal_rows_of(n, &both, CS_GOAL_NEEDS, arena);
    needed_by = cs_goal_rows_of(n, &both, CS_GOAL_NEEDED_BY, arena);
    count = cs_goal_sort(n, &needs, &needed_by, order, arena);
    if (count < n)
        result = (struct cs_goal_result){
            CS_GOAL_CYCLE, cs_goal_first_missing(n, order, count, arena)};
    for (i = 0; i < count && !result.fault; i++) {
        extra_first[order[i]] = CS_GOAL_NONE;
        if (by_start.row[order[i]] < by_start.row[order[i] + 1])
            extra_first[order[i]] = extra.count;
        for (k = by_start.row[order[i]];
             k < by_start.row[order[i] + 1] && !result.fault; k++)
            if (!goal_graph_inherit(
                    edges, &own, &extra, extra_first,
                    (struct cs_goal_edge){order[i], by_start.to[k]}))
                result = (struct cs_goal_result){CS_GOAL_TOO_MANY, order[i]};
        if (extra_first[order[i]] == extra.count)
            extra_first[order[i]] = CS_GOAL_NONE;
    }
    for (i = 0; i < extra.count && !result.fault; i++)
        cs_goal_edges_add(edges, extra.edge[i]);
    cs_goal_edges_free(&both);
    cs_goal_edges_free(&extra);
    return result;
}

/* ---- nodes: ops with equal rows ---- */

struct goal_graph_rows {
    const struct cs_goal_rows *needs;
    const struct cs_goal_rows *needed_by;
};

/* By length first: most rows differ in length. */
static int goal_graph_compare_row(const struct cs_goal_rows *rows, uint32_t a,
                                  uint32_t b)
{
    uint32_t length_a = rows->row[a + 1] - rows->row[a];
    uint32_t length_b = rows->row[b + 1] - rows->row[b];
    uint32_t i;

    if (length_a != length_b)
        return length_a < length_b ? -1 : 1;
    for (i = 0; i < length_a; i++) {
        uint32_t x = rows->to[rows->row[a] + i];
        uint32_t y = rows->to[rows->row[b] + i];

        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static int goal_graph_compare(const void *a, const void *b, void *ctx)
{
    const struct goal_graph_rows *rows = ctx;
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    int order = goal_graph_compare_row(rows->needs, x, y);

    if (order == 0)
        order = goal_graph_compare_row(rows->needed_by, x, y);
    return order ? order : (x > y) - (x < y);
}

/* Numbers the nodes.  `ops` becomes the ops sorted by node; node i has the ops
 * from first[i] up to first[i + 1]. */
static uint32_t goal_graph_number(uint32_t n, struct goal_graph_rows *rows,
                                  uint32_t *ops, uint32_t *node_of,
                                  uint32_t *first)
{
    uint32_t count = 0;
    uint32_t i;

    for (i = 0; i < n; i++)
        ops[i] = i;
    qsort_r(ops, n, sizeof(*ops), goal_graph_compare, rows);
    for (i = 0; i < n; i++) {
        if (i == 0 || goal_graph_compare_row(rows->needs, ops[i - 1], ops[i]) ||
            goal_graph_compare_row(rows->needed_by, ops[i - 1], ops[i]))
            first[count++] = i;
        node_of[ops[i]] = count - 1;
    }
    first[count] = n;
    return count;
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
static uint32_t goal_graph_take_free_lane(struct goal_graph_layout *layout,
                                          uint32_t node)
{
    const struct cs_goal_rows *needs = &layout->needs;
    uint32_t i;

    for (i = needs->row[node]; i < needs->row[node + 1]; i++) {
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
static uint32_t goal_graph_choose_lane(struct goal_graph_layout *layout,
                                       uint32_t node)
{
    const struct cs_goal_rows *needs = &layout->needs;
    uint32_t lane;
    uint32_t i;

    for (i = needs->row[node]; i < needs->row[node + 1]; i++) {
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
static void goal_graph_inherit_lanes(struct goal_graph_layout *layout,
                                     uint32_t node)
{
    const struct cs_goal_rows *needs = &layout->needs;
    struct goal_graph_place *own = &layout->places[node];
    uint32_t i;

    for (i = needs->row[node]; i < needs->row[node + 1]; i++) {
        struct goal_graph_place *place = &layout->places[needs->to[i]];

        if (--place->users > 0)
            continue;
        while (place->free_lane != CS_GOAL_NONE) {
            uint32_t lane = place->free_lane;

            place->free_lane = layout->lane_next[lane];
            layout->lane_next[lane] = own->free_lane;
            own->free_lane = lane;
        }
        if (place->lane == own->lane ||
            layout->lane_end[place->lane] != needs->to[i])
            continue;
        layout->lane_next[place->lane] = own->free_lane;
        own->free_lane = place->lane;
    }
}

/* Adds a wait per other lane, for the latest predecessor in the lane. */
static void goal_graph_add_waits(struct goal_graph_layout *layout,
                                 uint32_t node, uint32_t lane)
{
    const struct cs_goal_rows *needs = &layout->needs;
    struct cs_goal_node *added = &layout->nodes[node];
    uint32_t i;

    added->wait = layout->wait_count;
    for (i = needs->row[node]; i < needs->row[node + 1]; i++) {
        const struct goal_graph_place *place = &layout->places[needs->to[i]];

        if (layout->wanted[place->lane] < place->last + 1)
            layout->wanted[place->lane] = place->last + 1;
    }
    layout->wanted[lane] = 0;
    for (i = needs->row[node]; i < needs->row[node + 1]; i++) {
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
static void goal_graph_place_node(struct goal_graph_layout *layout,
                                  uint32_t node)
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
                                  uint32_t count,
                                  const struct cs_goal_edges *edges)
{
    struct cs_goal_rows needed_by =
        cs_goal_rows_of(count, edges, CS_GOAL_NEEDED_BY, layout->arena);
    uint32_t *order = goal_graph_u32s(layout, count);
    uint32_t i;

    layout->needs = cs_goal_rows_of(count, edges, CS_GOAL_NEEDS, layout->arena);
    layout->places =
        cs_arena_alloc(layout->arena, count, sizeof(*layout->places));
    layout->waits =
        cs_arena_alloc(layout->arena, edges->count, sizeof(*layout->waits));
    layout->lane_first = goal_graph_u32s(layout, count);
    layout->lane_end = goal_graph_u32s(layout, count);
    layout->lane_rounds = goal_graph_u32s(layout, count);
    layout->lane_next = goal_graph_u32s(layout, count);
    layout->wanted = goal_graph_u32s(layout, count);
    for (i = 0; i < count; i++)
        layout->places[i].users = needed_by.row[i + 1] - needed_by.row[i];
    cs_goal_sort(count, &layout->needs, &needed_by, order, layout->arena);
    for (i = 0; i < count; i++)
        goal_graph_place_node(layout, order[i]);
}

/* ---- layout ---- */

/* Makes the nodes and replaces the edges between ops by edges between
 * nodes. */
static uint32_t goal_graph_make_nodes(struct goal_graph_layout *layout,
                                      uint32_t n, struct cs_goal_edges *edges,
                                      uint32_t *ops)
{
    struct cs_goal_rows needs =
        cs_goal_rows_of(n, edges, CS_GOAL_NEEDS, layout->arena);
    struct cs_goal_rows needed_by =
        cs_goal_rows_of(n, edges, CS_GOAL_NEEDED_BY, layout->arena);
    struct goal_graph_rows rows = {&needs, &needed_by};
    uint32_t *node_of = goal_graph_u32s(layout, n);
    uint32_t *first = goal_graph_u32s(layout, n + 1);
    uint32_t count = goal_graph_number(n, &rows, ops, node_of, first);
    uint32_t i;

    layout->nodes =
        cs_arena_alloc(layout->arena, count, sizeof(*layout->nodes));
    for (i = 0; i < count; i++) {
        layout->nodes[i].op = first[i];
        layout->nodes[i].ops = first[i + 1] - first[i];
    }
    for (i = 0; i < edges->count; i++)
        edges->edge[i] = (struct cs_goal_edge){node_of[edges->edge[i].after],
                                               node_of[edges->edge[i].before]};
    cs_goal_edges_tidy(edges);
    return count;
}

/* Names an op on a cycle, or after one, for the message. */
static bool goal_graph_has_cycle(uint32_t n, const struct cs_goal_edges *edges,
                                 uint32_t *where, struct cs_arena *arena)
{
    struct cs_goal_rows needs = cs_goal_rows_of(n, edges, CS_GOAL_NEEDS, arena);
    struct cs_goal_rows needed_by =
        cs_goal_rows_of(n, edges, CS_GOAL_NEEDED_BY, arena);
    uint32_t *order = cs_arena_alloc(arena, n, sizeof(*order));
    uint32_t count = cs_goal_sort(n, &needs, &needed_by, order, arena);

    if (count == n)
        return false;
    *where = cs_goal_first_missing(n, order, count, arena);
    return true;
}

struct cs_goal_result cs_goal_layout(uint32_t ops, struct cs_goal_edges *edges,
                                     const struct cs_goal_edges *starts,
                                     struct cs_goal_lanes *lanes,
                                     struct cs_arena *arena)
{
    struct cs_goal_result result = {CS_GOAL_FINE, 0};
    struct goal_graph_layout layout = {.arena = arena};
    uint32_t *sorted = cs_arena_alloc(arena, ops, sizeof(*sorted));
    uint32_t count;

    *lanes = (struct cs_goal_lanes){0};
    cs_goal_edges_tidy(edges);
    if (starts->count) {
        result = goal_graph_resolve_starts(ops, edges, starts, arena);
        cs_goal_edges_tidy(edges);
    }
    if (!result.fault && goal_graph_has_cycle(ops, edges, &result.where, arena))
        result.fault = CS_GOAL_CYCLE;
    if (result.fault || ops == 0)
        return result;
    count = goal_graph_make_nodes(&layout, ops, edges, sorted);
    goal_graph_make_lanes(&layout, count, edges);
    *lanes = (struct cs_goal_lanes){.first = layout.lane_first,
                                    .count = layout.lanes,
                                    .nodes = layout.nodes,
                                    .ops = sorted,
                                    .waits = layout.waits};
    return result;
}
