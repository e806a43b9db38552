/* Chains along rings: the chunks and channels that they choose, and their cost. */
#include "algorithms/shared/rings/machine_rings.h"
#include "tests/fixture.h"

static const struct cs_algo *multi_ring(const struct cs_collective *collective)
{
    return cs_algo_find("multi-ring", collective);
}

static void settle(struct cs_call *call, const struct cs_hockney *hockney)
{
    call->hockney = *hockney;
    if (!call->collective)
        call->collective = &cs_collective_broadcast;
    multi_ring(call->collective)->settle(call);
    call->hockney = *hockney;
}

/* A wire is free during the latency of a chunk; a given number stays. */
MACHINE_TEST(chains_have_two_channels_for_each_ring)
{
    const struct cs_hockney hockney = {5e-6, 10e9, 0};
    struct cs_call call = {.ranks = 8, .elements = 8000000, .element_bytes = 1};

    machine_open(machine, "dgx-1", 0, 0);
    call.rings = cs_rings_of_machine(&machine->net, call.ranks, 8, &machine->arena);
    settle(&call, &hockney);
    assert_int_equal(call.channels, 2 * call.rings->count);
    call.channels = 3;
    settle(&call, &hockney);
    assert_int_equal(call.channels, 3);
}

/* The first chunk passes p - 1 links, and each other comes one step behind. */
TEST(chunks_follow_the_first_one_step_apart)
{
    const struct cs_hockney hockney = {5e-6, 10e9, 0};

    for (uint32_t p = 2; p < 9; p++)
        for (uint32_t k = 1; k < 6; k++) {
            struct cs_call call = {.collective = &cs_collective_broadcast,
                                   .ranks = p,
                                   .chunks = k,
                                   .channels = 1,
                                   .elements = 60000,
                                   .element_bytes = 1,
                                   .hockney = hockney};
            struct cs_cost cost = multi_ring(call.collective)->cost(&call);

            assert_true(cost.rounds == p - 1 + k - 1);
            assert_within(cost.bytes, (p - 1 + k - 1) * 60000. / k, 1e-6);
        }
}

/* The closed form has its minimum at the settled number, as far as integers
 * allow. */
TEST(open_chunks_have_the_least_closed_form)
{
    static const struct cs_hockney machines[] = {
        {5e-6, 10e9, 1e-11}, {3e-6, 12.5e9, 2e-10}, {1e-6, 25e9, 0}};

    for (size_t m = 0; m < 3; m++)
        for (int sums = 0; sums < 2; sums++) {
            struct cs_call call = {.collective =
                                       sums ? &cs_collective_reduce : &cs_collective_broadcast,
                                   .ranks = 9,
                                   .elements = 3600000,
                                   .element_bytes = 1};
            const struct cs_algo *algo = multi_ring(call.collective);
            double least_s;

            settle(&call, &machines[m]);
            least_s = cs_cost_s(algo->cost(&call), &machines[m]);
            for (uint32_t more = 0; more < 2; more++) {
                struct cs_call other = call;

                other.chunks = more ? call.chunks * 2 : call.chunks / 2;
                other.hockney = machines[m];
                assert_true(cs_cost_s(algo->cost(&other), &machines[m]) > least_s);
            }
        }
}

TEST(open_chunks_are_no_more_than_elements_of_a_lane)
{
    const struct cs_hockney free = {0, 1e9, 0};
    struct cs_call call = {.ranks = 5, .elements = 12, .element_bytes = 4, .channels = 4};

    settle(&call, &free);
    assert_int_equal(call.chunks, 3);
    call = (struct cs_call){.ranks = 5, .elements = 2, .channels = 4};
    settle(&call, &free);
    assert_int_equal(call.chunks, 1);
}
