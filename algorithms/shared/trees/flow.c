#include "algorithms/shared/trees/flow.h"

static struct cs_blocks tree_flow_chunk(const struct cs_tree_flow *flow, uint32_t j)
{
    return cs_block(flow->first + j);
}

static void send_down(const struct cs_tree_flow *flow, uint32_t j, struct cs_ops *ops)
{
    for (uint32_t i = 0; i < flow->place.child_count; i++)
        cs_ops_send(ops, flow->place.child[i], tree_flow_chunk(flow, j));
}

uint64_t cs_tree_up_rounds(uint32_t chunks)
{
    return (uint64_t)chunks + 1;
}

uint64_t cs_tree_down_rounds(uint32_t chunks)
{
    return 2 * (uint64_t)chunks + 1;
}

void cs_tree_up_round(const struct cs_tree_flow *flow, uint64_t k, struct cs_ops *ops)
{
    uint32_t j = (uint32_t)k;

    if (j > 0 && flow->place.parent != CS_TREE_NONE)
        cs_ops_send(ops, flow->place.parent, tree_flow_chunk(flow, j - 1));
    for (uint32_t i = 0; i < flow->place.child_count && j < flow->chunks; i++)
        cs_ops_recv_reduce(ops, flow->place.child[i], tree_flow_chunk(flow, j));
}

void cs_tree_pass_round(const struct cs_tree_flow *flow, uint64_t k, struct cs_ops *ops)
{
    uint32_t j = (uint32_t)k;

    if (flow->place.parent == CS_TREE_NONE) {
        if (j < flow->chunks)
            send_down(flow, j, ops);
        return;
    }
    if (j < flow->chunks)
        cs_ops_recv(ops, flow->place.parent, tree_flow_chunk(flow, j));
    if (j > 0)
        send_down(flow, j - 1, ops);
}

/* The wait: chunk j is complete at the root after round j of the upward lane;
 * other ranks have sent chunk j in round j + 1, and may then overwrite it. */
void cs_tree_down_round(const struct cs_tree_flow *flow, uint64_t k, struct cs_ops *ops)
{
    uint32_t j = (uint32_t)(k / 2);
    bool is_root = flow->place.parent == CS_TREE_NONE;

    if (k % 2 == 0 && j < flow->chunks)
        cs_ops_wait(ops, flow->up_lane, is_root ? j : j + 1);
    else
        cs_tree_pass_round(flow, j, ops);
}
