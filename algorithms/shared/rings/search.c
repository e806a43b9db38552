#include "algorithms/shared/rings/search.h"

#include "sim/base/mem.h"
#include "sim/base/random.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS_MAX = 1 << 16,
    WORK_MAX = 1 << 23, /* steps x nodes */
    RING_STEPS = 32,    /* per node, until the search for a ring ends */
    WATCHED_STEPS = 64
};

enum direction {
    FORWARD,
    BACKWARD,
};

struct ring_search_choice {
    uint64_t key; /* the least comes first */
    uint32_t node;
};

struct ring_search {
    uint32_t nodes;
    uint32_t *left;    /* free lanes */
    uint32_t *onwards; /* of each node: neighbours outside the path */
    bool *visited;
    uint32_t *route;
    /* `nodes` for each position of the path. */
    struct ring_search_choice *choices;
    uint32_t *choice_count, *chosen;
    uint32_t attempt;
    uint64_t steps;
    const struct cs_monitor *monitor;
};

static uint32_t *left_between(const struct ring_search *search, uint32_t from, uint32_t to)
{
    return &search->left[(size_t)from * search->nodes + to];
}

/* Adds a node to the path or removes the node, and updates the exits of the
 * neighbours. */
static void ring_search_mark(struct ring_search *search, uint32_t node, bool visited)
{
    search->visited[node] = visited;
    for (uint32_t i = 0; i < search->nodes; i++)
        if (*left_between(search, i, node))
            search->onwards[i] += visited ? UINT32_MAX : 1; /* -1, +1 */
}

/* Sort key of a neighbour: the widest wire first, except in every third
 * attempt; then the fewest exits; then the number, or from the second attempt
 * on a random number. */
static uint64_t ring_search_key_of(const struct ring_search *search, uint32_t at, uint32_t to)
{
    uint32_t tie = to;
    uint64_t narrow = 0;

    if (search->attempt)
        tie = (uint32_t)cs_mix64((search->steps << 32) + to);
    if (search->attempt % 3 != 2)
        narrow = UINT16_MAX - *left_between(search, at, to);
    return narrow << 48 | (uint64_t)search->onwards[to] << 32 | tie;
}

/* Collects and sorts the continuations of the path at position `depth`. */
static void ring_search_look_around(struct ring_search *search, uint32_t depth)
{
    struct ring_search_choice *choices = &search->choices[(size_t)depth * search->nodes];
    uint32_t at = search->route[depth];
    uint32_t count = 0;

    for (uint32_t to = 0; to < search->nodes; to++) {
        struct ring_search_choice choice = {.node = to};
        uint32_t i = count;

        if (search->visited[to] || !*left_between(search, at, to))
            continue;
        choice.key = ring_search_key_of(search, at, to);
        for (; i > 0 && choices[i - 1].key > choice.key; i--)
            choices[i] = choices[i - 1];
        choices[i] = choice;
        count++;
    }
    search->choice_count[depth] = count;
    search->chosen[depth] = 0;
}

static void ring_search_start(struct ring_search *search)
{
    memset(search->visited, 0, search->nodes * sizeof(*search->visited));
    for (uint32_t i = 0; i < search->nodes; i++) {
        search->onwards[i] = 0;
        for (uint32_t j = 0; j < search->nodes; j++)
            search->onwards[i] += *left_between(search, i, j) > 0;
    }
    search->route[0] = 0;
    ring_search_mark(search, 0, true);
    ring_search_look_around(search, 0);
}

/* Finds a ring over free lanes, in `route`; false at the limit of steps, or where the
 * monitor stops. */
static bool find_ring(struct ring_search *search)
{
    uint64_t stop = search->steps + (uint64_t)RING_STEPS * search->nodes;
    uint32_t last = search->nodes - 1;
    uint32_t depth = 0;

    for (ring_search_start(search); search->steps < stop; search->steps++) {
        if (search->steps % WATCHED_STEPS == 0 && !cs_monitor_count(search->monitor, 0, 0))
            return false;
        if (depth == last && *left_between(search, search->route[last], 0))
            return true;
        if (search->chosen[depth] < search->choice_count[depth]) {
            const struct ring_search_choice *choices =
                &search->choices[(size_t)depth * search->nodes];

            search->route[depth + 1] = choices[search->chosen[depth]++].node;
            depth++;
            ring_search_mark(search, search->route[depth], true);
            ring_search_look_around(search, depth);
        } else if (depth == 0) {
            return false;
        } else {
            ring_search_mark(search, search->route[depth--], false);
        }
    }
    return false;
}

