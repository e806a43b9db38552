#include "algorithms/shared/patterns/rooted.h"

/* The low bits of a slot decide: bit `level` alone is the child, none the parent,
 * any other pattern was or will be active at a lower level only.  For p not a
 * power of two the last subtree is cut at p. */
struct cs_tree_edge cs_binomial_edge(uint32_t p, uint32_t slot, uint32_t level)
{
    uint32_t bit = (uint32_t)1 << level;
    uint32_t low = slot & (2 * bit - 1);
    struct cs_tree_edge edge = {
        .child = low == bit ? slot : slot + bit,
        .role = low == bit ? CS_TREE_CHILD : CS_TREE_PARENT,
    };

    if ((low != bit && low != 0) || edge.child >= p)
        return (struct cs_tree_edge){.role = CS_TREE_IDLE};
    edge.parent = edge.child - bit;
    edge.below = p - edge.child < bit ? p - edge.child : bit;
    return edge;
}

struct cs_blocks cs_binomial_pieces(const struct cs_call *call, const struct cs_tree_edge *edge)
{
    return (struct cs_blocks){cs_rank_of_slot(call, edge->child), edge->below};
}

void cs_binomial_scatter_step(const struct cs_call *call, uint32_t rank, uint32_t level,
                              struct cs_ops *ops)
{
    struct cs_tree_edge edge = cs_binomial_edge(call->ranks, cs_slot_of(call, rank), level);

    if (edge.role == CS_TREE_PARENT)
        cs_ops_send(ops, cs_rank_of_slot(call, edge.child), cs_binomial_pieces(call, &edge));
    else if (edge.role == CS_TREE_CHILD)
        cs_ops_recv(ops, cs_rank_of_slot(call, edge.parent), cs_binomial_pieces(call, &edge));
}

/* Bytes of the pieces of `count` ranks from rank `first` on, modulo p. */
static double pieces_bytes(const struct cs_call *call, uint32_t first, uint32_t count)
{
    struct cs_cut cut = cs_cut_of(&(struct cs_program){
        .blocks = call->ranks, .elements = call->elements, .element_bytes = call->element_bytes});

    return (double)cs_cut_bytes(&cut, (struct cs_blocks){first, count});
}

/* The messages in sequence until a slot has the subtree's pieces and has sent
 * the children's. */
static struct cs_cost path_down(const struct cs_call *call, uint32_t slot)
{
    struct cs_cost cost = {0};
    uint32_t level = cs_log2_up(call->ranks);
    uint32_t at = 0;

    while (level-- > 0) {
        uint32_t child = at + ((uint32_t)1 << level);
        struct cs_tree_edge edge =
            cs_binomial_edge(call->ranks, child < call->ranks ? child : at, level);

        if (edge.role == CS_TREE_IDLE)
            continue;
        cost.rounds++;
        cost.bytes += pieces_bytes(call, cs_rank_of_slot(call, child), edge.below);
        if (slot >> level & 1)
            at = child;
    }
    return cost;
}

struct cs_cost cs_binomial_scatter_cost(const struct cs_call *call)
{
    /* With equal pieces the root's own path is the longest. */
    uint32_t slots = call->elements % call->ranks ? call->ranks : 1;
    struct cs_cost worst = path_down(call, 0);

    for (uint32_t slot = 1; slot < slots; slot++) {
        struct cs_cost cost = path_down(call, slot);

        if (cs_cost_s(cost, &call->hockney) > cs_cost_s(worst, &call->hockney))
            worst = cost;
    }
    return worst;
}

/* The call with the number of slots at once that it leaves open. */
static struct cs_call rooted_flat(const struct cs_call *call)
{
    struct cs_call flat = *call;

    if (!flat.peers)
        flat.peers = flat.ranks;
    return flat;
}

uint64_t cs_rooted_flat_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    struct cs_call flat = rooted_flat(call);

    if (call->ranks < 2)
        return 0;
    return at.party == call->root ? cs_peers_rounds(&flat, at) : 1;
}

struct cs_exchanges cs_rooted_flat_slots(const struct cs_call *call, uint64_t k)
{
    struct cs_call flat = rooted_flat(call);

    return cs_peers_of_round(&flat, k);
}

struct cs_cost cs_rooted_flat_cost(const struct cs_call *call)
{
    return (struct cs_cost){(double)cs_rooted_flat_rounds(call, (struct cs_at){call->root, 0, 0}),
                            cs_vector_bytes(call) - pieces_bytes(call, call->root, 1), 0};
}

uint64_t cs_rooted_sequence_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;

    return at.party == call->root ? call->ranks - 1 : 1;
}
