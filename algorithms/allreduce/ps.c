/*
 * Parameter server: all push their vector to one server, which adds up, and
 * pull the sum from it.
 *
 * Any p >= 1.  The server is an agent, party p, or with CS_SERVER_COLOCATED
 * rank 0 itself.  n workers push at once; the server takes their vectors in
 * order of rank, one after the other through its port, adding each up
 * while the next one arrives, and then sends the sum to all at once.
 *
 *     p = 3, server S apart:
 *
 *     push:  0 -> S, 1 -> S, 2 -> S     S: 0, 01, 012
 *     pull:  S -> 0, S -> 1, S -> 2
 *
 * n = p workers (p - 1 when colocated), of which the first is copied where the
 * server has nothing of its own; m = n - 1 (n when colocated) are added up.
 * Sends: V by each worker, n V by the server; 2 n V in all.
 *
 *     T = 2 (alpha + n V / beta) + V gamma             gamma <= 1 / beta
 *     T = 2 alpha + (2 n - m + 1) V / beta + m V gamma  otherwise
 *
 * The server's port carries n V each way while each worker's carries V: this is
 * what a ring avoids.
 */
#include "algorithms/pattern.h"

static uint32_t ps_agents(const struct cs_call *call)
{
    return call->server == CS_SERVER_APART && call->ranks > 1 ? 1 : 0;
}

static uint32_t server_party(const struct cs_call *call)
{
    return ps_agents(call) ? call->ranks : 0;
}

/* Workers are the ranks from here on. */
static uint32_t first_worker(const struct cs_call *call)
{
    return ps_agents(call) ? 0 : 1;
}

static uint64_t ps_rounds(const void *ctx, uint32_t rank, uint32_t lane)
{
    const struct cs_call *call = ctx;

    (void)lane;
    if (call->ranks < 2)
        return 0;
    if (rank == server_party(call))
        return (uint64_t)call->ranks - first_worker(call) + 1;
    return 2;
}

static void server_round(const struct cs_call *call, uint64_t k,
                         struct cs_ops *ops)
{
    uint32_t first = first_worker(call);
    uint32_t worker = first + (uint32_t)k;

    if (worker == 0)
        cs_ops_recv(ops, worker, cs_whole());
    else if (worker < call->ranks)
        cs_ops_recv_reduce(ops, worker, cs_whole());
    else
        for (worker = first; worker < call->ranks; worker++)
            cs_ops_send(ops, worker, cs_whole());
}

static void ps_round(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                     struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t server = server_party(call);

    (void)lane;
    if (rank == server)
        server_round(call, k, ops);
    else if (k == 0)
        cs_ops_send(ops, server, cs_whole());
    else
        cs_ops_recv(ops, server, cs_whole());
}

static struct cs_cost ps_cost(const struct cs_call *call,
                              const struct cs_hockney *hockney)
{
    double workers = call->ranks - first_worker(call);
    double sums = call->ranks - 1;
    double bytes = cs_vector_bytes(call);

    if (hockney->gamma_s_per_byte * hockney->beta_Bps <= 1)
        return (struct cs_cost){2, 2 * workers * bytes, bytes};
    return (struct cs_cost){2, (2 * workers - sums + 1) * bytes, sums * bytes};
}

const struct cs_algo cs_algo_allreduce_ps = {
    .name = "ps",
    .collective = &cs_collective_allreduce,
    .about = "one synchronous parameter server: push all, pull all",
    .formula = "2 (alpha + n V/beta) + V gamma, n workers",
    .agents = ps_agents,
    .blocks = cs_blocks_one,
    .rounds = ps_rounds,
    .round = ps_round,
    .cost = ps_cost,
};
