#include "algorithms/shared/carriers.h"

#include "algorithms/shared/patterns/pattern.h"

#include <math.h>

static uint32_t carrier_pieces(const struct cs_call *call)
{
    return call->carriers ? call->carriers : call->group - 1;
}

uint32_t cs_carrier_index(const struct cs_carrier *carrier, uint32_t piece)
{
    return 1 + (uint32_t)((uint64_t)piece * (carrier->group - 1) / carrier->pieces);
}

/* The last piece whose index is not above; before the first one, of the last. */
static uint32_t carrier_piece(const struct cs_carrier *carrier)
{
    if (carrier->index == 0)
        return carrier->pieces - 1;
    return (uint32_t)(((uint64_t)carrier->index * carrier->pieces - 1) / (carrier->group - 1));
}

struct cs_carrier cs_carrier_of(const struct cs_call *call, uint32_t rank)
{
    uint32_t group = call->group;
    uint32_t nodes = call->ranks / group;
    uint32_t root = call->root;
    struct cs_carrier carrier = {
        .call = call,
        .group = group,
        .nodes = nodes,
        .pieces = carrier_pieces(call),
        .level = cs_behind(rank / group, root / group, nodes),
        .index = cs_behind(rank % group, root % group, group),
    };

    carrier.piece = carrier_piece(&carrier);
    carrier.carries = cs_carrier_index(&carrier, carrier.piece) == carrier.index;
    return carrier;
}

uint32_t cs_carrier_rank(const struct cs_carrier *carrier, uint32_t level, uint32_t index)
{
    uint32_t group = carrier->group;
    uint32_t root = carrier->call->root;

    return cs_ahead(root / group, level, carrier->nodes) * group +
           cs_ahead(root % group, index, group);
}

struct cs_blocks cs_carrier_chunk(const struct cs_carrier *carrier, uint32_t piece, uint32_t j)
{
    return cs_block(piece * carrier->call->chunks + j);
}

/* The only other rank of two ranks is the root. */
bool cs_carrier_passes_on(const struct cs_carrier *carrier)
{
    return carrier->group > 2 || carrier->nodes > 1;
}

uint64_t cs_carrier_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    struct cs_carrier carrier;

    if (call->ranks < 2)
        return 0;
    carrier = cs_carrier_of(call, at.party);
    return (uint64_t)call->chunks + (carrier.carries && cs_carrier_passes_on(&carrier));
}

int cs_carrier_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    int code = cs_check_group(algo, call, err);

    if (!code && (uint64_t)call->chunks * call->group > UINT32_MAX)
        code = cs_err_set(err, CS_EINPUT, "%u chunks are too many for nodes of %u ranks",
                          call->chunks, call->group);
    return code;
}

/* (k + n) (alpha + t / k) is least for k = sqrt(n t / alpha), where t is the
 * time of a piece: of one message between nodes, which is the slowest, or of g
 * messages on one port in a single node. */
void cs_carrier_settle(struct cs_call *call)
{
    double group = call->group;
    double nodes = group > 0 ? call->ranks / group : 1;
    double piece_s;

    if (call->group < 2)
        return;
    piece_s = cs_vector_bytes(call) / carrier_pieces(call) / call->hockney.beta_Bps;
    if (nodes < 2)
        piece_s *= group;
    cs_settle_chunks(call, call->elements / carrier_pieces(call),
                     call->hockney.alpha_s > 0 ? sqrt(nodes * piece_s / call->hockney.alpha_s)
                                               : INFINITY);
}

uint32_t cs_carrier_blocks(const struct cs_call *call)
{
    return call->group > 1 ? carrier_pieces(call) * call->chunks : 1;
}

static struct cs_cost carrier_steps(const struct cs_call *call, double rounds, double chunks)
{
    double steps = call->chunks + (double)call->ranks / call->group;
    double chunk = cs_longest_run_bytes(call, cs_carrier_blocks(call), 1);

    return (struct cs_cost){rounds * steps, steps * chunks * chunk, 0};
}

struct cs_cost cs_carrier_cost(const struct cs_call *call)
{
    return cs_cost_with_sums(call, carrier_steps(call, 1, call->group));
}

struct cs_cost cs_carrier_local_cost(const struct cs_call *call)
{
    if (call->group == call->ranks)
        return cs_carrier_cost(call);
    return cs_cost_with_sums(call, carrier_steps(call, 0, call->group - 1.0));
}
