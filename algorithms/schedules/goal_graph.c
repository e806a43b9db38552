#include "algorithms/schedules/goal_graph.h"

#include <stdlib.h>
#include <string.h>

void cs_goal_edges_add(struct cs_goal_edges *edges, struct cs_goal_edge edge)
{
    if (edges->count == edges->capacity) {
        edges->capacity = edges->capacity ? 2 * edges->capacity : 64;
        edges->edge =
            cs_grow(edges->edge, edges->capacity, sizeof(*edges->edge));
    }
    edges->edge[edges->count++] = edge;
}

void cs_goal_edges_free(struct cs_goal_edges *edges)
{
    free(edges->edge);
    *edges = (struct cs_goal_edges){0};
}

/* ---- graphs as rows ---- */

/* For each of n things a run of others: row[i] .. row[i + 1] of `to`. */
struct rows {
    uint32_t *row;
    uint32_t *to;
};

static int by_after(const void *a, const void *b)
{
    const struct cs_goal_edge *x = a;
    const struct cs_goal_edge *y = b;

    if (x->after != y->after)
        return x->after < y->after ? -1 : 1;
    return (x->before > y->before) - (x->before < y->before);
}

/* Sorts, and keeps one of each. */
static void goal_graph_tidy(struct cs_goal_edges *edges)
{
    uint32_t kept = 0;
    uint32_t i;

    if (edges->count == 0)
        return;
    qsort(edges->edge, edges->count, sizeof(*edges->edge), by_after);
    for (i = 0; i < edges->count; i++)
        if (i == 0 || by_after(&edges->edge[i], &edges->edge[kept - 1]))
            edges->edge[kept++] = edges->edge[i];
    edges->count = kept;
}

enum direction {
    NEEDS,    /* rows of what each op needs */
    NEEDED_BY /* rows of what needs each op */
};

/* Rows come out in ascending order when the edges are tidy. */
static struct rows rows_of(uint32_t n, const struct cs_goal_edges *edges,
                           enum direction direction, struct cs_arena *arena)
{
    struct rows rows = {cs_arena_alloc(arena, (size_t)n + 2, sizeof(uint32_t)),
                        cs_arena_alloc(arena, edges->count, sizeof(uint32_t))};
    uint32_t i;

    for (i = 0; i < edges->count; i++)
        rows.row[2 + (direction == NEEDS ? edges->edge[i].after
                                         : edges->edge[i].before)]++;
    for (i = 1; i <= n; i++)
        rows.row[i + 1] += rows.row[i];
    for (i = 0; i < edges->count; i++) {
        const struct cs_goal_edge *edge = &edges->edge[i];

        if (direction == NEEDS)
            rows.to[rows.row[edge->after + 1]++] = edge->before;
        else
            rows.to[rows.row[edge->before + 1]++] = edge->after;
    }
    return rows;
}

/* An order in which everything comes after what it needs, in the order of the
 * file where that is open.  The number of things in it: all n, or there is a
 * circle among the others. */
static uint32_t sort_topologically(uint32_t n, const struct rows *needs,
                                   const struct rows *needed_by,
                                   uint32_t *order, struct cs_arena *arena)
{
    uint32_t *open = cs_arena_alloc(arena, n, sizeof(*open));
    uint32_t count = 0;
    uint32_t done;
    uint32_t i;

    for (i = 0; i < n; i++) {
        open[i] = needs->row[i + 1] - needs->row[i];
        if (open[i] == 0)
            order[count++] = i;
    }
    for (done = 0; done < count; done++)
        for (i = needed_by->row[order[done]];
             i < needed_by->row[order[done] + 1]; i++)
            if (--open[needed_by->to[i]] == 0)
                order[count++] = needed_by->to[i];
    return count;
}

/* The first that is not in the order. */
static uint32_t first_missing(uint32_t n, const uint32_t *order, uint32_t count,
                              struct cs_arena *arena)
{
    bool *seen = cs_arena_alloc(arena, n, sizeof(*seen));
    uint32_t i;

    for (i = 0; i < count; i++)
        seen[order[i]] = true;
    for (i = 0; seen[i]; i++)
        ;
    return i;
}

/* ---- starts ---- */

/* Adds what the op before needs to what the op after needs. */
static bool goal_graph_inherit(struct cs_goal_edges *edges,
                               const struct rows *own,
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
    /* What is added here stands behind what is read: `end` stays. */
    for (i = extra_first[start.before];
         i < end && extra->edge[i].after == start.before; i++)
        cs_goal_edges_add(
            extra, (struct cs_goal_edge){start.after, extra->edge[i].before});
    return extra->count + edges->count <= CS_GOAL_EDGES_MAX;
}

