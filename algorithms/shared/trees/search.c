#include "algorithms/shared/trees/search.h"

#include <math.h>
#include <string.h>

enum {
    ROOTS_MAX = 16 /* of which the flattest of equal trees is worth a search for each */
};

/* Of the mean cost of a branch. */
static const double per_level = 1e-5;
static const double tolerance = 1e-9;

struct cs_tree_search cs_tree_search_of(const struct cs_branches *branches,
                                        enum cs_tree_roots roots, uint32_t root,
                                        struct cs_arena *arena)
{
    struct cs_tree_search search = {
        .branches = branches,
        .roots = roots,
        .root = root,
        .sources = roots == CS_TREES_OF_ALL ? branches->home : 1,
        .costs = cs_arena_alloc(arena, branches->branches, sizeof(double)),
        .tried = cs_arena_alloc(arena, branches->vertices, sizeof(uint32_t)),
    };

    cs_spanning_init(&search.spanning, branches->vertices, arena);
    return search;
}

/* ---- costs ---- */

void cs_tree_search_price(struct cs_tree_search *search, const double *price)
{
    const struct cs_branches *branches = search->branches;
    uint32_t count = 0;
    double all = 0;

    for (uint32_t b = 0; b < branches->branches; b++) {
        double sum = 0;

        for (uint32_t i = branches->first[b]; i < branches->first[b + 1]; i++)
            sum += branches->load[i].s_per_byte * price[branches->load[i].row];
        search->costs[b] = branches->exists[b] ? sum : (double)INFINITY;
        all += sum;
        count += branches->exists[b];
    }
    search->level = count ? all / count * per_level : 0;
    for (uint32_t b = 0; b < branches->branches; b++)
        search->costs[b] += search->level;
}

/* ---- trees ---- */

static void search_lower(struct cs_tree_search *search, uint32_t root, double level)
{
    double *costs = &search->costs[(size_t)root * search->branches->vertices];

    for (uint32_t v = 0; v < search->branches->vertices; v++)
        costs[v] -= level;
}

static double search_tree(struct cs_tree_search *search, uint32_t root)
{
    uint32_t n = search->branches->vertices;
    double sum = 0;
    bool spans;

    search_lower(search, root, search->level);
    spans = cs_spanning_tree(&search->spanning, search->costs, root, search->tried);
    search_lower(search, root, -search->level);
    for (uint32_t v = 0; v < n && spans; v++)
        sum += v == root ? 0 : search->costs[search->tried[v] * n + v];
    return spans ? sum : (double)INFINITY;
}

/* Up and down, a branch costs what its reverse does, and the cheapest trees out of all roots are
 * one. */
static bool search_is_symmetric(const struct cs_tree_search *search)
{
    const struct cs_branches *branches = search->branches;

    return branches->request.of == CS_BRANCHES_WHOLE && branches->request.use == CS_TREES_BOTH &&
           branches->vertices > ROOTS_MAX;
}

double cs_tree_search_find(struct cs_tree_search *search, uint32_t source,
                           struct cs_tree_shape *shape)
{
    uint32_t n = search->branches->vertices;
    bool any = search->roots == CS_TREES_OF_ANY && !search_is_symmetric(search);
    uint32_t first = any ? 0 : search->roots != CS_TREES_OF_ALL ? search->root : source;
    uint32_t end = any ? search->branches->home : first + 1;
    double best = (double)INFINITY;

    if (search->roots == CS_TREES_OF_ANY && !any) /* the next root: sums of the trees are even */
        search->root = (search->root + 1) % search->branches->home;
    shape->source = source;
    for (uint32_t root = first; root < end; root++) {
        double cost = search_tree(search, root);

        if (cost >= best * (1 - tolerance))
            continue;
        best = cost;
        shape->root = root;
        memcpy(shape->parent, search->tried, n * sizeof(*search->tried));
    }
    return best;
}

/* ---- shapes ---- */

struct cs_tree_shape cs_tree_shape_new(const struct cs_branches *branches, struct cs_arena *arena)
{
    return (struct cs_tree_shape){.parent =
                                      cs_arena_alloc(arena, branches->vertices, sizeof(uint32_t))};
}

void cs_tree_shape_load(const struct cs_branches *branches, const struct cs_tree_shape *shape,
                        double *load)
{
    memset(load, 0, branches->rows * sizeof(*load));
    for (uint32_t v = 0; v < branches->vertices; v++) {
        uint32_t branch = shape->parent[v] * branches->vertices + v;

        if (v == shape->root)
            continue;
        for (uint32_t i = branches->first[branch]; i < branches->first[branch + 1]; i++)
            load[branches->load[i].row] += branches->load[i].s_per_byte;
    }
}
