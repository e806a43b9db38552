/* Messages, copies and sums of processes, by hand. */
#include "algorithms/libraries/host/cost.h"

#include "tests/unit/algorithms/libraries/round_host.h"

static struct cs_site small_site(void)
{
    return (struct cs_site){
        .ranks = 8,
        .nodes = 2,
        .node_ranks = 4,
        .maker = CS_MAKER_NVIDIA,
        .socket_Bps = 20e9,
        .host_Bps = 150e9,
        .adapters = 1,
        .adapter_Bps = 12.1e9,
        .node_Bps = 12.1e9,
        .net = CS_NET_IB,
    };
}

TEST(a_message_inside_a_node_is_a_copy_by_one_core)
{
    struct cs_host_cost host = round_host();

    assert_us(cs_host_inside_s(&host, 4000, 4), 1 + 1);
    /* 40 flows x 3 bytes share 240 GB/s: 2 GB/s each. */
    assert_us(cs_host_inside_s(&host, 4000, 40), 1 + 2);
}

TEST(messages_out_of_a_node_share_its_adapter)
{
    struct cs_host_cost host = round_host();

    assert_us(cs_host_between_s(&host, 8000, 1), 2 + .1 + 4);
    assert_us(cs_host_between_s(&host, 8000, 10), 2 + 1 + 8);
    assert_us(cs_host_between_s(&host, 80000, 1), 2 + .1 + 5 + 10);
    assert_us(cs_host_between_s(&host, 80000, 4), 2 + .4 + 5 + 32);
}

TEST(partners_beyond_the_ranks_of_a_node_are_in_another)
{
    struct cs_host_cost host = round_host();

    assert_us(cs_host_exchange_s(&host, 4000, 2, 4), cs_host_inside_s(&host, 4000, 4) * 1e6);
    assert_us(cs_host_exchange_s(&host, 4000, 4, 4), cs_host_between_s(&host, 4000, 4) * 1e6);
    /* Three members: some partners at a distance of 2 are outside. */
    assert_us(cs_host_exchange_s(&host, 4000, 2, 3), cs_host_between_s(&host, 4000, 2) * 1e6);
}

TEST(a_ring_step_is_the_mean_of_its_hops)
{
    struct cs_host_cost host = round_host();

    /* Three hops of 2 us, one of 2 + .1 + 2 us. */
    assert_us(cs_host_ring_step_s(&host, 4000), (3 * 2 + 4.1) / 4);
}

TEST(working_sets_beyond_the_caches_slow_copies_and_sums)
{
    struct cs_host_cost host = round_host();

    cs_host_cost_touch(&host, 10e6);
    assert_us(cs_host_copy_s(&host, 4000), 1);
    /* 4 x 20 MB: half is cached, half at half the rate. */
    cs_host_cost_touch(&host, 20e6);
    assert_us(cs_host_copy_s(&host, 4000), 1.5);
    assert_us(cs_host_sum_s(&host, 4000), 3);
}

TEST(a_pageable_copy_passes_a_buffer_and_pcie)
{
    struct cs_host_cost host = round_host();

    assert_us(cs_host_stage_s(&host, 12000), 8 + 3 + 1);
}

/* Without GPUDirect a message passes host memory: cudaMemcpy on either side,
 * 8 us and 10 GB/s, of at most a fragment of 100 kB. */
TEST(gpu_messages_without_gpudirect_pass_host_memory)
{
    struct cs_host_cost host = round_host();

    host.buffers = CS_BUFFERS_DEVICE;
    host.device.eager_bytes = 10000;
    host.device.stream_Bps = 10e9;
    host.device.fragment_bytes = 100000;
    assert_us(cs_host_between_s(&host, 8000, 1), 2 + .1 + 4 + 2 * (8 + .8));
    assert_us(cs_host_between_s(&host, 80000, 1), 2 + .1 + 5 + 10 + 2 * (8 + 8));
    assert_us(cs_host_between_s(&host, 800000, 1), 2 + .1 + 5 + 100 + 2 * (8 + 10));
}

/* With GPUDirect the CPU reads short messages through a window: .5 GB/s; long
 * ones go from GPU to GPU. */
TEST(short_gpu_messages_are_read_by_the_cpu)
{
    struct cs_host_cost host = round_host();

    host.buffers = CS_BUFFERS_DEVICE;
    host.device.has_window = true;
    host.device.window_s = 1e-6;
    host.device.read_Bps = 0.5e9;
    host.device.eager_bytes = 10000;
    host.device.meet_s = 12e-6;
    host.device.links_Bps = 50e9;
    assert_us(cs_host_inside_s(&host, 8000, 1), 1 + 1 + 16);
    assert_us(cs_host_inside_s(&host, 100000, 1), 12 + 2);
}

