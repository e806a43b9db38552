#include "algorithms/shared/rails.h"

#include "algorithms/shared/patterns/pattern.h"

#include <math.h>

enum {
    RAIL_CHUNKS_MAX = 256 /* of a block: further chunks cost only latency */
};

uint64_t cs_rail_steps(const struct cs_call *call)
{
    return (uint64_t)(cs_nodes_of(call) - 1) * call->chunks;
}

struct cs_rail_step cs_rail_step_of(const struct cs_call *call, uint32_t rank, uint64_t q)
{
    uint32_t nodes = cs_nodes_of(call);
    uint32_t node = rank / call->group;
    uint32_t distance = 1 + (uint32_t)(q / call->chunks);

    return (struct cs_rail_step){
        .group = call->group,
        .nodes = nodes,
        .node = node,
        .index = rank % call->group,
        .to = cs_ahead(node, distance, nodes),
        .from = cs_behind(node, distance, nodes),
        .chunk = (uint32_t)(q % call->chunks),
        .chunks = call->chunks,
    };
}

void cs_rail_in_node(const struct cs_rail_step *step, uint32_t node, enum cs_rail_part part,
                     uint32_t first, struct cs_ops *ops)
{
    for (uint32_t i = first; i < ops->count; i++) {
        struct cs_op *op = &ops->op[i];

        op->peer += step->node * step->group;
        op->blocks = cs_rail_chunk(step, node, op->blocks.first);
        if (part == CS_RAIL_BLOCKS) {
            op->blocks.first -= step->chunk;
            op->blocks.count = step->chunks;
        }
    }
}

/* (n-1) k alpha + V/(p k) / beta is least for k = sqrt(V/p / ((n-1) alpha
 * beta)).  Beside r ranks of an adapter that each hide the step of another, an r-th of
 * the second part is left. */
void cs_rail_settle(struct cs_call *call)
{
    uint64_t elements = call->elements / call->ranks;
    double further = cs_nodes_of(call) - 1.0;
    double block_s = cs_largest_block_bytes(call) / fmax(1, call->sharing) / call->hockney.beta_Bps;

    if (further <= 0 || elements == 0)
        return;
    cs_settle_chunks(call, elements < RAIL_CHUNKS_MAX ? elements : RAIL_CHUNKS_MAX,
                     call->hockney.alpha_s > 0 ? sqrt(block_s / (further * call->hockney.alpha_s))
                                               : INFINITY);
}

uint32_t cs_rail_lanes(const struct cs_call *call)
{
    return call->ranks < 2 ? 1 : 2;
}

uint32_t cs_rail_blocks(const struct cs_call *call)
{
    return call->ranks * cs_rail_parts(call);
}

uint32_t cs_rail_parts(const struct cs_call *call)
{
    return call->chunks;
}

enum cs_exactness cs_rail_exactness(const struct cs_call *call)
{
    return call->elements % cs_rail_blocks(call) ? CS_COST_ROUGHLY : CS_COST_AT_MOST;
}

static double rail_chunk_bytes(const struct cs_call *call)
{
    return cs_largest_part_bytes(call, call->chunks);
}

struct cs_cost cs_rail_local_cost(const struct cs_call *call)
{
    double steps = (double)cs_rail_steps(call);
    double bytes = cs_largest_block_bytes(call) + steps * rail_chunk_bytes(call);

    return cs_cost_with_sums(call, (struct cs_cost){steps + 1, (call->group - 1.0) * bytes, 0});
}

struct cs_cost cs_rail_cost(const struct cs_call *call)
{
    double steps = (double)cs_rail_steps(call);
    struct cs_cost cost = cs_rail_local_cost(call);

    cost.rounds += steps;
    cost.bytes += steps * rail_chunk_bytes(call);
    return cs_cost_with_sums(call, cost);
}
