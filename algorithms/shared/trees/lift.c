#include "algorithms/shared/trees/trees.h"

#include "algorithms/shared/trees/spanning.h"
#include "algorithms/shared/trees/two_tree.h"
#include "algorithms/shared/trees/units.h"

enum {
    LINE = CS_TREES_HALVES /* in place of a half: the chain itself */
};

/* Two trees over the nodes have to be as fast as a chain but for this share. */
static const double as_fast = 1.005;

/* A copy of a tree: the home is node `home`. */
struct lifter {
    const struct cs_branches *branches;
    const struct cs_tree_shape *shape;
    uint32_t home, nodes;
    uint32_t straight; /* a node farther away than this receives from the equal ranks */
    uint32_t half;     /* of the two trees over the chain, or LINE */
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

/* The node of a chain before the one at a distance; of the first one itself.  The last one of
 * an odd number of nodes sends nothing in either of the two trees (two_tree.h), so that it or
 * a further node is the end of a chain. */
static uint32_t lift_before(const struct lifter *lifter, uint32_t distance)
{
    uint32_t last = lift_last(lifter);
    uint32_t odd = (lifter->nodes - last - 1) / 2 * 2 + 1;
    uint32_t slot = distance - last + 1;
    uint32_t above = slot - 1;

    if (lifter->branches->request.of != CS_BRANCHES_CHAIN || distance < last)
        return distance;
    if (lifter->half != LINE && slot <= odd)
        above = cs_two_tree_place(odd + 1, lifter->half, slot).parent;
    return above > 0 ? last + above - 1 : distance;
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
    return is_chain && parent == lift_last(lifter) ? lifter->nodes - 1 : parent;
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
 * the nodes beyond the classes made one again, it is the shape. */
static struct cs_packed_tree lift_tree(struct lifter *lifter, struct cs_arena *arena)
{
    uint32_t ranks = lifter->branches->request.ranks;
    struct cs_packed_tree tree = {
        .root = lifter->home * lifter->branches->home + lifter->shape->root,
        .units = lifter->shape->units,
        .parent = cs_arena_alloc(arena, ranks, sizeof(*tree.parent)),
    };

    lift_parents(lifter, lifter->half == LINE ? 2 : 0, tree.parent);
    if (!lift_is_tree(tree.parent, ranks))
        lift_parents(lifter, 0, tree.parent);
    return tree;
}

/* The copies of the shapes; `branched`: half of each along either of two trees over the nodes
 * of the chain, which are full sooner. */
static const struct cs_trees *lift_units(const struct cs_net *net,
                                         const struct cs_branches *branches,
                                         const struct cs_units *units, bool branched,
                                         struct cs_arena *arena)
{
    const struct cs_branches_request *request = &branches->request;
    uint32_t nodes = request->ranks / branches->home;
    uint32_t copies = request->of == CS_BRANCHES_EACH ? nodes : 1;
    uint32_t home = request->of == CS_BRANCHES_CHAIN ? request->root / branches->home : 0;
    size_t most = (size_t)copies * units->count * CS_TREES_HALVES;
    struct cs_packing packing = {.tree = cs_arena_alloc(arena, most, sizeof(*packing.tree))};

    for (uint32_t i = 0; i < copies; i++)
        for (uint32_t s = 0; s < units->count; s++) {
            struct lifter lifter = {.branches = branches,
                                    .shape = &units->shape[s],
                                    .home = home + i,
                                    .nodes = nodes,
                                    .half = branched ? 0 : LINE};

            do
                packing.tree[packing.count++] = lift_tree(&lifter, arena);
            while (++lifter.half < CS_TREES_HALVES);
        }
    return cs_trees_of_packing(net, request->ranks, &packing, request->use, arena);
}

const struct cs_trees *cs_trees_of_units(const struct cs_net *net,
                                         const struct cs_branches *branches,
                                         const struct cs_units *units, struct cs_arena *arena)
{
    const struct cs_branches_request *request = &branches->request;
    const struct cs_trees *line = lift_units(net, branches, units, false, arena);
    const struct cs_trees *branched;

    if (request->of != CS_BRANCHES_CHAIN)
        return line;
    branched = lift_units(net, branches, units, true, arena);
    return branched->depth < line->depth &&
                   cs_trees_s_per_byte(branched) <= cs_trees_s_per_byte(line) * as_fast
               ? branched
               : line;
}
