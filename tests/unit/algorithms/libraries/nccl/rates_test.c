/* Rates and steps of NCCL, by hand. */
#include "algorithms/libraries/nccl/rates.h"

#include "tests/unit/algorithms/libraries/round_nccl.h"

TEST(growth_is_linear_in_the_logarithm)
{
    round_nccl_near(cs_nccl_ramp(128, 128, 32768), 0);
    round_nccl_near(cs_nccl_ramp(2048, 128, 32768), 0.5);
    round_nccl_near(cs_nccl_ramp(32768, 128, 32768), 1);
    round_nccl_near(cs_nccl_ramp(1e9, 128, 32768), 1);
    round_nccl_near(cs_nccl_round_max(3, 4, 2), 5);
    round_nccl_near(cs_nccl_round_max(0, 0, 2), 0);
}

/* 2 KiB are half of the growth from 128 B to 32 KiB; LL grows to 4 KiB a channel. */
NCCL_TEST(steps_inside_a_node_grow_with_their_bytes)
{
    round_nccl_open(nccl, 1);
    nccl->parameters[CS_NCCL_P_LL_STEP] = 2;
    nccl->parameters[CS_NCCL_P_LL128_STEP] = 3;
    nccl->parameters[CS_NCCL_P_SIMPLE_STEP] = 5;
    nccl->parameters[CS_NCCL_P_PCIE_LL_STEP] = 7;
    nccl->parameters[CS_NCCL_P_PCIE_SIMPLE_STEP] = 11;
    nccl->parameters[CS_NCCL_P_LL_DATA_OLD] = 13;
    nccl->parameters[CS_NCCL_P_LL_DATA_NEW] = 17;
    nccl->parameters[CS_NCCL_P_LL128_DATA] = 19;
    nccl->parameters[CS_NCCL_P_SIMPLE_DATA] = 23;
    round_nccl_near(cs_nccl_local_step(&nccl->at, 1e6), 5);
    nccl->request.effects = CS_EFFECT_STEPS;
    round_nccl_near(cs_nccl_local_step(&nccl->at, 128), 5);
    round_nccl_near(cs_nccl_local_step(&nccl->at, 2048), 5 + 11.5);
    round_nccl_near(cs_nccl_local_step(&nccl->at, 32768), 5 + 23);
    nccl->at.protocol = CS_NCCL_LL128;
    round_nccl_near(cs_nccl_local_step(&nccl->at, 2048), 3 + 9.5);
    nccl->at.protocol = CS_NCCL_LL;
    nccl->at.channels = 4;
    round_nccl_near(cs_nccl_local_step(&nccl->at, 4 * 512), 2 + 0.4 * 17);
    round_nccl_near(cs_nccl_local_step(&nccl->at, 4 * 4096), 2 + 17);
    nccl->site.generation = 80;
    round_nccl_near(cs_nccl_local_step(&nccl->at, 4 * 4096), 2 + 13);
    nccl->site.gpu_path = CS_PATH_SWITCH;
    round_nccl_near(cs_nccl_local_step(&nccl->at, 4 * 4096), 7 + 13);
    nccl->at.protocol = CS_NCCL_SIMPLE;
    nccl->site.generation = 70;
    round_nccl_near(cs_nccl_local_step(&nccl->at, 2048), 11 + 11.5);
    /* By the clock of the board, 1.53 GHz of a V100 and 2.52 of an RTX 4090; of AMD as it is. */
    nccl->site.generation = 89;
    round_nccl_near(cs_nccl_local_step(&nccl->at, 2048), 11 * 1.53 / 2.52 + 11.5);
    nccl->site.maker = CS_MAKER_AMD;
    round_nccl_near(cs_nccl_local_step(&nccl->at, 2048), 11 + 11.5);
}

