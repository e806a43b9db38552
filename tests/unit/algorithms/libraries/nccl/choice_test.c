/* NCCL's choices: check values of an independent re-implementation, and lines
 * of published logs. */
#include "algorithms/libraries/nccl/choice.h"

#include "tests/fixture.h"

static struct cs_nccl_graph graph(uint32_t channels, double intra, double inter)
{
    return (struct cs_nccl_graph){.channels = channels,
                                  .intra_GBps = intra,
                                  .inter_GBps = inter,
                                  .intra_path = CS_PATH_LINKS,
                                  .inter_path = CS_PATH_SWITCH,
                                  .same_channels = true};
}

/* Configurations of the check values: graphs are assumptions, not logs. */
static struct cs_nccl_comm uniform(uint32_t nodes, uint32_t ranks, uint32_t capability,
                                   enum cs_nccl_cpu cpu, struct cs_nccl_graph found)
{
    return (struct cs_nccl_comm){.ranks = ranks,
                                 .nodes = nodes,
                                 .node_ranks = ranks / nodes,
                                 .min_capability = capability,
                                 .max_capability = capability,
                                 .cpu = cpu,
                                 .channels = found.channels,
                                 .ring = found,
                                 .tree = found};
}

static struct cs_nccl_comm config_a(void)
{
    struct cs_nccl_comm comm = uniform(1, 8, 90, CS_NCCL_CPU_INTEL, graph(24, 15, 15));

    comm.has_switch = true;
    comm.nvls = graph(16, 22.5, 22.5);
    comm.nvls_channels = 16;
    return comm;
}

static void expect_choice(const struct cs_nccl_comm *comm, enum cs_nccl_func func, uint64_t bytes,
                          enum cs_nccl_engine engine, enum cs_nccl_protocol protocol,
                          double time_us)
{
    struct cs_nccl_call call = {.func = func, .bytes = bytes};
    struct cs_nccl_table table;
    struct cs_nccl_choice choice;

    cs_nccl_table_fill(comm, &table);
    choice = cs_nccl_choose(comm, &table, &call, (struct cs_nccl_allowed){0});
    assert_string_equal(cs_nccl_engine_name(choice.engine), cs_nccl_engine_name(engine));
    assert_string_equal(cs_nccl_protocol_name(choice.protocol), cs_nccl_protocol_name(protocol));
    if (time_us > 0)
        assert_true(fabs(choice.time_s * 1e6 - time_us) < 5.1e-4);
}

#define KIB (1ull << 10)
#define MIB (1ull << 20)
#define GIB (1ull << 30)

TEST(one_hopper_node_gives_the_check_values)
{
    struct cs_nccl_comm comm = config_a();

    expect_choice(&comm, CS_NCCL_ALL_REDUCE, 8, CS_NCCL_RING, CS_NCCL_LL, 15);
    expect_choice(&comm, CS_NCCL_ALL_REDUCE, MIB, CS_NCCL_RING, CS_NCCL_LL, 28.014);
    expect_choice(&comm, CS_NCCL_ALL_REDUCE, 16 * MIB, CS_NCCL_NVLS, CS_NCCL_SIMPLE, 106.556);
    expect_choice(&comm, CS_NCCL_ALL_REDUCE, 256 * MIB, CS_NCCL_NVLS, CS_NCCL_SIMPLE, 1329.895);
    expect_choice(&comm, CS_NCCL_ALL_REDUCE, 4 * GIB, CS_NCCL_NVLS, CS_NCCL_SIMPLE, 20903.313);
    expect_choice(&comm, CS_NCCL_ALL_GATHER, 16 * MIB, CS_NCCL_RING, CS_NCCL_LL128, 71.624);
    expect_choice(&comm, CS_NCCL_ALL_GATHER, 4 * GIB, CS_NCCL_RING, CS_NCCL_SIMPLE, 10471.357);
}

