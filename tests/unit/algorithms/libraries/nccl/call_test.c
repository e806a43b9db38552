/* The parts of a call of NCCL, by hand. */
#include "algorithms/libraries/nccl/call.h"

#include "tests/unit/algorithms/libraries/round_nccl.h"

static const double mib = 1 << 20;

/* Bases of 6 and 8 us; steps of 2 and 5 us inside, 4 and 6 between nodes. */
static void open_call(struct round_nccl *nccl, uint32_t nodes, enum cs_nccl_func func,
                      uint64_t bytes)
{
    round_nccl_open(nccl, nodes);
    nccl->at.func = func;
    nccl->request.bytes = bytes;
    nccl->parameters[CS_NCCL_P_GATHER_COPY] = 0;
    nccl->parameters[CS_NCCL_P_LL_BASE] = 6;
    nccl->parameters[CS_NCCL_P_SIMPLE_BASE] = 8;
    nccl->parameters[CS_NCCL_P_LL_STEP] = 2;
    nccl->parameters[CS_NCCL_P_SIMPLE_STEP] = 5;
    nccl->parameters[CS_NCCL_P_NET_RING_SIMPLE] = 6;
    nccl->parameters[CS_NCCL_P_NET_LL] = 1;
    nccl->parameters[CS_NCCL_P_NET_TREE_SIMPLE] = 3;
}

/* Microseconds of the three parts, and their sum. */
static void assert_call(const struct round_nccl *nccl, double base, double steps, double transfer)
{
    struct cs_library_time time;

    cs_nccl_call_time(&nccl->at, nccl->at.channels, &time);
    round_nccl_near(time.latency_s * 1e6, steps);
    round_nccl_near(time.transfer_s * 1e6, transfer);
    round_nccl_near(time.total_s * 1e6, base + steps + transfer);
}

/* 7 steps, or 14 of an all-reduce, with 7/8 of the vector each way at 400 GB/s; LL is
 * limited to 141. */
NCCL_TEST(a_ring_in_a_node_takes_a_step_for_each_other_rank)
{
    open_call(nccl, 1, CS_NCCL_ALL_REDUCE, 4000000);
    assert_call(nccl, 8, 14 * 5, 17.5);
    open_call(nccl, 1, CS_NCCL_ALL_GATHER, 4000000);
    assert_call(nccl, 8, 7 * 5, 8.75);
    open_call(nccl, 1, CS_NCCL_REDUCE_SCATTER, 4000000);
    assert_call(nccl, 8, 7 * 5, 8.75);
    nccl->at.protocol = CS_NCCL_LL;
    assert_call(nccl, 6, 7 * 2, 3500 / 141.0);
}

/* Of 30 steps over 16 ranks two cross between the nodes. */
NCCL_TEST(a_ring_over_nodes_crosses_once_for_each_other_node)
{
    open_call(nccl, 2, CS_NCCL_ALL_REDUCE, 4000000);
    assert_call(nccl, 8, 28 * 5 + 2 * 6, 2 * 4000 * 15 / 16.0 / 200);
    open_call(nccl, 4, CS_NCCL_ALL_GATHER, 4000000);
    assert_call(nccl, 8, 28 * 5 + 3 * 6, 4000 * 31 / 32.0 / 200);
}

/* 64 KiB are 4 KiB for each of 16 ranks: a third of the growth to 256 KiB. */
NCCL_TEST(steps_between_nodes_grow_with_the_part_of_a_rank)
{
    open_call(nccl, 2, CS_NCCL_ALL_REDUCE, 64 << 10);
    nccl->parameters[CS_NCCL_P_NET_RING_SIMPLE_DATA] = 30;
    nccl->request.effects = CS_EFFECT_POST;
    assert_call(nccl, 8, 28 * 5 + 2 * (6 + 10), 65.536 * 1.875 / 200);
}

/* 256 KiB are 2 KiB of each of eight channels, of 16 ranks: two fifths of the growth from 512 B
 * to 16 KiB. */