/* LL is limited by generation: 39, 87.7, 141 and 282 GB/s of NCCL's tuner. */
NCCL_TEST(rings_of_links_have_a_rate_by_protocol_and_generation)
{
    static const struct {
        uint32_t generation;
        double ll, block;
    } limits[] = {
        {70, 39, 4}, {80, 87.7, 4}, {90, 141, 4 * 141 / 87.7}, {100, 200, 4 * 282 / 87.7}};

    round_nccl_open(nccl, 1);
    nccl->parameters[CS_NCCL_P_BLOCK] = 20;
    nccl->parameters[CS_NCCL_P_LL_BLOCK] = 4;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 400);
    round_nccl_near(cs_nccl_block_rate(&nccl->at), 36.7);
    nccl->at.protocol = CS_NCCL_LL128;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 368);
    round_nccl_near(cs_nccl_block_rate(&nccl->at), 20);
    nccl->at.protocol = CS_NCCL_LL;
    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
        nccl->site.generation = limits[i].generation;
        round_nccl_near(cs_nccl_local_rate(&nccl->at), limits[i].ll);
        round_nccl_near(cs_nccl_block_rate(&nccl->at), limits[i].block);
    }
    nccl->site.ring_Bps = 60e9;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 30);
    nccl->site.node_ranks = 1;
    assert_true(isinf(cs_nccl_local_rate(&nccl->at)));
}

/* Of the wires, rings reach a share; more over the direct links of Volta. */
NCCL_TEST(rings_reach_a_share_of_the_links)
{
    round_nccl_open(nccl, 1);
    nccl->parameters[CS_NCCL_P_RING_RATE] = 0.9;
    nccl->parameters[CS_NCCL_P_RING_RATE_BLACKWELL] = 0.8;
    nccl->parameters[CS_NCCL_P_MESH_RATE] = 1.5;
    nccl->request.effects = CS_EFFECT_CAPS;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 360);
    nccl->site.generation = 100;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 320);
    nccl->site.generation = 70;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 360);
    nccl->site.has_switch = false;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 540);
    nccl->site.generation = 80;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 360);
}

/* Four of 16 channels: a quarter, or 4 x 36.7 GB/s of Hopper's thread blocks, 20 of
 * Ampere's, 40 of Blackwell's. */
NCCL_TEST(fewer_channels_move_what_their_thread_blocks_can)
{
    round_nccl_open(nccl, 1);
    nccl->at.ring_channels = 16;
    round_nccl_near(cs_nccl_by_channels(&nccl->at, 400), 400);
    nccl->at.most_channels = 16;
    round_nccl_near(cs_nccl_by_channels(&nccl->at, 400), 400);
    nccl->at.most_channels = 4;
    round_nccl_near(cs_nccl_by_channels(&nccl->at, 400), 146.8);
    round_nccl_near(cs_nccl_by_channels(&nccl->at, 100), 100);
    nccl->site.generation = 100;
    round_nccl_near(cs_nccl_by_channels(&nccl->at, 400), 160);
    nccl->site.generation = 80;
    round_nccl_near(cs_nccl_by_channels(&nccl->at, 400), 100);
    nccl->site.generation = 90;
    nccl->at.protocol = CS_NCCL_LL;
    round_nccl_near(cs_nccl_by_channels(&nccl->at, 400), 100);
}

static void open_pcie(struct round_nccl *nccl, enum cs_site_path path)
{
    round_nccl_open(nccl, 1);
    nccl->site.gpu_path = path;
    nccl->site.pcie_Bps = 24e9;
    nccl->site.ring_Bps = 0;
    nccl->parameters[CS_NCCL_P_PEER_RATE_SWITCH] = 0.75;
    nccl->parameters[CS_NCCL_P_PEER_RATE_HOST] = 0.5;
    nccl->parameters[CS_NCCL_P_PEER_RATE_SOCKETS] = 0.9;
    nccl->parameters[CS_NCCL_P_STAGED_RATE_MANY] = 0.25;
    nccl->parameters[CS_NCCL_P_STAGED_RATE_BOTH_WAYS] = 0.375;
    nccl->parameters[CS_NCCL_P_STAGED_RATE_ONE_WAY] = 0.875;
    nccl->request.effects = CS_EFFECT_CAPS | CS_EFFECT_STAGING;
}

