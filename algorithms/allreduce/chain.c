/*
 * Chain all-reduce: sums go from rank p - 1 down to rank 0 in chunks, and the
 * result back up, both at once (trees/flow.h).
 *
 * Any p >= 1; k chunks.  Lane 0 carries the sums towards rank 0, lane 1 the
 * result away from rank 0.
 *
 *     p = 3, k = 2, chunks of each rank, step by step:
 *
 *     rank 0:  0|0     0|0      012|0     012|012    012|012    012|012
 *     rank 1:  1|1     12|1     12|12     012|12     012|012    012|012
 *     rank 2:  2|2     2|2      2|2       2|2        012|2      012|012
 *
 * Sends: V at the ends, 2 V between; 2(p-1) V in total.  In addition to the
 * vector a rank needs room for chunks that arrive early.
 *
 * A chunk of n = ceil(V/k) bytes needs p - 1 steps towards rank 0 and p - 1
 * back; the others follow.  Both directions share the ports of inner ranks, so
 * that in a step up to two chunks pass a port (c = 2; c = 1 for p = 2):
 *
 *     T <= (p-1) (2 alpha + 2 n / beta + n gamma)
 *          + (k-1) alpha + (V - n) (c / beta + gamma)
 *
 * The best number is k = sqrt(((2(p-1) - c) / beta + (p-2) gamma) V / alpha).
 */
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/trees/flow.h"

#include <math.h>

/* c above: chunks through a port in a step. */
static double allreduce_chain_sharing(const struct cs_call *call)
{
    return call->ranks > 2 ? 2 : 1;
}

static void allreduce_chain_settle(struct cs_call *call)
{
    double steps = call->ranks - 1;
    double work_s = cs_vector_bytes(call) *
                    ((2 * steps - allreduce_chain_sharing(call)) / call->hockney.beta_Bps +
                     (steps - 1) * call->hockney.gamma_s_per_byte);

    cs_settle_chunks(call, call->elements, sqrt(work_s / call->hockney.alpha_s));
}

static uint32_t chain_lanes(const struct cs_call *call)
{
    (void)call;
    return 2;
}

static uint64_t allreduce_chain_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;

    if (call->ranks < 2)
        return 0;
    return at.lane ? cs_tree_down_rounds(call->chunks) : cs_tree_up_rounds(call->chunks);
}

static void allreduce_chain_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_tree_flow flow = {cs_tree_line(call->ranks, at.party), 0, call->chunks, 0};

    if (at.lane)
        cs_tree_down_round(&flow, at.round, ops);
    else
        cs_tree_up_round(&flow, at.round, ops);
}

static struct cs_cost allreduce_chain_cost(const struct cs_call *call)
{
    double steps = call->ranks - 1;
    double more = (double)call->chunks - 1;
    double chunk = cs_largest_chunk_bytes(call);
    double rest = cs_vector_bytes(call) - chunk;

    return (struct cs_cost){2 * steps + more,
                            2 * steps * chunk + allreduce_chain_sharing(call) * rest,
                            steps * chunk + rest};
}

const struct cs_algo cs_algo_allreduce_chain = {
    .name = "chain",
    .collective = &cs_collective_allreduce,
    .about = "chunks summed down the line to rank 0, results back up",
    .formula =
        "(2(p-1) + k-1) alpha + (2(p-1) + 2(k-1)) V/k/beta + (p-1 + k-1) V/k gamma, k chunks",
    .exactness = CS_COST_AT_MOST,
    .settle = allreduce_chain_settle,
    .lanes = chain_lanes,
    .blocks = cs_blocks_chunks,
    .rounds = allreduce_chain_rounds,
    .round = allreduce_chain_round,
    .cost = allreduce_chain_cost,
};
