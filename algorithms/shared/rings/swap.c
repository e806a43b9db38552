#include "algorithms/shared/rings/search.h"

#include "algorithms/shared/rings/two_factors.h"
#include "sim/base/collections/disjoint.h"
#include "sim/base/random.h"

enum {
    SWAP_TRIES = 1 << 22,
    SWAP_EDGE_TRIES = 1 << 12, /* for each edge, on small graphs */
    SWAP_VISITS = 1 << 26,     /* of nodes, to count circuits */
    SWAP_PAIR_TRIES = 8,       /* of joins in pairs, for each edge */
    SWAP_TRIAL = 2000,         /* tries after an exchange that lowers no number */
    SWAP_UNDONE = 64,          /* trials in a row that are undone */
    SWAP_WORSE = 16,           /* times as long until one that adds a circuit */
    SWAP_NONE = UINT32_MAX
};

struct ring_swap {
    struct cs_two_factors split;
    uint32_t *circuits; /* of each factor */
    uint32_t *circuit;  /* of each node, for each factor */
    uint32_t *out;      /* the edge by which the circuit leaves the node */
    uint64_t visits, draws;
};

static uint32_t swap_draw(struct ring_swap *swap, uint32_t below)
{
    return (uint32_t)(cs_mix64(++swap->draws) % below);
}

/* ---- circuits ---- */

/* The edge by which a circuit that came over `edge` leaves the node. */
static uint32_t swap_onward(const struct ring_swap *swap, uint32_t node, uint32_t edge)
{
    const uint32_t *at = cs_factor_at(&swap->split, node, swap->split.edges[edge].factor);

    return at[at[0] == edge];
}

