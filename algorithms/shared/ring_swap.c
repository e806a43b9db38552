#include "algorithms/shared/ring_swap.h"

#include "sim/base/mem.h"
#include "sim/base/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum {
    SWAP_TRIES = 1 << 22,
    SWAP_EDGE_TRIES = 1 << 12, /* for each edge, on small graphs */
    SWAP_VISITS = 1 << 25,     /* of nodes, to count circuits */
    SWAP_EQUAL = 4,            /* one of so many that change no number */
    SWAP_WORSE = 64,           /* one of so many that add a circuit */
    SWAP_NONE = UINT32_MAX
};

/* A lane and its reverse, as one edge. */
struct swap_edge {
    uint32_t end[2];
    uint32_t factor;
};

struct ring_swap {
    uint32_t nodes, factors, edge_count;
    struct swap_edge *edges;
    /* The edges at node a, two for each factor: at[(a * factors + factor) * 2]
     * and the next. */
    uint32_t *at;
    uint32_t *circuits; /* of each factor */
    uint32_t *circuit;  /* of each node, for each factor */
    uint32_t *out;      /* the edge by which the circuit leaves the node */
    uint64_t visits, draws;
};

static uint32_t *swap_at(const struct ring_swap *swap, uint32_t node,
                         uint32_t factor)
{
    return &swap->at[2 * ((size_t)node * swap->factors + factor)];
}

static uint32_t swap_far_end(const struct ring_swap *swap, uint32_t edge,
                             uint32_t node)
{
    const struct swap_edge *of = &swap->edges[edge];

    return of->end[of->end[0] == node];
}

static uint32_t swap_draw(struct ring_swap *swap, uint32_t below)
{
    return (uint32_t)(cs_mix64(++swap->draws) % below);
}

/* ---- 2-factors ---- */

/* Lanes at each node if all nodes have as many and each lane a reverse;
 * otherwise 0. */
static uint32_t regular_degree(const struct cs_ring_lanes *lanes)
{
    uint32_t n = lanes->nodes;
    uint64_t degree = 0;
    uint32_t a, b;

    for (a = 0; a < n; a++) {
        uint64_t sum = 0;

        for (b = 0; b < n; b++) {
            sum += lanes->lanes[(size_t)a * n + b];
            if (lanes->lanes[(size_t)a * n + b] !=
                lanes->lanes[(size_t)b * n + a])
                return 0;
        }
        if (a && sum != degree)
            return 0;
        degree = sum;
    }
    return degree <= UINT16_MAX ? (uint32_t)degree : 0;
}

/* Collects the edges, and the edges at each node in any order. */
static void swap_collect(struct ring_swap *swap,
                         const struct cs_ring_lanes *lanes, uint32_t *filled)
{
    uint32_t n = swap->nodes;
    uint32_t a, b, i;

    for (a = 0; a < n; a++)
        for (b = a + 1; b < n; b++)
            for (i = 0; i < lanes->lanes[(size_t)a * n + b]; i++) {
                uint32_t edge = swap->edge_count++;

                swap->edges[edge] = (struct swap_edge){{a, b}, SWAP_NONE};
                swap_at(swap, a, 0)[filled[a]++] = edge;
                swap_at(swap, b, 0)[filled[b]++] = edge;
            }
}

/* Directs every edge from end[0] to end[1], so that each node has as many tails
 * as heads: a walk over unused edges from a node returns to the node. */
static void swap_direct(struct ring_swap *swap, uint32_t *filled, bool *used)
{
    uint32_t degree = 2 * swap->factors;
    uint32_t start;

    memset(filled, 0, swap->nodes * sizeof(*filled));
    for (start = 0; start < swap->nodes; start++) {
        uint32_t node = start;

        while (filled[node] < degree) {
            uint32_t edge = swap_at(swap, node, 0)[filled[node]++];
            uint32_t next = swap_far_end(swap, edge, node);

            if (used[edge])
                continue;
            used[edge] = true;
            swap->edges[edge].end[0] = node;
            swap->edges[edge].end[1] = next;
            node = next;
        }
    }
}

/* A perfect matching of tails and heads over the edges without a factor. */
struct swap_matching {
    struct ring_swap *swap;
    uint32_t *into;  /* the edge into each node, or SWAP_NONE */
    uint32_t *seen;  /* nodes of the present search */
    uint32_t *stack; /* tails of the path */
    uint32_t *next;  /* of each tail: the next edge to try */
    uint32_t search;
};

/* Finds a path of alternate edges from `tail` to a node without an edge into
 * it, and adds the path to the matching.  A regular graph always has one. */
