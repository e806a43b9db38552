/* Settings of a library: reading, and what each changes of a call. */
#include "algorithms/libraries/settings.h"

#include "tests/site.h"

#define GIB (UINT64_C(1) << 30)

static void setting_refused(const char *text, const char *words)
{
    struct cs_settings settings = {0};
    struct cs_err err = {0};

    assert_int_equal(cs_settings_add(&settings, text, &err), CS_EINPUT);
    if (!strstr(err.text, words))
        fail_msg("'%s' has no '%s'", err.text, words);
    assert_int_equal(settings.count, 0);
}

TEST(names_and_values_are_read)
{
    struct cs_settings settings = {0};

    assert_done(cs_settings_add(&settings, "nccl_net_gdr_level=pix", &err));
    assert_done(cs_settings_add(&settings, "NCCL_P2P_LEVEL=3", &err));
    assert_done(cs_settings_add(&settings, "acs=ats", &err));
    assert_int_equal(settings.count, 3);
    assert_int_equal(settings.items[0].value, 2);
    assert_int_equal(settings.items[1].value, 4); /* 3 was PHB */
    assert_int_equal(settings.items[2].value, CS_ACS_ATS);
}

TEST(bad_settings_name_what_is_expected)
{
    struct cs_settings settings = {0};

    setting_refused("NCCL_IB_DISABEL=1", "did you mean 'NCCL_IB_DISABLE'");
    setting_refused("acs", "expected acs=VALUE");
    setting_refused("acs=maybe", "expected off, on, ats");
    setting_refused("acs=", "expected off, on, ats");
    setting_refused("NCCL_SOCKET_NTHREADS=17", "expected 1 to 16");
    setting_refused("NCCL_P2P_LEVEL=5", "expected LOC, NVL");
    setting_refused("=1", "no setting called ''");
    assert_done(cs_settings_add(&settings, "acs=on", &err));
    assert_refused_with(cs_settings_add(&settings, "ACS=off", &err), CS_EINPUT, "given twice");
}

/* The time of an all-reduce of 1 GiB with settings, in seconds. */
static struct cs_library_time time_of(const char *spec, const char *first, const char *second)
{
    struct cs_site site = site_of(spec, 0);
    struct cs_settings settings = {0};
    const struct cs_library *library = library_named("nccl");
    struct cs_library_time time;
    const struct cs_library_request request = {.site = &site,
                                               .collective = &cs_collective_allreduce,
                                               .bytes = GIB,
                                               .effects = CS_EFFECTS_ALL};

    if (first)
        assert_done(cs_settings_add(&settings, first, &err));
    if (second)
        assert_done(cs_settings_add(&settings, second, &err));
    cs_settings_apply(&settings, CS_EFFECTS_ALL, &site);
    assert_done(library->time(&request, &time, &err));
    return time;
}

#define H100S "cluster:node=dgx-h100,nodes=2"

/* How much slower a setting makes the call. */
static double slower_by(const char *spec, const char *first, const char *second)
{
    return time_of(spec, first, second).total_s / time_of(spec, NULL, NULL).total_s;
}

/* Two GPUs below a switch: the switch's link carries the data of both. */
TEST(acs_sends_peers_through_the_cpu)
{
    assert_within(slower_by("a100-pcie", "acs=off", NULL), 1, 0);
    assert_true(slower_by("a100-pcie", "acs=on", NULL) > 1.5);
    assert_true(slower_by(H100S, "acs=on", NULL) > 1.2);
    /* Links of GPUs pass no PCIe switch; others have none. */
    assert_within(slower_by("dgx-a100", "acs=on", NULL), 1, 0);
    assert_within(slower_by("ncv3", "acs=on", NULL), 1, 0);
}