NCCL_TEST(pcie_rings_reach_a_share_by_their_path)
{
    open_pcie(nccl, CS_PATH_SWITCH);
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 18);
    nccl->at.protocol = CS_NCCL_LL;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 9);
    nccl->at.protocol = CS_NCCL_LL128;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 18);
    open_pcie(nccl, CS_PATH_HOST);
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 12);
    nccl->site.cpu_is_amd = true; /* all of PCIe 4, 38 GB/s of PCIe 5 */
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 24);
    nccl->site.pcie_Bps = 48e9;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 38);
    open_pcie(nccl, CS_PATH_SOCKET);
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 18);
    nccl->site.socket_Bps = 10e9;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 9);
    nccl->site.ring_Bps = 5e9;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 5);
    nccl->request.effects = CS_EFFECT_NONE;
    nccl->site.ring_Bps = 0;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 24);
}

NCCL_TEST(gpus_without_peer_access_copy_through_host_memory)
{
    open_pcie(nccl, CS_PATH_HOST);
    nccl->site.peer_access = false;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 6);
    nccl->site.ring_uplink_Bps = 4e9;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 1); /* a quarter, as of the lanes */
    nccl->site.ring_uplink_Bps = 0;
    nccl->site.node_ranks = 2;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 9);
    nccl->at.func = CS_NCCL_BROADCAST;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 21);
    nccl->at.func = CS_NCCL_REDUCE;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 21);
    nccl->request.effects = CS_EFFECT_CAPS;
    round_nccl_near(cs_nccl_local_rate(&nccl->at), 24);
}

static void open_net(struct round_nccl *nccl, enum cs_network_id net)
{
    round_nccl_open(nccl, 2);
    nccl->site.net = net;
    for (unsigned p = 0; p < 3; p++) {
        nccl->parameters[CS_NCCL_P_NET_TREE_LL_DATA + p] = 10 + 10 * p;
        nccl->parameters[CS_NCCL_P_NET_RING_LL_DATA + p] = 40 + 10 * p;
    }
    nccl->parameters[CS_NCCL_P_NET_LL] = 1;
    nccl->parameters[CS_NCCL_P_NET_TREE_SIMPLE] = 3;
    nccl->parameters[CS_NCCL_P_NET_RING_LL128] = 5;
    nccl->parameters[CS_NCCL_P_NET_RING_SIMPLE] = 6;
    nccl->parameters[CS_NCCL_P_EFA1_STEP] = 7;
    nccl->parameters[CS_NCCL_P_EFA2_STEP] = 9;
    nccl->parameters[CS_NCCL_P_EFA1_DATA] = 100;
    nccl->parameters[CS_NCCL_P_EFA2_DATA] = 27;
    nccl->parameters[CS_NCCL_P_PLUGIN_DATA] = 3;
    nccl->parameters[CS_NCCL_P_SLINGSHOT_STEP] = 2;
    nccl->parameters[CS_NCCL_P_SLINGSHOT_DATA] = 20;
    nccl->parameters[CS_NCCL_P_STAGED_NET_STEP] = 11;
    nccl->parameters[CS_NCCL_P_STAGED_NET_DATA] = 31;
    nccl->parameters[CS_NCCL_P_P2P_POST] = 2;
    nccl->request.effects = CS_EFFECT_POST | CS_EFFECT_PLUGIN | CS_EFFECT_STAGING;
}

