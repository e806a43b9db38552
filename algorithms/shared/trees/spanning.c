#include "algorithms/shared/trees/spanning.h"

#include <math.h>

enum {
    NONE = CS_SPANNING_NONE,
    AT_ONCE = 4 /* comparisons */
};

void cs_spanning_init(struct cs_spanning *spanning, uint32_t vertices, struct cs_arena *arena)
{
    size_t most = 2 * (size_t)vertices;
    size_t size = most * vertices;

    *spanning = (struct cs_spanning){
        .vertices = vertices,
        .cost = cs_arena_alloc(arena, size, sizeof(*spanning->cost)),
        .end = cs_arena_alloc(arena, size, sizeof(*spanning->end)),
        .above = cs_arena_alloc(arena, most, sizeof(uint32_t)),
        .chosen = cs_arena_alloc(arena, most, sizeof(uint32_t)),
        .on_path = cs_arena_alloc(arena, most, sizeof(uint32_t)),
        .path = cs_arena_alloc(arena, most, sizeof(uint32_t)),
        .around = cs_arena_alloc(arena, vertices, sizeof(uint32_t)),
        .first = cs_arena_alloc(arena, most, sizeof(uint32_t)),
        .next = cs_arena_alloc(arena, most, sizeof(uint32_t)),
    };
}

static double *spanning_row(const struct cs_spanning *spanning, uint32_t vertex)
{
    return &spanning->cost[(size_t)vertex * spanning->vertices];
}

static uint32_t *spanning_ends(const struct cs_spanning *spanning, uint32_t vertex)
{
    return &spanning->end[(size_t)vertex * spanning->vertices];
}

/* Entrances of the root are free: it is the last vertex to be left, and none of them
 * becomes part of the tree. */
static void spanning_begin(struct cs_spanning *spanning, const double *costs, uint32_t root)
{
    uint32_t n = spanning->vertices;

    spanning->count = n;
    for (uint32_t v = 0; v < n; v++) {
        double *row = spanning_row(spanning, v);

        for (uint32_t u = 0; u < n; u++) {
            row[u] = v == root ? 0 : costs[(size_t)u * n + v];
            spanning_ends(spanning, v)[u] = v;
        }
        row[v] = (double)INFINITY;
        spanning->around[v] = v;
        spanning->above[v] = v;
        spanning->on_path[v] = NONE;
        spanning->first[v] = NONE;
    }
}

/* The least of the row, in parts that do not wait for each other. */
static double spanning_least(const double *row, uint32_t n)
{
    double least[AT_ONCE] = {row[0], row[0], row[0], row[0]};
    uint32_t u = 0;

    for (; u + AT_ONCE <= n; u += AT_ONCE)
        for (uint32_t i = 0; i < AT_ONCE; i++)
            least[i] = row[u + i] < least[i] ? row[u + i] : least[i];
    for (; u < n; u++)
        least[0] = row[u] < least[0] ? row[u] : least[0];
    for (uint32_t i = 1; i < AT_ONCE; i++)
        least[0] = least[i] < least[0] ? least[i] : least[0];
    return least[0];
}

/* Chooses the cheapest entrance from outside the vertex; false without any. */
static bool spanning_choose(struct cs_spanning *spanning, uint32_t vertex)
{
    const double *row = spanning_row(spanning, vertex);
    double least = spanning_least(row, spanning->vertices);
    uint32_t best = 0;

    while (row[best] > least)
        best++;
    spanning->chosen[vertex] = best;
    return !isinf(least);
}

/* Makes one vertex of the path's end from `place` on. */
static uint32_t spanning_contract(struct cs_spanning *spanning, uint32_t place, uint32_t length)
{
    uint32_t n = spanning->vertices;
    uint32_t made = spanning->count++;
    double *row = spanning_row(spanning, made);
    uint32_t *ends = spanning_ends(spanning, made);

    for (uint32_t u = 0; u < n; u++)
        row[u] = (double)INFINITY;
    spanning->above[made] = made;
    spanning->first[made] = NONE;
    for (uint32_t i = place; i < length; i++) {
        uint32_t part = spanning->path[i];
        const double *of = spanning_row(spanning, part);
        double saved = of[spanning->chosen[part]];

        for (uint32_t u = 0; u < n; u++)
            if (of[u] - saved < row[u]) {
                row[u] = of[u] - saved;
                ends[u] = spanning_ends(spanning, part)[u];
            }
        spanning->above[part] = made;
        spanning->next[part] = spanning->first[made];
        spanning->first[made] = part;
    }
    for (uint32_t u = 0; u < n; u++)
        if (spanning->above[spanning->around[u]] == made) {
            spanning->around[u] = made;
            row[u] = (double)INFINITY;
        }
    spanning->path[place] = made;
    spanning->on_path[made] = place;
    return place + 1;
}

/* Contracts everything to one vertex, the last one. */
static bool spanning_collapse(struct cs_spanning *spanning)
{
    uint32_t n = spanning->vertices;
    uint32_t left = n;
    uint32_t length = 1;

    spanning->path[0] = 0;
    spanning->on_path[0] = 0;
    while (left > 1) {
        uint32_t top = spanning->path[length - 1];
        uint32_t from, place;

        if (!spanning_choose(spanning, top))
            return false;
        from = spanning->around[spanning->chosen[top]];
        place = spanning->on_path[from];
        if (place == NONE) {
            spanning->on_path[from] = length;
            spanning->path[length++] = from;
            continue;
        }
        left -= length - place - 1;
        length = spanning_contract(spanning, place, length);
    }
    return true;
}

/* Opens the cycles around the vertex below `top`: their other members are entered
 * where they chose to be. */
static uint32_t spanning_open(struct cs_spanning *spanning, uint32_t vertex, uint32_t top,
                              uint32_t *parent, uint32_t *stack, uint32_t depth)
{
    for (uint32_t at = vertex; at != top; at = spanning->above[at])
        for (uint32_t part = spanning->first[spanning->above[at]]; part != NONE;
             part = spanning->next[part]) {
            uint32_t from = spanning->chosen[part];

            if (part == at)
                continue;
            parent[spanning_ends(spanning, part)[from]] = from;
            stack[depth++] = part;
        }
    return depth;
}

bool cs_spanning_tree(struct cs_spanning *spanning, const double *costs, uint32_t root,
                      uint32_t *parent)
{
    uint32_t *stack = spanning->path; /* not in use any more */
    uint32_t depth;

    spanning_begin(spanning, costs, root);
    if (!spanning_collapse(spanning))
        return false;
    parent[root] = NONE;
    depth = spanning_open(spanning, root, spanning->count - 1, parent, stack, 0);
    while (depth > 0) {
        uint32_t top = stack[--depth];
        uint32_t entered = spanning_ends(spanning, top)[spanning->chosen[top]];

        depth = spanning_open(spanning, entered, top, parent, stack, depth);
    }
    return true;
}
