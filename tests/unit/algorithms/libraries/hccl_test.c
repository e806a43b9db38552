/* The time of HCCL's calls, by hand. */

#include "tests/site.h"

static int hccl_time_of(const struct cs_library_request *request, struct cs_library_time *time,
                        struct cs_err *err)
{
    return library_named("hccl")->time(request, time, err);
}

/* Servers of 8 NPUs: 7 links of 30 GB/s each, adapters of 100 GB/s. */
static struct cs_site servers(uint32_t nodes)
{
    return (struct cs_site){
        .ranks = 8 * nodes,
        .nodes = nodes,
        .node_ranks = 8,
        .maker = CS_MAKER_OTHER,
        .gpu = "ascend910b",
        .gpu_path = CS_PATH_LINKS,
        .link_Bps = 210e9,
        .ring_Bps = 10e9,
        .adapters = 8,
        .adapter_Bps = 12.5e9,
        .node_Bps = 100e9,
        .net = nodes > 1 ? CS_NET_ROCE : CS_NET_NONE,
    };
}

static double hccl_us(const struct cs_site *site, const struct cs_collective *collective,
                      uint64_t bytes)
{
    struct cs_library_request request = {
        .site = site,
        .collective = collective,
        .bytes = bytes,
        .effects = CS_EFFECTS_ALL,
    };
    struct cs_library_time time;

    assert_done(hccl_time_of(&request, &time, &err));
    assert_true(time.high_s / time.low_s > 9);
    return time.total_s * 1e6;
}

/* 2.1 MB: 7/8 of it at 210 GB/s are 8.75 us. */
TEST(a_server_with_all_links_takes_one_step_each_way)
{
    struct cs_site site = servers(1);

    assert_near(hccl_us(&site, &cs_collective_allreduce, 2100000), 20 + 2 * (5 + 8.75), 1e-6);
    assert_near(hccl_us(&site, &cs_collective_allgather, 2100000), 20 + 5 + 8.75, 1e-6);
    assert_near(hccl_us(&site, &cs_collective_sendrecv, 2100000), 20 + 5 + 70, 1e-6);
}

/* 7/8 of it at 10 GB/s are 183.75 us. */
TEST(a_server_without_all_links_takes_a_ring)
{
    struct cs_site site = servers(1);

    site.gpu_path = CS_PATH_SOCKET;
    assert_near(hccl_us(&site, &cs_collective_allreduce, 2100000), 20 + 2 * (7 * 5 + 183.75), 1e-6);
}

/* Three links of 30 GB/s join four NPUs: 3/4 of 2.1 MB are 17.5 us; an eighth
 * crosses at 4/7 of 10.5 GB/s, in 43.75 us. */
TEST(two_halves_exchange_pair_by_pair)
{
    struct cs_site site = servers(1);

    site.gpu_path = CS_PATH_SOCKET;
    site.link_Bps = 90e9;
    site.exchange_Bps = 10.5e9;
    assert_near(hccl_us(&site, &cs_collective_allreduce, 2100000), 20 + 2 * (2 * 5 + 17.5 + 43.75),
                1e-6);
}

/* 3/4 and 5/6 of it at 100 GB/s are 15.75 and 17.5 us: two steps of halving, or
 * five of a ring. */
TEST(servers_halve_and_double_at_powers_of_two)
{
    struct cs_site four = servers(4);
    struct cs_site six = servers(6);

    assert_near(hccl_us(&four, &cs_collective_allreduce, 2100000),
                20 + 2 * (5 + 8.75 + 2 * 10 + 15.75), 1e-6);
    assert_near(hccl_us(&six, &cs_collective_allreduce, 2100000),
                20 + 2 * (5 + 8.75 + 5 * 10 + 17.5), 1e-6);
}

/* 7/8 of 2.1 MB at 210 GB/s are 8.75 us; between four servers a quarter of it stays, and
 * 3/4 of the 16.8 MB of eight NPUs leave at 100 GB/s, in three steps. */
TEST(an_all_to_all_goes_pair_by_pair_between_servers)
{
    struct cs_site one = servers(1), four = servers(4);

    assert_near(hccl_us(&one, &cs_collective_alltoall, 2100000), 20 + 5 + 8.75, 1e-6);
    assert_near(hccl_us(&four, &cs_collective_alltoall, 2100000), 20 + 5 + 8.75 / 4 + 3 * 10 + 126,
                1e-6);
}

