#include "algorithms/shared/trees/machine_trees.h"

#include "algorithms/shared/trees/graph.h"
#include "algorithms/shared/trees/moves.h"
#include "algorithms/shared/trees/trees.h"
#include "algorithms/shared/trees/units.h"
#include "sim/engine/progress.h"

#include <assert.h>
#include <math.h>

enum {
    BISECTIONS = 44,   /* relative precision beyond that of rates */
    DOUBLINGS = 64,    /* until ranks without a common route are recognised */
    UNITS_OF_ALL = 16, /* of each root: as a rule optimal on a single node */
    UNITS = 48,        /* of all roots */
    TREES_MAX = 512,
    MIXED_MAX = 1 << 10, /* units of all roots of a mixture */
    EACH_MAX = 64,       /* and of each root */
    CLASSES_MAX = 3,     /* of nodes */
    CHAIN_MAX = 8,       /* nodes of a chain for which trees are made: further ones are equal */
    RELAXATIONS = 15     /* until grants on routes meet the demand: 120 steps */
};

/* A step.  Resources that all routes share carry each tree as often as the tree
 * has branches, which flows do not see: relaxations grow. */
#define RELAXATION 1.04
/* A higher number of units has to carry this much more. */
#define WORTHWHILE 1.005
/* Trees of nodes at this share of what such trees can attain are good enough. */
#define NEAR 0.98
/* What a limit by flows may be too low, as a share: not seen in a percentage. */
#define LIMIT_ERROR 4e-4
/* Nor does a search over more than CS_TREES_RANKS_SEARCHED ranks attain more of the limit. */
#define WORTH_ALL 0.9
/* A pipeline takes so much longer to fill that fewer trees may be faster. */
#define SLOW_TO_FILL 1.25
/* The share of a chunk in a long vector, at least. */
#define LEAST_CHUNK (1.0 / 512)
/* What a flow lacks by rounding, as a share. */
#define ROUNDING 1e-9
/* Rates of this ratio are equal. */
#define EQUAL (1 + 1e-7)

struct tree_planner {
    const struct cs_net *net;
    const struct cs_tree_request *request;
    struct cs_tree_graph graph;
    uint32_t ranks;
};

/* A number of units and the least scale for them. */
struct tree_scale {
    double units;
    double s_per_byte;
};

/* Whether the network's monitor stops the search: the answers of tests are then
 * void, and no trees are found. */
static bool planner_stopped(const struct tree_planner *planner)
{
    return !cs_monitor_count(planner->net->monitor, 0, 0);
}

static double tree_scale_rate(struct tree_scale scale)
{
    return scale.units / scale.s_per_byte;
}

/* ---- supplies ---- */

/* Lowers supplies of `most` one after another to the least that keeps the
 * demand.  False if more than the demand is necessary. */
static bool planner_lower_roots(struct tree_planner *planner, double units, double most)
{
    struct cs_tree_graph *graph = &planner->graph;
    double sum = 0;

    for (uint32_t r = 0; r < planner->ranks; r++)
        cs_tree_graph_supply(graph, r, most);
    if (cs_tree_graph_lack(graph, units, units * ROUNDING) > 0)
        return false;
    for (uint32_t r = 0; r < planner->ranks && !planner_stopped(planner); r++) {
        double into;

        cs_tree_graph_supply(graph, r, 0);
        into = cs_tree_graph_into(graph, r, units);
        cs_tree_graph_supply(graph, r, fmax(units - into, 0));
        sum += graph->supply[r];
    }
    if (sum > units * EQUAL)
        return false;
    cs_tree_graph_supply(graph, 0, graph->supply[0] + fmax(units - sum, 0));
    return true;
}

/* Free roots, as even as possible: trees are flatter. */
static bool planner_free_roots(struct tree_planner *planner, double units, bool whole)
{
    double most = units / planner->ranks;
    bool found;

    most = whole ? ceil(most) : most;
    found = planner_lower_roots(planner, units, most);
    while (!found && most < units) {
        most *= 2;
        found = planner_lower_roots(planner, units, fmin(most, units));
    }
    return found;
}

