/* The time of Gloo's calls. */
#include "algorithms/libraries/host/parameters.h"

#include "tests/site.h"

static int gloo_time_of(const struct cs_library_request *request, struct cs_library_time *time,
                        struct cs_err *err)
{
    return library_named("gloo")->time(request, time, err);
}

static struct cs_site two_nodes(void)
{
    return (struct cs_site){
        .ranks = 2,
        .nodes = 2,
        .node_ranks = 1,
        .maker = CS_MAKER_NVIDIA,
        .host_Bps = 150e9,
        .pcie_Bps = 12e9,
        .adapters = 1,
        .adapter_Bps = 1e9,
        .node_Bps = 1e9,
        .net = CS_NET_IB,
    };
}

static struct cs_library_request gloo_call(const struct cs_site *site,
                                           const struct cs_collective *collective, uint64_t bytes)
{
    return (struct cs_library_request){
        .site = site,
        .collective = collective,
        .bytes = bytes,
        .effects = CS_EFFECTS_ALL,
    };
}

/* 10 MB over 1 GB/s: a rank sends 5 MB twice, 10 ms, in 2 x 5 segments at
 * least; the latencies of TCP add less than 2 ms. */
TEST(a_ring_of_two_is_as_fast_as_the_wire_and_the_sum)
{
    struct cs_site site = two_nodes();
    struct cs_library_request request = gloo_call(&site, &cs_collective_allreduce, 10000000);
    struct cs_library_time time;

    assert_int_equal(gloo_time_of(&request, &time, NULL), 0);
    assert_string_equal(time.engine, "ring");
    assert_string_equal(time.protocol, "tcp");
    assert_true(time.total_s > 10e-3);
    assert_true(time.transfer_s > 10e-3 && time.latency_s < 3e-3);
    assert_true(time.low_s < time.total_s && time.total_s < time.high_s);
}

/* Segments of at most 1 MiB: half a vector of just above 2 n MiB takes one message more a
 * step than that of 2 n MiB. */
TEST(a_ring_sends_a_mebibyte_at_a_time)
{
    struct cs_site site = two_nodes();

    for (uint64_t n = 1; n <= 6; n++) {
        double seconds[3];

        for (uint64_t i = 0; i < 3; i++) {
            struct cs_library_request request =
                gloo_call(&site, &cs_collective_allreduce, (2 * n << 20) + 64 * i);
            struct cs_library_time time;

            assert_int_equal(gloo_time_of(&request, &time, NULL), 0);
            seconds[i] = time.total_s;
        }
        assert_true(seconds[1] - seconds[0] > 50e-6);
        assert_true(seconds[2] - seconds[1] < 1e-6);
    }
}

TEST(tcp_is_the_transport_even_on_infiniband)
{
    struct cs_site site = two_nodes();
    struct cs_library_request request = gloo_call(&site, &cs_collective_allreduce, 1024);
    struct cs_library_time tcp, verbs;

    assert_int_equal(gloo_time_of(&request, &tcp, NULL), 0);
    request.protocol = "ibverbs";
    assert_int_equal(gloo_time_of(&request, &verbs, NULL), 0);
    assert_true(verbs.latency_s < tcp.latency_s / 10);
    site.net = CS_NET_SOCKET;
    assert_refused_with(gloo_time_of(&request, &verbs, &err), CS_ECANNOT, "needs InfiniBand");
}

TEST(every_collective_of_gloo_has_a_time)
{
    static const struct cs_collective *const modelled[] = {
        &cs_collective_allreduce, &cs_collective_broadcast,     &cs_collective_reduce,
        &cs_collective_allgather, &cs_collective_reducescatter, &cs_collective_alltoall,
        &cs_collective_sendrecv,  &cs_collective_barrier,
    };
    struct cs_site site = two_nodes();

    site.ranks = 16;
    site.node_ranks = 8;
    for (size_t i = 0; i < sizeof(modelled) / sizeof(*modelled); i++) {
        double before_s = 0;

        for (uint64_t bytes = 1024; bytes <= 1u << 30; bytes *= 2) {
            struct cs_library_request request = gloo_call(&site, modelled[i], bytes);
            struct cs_library_time time;

            assert_int_equal(gloo_time_of(&request, &time, NULL), 0);
            assert_true(time.total_s >= before_s);
            before_s = time.total_s;
        }
    }
}

/* 2 x 7 operations of a GPU, each a message and a copy, before and after the
 * nodes' ring. */
TEST(a_process_with_all_gpus_of_a_node_sums_inside_first)
{
    struct cs_site site = two_nodes();
    struct cs_library_request request;
    struct cs_library_time apart, together;

    site.ranks = 16;
    site.node_ranks = 8;
    site.link_Bps = 100e9;
    request = gloo_call(&site, &cs_collective_allreduce, 400);
    request.device_buffers = true;
    request.protocol = "ibverbs";
    request.one_process = true;
    assert_int_equal(gloo_time_of(&request, &together, NULL), 0);
    site.ranks = 2;
    site.node_ranks = 1;
    assert_int_equal(gloo_time_of(&request, &apart, NULL), 0);
    assert_true(fabs((together.total_s - apart.total_s) * 1e6 -
                     2 * 7 *
                         (cs_host_parameters[CS_HOST_DEVICE_MEET] +
                          cs_host_parameters[CS_HOST_DEVICE_COPY])) < 1);
}

TEST(unknown_transports_and_engines_are_refused)
{
    struct cs_site site = two_nodes();
    struct cs_library_request request = gloo_call(&site, &cs_collective_allreduce, 8);
    struct cs_library_time time;

    request.protocol = "ibverb";
    assert_refused_with(gloo_time_of(&request, &time, &err), CS_EINPUT, "did you mean 'ibverbs'?");
    request.protocol = NULL;
    request.engine = "rings";
    assert_int_equal(gloo_time_of(&request, &time, NULL), CS_EINPUT);
    request.engine = NULL;
    request.collective = &cs_collective_gather;
    assert_int_equal(gloo_time_of(&request, &time, NULL), CS_ECANNOT);
}
