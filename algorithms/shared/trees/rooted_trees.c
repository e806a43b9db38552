#include "algorithms/shared/trees/rooted_trees.h"

#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/rings/channels.h"
#include "algorithms/shared/rings/node_lines.h"
#include "algorithms/shared/trees/flow.h"
#include "algorithms/shared/trees/two_tree.h"

#include <math.h>

enum {
    BLOCKS_BEST = 1 << 11 /* of all channels: keeps the proof short */
};

/* A channel from the view of a node. */
struct rooted_tree {
    const struct cs_call *call;
    struct cs_node_line line;
    uint32_t tree, node;
    uint32_t root_node, root_slot; /* in the line */
    bool wired;
};

bool cs_rooted_trees_are_used(const struct cs_call *call)
{
    return call->rings_by_node && (call->ranks > call->group || cs_node_lines_are_wired(call));
}

static uint32_t rooted_depth(const struct cs_call *call)
{
    return call->group + 2 * cs_log2_up(cs_nodes_of(call));
}

bool cs_rooted_trees_settle(struct cs_call *call, double gamma_s_per_byte)
{
    double volume_s;
    uint64_t most;

    cs_node_lines_settle(call);
    if (!cs_rooted_trees_are_used(call))
        return false;
    if (call->channels == 0)
        call->channels = 2 * cs_node_lines_count(call);
    volume_s = cs_vector_bytes(call) * (1 / call->hockney.beta_Bps + gamma_s_per_byte);
    most = call->elements / cs_channel_lanes(call);
    if (most > BLOCKS_BEST / cs_channel_lanes(call))
        most = BLOCKS_BEST / cs_channel_lanes(call);
    cs_settle_chunks(call, most, sqrt(rooted_depth(call) * volume_s / call->hockney.alpha_s));
    return true;
}

/* ---- shape ---- */

static struct rooted_tree rooted_tree_of(const struct cs_call *call, uint32_t channel,
                                         uint32_t node)
{
    uint32_t trees = cs_nodes_of(call) > 1 ? 2 : 1; /* of a line */
    struct rooted_tree of = {
        .call = call,
        .line = cs_node_line_of(call, channel / trees),
        .tree = channel % trees,
        .node = node,
        .root_node = call->root / call->group,
        .wired = cs_node_lines_are_wired(call),
    };

    of.root_slot = cs_node_line_slot(&of.line, call->root);
    return of;
}

/* The slot of the chain at a place of the line: in the root's node of a switch
 * the root comes first. */
static uint32_t rooted_slot(const struct rooted_tree *of, uint32_t place)
{
    if (of->node != of->root_node || of->wired)
        return place;
    if (place == of->root_slot)
        return 0;
    return place < of->root_slot ? place + 1 : place;
}

static uint32_t rooted_place(const struct rooted_tree *of, uint32_t slot)
{
    if (of->node != of->root_node || of->wired)
        return slot;
    if (slot == 0)
        return of->root_slot;
    return slot <= of->root_slot ? slot - 1 : slot;
}

static uint32_t rooted_rank(const struct rooted_tree *of, uint32_t slot)
{
    return cs_node_line_rank(&of->line, of->node, rooted_place(of, slot));
}

/* The slot from which the chain of the node starts. */
static uint32_t rooted_start(const struct rooted_tree *of)
{
    return of->node == of->root_node && of->wired ? of->root_slot : 0;
}

/* The head of the node with a slot in the tree over the nodes. */
static uint32_t rooted_head(const struct rooted_tree *of, uint32_t slot)
{
    uint32_t nodes = cs_nodes_of(of->call);

    return cs_node_line_rank(&of->line, cs_ahead(slot, of->root_node, nodes), 0);
}

/* Adds the neighbours of a head in other nodes. */
static void rooted_add_nodes(const struct rooted_tree *of, struct cs_tree_place *place)
{
    uint32_t nodes = cs_nodes_of(of->call);
    struct cs_tree_place above =
        cs_two_tree_place(nodes, of->tree, cs_behind(of->node, of->root_node, nodes));

    if (above.parent != CS_TREE_NONE)
        place->parent = rooted_head(of, above.parent);
    for (uint32_t i = 0; i < above.child_count; i++)
        cs_tree_add_child(place, rooted_head(of, above.child[i]));
}

struct cs_tree_place cs_rooted_tree_place(const struct cs_call *call, uint32_t channel,
                                          uint32_t rank)
{
    struct rooted_tree of = rooted_tree_of(call, channel, rank / call->group);
    struct cs_tree_place place = {.parent = CS_TREE_NONE};
    uint32_t at = cs_node_line_slot(&of.line, rank);
    uint32_t slot = rooted_slot(&of, at);
    uint32_t start = rooted_start(&of);

    if (slot != start)
        place.parent = rooted_rank(&of, slot < start ? slot + 1 : slot - 1);
    if (at == 0)
        rooted_add_nodes(&of, &place);
    if (slot >= start && slot + 1 < call->group)
        cs_tree_add_child(&place, rooted_rank(&of, slot + 1));
    if (slot <= start && slot > 0)
        cs_tree_add_child(&place, rooted_rank(&of, slot - 1));
    return place;
}

/* ---- rounds ---- */

static uint64_t rooted_trees_rounds(const struct cs_call *call)
{
    return call->ranks < 2 ? 0 : (uint64_t)call->chunks + 1;
}

static struct cs_tree_flow rooted_flow(const struct cs_call *call, uint32_t rank, uint32_t lane)
{
    return (struct cs_tree_flow){
        .place = cs_rooted_tree_place(call, lane / call->slices, rank),
        .first = lane * call->chunks,
        .chunks = call->chunks,
    };
}

void cs_rooted_trees_round(const struct cs_call *call, bool down, struct cs_at at,
                           struct cs_ops *ops)
{
    struct cs_tree_flow flow = rooted_flow(call, at.party, at.lane);

    if (down)
        cs_tree_pass_round(&flow, at.round, ops);
    else
        cs_tree_up_round(&flow, at.round, ops);
}

/* ---- both forms ---- */

uint32_t cs_two_trees_lanes(const struct cs_call *call)
{
    return cs_rooted_trees_are_used(call) ? cs_channel_lanes(call) : 1;
}

uint32_t cs_two_trees_blocks(const struct cs_call *call)
{
    return cs_rooted_trees_are_used(call) ? cs_channel_chunks(call) : cs_blocks_chunks(call);
}

uint64_t cs_two_trees_rounds(const void *ctx, struct cs_at at)
{
    return cs_rooted_trees_are_used(ctx) ? rooted_trees_rounds(ctx) : cs_two_tree_rounds(ctx, at);
}

/* ---- cost ---- */

struct cs_cost cs_rooted_trees_cost(const struct cs_call *call)
{
    double chunk = cs_longest_run_bytes(call, cs_channel_chunks(call), 1);
    double bytes = cs_channel_contention(call) * chunk;
    double depth = rooted_depth(call);
    double more = call->chunks - 1.0;
    bool waits = call->hockney.alpha_s > bytes / call->hockney.beta_Bps;
    double steps = waits ? depth : depth + more;

    return (struct cs_cost){waits ? depth + more : depth, steps * bytes, steps * bytes};
}
