/* Engines with a root, by hand. */
#include "algorithms/libraries/host/engines.h"

#include "tests/unit/algorithms/libraries/round_host.h"

/* 8000 bytes: 3 us inside, 2.1 + 4 us outside with one flow, 4 us of sum. */
TEST(a_binomial_tree_has_two_levels_inside_and_one_outside)
{
    struct cs_host_cost host = round_host();
    struct cs_host_call call = {.host = &host, .bytes = 8000};

    assert_us(cs_host_broadcast_binomial_s(&call), 2 * 3 + 6.1);
    assert_us(cs_host_reduce_binomial_s(&call), 2 * 3 + 6.1 + 3 * 4);
}

/* Four levels of messages of which a parent sends two. */
TEST(a_binary_tree_waits_for_the_second_child)
{
    struct cs_host_cost host = round_node();
    struct cs_host_call call = {.host = &host, .bytes = 8000};

    assert_us(cs_host_broadcast_binary_s(&call), 3 * 1.5 * 3);
    assert_us(cs_host_reduce_binary_s(&call), 3 * 1.5 * 3 + 6 * 4);
}

/* Radix 4 of 8 ranks: 3 children inside the node, then 1 outside; a further
 * child costs a copy of 2 us. */
TEST(a_knomial_tree_sends_to_three_children_a_level)
{
    struct cs_host_cost host = round_host();
    struct cs_host_call call = {.host = &host, .bytes = 8000};

    assert_us(cs_host_broadcast_knomial_s(&call), 3 + 2 * 2 + 6.1);
}

TEST(a_root_alone_sends_to_every_rank)
{
    struct cs_host_cost host = round_host();
    struct cs_host_call call = {.host = &host, .bytes = 8000};

    /* 3 ranks inside; 4 outside, of which the latency of one shows. */
    assert_us(cs_host_broadcast_linear_s(&call), 3 * 3 + 6.1 + 3 * .9);
    assert_us(cs_host_reduce_linear_s(&call), 3 * 3 + 6.1 + 3 * .9 + 7 * 4);
}

/* Four segments of 2000 bytes over 8 ranks of a node: 7 hops of the first, one
 * more for each other; a hop is 1 + .5 us and .5 us of the sender's copy. */
TEST(a_pipeline_pays_its_hops_once_and_its_segments_once)
{
    struct cs_host_cost host = round_node();
    struct cs_host_call call = {.host = &host, .bytes = 8000, .segment_bytes = 2000};

    assert_us(cs_host_broadcast_pipeline_s(&call), (7 + 3) * 2);
    assert_us(cs_host_reduce_pipeline_s(&call), (7 + 3) * 2 + (8 + 2) * 1);
    call.segment_bytes = 0;
    assert_us(cs_host_broadcast_pipeline_s(&call), 7 * 5);
}

/* Two segments of 16000 bytes over 2 nodes of a rank: the wire takes 2.1 us, a
 * rendezvous of 5 us and 4.096 us (the least of a message beyond 8 KiB at 2 GB/s),
 * and the second segment starts when the first has arrived. */
TEST(segments_with_rendezvous_leave_one_after_another)
{
    struct cs_host_cost host = round_host();
    struct cs_host_call call = {.host = &host, .bytes = 32000, .segment_bytes = 16000};

    host.ranks = 2;
    host.node_ranks = 1;
    host.work_copy_Bps = 100e9;
    assert_us(cs_host_broadcast_pipeline_s(&call), 2 * (2.1 + 5 + 4.096));
}

/* Halves of 4000 bytes in 4 segments: 3 levels of 1.25 us, then a segment each
 * 1.25 + .25 us, at last halves between pairs. */
TEST(a_split_tree_sends_halves_and_exchanges_them)
{
    struct cs_host_cost host = round_node();
    struct cs_host_call call = {.host = &host, .bytes = 8000, .segment_bytes = 1000};

    assert_us(cs_host_broadcast_split_binary_s(&call), 3 * 1.25 + 3 * 1.5 + 2);
}

/* Blocks of 1000 bytes: 4, 2 and 1 of them down the tree. */
TEST(a_scatter_halves_its_messages)
{
    struct cs_host_cost host = round_node();
    struct cs_host_call call = {.host = &host, .bytes = 8000};

    assert_us(cs_host_scatter_binomial_s(&call), 2 + 1.5 + 1.25);
    assert_us(cs_host_broadcast_scatter_s(&call), 2 * (2 + 1.5 + 1.25));
}