NCCL_TEST(steps_of_ll_between_nodes_grow_with_the_part_of_a_channel)
{
    open_call(nccl, 2, CS_NCCL_ALL_REDUCE, 256 << 10);
    nccl->parameters[CS_NCCL_P_NET_RING_LL_DATA] = 10;
    nccl->request.effects = CS_EFFECT_POST;
    nccl->at.protocol = CS_NCCL_LL;
    assert_call(nccl, 6, 26.25 * 2 + 3.75 * (1 + 4), 262.144 * 1.875 / 100);
}

/* Steps of LL alone, and of a tree as much more as before. */
NCCL_TEST(blackwell_has_longer_steps_of_ll)
{
    open_call(nccl, 1, CS_NCCL_ALL_REDUCE, 4000000);
    nccl->parameters[CS_NCCL_P_LL_STEP_BLACKWELL] = 2;
    nccl->site.generation = 100;
    assert_call(nccl, 8, 14 * 5, 4000 * 1.75 / 400);
    nccl->at.protocol = CS_NCCL_LL;
    assert_call(nccl, 6, 14 * 4, 4000 * 1.75 / 200);
}

/* Chunks of LL are 32 KiB of each of eight channels, of LL128 576,000 B, and 128 KiB over
 * PCIe. */
NCCL_TEST(chunks_of_a_chain_are_those_of_the_protocol)
{
    open_call(nccl, 1, CS_NCCL_BROADCAST, 40 << 20);
    nccl->parameters[CS_NCCL_P_CHAIN_FILL] = 0.1;
    nccl->parameters[CS_NCCL_P_LL128_STEP] = 3;
    nccl->parameters[CS_NCCL_P_PCIE_SIMPLE_STEP] = 5;
    nccl->request.effects = CS_EFFECT_FILL;
    nccl->at.protocol = CS_NCCL_LL;
    assert_call(nccl, 6, 14 + 0.7 * 262.144 / 141, 40 * mib / 141e3);
    nccl->at.protocol = CS_NCCL_LL128;
    assert_call(nccl, 8, 21 + 0.7 * 4608 / 368, 40 * mib / 368e3);
    nccl->at.protocol = CS_NCCL_SIMPLE;
    nccl->site.gpu_path = CS_PATH_SWITCH;
    nccl->site.pcie_Bps = 24e9;
    nccl->site.ring_Bps = 20e9;
    nccl->site.generation = 70;
    assert_call(nccl, 8, 35 + 0.7 * 1048.576 / 20, 40 * mib / 20e3);
}

/* 1.25 us of a step's transfer hide 1/65 of its latency, 10 us all but 1/17; a turn of
 * half a step at each of the rounds remains. */
NCCL_TEST(transfers_hide_the_latency_of_a_ring)
{
    open_call(nccl, 1, CS_NCCL_ALL_REDUCE, 4000000);
    nccl->parameters[CS_NCCL_P_RING_HIDE] = 2;
    nccl->parameters[CS_NCCL_P_RING_TURN] = 0.5;
    nccl->at.chunk_bytes = 128 << 10;
    nccl->request.effects = CS_EFFECT_FILL;
    assert_call(nccl, 8, 14 * 5 * 64 / 65.0, 17.5);
    /* 400 MB are 48 rounds of 8 x 8 x 128 KiB. */
    nccl->request.bytes = 400000000;
    assert_call(nccl, 8, 14 * 48 * 2.5, 1750);
}

/* Over two nodes half of a step of 6 us remains, and 1 us more of it where a host of AMD posts. */
NCCL_TEST(a_turn_between_nodes_is_not_hidden)
{
    open_call(nccl, 2, CS_NCCL_ALL_REDUCE, 400000000);
    nccl->parameters[CS_NCCL_P_RING_HIDE] = 2;
    nccl->parameters[CS_NCCL_P_RING_TURN] = 0.1;
    nccl->parameters[CS_NCCL_P_NET_TURN] = 0.5;
    nccl->request.effects = CS_EFFECT_FILL;
    assert_call(nccl, 8, 30 * 3, 3750);
    nccl->site.cpu_is_amd = true;
    assert_call(nccl, 8, 30 * 3.5, 3750);
}

/* From Ampere on the copy of the own block beside seven takes its time, of links above
 * 40 GB/s; slower ones lose what they have above 40 / 1.1 GB/s, so that no faster link
 * takes longer. */