/* Whether trees of so many units exist, except for the limits of routes. */
static bool planner_is_enough(struct tree_planner *planner, double units, double s_per_byte,
                              bool whole)
{
    if (planner_stopped(planner))
        return true;
    cs_tree_graph_scale(&planner->graph, s_per_byte, whole);
    if (planner->request->roots == CS_TREES_OF_ANY)
        return planner_free_roots(planner, units, whole);
    for (uint32_t r = 0; r < planner->ranks; r++)
        cs_tree_graph_supply(&planner->graph, r,
                             planner->request->roots == CS_TREES_OF_ALL ? units / planner->ranks
                             : planner->request->root == r              ? units
                                                                        : 0);
    return cs_tree_graph_lack(&planner->graph, units, units * ROUNDING) <= 0;
}

/* ---- scales ---- */

/* The least scale for the units within (low, high]; high is enough. */
static double planner_least_scale(struct tree_planner *planner, double units, double low,
                                  double high, bool whole)
{
    for (uint32_t i = 0; i < BISECTIONS && high > low * EQUAL; i++) {
        double middle = (low + high) / 2;

        if (planner_is_enough(planner, units, middle, whole))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* The machine's own limit: seconds per byte of one unit, cut at will.  0 if the
 * routes do not connect the ranks. */
static double planner_limit(struct tree_planner *planner)
{
    double high = 1e-15;

    for (uint32_t i = 0; i < DOUBLINGS; i++, high *= 2)
        if (planner_is_enough(planner, 1, high, false))
            return planner_least_scale(planner, 1, high / 2, high, false);
    return 0;
}

/* Fewer units for many ranks: every further tree costs flows between all ranks. */
static uint32_t planner_most(const struct tree_planner *planner)
{
    uint32_t most = planner->request->roots == CS_TREES_OF_ALL ? UNITS_OF_ALL : UNITS;

    return planner->ranks > CS_TREES_RANKS_SEARCHED ? most / 4 : most;
}

/* The number of units with the highest rate.  A number that cannot be worthwhile
 * costs one test. */
static struct tree_scale planner_best_scale(struct tree_planner *planner, double limit_s)
{
    double step = planner->request->roots == CS_TREES_OF_ALL ? planner->ranks : 1;
    uint32_t most = planner_most(planner);
    struct tree_scale best = {0, 1};

    for (uint32_t i = 1; i <= most; i++) {
        struct tree_scale next = {step * i, step * i * limit_s * EQUAL};
        double high;

        if (tree_scale_rate(next) <= tree_scale_rate(best) * EQUAL)
            break;
        if (!planner_is_enough(planner, next.units, next.s_per_byte, true)) {
            high = best.units > 0 ? next.units / tree_scale_rate(best) / WORTHWHILE
                                  : next.s_per_byte * 4;
            while (best.units <= 0 && !planner_is_enough(planner, next.units, high, true))
                high *= 2;
            if (high <= next.s_per_byte || !planner_is_enough(planner, next.units, high, true))
                continue;
            next.s_per_byte = planner_least_scale(planner, next.units, next.s_per_byte, high, true);
        }
        best = next;
    }
    return best;
}

/* ---- trees ---- */

static bool planner_pack(struct tree_planner *planner, struct tree_scale scale,
                         struct cs_packing *packing, struct cs_arena *arena)
{
    struct cs_tree_graph *graph = &planner->graph;
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    size_t n = planner->ranks;
    double *capacity = cs_arena_alloc(&scratch, n * n, sizeof(*capacity));
    bool packed = planner_is_enough(planner, scale.units, scale.s_per_byte, true) &&
                  cs_tree_graph_grant(graph, scale.units);

    for (uint32_t i = 0; i < graph->pair_count; i++)
        capacity[graph->pair[i].parent * n + graph->pair[i].child] = graph->pair[i].granted;
    packed =
        packed && cs_tree_pack(planner->ranks, capacity, graph->supply, TREES_MAX, packing, arena);
    return packed;
}

static bool planner_find(struct tree_planner *planner, struct cs_packing *packing,
                         struct cs_arena *arena)
{
    double limit_s = planner_limit(planner);
    struct tree_scale scale;

    if (limit_s <= 0)
        return false;
    scale = planner_best_scale(planner, limit_s);
    for (uint32_t i = 0; i <= RELAXATIONS && !planner_stopped(planner);
         i++, scale.s_per_byte *= pow(RELAXATION, i))
        if (planner_pack(planner, scale, packing, arena))
            return true;
    return false;
}

/* A packing on all routes or on direct wires; false: none. */
static bool planner_packing_of(const struct cs_tree_routes *routes,
                               const struct cs_tree_request *request, struct cs_packing *packing,
                               struct cs_arena *arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct tree_planner planner = {.net = routes->net, .request = request, .ranks = routes->ranks};

    *packing = (struct cs_packing){.monitor = routes->net->monitor};
    planner.graph = cs_tree_graph_of(routes, &scratch);
    return planner_find(&planner, packing, arena);
}

/* Seconds of a long vector's byte, with what the pipeline takes to fill: latencies and units
 * both limit the number of chunks. */
static double planner_cost(const struct cs_trees *trees)
{
    double chunk = fmax((double)trees->units / cs_trees_blocks(trees->ranks), LEAST_CHUNK);

    return cs_trees_s_per_byte(trees) * (1 + trees->depth * chunk);
}

/* Replaces *best by faster trees. */
static void planner_offer(const struct cs_trees *trees, const struct cs_trees **best)
{
    if (trees && (!*best || planner_cost(trees) < planner_cost(*best)))
        *best = trees;
}

/* ---- limits ---- */

static bool planner_is_near(const struct cs_trees *trees, double limit_s)
{
    return cs_trees_s_per_byte(trees) * NEAR <= limit_s * EQUAL;
}

/* Seconds per byte of the vector below which flows into every rank say that no trees exist;
 * within a share of what the trees take. */
static double planner_flow_limit(const struct cs_tree_routes *routes,
                                 const struct cs_tree_request *request, const struct cs_trees *best)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct tree_planner planner = {.net = routes->net, .request = request, .ranks = routes->ranks};
    double high = cs_trees_s_per_byte(best);
    double step = high * LIMIT_ERROR;
    double low = high - step;

    planner.graph = cs_tree_graph_of(routes, &scratch);
    while (low > 0 && planner_is_enough(&planner, 1, low, false)) {
        high = low;
        step *= 2;
        low = high - step;
    }
    low = fmax(low, 0);
    for (uint32_t i = 0; i < BISECTIONS && high - low > high * LIMIT_ERROR; i++) {
        double middle = (low + high) / 2;

        if (planner_is_enough(&planner, 1, middle, false))
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* The same, or what is known where flows take too long. */
static double planner_limit_of(const struct cs_tree_routes *routes,
                               const struct cs_tree_request *request, const struct cs_trees *best,
                               double known_s)
{
    bool is_found = best && !request->is_quick && routes->ranks <= CS_TREES_RANKS_MAX;

    return is_found ? planner_flow_limit(routes, request, best) : known_s;
}

/* ---- packings ---- */

static void planner_offer_packed(const struct cs_tree_routes *routes,
                                 const struct cs_tree_request *request,
                                 const struct cs_trees **best, struct cs_arena *arena)
{
    struct cs_packing packing;

    if (planner_packing_of(routes, request, &packing, arena))
        planner_offer(
            cs_trees_of_packing(routes->net, routes->ranks, &packing, request->use, arena), best);
}

/* ---- mixtures ---- */

/* Without the last nodes of a chain. */
static struct cs_branches_request planner_short(const struct cs_branches_request *of)
{
    struct cs_branches_request few = *of;

    if (of->of == CS_BRANCHES_CHAIN && of->ranks > CHAIN_MAX * of->group) {
        few.ranks = CHAIN_MAX * of->group;
        few.root %= few.ranks;
    }
    return few;
}

/* Offers the mixture of the branches; the bound of such trees, 0 for none. */
static double planner_mix(const struct cs_net *net, const struct cs_branches_request *of,
                          const struct cs_tree_request *request, const struct cs_trees **best,
                          struct cs_arena *arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    const struct cs_branches_request few = planner_short(of);
    struct cs_branches branches = cs_branches_of(net, &few, &scratch);
    uint32_t copies = of->of == CS_BRANCHES_EACH ? of->ranks / branches.home : 1;
    struct cs_tree_search search =
        cs_tree_search_of(&branches, request->roots, of->root % branches.home, &scratch);
    uint32_t most = MIXED_MAX / copies / search.sources;
    const struct cs_units_request whole = {
        .search = &search,
        .monitor = net->monitor,
        .enough_s =
            *best ? cs_trees_s_per_byte(*best) * NEAR * copies * search.sources : (double)INFINITY,
        .most = most < 1          ? 1
                : most > EACH_MAX ? EACH_MAX
                                  : most,
        .copies = copies,
        .blocks = cs_trees_blocks(of->ranks),
    };
    struct cs_units units = cs_units_of(&whole, &scratch);
    double bound_s = units.limit_s / copies / search.sources;

    branches.request = *of;
    if (units.count)
        planner_offer(cs_trees_of_units(net, &branches, &units, arena), best);
    return bound_s;
}

/* Trees out of the root that are packed for two of the identical nodes, the root's and one of
 * all others: between nodes that pass on what they receive the rest of a chain is equal. */
static void planner_offer_pair(const struct cs_tree_routes *routes,
                               const struct cs_tree_request *request, const struct cs_trees **best,
                               struct cs_arena *arena)
{
    uint32_t group = request->group;
    const struct cs_branches branches = {
        .request = {CS_BRANCHES_CHAIN, request->use, routes->ranks, group, request->root, 2},
        .vertices = 2 * group,
        .home = group};
    struct cs_tree_request pair = *request;
    struct cs_tree_routes of = *routes;
    struct cs_packing packing;
    struct cs_units units = {.count = 0};

    pair.root = request->root % group;
    of.ranks = 2 * group;
    if (!planner_packing_of(&of, &pair, &packing, arena))
        return;
    units.shape = cs_arena_alloc(arena, packing.count, sizeof(*units.shape));
    for (; units.count < packing.count; units.count++)
        units.shape[units.count] =
            (struct cs_tree_shape){.root = packing.tree[units.count].root,
                                   .parent = packing.tree[units.count].parent,
                                   .units = packing.tree[units.count].units};
    planner_offer(cs_trees_of_units(routes->net, &branches, &units, arena), best);
}

/* Sums of many nodes along few trees out of the first one: copies out of each of the nodes are so
 * many that blocks do not suffice for pipelines. */
static void planner_offer_few(const struct cs_tree_routes *routes,
                              const struct cs_tree_request *request,
                              const struct cs_branches_request *copied,
                              const struct cs_trees **best, struct cs_arena *arena)
{
    struct cs_branches_request of = *copied;
    const struct cs_trees *few = NULL;

    if (request->roots != CS_TREES_OF_ANY || !*best ||
        planner_cost(*best) < cs_trees_s_per_byte(*best) * SLOW_TO_FILL)
        return;
    of.of = CS_BRANCHES_CHAIN;
    of.root = 0;
    of.classes = 2;
    (void)planner_mix(routes->net, &of, request, &few, arena);
    planner_offer(few, best);
}

/* Trees made for one of the identical nodes, or for the equal parts of a single node. */
static double planner_offer_nodes(const struct cs_tree_routes *routes,
                                  const struct cs_tree_request *request,
                                  const struct cs_trees **best, struct cs_arena *arena)
{
    struct cs_branches_request of = {
        .of = request->roots == CS_TREES_OF_ROOT ? CS_BRANCHES_CHAIN : CS_BRANCHES_EACH,
        .use = request->use,
        .ranks = routes->ranks,
        .group = request->group < routes->ranks ? request->group : routes->ranks / 2,
        .root = request->root,
    };
    uint32_t nodes = of.group ? routes->ranks / of.group : 0;
    uint32_t most = request->is_quick || of.of == CS_BRANCHES_EACH ? 2 : CLASSES_MAX;
    double bound_s = 0;

    if (request->group == 0 || of.group < 1 || routes->ranks % of.group)
        return 0;
    if (request->group == routes->ranks && routes->ranks <= CS_TREES_RANKS_SEARCHED)
        return 0;
    if (of.of == CS_BRANCHES_CHAIN && nodes > 2 && 2 * of.group <= CS_TREES_RANKS_SEARCHED)
        planner_offer_pair(routes, request, best, arena);
    bound_s = planner_limit_of(routes, request, *best, 0);
    if (*best && planner_is_near(*best, bound_s))
        return bound_s;
    for (of.classes = 2; of.classes <= most && of.classes <= nodes; of.classes++) {
        double next_s = planner_mix(routes->net, &of, request, best, arena);

        bound_s = bound_s > 0 && next_s <= 0 ? bound_s : next_s;
    }
    planner_offer_few(routes, request, &of, best, arena);
    if (of.of == CS_BRANCHES_CHAIN) /* other trees than chains may be faster */
        bound_s = planner_limit_of(routes, request, *best, bound_s);
    return bound_s;
}

/* Trees made for all ranks. */
static double planner_offer_whole(const struct cs_tree_routes *routes,
                                  const struct cs_tree_request *request,
                                  const struct cs_trees **best, struct cs_arena *arena)
{
    const struct cs_branches_request of = {
        .use = request->use, .ranks = routes->ranks, .group = routes->ranks, .root = request->root};

    return planner_mix(routes->net, &of, request, best, arena);
}

/* ---- nodes that are not quite identical ---- */

/* The trees over all ranks, with each unit as `times` units. */
static struct cs_units planner_units(const struct cs_trees *trees, uint32_t times, double limit_s,
                                     struct cs_arena *arena)
{
    struct cs_units units = {.each = trees->units * times,
                             .shape = cs_arena_alloc(arena, trees->count, sizeof(*units.shape)),
                             .limit_s = limit_s};

    for (; units.count < trees->count; units.count++) {
        const struct cs_tree *tree = &trees->tree[units.count];

        units.shape[units.count] = (struct cs_tree_shape){
            .root = tree->root,
            .parent = cs_arena_copy(arena, tree->parent, trees->ranks, sizeof(*tree->parent)),
            .units = tree->units * times};
    }
    return units;
}

/* Moves units of the best trees, down to the limit. */
static void planner_offer_moved(const struct cs_tree_routes *routes,
                                const struct cs_tree_request *request, double limit_s,
                                const struct cs_trees **best, struct cs_arena *arena)
{
    const struct cs_branches_request of = {
        .use = request->use, .ranks = routes->ranks, .group = routes->ranks, .root = request->root};
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    const struct cs_branches branches = cs_branches_of(routes->net, &of, &scratch);
    const struct cs_trees *from = *best;

    assert(from);
    for (uint32_t times = 1; times <= 2 && !planner_is_near(*best, limit_s); times++) {
        struct cs_units units = planner_units(from, times, limit_s, &scratch);

        units = cs_tree_moves(&branches, routes->net->monitor, &units, &scratch);
        planner_offer(cs_trees_of_units(routes->net, &branches, &units, arena), best);
    }
}

/* Trees of nodes that are not quite identical; true where a search over all ranks would not find
 * better ones. */
static bool planner_offer_uneven(const struct cs_tree_routes *routes,
                                 const struct cs_tree_request *request, double *bound_s,
                                 const struct cs_trees **best, struct cs_arena *arena)
{
    double limit_s = planner_limit_of(routes, request, *best, *bound_s);
    bool is_of_flows = routes->ranks <= CS_TREES_RANKS_MAX;
    bool is_both = request->use == CS_TREES_BOTH;

    /* Flows see messages in one of the directions; copies of trees see a mean node. */
    *bound_s = is_of_flows && !is_both ? limit_s : 0;
    limit_s *= is_of_flows && is_both ? 2 - 2.0 / routes->ranks : 1;
    planner_offer_moved(routes, request, limit_s, best, arena);
    return cs_trees_s_per_byte(*best) * WORTH_ALL <= limit_s;
}

/* The best trees found, and what they could attain at most. */
static const struct cs_trees *planner_search(const struct cs_net *net, uint32_t ranks,
                                             const struct cs_tree_request *request, double *bound_s,
                                             struct cs_arena *arena)
{
    struct cs_tree_request even = {.use = request->use};
    struct cs_tree_routes routes = {net, ranks, request->use == CS_TREES_UP, false};
    const struct cs_trees *best = NULL;

    *bound_s = planner_offer_nodes(&routes, request, &best, arena);
    if (ranks > CS_TREES_RANKS_SEARCHED &&
        (request->is_quick ||
         (best && (planner_is_near(best, *bound_s) ||
                   planner_offer_uneven(&routes, request, bound_s, &best, arena))) ||
         ranks > CS_TREES_RANKS_MAX))
        return best;
    *bound_s = planner_offer_whole(&routes, request, &best, arena);
    if (ranks > CS_TREES_RANKS_SEARCHED)
        return best;
    for (int pass = 0; pass < 2; pass++) {
        routes.direct = pass > 0;
        planner_offer_packed(&routes, request, &best, arena);
        if (request->roots == CS_TREES_OF_ANY)
            planner_offer_packed(&routes, &even, &best, arena);
    }
    return best;
}

const struct cs_trees *cs_trees_of_machine(const struct cs_net *net, uint32_t ranks,
                                           const struct cs_tree_request *request,
                                           struct cs_arena *arena)
{
    const struct cs_trees *found;
    struct cs_trees *trees;
    double bound_s;

    if (ranks < 2 || ranks > CS_TREES_CLUSTER_MAX)
        return NULL;
    found = planner_search(net, ranks, request, &bound_s, arena);
    if (!found)
        return NULL;
    trees = cs_arena_copy(arena, found, 1, sizeof(*found));
    trees->limit_s_per_byte = bound_s;
    return trees;
}
