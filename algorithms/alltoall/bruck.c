/*
 * Bruck's all-to-all: blocks travel by the digits of the distance.
 *
 * Any p >= 1 that divides V, any radix R >= 2.  The block of rank r for rank r
 * + i has offset i, in digits to the base R.  For each digit place w = 1, R,
 * R^2 ... and each digit d = 1 .. R-1 with d w < p there is a step: all
 * blocks with digit d at that place go d w ranks ahead, in one message.
 *
 *     p = 5, R = 2:  step 1: offsets 1 and 3 to r + 1
 *                    step 2: offsets 2 and 3 to r + 2
 *                    step 3: offset 4 to r + 4
 *
 * A message is packed and unpacked (staging.h), so that a step has three
 * rounds.  Between steps a block is in scratch; the first step of a block
 * reads the input, the last step writes the final position, block r - i of
 * rank r, so that no rotation comes before or after.
 *
 * Sends per rank: one message per step, sum over w of min(R-1, (p-1)/w)
 * messages, and V/p for each nonzero digit of the offsets 1 .. p-1: V/2 log2 p
 * for R = 2 and a power of two.  Scratch: V, and twice the longest message, at
 * most V/2 each.
 *
 *     T = steps alpha + sent / beta + 2 sent gamma
 *
 * with gamma for packing and unpacking: ranks copy at the rate of reductions.
 *
 * J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal and D. Weathersby, IEEE TPDS 8(11),
 * 1997.
 */
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/patterns/staging.h"

/* A step: the offsets with digit `digit` at `place`, a power of the radix. */
struct alltoall_bruck_step {
    uint64_t place;
    uint64_t digit;
};

/* Step k, or for k beyond the last step a place >= p. */
static struct alltoall_bruck_step alltoall_bruck_step_of(const struct cs_call *call, uint64_t k)
{
    struct alltoall_bruck_step step = {1, 1};

    for (;; step.place *= call->radix) {
        uint64_t digits = (call->ranks - 1) / step.place;

        if (digits > call->radix - 1)
            digits = call->radix - 1;
        if (digits == 0)
            return step;
        if (k < digits) {
            step.digit = k + 1;
            return step;
        }
        k -= digits;
    }
}

static bool alltoall_bruck_exists(const struct cs_call *call,
                                  const struct alltoall_bruck_step *step)
{
    return step->place < call->ranks;
}

/* The first offset >= `offset` with the digit of the step; may be >= p. */
static uint64_t mover_from(const struct cs_call *call, const struct alltoall_bruck_step *step,
                           uint64_t offset)
{
    uint64_t period = step->place * call->radix;
    uint64_t first = offset / period * period + step->digit * step->place;

    if (offset < first)
        return first;
    return offset < first + step->place ? offset : first + period;
}

/* Blocks of the message of a step: of whole periods of the digit, and of the
 * rest of a period. */
static uint32_t alltoall_bruck_movers(const struct cs_call *call,
                                      const struct alltoall_bruck_step *step)
{
    uint64_t period = step->place * call->radix;
    uint64_t start = step->digit * step->place;
    uint64_t rest = call->ranks % period;
    uint64_t left = rest > start ? rest - start : 0;

    if (left > step->place)
        left = step->place;
    return (uint32_t)(call->ranks / period * step->place + left);
}

/* Scratch: blocks between steps, by offset; then the messages out and in. */
static uint32_t alltoall_bruck_outbox(const struct cs_call *call)
{
    return call->ranks;
}

static uint32_t alltoall_bruck_inbox(const struct cs_call *call)
{
    return call->ranks + call->ranks / 2;
}

static uint32_t bruck_scratch(const struct cs_call *call)
{
    return call->ranks + 2 * (call->ranks / 2);
}

static uint64_t bruck_steps(const struct cs_call *call)
{
    uint64_t steps = 0;

    for (uint64_t place = 1; place < call->ranks; place *= call->radix) {
        uint64_t digits = (call->ranks - 1) / place;

        steps += digits < call->radix ? digits : call->radix - 1;
    }
    return steps;
}

