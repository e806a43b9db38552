#include "algorithms/shared/trees/trees.h"

#include "algorithms/shared/trees/graph.h"
#include "algorithms/shared/trees/spanning.h"
#include "algorithms/shared/trees/units.h"

#include <assert.h>
#include <math.h>

enum {
    TREES_MAX = 512
};

/* Trees over the nodes have to be as fast as a chain but for this share. */
static const double as_fast = 1.005;
static const double long_bytes = 1 << 30;

/* A copy of a tree: the home is node `home`. */
struct lifter {
    const struct cs_branches *branches;
    const struct cs_tree_shape *shape;
    uint32_t home, nodes;
    uint32_t straight;     /* a node farther away than this receives from the equal ranks */
    uint32_t arity, which; /* one of so many trees over the chain; 1: the chain itself */
};

static uint32_t lift_last(const struct lifter *lifter)
{
    return lifter->branches->vertices / lifter->branches->home - 1;
}

/* The class of a node, by its distance from the home node. */
static uint32_t lift_class(const struct lifter *lifter, uint32_t distance)
{
    uint32_t last = lift_last(lifter);

    return distance < last ? distance : last;
}

/* The slot before one of a chain of `slots`; 0: none.  A slot has children, `arity` at most,
 * in the tree of its number alone. */
static uint32_t lift_above(const struct lifter *lifter, uint32_t slots, uint32_t slot)
{
    uint32_t arity = lifter->arity;
    uint32_t inner = (slots - lifter->which + arity - 1) / arity;
    uint32_t before = (slot + arity - lifter->which - 2) / arity; /* inner slots */
    bool is_inner = (slot - 1) % arity == lifter->which;
    uint32_t place = is_inner ? before : inner + slot - 1 - before;

    return place == 0 ? 0 : (place - 1) / arity * arity + lifter->which + 1;
}

/* The node of a chain before the one at a distance; of the first one itself. */
static uint32_t lift_before(const struct lifter *lifter, uint32_t distance)
{
    uint32_t last = lift_last(lifter);
    uint32_t above;

    if (lifter->branches->request.of != CS_BRANCHES_CHAIN || distance < last)
        return distance;
    above = lift_above(lifter, lifter->nodes - last, distance - last + 1);
    return above > 0 ? last + above - 1 : distance;
}

/* The distance of the chain's node that sends to the nodes before the chain: one with a child
 * less than others have over all trees. */
static uint32_t lift_end(const struct lifter *lifter)
{
    uint32_t last = lift_last(lifter);
    uint32_t slots = lifter->nodes - last;
    uint32_t arity = lifter->arity;

    return last - 1 + (slots % arity == 0 ? slots - arity + lifter->which + 1 : slots);
}

/* The nodes of a chain that receive from another one of it. */
static bool lift_is_beyond(const struct lifter *lifter, uint32_t distance)
{
    return lift_before(lifter, distance) != distance;
}

/* The distance of the node from which a node receives. */
static uint32_t lift_sender(const struct lifter *lifter, uint32_t distance, uint32_t parent)
{
    bool is_chain = lifter->branches->request.of == CS_BRANCHES_CHAIN;

    if (parent == lift_class(lifter, distance))
        return distance;
    if (lift_is_beyond(lifter, distance))
        return lift_before(lifter, distance);
    return is_chain && parent == lift_last(lifter) ? lift_end(lifter) : parent;
}

static uint32_t lift_parent(const struct lifter *lifter, uint32_t rank)
{
    uint32_t group = lifter->branches->home;
    uint32_t distance = (rank / group + lifter->nodes - lifter->home) % lifter->nodes;
    uint32_t own = lift_class(lifter, distance);
    uint32_t parent = lifter->shape->parent[own * group + rank % group];
    uint32_t sender, local;

    if (parent == CS_SPANNING_NONE)
        return CS_TREE_ABSENT;
    sender = lift_sender(lifter, distance, parent / group);
    local = lift_is_beyond(lifter, distance) && sender != distance && distance > lifter->straight
                ? rank
                : parent;
    return (lifter->home + sender) % lifter->nodes * group + local % group;
}

static void lift_parents(struct lifter *lifter, uint32_t straight, uint32_t *parent)
{
    lifter->straight = straight;
    for (uint32_t r = 0; r < lifter->branches->request.ranks; r++)
        parent[r] = lift_parent(lifter, r);
}

/* Whether every rank has the root above it. */
static bool lift_is_tree(const uint32_t *parent, uint32_t ranks)
{
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t steps = 0;

        for (uint32_t at = r; parent[at] != CS_TREE_ABSENT; at = parent[at])
            if (++steps > ranks)
                return false;
    }
    return true;
}

/* The second node of a chain has what the home sends, and so may the third take it from the
 * ranks that correspond to the senders of the home; but where the home receives from the last
 * node, such ranks may stand below the third's.  From equal ranks a copy is always a tree: with
 * the nodes beyond the classes made one again, it is the shape.  False: not along this tree over
 * the nodes. */
