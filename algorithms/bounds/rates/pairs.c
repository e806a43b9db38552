#include "algorithms/bounds/rates/pairs.h"

#include "algorithms/bounds/rates/demand.h"
#include "algorithms/bounds/rates/master.h"
#include "sim/base/collections/heap.h"

#include <math.h>
#include <string.h>

/*
 * Shortest routes from a cell, by prices of resources (lengths.h), and the
 * occupation of resources by the routes.
 *
 *     search   O(arcs log cells), Dijkstra's algorithm
 *     spread   O(arcs)
 */

/* Distances from one cell, and the order in which cells were reached. */
struct cs_shortest {
    double *distance; /* cell -> length */
    uint32_t *order;  /* cells, nearest first */
    uint32_t *rank;   /* cell -> place in `order` */
    uint32_t reached;
    struct cs_heap heap; /* cells to be reached, by distance, then by number */
};

enum {
    NONE = UINT32_MAX
};

static struct cs_shortest shortest_of(const struct cs_lengths *lengths, struct cs_arena *arena)
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
        cs_heap_add(&tree->heap, (struct cs_heap_item){
                                     .key = cs_heap_key(distance), .tie = cell, .number = cell});
    else
        cs_heap_change(&tree->heap, place, cs_heap_key(distance));
}

/* Finds the distances from a cell. */
static void shortest_search(const struct cs_lengths *lengths, const double *price, uint32_t cell,
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

/* Spreads amount[] of each cell over all shortest routes from the start of the
 * tree, in equal parts where routes meet, and adds the seconds of occupation to
 * load[] of each resource.  Leaves in amount[] what passes each
 * cell. */
static void shortest_spread(const struct cs_lengths *lengths, const double *price,
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

enum {
    ROUNDS_MAX = 400,
    STALL_MAX = 4, /* rounds without improvement before a perturbation */
    LEVELS_MAX = 8,
    SEARCH_MAX = 1 << 23, /* sources times arcs, of machines looked at */
};

static const double tolerance = 1e-9;

struct pairs {
    const struct cs_demand *demand;
    const struct cs_lengths *lengths; /* of the demand */
    struct cs_arena *arena;
    struct cs_shortest tree;
    double *price;    /* of resources */
    double *capacity; /* of resources: the number of equal resources */
    double *below;    /* cell -> blocks with a route through the cell */
    double *load;     /* of a source, by resource */
    double scale;     /* loads divided by the scale are about 1 */
    struct cs_pairs best;
};

static uint32_t pairs_resources(const struct pairs *all)
{
    return all->lengths->resource_count;
}

/* Whether the best prices are sought. */
static bool pairs_is_small(const struct pairs *all)
{
    const struct cs_demand *demand = all->demand;
    bool few = !demand->is_all && demand->source_count <= CS_PAIRS_FEW;

    return demand->source_count + pairs_resources(all) <= (few ? CS_PAIRS_FEW_ROWS : CS_PAIRS_ROWS);
}

/* False for machines where searching from every source takes too long. */
static bool pairs_begin(struct pairs *all)
{
    const struct cs_lengths *lengths = all->lengths;
    uint32_t cells = lengths->cells.count;
    uint32_t resources = pairs_resources(all);

    all->price = cs_arena_alloc(all->arena, resources, sizeof(double));
    all->capacity = cs_arena_alloc(all->arena, resources, sizeof(double));
    all->load = cs_arena_alloc(all->arena, resources, sizeof(double));
    all->below = cs_arena_alloc(all->arena, cells, sizeof(double));
    all->tree = shortest_of(lengths, all->arena);
    all->scale = 1;
    for (uint32_t r = 0; r < resources; r++)
        all->capacity[r] = lengths->resources[r].count;
    return (uint64_t)all->demand->source_count * lengths->first[cells] <= SEARCH_MAX;
}

/* The distances of a source's blocks; routes stay in the tree. */
static double pairs_search(struct pairs *all, uint32_t source)
{
    shortest_search(all->lengths, all->price, all->demand->sources[source], &all->tree);
    return cs_demand_distances(all->demand, source, all->tree.distance);
}

/* Seconds of occupation, by resource, for a byte of each of the source's
 * blocks, along the shortest routes. */
static void pairs_load(struct pairs *all, uint32_t source)
{
    uint32_t resources = pairs_resources(all);

    memset(all->load, 0, resources * sizeof(*all->load));
    cs_demand_amounts(all->demand, source, all->below);
    shortest_spread(all->lengths, all->price, &all->tree, all->below, all->load);
    for (uint32_t r = 0; r < resources; r++)
        all->load[r] /= all->scale;
}

/* Takes over the present prices where the bound is higher. */
static void pairs_offer(struct pairs *all, double distances)
{
    uint32_t resources = pairs_resources(all);
    double sum = 0;
    uint64_t latency_ps = UINT64_MAX;
    double *price;

    for (uint32_t r = 0; r < resources; r++) {
        sum += all->price[r] * all->capacity[r];
        if (all->price[r] > 0 && all->lengths->resources[r].latency_ps < latency_ps)
            latency_ps = all->lengths->resources[r].latency_ps;
    }
    if (!(sum > 0) || isinf(distances) || distances / sum <= all->best.seconds_per_byte)
        return;
    price = cs_arena_copy(all->arena, all->price, resources, sizeof(*price));
    all->best =
        (struct cs_pairs){distances / sum, (double)latency_ps * 1e-12, price, all->best.is_exact};
}

/* The bound of the present prices. */
static double pairs_try(struct pairs *all)
{
    double sum = 0;

    for (uint32_t i = 0; i < all->demand->source_count; i++)
        sum += pairs_search(all, i);
    pairs_offer(all, sum);
    return sum;
}

/* ---- prices for large machines ---- */

/* Prices of arcs with equal lengths, of equal amount, or of equal amount next
 * to ranks and 0 elsewhere. */
enum simple_prices {
    EQUAL_LENGTHS,
    EQUAL_PRICES,
    EQUAL_PRICES_AT_RANKS,
};

static void pairs_set_simple(struct pairs *all, enum simple_prices prices)
{
    const struct cs_lengths *lengths = all->lengths;

    memset(all->price, 0, pairs_resources(all) * sizeof(*all->price));
    memset(all->below, 0, lengths->cells.count * sizeof(*all->below));
    for (uint32_t i = 0; i < lengths->target_count; i++)
        all->below[lengths->targets[i]] = 1;
    for (uint32_t c = 0; c < lengths->cells.count; c++)
        for (uint32_t e = lengths->first[c]; e < lengths->first[c + 1]; e++) {
            const struct cs_lengths_arc *arc = &lengths->arcs[e];

            if (arc->resource != CS_NO_CELL &&
                (prices != EQUAL_PRICES_AT_RANKS || all->below[c] > 0))
                all->price[arc->resource] = prices == EQUAL_LENGTHS ? 1 / arc->seconds : 1;
        }
}

/* Steps from the nearest rank, by cell; UINT32_MAX: none. */
static uint32_t *pairs_levels(const struct pairs *all, uint32_t *highest)
{
    const struct cs_lengths *lengths = all->lengths;
    uint32_t cells = lengths->cells.count, head = 0, tail = 0;
    uint32_t *level = cs_arena_alloc(all->arena, cells, sizeof(*level));
    uint32_t *queue = cs_arena_alloc(all->arena, cells, sizeof(*queue));

    memset(level, 0xff, cells * sizeof(*level));
    for (uint32_t i = 0; i < lengths->target_count; i++)
        if (level[lengths->targets[i]] == UINT32_MAX) {
            level[lengths->targets[i]] = 0;
            queue[tail++] = lengths->targets[i];
        }
    *highest = 0;
    while (head < tail) {
        uint32_t cell = queue[head++];

        *highest = level[cell];
        for (uint32_t e = lengths->first[cell]; e < lengths->first[cell + 1]; e++) {
            uint32_t to = lengths->arcs[e].to;

            if (level[to] == UINT32_MAX) {
                level[to] = level[cell] + 1;
                queue[tail++] = to;
            }
        }
    }
    return level;
}

/* Equal lengths on the arcs of one tier, 0 elsewhere: the cut around everything
 * below, such as the uplinks of all leaves of a fat tree. */
static void pairs_try_levels(struct pairs *all)
{
    const struct cs_lengths *lengths = all->lengths;
    uint32_t highest, *level = pairs_levels(all, &highest);

    for (uint32_t tier = 1; tier < highest && tier <= LEVELS_MAX; tier++) {
        memset(all->price, 0, pairs_resources(all) * sizeof(*all->price));
        for (uint32_t e = 0; e < lengths->first[lengths->cells.count]; e++) {
            const struct cs_lengths_arc *arc = &lengths->arcs[e];
            uint32_t below = level[arc->from] < level[arc->to] ? level[arc->from] : level[arc->to];

            if (arc->resource != CS_NO_CELL && below == tier)
                all->price[arc->resource] = 1 / arc->seconds;
        }
        pairs_try(all);
    }
}

static void pairs_try_simple(struct pairs *all)
{
    if (!pairs_is_small(all))
        pairs_try_levels(all);
    pairs_set_simple(all, EQUAL_PRICES_AT_RANKS);
    pairs_try(all);
    pairs_set_simple(all, EQUAL_PRICES);
    pairs_try(all);
    pairs_set_simple(all, EQUAL_LENGTHS);
    pairs_try(all);
}

/* ---- the best prices ---- */

/* The first routings, by the simple prices set last. */
static void pairs_begin_master(struct pairs *all, struct cs_master *master)
{
    uint32_t resources = pairs_resources(all);
    size_t size = (size_t)all->demand->source_count * resources;
    double *loads = cs_arena_alloc(all->arena, size, sizeof(*loads));

    for (uint32_t i = 0; i < all->demand->source_count; i++) {
        pairs_search(all, i);
        pairs_load(all, i);
        memcpy(&loads[(size_t)i * resources], all->load, resources * sizeof(*loads));
    }
    all->scale = 0;
    for (size_t k = 0; k < size; k++)
        all->scale = fmax(all->scale, loads[k]);
    for (size_t k = 0; k < size; k++)
        loads[k] /= all->scale;
    cs_master_begin(master, resources, all->demand->source_count, all->capacity, loads, all->arena);
}

/* Sets prices between the prices of the mixture and the best prices, by the
 * weight of the best. Prices of the mixture alone jump from corner to corner of
 * a polytope and converge slowly (Wentges, ITOR 4(2), 1997). */
static void pairs_blend(struct pairs *all, const struct cs_master *master, double weight)
{
    double sum = 0;

    for (uint32_t r = 0; r < pairs_resources(all); r++)
        sum += all->best.price[r] * all->capacity[r];
    for (uint32_t r = 0; r < pairs_resources(all); r++)
        all->price[r] =
            weight * all->best.price[r] / sum + (1 - weight) * fmax(cs_master_price(master, r), 0);
}

/* Adds the routes by the present prices; true when the mixture improves. */
static bool pairs_route(struct pairs *all, struct cs_master *master)
{
    bool improved = false;
    double sum = 0;

    for (uint32_t i = 0; i < all->demand->source_count; i++) {
        sum += pairs_search(all, i);
        pairs_load(all, i);
        improved |= cs_master_enter(master, i, all->load);
    }
    pairs_offer(all, sum);
    return improved;
}

/* A mixture with the congestion of the best bound proves mixture and bound
 * best. */
static bool pairs_is_exact(const struct pairs *all, const struct cs_master *master)
{
    return all->best.seconds_per_byte >= cs_master_theta(master) * all->scale * (1 - tolerance);
}

/* True while the mixture improves. */
static bool pairs_improve(struct pairs *all, struct cs_master *master)
{
    if (pairs_is_exact(all, master))
        return false;
    pairs_blend(all, master, 0.5);
    if (pairs_route(all, master))
        return true;
    pairs_blend(all, master, 0);
    return pairs_route(all, master);
}

/* The best prices; perturbs a mixture whose congestion stays. */
static void pairs_find_best(struct pairs *all)
{
    double theta = (double)INFINITY;
    uint32_t stalled = 0;
    struct cs_master master;

    pairs_begin_master(all, &master);
    for (uint32_t i = 0; i < ROUNDS_MAX && cs_master_settle(&master) && pairs_improve(all, &master);
         i++) {
        bool lower = cs_master_theta(&master) < theta * (1 - tolerance);

        theta = fmin(theta, cs_master_theta(&master));
        stalled = lower ? 0 : stalled + 1;
        if (stalled == STALL_MAX) {
            cs_master_perturb(&master);
            stalled = 0;
        }
    }
    all->best.is_exact = pairs_is_exact(all, &master);
}

struct cs_pairs cs_pairs_of(const struct cs_demand *demand, struct cs_arena *arena)
{
    struct pairs all = {.demand = demand, .lengths = demand->lengths, .arena = arena};

    if (!pairs_begin(&all))
        return all.best;
    pairs_try_simple(&all);
    if (pairs_is_small(&all))
        pairs_find_best(&all);
    return all.best;
}
