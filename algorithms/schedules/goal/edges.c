#include "algorithms/schedules/goal/graph.h"

#include "sim/base/collections/vector.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void cs_goal_edges_add(struct cs_goal_edges *edges, struct cs_goal_edge edge)
{
    *CS_VECTOR_NEXT(edges->edge, edges->count, edges->capacity) = edge;
}

void cs_goal_edges_free(struct cs_goal_edges *edges)
{
    free(edges->edge);
    *edges = (struct cs_goal_edges){0};
}

static uint64_t goal_edge_key(const struct cs_goal_edge *edge)
{
    return (uint64_t)edge->after << 32 | edge->before;
}

static bool goal_edges_are_sorted(const struct cs_goal_edges *edges)
{
    for (uint32_t i = 1; i < edges->count; i++)
        if (goal_edge_key(&edges->edge[i - 1]) > goal_edge_key(&edges->edge[i]))
            return false;
    return true;
}

static uint32_t goal_edge_end(const struct cs_goal_edge *edge, enum cs_goal_direction direction)
{
    return direction == CS_GOAL_NEEDS ? edge->after : edge->before;
}

/* A counting sort by one end, which keeps the order of equal ends.  `start` has
 * two more places than the largest item. */
static void goal_edges_sort_by(const struct cs_goal_edges *edges, enum cs_goal_direction direction,
                               uint32_t *start, struct cs_goal_edge *sorted, uint32_t items)
{
    memset(start, 0, ((size_t)items + 2) * sizeof(*start));
    for (uint32_t i = 0; i < edges->count; i++)
        start[goal_edge_end(&edges->edge[i], direction) + 1]++;
    for (uint32_t i = 1; i <= items; i++)
        start[i] += start[i - 1];
    for (uint32_t i = 0; i < edges->count; i++)
        sorted[start[goal_edge_end(&edges->edge[i], direction)]++] = edges->edge[i];
    memcpy(edges->edge, sorted, edges->count * sizeof(*sorted));
}

/* By the required item, then by the dependent item. */
static void goal_edges_sort(const struct cs_goal_edges *edges)
{
    struct cs_goal_edge *sorted = cs_grow(NULL, edges->count, sizeof(*sorted));
    uint32_t items = 0;
    uint32_t *start;

    for (uint32_t i = 0; i < edges->count; i++) {
        if (edges->edge[i].after >= items)
            items = edges->edge[i].after + 1;
        if (edges->edge[i].before >= items)
            items = edges->edge[i].before + 1;
    }
    start = cs_grow(NULL, (size_t)items + 2, sizeof(*start));
    goal_edges_sort_by(edges, CS_GOAL_NEEDED_BY, start, sorted, items);
    goal_edges_sort_by(edges, CS_GOAL_NEEDS, start, sorted, items);
    free(start);
    free(sorted);
}

/* Sorting makes duplicates neighbours.  Most writers list the requirements in
 * the order of the ops. */
void cs_goal_edges_tidy(struct cs_goal_edges *edges)
{
    uint32_t kept = 0;

    if (!goal_edges_are_sorted(edges))
        goal_edges_sort(edges);
    for (uint32_t i = 0; i < edges->count; i++)
        if (i == 0 || goal_edge_key(&edges->edge[i]) != goal_edge_key(&edges->edge[kept - 1]))
            edges->edge[kept++] = edges->edge[i];
    edges->count = kept;
}

/* A counting sort.  Counts start at row[2], so that filling the runs, which
 * advances row[i + 1], leaves row[i] at the start of run i. */
struct cs_goal_rows cs_goal_rows_of(uint32_t n, const struct cs_goal_edges *edges,
                                    enum cs_goal_direction direction, struct cs_arena *arena)
{
    struct cs_goal_rows rows = {cs_arena_alloc(arena, (size_t)n + 2, sizeof(uint32_t)),
                                cs_arena_alloc(arena, edges->count, sizeof(uint32_t))};
    enum cs_goal_direction back = direction == CS_GOAL_NEEDS ? CS_GOAL_NEEDED_BY : CS_GOAL_NEEDS;

    for (uint32_t i = 0; i < edges->count; i++)
        rows.row[goal_edge_end(&edges->edge[i], direction) + 2]++;
    for (uint32_t i = 1; i <= n; i++)
        rows.row[i + 1] += rows.row[i];
    for (uint32_t i = 0; i < edges->count; i++) {
        const struct cs_goal_edge *edge = &edges->edge[i];

        rows.to[rows.row[goal_edge_end(edge, direction) + 1]++] = goal_edge_end(edge, back);
    }
    return rows;
}

/* Kahn's algorithm with the order array as the queue. */
uint32_t cs_goal_sort(uint32_t n, const struct cs_goal_rows *needs,
                      const struct cs_goal_rows *needed_by, uint32_t *order, struct cs_arena *arena)
{
    uint32_t *open = cs_arena_alloc(arena, n, sizeof(*open));
    uint32_t count = 0;

    for (uint32_t i = 0; i < n; i++) {
        open[i] = needs->row[i + 1] - needs->row[i];
        if (open[i] == 0)
            order[count++] = i;
    }
    for (uint32_t done = 0; done < count; done++)
        for (uint32_t i = needed_by->row[order[done]]; i < needed_by->row[order[done] + 1]; i++)
            if (--open[needed_by->to[i]] == 0)
                order[count++] = needed_by->to[i];
    return count;
}

uint32_t cs_goal_first_missing(uint32_t n, const uint32_t *order, uint32_t count,
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
