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
        .heap = {.items = cs_arena_alloc(arena, cells, sizeof(struct cs_heap_item)),
                 .place = cs_arena_alloc(arena, cells, sizeof(uint32_t))},
    };
}

static double shortest_length(const struct cs_lengths_arc *arc, const double *price)
{
    return arc->resource == NONE ? 0 : price[arc->resource] * arc->seconds;
}

/* Lowers the distance of a cell.  The order of the heap is total: routes are equal on
 * every machine. */
static void shortest_lower(struct cs_shortest *tree, uint32_t cell, double distance)
{
    uint32_t place = tree->heap.place[cell];

    tree->distance[cell] = distance;
    if (place == CS_HEAP_NOWHERE)
        cs_heap_add(&tree->heap, (struct cs_heap_item){cs_heap_key(distance), cell, cell});
    else
        cs_heap_change(&tree->heap, place, cs_heap_key(distance));
}

void cs_shortest_search(const struct cs_lengths *lengths, const double *price, uint32_t cell,
                        struct cs_shortest *tree)
{
    for (uint32_t c = 0; c < lengths->cells.count; c++) {
        tree->distance[c] = (double)INFINITY;
        tree->rank[c] = NONE;
        tree->heap.place[c] = CS_HEAP_NOWHERE;
    }
    tree->reached = 0;
    shortest_lower(tree, cell, 0);
    while (tree->heap.count > 0) {
        uint32_t at = tree->heap.items[0].number;

        cs_heap_remove(&tree->heap, 0);
        tree->rank[at] = tree->reached;
        tree->order[tree->reached++] = at;
        for (uint32_t e = lengths->first[at]; e < lengths->first[at + 1]; e++) {
            const struct cs_lengths_arc *arc = &lengths->arcs[e];
            double via = tree->distance[at] + shortest_length(arc, price);

            if (via < tree->distance[arc->to])
                shortest_lower(tree, arc->to, via);
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