TEST(cores_are_as_fast_as_the_memory_of_their_cpu)
{
    struct cs_site site = small_site();
    struct cs_host_cost slow, fast;

    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &slow, NULL), 0);
    site.host_Bps *= 2;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &fast, NULL), 0);
    assert_true(fabs(slow.copy_Bps / (cs_host_parameters[CS_HOST_COPY] * 150e9) - 1) < 1e-9);
    assert_true(fabs(fast.copy_Bps / slow.copy_Bps - 2) < 1e-9);
}

TEST(several_nodes_without_a_network_are_refused)
{
    struct cs_site site = small_site();
    struct cs_host_cost host;

    site.net = CS_NET_NONE;
    assert_refused_with(cs_host_cost_of(&site, cs_host_parameters, &host, &err), CS_ECANNOT,
                        "no network adapters");
    site = small_site();
    site.node_Bps = 0;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &host, NULL), CS_ECANNOT);
    site.node_Bps = 1e9;
    site.adapter_Bps = 0;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &host, NULL), CS_ECANNOT);
    site.nodes = 1;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &host, NULL), 0);
}

TEST(every_parameter_has_a_unit_a_source_and_a_spread)
{
    for (size_t i = 0; i < CS_HOST_PARAMETERS; i++) {
        const struct cs_parameter *row = &cs_host_parameter_set.items[i];

        assert_true(row->value > 0 && row->spread >= 0 && row->spread < 1);
        assert_true(strlen(row->unit) > 0 && strlen(row->cause) > 0);
    }
}

/* Bridges of pairs leave the other GPUs of a node to PCIe. */
TEST(links_count_where_they_join_all_gpus)
{
    struct cs_site site = small_site();
    struct cs_host_cost host;

    site.link_Bps = 300e9;
    site.gpu_path = CS_PATH_RELAY;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &host, NULL), 0);
    assert_true(host.device.links_Bps > 0);
    site.gpu_path = CS_PATH_SOCKET;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &host, NULL), 0);
    assert_true(host.device.links_Bps == 0);
}

/* A further message takes its post and its transfer: .1 us at 10 GB/s between nodes, a
 * segment of .3 us at 4 GB/s inside; between GPUs what a message inside takes but a step. */
TEST(further_messages_hide_their_latency)
{
    struct cs_host_cost host = round_host();

    host.segment_s = 0.3e-6;
    assert_us(cs_host_further_s(&host, 10000, true), 0.1 + 1);
    assert_us(cs_host_further_s(&host, 8000, false), 0.3 + 2);
    host.buffers = CS_BUFFERS_DEVICE;
    host.device.stream_Bps = 10e9;
    assert_us(cs_host_further_s(&host, 8000, false), cs_host_inside_s(&host, 8000, 1) * 1e6 - 1);
    assert_us(cs_host_further_s(&host, 10000, true), 0.1 + 1);
}

/* Without transfers a message takes as long as one of no byte, and rendezvous. */
TEST(the_latency_of_a_host_has_no_transfer)
{
    struct cs_host_cost host = round_host(), idle;

    host.buffers = CS_BUFFERS_DEVICE;
    host.device.stream_Bps = host.device.read_Bps = 10e9;
    host.device.eager_bytes = 10000;
    host.device.fragment_bytes = 100000;
    host.device.next_Bps = host.device.exchange_Bps = 10e9;
    idle = cs_host_cost_latency(&host);
    assert_us(cs_host_between_s(&idle, 80000, 4), 2 + .4 + 5 + 2 * 8);
    assert_us(cs_host_between_s(&idle, 8000, 4), 2 + .4 + 2 * 8);
    assert_true(idle.device.links_Bps == 0);
    assert_true(cs_host_sum_s(&idle, 1e6) == 0);
    host.device.links_Bps = 50e9;
    host.device.has_window = true;
    host.device.window_s = 1e-6;
    host.device.meet_s = 12e-6;
    idle = cs_host_cost_latency(&host);
    assert_us(cs_host_inside_s(&idle, 8000, 1), 1 + 1);
    assert_us(cs_host_inside_s(&idle, 100000, 1), 12);
    assert_us(cs_host_stage_s(&idle, 12000), 8);
}

/* ---- parameters and what they are of a host ---- */

struct part {
    enum cs_host_parameter from;
    size_t at;     /* of a double in struct cs_host_cost */
    double factor; /* the unit of the parameter in that of the field */
};

#define PART(FROM, FIELD, FACTOR)                                    \
    {                                                                \
        CS_HOST_##FROM, offsetof(struct cs_host_cost, FIELD), FACTOR \
    }

