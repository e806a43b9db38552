/* Groups of sends and receives of NCCL, on sites by hand. */
#include "algorithms/libraries/library.h"
#include "algorithms/libraries/nccl/parameters.h"

#include "tests/fixture.h"

/* Nodes of 8 GPUs behind NVSwitches with `adapters` of 25 GB/s. */
static struct cs_site site_of(uint32_t nodes, uint32_t adapters)
{
    return (struct cs_site){
        .ranks = 8 * nodes,
        .nodes = nodes,
        .node_ranks = 8,
        .maker = CS_MAKER_NVIDIA,
        .generation = 80,
        .has_switch = true,
        .peer_access = true,
        .gpu_path = CS_PATH_LINKS,
        .link_Bps = 240e9,
        .ring_Bps = 240e9,
        .exchange_Bps = 240e9,
        .next_Bps = 240e9,
        .root_Bps = 240e9,
        .pcie_Bps = 24e9,
        .net = nodes > 1 ? CS_NET_IB : CS_NET_NONE,
        .net_path = nodes > 1 ? CS_PATH_BRIDGE : CS_PATH_NONE,
        .adapters = nodes > 1 ? adapters : 0,
        .adapter_Bps = 25e9,
        .node_Bps = 25e9 * adapters,
        .gdr = true,
    };
}

static struct cs_library_time time_with(const double *parameters, uint32_t version,
                                        const struct cs_site *site,
                                        const struct cs_collective *collective, uint64_t bytes)
{
    const struct cs_library_request request = {
        .site = site,
        .collective = collective,
        .bytes = bytes,
        .effects = CS_EFFECTS_ALL,
        .parameters = parameters,
        .version = version,
    };
    const struct cs_library *library = NULL;
    struct cs_library_time time;
    uint32_t newest;

    assert_int_equal(cs_library_find("nccl", &library, &newest, NULL), 0);
    assert_done(library->time(&request, &time, &err));
    return time;
}

static struct cs_library_time time_of(const struct cs_site *site,
                                      const struct cs_collective *collective, uint64_t bytes)
{
    return time_with(NULL, 0, site, collective, bytes);
}

/* Half of an exchange goes to another node, in chunks of 128 KiB at 5.3 us. */
TEST(proxies_of_grace_pass_a_chunk_in_their_time)
{
    struct cs_site site = site_of(2, 8);

    site.adapter_Bps = 100e9;
    site.node_Bps = 800e9;
    assert_true(time_of(&site, &cs_collective_alltoall, 1 << 30).transfer_s <
                .5 * (1 << 13) * 5e-6);
    site.cpu_is_arm = true;
    assert_within(time_of(&site, &cs_collective_alltoall, 1 << 30).transfer_s,
                  .5 * (1 << 13) * 5.3e-6, 1e-12);
}

/* A microsecond of each base, on the messages that have it: of a send, and of an exchange
 * among 16. */
TEST(messages_to_16_kib_have_the_base_of_ll)
{
    struct cs_site site = site_of(2, 8);

    for (uint64_t i = 0; i < 4; i++) {
        const struct cs_collective *collective =
            i < 2 ? &cs_collective_sendrecv : &cs_collective_alltoall;
        uint64_t bytes = (16384 + 16 * (i % 2)) * (i < 2 ? 1 : 16);
        double us[2];

        for (uint32_t simple = 0; simple < 2; simple++) {
            double values[CS_NCCL_PARAMETERS];

            memcpy(values, cs_nccl_parameters, sizeof(values));
            values[simple ? CS_NCCL_P_SIMPLE_BASE : CS_NCCL_P_LL_BASE] += 1;
            us[simple] = 1e6 * (time_with(values, 0, &site, collective, bytes).total_s -
                                time_of(&site, collective, bytes).total_s);
        }
        assert_within(us[i % 2], 1, .1); /* a part passes while bytes move */
        assert_within(us[1 - i % 2], 0, 1e-9);
    }
}

/* A microsecond more of the end of 24 channels, in a node of eight, where messages of 4 MiB
 * have 4 channels each: one of a send, and seven, which are more than 24, of an exchange. */
TEST(the_end_of_a_send_counts_the_channels_of_a_single_peer)
{
    struct cs_site site = site_of(1, 0);
    double values[CS_NCCL_PARAMETERS];

    memcpy(values, cs_nccl_parameters, sizeof(values));
    values[CS_NCCL_P_DRAIN_OLD] += 1;
    for (int pair = 0; pair < 2; pair++) {
        const struct cs_collective *collective =
            pair ? &cs_collective_sendrecv : &cs_collective_alltoall;
        uint64_t bytes = (UINT64_C(4) << 20) * (pair ? 1 : 8);
        double more_s = time_with(values, 0, &site, collective, bytes).latency_s -
                        time_of(&site, collective, bytes).latency_s;

        assert_within(1e6 * more_s, pair ? 4 / 24. : 1, 1e-9);
    }
}

