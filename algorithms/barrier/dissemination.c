/*
 * Dissemination barrier: in every round each rank reports all known arrivals to
 * one other rank.
 *
 * Any p >= 1, L = ceil(log2 p).  In step k rank r reports to r + 2^k and
 * receives the report of r - 2^k, and then knows the arrival of 2^(k+1) ranks.
 * For p not a power of two some arrivals are reported twice, which is
 * harmless: arrivals are not a sum.  A report arrives in scratch and is merged
 * in the next round, because the block of a send must not change during the
 * send.
 *
 *     p = 3, known arrivals of a rank:
 *
 *     rank 0:  0    02    012
 *     rank 1:  1    01    012
 *     rank 2:  2    12    012
 *
 * Sends per rank: L messages without bytes.
 *
 *     T = L alpha
 *
 * D. Hensgen, R. Finkel and U. Manber, Two algorithms for barrier
 * synchronization, Int. J. Parallel Programming 17(1), 1988.
 */
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/patterns/staging.h"

static uint32_t dissemination_scratch(const struct cs_call *call)
{
    (void)call;
    return 1;
}

static void dissemination_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t step = (uint32_t)1 << (at.round / 2);

    if (at.round % 2) {
        cs_ops_push(ops, (struct cs_op){.kind = CS_OP_REDUCE,
                                        .buffer = CS_OUTPUT,
                                        .blocks = cs_whole(),
                                        .source_buffer = CS_SCRATCH});
        return;
    }
    cs_ops_send(ops, cs_ahead(at.party, step, call->ranks), cs_whole());
    cs_stage_recv(ops, cs_behind(at.party, step, call->ranks), cs_whole());
}

static struct cs_cost dissemination_cost(const struct cs_call *call)
{
    return (struct cs_cost){cs_log2_up(call->ranks), 0, 0};
}

const struct cs_algo cs_algo_barrier_dissemination = {
    .name = "dissemination",
    .collective = &cs_collective_barrier,
    .about = "in every round each rank knows twice as many arrivals",
    .formula = "L alpha, L = ceil(log2 p)",
    .blocks = cs_blocks_one,
    .scratch = dissemination_scratch,
    .rounds = cs_rounds_log_twice,
    .round = dissemination_round,
    .cost = dissemination_cost,
};
