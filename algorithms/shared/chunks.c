#include "algorithms/shared/chunks.h"

#include "algorithms/shared/pattern.h"

#include <math.h>

enum {
    CHUNKS_FREE = 1024 /* without latency */
};

void cs_settle_chunks(struct cs_call *call, uint64_t most, double best)
{
    if (call->chunks)
        return;
    if (most > CS_CHUNKS_MAX)
        most = CS_CHUNKS_MAX;
    if (!isfinite(best))
        best = CHUNKS_FREE;
    if (best > (double)most)
        best = (double)most;
    call->chunks = best < 1 ? 1 : (uint32_t)(best + 0.5);
}

uint32_t cs_blocks_chunks(const struct cs_call *call)
{
    return call->chunks;
}

double cs_largest_chunk_bytes(const struct cs_call *call)
{
    return cs_longest_run_bytes(call, call->chunks, 1);
}