/* Turns `starts` into edges, op after op in an order in which what an op
 * needs is complete before it is passed on. */
static struct cs_goal_result resolve_starts(uint32_t n,
                                            struct cs_goal_edges *edges,
                                            const struct cs_goal_edges *starts,
                                            struct cs_arena *arena)
{
    struct cs_goal_edges both = {0};
    struct cs_goal_edges extra = {0};
    struct cs_goal_result result = {CS_GOAL_FINE, 0};
    uint32_t *order = cs_arena_alloc(arena, n, sizeof(*order));
    uint32_t *extra_first = cs_arena_alloc(arena, n, sizeof(*extra_first));
    struct rows own = rows_of(n, edges, NEEDS, arena);
    struct rows by_start = rows_of(n, starts, NEEDS, arena);
    struct rows needs;
    struct rows needed_by;
    uint32_t count;
    uint32_t i;
    uint32_t k;

    for (i = 0; i < edges->count; i++)
        cs_goal_edges_add(&both, edges->edge[i]);
    for (i = 0; i < starts->count; i++)
        cs_goal_edges_add(&both, starts->edge[i]);
    needs = rows_of(n, &both, NEEDS, arena);
    needed_by = rows_of(n, &both, NEEDED_BY, arena);
    count = sort_topologically(n, &needs, &needed_by, order, arena);
    if (count < n)
        result = (struct cs_goal_result){CS_GOAL_CIRCLE,
                                         first_missing(n, order, count, arena)};
    for (i = 0; i < count && !result.fault; i++) {
        extra_first[order[i]] = CS_GOAL_NONE;
        if (by_start.row[order[i]] < by_start.row[order[i] + 1])
            extra_first[order[i]] = extra.count;
        for (k = by_start.row[order[i]];
             k < by_start.row[order[i] + 1] && !result.fault; k++)
            if (!goal_graph_inherit(
                    edges, &own, &extra, extra_first,
                    (struct cs_goal_edge){order[i], by_start.to[k]}))
                result = (struct cs_goal_result){CS_GOAL_CROWDED, order[i]};
        if (extra_first[order[i]] == extra.count)
            extra_first[order[i]] = CS_GOAL_NONE;
    }
    for (i = 0; i < extra.count && !result.fault; i++)
        cs_goal_edges_add(edges, extra.edge[i]);
    cs_goal_edges_free(&both);
    cs_goal_edges_free(&extra);
    return result;
}

/* ---- twins ---- */

struct twins {
    const struct rows *needs;
    const struct rows *needed_by;
};

static int compare_row(const struct rows *rows, uint32_t a, uint32_t b)
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

static int compare_twins(const void *a, const void *b, void *ctx)
{
    const struct twins *twins = ctx;
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    int order = compare_row(twins->needs, x, y);

    if (order == 0)
        order = compare_row(twins->needed_by, x, y);
    return order ? order : (x > y) - (x < y);
}

/* Numbers the nodes: ops with the same rows share one.  `ops` becomes the ops
 * in order of node; node i has those from first[i] to first[i + 1]. */
static uint32_t find_twins(uint32_t n, struct twins *twins, uint32_t *ops,
                           uint32_t *node_of, uint32_t *first)
{
    uint32_t count = 0;
    uint32_t i;

    for (i = 0; i < n; i++)
        ops[i] = i;
    qsort_r(ops, n, sizeof(*ops), compare_twins, twins);
    for (i = 0; i < n; i++) {
        if (i == 0 || compare_row(twins->needs, ops[i - 1], ops[i]) ||
            compare_row(twins->needed_by, ops[i - 1], ops[i]))
            first[count++] = i;
        node_of[ops[i]] = count - 1;
    }
    first[count] = n;
    return count;
}

/* ---- lanes ---- */

/* What is known of a node while lanes are made. */
struct goal_graph_place {
    uint32_t lane;
    uint32_t last;      /* its round there */
    uint32_t users;     /* that are not placed yet */
    uint32_t free_lane; /* list of lanes that it leaves to its users */
};

struct goal_graph_layout {
    struct cs_arena *arena;
    struct rows needs; /* of nodes */
    struct cs_goal_node *nodes;
    struct goal_graph_place *places;
    struct cs_goal_wait *waits;
    uint32_t wait_count;
    uint32_t *lane_first; /* node */
    uint32_t *lane_end;   /* its last node */
    uint32_t *lane_rounds;
    uint32_t *lane_next; /* list of lanes left to users */
    uint32_t *wanted;    /* by lane: round to wait for, plus one */
    uint32_t lanes;
};