/* Half of the growth: of proxy threads, and of plugins or copies. */
NCCL_TEST(steps_between_nodes_add_plugins_and_copies)
{
    open_net(nccl, CS_NET_IB);
    round_nccl_near(cs_nccl_net_step(&nccl->at, 0.5), 6 + 30);
    nccl->at.protocol = CS_NCCL_LL;
    round_nccl_near(cs_nccl_net_step(&nccl->at, 0.5), 1 + 20);
    nccl->at.protocol = CS_NCCL_LL128;
    round_nccl_near(cs_nccl_net_step(&nccl->at, 0.5), 5 + 25);
    nccl->at.protocol = CS_NCCL_LL;
    nccl->at.engine = CS_NCCL_TREE;
    round_nccl_near(cs_nccl_net_step(&nccl->at, 0.5), 1 + 5);
    nccl->request.effects = CS_EFFECT_NONE;
    round_nccl_near(cs_nccl_net_step(&nccl->at, 0.5), 1);
    open_net(nccl, CS_NET_IB);
    nccl->site.gdr = false;
    round_nccl_near(cs_nccl_net_step(&nccl->at, 0.5), 6 + 11 + (31 + 60) * 0.5);
    open_net(nccl, CS_NET_SLINGSHOT);
    round_nccl_near(cs_nccl_net_step(&nccl->at, 0.5), 6 + 2 + (20 + 60) * 0.5);
    open_net(nccl, CS_NET_EFA2);
    round_nccl_near(cs_nccl_net_step(&nccl->at, 0.5), 6 + 9 + (27 + 60) * 0.5);
    /* Of the first generation, receivers of Simple read back through the adapter. */
    open_net(nccl, CS_NET_EFA1);
    round_nccl_near(cs_nccl_net_step(&nccl->at, 0.5), 6 + 14 + (100 + 60) * 0.5);
    nccl->at.protocol = CS_NCCL_LL;
    round_nccl_near(cs_nccl_net_step(&nccl->at, 0.5), 1 + 7 + (100 + 40) * 0.5);
}

/* Three more posts of four queue pairs, to NCCL 2.19 or where the user says so. */
NCCL_TEST(divided_messages_take_a_post_for_each_queue_pair)
{
    open_net(nccl, CS_NET_ROCE);
    nccl->site.queue_pairs = 4;
    round_nccl_near(cs_nccl_more_posts(&nccl->at), 0);
    nccl->request.version = 21999;
    round_nccl_near(cs_nccl_more_posts(&nccl->at), 6);
    round_nccl_near(cs_nccl_net_step(&nccl->at, 0), 6 + 6);
    nccl->site.split = CS_SPLIT_NO;
    round_nccl_near(cs_nccl_more_posts(&nccl->at), 0);
    nccl->site.split = CS_SPLIT_YES;
    nccl->request.version = 22300;
    round_nccl_near(cs_nccl_more_posts(&nccl->at), 6);
    nccl->site.net = CS_NET_EFA2;
    round_nccl_near(cs_nccl_more_posts(&nccl->at), 0);
}

NCCL_TEST(adapters_have_a_rate_by_protocol_and_plugin)
{
    static const struct {
        enum cs_network_id net;
        unsigned parameter;
    } plugins[] = {
        {CS_NET_IB, CS_NCCL_P_VERBS_RATE},      {CS_NET_ROCE, CS_NCCL_P_VERBS_RATE},
        {CS_NET_EFA1, CS_NCCL_P_EFA1_RATE},     {CS_NET_EFA2, CS_NCCL_P_EFA2_RATE},
        {CS_NET_TCPX, CS_NCCL_P_TCPX_RATE},     {CS_NET_TCPXO, CS_NCCL_P_TCPXO_RATE},
        {CS_NET_SOCKET, CS_NCCL_P_SOCKET_RATE}, {CS_NET_SLINGSHOT, CS_NCCL_P_SLINGSHOT_RATE},
    };

    round_nccl_open(nccl, 2);
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 200);
    nccl->at.protocol = CS_NCCL_LL;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 100);
    nccl->at.protocol = CS_NCCL_LL128;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 187.5);
    for (size_t i = 0; i < sizeof(plugins) / sizeof(*plugins); i++) {
        round_nccl_open(nccl, 2);
        nccl->request.effects = CS_EFFECT_CAPS;
        nccl->site.net = plugins[i].net;
        nccl->parameters[plugins[i].parameter] = 0.6;
        round_nccl_near(cs_nccl_net_rate(&nccl->at), 120);
    }
}

