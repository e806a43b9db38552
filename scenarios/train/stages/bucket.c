#include "scenarios/train/stages/bucket.h"

#include <math.h>

bool cs_bucket_add(struct cs_bucket_filler *filler, double bytes)
{
    if (filler->closed)
        filler->bytes = 0;
    filler->bytes += bytes;
    filler->closed = false;
    if (!filler->limit || filler->bytes < (double)filler->limit)
        return false;
    filler->limit = filler->next_limit;
    filler->closed = true;
    return true;
}

double cs_bucket_end_s(double previous_end_s, double ready_s, double call_s)
{
    return fmax(ready_s, previous_end_s) + call_s;
}

uint64_t cs_bucket_megatron(uint64_t data_ranks)
{
    uint64_t elements = data_ranks * CS_BUCKET_MEGATRON_RANK;

    return elements > CS_BUCKET_MEGATRON ? elements : CS_BUCKET_MEGATRON;
}
