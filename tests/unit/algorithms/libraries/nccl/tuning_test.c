/* NCCL's tuning table against tables that NCCL itself printed. */
#include "algorithms/libraries/nccl/tuning.h"

#include "tests/fixture.h"

struct printed_cell {
    enum cs_nccl_func func;
    enum cs_nccl_engine engine;
    enum cs_nccl_protocol protocol;
    double latency_us, bandwidth_GBps; /* to .1 */
};

/* Latency and bandwidth of LL, LL128 and Simple, as a log prints them; 0: not printed. */
struct printed_row {
    enum cs_nccl_func func;
    enum cs_nccl_engine engine;
    double printed[3][2];
};

/* 2, 4 and 6 of 8 H100 SXM5, NCCL 2.29.2: waynehacking8/nccl-collectives-bench
 * results/scaling_attributed/g{2,4,6}_auto.log at 38c093eda275. */
static const struct printed_row two_gpu_cells[] = {
    {CS_NCCL_BROADCAST, CS_NCCL_RING, {{7.2, 141.0}, {15.9, 331.2}, {11.8, 360.0}}},
    {CS_NCCL_REDUCE, CS_NCCL_RING, {{7.2, 141.0}, {15.9, 331.2}, {11.8, 360.0}}},
    {CS_NCCL_ALL_GATHER, CS_NCCL_RING, {{7.2, 282.0}, {15.9, 662.4}, {11.8, 720.0}}},
    {CS_NCCL_REDUCE_SCATTER, CS_NCCL_RING, {{7.2, 282.0}, {15.9, 662.4}, {11.8, 720.0}}},
    {CS_NCCL_ALL_REDUCE, CS_NCCL_TREE, {{8.0, 61.1}, {16.5, 180.6}, {16.4, 232.2}}},
    {CS_NCCL_ALL_REDUCE, CS_NCCL_RING, {{7.8, 141.0}, {17.8, 331.2}, {15.2, 360.0}}},
    {CS_NCCL_ALL_GATHER, CS_NCCL_NVLS, {{0, 0}, {0, 0}, {25.0, 25.5}}},
    {CS_NCCL_REDUCE_SCATTER, CS_NCCL_NVLS, {{0, 0}, {0, 0}, {25.0, 25.5}}},
    {CS_NCCL_ALL_REDUCE, CS_NCCL_NVLS, {{0, 0}, {0, 0}, {25.0, 102.0}}},
};

static const struct printed_row four_gpu_cells[] = {
    {CS_NCCL_BROADCAST, CS_NCCL_RING, {{7.2, 141.0}, {15.9, 331.2}, {11.8, 360.0}}},
    {CS_NCCL_REDUCE, CS_NCCL_RING, {{7.2, 141.0}, {15.9, 331.2}, {11.8, 360.0}}},
    {CS_NCCL_ALL_GATHER, CS_NCCL_RING, {{8.4, 188.0}, {19.7, 441.6}, {18.6, 480.0}}},
    {CS_NCCL_REDUCE_SCATTER, CS_NCCL_RING, {{8.4, 188.0}, {19.7, 441.6}, {18.6, 480.0}}},
    {CS_NCCL_ALL_REDUCE, CS_NCCL_TREE, {{10.4, 43.6}, {21.5, 128.8}, {32.4, 165.6}}},
    {CS_NCCL_ALL_REDUCE, CS_NCCL_RING, {{10.2, 94.0}, {25.4, 220.8}, {28.8, 240.0}}},
    {CS_NCCL_ALL_GATHER, CS_NCCL_NVLS, {{0, 0}, {0, 0}, {25.0, 114.8}}},
    {CS_NCCL_REDUCE_SCATTER, CS_NCCL_NVLS, {{0, 0}, {0, 0}, {25.0, 114.8}}},
    {CS_NCCL_ALL_REDUCE, CS_NCCL_NVLS, {{0, 0}, {0, 0}, {25.0, 160.0}}},
};