static void assert_parts(const struct cs_site *site, const struct part *parts, size_t count)
{
    double values[CS_HOST_PARAMETERS];
    struct cs_host_cost host;

    for (size_t i = 0; i < CS_HOST_PARAMETERS; i++)
        values[i] = cs_host_parameter_set.items[i].machine_spread > 0 ? 1 : 0.25 + (double)i / 64;
    assert_int_equal(cs_host_cost_of(site, values, &host, NULL), 0);
    for (size_t p = 0; p < count; p++) {
        double got, expected = values[parts[p].from] * parts[p].factor;

        memcpy(&got, (const char *)&host + parts[p].at, sizeof(got));
        if (!(fabs(got - expected) <= 1e-9 * expected))
            fail_msg("parameter %d gives %.9g, expected %.9g", parts[p].from, got, expected);
    }
}

/* What a machine makes differently multiplies every rate of its memory and network, and
 * every latency of a message. */
TEST(properties_of_a_machine_scale_all_of_a_kind)
{
    struct cs_site site = small_site();
    double values[CS_HOST_PARAMETERS];
    struct cs_host_cost described, other;

    cs_parameters_values(&cs_host_parameter_set, values);
    assert_int_equal(cs_host_cost_of(&site, values, &described, NULL), 0);
    values[CS_HOST_NODE_MEMORY] = .5;
    values[CS_HOST_NET_WIRES] = .25;
    values[CS_HOST_NET_STEPS] = 2;
    assert_int_equal(cs_host_cost_of(&site, values, &other, NULL), 0);
    assert_true(other.copy_Bps == described.copy_Bps / 2);
    assert_true(other.sum_Bps == described.sum_Bps / 2);
    assert_true(other.memory_Bps == described.memory_Bps / 2);
    assert_true(other.net.node_Bps == described.net.node_Bps / 4);
    assert_true(other.net.short_Bps == described.net.short_Bps / 4);
    assert_true(other.net.stream_Bps == described.net.stream_Bps / 4);
    assert_true(other.net.latency_s == described.net.latency_s * 2);
    assert_true(other.net.meet_s == described.net.meet_s * 2);
    assert_true(other.net.post_s == described.net.post_s * 2);
}

/* Of a core and of a GPU: 150 GB/s of memory, caches of two sockets. */
TEST(parameters_of_cores_and_gpus_have_their_units)
{
    static const struct part parts[] = {
        PART(CALL, call_s, 1e-6),
        PART(STEP, step_s, 1e-6),
        PART(SEGMENT, segment_s, 1e-6),
        PART(COPY, copy_Bps, 150e9),
        PART(SUM, sum_Bps, 150e9),
        PART(CACHE, cache_bytes, 2e6),
        PART(BEYOND_CACHE, beyond_cache, 1),
        PART(DEVICE_COPY, device.copy_s, 1e-6),
        PART(DEVICE_STREAM, device.stream_Bps, 1e9),
        PART(DEVICE_READ, device.read_Bps, 1e9),
        PART(DEVICE_WINDOW, device.window_s, 1e-6),
        PART(DEVICE_EAGER, device.eager_bytes, 1),
        PART(DEVICE_MEET, device.meet_s, 1e-6),
        PART(DEVICE_LINKS, device.links_Bps, 50e9),
        PART(DEVICE_FRAGMENT, device.fragment_bytes, 1),
    };
    struct cs_site site = small_site();

    site.gpu_path = CS_PATH_LINKS;
    site.link_Bps = 50e9;
    assert_parts(&site, parts, sizeof(parts) / sizeof(*parts));
}

TEST(parameters_of_networks_have_their_units)
{
    static const struct part verbs[] = {
        PART(VERBS, net.latency_s, 1e-6),      PART(VERBS_POST, net.post_s, 1e-6),
        PART(VERBS_MEET, net.meet_s, 1e-6),    PART(VERBS_EAGER, net.eager_bytes, 1),
        PART(VERBS_SHORT, net.short_Bps, 1e9), PART(VERBS_FLOW, net.stream_Bps, 12.1e9),
    };
    static const struct part fast_efa[] = {
        PART(EFA_FAST, net.latency_s, 1e-6),
        PART(EFA_POST, net.post_s, 1e-6),
        PART(EFA_EAGER, net.eager_bytes, 1),
        PART(EFA_FLOW, net.stream_Bps, 25e9),
    };
    static const struct part efa[] = {PART(EFA, net.latency_s, 1e-6)};
    static const struct part socket[] = {
        PART(SOCKET, net.latency_s, 1e-6),      PART(SOCKET_POST, net.post_s, 1e-6),
        PART(SOCKET_EAGER, net.eager_bytes, 1), PART(SOCKET_SHORT, net.short_Bps, 1e9),
        PART(SOCKET_FLOW, net.stream_Bps, 1e9),
    };
    struct cs_site site = small_site();

    assert_parts(&site, verbs, sizeof(verbs) / sizeof(*verbs));
    site.net = CS_NET_SOCKET;
    assert_parts(&site, socket, sizeof(socket) / sizeof(*socket));
    site.net = CS_NET_EFA1;
    assert_parts(&site, efa, sizeof(efa) / sizeof(*efa));
    site.net = CS_NET_EFA2;
    site.adapter_Bps = 25e9;
    assert_parts(&site, fast_efa, sizeof(fast_efa) / sizeof(*fast_efa));
}

