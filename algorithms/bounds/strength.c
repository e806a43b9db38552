#include "algorithms/bounds/strength.h"

#include "algorithms/bounds/exact_rate.h"
#include "sim/base/collections/disjoint.h"

#include <string.h>

static const double tolerance = 1e-11;

enum {
    RATIOS_MAX = 64, /* far above the number of Dinkelbach's ratios */
    RAISES_MAX = 64,
};

struct strength {
    struct cs_network *network;
    struct cs_arena *arena;
    double *alone_Bps; /* cell -> f of the cell's rank alone */
    double *debt;      /* cell -> minus the price of a rank */
    double ratio;
    uint32_t *parent; /* cell -> cell, of tight sets */
    bool *tight;      /* cell -> in the set found last */
    struct cs_strength best;
};

/* ---- flows ---- */

static void strength_clear(struct strength *strength, double supply)
{
    struct cs_network *network = strength->network;

    cs_flow_clear_drains(&network->flow);
    for (uint32_t i = 0; i < network->rank_cells; i++)
        cs_flow_supply(&network->flow, network->ranks[i], supply);
}

/* Finds the least cut around sets with the cell. */
static double strength_flow_into(struct strength *strength, uint32_t cell)
{
    struct cs_flow *flow = &strength->network->flow;

    cs_flow_supply(flow, cell, 0);
    cs_flow_drain(flow, cell, (double)INFINITY);
    return cs_flow_run(flow);
}

static void strength_find_alone(struct strength *strength)
{
    struct cs_network *network = strength->network;

    strength_clear(strength, (double)INFINITY);
    for (uint32_t i = 0; i < network->rank_cells; i++) {
        uint32_t cell = network->ranks[i];

        strength->alone_Bps[cell] = strength_flow_into(strength, cell);
        cs_flow_drain(&network->flow, cell, 0);
        cs_flow_supply(&network->flow, cell, (double)INFINITY);
    }
}

/* Sets a rank's debt, and offers debt as a supply and credit as a drain. */
static void strength_owe(struct strength *strength, uint32_t cell, double debt)
{
    struct cs_network *network = strength->network;
    double amount = debt * network->cells.weight[cell];

    strength->debt[cell] = debt;
    cs_flow_supply(&network->flow, cell, amount > 0 ? amount : 0);
    cs_flow_drain(&network->flow, cell, amount < 0 ? -amount : 0);
}

/* The least f(S) - y(S) - x of sets S with the cell.  Leaves S in the network's
 * flow. */
static double strength_slack(struct strength *strength, uint32_t cell)
{
    struct cs_flow *flow = &strength->network->flow;
    double debt = strength->debt[cell];
    double slack = debt - strength->ratio;

    cs_flow_drain(flow, cell, 0);
    for (uint32_t i = 0; i < flow->drain_count; i++)
        slack -= flow->nodes[flow->drains[i]].drain;
    slack += strength_flow_into(strength, cell);
    strength_owe(strength, cell, debt);
    return slack;
}

/* ---- tight sets: the constraint holds with equality ---- */

static void strength_keep_tight(struct strength *strength)
{
    const struct cs_network *network = strength->network;

    for (uint32_t i = 0; i < network->rank_cells; i++)
        strength->tight[network->ranks[i]] = cs_flow_is_inside(&network->flow, network->ranks[i]);
}

/* Joins the set around the cell to a block. */
static void strength_join_tight(struct strength *strength, uint32_t cell)
{
    const struct cs_network *network = strength->network;

    for (uint32_t i = 0; i < network->rank_cells; i++)
        if (strength->tight[network->ranks[i]])
            cs_disjoint_join(strength->parent, cell, network->ranks[i]);
}

/* Raises the price of a rank, and of the rank's images in merged hosts, as far
 * as the constraints allow: Newton's steps, from the limit of the rank alone to
 * the limit of the set found, until no set is violated. */
