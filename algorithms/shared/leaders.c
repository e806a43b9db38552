#include "algorithms/shared/leaders.h"

#include "algorithms/shared/patterns/pattern.h"

enum {
    LEADER_CHUNKS_MAX = 256, /* of a span: further chunks cost only latency */
    LEADER_LANES = 3
};

struct cs_leader cs_leader_of(const struct cs_call *call, uint32_t rank)
{
    uint32_t g = call->group;
    uint32_t nodes = call->ranks / g;
    uint32_t node = rank / g;

    return (struct cs_leader){
        .group = g,
        .nodes = nodes,
        .chunks = call->chunks,
        .node = node,
        .index = rank % g,
        .first = node * g,
        .next = cs_ahead(node, 1, nodes) * g,
        .previous = cs_behind(node, 1, nodes) * g,
    };
}

uint64_t cs_leader_steps(const struct cs_leader *leader)
{
    return (uint64_t)(leader->nodes - 1) * leader->chunks;
}

/* A chunk of a span has g of the g k blocks. */
struct cs_blocks cs_leader_chunk(const struct cs_leader *leader, uint64_t q, uint32_t further)
{
    uint32_t distance = (uint32_t)(q / leader->chunks) + further;
    uint32_t node = cs_behind(leader->node, distance, leader->nodes);
    uint32_t j = (uint32_t)(q % leader->chunks);

    return (struct cs_blocks){(node * leader->chunks + j) * leader->group, leader->group};
}

struct cs_blocks cs_leader_block(const struct cs_leader *leader, uint32_t index)
{
    return (struct cs_blocks){(leader->first + index) * leader->chunks, leader->chunks};
}

struct cs_blocks cs_leader_share(const struct cs_leader *leader, uint32_t index, uint32_t j)
{
    uint32_t begin = j * leader->group;
    uint32_t end = begin + leader->group;
    uint32_t own = index * leader->chunks;
    uint32_t own_end = own + leader->chunks;

    begin = begin > own ? begin : own;
    end = end < own_end ? end : own_end;
    return (struct cs_blocks){leader->first * leader->chunks + begin,
                              begin < end ? end - begin : 0};
}

uint32_t cs_leader_first_share(const struct cs_leader *leader, uint32_t index)
{
    return index * leader->chunks / leader->group;
}

uint32_t cs_leader_shares(const struct cs_leader *leader, uint32_t index)
{
    uint32_t last = ((index + 1) * leader->chunks - 1) / leader->group;

    return last - cs_leader_first_share(leader, index) + 1;
}

uint64_t cs_leader_chain_rounds(const struct cs_leader *leader)
{
    uint64_t steps = cs_leader_steps(leader);
    bool is_inner = leader->index > 0 && leader->index + 1 < leader->group;

    return steps ? steps + is_inner : 0;
}

void cs_leader_settle(struct cs_call *call)
{
    static const struct cs_chunk_form form = {cs_leader_cost, cs_leader_local_cost, NULL};
    uint64_t most = call->elements / call->ranks;

    if (call->group < 2 || call->ranks <= call->group || most == 0)
        return;
    if (most > LEADER_CHUNKS_MAX)
        most = LEADER_CHUNKS_MAX;
    cs_settle_chunks(call, most, cs_least_chunks(call, most, &form));
}

uint32_t cs_leader_lanes(const struct cs_call *call)
{
    return call->ranks < 2 ? 1 : LEADER_LANES;
}

uint32_t cs_leader_blocks(const struct cs_call *call)
{
    return call->ranks * call->chunks;
}

uint32_t cs_leader_parts(const struct cs_call *call)
{
    return call->chunks;
}

static double leader_chunk_bytes(const struct cs_call *call)
{
    return call->group * cs_largest_part_bytes(call, call->chunks);
}

struct cs_cost cs_leader_local_cost(const struct cs_call *call)
{
    struct cs_leader leader = cs_leader_of(call, 0);
    double steps = (double)cs_leader_steps(&leader);
    double hops = steps > 0 ? call->group - 2.0 : 0;
    double bytes = (steps + hops) * leader_chunk_bytes(call) +
                   (call->group - 1.0) * cs_largest_block_bytes(call);

    return cs_cost_with_sums(call, (struct cs_cost){steps + hops + 2, bytes, 0});
}

struct cs_cost cs_leader_cost(const struct cs_call *call)
{
    struct cs_leader leader = cs_leader_of(call, 0);
    double steps = (double)cs_leader_steps(&leader);
    struct cs_cost cost = cs_leader_local_cost(call);

    cost.rounds += steps;
    cost.bytes += steps * leader_chunk_bytes(call);
    return cs_cost_with_sums(call, cost);
}