static uint64_t bruck_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    const struct cs_call *call = ctx;

    return 3 * bruck_steps(call);
}

/* A block without lower digits has not moved, and comes from the input. */
static void alltoall_bruck_pack(const struct cs_call *call, uint32_t rank,
                                const struct alltoall_bruck_step *step, struct cs_ops *ops)
{
    uint32_t slot = alltoall_bruck_outbox(call);
    uint64_t offset = mover_from(call, step, 0);

    for (; offset < call->ranks; offset = mover_from(call, step, offset + 1)) {
        uint32_t i = (uint32_t)offset;

        if (offset % step->place == 0)
            cs_stage_copy(ops, CS_INPUT, cs_ahead(rank, i, call->ranks), CS_SCRATCH, slot++);
        else
            cs_stage_copy(ops, CS_SCRATCH, i, CS_SCRATCH, slot++);
    }
}

/* A block without higher digits is at the destination. */
static void alltoall_bruck_unpack(const struct cs_call *call, uint32_t rank,
                                  const struct alltoall_bruck_step *step, struct cs_ops *ops)
{
    uint32_t slot = alltoall_bruck_inbox(call);
    uint64_t offset = mover_from(call, step, 0);

    for (; offset < call->ranks; offset = mover_from(call, step, offset + 1)) {
        uint32_t i = (uint32_t)offset;

        if (offset < step->place * call->radix)
            cs_stage_copy(ops, CS_SCRATCH, slot++, CS_OUTPUT, cs_behind(rank, i, call->ranks));
        else
            cs_stage_copy(ops, CS_SCRATCH, slot++, CS_SCRATCH, i);
    }
}

static void alltoall_bruck_exchange(const struct cs_call *call, uint32_t rank,
                                    const struct alltoall_bruck_step *step, struct cs_ops *ops)
{
    uint32_t route = (uint32_t)(step->digit * step->place);
    uint32_t count = alltoall_bruck_movers(call, step);

    cs_stage_send(ops, cs_ahead(rank, route, call->ranks),
                  (struct cs_blocks){alltoall_bruck_outbox(call), count});
    cs_stage_recv(ops, cs_behind(rank, route, call->ranks),
                  (struct cs_blocks){alltoall_bruck_inbox(call), count});
}

static void alltoall_bruck_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct alltoall_bruck_step step = alltoall_bruck_step_of(call, at.round / 3);

    if (at.round % 3 == 0)
        alltoall_bruck_pack(call, at.party, &step, ops);
    else if (at.round % 3 == 1)
        alltoall_bruck_exchange(call, at.party, &step, ops);
    else
        alltoall_bruck_unpack(call, at.party, &step, ops);
}

static struct cs_cost alltoall_bruck_cost(const struct cs_call *call)
{
    struct cs_cost cost = {.rounds = (double)bruck_steps(call)};
    struct alltoall_bruck_step step = alltoall_bruck_step_of(call, 0);
    uint64_t k;

    for (k = 0; alltoall_bruck_exists(call, &step); step = alltoall_bruck_step_of(call, ++k))
        cost.bytes += alltoall_bruck_movers(call, &step) * cs_largest_block_bytes(call);
    cost.reduced_bytes = 2 * cost.bytes;
    return cost;
}

const struct cs_algo cs_algo_alltoall_bruck = {
    .name = "bruck",
    .collective = &cs_collective_alltoall,
    .about = "blocks travel by the digits of the distance, in few messages",
    .formula = "L alpha + V/2 L (1/beta + 2 gamma), p = 2^L, radix 2",
    .moves_blocks = true,
    .blocks = cs_blocks_per_rank,
    .scratch = bruck_scratch,
    .rounds = bruck_rounds,
    .round = alltoall_bruck_round,
    .cost = alltoall_bruck_cost,
};