NCCL_TEST(an_all_gather_copies_its_own_block)
{
    open_call(nccl, 1, CS_NCCL_ALL_GATHER, 4000000);
    nccl->parameters[CS_NCCL_P_GATHER_COPY] = 0.7;
    assert_call(nccl, 8, 35, 8.75 * 1.1);
    nccl->site.generation = 70;
    assert_call(nccl, 8, 35, 8.75);
    nccl->site.generation = 90;
    nccl->site.ring_Bps = 40e9;
    assert_call(nccl, 8, 35, 87.5 * 1.1);
    nccl->site.ring_Bps = 38e9;
    assert_call(nccl, 8, 35, 87.5 * 1.1);
    nccl->site.ring_Bps = 36e9;
    assert_call(nccl, 8, 35, 3500 / 36.0);
}

/* Eight channels of 5 GB/s where blocks are not aligned to 16 B. */
NCCL_TEST(unaligned_blocks_are_copied_by_element)
{
    open_call(nccl, 1, CS_NCCL_REDUCE_SCATTER, 4000000);
    nccl->parameters[CS_NCCL_P_UNALIGNED_BLOCK] = 5;
    nccl->parameters[CS_NCCL_P_DRAIN_NEW] = 0;
    nccl->at.by_element = true;
    nccl->request.effects = CS_EFFECT_CHANNELS;
    assert_call(nccl, 8, 35, 3500 / 40.0);
    nccl->request.collective = &cs_collective_reducescatter;
    nccl->request.bytes = 128000;
    assert_false(cs_nccl_copies_by_element(&nccl->request));
    nccl->request.bytes += 32;
    assert_true(cs_nccl_copies_by_element(&nccl->request));
    nccl->request.bytes += 4;
    assert_false(cs_nccl_copies_by_element(&nccl->request));
    nccl->request.bytes -= 4;
    nccl->request.collective = &cs_collective_allreduce;
    assert_false(cs_nccl_copies_by_element(&nccl->request));
}

/* 30 us of 24 channels from 4 MiB on, half of it at 512 KiB; all of it between nodes. */
NCCL_TEST(full_channels_start_and_end_slowly)
{
    open_call(nccl, 1, CS_NCCL_REDUCE_SCATTER, 4 << 20);
    nccl->parameters[CS_NCCL_P_DRAIN_NEW] = 30;
    nccl->parameters[CS_NCCL_P_DRAIN_OLD] = 60;
    nccl->request.effects = CS_EFFECT_CHANNELS;
    assert_call(nccl, 8, 35 + 10, 3.5 * mib / 400e3);
    nccl->request.bytes = 512 << 10;
    assert_call(nccl, 8, 35 + 5, 0.4375 * mib / 400e3);
    nccl->site.generation = 80;
    assert_call(nccl, 8, 35 + 10, 0.4375 * mib / 400e3);
    open_call(nccl, 2, CS_NCCL_REDUCE_SCATTER, 4 << 20);
    nccl->parameters[CS_NCCL_P_DRAIN_NEW] = 30;
    nccl->request.effects = CS_EFFECT_CHANNELS;
    assert_call(nccl, 8, 14 * 5 + 6 + 30, 3.75 * mib / 200e3);
    nccl->at.protocol = CS_NCCL_LL;
    assert_call(nccl, 6, 13.125 * 2 + 1.875, 3.75 * mib / 100e3);
}

/* A tenth of the chain's steps shows in a series of calls, a twentieth of the fill, or
 * .6 of it where each call waits for its end. */
NCCL_TEST(calls_of_a_series_overlap_on_the_chain_of_a_node)
{
    open_call(nccl, 1, CS_NCCL_BROADCAST, 1 << 20);
    nccl->parameters[CS_NCCL_P_CHAIN_STEP] = 0.1;
    nccl->parameters[CS_NCCL_P_CHAIN_FILL] = 0.05;
    nccl->parameters[CS_NCCL_P_CHAIN_FILL_ALONE] = 0.6;
    nccl->parameters[CS_NCCL_P_LAUNCH_ALONE] = 0;
    assert_call(nccl, 8, 3.5, mib / 400e3);
    nccl->request.effects = CS_EFFECT_FILL;
    assert_call(nccl, 8, 3.5 + 0.05 * 7 * mib / 400e3, mib / 400e3);
    nccl->request.blocking = true;
    assert_call(nccl, 8, 3.5 + 0.6 * 7 * mib / 400e3, mib / 400e3);
    /* Chunks of 512 KiB of eight channels. */
    nccl->request.bytes = 40 << 20;
    assert_call(nccl, 8, 3.5 + 0.6 * 7 * 4 * mib / 400e3, 40 * mib / 400e3);
}