static void swap_augment(struct swap_matching *matching, uint32_t tail)
{
    const struct ring_swap *swap = matching->swap;
    uint32_t degree = 2 * swap->factors;
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
        edge = swap_at(swap, at, 0)[matching->next[at]++];
        head = swap->edges[edge].end[1];
        if (swap->edges[edge].end[0] != at || head == at ||
            swap->edges[edge].factor != SWAP_NONE ||
            matching->seen[head] == matching->search)
            continue;
        matching->seen[head] = matching->search;
        if (matching->into[head] == SWAP_NONE)
            break;
        at = swap->edges[matching->into[head]].end[0];
        matching->stack[++depth] = at;
        matching->next[at] = 0;
    }
    for (;; depth--) {
        uint32_t at = matching->stack[depth];
        uint32_t edge = swap_at(swap, at, 0)[matching->next[at] - 1];

        matching->into[swap->edges[edge].end[1]] = edge;
        if (depth == 0)
            return;
    }
}

/* One factor after the other is a perfect matching. */
static void swap_split(struct ring_swap *swap, struct cs_arena *arena)
{
    uint32_t n = swap->nodes;
    struct swap_matching matching = {
        .swap = swap,
        .into = cs_arena_alloc(arena, n, sizeof(uint32_t)),
        .seen = cs_arena_alloc(arena, n, sizeof(uint32_t)),
        .stack = cs_arena_alloc(arena, n, sizeof(uint32_t)),
        .next = cs_arena_alloc(arena, n, sizeof(uint32_t))};
    uint32_t f, i;

    for (f = 0; f < swap->factors; f++) {
        for (i = 0; i < n; i++)
            matching.into[i] = SWAP_NONE;
        for (i = 0; i < n; i++)
            swap_augment(&matching, i);
        for (i = 0; i < n; i++)
            swap->edges[matching.into[i]].factor = f;
    }
}

/* Sorts the edges at each node by factor. */
static void swap_sort(struct ring_swap *swap)
{
    uint32_t degree = 2 * swap->factors;
    uint32_t a, i;

    for (a = 0; a < swap->nodes; a++)
        for (i = 1; i < degree; i++) {
            uint32_t *at = swap_at(swap, a, 0);
            uint32_t edge = at[i];
            uint32_t j = i;

            for (;
                 j && swap->edges[at[j - 1]].factor > swap->edges[edge].factor;
                 j--)
                at[j] = at[j - 1];
            at[j] = edge;
        }
}

/* ---- circuits ---- */

/* The edge by which a circuit that came over `edge` leaves the node. */
static uint32_t swap_onward(const struct ring_swap *swap, uint32_t node,
                            uint32_t edge)
{
    const uint32_t *at = swap_at(swap, node, swap->edges[edge].factor);

    return at[at[0] == edge];
}

static void swap_count(struct ring_swap *swap, uint32_t factor)
{
    uint32_t n = swap->nodes;
    uint32_t *circuit = &swap->circuit[(size_t)factor * n];
    uint32_t *out = &swap->out[(size_t)factor * n];
    uint32_t count = 0;
    uint32_t start;

    for (start = 0; start < n; start++)
        circuit[start] = SWAP_NONE;
    for (start = 0; start < n; start++) {
        uint32_t edge = swap_at(swap, start, factor)[0];
        uint32_t node = start;

        if (circuit[start] != SWAP_NONE)
            continue;
        do {
            circuit[node] = count;
            out[node] = edge;
            node = swap_far_end(swap, edge, node);
            edge = swap_onward(swap, node, edge);
        } while (node != start);
        count++;
    }
    swap->circuits[factor] = count;
    swap->visits += n;
}

/* The square a-b-c-d: edges 0 and 2 in one factor, 1 and 3 in another. */
struct swap_square {
    uint32_t edge[4], node[4];
    uint32_t factor[2];
};

static bool swap_find(struct ring_swap *swap, struct swap_square *square)
{
    uint32_t *node = square->node;
    uint32_t *edge = square->edge;
    const uint32_t *last;

    edge[0] = swap_draw(swap, swap->edge_count);
    node[0] = swap->edges[edge[0]].end[swap_draw(swap, 2)];
    node[1] = swap_far_end(swap, edge[0], node[0]);
    square->factor[0] = swap->edges[edge[0]].factor;
    square->factor[1] = swap_draw(swap, swap->factors);
    if (square->factor[0] == square->factor[1])
        return false;
    edge[1] = swap_at(swap, node[1], square->factor[1])[swap_draw(swap, 2)];
    node[2] = swap_far_end(swap, edge[1], node[1]);
    edge[2] = swap_at(swap, node[2], square->factor[0])[swap_draw(swap, 2)];
    node[3] = swap_far_end(swap, edge[2], node[2]);
    last = swap_at(swap, node[3], square->factor[1]);
    edge[3] = last[swap_far_end(swap, last[0], node[3]) != node[0]];
    return swap_far_end(swap, edge[3], node[3]) == node[0] &&
           node[2] != node[0] && node[3] != node[1];
}

/* Moves an edge of a node to the place of another, and sets its factor. */
static void swap_replace(struct ring_swap *swap, uint32_t node, uint32_t factor,
                         uint32_t old, uint32_t edge)
{
    uint32_t *at = swap_at(swap, node, factor);

    at[at[0] != old] = edge;
}