static void strength_raise(struct strength *strength, uint32_t cell)
{
    const struct cs_cells *cells = &strength->network->cells;
    uint32_t twin = cells->twin[cell];
    double raise = strength->alone_Bps[cell] + strength->debt[cell] - strength->ratio;
    bool is_alone = true;

    for (uint32_t i = 0; i < RAISES_MAX; i++) {
        double images = 1;
        double slack;

        strength_owe(strength, cell, strength->debt[cell] - raise);
        if (twin != CS_NO_CELL)
            strength_owe(strength, twin, strength->debt[twin] - raise);
        slack = strength_slack(strength, cell);
        if (slack >= -tolerance * strength->ratio)
            break;
        is_alone = false;
        strength_keep_tight(strength);
        if (twin != CS_NO_CELL && strength->tight[twin])
            images += cells->weight[twin];
        raise = slack / images;
    }
    if (!is_alone)
        strength_join_tight(strength, cell);
}

/* ---- a partition and the ratio ---- */

/* Cells of first and of merged hosts in a block, by root. */
struct block_kinds {
    bool *first, *merged;
};

static struct block_kinds strength_kinds(const struct strength *strength)
{
    const struct cs_network *network = strength->network;
    size_t cells = network->cells.count;
    struct block_kinds kinds = {cs_arena_alloc(strength->arena, cells, sizeof(bool)),
                                cs_arena_alloc(strength->arena, cells, sizeof(bool))};

    for (uint32_t i = 0; i < network->rank_cells; i++) {
        uint32_t at = network->ranks[i];
        uint32_t root = cs_disjoint_root(strength->parent, at);

        if (cs_cells_is_merged(&network->cells, at))
            kinds.merged[root] = true;
        else if (network->cells.twin[at] != CS_NO_CELL)
            kinds.first[root] = true;
    }
    return kinds;
}

/* A block across hosts of a group meets the images of the block under exchanges
 * of hosts; the union is tight, too, and becomes the block: joins the cells of
 * the block with the twins. True when blocks changed. */
static bool strength_close(struct strength *strength)
{
    const struct cs_network *network = strength->network;
    struct block_kinds kinds = strength_kinds(strength);
    bool changed = false;

    for (uint32_t i = 0; i < network->rank_cells; i++) {
        uint32_t at = network->ranks[i];
        uint32_t twin = network->cells.twin[at];
        uint32_t a = cs_disjoint_root(strength->parent, at);
        uint32_t b;

        if (twin == CS_NO_CELL)
            continue;
        b = cs_disjoint_root(strength->parent, twin);
        if (a == b || !(kinds.merged[a] || kinds.first[b]))
            continue;
        cs_disjoint_join(strength->parent, b, a);
        kinds.merged[b] = kinds.first[b] = changed = true;
    }
    return changed;
}

/* The number of groups that a block stands for, by root: a block within a first
 * host has an image in every host of the group; 0 for a block of merged hosts
 * alone, an image. */
static uint32_t *strength_images(const struct strength *strength)
{
    const struct cs_network *network = strength->network;
    const struct cs_cells *cells = &network->cells;
    struct block_kinds kinds = strength_kinds(strength);
    uint32_t *images = cs_arena_alloc(strength->arena, cells->count, sizeof(*images));

    for (uint32_t i = 0; i < network->rank_cells; i++) {
        uint32_t at = network->ranks[i];
        uint32_t twin = cells->twin[at];
        uint32_t root = cs_disjoint_root(strength->parent, at);

        if (!cs_cells_is_merged(cells, at))
            images[root] = kinds.merged[root] || twin == CS_NO_CELL ? 1 : 1 + cells->weight[twin];
    }
    return images;
}

/* The cells of the blocks as lists: the first cell of a root, the next of a
 * cell. */
struct block_lists {
    uint32_t *first, *next;
};

static struct block_lists strength_lists(const struct strength *strength)
{
    const struct cs_network *network = strength->network;
    size_t cells = network->cells.count;
    struct block_lists lists = {cs_arena_alloc(strength->arena, cells, sizeof(uint32_t)),
                                cs_arena_alloc(strength->arena, cells, sizeof(uint32_t))};

    memset(lists.first, 0xff, cells * sizeof(uint32_t));
    for (uint32_t i = 0; i < network->rank_cells; i++) {
        uint32_t at = network->ranks[i];
        uint32_t root = cs_disjoint_root(strength->parent, at);

        lists.next[at] = lists.first[root];
        lists.first[root] = at;
    }
    return lists;
}