/* A vector is scattered, then gathered; a barrier is both without bytes. */
TEST(calls_of_a_whole_vector_take_two_passes)
{
    struct cs_site site = servers(4);
    double pass = 5 + 8.75 + 2 * 10 + 15.75;

    assert_near(hccl_us(&site, &cs_collective_broadcast, 2100000), 20 + 2 * pass, 1e-6);
    assert_near(hccl_us(&site, &cs_collective_reduce, 2100000), 20 + 2 * pass, 1e-6);
    assert_near(hccl_us(&site, &cs_collective_reducescatter, 2100000), 20 + pass, 1e-6);
    assert_near(hccl_us(&site, &cs_collective_barrier, 2100000), 20 + 2 * (5 + 2 * 10), 1e-6);
}

TEST(times_grow_with_bytes_and_stay_above_the_wires)
{
    struct cs_site site = servers(4);

    for (size_t i = 0; i < cs_collective_count; i++) {
        double before = 0;

        if (cs_collectives[i] == &cs_collective_gather ||
            cs_collectives[i] == &cs_collective_scatter)
            continue;
        for (uint64_t bytes = 8; bytes <= 1u << 30; bytes *= 2) {
            double us = hccl_us(&site, cs_collectives[i], bytes);

            assert_true(us >= before);
            before = us;
        }
    }
    assert_true(hccl_us(&site, &cs_collective_allreduce, 1u << 30) >
                1e6 * 2 * 0.75 * (1u << 30) / 100e9);
}

/* The interval of .7 in ln time at 90 %; without the effect a launch takes nothing. */
TEST(a_time_has_its_interval_and_its_launch)
{
    struct cs_site site = servers(1);
    struct cs_library_request request = {
        .site = &site, .collective = &cs_collective_allgather, .bytes = 2100000};
    struct cs_library_time time;
    double factor = exp(0.7 * 1.645);

    assert_int_equal(hccl_time_of(&request, &time, NULL), 0);
    assert_near(time.total_s * 1e6, 5 + 8.75, 1e-6);
    assert_near(time.low_s * factor * 1e6, 5 + 8.75, 1e-6);
    assert_near(time.high_s / factor * 1e6, 5 + 8.75, 1e-6);
    assert_near(time.latency_s * 1e6, 5, 1e-6);
    assert_near(time.transfer_s * 1e6, 8.75, 1e-6);
}

/* Halves of two NPUs exchange, too; three NPUs, or halves without wires for it, take the
 * ring. */
TEST(halves_have_two_npus_or_more)
{
    struct cs_site site = servers(1);

    site.gpu_path = CS_PATH_SOCKET;
    site.ranks = site.node_ranks = 4;
    site.link_Bps = 30e9;
    assert_near(hccl_us(&site, &cs_collective_allgather, 1200000), 20 + 3 * 5 + 90, 1e-6);
    site.exchange_Bps = 9e9; /* with three peers, two of them in the other half */
    assert_near(hccl_us(&site, &cs_collective_allgather, 1200000), 20 + 2 * 5 + 20 + 50, 1e-6);
    site.ranks = site.node_ranks = 3;
    assert_near(hccl_us(&site, &cs_collective_allgather, 1200000), 20 + 2 * 5 + 80, 1e-6);
}

TEST(other_machines_are_refused)
{
    struct cs_site site = servers(1);
    struct cs_library_request request = {
        .site = &site,
        .collective = &cs_collective_allreduce,
        .bytes = 8,
        .effects = CS_EFFECTS_ALL,
    };
    struct cs_library_time time;

    site.gpu = "h100";
    assert_refused_with(hccl_time_of(&request, &time, &err), CS_ECANNOT, "Ascend");
    site.gpu = "ascend910";
    request.engine = "tree";
    assert_int_equal(hccl_time_of(&request, &time, NULL), CS_EINPUT);
    request.engine = NULL;
    request.collective = &cs_collective_gather;
    assert_int_equal(hccl_time_of(&request, &time, NULL), CS_ECANNOT);
}

/* Between servers a single NPU sends, over its own adapter of 12.5 GB/s. */
TEST(a_message_to_the_next_server_has_one_adapter)
{
    struct cs_site site = servers(2);

    assert_near(hccl_us(&site, &cs_collective_sendrecv, 1250000), 20 + 10 + 100, 1e-6);
    site.next_Bps = 10e9;
    assert_near(hccl_us(&site, &cs_collective_sendrecv, 1250000), 20 + 10 + 125, 1e-6);
}
