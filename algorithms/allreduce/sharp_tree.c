/*
 * All-reduce in a tree of switches (SHARP): each leaf switch reduces the
 * vectors of the attached ranks; a spine switch reduces the sums of the leaves
 * and returns the result.
 *
 * p = n g ranks, g >= 2 on each of n >= 2 leaves, in order (--group g).  Leaves
 * and spine are agents that reduce at the rate of arrival.  As in one switch
 * (sharp.c) the vector has k chunks.
 *
 *     p = 4, g = 2, one chunk, leaves L M, spine S:
 *
 *     0, 1: up    L: 01 up                    L: 0123 to 0 and 1
 *     2, 3: up    M: 23 up    S: 0123 down    M: 0123 to 2 and 3
 *
 * Sends per rank, and per leaf upwards: V for any p.
 *
 *     T = 4 (alpha + V/k / beta) + (k-1) V/k / beta
 *
 * with alpha of one link, for links between switches as fast as the links of
 * ranks; V + 3 V/k pass in sequence.  Faster links between switches save only a
 * part of the 2 alpha + 2 V/k there.
 *
 * Two levels, since one number (--group) says which leaf a rank is on: in a
 * fabric with three levels, the ranks of one pod.
 *
 * R. Graham et al., Scalable Hierarchical Aggregation Protocol (SHArP), COMHPC
 * 2016.
 */
#include "algorithms/shared/in_switch.h"
#include "algorithms/shared/patterns/pattern.h"
#include "topo/graph/graph.h"

enum {
    HOPS = 4
};

static uint32_t tree_agents(const struct cs_call *call)
{
    return call->ranks > 1 ? cs_nodes_of(call) + 1 : 0;
}

static int tree_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    int code = cs_check_group(algo, call, err);

    if (!code && call->ranks > 1 && call->ranks == call->group)
        return cs_err_set(
            err, CS_EINPUT,
            "%s needs ranks on several switches, and --group %u puts all on one; sharp is for one",
            algo->name, call->group);
    return code ? code : cs_in_switch_check(algo, call, err);
}

static uint64_t sharp_tree_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    bool is_leaf = at.party >= call->ranks && at.party < call->ranks + cs_nodes_of(call);

    if (call->ranks < 2)
        return 0;
    return is_leaf ? HOPS : HOPS / 2;
}

/* An op on chunk `lane` with each of `count` parties from `first` on. */
static void sharp_tree_exchange(struct cs_ops *ops, enum cs_op_kind kind, uint32_t lane,
                                uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++)
        cs_ops_push(ops, (struct cs_op){.kind = (uint8_t)kind,
                                        .buffer = CS_OUTPUT,
                                        .leaves = CS_LEAVES_IN_ORDER,
                                        .peer = i,
                                        .blocks = cs_block(lane)});
}

static void leaf_round(const struct cs_call *call, uint32_t leaf, uint32_t lane, uint64_t k,
                       struct cs_ops *ops)
{
    uint32_t top = call->ranks + cs_nodes_of(call);
    uint32_t first = leaf * call->group;

    if (k == 0)
        sharp_tree_exchange(ops, CS_OP_RECV_REDUCE, lane, first, call->group);
    else if (k == 1)
        sharp_tree_exchange(ops, CS_OP_SEND, lane, top, 1);
    else if (k == 2)
        sharp_tree_exchange(ops, CS_OP_RECV, lane, top, 1);
    else
        sharp_tree_exchange(ops, CS_OP_SEND, lane, first, call->group);
}

static void sharp_tree_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t leaves = cs_nodes_of(call);

    if (at.party < call->ranks)
        sharp_tree_exchange(ops, at.round == 0 ? CS_OP_SEND : CS_OP_RECV, at.lane,
                            call->ranks + at.party / call->group, 1);
    else if (at.party == call->ranks + leaves)
        sharp_tree_exchange(ops, at.round == 0 ? CS_OP_RECV_REDUCE : CS_OP_SEND, at.lane,
                            call->ranks, leaves);
    else
        leaf_round(call, at.party - call->ranks, at.lane, at.round, ops);
}

static struct cs_cost allreduce_sharp_tree_cost(const struct cs_call *call)
{
    return cs_in_switch_cost(call, HOPS);
}

const struct cs_algo cs_algo_allreduce_sharp_tree = {
    .name = "sharp-tree",
    .collective = &cs_collective_allreduce,
    .about = "leaf switches reduce, then a spine switch, and the sum returns",
    .formula = "4 alpha + (1 + 3/k) V/beta, alpha of a link",
    .agent_place = CS_AGENT_SWITCH_TREE,
    .needs = CS_SWITCH_REDUCES,
    .check = tree_check,
    .settle = cs_in_switch_settle,
    .agents = tree_agents,
    .lanes = cs_blocks_chunks,
    .blocks = cs_blocks_chunks,
    .rounds = sharp_tree_rounds,
    .round = sharp_tree_round,
    .cost = allreduce_sharp_tree_cost,
};
