#include "algorithms/shared/rings/two_factors.h"

#include <string.h>

enum {
    FACTOR_NONE = UINT32_MAX
};

/* Lanes at each node if all nodes have as many and each lane a reverse;
 * otherwise 0. */
static uint32_t regular_degree(const struct cs_ring_lanes *lanes)
{
    uint32_t n = lanes->nodes;
    uint64_t degree = 0;

    for (uint32_t a = 0; a < n; a++) {
        uint64_t sum = 0;

        for (uint32_t b = 0; b < n; b++) {
            sum += lanes->lanes[(size_t)a * n + b];
            if (lanes->lanes[(size_t)a * n + b] != lanes->lanes[(size_t)b * n + a])
                return 0;
        }
        if (a && sum != degree)
            return 0;
        degree = sum;
    }
    return degree <= UINT16_MAX ? (uint32_t)degree : 0;
}

/* Collects the edges, and the edges at each node in any order. */
static void factors_collect(struct cs_two_factors *split, const struct cs_ring_lanes *lanes,
                            uint32_t *filled)
{
    uint32_t n = split->nodes;

    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            for (uint32_t i = 0; i < lanes->lanes[(size_t)a * n + b]; i++) {
                uint32_t edge = split->edge_count++;

                split->edges[edge] = (struct cs_factor_edge){{a, b}, FACTOR_NONE};
                cs_factor_at(split, a, 0)[filled[a]++] = edge;
                cs_factor_at(split, b, 0)[filled[b]++] = edge;
            }
}

/* Directs every edge from end[0] to end[1], so that each node has as many tails
 * as heads: a walk over unused edges from a node returns to the node. */
static void factors_direct(struct cs_two_factors *split, uint32_t *filled, bool *used)
{
    uint32_t degree = 2 * split->factors;

    memset(filled, 0, split->nodes * sizeof(*filled));
    for (uint32_t start = 0; start < split->nodes; start++) {
        uint32_t node = start;

        while (filled[node] < degree) {
            uint32_t edge = cs_factor_at(split, node, 0)[filled[node]++];
            uint32_t next = cs_factor_far_end(split, edge, node);

            if (used[edge])
                continue;
            used[edge] = true;
            split->edges[edge].end[0] = node;
            split->edges[edge].end[1] = next;
            node = next;
        }
    }
}

/* A perfect matching of tails and heads over the edges without a factor. */
struct factor_matching {
    struct cs_two_factors *split;
    uint32_t *into;  /* the edge into each node, or FACTOR_NONE */
    uint32_t *seen;  /* nodes of the present search */
    uint32_t *stack; /* tails of the path */
    uint32_t *next;  /* of each tail: the next edge to try */
    uint32_t search;
};

/* Finds a path of alternate edges from `tail` to a node without an edge into
 * it, and adds the path to the matching.  A regular graph always has one. */
static void factors_augment(struct factor_matching *matching, uint32_t tail)
{
    const struct cs_two_factors *split = matching->split;
    uint32_t degree = 2 * split->factors;
    uint32_t depth = 0;

    matching->search++;
    matching->stack[0] = tail;
    matching->next[tail] = 0;
    for (;;) {
        uint32_t at = matching->stack[depth];
        uint32_t edge, head;

        if (matching->next[at] == degree) {
            depth--;
            continue;
        }
        edge = cs_factor_at(split, at, 0)[matching->next[at]++];
        head = split->edges[edge].end[1];
        if (split->edges[edge].end[0] != at || head == at ||
            split->edges[edge].factor != FACTOR_NONE || matching->seen[head] == matching->search)
            continue;
        matching->seen[head] = matching->search;
        if (matching->into[head] == FACTOR_NONE)
            break;
        at = split->edges[matching->into[head]].end[0];
        matching->stack[++depth] = at;
        matching->next[at] = 0;
    }
    for (;; depth--) {
        uint32_t at = matching->stack[depth];
        uint32_t edge = cs_factor_at(split, at, 0)[matching->next[at] - 1];

        matching->into[split->edges[edge].end[1]] = edge;
        if (depth == 0)
            return;
    }
}

/* One factor after the other is a perfect matching. */
static void factors_split(struct cs_two_factors *split, struct cs_arena *arena)
{
    uint32_t n = split->nodes;
    struct factor_matching matching = {.split = split,
                                       .into = cs_arena_alloc(arena, n, sizeof(uint32_t)),
                                       .seen = cs_arena_alloc(arena, n, sizeof(uint32_t)),
                                       .stack = cs_arena_alloc(arena, n, sizeof(uint32_t)),
                                       .next = cs_arena_alloc(arena, n, sizeof(uint32_t))};

    for (uint32_t f = 0; f < split->factors; f++) {
        for (uint32_t i = 0; i < n; i++)
            matching.into[i] = FACTOR_NONE;
        for (uint32_t i = 0; i < n; i++)
            factors_augment(&matching, i);
        for (uint32_t i = 0; i < n; i++)
            split->edges[matching.into[i]].factor = f;
    }
}

/* Sorts the edges at each node by factor. */
static void factors_sort(struct cs_two_factors *split)
{
    uint32_t degree = 2 * split->factors;

    for (uint32_t a = 0; a < split->nodes; a++)
        for (uint32_t i = 1; i < degree; i++) {
            uint32_t *at = cs_factor_at(split, a, 0);
            uint32_t edge = at[i];
            uint32_t j = i;

            for (; j && split->edges[at[j - 1]].factor > split->edges[edge].factor; j--)
                at[j] = at[j - 1];
            at[j] = edge;
        }
}

bool cs_two_factors_of(const struct cs_ring_lanes *lanes, struct cs_two_factors *split,
                       struct cs_arena *arena)
{
    uint32_t n = lanes->nodes;
    uint32_t degree = regular_degree(lanes);
    uint32_t *filled;

    if (degree < 2 || degree % 2)
        return false;
    *split = (struct cs_two_factors){.nodes = n, .factors = degree / 2};
    split->edges = cs_arena_alloc(arena, (size_t)n * split->factors, sizeof(*split->edges));
    split->at = cs_arena_alloc(arena, (size_t)n * degree, sizeof(*split->at));
    filled = cs_arena_alloc(arena, n, sizeof(*filled));
    factors_collect(split, lanes, filled);
    factors_direct(split, filled, cs_arena_alloc(arena, split->edge_count, sizeof(bool)));
    factors_split(split, arena);
    factors_sort(split);
    return true;
}
