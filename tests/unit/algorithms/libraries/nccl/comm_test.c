/*
 * Agreement of NCCL's modelled graphs and choices with published logs.
 *
 * A row is a fact of a log with its source; the machine is a library machine or
 * a site stated by hand.  Forced calls and forced channel counts are left out,
 * and a pair of unknown GPUs (public text 28336417809: ring/LL at 1 MiB, which
 * holds for H100 and not for A100).
 * The test prints the agreement and fails below the recorded figures.
 */
#include "algorithms/libraries/nccl/choice.h"
#include "algorithms/libraries/nccl/comm.h"
#include "tests/site.h"

/* Graphs that agree, of all; calls that agree, of all. */
#define GRAPHS_RECORDED 29
#define CALLS_RECORDED  126

enum log_machine {
    LIBRARY, /* `spec` names a machine of the library */
    H20_TWO_NODES,
    GIGABIT_PORTS,
    LONE_GPUS,
    RADEON_PAIR,
    MAC_PRO,
    GEFORCE_PAIR,
    GEFORCE_EIGHT,
    A6000_FOUR,
    A10G_NODES,
};

/* Without NVLink; the figures of a machine are changes of these. */
static struct cs_site four_cards(void)
{
    return (struct cs_site){.ranks = 4,
                            .nodes = 1,
                            .node_ranks = 4,
                            .maker = CS_MAKER_NVIDIA,
                            .generation = 86,
                            .gpu_path = CS_PATH_SOCKET,
                            .net_path = CS_PATH_NONE,
                            .socket_Bps = 10e9,
                            .pcie_Bps = 12e9};
}

/* Two GPUs of an H20 node, with PXN off. */
static struct cs_site two_h20_nodes(void)
{
    return (struct cs_site){.ranks = 4,
                            .nodes = 2,
                            .node_ranks = 2,
                            .maker = CS_MAKER_NVIDIA,
                            .generation = 90,
                            .has_nvls = true,
                            .has_switch = true,
                            .gpu_path = CS_PATH_LINKS,
                            .net_path = CS_PATH_SWITCH,
                            .link_Bps = 370.8e9,
                            .ring_Bps = 370.8e9,
                            .pcie_Bps = 48e9,
                            .adapters = 2,
                            .adapter_Bps = 48.5e9};
}

/* `nodes` of one GPU, the adapter under the host bridge. */
static struct cs_site lone_gpus(uint32_t nodes, double adapter_Bps)
{
    struct cs_site site = four_cards();

    site.nodes = site.ranks = nodes;
    site.node_ranks = site.adapters = 1;
    site.gpu_path = CS_PATH_LOCAL;
    site.net_path = CS_PATH_HOST;
    site.adapter_Bps = adapter_Bps;
    return site;
}

static struct cs_site gigabit_ports(void)
{
    struct cs_site site = four_cards();

    site.nodes = 2;
    site.ranks = 8;
    site.adapters = 4;
    site.adapter_Bps = 1.2e9; /* 10 GbE */
    site.net_path = CS_PATH_SOCKET;
    return site;
}

static struct cs_site cards(uint32_t count, double pcie_Bps, enum cs_site_path path)
{
    struct cs_site site = four_cards();

    site.ranks = site.node_ranks = count;
    site.gpu_path = path;
    site.pcie_Bps = pcie_Bps;
    return site;
}

static struct cs_site radeons(struct cs_site site, uint32_t generation, double link_Bps)
{
    site.maker = CS_MAKER_AMD;
    site.generation = generation;
    site.cpu_is_amd = true;
    site.link_Bps = site.ring_Bps = link_Bps;
    return site;
}

/* Four GPUs below a switch on each socket of 72 Intel threads (PIX and SYS in
 * the thread), no access between them. */
static struct cs_site geforce_eight(void)
{
    struct cs_site site = cards(8, 24e9, CS_PATH_SOCKET);

    site.generation = 89;
    site.ring_uplink_Bps = site.pcie_Bps / 4;
    return site;
}

