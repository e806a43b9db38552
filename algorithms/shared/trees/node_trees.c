#include "algorithms/shared/trees/node_trees.h"

#include "algorithms/shared/rings/channels.h"
#include "algorithms/shared/rings/rings.h"

enum {
    CHANNELS_BEST = 32 /* NCCL's MAXCHANNELS before version 2.26 */
};

/* A channel of a call. */
struct node_tree {
    struct cs_node_line chain;
    uint32_t nodes;
    uint32_t tree; /* 0 or 1 */
    uint32_t turn; /* nodes by which the tree is shifted */
};

/* Trees that share a chain: both trees over the nodes; one in a single node,
 * where both are the chain. */
static uint32_t node_trees_of_chain(const struct cs_call *call)
{
    return call->ranks > call->group ? 2 : 1;
}

static struct node_tree node_tree_of(const struct cs_call *call, uint32_t channel)
{
    bool is_pair = call->ranks > call->group;
    uint32_t pair = is_pair ? channel / 2 : channel;
    uint32_t nodes = is_pair ? call->ranks / call->group : 1;
    uint32_t lines = cs_node_lines_count(call);

    return (struct node_tree){
        .chain = cs_node_line_of(call, pair),
        .nodes = nodes,
        .tree = is_pair ? channel % 2 : 0,
        .turn = pair < lines ? 0 : pair / lines % nodes,
    };
}

/* The head of a node in the order of the tree. */
static uint32_t node_tree_head(const struct node_tree *of, uint32_t turned)
{
    return cs_node_line_rank(&of->chain, cs_ahead(turned, of->turn, of->nodes), 0);
}

/* The head of node `node` in the tree over the nodes. */
static void head_place(const struct node_tree *of, uint32_t node, struct cs_tree_place *place)
{
    *place = cs_tree_of_pair(of->tree, of->nodes, cs_behind(node, of->turn, of->nodes));
    if (place->parent != CS_TREE_NONE)
        place->parent = node_tree_head(of, place->parent);
    for (uint32_t i = 0; i < place->child_count; i++)
        place->child[i] = node_tree_head(of, place->child[i]);
}

void cs_node_tree_place(const struct cs_call *call, uint32_t channel, uint32_t rank,
                        struct cs_tree_place *place)
{
    struct node_tree of = node_tree_of(call, channel);
    uint32_t node = rank / call->group;
    uint32_t slot = cs_node_line_slot(&of.chain, rank);

    if (slot == 0) {
        head_place(&of, node, place);
    } else {
        place->parent = cs_node_line_rank(&of.chain, node, slot - 1);
        place->child_count = 0;
    }
    if (slot + 1 < call->group)
        place->child[place->child_count++] = cs_node_line_rank(&of.chain, node, slot + 1);
}

bool cs_node_tree_of_heads(const struct cs_call *call, uint32_t channel, uint32_t rank,
                           struct cs_tree_place *place)
{
    struct node_tree of = node_tree_of(call, channel);

    if (cs_node_line_slot(&of.chain, rank) > 0)
        return false;
    head_place(&of, rank / call->group, place);
    return true;
}

struct cs_node_line cs_node_tree_line(const struct cs_call *call, uint32_t channel)
{
    return cs_node_line_of(call, call->ranks > call->group ? channel / 2 : channel);
}

/* Whether the node is the image of one of the first half, with the trees exchanged. */
static bool node_is_mirrored(const struct cs_call *call, uint32_t node)
{
    uint32_t nodes = call->ranks / call->group;

    return nodes > 1 && nodes % 2 == 0 && node >= nodes / 2;
}

/* Channels in order: once through all lines, then from the slot next to the head
 * on, then by number, with the second tree first on a mirrored node. */
static uint64_t node_tree_rank_order(const struct cs_call *call, uint32_t channel, uint32_t rank)
{
    uint32_t swap = node_is_mirrored(call, rank / call->group);
    uint32_t pair = channel / node_trees_of_chain(call);
    struct cs_node_line chain = cs_node_line_of(call, pair);
    uint32_t lines = cs_node_lines_count(call);
    uint64_t time = lines > 0 && pair >= lines ? pair / lines : 0;

    return (time * call->group + cs_node_line_slot(&chain, rank)) << 32 | (channel ^ swap);
}

uint32_t cs_node_tree_turn(const struct cs_call *call, uint32_t channel, uint32_t rank)
{
    uint64_t own = node_tree_rank_order(call, channel, rank);
    uint32_t before = 0;

    for (uint32_t i = 0; i < call->channels; i++)
        before += node_tree_rank_order(call, i, rank) < own;
    return before;
}

uint32_t cs_node_trees_order(const void *ctx, uint32_t party)
{
    const struct cs_call *call = ctx;
    uint32_t nodes = call->ranks / call->group;
    uint32_t node = party / call->group;

    if (party >= call->ranks || !node_is_mirrored(call, node))
        return party;
    return (nodes / 2 + nodes - 1 - node) * call->group + party % call->group;
}

uint32_t cs_node_trees_depth(const struct cs_call *call)
{
    return call->group - 1 + cs_log2_up(call->ranks / call->group);
}

int cs_node_trees_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    int code = cs_channel_check(algo, call, err);

    return code || call->group < 2 ? code : cs_check_group(algo, call, err);
}

void cs_node_trees_settle(struct cs_call *call)
{
    uint32_t most = CHANNELS_BEST;

    cs_node_lines_settle(call);
    if (call->channels)
        return;
    if (call->rings_by_node)
        most = 2 * CS_RINGS_MAX;
    call->channels = node_trees_of_chain(call) * cs_node_lines_count(call);
    if (call->channels > most)
        call->channels = most;
}
