
#include "algorithms/shared/patterns/pattern.h"

#include <math.h>

enum {
    NEAR_PERCENT = 160, /* of the best number */
    CHUNKS_FREE = 1024  /* without latency */
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

double cs_least_chunks(const struct cs_call *call, uint64_t most, const struct cs_chunk_form *form)
{
    const struct cs_hockney *within = &call->hockney;
    const struct cs_hockney *between = call->between.beta_Bps > 0 ? &call->between : within;
    const struct cs_algo algo = {.collective = call->collective,
                                 .cost = form->cost,
                                 .local_cost = form->local_cost,
                                 .overlap = form->overlap};
    struct cs_call tried = *call;
    double least_s = (double)INFINITY;
    double best = 1;

    if (!(within->alpha_s > 0) || !(between->alpha_s > 0))
        return (double)INFINITY;
    if (most > CS_CHUNKS_MAX)
        most = CS_CHUNKS_MAX;
    for (uint64_t k = 1; k <= most; k += 1 + k / 4) {
        double time_s;

        tried.chunks = (uint32_t)k;
        time_s = cs_algo_closed_form_of_nodes_s(&algo, &tried, between, within);
        if (time_s < least_s) {
            least_s = time_s;
            best = (double)k;
        }
    }
    return best;
}

static bool chunks_are_equal(const struct cs_call *call, uint32_t lanes, uint64_t chunks)
{
    return call->elements % (lanes * chunks) == 0;
}

void cs_settle_equal_chunks(struct cs_call *call, uint32_t lanes, uint64_t most, double best)
{
    uint64_t near, k;

    if (call->chunks)
        return;
    cs_settle_chunks(call, most, best);
    near = call->chunks;
    for (k = near; k <= most && 100 * k <= NEAR_PERCENT * near; k++)
        if (chunks_are_equal(call, lanes, k)) {
            call->chunks = (uint32_t)k;
            return;
        }
    for (k = near; NEAR_PERCENT * k >= 100 * near; k--)
        if (chunks_are_equal(call, lanes, k)) {
            call->chunks = (uint32_t)k;
            return;
        }
}

uint32_t cs_blocks_chunks(const struct cs_call *call)
{
    return call->chunks;
}

double cs_largest_chunk_bytes(const struct cs_call *call)
{
    return cs_longest_run_bytes(call, call->chunks, 1);
}