/* The interval of a call that does not say so ends there; what is said ends it. */
TEST(what_an_iommu_translates_is_slow)
{
    struct cs_library_time open = time_of("rtx4090", NULL, NULL);
    struct cs_library_time fast = time_of("rtx4090", "iommu=pt", NULL);
    struct cs_library_time slow = time_of("rtx4090", "iommu=on", NULL);

    assert_true(slow.total_s > 5 * open.total_s);
    assert_within(fast.total_s, open.total_s, 0);
    assert_within(open.low_s, fast.low_s, 0);
    assert_within(open.high_s, slow.high_s, 0);
    assert_true(fast.high_s < open.high_s / 5);
    assert_within(slower_by("dgx-a100", "iommu=on", NULL), 1, 0);
}

/* Without GPUDirect the copies through host memory do not see the sockets; with it, adapters read
 * 6.1 GB/s by EPYC, and the interval of a call that does not say so ends there. */
TEST(adapters_on_another_socket_read_slowly)
{
    const char *machine = "cluster:node=a100-pcie,nodes=2,gpus=1";
    const char *level = "NCCL_NET_GDR_LEVEL=SYS";
    struct cs_library_time open = time_of(machine, level, NULL);
    struct cs_library_time slow = time_of(machine, level, "adapter-socket=other");
    struct cs_library_time near = time_of(machine, "adapter-socket=near", level);

    assert_within(GIB / slow.total_s / 6.1e9, 1, .03);
    assert_true(slow.total_s > 3 * open.total_s);
    assert_within(open.total_s, near.total_s, 0);
    assert_within(open.high_s, slow.high_s, 0);
    assert_true(near.high_s < open.high_s / 3);
    assert_within(time_of(machine, "adapter-socket=other", NULL).total_s,
                  time_of(machine, "NCCL_NET_GDR_LEVEL=LOC", NULL).total_s, 1e-9);
    /* Behind NVSwitches the level says nothing of sockets. */
    assert_within(time_of(H100S, level, NULL).high_s, time_of(H100S, NULL, NULL).high_s, 0);
}

TEST(the_first_profile_of_tcpxo_has_simple_alone)
{
    const char *machine = "cluster:node=a3-mega,nodes=2";
    struct cs_library_time open = time_of(machine, NULL, NULL);
    struct cs_library_time slow = time_of(machine, "tcpxo=simple", NULL);

    assert_string_equal(slow.protocol, "simple");
    assert_true(slow.total_s > open.total_s);
    assert_within(open.high_s, slow.high_s, 0);
}

TEST(unordered_packets_avoid_the_cpu_of_virtual_machines)
{
    assert_within(slower_by(H100S, "acs=ats", NULL), 1, 0);
    assert_within(slower_by(H100S, "acs=ats", "NCCL_IB_PCI_RELAXED_ORDERING=0"),
                  slower_by(H100S, "acs=on", NULL), 0);
    assert_within(slower_by(H100S, "NCCL_IB_PCI_RELAXED_ORDERING=0", NULL), 1, 0);
}

/* Adapters that read GPUs are those of RDMA between nodes. */
TEST(a_level_allows_gpudirect_to_rdma_alone)
{
    static const enum cs_network_id nets[] = {CS_NET_IB, CS_NET_SOCKET, CS_NET_NVLINK};
    struct cs_settings settings = {0};

    assert_done(cs_settings_add(&settings, "NCCL_NET_GDR_LEVEL=SYS", &err));
    for (size_t n = 0; n < sizeof(nets) / sizeof(*nets); n++)
        for (uint32_t nodes = 1; nodes <= 2; nodes++) {
            struct cs_site site = {.ranks = 8 * nodes,
                                   .nodes = nodes,
                                   .node_ranks = 8,
                                   .maker = CS_MAKER_NVIDIA,
                                   .peer_access = true,
                                   .net = nets[n],
                                   .net_path = CS_PATH_SOCKET};

            cs_settings_apply(&settings, CS_EFFECTS_ALL, &site);
            assert_int_equal(site.gdr, nodes == 2 && nets[n] == CS_NET_IB);
        }
}