static struct cs_site stated(enum log_machine machine)
{
    switch (machine) {
    case H20_TWO_NODES:
        return two_h20_nodes();
    case GIGABIT_PORTS:
        return gigabit_ports();
    case LONE_GPUS:
        return lone_gpus(2, 12e9);
    case RADEON_PAIR: /* one behind four lanes of PCIe 4 */
        return radeons(cards(2, 6e9, CS_PATH_HOST), 1100, 0);
    case MAC_PRO: /* a ring of xGMI */
        return radeons(cards(4, 12e9, CS_PATH_LINKS), 906, 48e9);
    case GEFORCE_PAIR:
        return cards(2, 24e9, CS_PATH_HOST);
    case GEFORCE_EIGHT: /* four below a switch on each socket */
        return geforce_eight();
    case A10G_NODES: /* AWS g5: 25 Gb/s */
        return lone_gpus(4, 3e9);
    default:
        return four_cards();
    }
}

static struct cs_nccl_comm comm_of(enum log_machine machine, const char *spec, uint32_t ranks,
                                   uint32_t version)
{
    struct cs_site site = stated(machine);
    struct cs_nccl_comm comm;

    if (machine == LIBRARY)
        site = site_of(spec, ranks);
    assert_done(cs_nccl_comm_read(&site, version, &comm, &err));
    return comm;
}

enum log_graph {
    RING,
    TREE,
    NVLS
};

static const struct graph_row {
    const char *source;
    enum log_machine machine;
    const char *spec;
    uint32_t ranks, version;
    enum log_graph graph;
    uint32_t channels;
    double intra_GBps;
} graph_rows[] = {
/* Inferred: the graphs that give every cell of the printed tables. */
#define WAYNE "waynehacking8/nccl-collectives-bench@38c093eda275"
    {WAYNE, LIBRARY, "dgx-h100", 2, 22902, RING, 12, 30},
    {WAYNE, LIBRARY, "dgx-h100", 2, 22902, TREE, 12, 60},
    {WAYNE, LIBRARY, "dgx-h100", 2, 22902, NVLS, 2, 60},
    {WAYNE, LIBRARY, "dgx-h100", 4, 22902, RING, 12, 30},
    {WAYNE, LIBRARY, "dgx-h100", 4, 22902, TREE, 12, 30},
    {WAYNE, LIBRARY, "dgx-h100", 4, 22902, NVLS, 4, 60},
    {WAYNE, LIBRARY, "dgx-h100", 6, 22902, RING, 12, 30},
    {WAYNE, LIBRARY, "dgx-h100", 6, 22902, TREE, 12, 30},
    {WAYNE, LIBRARY, "dgx-h100", 6, 22902, NVLS, 6, 50},
/* Printed. */
#define ISSUE "https://github.com/NVIDIA/nccl/issues/"
    {ISSUE "1189", H20_TWO_NODES, NULL, 0, 0, RING, 4, 24},
    {ISSUE "601", GIGABIT_PORTS, NULL, 0, 0, RING, 4, 1.2},
    {ISSUE "524", LONE_GPUS, NULL, 0, 0, RING, 1, 12},
    {ISSUE "524", LONE_GPUS, NULL, 0, 0, TREE, 1, 24},
    {"nccl-tests issue 307", GEFORCE_EIGHT, NULL, 0, 0, RING, 1, 5},
    {"nccl-tests issue 307", GEFORCE_EIGHT, NULL, 0, 0, TREE, 1, 5},
    {"public text 57129709323", RADEON_PAIR, NULL, 0, 0, RING, 1, 6},
    {"public text 57129709323", RADEON_PAIR, NULL, 0, 0, TREE, 1, 6},
    {"public text 69520194736", MAC_PRO, NULL, 0, 0, RING, 2, 24},
    {"public text 69520194736", MAC_PRO, NULL, 0, 0, TREE, 2, 24},
    {"public text 71034775641", LIBRARY, "dgx", 2, 0, RING, 12, 20},
    {"public text 54131308947", LIBRARY, "dgx", 2, 0, RING, 12, 20},
    {"public text 54131308947", LIBRARY, "dgx", 2, 0, TREE, 12, 40},
    {"public text 69288456035", GEFORCE_PAIR, NULL, 0, 0, RING, 1, 20},
    {"zy-uestc/yccl@d76a1b034e70", A6000_FOUR, NULL, 0, 0, RING, 1, 10},
    {"zy-uestc/yccl@d76a1b034e70", A6000_FOUR, NULL, 0, 0, TREE, 1, 10},
#define BLINK "UCBerkeley-Spring2022-CS267-project/blinkplus-nccl-base"
    {BLINK "@02f3ff82d06e", LIBRARY, "dgx-1", 0, 20804, RING, 6, 22},
    {BLINK "@02f3ff82d06e", LIBRARY, "dgx-1", 0, 20804, TREE, 6, 22},
    {BLINK "@8046d801dbea", LIBRARY, "dgx-1", 4, 20708, RING, 4, 21},
    {BLINK "@8046d801dbea", LIBRARY, "dgx-1", 4, 20708, TREE, 4, 21},
};