static const struct printed_row six_gpu_cells[] = {
    {CS_NCCL_BROADCAST, CS_NCCL_RING, {{7.2, 141.0}, {15.9, 331.2}, {11.8, 360.0}}},
    {CS_NCCL_REDUCE, CS_NCCL_RING, {{7.2, 141.0}, {15.9, 331.2}, {11.8, 360.0}}},
    {CS_NCCL_ALL_GATHER, CS_NCCL_RING, {{9.6, 169.2}, {23.5, 397.4}, {25.4, 432.0}}},
    {CS_NCCL_REDUCE_SCATTER, CS_NCCL_RING, {{9.6, 169.2}, {23.5, 397.4}, {25.4, 432.0}}},
    {CS_NCCL_ALL_REDUCE, CS_NCCL_TREE, {{12.8, 43.6}, {26.5, 128.8}, {48.4, 165.6}}},
    {CS_NCCL_ALL_REDUCE, CS_NCCL_RING, {{12.6, 84.6}, {33.0, 198.7}, {42.4, 216.0}}},
    {CS_NCCL_ALL_GATHER, CS_NCCL_NVLS, {{0, 0}, {0, 0}, {25.0, 177.1}}},
    {CS_NCCL_REDUCE_SCATTER, CS_NCCL_NVLS, {{0, 0}, {0, 0}, {25.0, 177.1}}},
    {CS_NCCL_ALL_REDUCE, CS_NCCL_NVLS, {{0, 0}, {0, 0}, {25.0, 216.0}}},
};

/* 4 nodes of 4 PCIe GPUs, NCCL up to 2.11: NVIDIA/nccl issue 754. */
static const struct printed_row issue_754_cells[] = {
    {CS_NCCL_BROADCAST, CS_NCCL_RING, {{6.3, 0.8}, {0, 0}, {18.0, 3.0}}},
    {CS_NCCL_REDUCE, CS_NCCL_RING, {{6.3, 0.8}, {0, 0}, {18.0, 3.0}}},
    {CS_NCCL_ALL_GATHER, CS_NCCL_RING, {{33.3, 0.8}, {0, 0}, {105.6, 3.2}}},
};

static struct cs_nccl_graph graph(uint32_t channels, double intra, double inter,
                                  enum cs_site_path path)
{
    return (struct cs_nccl_graph){.channels = channels,
                                  .intra_GBps = intra,
                                  .inter_GBps = inter,
                                  .intra_path = path,
                                  .inter_path = CS_PATH_SWITCH,
                                  .same_channels = true};
}

static bool prints_as(double value, double printed)
{
    return fabs(value - printed) <= .05 + 1e-5;
}

static void expect_cells(const struct cs_nccl_comm *comm, const struct printed_row *rows,
                         size_t count)
{
    struct cs_nccl_table table;

    cs_nccl_table_fill(comm, &table);
    for (size_t i = 0; i < 3 * count; i++) {
        const struct printed_row *row = &rows[i / 3];
        const double *printed = row->printed[i % 3];
        const struct cs_nccl_cell *cell = &table.cells[row->func][row->engine][i % 3];

        if (printed[0] > 0 && (!prints_as(cell->latency_us, printed[0]) ||
                               !prints_as(cell->bandwidth_GBps, printed[1])))
            fail_msg("row %zu: %.3f us %.3f GB/s, printed %.1f us %.1f GB/s", i / 3,
                     cell->latency_us, cell->bandwidth_GBps, printed[0], printed[1]);
    }
}

