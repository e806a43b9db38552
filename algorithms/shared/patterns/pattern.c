#include "algorithms/shared/patterns/pattern.h"

#include "sim/base/divisor.h"

uint32_t cs_stride_count(uint32_t p, uint32_t most)
{
    uint32_t count = 1; /* the stride 1 */

    for (uint32_t step = 2; step < p && count < most; step++)
        count += cs_common_divisor(p, step) == 1;
    return count;
}

/* Numbers beyond the strides go around, so that any number of channels has a
 * ring. */
uint32_t cs_stride_step(uint32_t p, uint32_t number)
{
    uint32_t left = number % cs_stride_count(p, number + 1);
    uint32_t step = 1;

    while (cs_common_divisor(p, step) > 1 || left-- > 0)
        step++;
    return step;
}

/* Euclid's algorithm with the factors of `step` only. */
uint32_t cs_stride_inverse(uint32_t p, uint32_t step)
{
    int64_t rest[2] = {p, step};
    int64_t factor[2] = {0, 1};

    while (rest[1] > 1) {
        int64_t times = rest[0] / rest[1];
        int64_t next_rest = rest[0] - times * rest[1];
        int64_t next_factor = factor[0] - times * factor[1];

        rest[0] = rest[1];
        rest[1] = next_rest;
        factor[0] = factor[1];
        factor[1] = next_factor;
    }
    return (uint32_t)(factor[1] < 0 ? factor[1] + p : factor[1]);
}

uint32_t cs_blocks_one(const struct cs_call *call)
{
    (void)call;
    return 1;
}

uint32_t cs_blocks_per_rank(const struct cs_call *call)
{
    return call->ranks;
}

uint64_t cs_rounds_one(const void *ctx, struct cs_at at)
{
    (void)at;
    const struct cs_call *call = ctx;

    return call->ranks > 1;
}

uint64_t cs_rounds_two(const void *ctx, struct cs_at at)
{
    return 2 * cs_rounds_one(ctx, at);
}

uint32_t cs_agents_one(const struct cs_call *call)
{
    return call->ranks > 1;
}

uint64_t cs_rounds_per_peer(const void *ctx, struct cs_at at)
{
    (void)at;
    const struct cs_call *call = ctx;

    return call->ranks - 1;
}

uint64_t cs_rounds_log(const void *ctx, struct cs_at at)
{
    (void)at;
    const struct cs_call *call = ctx;

    return cs_log2_up(call->ranks);
}

uint64_t cs_rounds_per_peer_twice(const void *ctx, struct cs_at at)
{
    return 2 * cs_rounds_per_peer(ctx, at);
}

uint64_t cs_rounds_log_twice(const void *ctx, struct cs_at at)
{
    return 2 * cs_rounds_log(ctx, at);
}

int cs_check_group(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    if (call->ranks < 2 && call->group <= call->ranks)
        return 0;
    if (call->group < 2)
        return cs_err_set(
            err, CS_EINPUT,
            "%s needs nodes of several ranks, equally many in each; --group says how many",
            algo->name);
    if (call->ranks % call->group)
        return cs_err_set(err, CS_EINPUT,
                          "%s needs nodes that are full: %u ranks are not a multiple of --group %u",
                          algo->name, call->ranks, call->group);
    return 0;
}

int cs_check_group_chunks(const struct cs_algo *algo, const struct cs_call *call,
                          struct cs_err *err)
{
    int code = cs_check_group(algo, call, err);

    if (!code && (uint64_t)call->chunks * call->ranks > UINT32_MAX)
        code = cs_err_set(err, CS_EINPUT, "%u chunks are too many for %u ranks", call->chunks,
                          call->ranks);
    return code;
}

int cs_check_power_of_two(const struct cs_algo *algo, const struct cs_call *call,
                          struct cs_err *err)
{
    if (cs_is_power_of_two(call->ranks))
        return 0;
    return cs_err_set(err, CS_EINPUT, "%s needs a power of two of ranks, not %u", algo->name,
                      call->ranks);
}

double cs_vector_bytes(const struct cs_call *call)
{
    return (double)call->elements * call->element_bytes;
}

static uint64_t divided_up(uint64_t number, uint64_t by)
{
    return number / by + (number % by != 0);
}

double cs_largest_block_bytes(const struct cs_call *call)
{
    return (double)divided_up(call->elements, call->ranks) * call->element_bytes;
}

double cs_largest_part_bytes(const struct cs_call *call, uint32_t parts)
{
    uint64_t block = divided_up(call->elements, call->ranks);

    return (double)divided_up(block, parts) * call->element_bytes;
}

double cs_longest_run_bytes(const struct cs_call *call, uint32_t blocks, uint32_t count)
{
    uint64_t rest = call->elements % blocks;
    uint64_t most = call->elements / blocks * count + (rest < count ? rest : (uint64_t)count);

    return (double)most * call->element_bytes;
}
