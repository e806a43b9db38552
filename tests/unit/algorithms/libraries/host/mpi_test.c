/* The time of MPI's calls: values by hand, bounds and rows of published
 * tables. */
#include "algorithms/libraries/host/mpi_choice.h"
#include "algorithms/libraries/host/parameters.h"

#include "tests/site.h"

/* Nodes of 8 ranks on two CPUs of 150 GB/s, an adapter of 100 Gb/s. */
static struct cs_site nodes_of_eight(uint32_t nodes)
{
    return (struct cs_site){
        .ranks = 8 * nodes,
        .nodes = nodes,
        .node_ranks = 8,
        .maker = CS_MAKER_NVIDIA,
        .socket_Bps = 20e9,
        .host_Bps = 150e9,
        .pcie_Bps = 12e9,
        .link_Bps = 100e9,
        .adapters = 1,
        .adapter_Bps = 12e9,
        .node_Bps = 12e9,
        .net = nodes > 1 ? CS_NET_IB : CS_NET_NONE,
        .gdr = true,
    };
}

static struct cs_library_request call_of(const struct cs_site *site,
                                         const struct cs_collective *collective, uint64_t bytes)
{
    return (struct cs_library_request){
        .site = site,
        .collective = collective,
        .bytes = bytes,
        .effects = CS_EFFECTS_ALL,
    };
}

static struct cs_library_time timed(const struct cs_library_request *request)
{
    struct cs_library_time time;

    assert_done(library_named("mpi")->time(request, &time, &err));
    return time;
}

/* 8 ranks, 1 MiB, recursive doubling: the call; a copy of the vector and three
 * steps of a message, a copy and a sum. */
TEST(recursive_doubling_of_a_node_takes_its_copies_and_sums)
{
    struct cs_site site = nodes_of_eight(1);
    struct cs_library_request request = call_of(&site, &cs_collective_allreduce, 1 << 20);
    const double *value = cs_host_parameters;
    double copy_us = (1 << 20) / (value[CS_HOST_COPY] * 150e3);
    double sum_us = (1 << 20) / (value[CS_HOST_SUM] * 150e3);
    double step_us = value[CS_HOST_STEP] + copy_us + sum_us;
    struct cs_library_time time;

    request.engine = "recursive-doubling";
    time = timed(&request);
    assert_true(fabs(time.total_s * 1e6 / (value[CS_HOST_CALL] + copy_us + 3 * step_us) - 1) <
                1e-6);
    assert_true(fabs(time.latency_s * 1e6 - 3 * value[CS_HOST_STEP]) < 1e-6);
}

/* Buffers of GPUs: three cudaMemcpy around the sum on the host.  Open
 * MPI 4.0.5 on 4 A100: 1.5 us between hosts' buffers, 30.7 us between GPUs'
 * (aistabci/abci2.0benchmark). */
TEST(sums_of_gpu_buffers_run_on_the_host_between_three_copies)
{
    struct cs_site site = nodes_of_eight(1);
    struct cs_library_request request = call_of(&site, &cs_collective_allreduce, 4);
    double host_s, device_s;

    host_s = timed(&request).total_s;
    request.device_buffers = true;
    device_s = timed(&request).total_s;
    assert_true(fabs((device_s - host_s) * 1e6 - 3 * cs_host_parameters[CS_HOST_DEVICE_COPY]) < .1);
    request.effects &= ~(unsigned)CS_EFFECT_STAGING;
    assert_true(fabs(timed(&request).total_s - host_s) < 1e-12);
}

/* Any algorithm moves 2 (n - 1) / n V out of a node of n. */
TEST(all_reduce_is_never_faster_than_the_wires)
{
    for (uint32_t nodes = 2; nodes <= 64; nodes *= 2)
        for (uint64_t bytes = 64; bytes <= 1u << 30; bytes *= 4) {
            struct cs_site site = nodes_of_eight(nodes);
            struct cs_library_request request = call_of(&site, &cs_collective_allreduce, bytes);
            double wire_s = 2.0 * (nodes - 1) / nodes * (double)bytes / 12e9;

            for (size_t i = 0; i < cs_mpi_engine_count; i++) {
                if (cs_mpi_engines[i].collective != &cs_collective_allreduce)
                    continue;
                request.engine = cs_mpi_engines[i].name;
                assert_true(timed(&request).total_s > wire_s);
            }
        }
}