/* Exchanges the factors of the edges. */
static void swap_exchange(struct ring_swap *swap,
                          const struct swap_square *square)
{
    uint32_t i;

    for (i = 0; i < 4; i++) {
        uint32_t before = square->edge[(i + 3) % 4];
        uint32_t after = square->edge[i];

        swap_replace(swap, square->node[i], square->factor[i % 2], after,
                     before);
        swap_replace(swap, square->node[i], square->factor[1 - i % 2], before,
                     after);
    }
    for (i = 0; i < 4; i++)
        swap->edges[square->edge[i]].factor = square->factor[1 - i % 2];
    for (i = 0; i < 2; i++)
        swap_count(swap, square->factor[i]);
}

/* The change of the number of circuits in the factor of edges i and i + 2: edges
 * of two circuits join these; edges of one circuit split the circuit, if the
 * circuit passes both in the same direction around the square. */
static int swap_change(const struct ring_swap *swap,
                       const struct swap_square *square, uint32_t i)
{
    size_t first = (size_t)square->factor[i] * swap->nodes;
    const uint32_t *circuit = &swap->circuit[first];
    const uint32_t *out = &swap->out[first];
    uint32_t a = square->node[i];
    uint32_t c = square->node[i + 2];

    if (circuit[a] != circuit[c])
        return -1;
    return (out[a] == square->edge[i]) == (out[c] == square->edge[i + 2]);
}

static uint32_t swap_rings(const struct ring_swap *swap)
{
    uint32_t count = 0;
    uint32_t f;

    for (f = 0; f < swap->factors; f++)
        count += 2 * (swap->circuits[f] == 1);
    return count;
}

/* Exchanges squares until `most` rings exist or the limit is reached. */
static void swap_improve(struct ring_swap *swap, uint32_t most)
{
    uint64_t limit = (uint64_t)SWAP_EDGE_TRIES * swap->edge_count;
    uint64_t tries;

    limit = limit < SWAP_TRIES ? limit : SWAP_TRIES;
    for (tries = 0; tries < limit && swap->visits < SWAP_VISITS; tries++) {
        struct swap_square square;
        int change;

        if (!swap_find(swap, &square))
            continue;
        change = swap_change(swap, &square, 0) + swap_change(swap, &square, 1);
        if (change > 1 ||
            (change >= 0 && swap_draw(swap, change ? SWAP_WORSE : SWAP_EQUAL)))
            continue;
        swap_exchange(swap, &square);
        if (change < 0 && swap_rings(swap) >= most)
            return;
    }
}

static uint32_t swap_write(const struct ring_swap *swap, uint32_t most,
                           uint32_t *order)
{
    uint32_t n = swap->nodes;
    uint32_t count = 0;
    uint32_t f, i;

    for (f = 0; f < swap->factors && count + 2 <= most; f++) {
        uint32_t *ring = &order[(size_t)count * n];
        uint32_t edge = swap_at(swap, 0, f)[0];
        uint32_t node = 0;

        if (swap->circuits[f] != 1)
            continue;
        for (i = 0; i < n; i++) {
            ring[i] = node;
            ring[n + (n - i) % n] = node;
            node = swap_far_end(swap, edge, node);
            edge = swap_onward(swap, node, edge);
        }
        count += 2;
    }
    return count;
}

uint32_t cs_ring_swap(const struct cs_ring_lanes *lanes, uint32_t most,
                      uint32_t *order)
{
    uint32_t n = lanes->nodes;
    uint32_t degree = regular_degree(lanes);
    struct cs_arena arena = {0};
    struct ring_swap swap = {.nodes = n, .factors = degree / 2};
    uint32_t *filled;
    uint32_t f, count;

    if (degree < 2 || degree % 2 || n < 3)
        return 0;
    swap.edges =
        cs_arena_alloc(&arena, (size_t)n * swap.factors, sizeof(*swap.edges));
    swap.at = cs_arena_alloc(&arena, (size_t)n * degree, sizeof(*swap.at));
    swap.circuits = cs_arena_alloc(&arena, swap.factors, sizeof(uint32_t));
    swap.circuit =
        cs_arena_alloc(&arena, (size_t)n * swap.factors, sizeof(uint32_t));
    swap.out =
        cs_arena_alloc(&arena, (size_t)n * swap.factors, sizeof(uint32_t));
    filled = cs_arena_alloc(&arena, n, sizeof(*filled));
    swap_collect(&swap, lanes, filled);
    swap_direct(&swap, filled,
                cs_arena_alloc(&arena, swap.edge_count, sizeof(bool)));
    swap_split(&swap, &arena);
    swap_sort(&swap);
    for (f = 0; f < swap.factors; f++)
        swap_count(&swap, f);
    if (swap_rings(&swap) < most)
        swap_improve(&swap, most < degree ? most : degree);
    count = swap_write(&swap, most, order);
    cs_arena_free(&arena);
    return count;
}