/* The lane count of the ring's step i. */
static uint32_t *ring_search_lane_of(const struct ring_search *search, uint32_t i,
                                     enum direction direction)
{
    uint32_t a = search->route[i];
    uint32_t b = search->route[(i + 1) % search->nodes];

    return direction == FORWARD ? left_between(search, a, b) : left_between(search, b, a);
}

static bool is_free(const struct ring_search *search, enum direction direction)
{
    for (uint32_t i = 0; i < search->nodes; i++)
        if (!*ring_search_lane_of(search, i, direction))
            return false;
    return true;
}

static void ring_search_take(struct ring_search *search, enum direction direction, uint32_t *order)
{
    uint32_t n = search->nodes;

    for (uint32_t i = 0; i < n; i++) {
        --*ring_search_lane_of(search, i, direction);
        order[i] = search->route[direction == FORWARD ? i : (n - i) % n];
    }
}

/* Takes rings until `most` or until none is found; even attempts also take the
 * reverse of each ring, which suits symmetric machines. */
static uint32_t ring_search_attempt(struct ring_search *search, uint32_t most, uint32_t *order)
{
    uint32_t n = search->nodes;
    uint32_t count = 0;

    while (count < most && find_ring(search)) {
        ring_search_take(search, FORWARD, &order[(size_t)count++ * n]);
        if (search->attempt % 2 == 0 && count < most && is_free(search, BACKWARD))
            ring_search_take(search, BACKWARD, &order[(size_t)count++ * n]);
    }
    return count;
}

uint32_t cs_ring_search_at_most(const struct cs_ring_lanes *lanes, uint32_t most)
{
    uint32_t n = lanes->nodes;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t out = 0, in = 0;

        for (uint32_t j = 0; j < n; j++) {
            out += lanes->lanes[(size_t)i * n + j];
            in += lanes->lanes[(size_t)j * n + i];
        }
        most = out < most ? (uint32_t)out : most;
        most = in < most ? (uint32_t)in : most;
    }
    return most;
}

static struct ring_search new_search(const struct cs_ring_lanes *lanes, struct cs_arena *arena)
{
    uint32_t nodes = lanes->nodes;
    size_t pairs = (size_t)nodes * nodes;

    return (struct ring_search){
        .nodes = nodes,
        .left = cs_arena_alloc(arena, pairs, sizeof(uint32_t)),
        .onwards = cs_arena_alloc(arena, nodes, sizeof(uint32_t)),
        .visited = cs_arena_alloc(arena, nodes, sizeof(bool)),
        .route = cs_arena_alloc(arena, nodes, sizeof(uint32_t)),
        .choices = cs_arena_alloc(arena, pairs, sizeof(struct ring_search_choice)),
        .choice_count = cs_arena_alloc(arena, nodes, sizeof(uint32_t)),
        .chosen = cs_arena_alloc(arena, nodes, sizeof(uint32_t)),
        .monitor = lanes->monitor,
    };
}

uint32_t cs_ring_search(const struct cs_ring_lanes *lanes, uint32_t most, uint32_t *order)
{
    size_t pairs = (size_t)lanes->nodes * lanes->nodes;
    uint64_t limit = WORK_MAX / lanes->nodes;
    uint32_t best = 0;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct ring_search search = new_search(lanes, &arena);
    uint32_t *tried = cs_arena_alloc(&arena, (size_t)most * lanes->nodes, sizeof(*tried));

    most = cs_ring_search_at_most(lanes, most);
    limit = limit < STEPS_MAX ? limit : STEPS_MAX;
    for (; search.steps < limit && best < most && cs_monitor_count(lanes->monitor, 0, 0);
         search.attempt++) {
        uint32_t count;

        memcpy(search.left, lanes->lanes, pairs * sizeof(*search.left));
        count = ring_search_attempt(&search, most, tried);
        if (count > best) {
            best = count;
            memcpy(order, tried, (size_t)count * lanes->nodes * sizeof(*order));
        }
        search.steps++; /* bounds the number of attempts without a ring */
    }
    return best;
}
