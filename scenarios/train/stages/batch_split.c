#include "scenarios/train/stages/batch_split.h"

#include <math.h>

uint32_t cs_batch_chunk(uint32_t batch, uint32_t devices, uint32_t index)
{
    uint32_t unit = batch / devices + (batch % devices != 0);
    uint64_t before = (uint64_t)unit * index;

    if (before >= batch)
        return 0;
    return batch - before < unit ? (uint32_t)(batch - before) : unit;
}

uint32_t cs_batch_balanced(uint32_t batch, uint32_t devices, uint32_t first, uint32_t index)
{
    uint32_t others = devices - 1, unit;

    if (!others)
        return batch;
    unit = (batch - first) / others;
    if (first >= unit)
        return cs_batch_chunk(batch, devices, index);
    if (!index)
        return first;
    return unit + (index <= (batch - first) % others);
}

uint32_t cs_batch_equal_memory(uint32_t batch, uint32_t devices, double extra_bytes,
                               double sample_bytes)
{
    double extra = extra_bytes / sample_bytes;

    return (uint32_t)fmax(0, floor((batch + extra) / devices - extra));
}