static bool graph_agrees(const struct graph_row *row)
{
    struct cs_nccl_comm comm = comm_of(row->machine, row->spec, row->ranks, row->version);
    const struct cs_nccl_graph *graph = row->graph == RING   ? &comm.ring
                                        : row->graph == TREE ? &comm.tree
                                                             : &comm.nvls;
    bool agrees =
        graph->channels == row->channels && fabs(graph->intra_GBps - row->intra_GBps) < 1e-6;

    if (!agrees)
        printf("  %s: %u x %g, in the log %u x %g\n", row->source, graph->channels,
               graph->intra_GBps, row->channels, row->intra_GBps);
    return agrees;
}

TEST(graphs_agree_with_logs_as_recorded)
{
    size_t count = sizeof(graph_rows) / sizeof(*graph_rows);
    size_t agree = 0;

    for (size_t i = 0; i < count; i++)
        agree += graph_agrees(&graph_rows[i]);
    printf("channels x bandwidth agree in %zu of %zu graphs\n", agree, count);
    assert_true(agree >= GRAPHS_RECORDED);
}

static const struct call_row {
    const char *source;
    enum log_machine machine;
    const char *spec;
    uint32_t ranks, version;
    enum cs_nccl_func func;
    uint64_t least, most; /* powers of two between, or one size */
    enum cs_nccl_engine engine;
    enum cs_nccl_protocol protocol;
    uint32_t channels; /* 0: not printed */
} call_rows[] = {
    {WAYNE, LIBRARY, "dgx-h100", 2, 22902, CS_NCCL_ALL_REDUCE, 1 << 28, 1ull << 33, CS_NCCL_RING,
     CS_NCCL_SIMPLE, 24},
    {WAYNE, LIBRARY, "dgx-h100", 4, 22902, CS_NCCL_ALL_REDUCE, 1 << 28, 1ull << 33, CS_NCCL_RING,
     CS_NCCL_SIMPLE, 24},
    {WAYNE, LIBRARY, "dgx-h100", 6, 22902, CS_NCCL_ALL_REDUCE, 1 << 28, 1ull << 33, CS_NCCL_NVLS,
     CS_NCCL_SIMPLE, 16},
    /* Parts of one rank of 579600 and 515200 B, of release 2.26.2 by the title of
     * the thread; the tables of 2.23 to 2.26 alone give the first. */
    {ISSUE "1906", LIBRARY, "dgx-h100", 8, 22602, CS_NCCL_ALL_GATHER, 8ull * 579600, 8ull * 579600,
     CS_NCCL_NVLS, CS_NCCL_SIMPLE, 16},
    {ISSUE "1906", LIBRARY, "dgx-h100", 8, 22602, CS_NCCL_ALL_GATHER, 8ull * 515200, 8ull * 515200,
     CS_NCCL_RING, CS_NCCL_LL, 24},
    {"stas00, notes on 8 H200", LIBRARY, "hgx-h200", 8, 0, CS_NCCL_ALL_REDUCE, 1 << 15, 1 << 20,
     CS_NCCL_RING, CS_NCCL_LL, 0},
    {"stas00, notes on 8 H200", LIBRARY, "hgx-h200", 8, 0, CS_NCCL_ALL_REDUCE, 1 << 21, 1ull << 34,
     CS_NCCL_NVLS, CS_NCCL_SIMPLE, 0},
    {"public text 5291470546", A10G_NODES, NULL, 0, 0, CS_NCCL_ALL_GATHER, 37756928, 37756928,
     CS_NCCL_RING, CS_NCCL_SIMPLE, 0},
    {"public text 53411971708", LIBRARY, "ib-2xdgx", 0, 0, CS_NCCL_ALL_REDUCE, 4, 4, CS_NCCL_TREE,
     CS_NCCL_LL, 1},
/* The map of a post of 2026, NCCL 2.30.7 over the plugin of Amazon on nodes of H200
     * and of H100; LL hands over at 128 KiB on H100, at 256 KiB here. */
#define POST "public text 61959078495"
#define CALLS(spec, version, least, most, engine, protocol, channels)                       \
    {                                                                                       \
        POST, LIBRARY, spec, 0, version, CS_NCCL_ALL_REDUCE, least, most, engine, protocol, \
            channels                                                                        \
    }
#define P5EN_2 "cluster:node=p5en,nodes=2"
    CALLS(P5EN_2, 23007, 256, 128 << 10, CS_NCCL_TREE, CS_NCCL_LL, 0),
    CALLS(P5EN_2, 23007, 256 << 10, 8 << 20, CS_NCCL_TREE, CS_NCCL_LL128, 0),
    CALLS(P5EN_2, 23007, 16 << 20, 16 << 20, CS_NCCL_RING, CS_NCCL_LL128, 0),
    CALLS(P5EN_2, 23007, 32 << 20, 4ull << 30, CS_NCCL_NVLS_TREE, CS_NCCL_SIMPLE, 0),
#define P5EN_4 "cluster:node=p5en,nodes=4"
    CALLS(P5EN_4, 23007, 256, 128 << 10, CS_NCCL_TREE, CS_NCCL_LL, 0),
    CALLS(P5EN_4, 23007, 256 << 10, 16 << 20, CS_NCCL_TREE, CS_NCCL_LL128, 0),
    CALLS(P5EN_4, 23007, 32 << 20, 256 << 20, CS_NCCL_RING, CS_NCCL_LL128, 0),
    CALLS(P5EN_4, 23007, 512 << 20, 4ull << 30, CS_NCCL_RING, CS_NCCL_SIMPLE, 0),
#define P5_2 "cluster:node=p5,nodes=2"
    CALLS(P5_2, 23007, 256, 64 << 10, CS_NCCL_TREE, CS_NCCL_LL, 0),
    CALLS(P5_2, 23007, 128 << 10, 128 << 10, CS_NCCL_TREE, CS_NCCL_LL128, 0),
    CALLS(P5_2, 23007, 64 << 20, 4ull << 30, CS_NCCL_NVLS_TREE, CS_NCCL_SIMPLE, 0),
    CALLS("p5", 23007, 4096, 4096, CS_NCCL_RING, CS_NCCL_LL, 1),
    CALLS("p5", 23007, 1 << 20, 1 << 20, CS_NCCL_RING, CS_NCCL_LL, 24),
    CALLS("p5", 23007, 2 << 20, 4ull << 30, CS_NCCL_NVLS, CS_NCCL_SIMPLE, 16),
#undef CALLS
    {"public text 61254754384", LIBRARY, "dgx-1", 8, 22705, CS_NCCL_ALL_REDUCE, 1638400, 1638400,
     CS_NCCL_RING, CS_NCCL_LL128, 12},
    {"public text 71177450553", LIBRARY, "dgx-h100", 4, 22907, CS_NCCL_ALL_REDUCE, 64 << 20,
     64 << 20, CS_NCCL_RING, CS_NCCL_SIMPLE, 24},
    {"public text 63232355292", LIBRARY, "dgx-b200", 4, 22809, CS_NCCL_ALL_GATHER, 4ull * 196608,
     4ull * 196608, CS_NCCL_RING, CS_NCCL_LL, 32},
    {"public text 27806296799", LIBRARY, "a100-pcie", 2, 0, CS_NCCL_BROADCAST, 85711360, 85711360,
     CS_NCCL_RING, CS_NCCL_SIMPLE, 4},
    {"public text 70329108363", LIBRARY, "mi355x", 8, 0, CS_NCCL_ALL_REDUCE, 94371840, 94371840,
     CS_NCCL_RING, CS_NCCL_SIMPLE, 112},
};