/* All that a node sends and receives is written and read in the memory of two
 * CPUs of 306 GB/s: 153 GB/s in each direction. */
TEST(without_gpudirect_data_pass_host_memory)
{
    double time_s = time_of(H100S, "NCCL_NET_GDR_LEVEL=LOC", NULL).transfer_s;

    assert_within((double)GIB / time_s, 153e9, 1e9);
}

TEST(without_peer_access_gpus_copy_through_the_host)
{
    assert_true(slower_by("dgx-h100", "NCCL_P2P_DISABLE=1", NULL) > 5);
    assert_within(slower_by("dgx-h100", "NCCL_P2P_LEVEL=NVL", NULL), 1, 0);
    assert_true(slower_by("rtx6000d", "NCCL_P2P_LEVEL=NVL", NULL) > 1.1);
    /* Peers of one CPU stay. */
    assert_true(slower_by("rtx6000d", "NCCL_P2P_LEVEL=PHB", NULL) < 1.1);
    assert_within(slower_by("rtx6000d", "NCCL_P2P_LEVEL=SYS", NULL), 1, 0);
}

/* A progress thread moves 1.95 GB/s, two helpers of each of two connections
 * more than the adapter. */
TEST(helper_threads_and_sockets_speed_up_tcp)
{
    const char *spec = "cluster:node=g4dn,nodes=2";
    double one = slower_by(spec, "NCCL_SOCKET_NTHREADS=1", NULL);
    double more = slower_by(spec, "NCCL_SOCKET_NTHREADS=1", "NCCL_NSOCKS_PERTHREAD=8");

    assert_true(one < .6);
    assert_true(more < one);
    assert_true(slower_by(H100S, "NCCL_IB_DISABLE=1", NULL) > 5);
}

TEST(divided_messages_have_more_posts)
{
    double turns = slower_by(H100S, "NCCL_IB_QPS_PER_CONNECTION=16", NULL);

    assert_within(turns, 1, 0);
    assert_true(slower_by("cluster:node=dgx-1,nodes=2", "NCCL_IB_QPS_PER_CONNECTION=128",
                          "NCCL_IB_SPLIT_DATA_ON_QPS=1") > 1);
}

TEST(choices_are_restricted)
{
    assert_string_equal(time_of(H100S, NULL, NULL).engine, "nvls-tree");
    assert_string_not_equal(time_of(H100S, "NCCL_NVLS_ENABLE=0", NULL).engine, "nvls-tree");
    assert_int_equal(time_of(H100S, "NCCL_MAX_NCHANNELS=2", NULL).channels, 2);
    assert_int_equal(time_of("a100-pcie", "NCCL_MIN_NCHANNELS=32", NULL).channels, 32);
}

/* 8 thread blocks of an H100 move 294 of the 370 GB/s of its links, 8 of an A100
 * 160 of 230; 2 channels between nodes have the adapters of 2 GPUs. */
TEST(fewer_channels_are_slower)
{
    const char *no_nvls = "NCCL_NVLS_ENABLE=0";
    double all, some;

    all = time_of("dgx-h100", no_nvls, NULL).total_s;
    some = time_of("dgx-h100", no_nvls, "NCCL_MAX_NCHANNELS=8").total_s;
    assert_true(some > 1.2 * all && some < 1.4 * all);
    some = time_of("dgx-h100", no_nvls, "NCCL_MAX_NCHANNELS=16").total_s;
    assert_true(some < 1.05 * all);
    all = time_of("dgx-a100", NULL, NULL).total_s;
    some = time_of("dgx-a100", "NCCL_MAX_NCHANNELS=8", NULL).total_s;
    assert_true(some > 1.3 * all && some < 1.6 * all);
    all = time_of(H100S, no_nvls, NULL).total_s;
    some = time_of(H100S, no_nvls, "NCCL_MAX_NCHANNELS=2").total_s;
    assert_true(some > 3 * all && some < 8 * all);
    assert_true(some > time_of(H100S, no_nvls, "NCCL_MAX_NCHANNELS=4").total_s);
}