/* A microsecond of a slow host for each peer, in a group of its own. */
TEST(peers_cost_host_time_up_to_2_12)
{
    static const struct {
        uint32_t version;
        double alltoall_us, send_us;
    } cases[] = {{21200, 16, 1}, {21300, 0, 0}, {0, 0, 0}};
    struct cs_site site = site_of(2, 8);
    double slow[CS_NCCL_PARAMETERS], slower[CS_NCCL_PARAMETERS];

    memcpy(slow, cs_nccl_parameters, sizeof(slow));
    slow[CS_NCCL_P_LAUNCH_GPU] = 1e6;
    memcpy(slower, slow, sizeof(slower));
    slower[CS_NCCL_P_LAUNCH_PEER] += 1;
    for (size_t i = 0; i < 3; i++)
        for (int pair = 0; pair < 2; pair++) {
            const struct cs_collective *collective =
                pair ? &cs_collective_sendrecv : &cs_collective_alltoall;
            double more_s = time_with(slower, cases[i].version, &site, collective, 64).total_s -
                            time_with(slow, cases[i].version, &site, collective, 64).total_s;

            assert_within(1e6 * more_s, pair ? cases[i].send_us : cases[i].alltoall_us, 1e-3);
        }
}

/* The root of a gather has an adapter of its own; all GPUs of a node share a
 * single adapter in an all-to-all. */
TEST(a_root_alone_has_the_adapters_of_its_node)
{
    struct cs_site rails = site_of(4, 8);
    struct cs_site lone = site_of(4, 1);
    uint64_t bytes = 1 << 30;

    assert_within(time_of(&rails, &cs_collective_gather, bytes).transfer_s,
                  time_of(&rails, &cs_collective_alltoall, bytes).transfer_s, 1e-9);
    assert_within(time_of(&lone, &cs_collective_gather, bytes).transfer_s * 8,
                  time_of(&lone, &cs_collective_alltoall, bytes).transfer_s, 1e-9);
}

/* 4 nodes of 8, half of them away: 4 GPUs send 24 blocks each to other nodes, and
 * 4 to the near half of the node, over 16 GB/s; NVLink takes the latter. */
TEST(away_ranks_share_the_wire_between_sockets)
{
    struct cs_site site = site_of(4, 8);
    double block = (double)(1 << 30) / 32;

    site.away_ranks = 4;
    site.socket_Bps = 16e9;
    assert_within(time_of(&site, &cs_collective_alltoall, 1 << 30).transfer_s,
                  4 * 24 * block / 16e9, 1e-6);
    site.link_Bps = 0;
    site.has_switch = false;
    site.gpu_path = CS_PATH_SOCKET;
    assert_within(time_of(&site, &cs_collective_alltoall, 1 << 30).transfer_s,
                  4 * 28 * block / 16e9, 1e-6);
}

/* A send to the next rank is one message, on two channels, from 2.20 on while no channel would
 * have more than four peers. */
TEST(a_send_takes_as_long_on_more_nodes)
{
    struct cs_site few = site_of(2, 8);
    struct cs_site many = site_of(4, 8);
    struct cs_site most = site_of(128, 8);

    assert_true(
        time_with(cs_nccl_parameters, 22800, &most, &cs_collective_sendrecv, 1 << 30).total_s >
        time_with(cs_nccl_parameters, 22800, &many, &cs_collective_sendrecv, 1 << 30).total_s);
    assert_within(
        time_with(cs_nccl_parameters, 21900, &most, &cs_collective_sendrecv, 1 << 30).total_s,
        time_with(cs_nccl_parameters, 21900, &many, &cs_collective_sendrecv, 1 << 30).total_s,
        1e-12);
    for (uint64_t bytes = 1024; bytes <= 1 << 30; bytes *= 32)
        assert_within(time_of(&few, &cs_collective_sendrecv, bytes).total_s,
                      time_of(&many, &cs_collective_sendrecv, bytes).total_s, 1e-12);
}

/* Half of two thread blocks to 2.28, of one for 14 GB/s from then on, move less than an
 * adapter of 100 GB/s. */
TEST(a_send_is_as_fast_as_the_thread_blocks_of_its_channels)
{
    static const struct {
        uint32_t version, channels, generation;
        double block_GBps;
    } cases[] = {
        {22800, 2, 80, 20}, {22800, 2, 90, 36.7}, {22800, 2, 100, 40},
        {22900, 8, 80, 20}, {0, 8, 80, 20},
    };
    struct cs_site site = site_of(2, 8);

    site.adapter_Bps = 100e9;
    site.node_Bps = 800e9;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        site.generation = cases[i].generation;
        assert_within(
            time_with(cs_nccl_parameters, cases[i].version, &site, &cs_collective_sendrecv, 1 << 30)
                .transfer_s,
            (1 << 30) / (cases[i].channels / 2. * 1e9 * cases[i].block_GBps), 1e-9);
    }
}