/* Part of a node of 8 H100: 12 rings of 30 GB/s. */
static struct cs_nccl_comm hoppers(uint32_t ranks, double tree_GBps, double nvls_GBps)
{
    return (struct cs_nccl_comm){
        .version = 22902,
        .ranks = ranks,
        .nodes = 1,
        .node_ranks = ranks,
        .min_capability = 90,
        .max_capability = 90,
        .cpu = CS_NCCL_CPU_INTEL,
        .has_switch = true,
        .channels = 24,
        .nvls_channels = 16,
        .ring = graph(12, 30, 30, CS_PATH_LINKS),
        .tree = graph(12, tree_GBps, 30, CS_PATH_LINKS),
        .nvls = graph(ranks, nvls_GBps, 60, CS_PATH_LINKS),
    };
}

#define CELLS(rows) rows, sizeof(rows) / sizeof(*(rows))

TEST(cells_of_hopper_logs_are_exact)
{
    struct cs_nccl_comm two = hoppers(2, 60, 60);
    struct cs_nccl_comm four = hoppers(4, 30, 60);
    struct cs_nccl_comm six = hoppers(6, 30, 50);

    expect_cells(&two, CELLS(two_gpu_cells));
    expect_cells(&four, CELLS(four_gpu_cells));
    expect_cells(&six, CELLS(six_gpu_cells));
}

TEST(cells_of_an_old_log_are_exact)
{
    struct cs_nccl_comm comm = {
        .version = 21000,
        .ranks = 16,
        .nodes = 4,
        .node_ranks = 4,
        .min_capability = 75,
        .max_capability = 75,
        .channels = 2,
        .ring = graph(1, 3, 3, CS_PATH_HOST),
        .tree = graph(1, 3, 3, CS_PATH_HOST),
    };

    expect_cells(&comm, CELLS(issue_754_cells));
}

static struct cs_nccl_table filled(const struct cs_nccl_comm *comm)
{
    struct cs_nccl_table table;

    cs_nccl_table_fill(comm, &table);
    return table;
}

static double bandwidth_of(const struct cs_nccl_comm *comm, enum cs_nccl_func func,
                           enum cs_nccl_engine engine, enum cs_nccl_protocol protocol)
{
    struct cs_nccl_table table = filled(comm);

    return table.cells[func][engine][protocol].bandwidth_GBps;
}

TEST(ll128_stops_where_the_path_is_too_long)
{
    struct cs_nccl_comm comm = hoppers(8, 30, 40);

    comm.nodes = 2;
    comm.ranks = 16;
    comm.ring.inter_path = CS_PATH_PROXY;
    assert_true(bandwidth_of(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_RING, CS_NCCL_LL128) > 0);
    comm.ring.inter_path = CS_PATH_HOST;
    assert_true(bandwidth_of(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_RING, CS_NCCL_LL128) == 0);
    comm.ring.inter_path = CS_PATH_C2C;
    comm.version = 22700;
    assert_true(bandwidth_of(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_RING, CS_NCCL_LL128) > 0);
    comm.version = 22602;
    assert_true(bandwidth_of(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_RING, CS_NCCL_LL128) == 0);
    comm.version = 0;
    comm.ring.inter_path = CS_PATH_PROXY;
    comm.min_capability = comm.max_capability = 80;
    assert_true(bandwidth_of(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_RING, CS_NCCL_LL128) == 0);
}

TEST(engines_need_their_hardware_and_version)
{
    struct cs_nccl_comm comm = hoppers(8, 30, 40);

    assert_true(bandwidth_of(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_NVLS, CS_NCCL_SIMPLE) > 0);
    assert_true(bandwidth_of(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_NVLS_TREE, CS_NCCL_SIMPLE) == 0);
    assert_true(bandwidth_of(&comm, CS_NCCL_BROADCAST, CS_NCCL_NVLS, CS_NCCL_SIMPLE) == 0);
    comm.version = 21500;
    assert_true(bandwidth_of(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_NVLS, CS_NCCL_SIMPLE) == 0);
    comm = hoppers(8, 30, 40);
    comm.nodes = 2;
    comm.ranks = 16;
    assert_true(bandwidth_of(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_NVLS_TREE, CS_NCCL_SIMPLE) > 0);
    assert_true(bandwidth_of(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_NVLS, CS_NCCL_SIMPLE) == 0);
    assert_true(bandwidth_of(&comm, CS_NCCL_ALL_GATHER, CS_NCCL_PAT, CS_NCCL_SIMPLE) == 0);
}

