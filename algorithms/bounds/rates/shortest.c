#include "algorithms/bounds/rates/shortest.h"

#include <math.h>

enum {
    NONE = UINT32_MAX
};

struct cs_shortest cs_shortest_of(const struct cs_lengths *lengths, struct cs_arena *arena)
{
    uint32_t cells = lengths->cells.count;

    return (struct cs_shortest){
        .distance = cs_arena_alloc(arena, cells, sizeof(double)),
        .order = cs_arena_alloc(arena, cells, sizeof(uint32_t)),
        .rank = cs_arena_alloc(arena, cells, sizeof(uint32_t)),
        .heap = cs_arena_alloc(arena, cells, sizeof(uint32_t)),
        .place = cs_arena_alloc(arena, cells, sizeof(uint32_t)),
    };
}

/* The heap's order is total: routes are equal on every machine. */
static bool shortest_is_nearer(const struct cs_shortest *tree, uint32_t x, uint32_t y)
{
    return tree->distance[x] < tree->distance[y] ||
           (tree->distance[x] <= tree->distance[y] && x < y);
}

static void shortest_put(struct cs_shortest *tree, uint32_t at, uint32_t cell)
{
    tree->heap[at] = cell;
    tree->place[cell] = at;
}

static void shortest_rise(struct cs_shortest *tree, uint32_t cell)
{
    uint32_t at = tree->place[cell];

    while (at > 0 && shortest_is_nearer(tree, cell, tree->heap[(at - 1) / 2])) {
        shortest_put(tree, at, tree->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    shortest_put(tree, at, cell);
}

/* Takes the nearest cell out of the heap of `count` cells. */
static uint32_t shortest_take(struct cs_shortest *tree, uint32_t count)
{
    uint32_t nearest = tree->heap[0];
    uint32_t cell = tree->heap[count - 1];
    uint32_t at = 0;

    for (;;) {
        uint32_t child = 2 * at + 1;

        if (child + 1 < count - 1 &&
            shortest_is_nearer(tree, tree->heap[child + 1], tree->heap[child]))
            child++;
        if (child >= count - 1 || !shortest_is_nearer(tree, tree->heap[child], cell))
            break;
        shortest_put(tree, at, tree->heap[child]);
        at = child;
    }
    shortest_put(tree, at, cell);
    return nearest;
}

static double shortest_length(const struct cs_lengths_arc *arc, const double *price)
{
    return arc->resource == NONE ? 0 : price[arc->resource] * arc->seconds;
}

void cs_shortest_search(const struct cs_lengths *lengths, const double *price, uint32_t cell,
                        struct cs_shortest *tree)
{
    uint32_t count = 1;

    for (uint32_t c = 0; c < lengths->cells.count; c++) {
        tree->distance[c] = (double)INFINITY;
        tree->rank[c] = tree->place[c] = NONE;
    }
    tree->reached = 0;
    tree->distance[cell] = 0;
    shortest_put(tree, 0, cell);
    while (count > 0) {
        uint32_t at = shortest_take(tree, count--);

        tree->rank[at] = tree->reached;
        tree->order[tree->reached++] = at;
        for (uint32_t e = lengths->first[at]; e < lengths->first[at + 1]; e++) {
            const struct cs_lengths_arc *arc = &lengths->arcs[e];
            double via = tree->distance[at] + shortest_length(arc, price);

            if (via >= tree->distance[arc->to])
                continue;
            if (tree->place[arc->to] == NONE)
                shortest_put(tree, count++, arc->to);
            tree->distance[arc->to] = via;
            shortest_rise(tree, arc->to);
        }
    }
}

/* Whether a shortest route may use the arc.  The order of the cells excludes
 * circles of free arcs. */
static bool shortest_uses(const struct cs_lengths_arc *arc, const double *price,
                          const struct cs_shortest *tree)
{
    static const double rounding = 1e-12;

    return tree->rank[arc->from] < tree->rank[arc->to] &&
           tree->distance[arc->from] + shortest_length(arc, price) <=
               tree->distance[arc->to] * (1 + rounding);
}

void cs_shortest_spread(const struct cs_lengths *lengths, const double *price,
                        const struct cs_shortest *tree, double *amount, double *load)
{
    for (uint32_t i = tree->reached; i-- > 1;) {
        uint32_t at = tree->order[i];
        uint32_t first = lengths->first_entering[at];
        uint32_t end = lengths->first_entering[at + 1];
        uint32_t routes = 0;

        for (uint32_t k = first; k < end; k++)
            routes += shortest_uses(&lengths->arcs[lengths->entering[k]], price, tree);
        for (uint32_t k = first; k < end; k++) {
            const struct cs_lengths_arc *arc = &lengths->arcs[lengths->entering[k]];

            if (!shortest_uses(arc, price, tree))
                continue;
            amount[arc->from] += amount[at] / routes;
            if (arc->resource != NONE)
                load[arc->resource] += amount[at] / routes * arc->seconds;
        }
    }
}
