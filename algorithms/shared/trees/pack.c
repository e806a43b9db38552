#include "algorithms/shared/trees/pack.h"

#include "algorithms/bounds/flow.h"

#include <math.h>
#include <string.h>

struct tree_packer {
    uint32_t ranks;
    double *capacity; /* what is left of each pair */
    struct cs_packing *packing;
    uint32_t most;
    struct cs_arena *arena;
};

/* A pair out of a tree. */
struct tree_branch {
    uint32_t from, to;
    double capacity;
};

static bool tree_pack_has(const struct cs_packed_tree *tree, uint32_t rank)
{
    return tree->depth[rank] != CS_TREE_ABSENT;
}

static struct cs_packed_tree *tree_pack_add(struct tree_packer *packer, uint32_t root,
                                            uint32_t units)
{
    struct cs_packed_tree *tree = &packer->packing->tree[packer->packing->count++];
    size_t bytes = packer->ranks * sizeof(uint32_t);

    *tree = (struct cs_packed_tree){
        .root = root,
        .units = units,
        .size = 1,
        .parent = cs_arena_alloc(packer->arena, packer->ranks, sizeof(uint32_t)),
        .depth = cs_arena_alloc(packer->arena, packer->ranks, sizeof(uint32_t)),
    };
    memset(tree->parent, 0xff, bytes);
    memset(tree->depth, 0xff, bytes);
    tree->depth[root] = 0;
    return tree;
}

/* ---- what the other trees leave over ---- */

static void tree_pack_add_pairs(const struct tree_packer *packer, struct cs_flow *flow)
{
    uint32_t n = packer->ranks;

    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++) {
            double there = packer->capacity[a * n + b];
            double back = packer->capacity[b * n + a];

            if (there > 0 || back > 0)
                (void)cs_flow_add(flow, a, b, there, back);
        }
}

/* Adds the units of a tree as a supply of all ranks in the tree together; the
 * root alone needs no vertex. */
static void tree_pack_add_supply(const struct cs_packed_tree *tree, uint32_t ranks, uint32_t vertex,
                                 struct cs_flow *flow)
{
    if (tree->size == 1) {
        cs_flow_supply(flow, tree->root, flow->nodes[tree->root].supply + tree->units);
        return;
    }
    cs_flow_supply(flow, vertex, tree->units);
    for (uint32_t r = 0; r < ranks; r++)
        if (tree_pack_has(tree, r))
            (void)cs_flow_add(flow, vertex, r, tree->units, 0);
}

/* How often the pair can be added to `grown`.  Every set of ranks with y and
 * without x keeps an entrance for each tree that has no rank in the set; trees
 * that have y, or all ranks, need none. */
static double tree_pack_spare(const struct tree_packer *packer, const struct cs_packed_tree *grown,
                              const struct tree_branch *branch)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_flow flow;
    uint32_t n = packer->ranks;
    uint32_t count = packer->packing->count;
    double wanted = fmin(branch->capacity, grown->units);
    double others = 0;
    double reached;

    cs_flow_init(&flow, n + count, n * (n - 1) / 2 + n * count, &scratch);
    tree_pack_add_pairs(packer, &flow);
    for (uint32_t i = 0; i < count; i++) {
        const struct cs_packed_tree *tree = &packer->packing->tree[i];

        if (tree == grown || tree_pack_has(tree, branch->to))
            continue;
        others += tree->units;
        tree_pack_add_supply(tree, n, n + i, &flow);
    }
    cs_flow_supply(&flow, branch->from, (double)INFINITY);
    cs_flow_drain(&flow, branch->to, others + wanted);
    reached = cs_flow_run(&flow);
    return reached - others;
}

/* ---- growth ---- */

/* The next pair to try after `last`: from ranks of the least depth, the widest
 * first.  False after the last one. */
static bool tree_pack_is_before(const struct cs_packed_tree *tree, const struct tree_branch *a,
                                const struct tree_branch *b)
{
    if (tree->depth[a->from] != tree->depth[b->from])
        return tree->depth[a->from] < tree->depth[b->from];
    if (a->capacity < b->capacity || a->capacity > b->capacity)
        return a->capacity > b->capacity;
    return a->from != b->from ? a->from < b->from : a->to < b->to;
}

static bool tree_pack_next(const struct tree_packer *packer, const struct cs_packed_tree *tree,
                           struct tree_branch *last)
{
    uint32_t n = packer->ranks;
    struct tree_branch best = {0};
    bool found = false;

    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n && tree_pack_has(tree, a); b++) {
            struct tree_branch branch = {a, b, packer->capacity[a * n + b]};

            if (branch.capacity < 1 || tree_pack_has(tree, b) ||
                (last->capacity > 0 && !tree_pack_is_before(tree, last, &branch)) ||
                (found && !tree_pack_is_before(tree, &branch, &best)))
                continue;
            best = branch;
            found = true;
        }
    *last = best;
    return found;
}

/* Splits the remainder off, with the same pairs as so far. */
static void tree_pack_split(struct tree_packer *packer, struct cs_packed_tree *tree, uint32_t units)
{
    struct cs_packed_tree *rest = tree_pack_add(packer, tree->root, tree->units - units);
    size_t bytes = packer->ranks * sizeof(uint32_t);

    memcpy(rest->parent, tree->parent, bytes);
    memcpy(rest->depth, tree->depth, bytes);
    rest->size = tree->size;
    tree->units = units;
}

static bool tree_pack_grow(struct tree_packer *packer, struct cs_packed_tree *tree)
{
    struct tree_branch branch = {0};

    while (cs_monitor_count(packer->packing->monitor, 0, 0) &&
           tree_pack_next(packer, tree, &branch)) {
        double spare =
            fmin(tree_pack_spare(packer, tree, &branch), fmin(branch.capacity, tree->units));

        if (spare < 1)
            continue;
        if (spare < tree->units) {
            if (packer->packing->count == packer->most)
                return false;
            tree_pack_split(packer, tree, (uint32_t)spare);
        }
        packer->capacity[branch.from * packer->ranks + branch.to] -= tree->units;
        tree->parent[branch.to] = branch.from;
        tree->depth[branch.to] = tree->depth[branch.from] + 1;
        tree->size++;
        return true;
    }
    return false;
}

/* The youngest unfinished tree grows first, so that few have several ranks and
 * wait. */
static struct cs_packed_tree *tree_pack_unfinished(struct tree_packer *packer)
{
    for (uint32_t i = packer->packing->count; i-- > 0;)
        if (packer->packing->tree[i].size < packer->ranks)
            return &packer->packing->tree[i];
    return NULL;
}

bool cs_tree_pack(uint32_t ranks, const double *capacity, const double *roots, uint32_t most,
                  struct cs_packing *packing, struct cs_arena *arena)
{
    size_t pairs = (size_t)ranks * ranks;
    struct tree_packer packer = {ranks, cs_arena_alloc(arena, pairs, sizeof(*capacity)), packing,
                                 most, arena};
    struct cs_packed_tree *tree;

    memcpy(packer.capacity, capacity, pairs * sizeof(*capacity));
    *packing = (struct cs_packing){.monitor = packing->monitor,
                                   .tree = cs_arena_alloc(arena, most, sizeof(*packing->tree))};
    for (uint32_t r = ranks; r-- > 0;)
        if (roots[r] >= 1) {
            if (packing->count == most)
                return false;
            (void)tree_pack_add(&packer, r, (uint32_t)roots[r]);
        }
    while ((tree = tree_pack_unfinished(&packer)))
        while (tree->size < ranks)
            if (!tree_pack_grow(&packer, tree))
                return false;
    return true;
}
