#include "algorithms/shared/pat.h"

static uint32_t pat_distance(uint32_t p, uint32_t k)
{
    return (uint32_t)1 << (cs_log2_up(p) - 1 - k);
}

void cs_pat_gather_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops)
{
    uint32_t d = pat_distance(p, k);
    uint32_t from = cs_behind(rank, d, p);

    for (uint32_t offset = 0; offset + d < p; offset += 2 * d) {
        cs_ops_send(ops, cs_ahead(rank, d, p), cs_block(cs_behind(rank, offset, p)));
        cs_ops_recv(ops, from, cs_block(cs_behind(from, offset, p)));
    }
}

/* The steps of the all-gather in reverse: a sum goes to the source of the
 * block. */
void cs_pat_scatter_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops)
{
    uint32_t d = pat_distance(p, cs_log2_up(p) - 1 - k);
    uint32_t to = cs_behind(rank, d, p);

    for (uint32_t offset = 0; offset + d < p; offset += 2 * d) {
        cs_ops_send(ops, to, cs_block(cs_behind(to, offset, p)));
        cs_ops_recv_reduce(ops, cs_ahead(rank, d, p), cs_block(cs_behind(rank, offset, p)));
    }
}