/* Rendezvous takes latencies of EFA and of TCP; EFA of the first generation passes the
 * wire and a core's copy in turn, TCP one connection or the whole adapter. */
TEST(networks_without_remote_reads_copy_and_meet_by_latency)
{
    struct cs_site site = small_site();
    struct cs_host_cost host;
    const double *value = cs_host_parameters;

    site.net = CS_NET_EFA1;
    assert_int_equal(cs_host_cost_of(&site, value, &host, NULL), 0);
    assert_us(host.net.meet_s, value[CS_HOST_EFA_MEET] * value[CS_HOST_EFA]);
    assert_us(1e6 / host.net.stream_Bps, 1e12 / 12.1e9 + 1e12 / (150e9 * value[CS_HOST_COPY]));
    assert_us(1e6 / host.net.short_Bps,
              1e12 / (150e9 * value[CS_HOST_COPY] * value[CS_HOST_EFA_SHORT]));
    site.net = CS_NET_SOCKET;
    site.node_Bps = 1.2e9;
    assert_int_equal(cs_host_cost_of(&site, value, &host, NULL), 0);
    assert_us(host.net.meet_s, value[CS_HOST_SOCKET_MEET] * value[CS_HOST_SOCKET]);
    assert_us(1e6 / host.net.stream_Bps, 1e12 / 1.2e9);
    assert_us(1e6 / host.net.node_Bps, 1e12 / 1.2e9);
}

/* Unknown rates: 150 GB/s of memory and 12 GB/s of PCIe; one socket has one cache. */
/* The adapter reads the memory of GPUs, after as long as a copy takes to start: no CPU does. */
TEST(slingshot_adapters_move_messages_of_hosts_and_gpus)
{
    struct cs_site site = small_site();
    double values[CS_HOST_PARAMETERS];
    struct cs_host_cost host;

    memcpy(values, cs_host_parameters, sizeof(values));
    values[CS_HOST_CXI] = 3;
    values[CS_HOST_CXI_EAGER] = 16000;
    values[CS_HOST_CXI_FLOW] = 0.5;
    values[CS_HOST_VERBS_POST] = 0;
    values[CS_HOST_VERBS_MEET] = 5;
    values[CS_HOST_DEVICE_COPY] = 8;
    site.net = CS_NET_SLINGSHOT;
    site.gdr = true;
    site.adapters = 4;
    site.adapter_Bps = 24e9;
    site.node_Bps = 96e9;
    assert_done(cs_host_cost_of(&site, values, &host, &err));
    assert_us(cs_host_between_s(&host, 8000, 1), 3 + 1);
    assert_us(cs_host_between_s(&host, 48000, 1), 3 + 5 + 4);
    assert_us(cs_host_inside_s(&host, 8000, 1), 3 + 1);
    host.buffers = CS_BUFFERS_DEVICE;
    assert_us(cs_host_between_s(&host, 8000, 1), 3 + 1 + 8);
    assert_us(cs_host_between_s(&host, 48000, 1), 3 + 5 + 4 + 8);
    assert_us(cs_host_between_wait_s(&host, 8000), 3 + 8);
    assert_us(cs_host_inside_wait_s(&host, 48000), 3 + 5 + 8);
}

TEST(unknown_rates_of_a_host_are_those_of_its_generation)
{
    struct cs_site site = small_site();
    struct cs_host_cost host;

    site.host_Bps = site.socket_Bps = 0;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &host, NULL), 0);
    assert_us(1e6 / host.memory_Bps, 1e12 / 150e9);
    assert_us(1e6 / host.pcie_Bps, 1e12 / 12e9);
    assert_us(host.cache_bytes, cs_host_parameters[CS_HOST_CACHE] * 1e12);
    assert_true(isinf(host.device.next_Bps) && isinf(host.device.exchange_Bps));
    site.host_Bps = 300e9;
    site.socket_Bps = 20e9;
    site.pcie_Bps = 24e9;
    site.next_Bps = 30e9;
    site.exchange_Bps = 40e9;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &host, NULL), 0);
    assert_us(1e6 / host.memory_Bps, 1e12 / 600e9);
    assert_us(1e6 / host.pcie_Bps, 1e12 / 24e9);
    assert_us(1e6 / host.device.next_Bps, 1e12 / 30e9);
    assert_us(1e6 / host.device.exchange_Bps, 1e12 / 40e9);
    assert_false(host.device.has_window);
    site.gdr = true;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &host, NULL), 0);
    assert_true(host.device.has_window);
}
