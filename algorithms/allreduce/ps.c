/*
 * Parameter servers: ranks push their vectors to servers that reduce, and pull
 * the sum.
 *
 * p >= 1 ranks and k servers (--shards), each with 1/k of the vector.  Servers
 * are agents, parties p .. p + k - 1, k <= p.  With CS_SERVER_COLOCATED
 * servers are ranks: rank 0 for k = 1, or every rank for the own piece, k = p.
 *
 * All ranks push at once.  Rank r starts with shard r mod k and continues in
 * order, so that the ranks do not queue at one server; server s receives in
 * the order of arrival, reduces a shard during the arrival of the next, and
 * then sends the sum to all ranks at once, from rank (s + 1) mod k on.
 *
 *     p = 3, k = 1, server S:
 *
 *     push:  0 -> S, 1 -> S, 2 -> S     S: 0, 01, 012
 *     pull:  S -> 0, S -> 1, S -> 2
 *
 *     p = 4, k = 2, servers S and T, halves A and B:
 *
 *     push:  0: A -> S, B -> T     1: B -> T, A -> S
 *            2: A -> S, B -> T     3: B -> T, A -> S     S receives 0, 2, 1, 3
 *     pull:  S: A -> 1, 2, 3, 0    T: B -> 0, 1, 2, 3
 *
 * w workers send a shard of V/k to each server: w = p for a server apart,
 * which copies the first shard, or p - 1 for a server that is a rank; p - 1
 * reductions in both cases.  The servers' ports are always busy and set the
 * pace:
 *
 *     T = 2 (alpha + w V/k / beta) + V/k gamma                gamma <= 1 / beta
 *     T = 2 alpha + (2 w - p + 2) V/k / beta + (p-1) V/k gamma      otherwise
 *
 * Sends: V by each worker, w V/k by each server; 2 p V in total, or 2 (p-1) V
 * with colocated servers.  One server's port carries p V in each direction, a
 * worker's V; with k = p servers apart all ports carry V, and with every rank
 * a server (p-1)/p V, the load of a ring.
 *
 * Y. Jiang et al., A unified architecture for accelerating distributed DNN
 * training, OSDI 2020, for the loads.
 */
#include "algorithms/shared/patterns/phase.h"

static bool allreduce_ps_apart(const struct cs_call *call)
{
    return call->server == CS_SERVER_APART;
}

/* Whether every rank is the server of a piece. */
static bool all_serve(const struct cs_call *call)
{
    return !allreduce_ps_apart(call) && call->shards > 1;
}

static uint32_t ps_agents(const struct cs_call *call)
{
    return allreduce_ps_apart(call) && call->ranks > 1 ? call->shards : 0;
}

static uint32_t ps_blocks(const struct cs_call *call)
{
    return call->shards;
}

static int ps_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    (void)algo;
    if (call->ranks < 2 || call->shards <= 1)
        return 0;
    if (!allreduce_ps_apart(call) && call->shards != call->ranks)
        return cs_err_set(err, CS_EINPUT,
                          "colocated servers are rank 0 or every rank: --shards is 1 or %u, not %u",
                          call->ranks, call->shards);
    if (call->shards > call->ranks)
        return cs_err_set(err, CS_EINPUT,
                          "%u ranks do not keep %u parameter servers busy; --shards is at most the "
                          "number of ranks",
                          call->ranks, call->shards);
    if (allreduce_ps_apart(call) && call->shards > call->elements)
        return cs_err_set(err, CS_EINPUT, "%llu elements do not make %u shards",
                          (unsigned long long)call->elements, call->shards);
    return 0;
}

static uint32_t server_party(const struct cs_call *call, uint32_t shard)
{
    return allreduce_ps_apart(call) ? call->ranks + shard : shard;
}

static bool is_server(const struct cs_call *call, uint32_t party)
{
    return allreduce_ps_apart(call) ? party >= call->ranks : party < call->shards;
}

/* The first worker of server 0: a server that is rank 0 does not push. */
static uint32_t first_worker(const struct cs_call *call)
{
    return allreduce_ps_apart(call) ? 0 : 1;
}

static uint64_t ps_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;

    if (call->ranks < 2)
        return 0;
    if (is_server(call, at.party) && !all_serve(call))
        return (uint64_t)call->ranks - first_worker(call) + 1;
    return 2;
}

/* The rank of arrival k at a server: first the ranks that start with the shard,
 * then the ranks with the shard in second position, and so on. */
static uint32_t allreduce_ps_arrival(const struct cs_call *call, uint32_t shard, uint64_t k)
{
    uint32_t shards = call->shards;
    uint32_t each = call->ranks / shards;
    uint32_t more = call->ranks % shards; /* shards with one more rank at the start */
    uint32_t first = shard;

    while (k >= each + (first < more)) {
        k -= each + (first < more);
        first = first ? first - 1 : shards - 1;
    }
    return first + (uint32_t)k * shards;
}

static void server_round(const struct cs_call *call, uint32_t shard, uint64_t k, struct cs_ops *ops)
{
    uint32_t first = first_worker(call);
    uint32_t workers = call->ranks - first;
    uint32_t start = (shard + 1) % call->shards;

    if (k < workers && allreduce_ps_apart(call) && k == 0)
        cs_ops_recv(ops, allreduce_ps_arrival(call, shard, k), cs_block(shard));
    else if (k < workers)
        cs_ops_recv_reduce(ops, allreduce_ps_arrival(call, shard, k + first), cs_block(shard));
    for (uint32_t i = 0; k == workers && i < workers; i++)
        cs_ops_send(ops, first + (start + i) % workers, cs_block(shard));
}

static void worker_round(const struct cs_call *call, uint32_t rank, uint64_t k, struct cs_ops *ops)
{
    uint32_t shard = rank % call->shards;

    for (uint32_t i = 0; i < call->shards; i++) {
        if (k == 0)
            cs_ops_send(ops, server_party(call, shard), cs_block(shard));
        else
            cs_ops_recv(ops, server_party(call, shard), cs_block(shard));
        shard = cs_ahead(shard, 1, call->shards);
    }
}

static void ps_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    if (all_serve(call) && at.round == 0)
        cs_direct_scatter_all(call->ranks, at.party, ops);
    else if (all_serve(call))
        cs_direct_gather_all(call->ranks, at.party, ops);
    else if (is_server(call, at.party))
        server_round(call, at.party - server_party(call, 0), at.round, ops);
    else
        worker_round(call, at.party, at.round, ops);
}

static struct cs_cost ps_cost(const struct cs_call *call)
{
    double workers = call->ranks - first_worker(call);
    double sums = call->ranks - 1;
    double shard = cs_longest_run_bytes(call, call->shards, 1);

    if (cs_adds_in_passing(&call->hockney))
        return (struct cs_cost){2, 2 * workers * shard, shard};
    return (struct cs_cost){2, (2 * workers - sums + 1) * shard, sums * shard};
}

const struct cs_algo cs_algo_allreduce_ps = {
    .name = "ps",
    .collective = &cs_collective_allreduce,
    .about = "synchronous parameter servers: push all, pull all",
    .formula = "2 (alpha + w V/k/beta) + V/k gamma, w workers, k servers",
    .agents = ps_agents,
    .check = ps_check,
    .blocks = ps_blocks,
    .rounds = ps_rounds,
    .round = ps_round,
    .cost = ps_cost,
};