struct call_count {
    size_t calls, agree, printed, channels;
};

static void count_call(const struct call_row *row, uint64_t bytes, struct call_count *count)
{
    struct cs_nccl_comm comm = comm_of(row->machine, row->spec, row->ranks, row->version);
    struct cs_nccl_call call = {.func = row->func, .bytes = bytes};
    struct cs_nccl_table table;
    struct cs_nccl_choice choice;
    bool agrees;

    cs_nccl_table_fill(&comm, &table);
    choice = cs_nccl_choose(&comm, &table, &call, (struct cs_nccl_allowed){0});
    agrees = choice.engine == row->engine && choice.protocol == row->protocol;
    count->calls++;
    count->agree += agrees;
    count->printed += row->channels > 0;
    count->channels += agrees && choice.channels == row->channels;
    if (agrees && row->channels && choice.channels != row->channels)
        printf("  %s: %llu B on %u channels, in the log %u\n", row->source,
               (unsigned long long)bytes, choice.channels, row->channels);
    if (!agrees)
        printf("  %s: %llu B %s/%s, in the log %s/%s\n", row->source, (unsigned long long)bytes,
               cs_nccl_engine_name(choice.engine), cs_nccl_protocol_name(choice.protocol),
               cs_nccl_engine_name(row->engine), cs_nccl_protocol_name(row->protocol));
}