static void swap_count(struct ring_swap *swap, uint32_t factor)
{
    uint32_t n = swap->split.nodes;
    uint32_t *circuit = &swap->circuit[(size_t)factor * n];
    uint32_t *out = &swap->out[(size_t)factor * n];
    uint32_t count = 0;

    for (uint32_t start = 0; start < n; start++)
        circuit[start] = SWAP_NONE;
    for (uint32_t start = 0; start < n; start++) {
        uint32_t edge = cs_factor_at(&swap->split, start, factor)[0];
        uint32_t node = start;

        if (circuit[start] != SWAP_NONE)
            continue;
        do {
            circuit[node] = count;
            out[node] = edge;
            node = cs_factor_far_end(&swap->split, edge, node);
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

    edge[0] = swap_draw(swap, swap->split.edge_count);
    node[0] = swap->split.edges[edge[0]].end[swap_draw(swap, 2)];
    node[1] = cs_factor_far_end(&swap->split, edge[0], node[0]);
    square->factor[0] = swap->split.edges[edge[0]].factor;
    square->factor[1] = swap_draw(swap, swap->split.factors);
    if (square->factor[0] == square->factor[1])
        return false;
    edge[1] = cs_factor_at(&swap->split, node[1], square->factor[1])[swap_draw(swap, 2)];
    node[2] = cs_factor_far_end(&swap->split, edge[1], node[1]);
    edge[2] = cs_factor_at(&swap->split, node[2], square->factor[0])[swap_draw(swap, 2)];
    node[3] = cs_factor_far_end(&swap->split, edge[2], node[2]);
    last = cs_factor_at(&swap->split, node[3], square->factor[1]);
    edge[3] = last[cs_factor_far_end(&swap->split, last[0], node[3]) != node[0]];
    return cs_factor_far_end(&swap->split, edge[3], node[3]) == node[0] && node[2] != node[0] &&
           node[3] != node[1];
}

/* Moves an edge of a node to the place of another, and sets its factor. */
static void swap_replace(struct ring_swap *swap, uint32_t node, uint32_t factor, uint32_t old,
                         uint32_t edge)
{
    uint32_t *at = cs_factor_at(&swap->split, node, factor);

    at[at[0] != old] = edge;
}

/* Exchanges the factors of the edges; the circuits are to be counted. */
static void swap_exchange(struct ring_swap *swap, const struct swap_square *square)
{
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t before = square->edge[(i + 3) % 4];
        uint32_t after = square->edge[i];

        swap_replace(swap, square->node[i], square->factor[i % 2], after, before);
        swap_replace(swap, square->node[i], square->factor[1 - i % 2], before, after);
    }
    for (uint32_t i = 0; i < 4; i++)
        swap->split.edges[square->edge[i]].factor = square->factor[1 - i % 2];
}

/* The change of the number of circuits in the factor of edges i and i + 2: edges
 * of two circuits join these; edges of one circuit split the circuit, if the
 * circuit passes both in the same direction around the square. */
static int swap_change(const struct ring_swap *swap, const struct swap_square *square, uint32_t i)
{
    size_t first = (size_t)square->factor[i] * swap->split.nodes;
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

    for (uint32_t f = 0; f < swap->split.factors; f++)
        count += 2 * (swap->circuits[f] == 1);
    return count;
}

/* Exchanges squares that join two circuits in both factors, which needs no count of the
 * circuits in between. */
static void swap_join_pairs(struct ring_swap *swap, uint32_t *joined)
{
    uint32_t n = swap->split.nodes;

    for (uint32_t i = 0; i < n * swap->split.factors; i++)
        joined[i] = i % n;
    for (uint64_t tries = 0; tries < (uint64_t)SWAP_PAIR_TRIES * swap->split.edge_count; tries++) {
        struct swap_square square;
        uint32_t *sets[2], first[2], second[2];

        if (!swap_find(swap, &square))
            continue;
        for (uint32_t i = 0; i < 2; i++) {
            size_t factor = (size_t)square.factor[i] * n;
            const uint32_t *circuit = &swap->circuit[factor];

            sets[i] = &joined[factor];
            first[i] = cs_disjoint_root(sets[i], circuit[square.node[i]]);
            second[i] = cs_disjoint_root(sets[i], circuit[square.node[i + 2]]);
        }
        if (first[0] == second[0] || first[1] == second[1])
            continue;
        cs_disjoint_join(sets[0], second[0], first[0]);
        cs_disjoint_join(sets[1], second[1], first[1]);
        swap_exchange(swap, &square);
    }
    for (uint32_t f = 0; f < swap->split.factors; f++)
        swap_count(swap, f);
}

static void swap_apply(struct ring_swap *swap, const struct swap_square *square)
{
    swap_exchange(swap, square);
    for (uint32_t i = 0; i < 2; i++)
        swap_count(swap, square->factor[i]);
}

/* The exchange of the square's edges, which have exchanged the factors, undoes it. */
static void swap_undo(struct ring_swap *swap, struct swap_square square)
{
    uint32_t factor = square.factor[0];

    square.factor[0] = square.factor[1];
    square.factor[1] = factor;
    swap_apply(swap, &square);
}

/* A walk over exchanges. */
struct swap_walk {
    uint64_t span; /* tries for an exchange that lowers the number of circuits */
    uint64_t idle; /* tries since the last of these */
    struct swap_square last;
    bool is_trial; /* `last` did not lower the number */
    uint32_t undone;
};

/* Ends a trial after which no square lowers the number: most are undone, as exchanges
 * at random tangle the circuits until few squares remain. */
static void swap_end_trial(struct ring_swap *swap, struct swap_walk *walk)
{
    if (walk->undone++ < SWAP_UNDONE)
        swap_undo(swap, walk->last);
    else
        walk->undone = 0;
    walk->is_trial = false;
    walk->idle = walk->span;
}

static bool swap_accepts(const struct swap_walk *walk, int change)
{
    return change < 0 || (change == 0 && walk->idle >= walk->span) ||
           (change == 1 && walk->idle >= SWAP_WORSE * walk->span);
}

/* Exchanges squares until `most` rings exist or the limit is reached. */
static void swap_improve(struct ring_swap *swap, uint32_t most)
{
    uint64_t limit = (uint64_t)SWAP_EDGE_TRIES * swap->split.edge_count;
    struct swap_walk walk = {.span = swap->split.edge_count};

    limit = limit < SWAP_TRIES ? limit : SWAP_TRIES;
    for (uint64_t tries = 0; tries < limit && swap->visits < SWAP_VISITS; tries++, walk.idle++) {
        struct swap_square square;
        int change;

        if (walk.is_trial && walk.idle > walk.span + SWAP_TRIAL)
            swap_end_trial(swap, &walk);
        if (!swap_find(swap, &square))
            continue;
        change = swap_change(swap, &square, 0) + swap_change(swap, &square, 1);
        if (!swap_accepts(&walk, change))
            continue;
        walk.is_trial = change >= 0;
        walk.idle = walk.is_trial ? walk.span : 0;
        walk.undone = walk.is_trial ? walk.undone : 0;
        walk.last = square;
        swap_apply(swap, &square);
        if (change < 0 && swap_rings(swap) >= most)
            return;
    }
}

static uint32_t swap_write(const struct ring_swap *swap, uint32_t most, uint32_t *order)
{
    uint32_t n = swap->split.nodes;
    uint32_t count = 0;

    for (uint32_t f = 0; f < swap->split.factors && count + 2 <= most; f++) {
        uint32_t *ring = &order[(size_t)count * n];
        uint32_t edge = cs_factor_at(&swap->split, 0, f)[0];
        uint32_t node = 0;

        if (swap->circuits[f] != 1)
            continue;
        for (uint32_t i = 0; i < n; i++) {
            ring[i] = node;
            ring[n + (n - i) % n] = node;
            node = cs_factor_far_end(&swap->split, edge, node);
            edge = swap_onward(swap, node, edge);
        }
        count += 2;
    }
    return count;
}

uint32_t cs_ring_swap_factors(struct cs_two_factors *split, uint32_t most, uint32_t *order)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct ring_swap swap = {.split = *split};
    size_t size = (size_t)split->nodes * split->factors;

    swap.circuits = cs_arena_alloc(&arena, split->factors, sizeof(uint32_t));
    swap.circuit = cs_arena_alloc(&arena, size, sizeof(uint32_t));
    swap.out = cs_arena_alloc(&arena, size, sizeof(uint32_t));
    for (uint32_t f = 0; f < split->factors; f++)
        swap_count(&swap, f);
    most = most < 2 * split->factors ? most : 2 * split->factors;
    if (swap_rings(&swap) < most) {
        swap_join_pairs(&swap, cs_arena_alloc(&arena, size, sizeof(uint32_t)));
        swap_improve(&swap, most);
    }
    return swap_write(&swap, most, order);
}

uint32_t cs_ring_swap(const struct cs_ring_lanes *lanes, uint32_t most, uint32_t *order)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_two_factors split;
    uint32_t count = 0;

    if (lanes->nodes > 2 && cs_two_factors_of(lanes, &split, &arena))
        count = cs_ring_swap_factors(&split, most, order);
    return count;
}