static uint32_t take_free_lane(struct goal_graph_layout *layout, uint32_t node)
{
    const struct rows *needs = &layout->needs;
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

static uint32_t choose_lane(struct goal_graph_layout *layout, uint32_t node)
{
    const struct rows *needs = &layout->needs;
    uint32_t lane;
    uint32_t i;

    for (i = needs->row[node]; i < needs->row[node + 1]; i++) {
        lane = layout->places[needs->to[i]].lane;
        if (layout->lane_end[lane] == needs->to[i])
            return lane;
    }
    lane = take_free_lane(layout, node);
    if (lane != CS_GOAL_NONE)
        return lane;
    lane = layout->lanes++;
    layout->lane_first[lane] = CS_GOAL_NONE;
    return lane;
}

/* The last user of what a node needed gets the lanes that are over. */
static void inherit_lanes(struct goal_graph_layout *layout, uint32_t node)
{
    const struct rows *needs = &layout->needs;
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

/* One wait for each other lane that the node needs something of. */
static void goal_graph_add_waits(struct goal_graph_layout *layout,
                                 uint32_t node, uint32_t lane)
{
    const struct rows *needs = &layout->needs;
    struct cs_goal_node *it = &layout->nodes[node];
    uint32_t i;

    it->wait = layout->wait_count;
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
    it->waits = layout->wait_count - it->wait;
}

static void place_node(struct goal_graph_layout *layout, uint32_t node)
{
    struct cs_goal_node *it = &layout->nodes[node];
    struct goal_graph_place *place = &layout->places[node];
    uint32_t lane = choose_lane(layout, node);

    goal_graph_add_waits(layout, node, lane);
    it->next = CS_GOAL_NONE;
    if (layout->lane_first[lane] == CS_GOAL_NONE)
        layout->lane_first[lane] = node;
    else
        layout->nodes[layout->lane_end[lane]].next = node;
    layout->lane_end[lane] = node;
    layout->lane_rounds[lane] += it->waits + 1;
    place->lane = lane;
    place->last = layout->lane_rounds[lane] - 1;
    place->free_lane = CS_GOAL_NONE;
    inherit_lanes(layout, node);
}

static void *goal_graph_u32s(struct goal_graph_layout *layout, uint32_t count)
{
    return cs_arena_alloc(layout->arena, count, sizeof(uint32_t));
}

/* Places all nodes; `edges` are between nodes, tidy, without circles. */
static void make_lanes(struct goal_graph_layout *layout, uint32_t count,
                       const struct cs_goal_edges *edges)
{
    struct rows needed_by = rows_of(count, edges, NEEDED_BY, layout->arena);
    uint32_t *order = goal_graph_u32s(layout, count);
    uint32_t i;

    layout->needs = rows_of(count, edges, NEEDS, layout->arena);
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
    sort_topologically(count, &layout->needs, &needed_by, order, layout->arena);
    for (i = 0; i < count; i++)
        place_node(layout, order[i]);
}

/* ---- all together ---- */

/* Nodes, and in `edges` the edges between them. */
static uint32_t make_nodes(struct goal_graph_layout *layout, uint32_t n,
                           struct cs_goal_edges *edges, uint32_t *ops)
{
    struct rows needs = rows_of(n, edges, NEEDS, layout->arena);
    struct rows needed_by = rows_of(n, edges, NEEDED_BY, layout->arena);
    struct twins twins = {&needs, &needed_by};
    uint32_t *node_of = goal_graph_u32s(layout, n);
    uint32_t *first = goal_graph_u32s(layout, n + 1);
    uint32_t count = find_twins(n, &twins, ops, node_of, first);
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
    goal_graph_tidy(edges);
    return count;
}

static bool has_circle(uint32_t n, const struct cs_goal_edges *edges,
                       uint32_t *where, struct cs_arena *arena)
{
    struct rows needs = rows_of(n, edges, NEEDS, arena);
    struct rows needed_by = rows_of(n, edges, NEEDED_BY, arena);
    uint32_t *order = cs_arena_alloc(arena, n, sizeof(*order));
    uint32_t count = sort_topologically(n, &needs, &needed_by, order, arena);

    if (count == n)
        return false;
    *where = first_missing(n, order, count, arena);
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
    goal_graph_tidy(edges);
    if (starts->count) {
        result = resolve_starts(ops, edges, starts, arena);
        goal_graph_tidy(edges);
    }
    if (!result.fault && has_circle(ops, edges, &result.where, arena))
        result.fault = CS_GOAL_CIRCLE;
    if (result.fault || ops == 0)
        return result;
    count = make_nodes(&layout, ops, edges, sorted);
    make_lanes(&layout, count, edges);
    *lanes = (struct cs_goal_lanes){.first = layout.lane_first,
                                    .count = layout.lanes,
                                    .nodes = layout.nodes,
                                    .ops = sorted,
                                    .waits = layout.waits};
    return result;
}