TEST(choices_agree_with_logs_as_recorded)
{
    struct call_count count = {0};

    for (size_t i = 0; i < sizeof(call_rows) / sizeof(*call_rows); i++)
        for (uint64_t bytes = call_rows[i].least; bytes <= call_rows[i].most; bytes *= 2)
            count_call(&call_rows[i], bytes, &count);
    printf("engine and protocol agree in %zu of %zu calls, channels in %zu of %zu\n", count.agree,
           count.calls, count.channels, count.printed);
    assert_true(count.agree >= CALLS_RECORDED);
    assert_true(count.agree >= .95 * (double)count.calls);
}

/* Channels of communicators: 24 and 16 of NVLS on Hopper nodes, 16 on two nodes
 * of eight A100 with an adapter each. */
TEST(communicators_have_the_channels_of_their_logs)
{
    struct cs_nccl_comm comm = comm_of(LIBRARY, "dgx-h100", 8, 0);

    assert_int_equal(comm.channels, 24);
    assert_int_equal(comm.nvls_channels, 16);
    assert_int_equal(comm_of(LIBRARY, "dgx-h100", 2, 22705).nvls_channels, 0);
    assert_int_equal(comm_of(LIBRARY, "dgx-h100", 2, 22902).nvls_channels, 16);
    comm = comm_of(LIBRARY, "ib-2xdgx", 0, 0);
    assert_int_equal(comm.channels, 16);
    comm = comm_of(H20_TWO_NODES, NULL, 0, 0);
    assert_int_equal(comm.channels, 8);
}

/* Channels and the largest chunk of NVLSTree: by nodes, and of Blackwell from 2.30 on also by
 * GPUs, adapters and the path to these; worked out on paper. */
TEST(nvls_trees_have_the_chunks_of_their_version)
{
    static const struct {
        const char *spec;
        uint32_t version, channels, kib;
    } comms[] = {
        {"cluster:node=dgx-h100,nodes=2", 0, 16, 128},
        {"cluster:node=dgx-h100,nodes=4", 0, 16, 64},
        {"cluster:node=dgx-b200,nodes=2", 22900, 32, 128},
        {"cluster:node=dgx-b200,nodes=2", 0, 32, 64},
        {"cluster:node=dgx-b200,nodes=4", 0, 24, 64},
        {"cluster:node=dgx-b300,nodes=4", 0, 24, 256},
        {"cluster:node=gb200-nvl72,nodes=20", 22602, 32, 64},
        {"cluster:node=gb200-nvl72,nodes=20", 0, 24, 128},
        {"cluster:node=gb200-nvl72,nodes=2,gpus=4", 0, 32, 256},
        {"cluster:node=gb300-nvl72,nodes=2", 0, 32, 64},
        {"cluster:node=gb300-nvl72,nodes=3", 0, 32, 64},
    };

    for (size_t i = 0; i < sizeof(comms) / sizeof(*comms); i++) {
        struct cs_nccl_comm comm = comm_of(LIBRARY, comms[i].spec, 0, comms[i].version);

        if (comm.nvls_channels != comms[i].channels || comm.nvls_tree_bytes != comms[i].kib << 10)
            fail_msg("%s, version %u: %u channels, %u bytes", comms[i].spec, comms[i].version,
                     comm.nvls_channels, comm.nvls_tree_bytes);
    }
}
