#include "algorithms/shared/node_trees.h"

#include "algorithms/shared/channels.h"
#include "algorithms/shared/rings.h"

enum {
    CHANNELS_BEST = 32 /* NCCL's MAXCHANNELS before version 2.26 */
};

/* A channel of a call. */
struct node_tree {
    const struct cs_call *call;
    uint32_t group, nodes;
    uint32_t tree; /* 0 or 1 */
    uint32_t ring; /* of the machine, or the head of chains without rings */
    uint32_t turn; /* nodes by which the tree is shifted */
};

static uint32_t node_trees_heads(const struct cs_call *call)
{
    if (call->rings_by_node)
        return call->rings->count;
    return call->group > 1 ? call->group : 1;
}

/* Trees that share a chain: both trees over the nodes; one in a single node,
 * where both are the chain. */
static uint32_t node_trees_of_chain(const struct cs_call *call)
{
    return call->ranks > call->group ? 2 : 1;
}

static struct node_tree node_tree_of(const struct cs_call *call,
                                     uint32_t channel)
{
    uint32_t heads = node_trees_heads(call);
    uint32_t pair = channel / node_trees_of_chain(call);
    uint32_t nodes = call->ranks / call->group;

    return (struct node_tree){
        .call = call,
        .group = call->group,
        .nodes = nodes,
        .tree = channel % node_trees_of_chain(call),
        .ring = pair % heads,
        .turn = pair / heads % nodes,
    };
}

/* In a single node all rings start at the same rank; chains start one rank
 * further for each ring, so that all ranks have equal load. */
static uint32_t node_tree_shift(const struct node_tree *of)
{
    return of->nodes > 1 ? 0 : of->ring % of->group;
}

/* The slot of a rank in the chain of the node, 0 for the head; below, the
 * inverse. */
static uint32_t node_tree_slot(const struct node_tree *of, uint32_t rank)
{
    const struct cs_rings *rings = of->call->rings;
    uint32_t g = of->group;

    if (!of->call->rings_by_node)
        return cs_behind(rank % g, of->ring, g);
    return cs_behind(rings->place[(size_t)of->ring * rings->ranks + rank] % g,
                     node_tree_shift(of), g);
}

static uint32_t node_tree_rank(const struct node_tree *of, uint32_t node,
                               uint32_t slot)
{
    const struct cs_rings *rings = of->call->rings;
    uint32_t first = node * of->group;
    uint32_t g = of->group;
    const uint32_t *order;

    if (!of->call->rings_by_node)
        return first + cs_ahead(slot, of->ring, g);
    order = &rings->order[(size_t)of->ring * rings->ranks];
    first = rings->place[(size_t)of->ring * rings->ranks + first];
    return order[first - first % g + cs_ahead(slot, node_tree_shift(of), g)];
}

/* The head of a node in the order of the tree. */
static uint32_t node_tree_head(const struct node_tree *of, uint32_t turned)
{
    return node_tree_rank(of, cs_ahead(turned, of->turn, of->nodes), 0);
}

struct cs_tree_place cs_node_tree_place(const struct cs_call *call,
                                        uint32_t channel, uint32_t rank)
{
    struct node_tree of = node_tree_of(call, channel);
    struct cs_tree_place place = {.parent = CS_TREE_NONE};
    uint32_t node = rank / of.group;
    uint32_t slot = node_tree_slot(&of, rank);
    uint32_t i;

    if (slot == 0) {
        place = cs_tree_of_pair(of.tree, of.nodes,
                                cs_behind(node, of.turn, of.nodes));
        if (place.parent != CS_TREE_NONE)
            place.parent = node_tree_head(&of, place.parent);
        for (i = 0; i < place.child_count; i++)
            place.child[i] = node_tree_head(&of, place.child[i]);
    } else {
        place.parent = node_tree_rank(&of, node, slot - 1);
    }
    if (slot + 1 < of.group)
        place.child[place.child_count++] = node_tree_rank(&of, node, slot + 1);
    return place;
}

uint32_t cs_node_trees_depth(const struct cs_call *call)
{
    return call->group - 1 + cs_log2_up(call->ranks / call->group);
}

/* Whether each ring passes all ranks of a node before the next node. */
static bool rings_pass_nodes(const struct cs_rings *rings, uint32_t group)
{
    size_t all = (size_t)rings->count * rings->ranks;
    size_t i;

    for (i = 0; i < all; i++)
        if (rings->order[i] / group != rings->order[i - i % group] / group)
            return false;
    return true;
}

int cs_node_trees_check(const struct cs_algo *algo, const struct cs_call *call,
                        struct cs_err *err)
{
    int code = cs_channel_check(algo, call, err);

    return code || call->group < 2 ? code : cs_check_group(algo, call, err);
}

void cs_node_trees_settle(struct cs_call *call)
{
    uint32_t most = CHANNELS_BEST;

    if (call->group < 1)
        call->group = 1;
    call->rings_by_node = call->rings && call->group > 1 &&
                          call->ranks % call->group == 0 &&
                          rings_pass_nodes(call->rings, call->group);
    if (call->channels)
        return;
    if (call->rings_by_node)
        most = 2 * CS_RINGS_MAX;
    call->channels = node_trees_of_chain(call) * node_trees_heads(call);
    if (call->channels > most)
        call->channels = most;
}
