#include "algorithms/libraries/host/engines.h"

#include <math.h>

enum {
    UCC_RADIX = 4,
    UCC_KNOMIAL_BELOW = 4096, /* bytes: defaults of tl_ucp's score */
};

/* The greatest power of two among the ranks; ranks above it hand their vectors
 * to a neighbour first and get the result last. */
struct host_fold {
    uint32_t members;      /* q */
    uint32_t node_members; /* of a node */
    bool uneven;           /* ranks outside the members */
};

static struct host_fold host_fold_of(const struct cs_host_cost *host)
{
    struct host_fold fold = {.members = 1};

    while (fold.members <= host->ranks / 2)
        fold.members *= 2;
    fold.uneven = fold.members != host->ranks;
    fold.node_members = (uint32_t)lround((double)host->node_ranks * fold.members / host->ranks);
    if (fold.node_members < 1)
        fold.node_members = 1;
    return fold;
}

double cs_host_allreduce_doubling_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    struct host_fold fold = host_fold_of(host);
    double sum_s = cs_host_sum_s(host, call->bytes);
    double time_s = cs_host_copy_s(host, call->bytes);

    if (fold.uneven)
        time_s += 2 * cs_host_inside_s(host, call->bytes, host->node_ranks) + sum_s;
    for (uint32_t d = 1; d < fold.members; d *= 2)
        time_s += cs_host_exchange_s(host, call->bytes, d, fold.node_members) + sum_s;
    return time_s;
}

/* Halving of the vector with the nearest partner first, so that the long
 * messages stay inside the nodes; then doubling back. */
static double host_halving_s(const struct cs_host_call *call, double passes)
{
    const struct cs_host_cost *host = call->host;
    struct host_fold fold = host_fold_of(host);
    double part = call->bytes / 2;
    double time_s = 0;

    for (uint32_t d = 1; d < fold.members; d *= 2, part /= 2)
        time_s += passes * cs_host_exchange_s(host, part, d, fold.node_members) +
                  cs_host_sum_s(host, part);
    return time_s;
}

/* Open MPI folds an odd number of ranks in halves of the vector. */
double cs_host_allreduce_rabenseifner_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    double half = call->bytes / 2;
    double time_s = cs_host_copy_s(host, call->bytes);

    if (host_fold_of(host).uneven)
        time_s += 2 * cs_host_inside_s(host, half, host->node_ranks) + cs_host_sum_s(host, half) +
                  cs_host_inside_s(host, call->bytes, host->node_ranks);
    return time_s + host_halving_s(call, 2);
}

double cs_host_reducescatter_ring_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    double block = ceil(call->bytes / host->ranks);
    double pieces = call->segment_bytes > 0 ? fmax(1, ceil(block / call->segment_bytes)) : 1;
    double piece = block / pieces;

    return (host->ranks - 1) * pieces *
           (cs_host_ring_step_s(host, piece) + cs_host_sum_s(host, piece));
}

double cs_host_allgather_ring_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;

    return (host->ranks - 1) * cs_host_ring_step_s(host, ceil(call->bytes / host->ranks));
}

double cs_host_allreduce_ring_s(const struct cs_host_call *call)
{
    return cs_host_copy_s(call->host, call->bytes) + cs_host_reducescatter_ring_s(call) +
           cs_host_allgather_ring_s(call);
}

double cs_host_allreduce_whole_ring_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;

    return (host->ranks - 1) *
           (cs_host_ring_step_s(host, call->bytes) + cs_host_sum_s(host, call->bytes));
}

/* A round of UCC: `UCC_RADIX - 1` messages to as many partners. Between GPUs,
 * each message takes a cudaMemcpy on either side, and a kernel does the sum. */
static double host_ucc_round_s(const struct cs_host_cost *host, double bytes, bool between,
                               unsigned messages)
{
    double moved_s = bytes * messages *
                     (host->buffers == CS_BUFFERS_DEVICE ? 2 / host->device.stream_Bps
                                                         : 1 / host->work_copy_Bps);
    double wait_s = between ? host->net.latency_s : host->step_s;

    if (host->buffers == CS_BUFFERS_DEVICE)
        wait_s += messages * 2 * host->device.copy_s;
    if (!between)
        return wait_s + moved_s;
    if (bytes > host->net.eager_bytes)
        wait_s += host->net.meet_s;
    return wait_s + fmax(moved_s, bytes * messages * host->node_ranks / host->net.node_Bps);
}

static double host_ucc_sum_s(const struct cs_host_cost *host, double bytes)
{
    if (host->buffers == CS_BUFFERS_DEVICE)
        return 0;
    return (UCC_RADIX - 1) * cs_host_sum_s(host, bytes);
}

