/* The part of a cost that stays within nodes, of every algorithm that states it. */
#include "algorithms/shared/patterns/pattern.h"

#include "tests/fixture.h"

static const struct cs_hockney hockney = {1e-6, 1e-9, 1e-10};

static struct cs_call nodes_of(const struct cs_algo *algo, uint32_t group, uint32_t nodes)
{
    struct cs_call call = {
        .ranks = group * nodes, .group = group, .elements = 1 << 20, .element_bytes = 4};

    cs_algo_resolve(algo, &call, &hockney);
    return call;
}

/* Bytes that leave a node of `group` ranks, by each of them, if all send the same; 0 where a
 * few send all. */
static double least_across(const struct cs_algo *algo, const struct cs_call *call)
{
    double g = call->group, n = (double)call->ranks / g;
    double vector = (double)cs_vector_bytes(call);

    if (algo->collective == &cs_collective_alltoall)
        return (n - 1) / n * vector;
    if (algo->collective == &cs_collective_allgather ||
        algo->collective == &cs_collective_reducescatter)
        return (n - 1) / n * vector / g;
    if (algo->collective == &cs_collective_allreduce)
        return 2 * (n - 1) / n * vector / g;
    return 0;
}

static void check_parts(const struct cs_algo *algo, uint32_t group, uint32_t nodes)
{
    struct cs_call call = nodes_of(algo, group, nodes);
    struct cs_cost whole = algo->cost(&call);
    struct cs_cost local = algo->local_cost(&call);
    double least = least_across(algo, &call);
    bool wrong;

    /* A single node has nothing else but sums and copies; in all others ranks wait for
     * other nodes, too.  Trees are pipelined: their latency may be that of the network
     * alone, and switches that sum halve what leaves. */
    if (nodes == 1)
        wrong = !(fabs(whole.rounds - local.rounds) <= 0) ||
                !(fabs(whole.bytes - local.bytes) <= 1e-9 * whole.bytes);
    else
        wrong = !(local.rounds < whole.rounds) || !(local.bytes < whole.bytes) ||
                !(local.reduced_bytes <= whole.reduced_bytes) ||
                !(whole.bytes - local.bytes >= least * (algo->agents ? .5 : 1) * (1 - 1e-9));
    if (wrong)
        fail_msg("%s %s, %u nodes of %u: %g rounds of %g bytes, in nodes %g of %g",
                 algo->collective->name, algo->name, nodes, group, whole.rounds, whole.bytes,
                 local.rounds, local.bytes);
}

TEST(the_local_part_is_all_of_one_node_and_less_of_several)
{
    uint32_t stated = 0;

    for (size_t a = 0; a < cs_algo_count; a++)
        for (uint32_t group = 2; group <= 8 && cs_algos[a]->local_cost; group *= 2)
            for (uint32_t nodes = cs_algos[a]->agents ? 2 : 1; nodes <= 4; nodes *= 2) {
                check_parts(cs_algos[a], group, nodes);
                stated++;
            }
    assert_true(stated > 100);
}
