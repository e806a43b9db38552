/*
 * bench: speed of the simulator.
 *
 * Every case is a command of a user, from the start of the process to its end.
 * Figures are of a single run, beside other load: compare two versions as ratios of
 * alternating runs.
 */
#include "scenarios/bench/case.h"
#include "scenarios/commands.h"
#include "sim/base/units.h"

#include <stdio.h>

#define RING(ranks, model)                                                              \
    "--topo switch:ranks=" #ranks ",bandwidth=25GB/s,latency=0.5us --link-model " model \
    " --algo ring --fold off --no-proof --json"
#define TWO_LEVELS(model)                                      \
    "--topo fat-tree:radix=256,ranks=1024 --link-model " model \
    " --algo ring --fold off --no-proof --json"
#define ALL_TO_ALL(model)                                                        \
    "--topo fat-tree:radix=16 --ranks 256 --collective all-to-all --size 256MB " \
    "--link-model " model " --fold off --no-proof --json"
#define NAMED(machine, algo, fold) "--topo " machine " --algo " algo " --fold " fold " --json"
#define PROOF(ranks)               "check --topo switch:ranks=" #ranks " ring --json"
#define CLUSTER(node, nodes)       "cluster:node=" node ",nodes=" #nodes
#define SYNTH(collective, nodes) \
    "synth --topo " CLUSTER("dgx-h100", nodes) ",fabric=rail --size 1GiB --collective " collective

static const struct cs_bench_case cases[] = {
    {.what = "ring of 64, fifo",
     .line = RING(64, "fifo"),
     .others = {{"ASTRA-sim analytical, unaware", 0.030, 14},
                {"ASTRA-sim analytical, aware", 0.033, 14},
                {"LogGOPSim", 0.009, 12}}},
    {.what = "ring of 1,024, fifo",
     .line = RING(1024, "fifo"),
     .others = {{"ASTRA-sim analytical, unaware", 2.49, 354},
                {"ASTRA-sim analytical, aware", 3.50, 355},
                {"LogGOPSim", 2.58, 576},
                {"LogGOPSim of ATLAHS", 49, 2004}}},
    {.what = "ring of 4,096, fifo",
     .line = RING(4096, "fifo"),
     .others = {{"ASTRA-sim analytical, unaware", 92, 5450},
                {"ASTRA-sim analytical, aware", 132, 5452},
                {"LogGOPSim", 60, 9155}}},
    {.what = "ring of 1,024, fluid",
     .line = RING(1024, "fluid"),
     .others = {{"SimGrid S4U, CM02", 5.95, 45}}},
    {.what = "ring of 4,096, fluid",
     .line = RING(4096, "fluid"),
     .others = {{"SimGrid S4U, CM02", 326, 82}}},
    {.what = "ring over 8 leaves of 128, fifo", .line = TWO_LEVELS("fifo")},
    {.what = "ring over 8 leaves of 128, fluid",
     .line = TWO_LEVELS("fluid"),
     .others = {{"SimGrid S4U, CM02", 9.5, 0}}},
    {.what = "ring of 64, packets of 9000 B",
     .line = RING(64, "packet") " --mtu 9000",
     .others = {{"ns-3.37, point to point", 33.8, 33}}},
    {.what = "ring of 1,024 from a GOAL file, loggp",
     .line = "--topo switch:ranks=1024 --algo goal:/dev/fd/3 --link-model loggp --no-proof --json",
     .input = "export --topo switch:ranks=1024 --algo ring --format goal",
     .others = {{"LogGOPSim, binary", 2.58, 576}}},
    {.what = "all-to-all of 256, fifo", .line = ALL_TO_ALL("fifo")},
    {.what = "all-to-all of 256, fluid", .line = ALL_TO_ALL("fluid")},
    {.what = "proof of a ring of 64", .line = PROOF(64)},
    {.what = "proof of a ring of 1,024", .line = PROOF(1024)},
    {.what = "proof of a ring of 4,096", .line = PROOF(4096)},
    {.what = "ring of 1,048,576", .line = NAMED("switch:ranks=1048576", "ring", "auto")},
    {.what = "hierarchical, 131,072 nodes",
     .line = NAMED(CLUSTER("hgx-h200", 131072) ",fabric=rail", "hierarchical", "auto")},
    {.what = "multi-ring, 128 nodes, rails",
     .line = NAMED(CLUSTER("dgx-h100", 128) ",fabric=rail", "multi-ring", "auto")},
    {.what = "multi-ring, 128 nodes, fat tree",
     .line = NAMED(CLUSTER("dgx-h100", 128) ",fabric=fat-tree", "multi-ring", "auto")},
    {.what = "double tree, 128 nodes",
     .line = NAMED(CLUSTER("dgx-h100", 128) ",fabric=rail", "double-tree", "auto")},
    {.what = "NVLS tree, 128 nodes",
     .line = NAMED(CLUSTER("dgx-h100", 128) ",fabric=rail", "nvls-tree", "auto")},
    {.what = "multi-ring, 2,048 nodes",
     .line = NAMED(CLUSTER("dgx-h100", 2048) ",fabric=rail", "multi-ring", "auto")},
    {.what = "multi-ring, 20 NVL72",
     .line = NAMED(CLUSTER("gb200-nvl72", 20) ",fabric=rail", "multi-ring", "auto")},
    {.what = "multi-ring, 64 nodes, fat tree, unfolded",
     .line = NAMED(CLUSTER("dgx-h100", 64) ",fabric=fat-tree", "multi-ring", "off")},
    {.what = "multi-ring, 64 nodes, rails, unfolded",
     .line = NAMED(CLUSTER("dgx-h100", 64) ",fabric=rail", "multi-ring", "off")},
    {.what = "a fat tree of 16,384 hosts",
     .line = "topo show --topo fat-tree:radix=64 --ranks 16384"},
    {.what = "YAML of 1,024 nodes",
     .line = "topo show --topo /dev/fd/3",
     .input = "topo export --topo " CLUSTER("dgx-h100", 1024) " --format yaml"},
    {.what = "best all-gather, 16 nodes", .line = SYNTH("all-gather", 16), .limit_s = 10},
    {.what = "best all-gather, 128 nodes", .line = SYNTH("all-gather", 128), .limit_s = 60},
    {.what = "best all-reduce, 8 nodes, one slow adapter",
     .line = SYNTH("all-reduce", 8) " --fault n0.gpu0-n0.plx0:rate=50%",
     .limit_s = 1},
    {.what = "llama2-70b on 1,024 GPUs, 8 x 8 x 16",
     .line = "train --topo " CLUSTER(
         "dgx-h100", 128) " --model llama2-70b --system hybrid --tp 8 --pp 8 --global-batch 1024",
     .runs = 5,
     .limit_s = 1,
     .limit_bytes = 100000000},
    {.what = "gpt3-175b on 512 GPUs, all configurations",
     .line = "train --topo " CLUSTER("dgx-h100",
                                     64) " --model gpt3-175b --system auto --global-batch 1536",
     .runs = 5,
     .limit_s = 5},
    {.what = "resnet50 on 8 GPUs, ddp",
     .line = "train --topo dgx --model resnet50 --batch 32",
     .runs = 5,
     .limit_s = .05},
    {.what = "ring on 8 GPUs", .line = "--topo dgx --algo ring", .runs = 21},
    {.what = "fastest of all, five sizes, 128 nodes",
     .line = "--topo " CLUSTER(
         "dgx-h100", 128) ",fabric=rail --algo auto --size 1KiB,64KiB,1MiB,64MiB,1GiB -j1",
     .runs = 3},
};