/* Each further peer is another message of the proxy thread. */
/* 24 messages to other nodes, each with a control message and a part for each of four
 * adapters from 512 KiB on: posts of 2 and of 5 against 1 of the other plugin. */
TEST(joined_adapters_have_a_post_each)
{
    static const struct {
        uint64_t message;
        double posts;
    } cases[] = {{64 << 10, 2}, {128 << 10, 2}, {256 << 10, 3}, {4 << 20, 5}};
    const double post = cs_nccl_parameters[CS_NCCL_P_P2P_POST] * 1e-6;
    struct cs_site site = site_of(4, 32);

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        double joined, single;

        site.net = CS_NET_EFA2;
        joined = time_of(&site, &cs_collective_alltoall, 32 * cases[i].message).latency_s;
        site.adapters = 8;
        single = time_of(&site, &cs_collective_alltoall, 32 * cases[i].message).latency_s;
        site.adapters = 32;
        assert_within((joined - single) / post, 23 * (cases[i].posts - 2), 1e-6);
        site.net = CS_NET_TCPXO;
        single = time_of(&site, &cs_collective_alltoall, 32 * cases[i].message).latency_s;
        site.adapters = 8;
        assert_within(time_of(&site, &cs_collective_alltoall, 32 * cases[i].message).latency_s,
                      single, 1e-9);
        site.adapters = 32;
    }
}

TEST(an_exchange_with_more_nodes_is_not_faster)
{
    for (uint32_t nodes = 2; nodes < 256; nodes *= 2)
        for (uint64_t bytes = 1024; bytes <= 1 << 30; bytes *= 8) {
            struct cs_site few = site_of(nodes, 8);
            struct cs_site more = site_of(2 * nodes, 8);

            assert_true(time_of(&more, &cs_collective_alltoall, bytes).total_s >
                        .9 * time_of(&few, &cs_collective_alltoall, bytes).total_s);
        }
}

/* A GPU of 24 GB/s of PCIe exchanges with its node and with others. */
TEST(lanes_carry_both_parts_of_an_exchange)
{
    struct cs_site site = site_of(2, 8);
    double bytes = 1 << 30;

    site.has_switch = false;
    site.link_Bps = 0;
    site.gpu_path = CS_PATH_HOST;
    site.node_Bps = 8 * 200e9;
    assert_true(time_of(&site, &cs_collective_gather, 1 << 30).transfer_s >=
                .999 * bytes * 15 / 16 / 24e9);
}

TEST(wires_of_the_node_bound_the_rate)
{
    const struct {
        const struct cs_collective *collective;
        double share;
    } cases[] = {{&cs_collective_alltoall, 7. / 8},
                 {&cs_collective_gather, 7. / 8},
                 {&cs_collective_sendrecv, 1}};
    struct cs_site mesh = site_of(1, 0);
    const double bytes = 1 << 30;

    mesh.has_switch = false;
    mesh.exchange_Bps = 20e9;
    mesh.root_Bps = 50e9;
    mesh.next_Bps = 10e9;
    for (size_t i = 0; i < 3; i++) {
        const double rates[] = {20e9, 50e9, 10e9};
        double s = time_of(&mesh, cases[i].collective, (uint64_t)bytes).total_s;

        assert_true(s > bytes * cases[i].share / rates[i]);
        assert_true(s < 1.2 * bytes * cases[i].share / rates[i]);
    }
}

/* 8 channels of A100s carry a message of 64 MiB, 16 one of 128 MiB; through host
 * memory they do not bound it. */
TEST(a_longer_message_has_more_channels)
{
    struct cs_site site = site_of(1, 0);
    const double mib = 1 << 20;
    double short_s, long_s, steady_s;

    short_s = time_of(&site, &cs_collective_sendrecv, 64 << 20).total_s;
    long_s = time_of(&site, &cs_collective_sendrecv, 128 << 20).total_s;
    assert_true(long_s < 1.05 * short_s);
    assert_true(64 * mib / short_s > 50e9 && 64 * mib / short_s < 60e9);
    assert_true(128 * mib / long_s > 100e9 && 128 * mib / long_s < 120e9);
    site.has_switch = false;
    site.gpu_path = CS_PATH_HOST;
    steady_s = time_of(&site, &cs_collective_sendrecv, 64 << 20).total_s;
    assert_true(time_of(&site, &cs_collective_sendrecv, 128 << 20).total_s > 1.8 * steady_s);
}