/* The site's rate is payload; without the effect headers have their share back. */
NCCL_TEST(headers_and_host_memory_limit_the_adapters)
{
    round_nccl_open(nccl, 2);
    nccl->site.payload_share = 0.8;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 250);
    nccl->request.effects = CS_EFFECT_PAYLOAD | CS_EFFECT_STAGING;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 200);
    assert_true(isinf(cs_nccl_host_rate(&nccl->at)));
    nccl->site.gdr = false;
    nccl->parameters[CS_NCCL_P_STAGED_NET_RATE] = 0.5;
    nccl->parameters[CS_NCCL_P_EFA1_PROCESS] = 7;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 100);
    /* Two CPUs of 100 GB/s: data in and out are written and read. */
    nccl->site.cpus = 2;
    nccl->site.host_Bps = 100e9;
    round_nccl_near(cs_nccl_host_rate(&nccl->at), 50);
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 50);
    nccl->site.cpus = 4;
    /* Of the eight GPUs of a ring with one order, eight adapters: a process copies 7 GB/s. */
    nccl->site.net = CS_NET_EFA1;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 56);
    nccl->site.net = CS_NET_IB;
    /* A lone GPU's blocks write to host memory and read there, in a broadcast one of both. */
    nccl->site.node_ranks = 1;
    nccl->site.pcie_Bps = 24e9;
    nccl->parameters[CS_NCCL_P_STAGED_RATE_BOTH_WAYS] = 0.375;
    nccl->parameters[CS_NCCL_P_STAGED_RATE_ONE_WAY] = 0.875;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 9);
    nccl->at.func = CS_NCCL_BROADCAST;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 21);
}

NCCL_TEST(channels_and_gpus_have_their_part_of_the_adapters)
{
    round_nccl_open(nccl, 2);
    round_nccl_near(cs_nccl_channels_net_rate(&nccl->at, 2), 50);
    round_nccl_near(cs_nccl_channels_net_rate(&nccl->at, 20), 200);
    round_nccl_near(cs_nccl_gpu_net_rate(&nccl->at), 25);
    /* EFA joins the adapters of a GPU. */
    nccl->site.adapters = 32;
    nccl->site.net = CS_NET_EFA2;
    round_nccl_near(cs_nccl_channels_net_rate(&nccl->at, 8), 200);
    nccl->site.adapters = 8;
    nccl->site.net = CS_NET_IB;
    nccl->site.node_ranks = 4;
    round_nccl_near(cs_nccl_gpu_net_rate(&nccl->at), 50);
    /* Two channels leave by two of four GPUs, which share the eight adapters. */
    nccl->at.ring_channels = nccl->at.most_channels = 2;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 100);
}

/* A thread of each GPU that data leave by moves 2 GB/s; four helpers of each of eight
 * channels move what a connection does, 3 GB/s, or both directions, 4. */
NCCL_TEST(threads_move_the_data_of_sockets)
{
    round_nccl_open(nccl, 2);
    nccl->site.net = CS_NET_SOCKET;
    nccl->parameters[CS_NCCL_P_SOCKET_THREAD] = 2;
    nccl->parameters[CS_NCCL_P_SOCKET_FLOW] = 3;
    nccl->request.effects = CS_EFFECT_SOCKETS;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 16);
    nccl->at.ring_channels = 2;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 4);
    nccl->at.same_order = true;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 16);
    nccl->at.ring_channels = 8;
    nccl->site.socket_threads = 4;
    nccl->site.sockets = 1;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 8 * 4 * 3);
    nccl->site.sockets = 2;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 8 * 4 * 4);
}

/* All GPUs of a node send in an all-to-all; two of eight channels by two adapters are
 * two GPUs' threads. */
NCCL_TEST(gpus_that_send_move_data_by_their_threads)
{
    round_nccl_open(nccl, 2);
    nccl->site.net = CS_NET_SOCKET;
    nccl->parameters[CS_NCCL_P_SOCKET_THREAD] = 2;
    nccl->request.effects = CS_EFFECT_SOCKETS;
    round_nccl_near(cs_nccl_channels_net_rate(&nccl->at, 2), 4);
    round_nccl_near(cs_nccl_channels_net_rate(&nccl->at, 8), 16);
    round_nccl_near(cs_nccl_gpu_net_rate(&nccl->at), 2);
    nccl->at.ring_channels = 2;
    nccl->request.collective = &cs_collective_alltoall;
    round_nccl_near(cs_nccl_net_rate(&nccl->at), 16);
}
