/* Channels: the ring of each channel, and the default number of channels. */
#include "algorithms/shared/rings/channels.h"

#include "algorithms/shared/rings/rings.h"
#include "tests/fixture.h"

TEST(without_rings_every_channel_has_another_stride)
{
    struct cs_call call = {.ranks = 5, .elements = 1000};

    cs_channel_settle(&call);
    assert_int_equal(call.channels, 4);
    assert_int_equal(cs_channel_blocks(&call), 20);
    for (uint32_t c = 0; c < 4; c++) {
        struct cs_circle ring = cs_channel_ring(&call, c);

        assert_int_equal(ring.step, c + 1);
        assert_int_equal(ring.part, c);
    }
    assert_within(cs_channel_contention(&call), 4, 0);
    assert_int_equal(cs_channel_exactness(&call), CS_COST_AT_MOST);
}

/* Two rings of a switch share all ports: four channels, in turn. */
MACHINE_TEST(rings_that_share_ports_have_two_channels)
{
    static const uint32_t order[] = {0, 1, 2, 3, 0, 2, 1, 3};
    struct cs_call call = {.ranks = 4, .elements = 1000};

    machine_open(machine, "switch:ranks=4", 0, 0);
    call.rings = cs_rings_of_orders(&machine->net, 4, 2, order, &machine->arena);
    cs_channel_settle(&call);
    assert_int_equal(call.channels, 4);
    for (uint32_t c = 0; c < 4; c++)
        assert_ptr_equal(cs_channel_ring(&call, c).order, &order[(size_t)4 * (c % 2)]);
    assert_within(cs_channel_contention(&call), 4, 1e-9);
    assert_int_equal(cs_channel_exactness(&call), CS_COST_ROUGHLY);
}

TEST(a_channel_has_data_in_every_block)
{
    struct cs_call few = {.ranks = 5, .elements = 19};
    struct cs_call none = {.ranks = 5};

    cs_channel_settle(&few);
    assert_int_equal(few.channels, 3);
    cs_channel_settle(&none);
    assert_int_equal(none.channels, 1);
}

TEST(a_given_number_of_channels_stays)
{
    struct cs_call call = {.ranks = 5, .channels = 7};

    cs_channel_settle(&call);
    assert_int_equal(call.channels, 7);
    assert_int_equal(cs_channel_ring(&call, 5).step, 2);
}

/* Slices of a channel follow each other along the channel's ring. */
TEST(a_lane_is_a_slice_of_a_channel)
{
    struct cs_call call = {.ranks = 5, .channels = 2, .slices = 3};

    assert_int_equal(cs_channel_lanes(&call), 6);
    assert_int_equal(cs_channel_blocks(&call), 30);
    assert_within(cs_channel_contention(&call), 6, 0);
    for (uint32_t lane = 0; lane < 6; lane++) {
        struct cs_circle ring = cs_channel_ring(&call, lane);

        assert_int_equal(ring.step, 1 + lane / 3);
        assert_int_equal(ring.part, lane);
        assert_int_equal(ring.parts, 6);
    }
}

static const struct cs_collective *const ring_collectives[] = {
    &cs_collective_allreduce, &cs_collective_reducescatter, &cs_collective_allgather};

/* One channel in order of rank is the ring. */
TEST(one_channel_costs_as_much_as_the_ring)
{
    const struct cs_hockney hockney = {5e-6, 1e10, 3e-11};
    const struct cs_call call = {
        .ranks = 7, .elements = 7000, .element_bytes = 4, .channels = 1, .slices = 1};

    for (size_t i = 0; i < 3; i++)
        assert_within(
            cs_algo_closed_form_s(cs_algo_find("multi-ring", ring_collectives[i]), &call, &hockney),
            cs_algo_closed_form_s(cs_algo_find("ring", ring_collectives[i]), &call, &hockney),
            1e-15);
}

/* The last block of the reduce-scatter, the own block, is the first one of the
 * all-gather. */
TEST(the_all_gather_starts_with_the_own_block)
{
    struct cs_call call = {.ranks = 5, .channels = 2};
    struct cs_circle ring = cs_channel_ring(&call, 1);
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    cs_circle_scatter_step(&ring, 3, 3, &ops);
    cs_circle_gather_step(&ring, 3, 0, &ops);
    assert_int_equal(ops.op[1].kind, CS_OP_RECV_REDUCE);
    assert_int_equal(ops.op[1].blocks.first, 3 * 2 + 1);
    assert_int_equal(ops.op[2].kind, CS_OP_SEND);
    assert_int_equal(ops.op[2].blocks.first, 3 * 2 + 1);
    assert_int_equal(ops.op[2].peer, 0);
}