TEST(four_hopper_nodes_give_the_check_values)
{
    struct cs_nccl_comm comm = uniform(4, 32, 90, CS_NCCL_CPU_INTEL, graph(16, 24, 24));

    expect_choice(&comm, CS_NCCL_ALL_REDUCE, 8, CS_NCCL_TREE, CS_NCCL_LL, 35.201);
    expect_choice(&comm, CS_NCCL_ALL_REDUCE, 64 * KIB, CS_NCCL_TREE, CS_NCCL_LL, 45.908);
    expect_choice(&comm, CS_NCCL_ALL_REDUCE, MIB, CS_NCCL_TREE, CS_NCCL_LL128, 76.053);
    expect_choice(&comm, CS_NCCL_ALL_REDUCE, 256 * MIB, CS_NCCL_RING, CS_NCCL_LL128, 1616.586);
    expect_choice(&comm, CS_NCCL_ALL_REDUCE, 4 * GIB, CS_NCCL_RING, CS_NCCL_SIMPLE, 22066.491);
}

TEST(two_ampere_nodes_give_the_check_values)
{
    struct cs_nccl_comm comm = uniform(2, 16, 80, CS_NCCL_CPU_AMD, graph(8, 20, 20));

    expect_choice(&comm, CS_NCCL_ALL_REDUCE, MIB, CS_NCCL_TREE, CS_NCCL_LL128, 73.828);
    expect_choice(&comm, CS_NCCL_ALL_REDUCE, 16 * MIB, CS_NCCL_RING, CS_NCCL_LL128, 291.704);
    expect_choice(&comm, CS_NCCL_ALL_REDUCE, 256 * MIB, CS_NCCL_RING, CS_NCCL_SIMPLE, 3431.888);
}

TEST(sixteen_single_gpu_nodes_give_the_check_values)
{
    struct cs_nccl_comm comm = uniform(16, 16, 90, CS_NCCL_CPU_INTEL, graph(2, 24, 24));

    expect_choice(&comm, CS_NCCL_ALL_GATHER, 8, CS_NCCL_PAT, CS_NCCL_SIMPLE, 68.8);
    expect_choice(&comm, CS_NCCL_ALL_GATHER, MIB, CS_NCCL_PAT, CS_NCCL_SIMPLE, 97.927);
    expect_choice(&comm, CS_NCCL_ALL_GATHER, 16 * MIB, CS_NCCL_RING, CS_NCCL_LL128, 497.674);
    expect_choice(&comm, CS_NCCL_ALL_REDUCE, 8, CS_NCCL_TREE, CS_NCCL_LL, 46.801);
    expect_choice(&comm, CS_NCCL_ALL_REDUCE, 16 * MIB, CS_NCCL_RING, CS_NCCL_LL128, 981.348);
}

/* Of 8 H200 with 12 rings of 30 GB/s and 8 NVLS channels of 40/60, as NCCL's
 * search finds; boundary as in stas00's notes on 8 H200. */
TEST(nvls_takes_over_at_two_mib_on_eight_hoppers)
{
    struct cs_nccl_comm comm = uniform(1, 8, 90, CS_NCCL_CPU_INTEL, graph(12, 30, 30));

    comm.channels = 24;
    comm.nvls = graph(8, 40, 60);
    comm.nvls_channels = 16;
    for (uint64_t bytes = 32 * KIB; bytes <= MIB; bytes *= 2)
        expect_choice(&comm, CS_NCCL_ALL_REDUCE, bytes, CS_NCCL_RING, CS_NCCL_LL, 0);
    for (uint64_t bytes = 2 * MIB; bytes <= 16 * GIB; bytes *= 2)
        expect_choice(&comm, CS_NCCL_ALL_REDUCE, bytes, CS_NCCL_NVLS, CS_NCCL_SIMPLE, 0);
}

static struct cs_nccl_choice sized(const struct cs_nccl_comm *comm, enum cs_nccl_func func,
                                   uint64_t bytes, enum cs_nccl_engine engine,
                                   enum cs_nccl_protocol protocol)
{
    struct cs_nccl_call call = {.func = func, .bytes = bytes};
    struct cs_nccl_choice choice = {.engine = engine, .protocol = protocol};
    struct cs_nccl_table table;

    cs_nccl_table_fill(comm, &table);
    cs_nccl_size_call(comm, &table, &call, &choice);
    return choice;
}