static bool lift_tree(struct lifter *lifter, struct cs_packed_tree *tree, struct cs_arena *arena)
{
    uint32_t ranks = lifter->branches->request.ranks;
    uint32_t *parent = cs_arena_alloc(arena, ranks, sizeof(*parent));

    *tree = (struct cs_packed_tree){
        .root = lifter->home * lifter->branches->home + lifter->shape->root,
        .units = lifter->shape->units,
        .parent = parent,
    };
    lift_parents(lifter, lifter->arity == 1 ? 2 : 0, parent);
    if (lift_is_tree(parent, ranks))
        return true;
    lift_parents(lifter, 0, parent);
    return lift_is_tree(parent, ranks);
}

/* The copies of the shapes, each along one of so many trees over the nodes of the chain; NULL:
 * one of them would not be a tree. */
static const struct cs_trees *lift_units(const struct cs_net *net,
                                         const struct cs_branches *branches,
                                         const struct cs_units *units, uint32_t arity,
                                         struct cs_arena *arena)
{
    const struct cs_branches_request *request = &branches->request;
    uint32_t nodes = request->ranks / branches->home;
    uint32_t copies = request->of == CS_BRANCHES_EACH ? nodes : 1;
    uint32_t home = request->of == CS_BRANCHES_CHAIN ? request->root / branches->home : 0;
    size_t most = (size_t)copies * units->count * arity;
    struct cs_packing packing = {.tree = cs_arena_alloc(arena, most, sizeof(*packing.tree))};

    for (uint32_t i = 0; i < copies; i++)
        for (uint32_t s = 0; s < units->count; s++) {
            struct lifter lifter = {.branches = branches,
                                    .shape = &units->shape[s],
                                    .home = home + i,
                                    .nodes = nodes,
                                    .arity = arity};

            for (; lifter.which < arity; lifter.which++)
                if (!lift_tree(&lifter, &packing.tree[packing.count++], arena))
                    return NULL;
        }
    return cs_trees_of_packing(net, request->ranks, &packing, request->use, arena);
}

/* ---- the number of trees over a chain ---- */

/* The last chunk of a vector on its way down a chain of `slots`: a latency for each level, and
 * on each but the first one the time of the chunks to all children. */
static double lift_tail_s(uint32_t slots, uint32_t arity, double latency_s, double chunk_s)
{
    double tail_s = latency_s;

    for (uint32_t reached = 1, level = 1; reached < slots; reached += level) {
        level *= arity;
        tail_s += latency_s + arity * chunk_s;
    }
    return tail_s;
}

/* Latency from the root's node to the next one. */
static double lift_latency_s(const struct cs_net *net, const struct cs_branches *branches,
                             struct cs_arena *arena)
{
    uint32_t ranks = branches->request.ranks;
    uint32_t from = branches->request.root;
    uint32_t *links = cs_arena_alloc(arena, net->max_hops + 1, sizeof(*links));
    uint32_t hops = cs_tree_route(net, cs_tree_rank_nodes(net, ranks, arena), from,
                                  (from + branches->home) % ranks, links);
    double latency_s = 0;

    for (uint32_t i = 0; i < hops; i++)
        latency_s += (double)cs_net_link_at(net, links[i]).latency_ps * 1e-12;
    return latency_s;
}

/* The number of trees with the shortest end of a long vector.  Inner slots have children
 * enough where slots, but for one, are a multiple. */
static uint32_t lift_arity(const struct cs_net *net, const struct cs_branches *branches,
                           const struct cs_units *units, double s_per_byte)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    uint32_t ranks = branches->request.ranks;
    uint32_t slots = (ranks - branches->vertices) / branches->home + 1;
    double latency_s = lift_latency_s(net, branches, &scratch);
    uint32_t of_home = 0;
    uint32_t best = 1;
    double chunk_s, least_s = (double)INFINITY;

    for (uint32_t i = 0; i < units->count; i++)
        of_home += units->shape[i].units;
    chunk_s = long_bytes * s_per_byte * of_home / cs_trees_blocks(ranks);
    for (uint32_t arity = 2; arity <= slots && arity * units->count <= TREES_MAX; arity++) {
        double tail_s = lift_tail_s(slots, arity, latency_s, chunk_s);

        if (slots % arity > 1 || tail_s >= least_s)
            continue;
        least_s = tail_s;
        best = arity;
    }
    return best;
}

const struct cs_trees *cs_trees_of_units(const struct cs_net *net,
                                         const struct cs_branches *branches,
                                         const struct cs_units *units, struct cs_arena *arena)
{
    const struct cs_trees *line = lift_units(net, branches, units, 1, arena);
    const struct cs_trees *branched;
    uint32_t arity;

    assert(line);
    if (branches->request.of != CS_BRANCHES_CHAIN)
        return line;
    arity = lift_arity(net, branches, units, cs_trees_s_per_byte(line));
    branched = lift_units(net, branches, units, arity, arena);
    return branched && cs_trees_s_per_byte(branched) <= cs_trees_s_per_byte(line) * as_fast
               ? branched
               : line;
}
