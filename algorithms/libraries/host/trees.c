#include "algorithms/libraries/host/engines.h"

#include <math.h>

enum {
    KNOMIAL_RADIX = 4,   /* coll_tuned_bcast_knomial_radix of Open MPI */
    CHAIN_BUFFER = 8192, /* bytes of a segment that both sides copy */
};

/* Levels of a tree whose near levels stay inside a node. */
struct host_levels {
    double inside, between;
};

static struct host_levels host_levels_of(const struct cs_host_cost *host)
{
    double all = ceil(log2(host->ranks));
    double inside = fmin(all, ceil(log2(host->node_ranks)));

    return (struct host_levels){inside, all - inside};
}

/* The levels one after another, each a message, with `weight` messages of a
 * parent to its children before the last child has the data. */
static double host_levels_s(const struct cs_host_call *call, uint32_t flows, double weight)
{
    const struct cs_host_cost *host = call->host;
    struct host_levels levels = host_levels_of(host);
    double time_s = levels.inside * weight * cs_host_inside_s(host, call->bytes, flows);

    if (levels.between > 0)
        time_s += levels.between * weight * cs_host_between_s(host, call->bytes, flows);
    return time_s;
}

double cs_host_broadcast_binomial_s(const struct cs_host_call *call)
{
    return host_levels_s(call, 1, 1);
}

/* The second child waits for the first: one message and a half a level. */
double cs_host_broadcast_binary_s(const struct cs_host_call *call)
{
    return host_levels_s(call, 2, 1.5);
}

double cs_host_broadcast_knomial_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    double time_s = 0;

    for (uint64_t d = 1; d < host->ranks; d *= KNOMIAL_RADIX) {
        bool between = host->nodes > 1 && d >= host->node_ranks;
        double children = fmin(KNOMIAL_RADIX - 1, ceil((double)host->ranks / (double)d) - 1);

        time_s += between ? cs_host_between_s(host, call->bytes, 1)
                          : cs_host_inside_s(host, call->bytes, 1);
        time_s += (children - 1) * cs_host_further_s(host, call->bytes, between);
    }
    return time_s;
}

double cs_host_broadcast_linear_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    uint32_t outside = host->ranks - host->node_ranks;
    double time_s = (host->node_ranks - 1) * cs_host_inside_s(host, call->bytes, 1);

    if (outside)
        time_s += cs_host_between_s(host, call->bytes, 1) +
                  (outside - 1) * cs_host_further_s(host, call->bytes, true);
    return time_s;
}

/* Pieces of a vector: full segments and one last. */
struct host_pieces {
    double count, bytes;
};

static struct host_pieces host_pieces_of(const struct cs_host_call *call, double bytes)
{
    if (!(call->segment_bytes > 0) || bytes <= call->segment_bytes)
        return (struct host_pieces){1, bytes};
    return (struct host_pieces){ceil(bytes / call->segment_bytes), call->segment_bytes};
}

/* A rank of the chain receives a segment while the one before leaves.  Below
 * the rendezvous threshold, both the sender and the receiver copy. */
static double host_chain_hop_s(const struct cs_host_cost *host, double segment)
{
    double hop_s = cs_host_inside_s(host, segment, host->node_ranks) + host->segment_s;

    if (host->buffers == CS_BUFFERS_HOST)
        hop_s += cs_host_copy_s(host, fmin(segment, CHAIN_BUFFER));
    return hop_s;
}

/* The time between two segments over a wire.  The send of a segment with
 * rendezvous ends before the next begins (ompi_coll_base_bcast_intra_generic). */
static double host_chain_wire_s(const struct cs_host_cost *host, double segment)
{
    if (segment > host->net.eager_bytes)
        return cs_host_between_s(host, segment, 1);
    return segment / host->net.node_Bps + host->segment_s;
}

double cs_host_broadcast_pipeline_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    struct host_pieces pieces = host_pieces_of(call, call->bytes);
    double hop_s = host_chain_hop_s(host, pieces.bytes);
    double fill_s = (host->ranks - host->nodes) * hop_s;
    double period_s = hop_s;

    if (host->nodes > 1) {
        fill_s += (host->nodes - 1) * cs_host_between_s(host, pieces.bytes, 1);
        period_s = fmax(period_s, host_chain_wire_s(host, pieces.bytes));
    }
    return fill_s + (pieces.count - 1) * period_s;
}

/* Each half of the vector passes one subtree in segments; the ranks of both
 * subtrees then exchange halves in pairs. An inner rank receives a segment and
 * sends it twice. */
double cs_host_broadcast_split_binary_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    struct host_levels levels = host_levels_of(host);
    double half = call->bytes / 2;
    struct host_pieces pieces = host_pieces_of(call, half);
    double inside_s = cs_host_inside_s(host, pieces.bytes, host->node_ranks);
    double period_s = host->buffers == CS_BUFFERS_DEVICE
                          ? 2 * inside_s
                          : inside_s + cs_host_copy_s(host, pieces.bytes) + 2 * host->segment_s;
    double time_s = levels.inside * inside_s;
    double last_s = cs_host_inside_s(host, half, host->node_ranks);

    if (host->nodes > 1) {
        time_s += levels.between * cs_host_between_s(host, pieces.bytes, 1);
        period_s = fmax(period_s, 2 * pieces.bytes / host->net.node_Bps + 2 * host->net.post_s);
        last_s = fmax(last_s, cs_host_between_s(host, half, (host->node_ranks + 1) / 2));
    }
    return time_s + (pieces.count - 1) * period_s + last_s;
}

double cs_host_scatter_binomial_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    double time_s = 0;
    double part = call->bytes / 2;
    uint64_t distance = 1;

    while (distance * 2 < host->ranks)
        distance *= 2;
    for (; distance > 0 && host->ranks > 1; distance /= 2, part /= 2)
        time_s += host->nodes > 1 && distance >= host->node_ranks ? cs_host_between_s(host, part, 1)
                                                                  : cs_host_inside_s(host, part, 1);
    return time_s;
}

double cs_host_broadcast_scatter_s(const struct cs_host_call *call)
{
    return cs_host_scatter_binomial_s(call) + cs_host_allgather_doubling_s(call);
}

/* Reduce: the tree of the broadcast upwards, a sum for each child. */
double cs_host_reduce_binomial_s(const struct cs_host_call *call)
{
    struct host_levels levels = host_levels_of(call->host);

    return cs_host_broadcast_binomial_s(call) +
           (levels.inside + levels.between) * cs_host_sum_s(call->host, call->bytes);
}

double cs_host_reduce_binary_s(const struct cs_host_call *call)
{
    struct host_levels levels = host_levels_of(call->host);

    return cs_host_broadcast_binary_s(call) +
           2 * (levels.inside + levels.between) * cs_host_sum_s(call->host, call->bytes);
}

double cs_host_reduce_linear_s(const struct cs_host_call *call)
{
    return cs_host_broadcast_linear_s(call) +
           (call->host->ranks - 1) * cs_host_sum_s(call->host, call->bytes);
}

double cs_host_reduce_pipeline_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    struct host_pieces pieces = host_pieces_of(call, call->bytes);
    double sum_s = cs_host_sum_s(host, pieces.bytes);

    return cs_host_broadcast_pipeline_s(call) + (host->ranks + pieces.count - 2) * sum_s;
}

double cs_host_reduce_rabenseifner_s(const struct cs_host_call *call)
{
    return cs_host_reducescatter_halving_s(call) + cs_host_scatter_binomial_s(call);
}
