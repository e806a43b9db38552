/* Engines in which every rank sends, by hand. */
#include "algorithms/libraries/host/engines.h"

#include "tests/unit/algorithms/libraries/round_host.h"

/* 8000 bytes: 3 us inside a node, 2.4 + 4 us outside (four flows at 10 GB/s
 * take less than the 2 GB/s of an eager message), 4 us of sum, 2 us of copy. */
TEST(doubling_takes_two_steps_inside_and_one_outside)
{
    struct cs_host_cost host = round_host();
    struct cs_host_call call = {.host = &host, .bytes = 8000};

    assert_us(cs_host_allreduce_doubling_s(&call), 2 + 2 * (3 + 4) + (6.4 + 4));
}

/* Halves of 4000 and 2000 bytes inside, 1000 outside; back the same. */
TEST(rabenseifner_keeps_the_long_messages_inside)
{
    struct cs_host_cost host = round_host();
    struct cs_host_call call = {.host = &host, .bytes = 8000};

    assert_us(cs_host_allreduce_rabenseifner_s(&call),
              2 + (2 * 2 + 2) + (2 * 1.5 + 1) + (2 * 2.9 + .5));
    assert_us(cs_host_reducescatter_halving_s(&call), 2 + (2 + 2) + (1.5 + 1) + (2.9 + .5));
}

/* Six ranks: pairs of a fold first, then four members. */
TEST(ranks_beyond_a_power_of_two_fold_into_neighbours)
{
    struct cs_host_cost host = round_node();
    struct cs_host_call call = {.host = &host, .bytes = 8000};

    host.ranks = host.node_ranks = 6;
    assert_us(cs_host_allreduce_doubling_s(&call), 2 + (2 * 3 + 4) + 2 * (3 + 4));
}

/* Blocks of 1000 bytes: 1.25 us a step in a node, .5 us a sum. */
TEST(a_ring_takes_a_step_for_each_other_rank_twice)
{
    struct cs_host_cost host = round_node();
    struct cs_host_call call = {.host = &host, .bytes = 8000};

    assert_us(cs_host_reducescatter_ring_s(&call), 7 * 1.75);
    assert_us(cs_host_allgather_ring_s(&call), 7 * 1.25);
    assert_us(cs_host_allreduce_ring_s(&call), 2 + 7 * 1.75 + 7 * 1.25);
    call.segment_bytes = 500;
    assert_us(cs_host_reducescatter_ring_s(&call), 14 * (1.125 + .25));
}

TEST(a_whole_ring_sends_the_vector_to_every_rank)
{
    struct cs_host_cost host = round_node();
    struct cs_host_call call = {.host = &host, .bytes = 8000};

    assert_us(cs_host_allreduce_whole_ring_s(&call), 7 * (3 + 4));
}

/* Between GPUs, below 4 KiB: 3 messages of a round copy on both sides, 8 us
 * each.  64 ranks: 3 rounds, two of them between nodes of 8.  Open MPI with UCC
 * on 8 x ND40rs_v2: 157 us (converged-computing). */
TEST(ucc_between_gpus_pays_a_copy_on_either_side_of_a_message)
{
    struct cs_host_cost host = round_host();
    struct cs_host_call call = {.host = &host, .bytes = 0};

    host.ranks = 64;
    host.nodes = 8;
    host.node_ranks = 8;
    host.buffers = CS_BUFFERS_DEVICE;
    host.device.stream_Bps = 10e9;
    assert_us(cs_host_allreduce_ucc_s(&call), 3 * 3 * 16 + 1 + 2 * 2);
    /* From 4 KiB on, scatter-reduce and all-gather: every round twice. */
    call.bytes = 4096;
    assert_true(cs_host_allreduce_ucc_s(&call) * 1e6 > 2 * (3 * 3 * 16 + 5));
}

/* 8 ranks are a round of 4 by 4 and an exchange of whole vectors before and after. */
TEST(ucc_folds_ranks_beyond_a_power_of_four)
{
    struct cs_host_cost host = round_host();
    struct cs_host_call call = {.host = &host, .bytes = 0};

    host.buffers = CS_BUFFERS_DEVICE;
    host.device.stream_Bps = 10e9;
    assert_us(cs_host_allreduce_ucc_s(&call), 3 * 16 + 1 + 2 * (16 + 1));
}

/* Blocks of 1000 bytes: 1, 2 and 4 of them. */
TEST(doubling_all_gather_doubles_its_messages)
{
    struct cs_host_cost host = round_node();
    struct cs_host_call call = {.host = &host, .bytes = 8000};

    assert_us(cs_host_allgather_doubling_s(&call), 1.25 + 1.5 + 2);
    assert_us(cs_host_allgather_neighbor_s(&call), 1.25 + 3 * 1.5);
}

/* Blocks of 1000 bytes: 3 ranks inside, 4 outside; a far message takes 2.4 us
 * and .5 us, its latency of 2 us once or every time. */
TEST(all_to_all_pays_latency_once_unless_in_step)
{
    struct cs_host_cost host = round_host();
    struct cs_host_call call = {.host = &host, .bytes = 8000};

    assert_us(cs_host_alltoall_linear_s(&call), 3 * 1.25 + 2 + 4 * .9);
    assert_us(cs_host_alltoall_pairwise_s(&call), 3 * 1.25 + 4 * 2.9);
}

/* Blocks of 10000 bytes are above the eager limit: 3.5 us inside, and .4 + 4.096 us of
 * posts and wire outside, with 2 us of latency and 5 us of rendezvous once. */
TEST(messages_posted_together_meet_their_partners_at_once)
{
    struct cs_host_cost host = round_host();
    struct cs_host_call call = {.host = &host, .bytes = 80000};

    assert_us(cs_host_alltoall_linear_s(&call), 3 * 3.5 + 4 * 4.496 + 7);
    assert_us(cs_host_alltoall_pairwise_s(&call), 3 * 3.5 + 4 * (4.496 + 7));
    /* A core that sends and receives 40000 bytes at 1 GB/s takes 80 us. */
    host.net.core_Bps = 1e9;
    assert_us(cs_host_alltoall_linear_s(&call), 3 * 3.5 + 80 + 7);
}

/* All seven messages are those to another node. */
TEST(an_adapter_that_loops_has_the_messages_of_its_node)
{
    struct cs_host_cost host = round_host();
    struct cs_host_call call = {.host = &host, .bytes = 8000};

    host.net.loops = true;
    assert_us(cs_host_inside_s(&host, 1000, 4), cs_host_between_s(&host, 1000, 4) * 1e6);
    assert_us(cs_host_alltoall_linear_s(&call), 7 * .9 + 2);
    call.bytes = 80000;
    assert_us(cs_host_alltoall_linear_s(&call), 7 * 4.496 + 7);
}

TEST(a_barrier_is_doubling_without_bytes)
{
    struct cs_host_cost host = round_host();
    struct cs_host_call call = {.host = &host};

    assert_us(cs_host_barrier_doubling_s(&call), 1 + 1 + 2.4);
    assert_us(cs_host_barrier_tree_s(&call), 2 * (1 + 1 + 2.4));
}