/* 80,000 B take three channels of 32 KiB, of which the last is not full. */
NCCL_TEST(a_small_call_fills_all_channels_but_the_last)
{
    open_call(nccl, 1, CS_NCCL_REDUCE, 80000);
    assert_call(nccl, 8, 35, 3 * 32768 / 400e3);
    nccl->request.bytes = 8000;
    assert_call(nccl, 8, 35, 8000 / 400e3);
}

/* Over two nodes 14 hops inside at 400 GB/s and one between at 200 pass a chunk whole;
 * with one channel, or with rings of one order, calls overlap. */
NCCL_TEST(a_chain_over_nodes_passes_its_first_chunks_alone)
{
    open_call(nccl, 2, CS_NCCL_BROADCAST, 1 << 20);
    nccl->parameters[CS_NCCL_P_CHAIN_STEP] = 0.1;
    nccl->parameters[CS_NCCL_P_CHAIN_FILL] = 0.05;
    nccl->request.effects = CS_EFFECT_FILL;
    assert_call(nccl, 8, 14 * 5 + 6 + mib / 1e3 * (14 / 400.0 + 1 / 200.0), mib / 200e3);
    assert_non_null(cs_nccl_chain_remark(&nccl->at));
    nccl->at.same_order = true;
    assert_call(nccl, 8, 7.6 + 0.05 * 15 * mib / 200e3, mib / 200e3);
    assert_null(cs_nccl_chain_remark(&nccl->at));
    nccl->at.same_order = false;
    nccl->at.channels = 1;
    assert_call(nccl, 8, 7.6 + 0.05 * 15 * mib / 200e3, mib / 200e3);
}

/* 14 hops inside, at half of the ring's rate and .92 of it; between nodes two hops for
 * each level; a middle node has three edges from four nodes on, in half a tree, and two of
 * three nodes. */
NCCL_TEST(a_tree_goes_up_and_down_in_nodes_and_between)
{
    open_call(nccl, 1, CS_NCCL_ALL_REDUCE, 4000000);
    nccl->at.engine = CS_NCCL_TREE;
    assert_call(nccl, 8, 14 * 5, 4000 / 184.0);
    open_call(nccl, 2, CS_NCCL_ALL_REDUCE, 4000000);
    nccl->at.engine = CS_NCCL_TREE;
    nccl->parameters[CS_NCCL_P_TREE_RATE] = 0.5;
    assert_call(nccl, 8, 14 * 5 + 2 * 3, 4000 / 100.0);
    open_call(nccl, 3, CS_NCCL_ALL_REDUCE, 4000000);
    nccl->at.engine = CS_NCCL_TREE;
    nccl->parameters[CS_NCCL_P_TREE_RATE] = 0.5;
    assert_call(nccl, 8, 14 * 5 + 2 * 3, 4000 / (100 / 1.5));
    open_call(nccl, 4, CS_NCCL_ALL_REDUCE, 4000000);
    nccl->at.engine = CS_NCCL_TREE;
    nccl->parameters[CS_NCCL_P_TREE_RATE] = 0.5;
    assert_call(nccl, 8, 14 * 5 + 4 * 3, 4000 / 50.0);
    nccl->at.protocol = CS_NCCL_LL;
    assert_call(nccl, 6, 14 * 2 * 1.8 + 4 * 1, 4000 / 25.0);
}