/* For a given engine: an engine of the same name at every size. */
TEST(times_of_an_engine_grow_with_bytes)
{
    for (size_t i = 0; i < cs_mpi_engine_count; i++)
        for (uint32_t nodes = 1; nodes <= 12; nodes += 1) {
            struct cs_site site = nodes_of_eight(nodes);
            double before_s = 0;

            for (uint64_t bytes = 4096; bytes <= 1u << 30; bytes += bytes / 3) {
                struct cs_library_request request =
                    call_of(&site, cs_mpi_engines[i].collective, bytes);
                double time_s;

                if (!cs_mpi_engines[i].time_s)
                    continue;
                request.engine = cs_mpi_engines[i].name;
                time_s = timed(&request).total_s;
                if (time_s < before_s * (1 - 1e-9))
                    fail_msg("%s on %u nodes: %" PRIu64 " bytes faster", cs_mpi_engines[i].name,
                             nodes, bytes);
                before_s = time_s;
            }
        }
}

TEST(parts_add_up_and_lie_in_the_interval)
{
    static const struct cs_collective *const modelled[] = {
        &cs_collective_allreduce, &cs_collective_broadcast,     &cs_collective_reduce,
        &cs_collective_allgather, &cs_collective_reducescatter, &cs_collective_alltoall,
        &cs_collective_sendrecv,  &cs_collective_barrier,
    };

    for (size_t i = 0; i < sizeof(modelled) / sizeof(*modelled); i++)
        for (uint64_t bytes = 1; bytes <= 1u << 30; bytes *= 8)
            for (int device = 0; device < 2; device++) {
                struct cs_site site = nodes_of_eight(1 + bytes % 5);
                struct cs_library_request request = call_of(&site, modelled[i], bytes);
                struct cs_library_time time;

                request.device_buffers = device;
                time = timed(&request);
                assert_true(time.launch_s > 0 && time.latency_s >= 0);
                assert_true(time.transfer_s > -1e-12);
                assert_true(fabs(time.launch_s + time.latency_s + time.transfer_s - time.total_s) <
                            1e-12);
                assert_true(time.low_s < time.total_s && time.total_s < time.high_s);
                assert_true(time.high_s < 6 * time.total_s);
            }
}

/* osu_allreduce on 4 x 16 cores of hpc7g.4xlarge, one 200 Gb/s EFA adapter and
 * 307 GB/s of memory (converged-computing/flux-usernetes): the values of rows
 * lie in the interval. */
TEST(rows_of_a_published_table_lie_in_the_interval)
{
    static const struct {
        uint64_t bytes;
        double us;
    } rows[] = {
        {4, 32.26},       {1024, 35.09},    {65536, 229.21},
        {131072, 449.46}, {262144, 248.69}, {1048576, 700.60},
    };
    struct cs_site site = {
        .ranks = 64,
        .nodes = 4,
        .node_ranks = 16,
        .cpu_is_arm = true,
        .host_Bps = 307e9,
        .adapters = 1,
        .adapter_Bps = 24e9,
        .node_Bps = 24e9,
        .net = CS_NET_EFA3,
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct cs_library_request request = call_of(&site, &cs_collective_allreduce, rows[i].bytes);
        struct cs_library_time time = timed(&request);

        assert_in_range((uint64_t)(rows[i].us * 1e3), (uint64_t)(time.low_s * 1e9),
                        (uint64_t)(time.high_s * 1e9));
    }
}

TEST(one_rank_takes_the_call_alone)
{
    struct cs_site site = nodes_of_eight(1);
    struct cs_library_request request = call_of(&site, &cs_collective_allgather, 1 << 20);
    struct cs_library_time time;

    site.ranks = site.node_ranks = 1;
    time = timed(&request);
    assert_true(time.total_s == time.launch_s);
}

TEST(unknown_words_and_impossible_calls_are_refused)
{
    struct cs_site site = nodes_of_eight(2);
    struct cs_library_request request = call_of(&site, &cs_collective_allreduce, 8);
    struct cs_library_time time;

    request.engine = "rabenseifer";
    assert_refused_with(library_named("mpi")->time(&request, &time, &err), CS_EINPUT,
                        "did you mean 'rabenseifner'?");
    request.engine = NULL;
    request.protocol = "ll";
    assert_int_equal(library_named("mpi")->time(&request, &time, NULL), CS_EINPUT);
    request.protocol = NULL;
    request.collective = &cs_collective_gather;
    assert_int_equal(library_named("mpi")->time(&request, &time, NULL), CS_ECANNOT);
    request.collective = &cs_collective_allreduce;
    request.device_buffers = true;
    site.maker = CS_MAKER_HOST;
    assert_int_equal(library_named("mpi")->time(&request, &time, NULL), CS_EINPUT);
}
