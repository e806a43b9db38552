/* Rails between nodes: the number of chunks. */
#include "tests/fixture.h"

static void settle(struct cs_call *call)
{
    cs_algo_find("hierarchical", &cs_collective_allgather)->settle(call);
}

/* The time that depends on k chunks: (n - 1) (k alpha + V/p / beta) pipelined with the
 * rings of the nodes, whose last chunk waits: V / (p k) / beta. */
static double chunked_s(uint32_t nodes, double block_s, double alpha_s, double k)
{
    return (nodes - 1) * k * alpha_s + block_s / k;
}

TEST(chunks_are_those_of_the_least_time)
{
    static const uint64_t bytes[] = {1 << 14, 1 << 20, 1 << 24};
    const struct cs_hockney hockney = {5e-6, 10e9, 0};

    for (uint32_t nodes = 2; nodes <= 9; nodes += 1 + nodes / 4)
        for (size_t b = 0; b < sizeof(bytes) / sizeof(*bytes); b++) {
            struct cs_call call = {.ranks = 8 * nodes,
                                   .group = 8,
                                   .elements = UINT64_C(8) * nodes * (bytes[b] / 4),
                                   .element_bytes = 4};
            double block_s = (double)bytes[b] / hockney.beta_Bps, time_s;

            call.hockney = hockney;
            settle(&call);
            time_s = chunked_s(nodes, block_s, hockney.alpha_s, call.chunks);
            assert_in_range(call.chunks, 1, 256);
            assert_true(time_s <=
                        1.01 * chunked_s(nodes, block_s, hockney.alpha_s, call.chunks + 1.));
            assert_true(call.chunks == 1 ||
                        time_s <=
                            1.01 * chunked_s(nodes, block_s, hockney.alpha_s, call.chunks - 1.));
        }
}

/* One node has no rail, and chunks of the user stay. */
TEST(nothing_is_cut_without_a_second_node)
{
    const struct cs_hockney hockney = {5e-6, 10e9, 0}, free = {0, 10e9, 0};
    struct cs_call one = {.ranks = 8, .group = 8, .elements = 1 << 20, .element_bytes = 4};
    struct cs_call given = one, none = one, costless = one;

    one.hockney = hockney;
    settle(&one);
    assert_int_equal(one.chunks, 0);
    given.ranks = none.ranks = costless.ranks = 16;
    given.chunks = 7;
    given.hockney = hockney;
    settle(&given);
    assert_int_equal(given.chunks, 7);
    none.elements = 15;
    none.hockney = hockney;
    settle(&none);
    assert_int_equal(none.chunks, 0);
    /* Without latency chunks cost nothing: as many as are of use. */
    costless.hockney = free;
    settle(&costless);
    assert_in_range(costless.chunks, 64, 256);
}