TEST(large_calls_use_every_channel_and_small_calls_one)
{
    struct cs_nccl_comm comm = uniform(1, 8, 90, CS_NCCL_CPU_INTEL, graph(12, 30, 30));
    struct cs_nccl_choice choice;

    comm.channels = 24;
    choice = sized(&comm, CS_NCCL_ALL_REDUCE, GIB, CS_NCCL_RING, CS_NCCL_SIMPLE);
    assert_int_equal(choice.channels, 24);
    assert_int_equal(choice.threads, 544);
    assert_int_equal(choice.chunk_bytes, 2 * MIB);
    assert_int_equal(choice.slice_bytes, MIB);
    choice = sized(&comm, CS_NCCL_ALL_REDUCE, 8, CS_NCCL_RING, CS_NCCL_LL);
    assert_int_equal(choice.channels, 1);
    assert_int_equal(choice.threads, 96);
    /* 512 threads x 8 B x 8 ranks = 32 KIB for a channel of LL. */
    choice = sized(&comm, CS_NCCL_ALL_REDUCE, MIB, CS_NCCL_RING, CS_NCCL_LL);
    assert_int_equal(choice.channels, 24);
    choice = sized(&comm, CS_NCCL_ALL_REDUCE, 256 * KIB, CS_NCCL_RING, CS_NCCL_LL);
    assert_int_equal(choice.channels, 8);
    /* LL128: 5 KIB of threads, but 16 KIB for 32 KIB of traffic. */
    choice = sized(&comm, CS_NCCL_ALL_REDUCE, 64 * KIB, CS_NCCL_RING, CS_NCCL_LL128);
    assert_int_equal(choice.channels, 4);
}

/* topoGetAlgoInfo: a block halves while its threads have less than their threshold, here
 * 8 B x 8 ranks; the last block gives up threads in place of itself.  NCCL 2.21 spreads
 * over all channels that remain. */
TEST(the_last_channel_gives_up_threads)
{
    struct cs_nccl_comm comm = uniform(1, 8, 90, CS_NCCL_CPU_INTEL, graph(12, 30, 30));
    static const struct {
        uint64_t bytes;
        uint32_t channels, threads;
    } calls[] = {
        {64 * KIB, 2, 512}, {64 * KIB - 1, 1, 512}, {32 * KIB, 1, 512},   {32 * KIB - 1, 1, 256},
        {16 * KIB, 1, 256}, {8 * KIB, 1, 128},      {8 * KIB - 1, 1, 96},
    };

    comm.version = 22100;
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        struct cs_nccl_choice choice =
            sized(&comm, CS_NCCL_ALL_REDUCE, calls[i].bytes, CS_NCCL_RING, CS_NCCL_LL);

        assert_int_equal(choice.channels, calls[i].channels);
        assert_int_equal(choice.threads, calls[i].threads);
    }
}

/* "NVLS should not need more than 16 channels": a single node and NVLS trees take them,
 * NVLS between nodes no more than there are rings. */
TEST(nvls_has_channels_of_its_own)
{
    static const struct {
        uint32_t nodes, rings, channels;
        enum cs_nccl_engine engine;
    } calls[] = {
        {1, 12, 16, CS_NCCL_NVLS}, {1, 24, 16, CS_NCCL_NVLS},      {2, 12, 12, CS_NCCL_NVLS},
        {2, 24, 16, CS_NCCL_NVLS}, {2, 12, 16, CS_NCCL_NVLS_TREE}, {2, 24, 16, CS_NCCL_NVLS_TREE},
    };

    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        struct cs_nccl_comm comm = uniform(calls[i].nodes, 8 * calls[i].nodes, 90,
                                           CS_NCCL_CPU_INTEL, graph(calls[i].rings, 30, 30));

        comm.nvls = graph(8, 40, 60);
        comm.nvls_channels = 16;
        assert_int_equal(
            sized(&comm, CS_NCCL_ALL_REDUCE, GIB, calls[i].engine, CS_NCCL_SIMPLE).channels,
            calls[i].channels);
    }
}

/* CollNet direct, of 24 channels x 640 threads x 8 heads x 512 B: channels down to 16, 8,
 * 4, 2 and 1, the threshold half at 24, 12, 6 and 3 of them; worked out on paper. */
