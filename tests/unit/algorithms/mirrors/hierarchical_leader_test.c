/* Leaders of nodes: the number of chunks. */
#include "tests/fixture.h"

static const struct cs_algo *leader_all_gather(void)
{
    return cs_algo_find("hierarchical-leader", &cs_collective_allgather);
}

/* T of the contract, with latencies of their own between nodes. */
static double chunked_s(const struct cs_call *call, uint32_t k)
{
    struct cs_call tried = *call;
    struct cs_cost local;

    tried.chunks = k;
    local = leader_all_gather()->local_cost(&tried);
    return cs_cost_s(leader_all_gather()->cost(&tried), &call->between) -
           cs_cost_s(local, &call->between) + cs_cost_s(local, &call->hockney);
}

TEST(chunks_are_those_of_the_least_time)
{
    const struct cs_hockney hockney = {5e-6, 10e9, 0};

    for (uint32_t nodes = 2; nodes <= 6; nodes++)
        for (uint64_t elements = 1 << 12; elements <= 1 << 20; elements *= 16) {
            struct cs_call call = {.ranks = 4 * nodes,
                                   .group = 4,
                                   .elements = UINT64_C(4) * nodes * elements,
                                   .element_bytes = 4};
            double time_s;

            call.collective = &cs_collective_allgather;
            call.hockney = hockney;
            call.between = (struct cs_hockney){15e-6, 5e9, 0};
            leader_all_gather()->settle(&call);
            assert_in_range(call.chunks, 1, 256);
            time_s = chunked_s(&call, call.chunks);
            for (uint32_t k = 1; k <= 256; k++)
                assert_true(time_s <= 1.03 * chunked_s(&call, k)); /* a quarter apart */
        }
}

/* Without a second node, a second rank of a node, or an element for each rank. */
TEST(nothing_is_cut_without_leaders)
{
    static const struct {
        uint32_t ranks, group;
        uint64_t elements;
        uint32_t chunks;
    } calls[] = {{8, 8, 1 << 20, 0}, {8, 1, 1 << 20, 0}, {8, 4, 7, 0}, {8, 4, 8, 1}};
    const struct cs_hockney hockney = {5e-6, 10e9, 0};

    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        struct cs_call call = {.ranks = calls[i].ranks,
                               .group = calls[i].group,
                               .elements = calls[i].elements,
                               .element_bytes = 4};

        call.collective = &cs_collective_allgather;
        call.hockney = hockney;
        leader_all_gather()->settle(&call);
        assert_int_equal(call.chunks, calls[i].chunks);
    }
}
