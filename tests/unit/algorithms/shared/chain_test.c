/* Chains: slots from the root on, and rounds down and up. */
#include "algorithms/shared/chain.h"

#include "algorithms/shared/rings/channels.h"
#include "algorithms/shared/rings/machine_rings.h"
#include "tests/fixture.h"

static void the_chain_of_ranks_starts_at_the_root(void **state)
{
    struct cs_call call = {.ranks = 5, .root = 3, .chunks = 2};
    struct cs_chain chain = cs_chain_of_ranks(&call, 1);

    (void)state;
    assert_int_equal(chain.slot, 3);
    assert_int_equal(chain.last, 4);
    assert_int_equal(chain.before, 0);
    assert_int_equal(chain.behind, 2);
    assert_int_equal(cs_chain_rank_rounds(&call, (struct cs_at){3, 0, 0}), 2);
    assert_int_equal(cs_chain_rank_rounds(&call, (struct cs_at){1, 0, 0}), 3);
    assert_int_equal(cs_chain_rank_rounds(&call, (struct cs_at){2, 0, 0}), 2);
}

/* From the root along `behind`, every lane meets every rank once, in the order
 * of the slots. */
static void every_lane_is_a_chain_of_all_ranks_from_the_root(void **state)
{
    (void)state;
    for (uint32_t p = 2; p < 14; p++)
        for (uint32_t root = 0; root < p; root++) {
            struct cs_call call = {.ranks = p, .root = root, .chunks = 3, .slices = 2};

            cs_channel_settle(&call);
            for (uint32_t lane = 0; lane < cs_channel_lanes(&call); lane++) {
                uint32_t rank = root;

                for (uint32_t slot = 0; slot < p; slot++) {
                    struct cs_chain chain = cs_chain_of_lane(&call, rank, lane);

                    assert_int_equal(chain.slot, slot);
                    assert_int_equal(chain.first, 3 * lane);
                    assert_int_equal(cs_chain_of_lane(&call, chain.behind, lane).before, rank);
                    rank = chain.behind;
                }
                assert_int_equal(rank, root);
            }
        }
}

/* A wire is free during the latency of a chunk; a given number stays. */
static void chains_have_two_channels_for_each_ring(void **state)
{
    const struct cs_hockney hockney = {5e-6, 10e9, 0};
    struct cs_call call = {.ranks = 8, .elements = 8000000, .element_bytes = 1};
    struct machine machine;

    (void)state;
    machine_open(&machine, "dgx-1", 0, 0);
    call.rings = cs_rings_of_machine(&machine.net, call.ranks, 8, &machine.arena);
    call.hockney = hockney;
    cs_chain_lane_settle(&call, false);
    assert_int_equal(call.channels, 2 * call.rings->count);
    call.channels = 3;
    call.hockney = hockney;
    cs_chain_lane_settle(&call, false);
    assert_int_equal(call.channels, 3);
    machine_close(&machine);
}

/* The first chunk passes p - 1 links, and each other comes one step behind. */
static void chunks_follow_the_first_one_step_apart(void **state)
{
    const struct cs_hockney hockney = {5e-6, 10e9, 0};

    (void)state;
    for (uint32_t p = 2; p < 9; p++)
        for (uint32_t k = 1; k < 6; k++) {
            struct cs_call call = {.ranks = p,
                                   .chunks = k,
                                   .channels = 1,
                                   .elements = 60000,
                                   .element_bytes = 1,
                                   .hockney = hockney};
            struct cs_cost cost = cs_chain_lane_cost(&call, false);

            assert_true(cost.rounds == p - 1 + k - 1);
            assert_within(cost.bytes, (p - 1 + k - 1) * 60000. / k, 1e-6);
        }
}

static void an_inner_slot_sends_a_chunk_while_the_next_arrives(void **state)
{
    const struct cs_chain inner = {
        .slot = 1, .last = 3, .before = 7, .behind = 9, .chunks = 4, .first = 8};
    struct cs_ops ops = {0};

    (void)state;
    cs_chain_down_round(&inner, 2, &ops);
    cs_chain_up_round(&inner, 2, &ops);
    assert_int_equal(ops.count, 4);
    assert_int_equal(ops.op[0].kind, CS_OP_RECV);
    assert_int_equal(ops.op[0].peer, 7);
    assert_int_equal(ops.op[0].blocks.first, 10);
    assert_int_equal(ops.op[1].kind, CS_OP_SEND);
    assert_int_equal(ops.op[1].peer, 9);
    assert_int_equal(ops.op[1].blocks.first, 9);
    assert_int_equal(ops.op[2].kind, CS_OP_RECV_REDUCE);
    assert_int_equal(ops.op[2].peer, 9);
    assert_int_equal(ops.op[3].peer, 7);
    cs_ops_free(&ops);
}

/* The closed form has its minimum at the settled number, as far as integers
 * allow. */
static void open_chunks_have_the_least_closed_form(void **state)
{
    static const struct cs_hockney machines[] = {
        {5e-6, 10e9, 1e-11}, {3e-6, 12.5e9, 2e-10}, {1e-6, 25e9, 0}};

    (void)state;
    for (size_t m = 0; m < 3; m++)
        for (int sums = 0; sums < 2; sums++) {
            struct cs_call call = {.ranks = 9, .elements = 3600000, .element_bytes = 1};
            double least_s;

            call.hockney = machines[m];
            cs_chain_lane_settle(&call, sums);
            call.hockney = machines[m];
            least_s = cs_cost_s(cs_chain_lane_cost(&call, sums), &machines[m]);
            for (uint32_t more = 0; more < 2; more++) {
                struct cs_call other = call;

                other.chunks = more ? call.chunks * 2 : call.chunks / 2;
                other.hockney = machines[m];
                assert_true(cs_cost_s(cs_chain_lane_cost(&other, sums), &machines[m]) > least_s);
            }
        }
}

static void open_chunks_are_no_more_than_elements_of_a_lane(void **state)
{
    const struct cs_hockney free = {0, 1e9, 0};
    struct cs_call call = {.ranks = 5, .elements = 12, .element_bytes = 4, .channels = 4};

    (void)state;
    call.hockney = free;
    cs_chain_lane_settle(&call, false);
    assert_int_equal(call.chunks, 3);
    call = (struct cs_call){.ranks = 5, .elements = 2, .channels = 4};
    call.hockney = free;
    cs_chain_lane_settle(&call, false);
    assert_int_equal(call.chunks, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chain_of_ranks_starts_at_the_root),
        cmocka_unit_test(every_lane_is_a_chain_of_all_ranks_from_the_root),
        cmocka_unit_test(chains_have_two_channels_for_each_ring),
        cmocka_unit_test(chunks_follow_the_first_one_step_apart),
        cmocka_unit_test(an_inner_slot_sends_a_chunk_while_the_next_arrives),
        cmocka_unit_test(open_chunks_have_the_least_closed_form),
        cmocka_unit_test(open_chunks_are_no_more_than_elements_of_a_lane),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