TEST(collnet_direct_gives_up_channels_in_stages)
{
    struct cs_nccl_comm comm = uniform(4, 32, 90, CS_NCCL_CPU_INTEL, graph(24, 30, 30));
    static const struct {
        uint64_t bytes;
        uint32_t channels;
    } calls[] = {
        {GIB, 24}, {62914560, 24}, {62914559, 23}, {20000000, 15}, {1000000, 3}, {1000, 1},
    };

    comm.heads = 8;
    comm.version = 22100;
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
        assert_int_equal(
            sized(&comm, CS_NCCL_ALL_REDUCE, calls[i].bytes, CS_NCCL_COLLNET_DIRECT, CS_NCCL_SIMPLE)
                .channels,
            calls[i].channels);
}

TEST(a_pipeline_of_trees_cuts_ll128_into_smaller_chunks)
{
    struct cs_nccl_comm comm = uniform(4, 32, 90, CS_NCCL_CPU_INTEL, graph(16, 24, 24));
    struct cs_nccl_choice large, small;

    large = sized(&comm, CS_NCCL_ALL_REDUCE, 4 * GIB, CS_NCCL_TREE, CS_NCCL_LL128);
    small = sized(&comm, CS_NCCL_ALL_REDUCE, MIB, CS_NCCL_TREE, CS_NCCL_LL128);
    assert_int_equal(large.chunk_bytes, 576000);
    assert_true(small.chunk_bytes <= 36000);
    assert_int_equal(small.threads, 640);
}

/* NCCL's estimate for a ring with Simple, in microseconds. */
static double ring_us(const struct cs_nccl_comm *comm, uint64_t bytes)
{
    const struct cs_nccl_call call = {.func = CS_NCCL_ALL_REDUCE, .bytes = bytes};
    const struct cs_nccl_allowed ring = {1U << CS_NCCL_RING, 1U << CS_NCCL_SIMPLE};
    struct cs_nccl_table table;

    cs_nccl_table_fill(comm, &table);
    return 1e6 * cs_nccl_choose(comm, &table, &call, ring).time_s;
}

/* Between nodes a ring's latency is 1.9 or 1.4 times as long once every rank has data: 64 B
 * for each of 12 channels and 32 ranks, to 2.11 64 KiB for each 16 ranks. */
TEST(rings_between_nodes_have_a_plateau)
{
    static const struct {
        uint32_t version, nodes, capability;
        uint64_t bytes;
        double times;
    } cases[] = {
        {21000, 4, 70, 128 * KIB, 1.9}, {21000, 4, 80, 128 * KIB, 1.9},
        {21700, 4, 70, 24 * KIB, 1.9},  {21700, 4, 80, 24 * KIB, 1.4},
        {21000, 1, 80, 128 * KIB, 1},   {21700, 1, 80, 24 * KIB, 1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct cs_nccl_comm comm =
            uniform(cases[i].nodes, 32, cases[i].capability, CS_NCCL_CPU_INTEL, graph(12, 20, 20));
        double below, latency;

        comm.version = cases[i].version;
        below = ring_us(&comm, cases[i].bytes - 16);
        latency = 2 * ring_us(&comm, cases[i].bytes / 2 - 8) - below; /* of no bytes */
        assert_true(latency > 0);
        assert_within(1 + (ring_us(&comm, cases[i].bytes) - below) / latency, cases[i].times, 1e-3);
    }
}

TEST(forced_engines_and_protocols_are_obeyed)
{
    struct cs_nccl_comm comm = config_a();
    struct cs_nccl_call call = {.func = CS_NCCL_ALL_REDUCE, .bytes = GIB};
    struct cs_nccl_table table;
    struct cs_nccl_choice choice;

    cs_nccl_table_fill(&comm, &table);
    choice = cs_nccl_choose(&comm, &table, &call,
                            (struct cs_nccl_allowed){1u << CS_NCCL_TREE, 1u << CS_NCCL_LL});
    assert_int_equal(choice.engine, CS_NCCL_TREE);
    assert_int_equal(choice.protocol, CS_NCCL_LL);
    choice = cs_nccl_choose(&comm, &table, &call, (struct cs_nccl_allowed){1u << CS_NCCL_PAT, 0});
    assert_true(isinf(choice.time_s));
}