/* f of a block, as a cut. Supplies outside are endless. */
static struct cs_flow_cut strength_block_cut(struct strength *strength,
                                             const struct block_lists *lists, uint32_t root,
                                             bool keep)
{
    struct cs_flow *flow = &strength->network->flow;
    struct cs_flow_cut cut;

    for (uint32_t at = lists->first[root]; at != CS_NO_CELL; at = lists->next[at]) {
        cs_flow_supply(flow, at, 0);
        cs_flow_drain(flow, at, (double)INFINITY);
    }
    cs_flow_run(flow);
    cut = keep ? cs_network_keep_cut(strength->network, strength->arena)
               : cs_network_cut(strength->network);
    cs_flow_clear_drains(flow);
    for (uint32_t at = lists->first[root]; at != CS_NO_CELL; at = lists->next[at])
        cs_flow_supply(flow, at, (double)INFINITY);
    return cut;
}

/* The partition of the present blocks; no groups when the blocks do not hold
 * every rank once, for a bound needs a partition. */
static struct cs_strength strength_read(struct strength *strength)
{
    const struct cs_network *network = strength->network;
    struct cs_strength read = {.latency_ps = UINT64_MAX};
    const uint32_t *images;
    struct block_lists lists;
    cs_exact_rate sum = 0;
    uint64_t ranks = 0;

    while (strength_close(strength))
        ;
    images = strength_images(strength);
    lists = strength_lists(strength);
    strength_clear(strength, (double)INFINITY);
    for (uint32_t i = 0; i < network->rank_cells; i++) {
        uint32_t at = network->ranks[i];
        struct cs_flow_cut cut;

        if (cs_disjoint_root(strength->parent, at) != at || !images[at])
            continue;
        cut = strength_block_cut(strength, &lists, at, !read.groups);
        if (!read.groups)
            read.first = cut;
        sum += cs_exact_rate_of(cut.rate_Bps) * images[at];
        if (cut.latency_ps < read.latency_ps)
            read.latency_ps = cut.latency_ps;
        read.groups += images[at];
        ranks += (uint64_t)images[at] * cut.ranks;
    }
    if (ranks != network->graph->rank_count)
        read.groups = 0;
    read.rate_Bps = cs_exact_rate_round(sum);
    return read;
}

/* Takes over the partition of the present blocks where the ratio is less. */
static bool strength_take(struct strength *strength)
{
    struct cs_strength read = strength_read(strength);
    double ratio;

    if (read.groups < 2)
        return false;
    ratio = read.rate_Bps / (read.groups - 1);
    if (strength->best.groups && ratio >= strength->ratio * (1 - tolerance))
        return false;
    strength->best = read;
    strength->ratio = ratio;
    return true;
}

/* ---- the iteration ---- */

/* Prices for the present ratio; true when a partition has a lower ratio. */
static bool strength_price(struct strength *strength)
{
    const struct cs_network *network = strength->network;
    double sum = 0;

    cs_disjoint_open(strength->parent, network->cells.count);
    strength_clear(strength, 0);
    for (uint32_t i = 0; i < network->rank_cells; i++)
        strength_owe(strength, network->ranks[i], strength->ratio);
    for (uint32_t i = 0; i < network->rank_cells; i++)
        if (!cs_cells_is_merged(&network->cells, network->ranks[i]))
            strength_raise(strength, network->ranks[i]);
    for (uint32_t i = 0; i < network->rank_cells; i++)
        sum += strength->debt[network->ranks[i]] * network->cells.weight[network->ranks[i]];
    return sum > strength->ratio * (1 + tolerance);
}

struct cs_strength cs_strength_of(struct cs_network *network, struct cs_arena *arena)
{
    uint32_t cells = network->cells.count;
    struct strength strength = {.network = network,
                                .arena = arena,
                                .alone_Bps = cs_arena_alloc(arena, cells, sizeof(double)),
                                .debt = cs_arena_alloc(arena, cells, sizeof(double)),
                                .parent = cs_arena_alloc(arena, cells, sizeof(uint32_t)),
                                .tight = cs_arena_alloc(arena, cells, sizeof(bool))};

    if (network->graph->rank_count < 2)
        return strength.best;
    strength_find_alone(&strength);
    cs_disjoint_open(strength.parent, cells);
    strength_take(&strength);
    for (uint32_t i = 0; i < RATIOS_MAX && strength_price(&strength) && strength_take(&strength);
         i++)
        ;
    return strength.best;
}