static const char note[] =
    "Theirs: whole processes, median, on 2 cores of a shared server without a GPU, "
    "2026-11-20;\nLogGOPSim without making its schedule. Ours: whole processes, now.\n";

/* A line as soon as its figures are known: all cases take minutes. */
static void put_row(FILE *out, const struct cs_bench_case *bench,
                    const struct cs_bench_timing *timing)
{
    char messages[CS_UNITS_TEXT] = "";

    if (timing->messages)
        cs_units_show_count(messages, timing->messages);
    fprintf(out, "%-42s %13s %9s in %-9s", bench->what, messages,
            cs_show_seconds(timing->took_s).text, cs_show_bytes(timing->peak_bytes).text);
    if (timing->messages)
        fprintf(out, "  %s messages/s",
                cs_show_count((uint64_t)((double)timing->messages / timing->took_s)).text);
    if (bench->limit_s > 0)
        fprintf(out, "  limit %s", cs_show_seconds(bench->limit_s).text);
    if (bench->limit_bytes)
        fprintf(out, " in %s", cs_show_bytes(bench->limit_bytes).text);
    fputc('\n', out);
    fflush(out);
}

static int bench_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_table_free) struct cs_table others = {0};
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = cs_options_read(cs_command_bench.options, argc, argv, NULL, err);

    cs_bench_others_begin(&others);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases) && !code; i++) {
        struct cs_bench_timing timing;

        code = cs_bench_time(cli->program, &cases[i], &timing, err);
        if (code)
            break;
        put_row(cli->out, &cases[i], &timing);
        cs_bench_others_add(&others, &cases[i], &timing);
    }
    cs_table_write(&others, cli->style, &text);
    if (!code)
        fprintf(cli->out, "\n%s%s", cs_text_str(&text), note);
    return code;
}

static const struct cs_option bench_options[] = {{0}};

const struct cs_command cs_command_bench = {
    .name = "bench",
    .usage = "collsim bench",
    .about = "measure the speed of the simulator",
    .options = {.own = bench_options},
    .starts_processes = true,
    .run = bench_run,
};