/* The first chunks, 8 x 64 KiB, pass all hops before the others follow at 50 GB/s. */
NCCL_TEST(a_tree_fills_with_the_first_chunks)
{
    double loop = 8 * 65.536;

    open_call(nccl, 4, CS_NCCL_ALL_REDUCE, 4000000);
    nccl->at.engine = CS_NCCL_TREE;
    nccl->at.chunk_bytes = 64 << 10;
    nccl->parameters[CS_NCCL_P_TREE_RATE] = 0.5;
    nccl->request.effects = CS_EFFECT_FILL;
    assert_call(nccl, 8, 14 * 5 + 4 * 3 + loop * (14 / 184.0 + 4 / 100.0 - 1 / 50.0), 4000 / 50.0);
    nccl->request.bytes = 100000;
    assert_call(nccl, 8, 14 * 5 + 4 * 3 + 100 * (14 / 184.0 + 4 / 100.0 - 1 / 50.0), 100 / 50.0);
}

/* From 1 to 16 MiB, between nodes and not with LL. */
NCCL_TEST(full_channels_of_a_tree_start_and_end_slowly)
{
    for (uint32_t nodes = 1; nodes <= 2; nodes++) {
        double most = nodes > 1 ? 48 : 0;
        double steps = 14 * 5 + (nodes > 1 ? 2 * 3 : 0);
        double rate = 184;

        open_call(nccl, nodes, CS_NCCL_ALL_REDUCE, 1 << 20);
        nccl->at.engine = CS_NCCL_TREE;
        nccl->request.effects = CS_EFFECT_CHANNELS;
        nccl->parameters[CS_NCCL_P_TREE_DRAIN] = 48;
        assert_call(nccl, 8, steps, (1 << 20) / (1e3 * rate));
        nccl->request.bytes = 4 << 20;
        assert_call(nccl, 8, steps + most / 2, (4 << 20) / (1e3 * rate));
        nccl->request.bytes = 64 << 20;
        assert_call(nccl, 8, steps + most, (64 << 20) / (1e3 * rate));
    }
}

/* 8/9 of 450 GB/s at .8; four turns of the chunks of eight heads and channels.  64 GPUs have 32
 * heads, and gather 63/64 of a vector. */
NCCL_TEST(nvls_moves_a_vector_once_at_the_rate_of_the_links)
{
    open_call(nccl, 1, CS_NCCL_ALL_REDUCE, 32 << 20);
    nccl->at.engine = CS_NCCL_NVLS;
    nccl->at.chunk_bytes = 128 << 10;
    nccl->parameters[CS_NCCL_P_NVLS_BASE] = 26;
    nccl->parameters[CS_NCCL_P_NVLS_TURN] = 2;
    nccl->parameters[CS_NCCL_P_NVLS_RATE_HOPPER] = 0.8;
    nccl->parameters[CS_NCCL_P_NVLS_RATE_BLACKWELL] = 0.4;
    assert_call(nccl, 26, 0, 32 * mib / 320e3);
    nccl->request.effects = CS_EFFECT_FILL;
    assert_call(nccl, 26, 2 * 8 * mib / 320e3 + 4 * 2, 32 * mib / 320e3);
    nccl->request.bytes = 1 << 20;
    assert_call(nccl, 26, 2 * mib / 320e3 + 2, mib / 320e3);
    nccl->site.generation = 100;
    assert_call(nccl, 26, 2 * mib / 160e3 + 2, mib / 160e3);
    nccl->request.effects = CS_EFFECT_NONE;
    nccl->site.ranks = nccl->site.node_ranks = 64;
    assert_call(nccl, 26, 0, mib / (180e3 * 32 / 33));
    nccl->at.func = CS_NCCL_ALL_GATHER;
    assert_call(nccl, 26, 0, mib / (180e3 * 63 / 64));
}