static void expect_refusal(const struct cs_nccl_comm *comm, enum cs_nccl_func func,
                           enum cs_nccl_engine engine, enum cs_nccl_protocol protocol,
                           const char *part)
{
    const char *why = cs_nccl_refusal(comm, func, engine, protocol);

    assert_non_null(why);
    assert_non_null(strstr(why, part));
    assert_true(bandwidth_of(comm, func, engine, protocol) == 0);
}

TEST(what_is_missing_has_a_reason)
{
    struct cs_nccl_comm comm = hoppers(8, 30, 40);

    assert_null(cs_nccl_refusal(&comm, CS_NCCL_BROADCAST, CS_NCCL_RING, CS_NCCL_LL));
    expect_refusal(&comm, CS_NCCL_ALL_GATHER, CS_NCCL_TREE, CS_NCCL_SIMPLE, "for all-reduce");
    expect_refusal(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_NVLS_TREE, CS_NCCL_SIMPLE, "there is one");
    expect_refusal(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_NVLS, CS_NCCL_LL, "simple alone");
    expect_refusal(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_COLLNET_CHAIN, CS_NCCL_SIMPLE, "SHARP");
    expect_refusal(&comm, CS_NCCL_ALL_GATHER, CS_NCCL_PAT, CS_NCCL_SIMPLE, "one rank each");
    comm.version = 21500;
    expect_refusal(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_NVLS, CS_NCCL_SIMPLE, "later version");
    comm = hoppers(8, 30, 40);
    comm.node_ranks = 33;
    expect_refusal(&comm, CS_NCCL_ALL_GATHER, CS_NCCL_NVLS, CS_NCCL_SIMPLE, "32 GPUs");
    assert_null(cs_nccl_refusal(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_NVLS, CS_NCCL_SIMPLE));
    comm.nvls.channels = 0;
    expect_refusal(&comm, CS_NCCL_ALL_REDUCE, CS_NCCL_NVLS_TREE, CS_NCCL_SIMPLE, "NVLink 4");
}

TEST(a_shared_network_reduces_for_collnet)
{
    struct cs_nccl_comm comm = hoppers(8, 30, 40);
    struct cs_nccl_table table;

    comm.nodes = 4;
    comm.ranks = 32;
    comm.has_collnet = true;
    comm.heads = 8;
    comm.collnet_direct = graph(8, 45, 45, CS_PATH_LINKS);
    comm.collnet_chain = graph(12, 30, 30, CS_PATH_LINKS);
    table = filled(&comm);
    /* 8 x min(45, .9 x 45) GB/s, and .85 on Hopper for all-reduce. */
    assert_true(
        fabs(
            table.cells[CS_NCCL_ALL_GATHER][CS_NCCL_COLLNET_DIRECT][CS_NCCL_SIMPLE].bandwidth_GBps -
            8 * 40.5) < 1e-9);
    assert_true(
        fabs(
            table.cells[CS_NCCL_ALL_REDUCE][CS_NCCL_COLLNET_DIRECT][CS_NCCL_SIMPLE].bandwidth_GBps -
            .5 * .85 * 8 * 45) < 1e-9);
    /* 2 (3.7 + .4 x 7) + 31 us. */
    assert_true(
        fabs(table.cells[CS_NCCL_ALL_REDUCE][CS_NCCL_COLLNET_DIRECT][CS_NCCL_SIMPLE].latency_us -
             44) < 1e-9);
    assert_true(
        fabs(table.cells[CS_NCCL_ALL_REDUCE][CS_NCCL_COLLNET_CHAIN][CS_NCCL_SIMPLE].latency_us -
             (2 * 7 * 2.8 + 30)) < 1e-9);
    comm.heads = 4;
    assert_true(bandwidth_of(&comm, CS_NCCL_ALL_GATHER, CS_NCCL_COLLNET_DIRECT, CS_NCCL_SIMPLE) ==
                0);
}