double cs_host_allreduce_ucc_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    bool halves = call->bytes >= UCC_KNOMIAL_BELOW;
    double part = halves ? call->bytes / UCC_RADIX : call->bytes;
    double time_s = 0;
    uint32_t distance = 1;

    for (; distance <= host->ranks / UCC_RADIX; distance *= UCC_RADIX) {
        bool between = host->nodes > 1 && (uint64_t)distance * UCC_RADIX > host->node_ranks;

        time_s += (halves ? 2 : 1) * host_ucc_round_s(host, part, between, UCC_RADIX - 1) +
                  host_ucc_sum_s(host, part);
        if (halves)
            part /= UCC_RADIX;
    }
    if (distance != host->ranks)
        time_s += 2 * host_ucc_round_s(host, call->bytes, false, 1);
    return time_s;
}

double cs_host_reducescatter_halving_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    double time_s = cs_host_copy_s(host, call->bytes);

    if (host_fold_of(host).uneven)
        time_s += 2 * cs_host_inside_s(host, call->bytes, host->node_ranks) +
                  cs_host_sum_s(host, call->bytes);
    return time_s + host_halving_s(call, 1);
}

double cs_host_allgather_doubling_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    double block = call->bytes / host->ranks;
    double time_s = 0;

    for (uint64_t d = 1; d < host->ranks; d *= 2) {
        double blocks = fmin((double)d, (double)(host->ranks - d));

        time_s += cs_host_exchange_s(host, block * blocks, (uint32_t)d, host->node_ranks);
    }
    return time_s;
}

/* Neighbours exchange two blocks in turn to the left and to the right. */
double cs_host_allgather_neighbor_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    double pairs = floor(host->ranks / 2.0);
    double block = call->bytes / host->ranks;

    return cs_host_ring_step_s(host, block) + (pairs - 1) * cs_host_ring_step_s(host, 2 * block);
}

/* Messages of all-to-all: to the other ranks of the node, and outside.  Posted together, they
 * wait for their partners at once; in step, each in turn. */
static double host_alltoall_s(const struct cs_host_call *call, bool posted_together)
{
    const struct cs_host_cost *host = call->host;
    double block = call->bytes / host->ranks;
    uint32_t others = host->node_ranks - 1;
    uint32_t outside = host->ranks - host->node_ranks;
    double near_wait_s = others ? cs_host_inside_wait_s(host, block) : 0;
    double far_wait_s = outside ? cs_host_between_wait_s(host, block) : 0;
    double time_s = others * (cs_host_inside_s(host, block, host->node_ranks) - near_wait_s);

    if (host->buffers == CS_BUFFERS_DEVICE)
        time_s = fmax(time_s, others * block / host->device.exchange_Bps);
    if (outside)
        time_s += outside * fmax(cs_host_between_s(host, block, host->node_ranks) - far_wait_s,
                                 cs_host_both_ways_s(host, block));
    return time_s + (posted_together ? fmax(near_wait_s, far_wait_s)
                                     : others * near_wait_s + outside * far_wait_s);
}

double cs_host_alltoall_linear_s(const struct cs_host_call *call)
{
    return host_alltoall_s(call, true);
}

double cs_host_alltoall_pairwise_s(const struct cs_host_call *call)
{
    return host_alltoall_s(call, false);
}

double cs_host_alltoall_bruck_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;
    double half = call->bytes / 2;
    double time_s = 2 * cs_host_copy_s(host, call->bytes);

    for (uint64_t d = 1; d < host->ranks; d *= 2)
        time_s += cs_host_exchange_s(host, half, (uint32_t)d, host->node_ranks) +
                  cs_host_copy_s(host, half);
    return time_s;
}

/* A message from each rank of a node to the next; between GPUs the wires of
 * the two, which are fewer than all links of a GPU, also bound the rate. */
static double host_next_s(const struct cs_host_cost *host, double bytes)
{
    double time_s = cs_host_inside_s(host, bytes, host->node_ranks);

    return host->buffers == CS_BUFFERS_DEVICE ? fmax(time_s, bytes / host->device.next_Bps)
                                              : time_s;
}

/* Every rank sends to the next, as osu_latency does with two ranks. */
double cs_host_sendrecv_s(const struct cs_host_call *call)
{
    const struct cs_host_cost *host = call->host;

    if (host->nodes < 2)
        return host_next_s(host, call->bytes);
    if (host->node_ranks < 2)
        return cs_host_between_s(host, call->bytes, 1);
    return fmax(cs_host_between_s(host, call->bytes, 1), host_next_s(host, call->bytes));
}

double cs_host_barrier_doubling_s(const struct cs_host_call *call)
{
    double time_s = 0;

    for (uint64_t d = 1; d < call->host->ranks; d *= 2)
        time_s += cs_host_exchange_s(call->host, 0, (uint32_t)d, call->host->node_ranks);
    return time_s;
}

double cs_host_barrier_tree_s(const struct cs_host_call *call)
{
    return 2 * cs_host_barrier_doubling_s(call);
}