/* .9 of NVLS inside, 200 GB/s between two nodes, half of it between more. */
NCCL_TEST(nvls_trees_join_nodes_two_hops_a_level)
{
    for (uint32_t nodes = 2; nodes <= 8; nodes *= 2) {
        double hops = nodes == 8 ? 6 : nodes;
        double rate = nodes == 2 ? 200 : 100;

        open_call(nccl, nodes, CS_NCCL_ALL_REDUCE, 32 << 20);
        nccl->at.engine = CS_NCCL_NVLS_TREE;
        nccl->at.chunk_bytes = 128 << 10;
        nccl->parameters[CS_NCCL_P_NVLS_BASE] = 26;
        nccl->parameters[CS_NCCL_P_NVLS_RATE_HOPPER] = 0.8;
        nccl->parameters[CS_NCCL_P_NET_NVLS_SHARE] = 0.9;
        nccl->parameters[CS_NCCL_P_NET_NVLS] = 20;
        assert_call(nccl, 21, hops * 20, 32 * mib / (1e3 * rate));
        nccl->request.effects = CS_EFFECT_FILL;
        assert_call(nccl, 21, hops * 20 + 8 * mib / 1e3 * (2 / 288.0 + hops / 200 - 1 / rate),
                    32 * mib / (1e3 * rate));
    }
    /* NVLS over nodes is that tree, too. */
    nccl->at.engine = CS_NCCL_NVLS;
    nccl->request.effects = CS_EFFECT_NONE;
    assert_call(nccl, 21, 6 * 20, 32 * mib / 100e3);
    /* Eight proxies of Grace send chunks of 64 KiB twice, 5.3 us each. */
    nccl->site.cpu_is_arm = true;
    nccl->at.chunk_bytes = 64 << 10;
    nccl->request.effects = CS_EFFECT_POST;
    assert_call(nccl, 21, 6 * 20, 32 * mib / (8 * (64 << 10)) * 2 * 5.3);
}

/* Nodes of one GPU: two levels of 6 us and 2.8 us for each rank. */
NCCL_TEST(pat_takes_a_step_a_level_and_work_for_each_rank)
{
    open_call(nccl, 4, CS_NCCL_ALL_GATHER, 4000000);
    nccl->site.node_ranks = 1;
    nccl->site.ranks = 4;
    nccl->at.engine = CS_NCCL_PAT;
    assert_call(nccl, 8, 2 * 6 + 4 * 2.8, 3000 / 200.0);
}

/* A thread that launches eight GPUs takes 8 x 4 us beside the 30 us of the device; the
 * corner of power 2 is a sum of squares. */
NCCL_TEST(the_slower_of_host_and_device_sets_the_pace)
{
    struct cs_nccl_parts device = {.base = 10, .steps = 15, .transfer = 5};
    struct cs_library_time time;

    open_call(nccl, 1, CS_NCCL_ALL_REDUCE, 8);
    nccl->parameters[CS_NCCL_P_LAUNCH_CORNER] = 2;
    nccl->parameters[CS_NCCL_P_LAUNCH_ALONE] = 7;
    nccl->parameters[CS_NCCL_P_GRAPH_GAIN] = 4;
    cs_nccl_set_time(&nccl->at, device, 5, &time);
    round_nccl_near(time.total_s * 1e6, 30);
    round_nccl_near(time.launch_s * 1e6, 10);
    nccl->request.effects = CS_EFFECT_LAUNCH;
    cs_nccl_set_time(&nccl->at, device, 40, &time);
    round_nccl_near(time.total_s * 1e6, 50);
    round_nccl_near(time.launch_s * 1e6, 30);
    nccl->request.one_process = true;
    cs_nccl_set_time(&nccl->at, device, 5, &time);
    round_nccl_near(time.total_s * 1e6, 50);
    nccl->request.blocking = true;
    cs_nccl_set_time(&nccl->at, device, 5, &time);
    round_nccl_near(time.total_s * 1e6, 37);
    nccl->request.graph = true;
    cs_nccl_set_time(&nccl->at, device, 5, &time);
    round_nccl_near(time.total_s * 1e6, 26);
    nccl->parameters[CS_NCCL_P_GRAPH_GAIN] = 20;
    cs_nccl_set_time(&nccl->at, device, 5, &time);
    round_nccl_near(time.total_s * 1e6, 15);
}

/* To 2.12 each channel but the first fetches its work. */
NCCL_TEST(old_versions_fetch_the_work_of_channels)
{
    open_call(nccl, 1, CS_NCCL_ALL_REDUCE, 0);
    nccl->parameters[CS_NCCL_P_CHANNEL_WORK] = 3;
    nccl->request.effects = CS_EFFECT_CHANNELS;
    assert_call(nccl, 8, 70, 0);
    nccl->request.version = 21200;
    assert_call(nccl, 8 + 7 * 3, 70, 0);
    nccl->request.version = 21300;
    assert_call(nccl, 8, 70, 0);
    nccl->request.version = 0;
    assert_call(nccl, 8, 70, 0);
}