/* An independent re-implementation of the model gave these for assumed graphs:
 * one node of 8 Hopper GPUs, four of them, two of Ampere with AMD CPUs, sixteen
 * single Hopper GPUs. */
TEST(cells_of_assumed_graphs_are_the_check_values)
{
    static const struct {
        uint32_t nodes, ranks, capability;
        enum cs_nccl_cpu cpu;
        uint32_t channels;
        double GBps;
        struct printed_cell cell;
    } checks[] = {
#define NODE 1, 8, 90, CS_NCCL_CPU_INTEL, 24, 15
        {NODE, {CS_NCCL_ALL_REDUCE, CS_NCCL_RING, CS_NCCL_SIMPLE, 56, 205.7143}},
        {NODE, {CS_NCCL_ALL_REDUCE, CS_NCCL_RING, CS_NCCL_LL, 15, 80.5714}},
        {NODE, {CS_NCCL_ALL_REDUCE, CS_NCCL_RING, CS_NCCL_LL128, 40.6, 189.2571}},
        {NODE, {CS_NCCL_ALL_REDUCE, CS_NCCL_TREE, CS_NCCL_LL128, 31.5, 128.8}},
#define FOUR 4, 32, 90, CS_NCCL_CPU_INTEL, 16, 24
        {FOUR, {CS_NCCL_ALL_REDUCE, CS_NCCL_TREE, CS_NCCL_LL, 35.2, 10.2}},
        {FOUR, {CS_NCCL_ALL_REDUCE, CS_NCCL_TREE, CS_NCCL_LL128, 65.5, 165.6}},
        {FOUR, {CS_NCCL_ALL_REDUCE, CS_NCCL_RING, CS_NCCL_LL128, 144.4, 182.3381}},
        {FOUR, {CS_NCCL_ALL_REDUCE, CS_NCCL_RING, CS_NCCL_SIMPLE, 282.8, 198.1935}},
#define TWO 2, 16, 80, CS_NCCL_CPU_AMD, 8, 20
        {TWO, {CS_NCCL_ALL_REDUCE, CS_NCCL_TREE, CS_NCCL_LL, 25.2, 11.25}},
        {TWO, {CS_NCCL_ALL_REDUCE, CS_NCCL_RING, CS_NCCL_SIMPLE, 204.4, 85.3333}},
#define LONE 16, 16, 90, CS_NCCL_CPU_INTEL, 2, 24
        {LONE, {CS_NCCL_ALL_GATHER, CS_NCCL_PAT, CS_NCCL_SIMPLE, 68.8, 36}},
    };

    for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
        struct cs_nccl_graph found =
            graph(checks[i].channels, checks[i].GBps, checks[i].GBps, CS_PATH_LINKS);
        struct cs_nccl_comm comm = {.ranks = checks[i].ranks,
                                    .nodes = checks[i].nodes,
                                    .node_ranks = checks[i].ranks / checks[i].nodes,
                                    .min_capability = checks[i].capability,
                                    .max_capability = checks[i].capability,
                                    .cpu = checks[i].cpu,
                                    .channels = checks[i].channels,
                                    .ring = found,
                                    .tree = found};
        const struct printed_cell *want = &checks[i].cell;
        struct cs_nccl_table table = filled(&comm);
        const struct cs_nccl_cell *got = &table.cells[want->func][want->engine][want->protocol];

        assert_true(fabs(got->latency_us - want->latency_us) < 1e-9);
        assert_true(fabs(got->bandwidth_GBps - want->bandwidth_GBps) < 5e-5);
    }
}
