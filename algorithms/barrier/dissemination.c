/*
 * Dissemination barrier: in every round each rank tells another one of all it
 * has heard of.
 *
 * Any p >= 1, L = ceil(log2 p).  In step k rank r tells r + 2^k and hears from
 * r - 2^k, so that it has heard of 2^(k+1) ranks.  Where p is no power of two it
 * hears of some twice, which does no harm: that somebody has come is no sum.
 * A message is received aside and taken to heart in a round of its own, since
 * what is being sent must not change.
 *
 *     p = 3, ranks that a rank has heard of:
 *
 *     rank 0:  0    02    012
 *     rank 1:  1    01    012
 *     rank 2:  2    12    012
 *
 * Sends per rank: L messages, that carry nothing.
 *
 *     T = L alpha
 *
 * D. Hensgen, R. Finkel and U. Manber, Two algorithms for barrier
 * synchronization, Int. J. Parallel Programming 17(1), 1988.
 */
#include "algorithms/shared/pattern.h"
#include "algorithms/shared/staging.h"

static uint32_t dissemination_scratch(const struct cs_call *call)
{
    (void)call;
    return 1;
}

static void dissemination_round(const void *ctx, uint32_t rank, uint32_t lane,
                                uint64_t k, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t step = (uint32_t)1 << (k / 2);

    (void)lane;
    if (k % 2) {
        cs_ops_push(ops, (struct cs_op){.kind = CS_OP_REDUCE,
                                        .buffer = CS_OUTPUT,
                                        .blocks = cs_whole(),
                                        .source_buffer = CS_SCRATCH});
        return;
    }
    cs_ops_send(ops, cs_ahead(rank, step, call->ranks), cs_whole());
    cs_stage_recv(ops, cs_behind(rank, step, call->ranks), cs_whole());
}

static struct cs_cost dissemination_cost(const struct cs_call *call,
                                         const struct cs_hockney *hockney)
{
    (void)hockney;
    return (struct cs_cost){cs_log2_up(call->ranks), 0, 0};
}

const struct cs_algo cs_algo_barrier_dissemination = {
    .name = "dissemination",
    .collective = &cs_collective_barrier,
    .about = "in every round each rank has heard of twice as many",
    .formula = "L alpha, L = ceil(log2 p)",
    .blocks = cs_blocks_one,
    .scratch = dissemination_scratch,
    .rounds = cs_rounds_log_twice,
    .round = dissemination_round,
    .cost = dissemination_cost,
};
