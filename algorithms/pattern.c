#include "algorithms/pattern.h"

uint32_t cs_blocks_one(const struct cs_call *call)
{
    (void)call;
    return 1;
}

uint32_t cs_blocks_per_rank(const struct cs_call *call)
{
    return call->ranks;
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
    return (double)divided_up(call->elements, call->ranks) *
           call->element_bytes;
}

double cs_largest_part_bytes(const struct cs_call *call, uint32_t parts)
{
    uint64_t block = divided_up(call->elements, call->ranks);

    return (double)divided_up(block, parts) * call->element_bytes;
}

double cs_longest_run_bytes(const struct cs_call *call, uint32_t blocks,
                            uint32_t count)
{
    uint64_t rest = call->elements % blocks;
    uint64_t most = call->elements / blocks * count +
                    (rest < count ? rest : (uint64_t)count);

    return (double)most * call->element_bytes;
}
