/*
 * Flat: every message has the root at one end.
 *
 * Any p >= 1, any root; only the root's port is always busy.
 *
 * Broadcast: the root sends the vector to one rank after the other.  Reduce: every
 * rank sends the vector to the root at once; the messages queue at the root's port,
 * and the root reduces a vector during the arrival of the next, in order of rank.
 *
 *     p = 4, root 0:  0 -> 1,  0 -> 2,  0 -> 3
 *     p = 4, root 1:  0 -> 1, 2 -> 1, 3 -> 1     root: 1, 01, 012, 0123
 *
 * Scatter: the root sends each rank the rank's piece, to all ranks at once (the form
 * of NCCL's grouped sends, with all wires of the root in use), or to `peers` ranks
 * in each round (call.peers); with 1 in sequence.  Gather: ranks send without a
 * request, so that all messages start at once and queue at the root's port: one
 * alpha.  With fewer `peers` the root requests that many pieces in each round, as
 * MPI libraries do with one: a message leaves when its receive is posted.
 *
 *     p = 4, root 1:  1 -> 2: piece 2,  1 -> 3: piece 3,  1 -> 0: piece 0
 *
 * Sends: (p-1) V in total; of pieces V less the root's, the minimum.
 *
 *     T = (p-1) (alpha + V / beta)                  broadcast
 *     T = alpha + (p-1) V / beta + V gamma          reduce, gamma <= 1 / beta
 *     T = alpha + V / beta + (p-1) V gamma          reduce, otherwise
 *     T = R alpha + (p-1)/p V / beta,    R = (p-1) / peers, rounded up
 */
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/rooted.h"

static void flat_vector_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t k = (uint32_t)at.round;
    bool down = cs_leaves_root(call);
    bool is_root = at.party == call->root;
    uint32_t other = down ? cs_rank_of_slot(call, k + 1) : k < at.party ? k : k + 1;

    cs_mirror_message(call, is_root == down, is_root ? other : call->root, cs_whole(), ops);
}

static void flat_pieces_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_exchanges slots = cs_rooted_flat_slots(call, at.round);
    bool down = cs_leaves_root(call);

    if (at.party != call->root)
        cs_mirror_message(call, !down, call->root, cs_block(at.party), ops);
    for (uint32_t s = slots.first; s <= slots.last && at.party == call->root; s++)
        cs_mirror_message(call, down, cs_rank_of_slot(call, s), cs_block(cs_rank_of_slot(call, s)),
                          ops);
    if (!down && cs_rooted_flat_rounds(call, (struct cs_at){call->root, 0, 0}) > 1)
        cs_ops_match(ops);
}

static struct cs_cost flat_vector_cost(const struct cs_call *call)
{
    double rounds = call->ranks - 1;
    double bytes = cs_vector_bytes(call);

    if (cs_leaves_root(call))
        return (struct cs_cost){rounds, rounds * bytes, 0};
    if (cs_adds_in_passing(&call->hockney))
        return (struct cs_cost){1, rounds * bytes, bytes};
    return (struct cs_cost){1, bytes, rounds * bytes};
}

#define FLAT_VECTOR                                                               \
    .name = "flat", .blocks = cs_blocks_one, .rounds = cs_rooted_sequence_rounds, \
    .round = flat_vector_round, .cost = flat_vector_cost

#define FLAT_PIECES                                                                            \
    .name = "flat", .formula = "ceil((p-1)/peers) alpha + (p-1)/p V/beta",                     \
    .blocks = cs_blocks_per_rank, .rounds = cs_rooted_flat_rounds, .round = flat_pieces_round, \
    .cost = cs_rooted_flat_cost

const struct cs_algo cs_algo_broadcast_flat = {
    FLAT_VECTOR,
    .collective = &cs_collective_broadcast,
    .about = "the root sends to one rank after the other",
    .formula = "(p-1) (alpha + V/beta)",
};

const struct cs_algo cs_algo_reduce_flat = {
    FLAT_VECTOR,
    .collective = &cs_collective_reduce,
    .about = "every rank sends its vector to the root, which reduces",
    .formula = "alpha + (p-1) V/beta + V gamma",
};

const struct cs_algo cs_algo_gather_flat = {
    FLAT_PIECES,
    .collective = &cs_collective_gather,
    .about = "every rank sends its piece to the root",
};

const struct cs_algo cs_algo_scatter_flat = {
    FLAT_PIECES,
    .collective = &cs_collective_scatter,
    .about = "the root sends each rank its piece",
};