/* An ablation leaves out the settings of its effect, and no others. */
TEST(effects_select_settings)
{
    struct cs_site site = site_of(H100S, 0);
    struct cs_settings settings = {0};

    assert_done(cs_settings_add(&settings, "NCCL_NET_GDR_LEVEL=LOC", &err));
    assert_done(cs_settings_add(&settings, "NCCL_NVLS_ENABLE=0", &err));
    cs_settings_apply(&settings, CS_EFFECTS_ALL & ~(unsigned)CS_EFFECT_STAGING, &site);
    assert_true(site.gdr);
    assert_false(site.has_nvls);
    cs_settings_apply(&settings, CS_EFFECTS_ALL, &site);
    assert_false(site.gdr);
}

static enum cs_network_id network_with(const char *spec, const char *text, bool *gdr,
                                       uint32_t *adapters)
{
    struct cs_site site = site_of(spec, 0);
    struct cs_settings settings = {0};

    assert_done(cs_settings_add(&settings, text, &err));
    cs_settings_apply(&settings, CS_EFFECTS_ALL, &site);
    *gdr = site.gdr;
    *adapters = site.adapters;
    return site.net;
}

/* Kernel TCP, or what NCCL has built in, takes the place of a plugin and of verbs: over one
 * interface where InfiniBand was, over all where the adapters carry Ethernet. */
TEST(settings_change_the_network)
{
    static const struct {
        const char *node, *text;
        enum cs_network_id net;
        bool gdr;
        uint32_t adapters;
    } cases[] = {
        {"dgx-h100", "NCCL_NET=Socket", CS_NET_IPOIB, false, 1},
        {"dgx-h100", "NCCL_IB_DISABLE=1", CS_NET_IPOIB, false, 1},
        {"dgx-h100", "NCCL_NET_PLUGIN=none", CS_NET_IB, true, 8},
        {"p5", "NCCL_IB_DISABLE=1", CS_NET_EFA2, true, 32},
        {"p5", "NCCL_NET=Socket", CS_NET_SOCKET, false, 32},
        {"p5", "NCCL_NET_PLUGIN=none", CS_NET_SOCKET, false, 32},
        {"p5", "NCCL_NET=IB", CS_NET_EFA2, true, 32},
        {"a3-ultra", "NCCL_NET=IB", CS_NET_ROCE, true, 8},
        {"a3-ultra", "NCCL_IB_DISABLE=1", CS_NET_SOCKET, false, 8},
        {"a3-mega", "NCCL_NET_PLUGIN=none", CS_NET_SOCKET, false, 8},
    };
    char spec[80];
    uint32_t adapters;
    bool gdr;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        (void)snprintf(spec, sizeof(spec), "cluster:node=%s,nodes=2", cases[i].node);
        if (network_with(spec, cases[i].text, &gdr, &adapters) != cases[i].net ||
            gdr != cases[i].gdr || adapters != cases[i].adapters)
            fail_msg("%s with %s", cases[i].node, cases[i].text);
    }
}

/* Chunks of twice the buffer are twice as long, and half of the threads fill more
 * channels. */
TEST(buffers_and_threads_change_the_call)
{
    static const char no_nvls[] = "NCCL_NVLS_ENABLE=0";

    assert_true(time_of(H100S, no_nvls, "NCCL_BUFFSIZE=65536").total_s >
                time_of(H100S, no_nvls, NULL).total_s);
    assert_within(slower_by(H100S, "NCCL_CROSS_NIC=1", NULL), 1, 0);
    assert_string_equal(cs_setting_about("nccl_nvls_enable=0"), "0: no reduction inside NVSwitch");
}
