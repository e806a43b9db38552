/*
 * bench: speed of the simulator.
 *
 * A process per case makes the peak memory that of the case.  Figures are of a
 * single run, beside other load: compare two versions as
 * ratios of alternating runs.
 */
#include "scenarios/bench/work.h"
#include "scenarios/commands.h"
#include "scenarios/run/simulate.h"
#include "sim/base/units.h"
#include "topo/formats/source.h"

#include <stdio.h>

/* ---- cells of tables ---- */

enum cell {
    NAME,
    NAME_AND_RANKS,
    MODEL, /* up to here texts, and aligned left */
    RANKS,
    DONE,
    DONE_RATE,
    TEXT,
    TEXT_RATE,
    OPENED,
    TOOK,
    TOOK_LIMIT,
    PEAK,
    PEAK_LIMIT,
    GROWN, /* for each rank */
    BOUND, /* and the next ones, by collective */
};

struct cell_text {
    char text[CS_UNITS_TEXT + 64];
};

static const char *cell_of(enum cell cell, const struct cs_bench_case *bench,
                           const struct cs_bench_timing *timing, struct cell_text *cell_text)
{
    const struct cs_bench_figures *figures = &timing->figures;
    char *text = cell_text->text;

    switch (cell) {
    case NAME:
        return bench->what;
    case NAME_AND_RANKS:
        snprintf(text, sizeof(cell_text->text), "%s, p = %u", bench->what, bench->ranks);
        return text;
    case MODEL:
        return bench->model;
    case RANKS:
        return cs_units_show_count(text, bench->ranks);
    case DONE:
        return cs_units_show_count(text, figures->done);
    case DONE_RATE:
        snprintf(text, sizeof(cell_text->text), "%.3g million",
                 (double)figures->done / figures->took_s / 1e6);
        return text;
    case TEXT:
        return cs_units_show_bytes(text, figures->bytes);
    case TEXT_RATE:
        return cs_units_show_rate(text, (double)figures->bytes / figures->took_s);
    case OPENED:
        return cs_units_show_seconds(text, figures->open_s);
    case TOOK:
        return cs_units_show_seconds(text, figures->took_s);
    case TOOK_LIMIT:
        return cs_units_show_seconds(text, bench->limit_s);
    case PEAK:
        return cs_units_show_bytes(text, timing->peak_bytes);
    case PEAK_LIMIT:
        return bench->limit_bytes ? cs_units_show_bytes(text, bench->limit_bytes) : "-";
    case GROWN:
        return cs_units_show_bytes(text, timing->grown_bytes / bench->ranks);
    default:
        return cs_units_show_seconds(text, figures->bound_s[cell - BOUND]);
    }
}

/* ---- lines ---- */

/* Packets times the two links of each message. */
static uint64_t packet_hops(uint64_t messages, uint32_t ranks)
{
    uint64_t block_bytes = ((uint64_t)1 << 30) / ranks;

    return messages * 2 * ((block_bytes + CS_BENCH_PACKET_BYTES - 1) / CS_BENCH_PACKET_BYTES);
}

static void put_packets(FILE *out, const struct cs_bench_case *bench,
                        const struct cs_bench_timing *timing)
{
    uint64_t hops = packet_hops(timing->figures.done, bench->ranks);
    char count[CS_UNITS_TEXT];
    char memory[CS_UNITS_TEXT];

    fprintf(out, "%s, p = %u: %s packet-hops, %.1f million/s, in %s\n", bench->what, bench->ranks,
            cs_units_show_count(count, hops), (double)hops / timing->figures.took_s / 1e6,
            cs_units_show_bytes(memory, timing->peak_bytes));
}

static void put_named(FILE *out, const struct cs_bench_case *bench,
                      const struct cs_bench_timing *timing)
{
    bool folds = bench->detail != CS_FOLD_OFF;
    char text[CS_UNITS_TEXT];

    fprintf(out, "%s: %s all-reduce of 1 GiB over %u ranks, %s: %s", folds ? "folded" : "unfolded",
            bench->model, bench->ranks, bench->what,
            cs_units_show_seconds(text, timing->figures.took_s));
    if (folds)
        fprintf(out, " in %s\n", cs_units_show_bytes(text, timing->peak_bytes));
    else
        fprintf(out, ", %.3g million messages/s\n",
                (double)timing->figures.done / timing->figures.took_s / 1e6);
}

static void put_command(FILE *out, const struct cs_bench_case *bench,
                        const struct cs_bench_timing *timing)
{
    char text[CS_UNITS_TEXT];

    fputs("collsim", out);
    for (int i = 0; i < CS_BENCH_WORDS && bench->words[i]; i++)
        fprintf(out, " %s", bench->words[i]);
    fprintf(out, ", start to end: %s (best of %u)\n",
            cs_units_show_seconds(text, timing->figures.took_s), bench->runs);
}

/* ---- cases ---- */

static const char alltoall[] = "all-to-all at once, 4 hops";
static const char uneven[] = "the same, 1 to 2 MB";

static const struct cs_bench_case models[] = {
    {cs_bench_of_ring, "fifo", 64, .run = cs_bench_ring},
    {cs_bench_of_ring, "fifo", 1024, .run = cs_bench_ring},
    {cs_bench_of_ring, "fifo", 4096, .run = cs_bench_ring},
    {cs_bench_of_ring, "fluid", 1024, .run = cs_bench_ring},
    {cs_bench_of_ring, "fluid", 4096, .run = cs_bench_ring},
    {cs_bench_of_file, "loggp", 1024, .run = cs_bench_goal},
    {cs_bench_of_levels, "fifo", 1024, .run = cs_bench_two_levels},
    {cs_bench_of_levels, "fluid", 1024, .run = cs_bench_two_levels},
    {cs_bench_of_packets, "packet", 64, .run = cs_bench_ring},
    {alltoall, "fifo", 256, .run = cs_bench_alltoall},
    {alltoall, "fluid", 256, .run = cs_bench_alltoall},
    {uneven, "fluid", 256, cs_bench_alltoall, .detail = 1000000},
};

static const struct cs_bench_case proofs[] = {
    {cs_bench_of_ring, NULL, 64, .run = cs_bench_ring},
    {cs_bench_of_ring, NULL, 1024, .run = cs_bench_ring},
    {cs_bench_of_ring, NULL, 4096, .run = cs_bench_ring},
};

static const struct cs_bench_case packets[] = {
    {cs_bench_of_packets, "packet", 64, .run = cs_bench_ring},
};

/* Equivalent ranks as one, and every message of every rank. */
static const struct cs_bench_case named[] = {
    {"switch:ranks=1048576", "ring", 1048576, cs_bench_named, .detail = CS_FOLD_AUTO},
    {"cluster:node=hgx-h200,nodes=131072,fabric=rail", "hierarchical", 1048576, cs_bench_named,
     .detail = CS_FOLD_AUTO},
    {"cluster:node=dgx-h100,nodes=128,fabric=rail", "multi-ring", 1024, cs_bench_named,
     .detail = CS_FOLD_AUTO},
    {"cluster:node=dgx-h100,nodes=128,fabric=fat-tree", "multi-ring", 1024, cs_bench_named,
     .detail = CS_FOLD_AUTO},
    {"cluster:node=dgx-h100,nodes=128,fabric=rail", "double-tree", 1024, cs_bench_named,
     .detail = CS_FOLD_AUTO},
    {"cluster:node=dgx-h100,nodes=128,fabric=rail", "nvls-tree", 1024, cs_bench_named,
     .detail = CS_FOLD_AUTO},
    {"cluster:node=dgx-h100,nodes=2048,fabric=rail", "multi-ring", 16384, cs_bench_named,
     .detail = CS_FOLD_AUTO},
    {"cluster:node=gb200-nvl72,nodes=20,fabric=rail", "multi-ring", 1440, cs_bench_named,
     .detail = CS_FOLD_AUTO},
    {"cluster:node=dgx-h100,nodes=64,fabric=fat-tree", "multi-ring", 512, cs_bench_named,
     .detail = CS_FOLD_OFF},
    {"cluster:node=dgx-h100,nodes=64,fabric=rail", "multi-ring", 512, cs_bench_named,
     .detail = CS_FOLD_OFF},
};

static const struct cs_bench_case texts[] = {
    {"YAML", NULL, 32768, cs_bench_read, .detail = CS_BENCH_YAML},
    {"NCCL XML", NULL, 1024, cs_bench_read, .detail = CS_BENCH_NCCL},
    {"hwloc XML", NULL, 32768, cs_bench_read, .detail = CS_BENCH_HWLOC},
};

static const struct cs_bench_case routes[] = {
    {"fat-tree:radix=64", "arithmetic", 16384, cs_bench_routes, .detail = CS_ROUTING_STATIC},
    {"dragonfly:", "arithmetic", 16384, cs_bench_routes, .detail = CS_ROUTING_STATIC},
    {"torus:dims=32x32x16", "arithmetic", 16384, cs_bench_routes, .detail = CS_ROUTING_STATIC},
    {"fat-tree:radix=64", "search", 1024, cs_bench_routes, .detail = CS_ROUTING_SEARCH},
    {"dragonfly:", "search", 1024, cs_bench_routes, .detail = CS_ROUTING_SEARCH},
};

/* Single machines, clusters with merged hosts, networks without ranks to merge. */
static const struct cs_bench_case bounds[] = {
    {.what = "dgx-1", .run = cs_bench_bounds},
    {.what = "mi250x", .run = cs_bench_bounds},
    {.what = "cluster:node=dgx-h100,nodes=8", .run = cs_bench_bounds},
    {.what = "torus:dims=4x4x4", .run = cs_bench_bounds},
    {.what = "cluster:node=dgx-h100,nodes=128,fabric=rail", .run = cs_bench_bounds},
    {.what = "cluster:node=dgx-h100,nodes=128,fabric=fat-tree,radix=32", .run = cs_bench_bounds},
    {.what = "torus:dims=8x8x16", .run = cs_bench_bounds},
};

enum {
    TRAIN_RUNS = 5,
    TRACE_WORD = 4,
};

static const struct cs_bench_case training[] = {
    {.what = "llama2-70b on 1,024 GPUs, hybrid 8 x 8 x 16",
     .words = {"train", "--topo", "cluster:node=dgx-h100,nodes=128", "--model", "llama2-70b",
               "--system", "hybrid", "--tp", "8", "--pp", "8", "--global-batch", "1024"},
     .runs = TRAIN_RUNS,
     .limit_s = 1,
     .limit_bytes = 100000000},
    {.what = "gpt3-175b on 512 GPUs, all configurations",
     .words = {"train", "--topo", "cluster:node=dgx-h100,nodes=64", "--model", "gpt3-175b",
               "--system", "auto", "--global-batch", "1536"},
     .runs = TRAIN_RUNS,
     .limit_s = 5},
    {.what = "resnet50 on 8 GPUs, ddp",
     .words = {"train", "--topo", "dgx", "--model", "resnet50", "--batch", "32"},
     .runs = TRAIN_RUNS,
     .limit_s = .05},
    {.what = "replay of a trace of 100 MB",
     .words = {"train", "--topo", "dgx", "--replay", NULL, "--json"},
     .runs = TRAIN_RUNS,
     .limit_s = 3,
     .has_trace = true},
};

static const struct cs_bench_case commands[] = {
    {.what = "ring", .words = {"--topo", "dgx.yaml", "--algo", "ring"}, .runs = 21},
    {.what = "auto",
     .words = {"--topo", "cluster:node=dgx-h100,nodes=128,fabric=rail", "--algo", "auto", "--size",
               "1KiB,64KiB,1MiB,64MiB,1GiB", "-j1"},
     .runs = 3},
};

/* ---- parts: a table, or a line for each case ---- */

#define CASES(list) .cases = (list), .case_count = sizeof(list) / sizeof(*(list))

enum {
    COLUMNS_MAX = 7
};

struct bench_part {
    const struct cs_bench_case *cases;
    size_t case_count;
    struct bench_column {
        enum cell cell;
        const char *title, *unit;
    } columns[COLUMNS_MAX];
    void (*put_line)(FILE *out, const struct cs_bench_case *bench,
                     const struct cs_bench_timing *timing);
    bool has_peers; /* a second table: other simulators */
};

static const struct bench_part bench_parts[] = {
    {CASES(models),
     .columns = {{.cell = NAME_AND_RANKS, .title = "simulation"},
                 {.cell = MODEL, .title = "model"},
                 {.cell = DONE, .title = "messages"},
                 {.cell = TOOK, .title = "simulated in"},
                 {.cell = DONE_RATE, .title = "messages/s"},
                 {.cell = PEAK, .title = "peak memory"}},
     .has_peers = true},
    {CASES(proofs), .columns = {{.cell = NAME_AND_RANKS, .title = "proof"},
                                {.cell = DONE, .title = "messages"},
                                {.cell = TOOK, .title = "proven in"},
                                {.cell = DONE_RATE, .title = "messages/s"},
                                {.cell = PEAK, .title = "peak memory"}}},
    {CASES(packets), .put_line = put_packets},
    {CASES(named), .put_line = put_named},
    {CASES(texts), .columns = {{.cell = NAME, .title = "reading"},
                               {.cell = TEXT, .title = "text"},
                               {.cell = DONE, .title = "devices"},
                               {.cell = TOOK, .title = "read in"},
                               {.cell = TEXT_RATE, .title = "text/s"},
                               {.cell = DONE_RATE, .title = "devices/s"},
                               {.cell = PEAK, .title = "peak memory"}}},
    {CASES(routes), .columns = {{.cell = NAME, .title = "routes"},
                                {.cell = MODEL, .title = "found by"},
                                {.cell = RANKS, .title = "hosts"},
                                {.cell = OPENED, .title = "opened in"},
                                {.cell = DONE_RATE, .title = "pairs/s"},
                                {GROWN, "memory", "a host"}}},
    {CASES(bounds), .columns = {{.cell = NAME, .title = "lower bound"},
                                {.cell = DONE, .title = "ranks"},
                                {.cell = BOUND, .title = "all-gather"},
                                {.cell = BOUND + 1, .title = "all-reduce"},
                                {.cell = BOUND + 2, .title = "all-to-all"},
                                {.cell = BOUND + 3, .title = "broadcast"}}},
    {CASES(training), .columns = {{.cell = NAME, .title = "training"},
                                  {.cell = TOOK, .title = "start to end"},
                                  {.cell = TOOK_LIMIT, .title = "limit"},
                                  {.cell = PEAK, .title = "peak memory"},
                                  {.cell = PEAK_LIMIT, .title = "limit"}}},
    {CASES(commands), .put_line = put_command},
};

static void put_table(const struct cs_cli *cli, const struct cs_table *table)
{
    struct cs_text text = {0};

    cs_table_write(table, cli->style, &text);
    fputs(cs_text_str(&text), cli->out);
    fflush(cli->out);
    cs_text_free(&text);
}

/* The table of collsim's figures, and the table of other simulators. */
struct bench_tables {
    struct cs_table ours, peers;
};

static int bench_case(const struct cs_cli *cli, const struct bench_part *part,
                      const struct cs_bench_case *bench, struct bench_tables *tables,
                      struct cs_err *err)
{
    struct cs_bench_timing timing = {0};
    struct cell_text text;
    int code = cs_bench_time(cli->program, bench, &timing, err);

    if (code)
        return code;
    if (part->put_line)
        part->put_line(cli->out, bench, &timing);
    for (size_t c = 0; c < tables->ours.column_count; c++)
        cs_table_cell(&tables->ours, cell_of(part->columns[c].cell, bench, &timing, &text));
    if (part->has_peers)
        cs_bench_peers_add(&tables->peers, bench, &timing);
    return 0;
}

/* With a trace, which has no name and is read through its descriptor. */
static int bench_replay(const struct cs_cli *cli, const struct bench_part *part,
                        const struct cs_bench_case *bench, struct bench_tables *tables,
                        struct cs_err *err)
{
    struct cs_bench_case replay = *bench;
    FILE *file = tmpfile();
    char path[32];
    int code;

    if (file && cs_bench_write_trace(file)) {
        snprintf(path, sizeof(path), "/dev/fd/%d", fileno(file));
        replay.words[TRACE_WORD] = path;
        code = bench_case(cli, part, &replay, tables, err);
    } else
        code = cs_err_set(err, CS_ECANNOT, "cannot write a trace of 100 MB to /tmp");
    if (file)
        (void)fclose(file);
    return code;
}

static int bench_part(const struct cs_cli *cli, const struct bench_part *part, struct cs_err *err)
{
    struct cs_table_column columns[COLUMNS_MAX];
    struct bench_tables tables = {0};
    size_t count = 0;
    int code = 0;

    for (; count < COLUMNS_MAX && part->columns[count].title; count++)
        columns[count] = (struct cs_table_column){
            part->columns[count].title, part->columns[count].unit,
            part->columns[count].cell <= MODEL ? CS_TABLE_LEFT : CS_TABLE_RIGHT};
    cs_table_begin(&tables.ours, columns, count);
    cs_bench_peers_begin(&tables.peers);
    if (part != bench_parts)
        fputc('\n', cli->out);
    for (size_t i = 0; i < part->case_count && !code; i++)
        code = (part->cases[i].has_trace ? bench_replay : bench_case)(cli, part, &part->cases[i],
                                                                      &tables, err);
    if (!code && !part->put_line)
        put_table(cli, &tables.ours);
    if (!code && part->has_peers) {
        fputc('\n', cli->out);
        put_table(cli, &tables.peers);
        fputs(cs_bench_peers_note, cli->out);
    }
    cs_table_free(&tables.ours);
    cs_table_free(&tables.peers);
    return code;
}

static int bench_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    int code = cs_options_read(cs_command_bench.options, argc, argv, NULL, err);

    for (size_t i = 0; i < sizeof(bench_parts) / sizeof(*bench_parts) && !code; i++)
        code = bench_part(cli, &bench_parts[i], err);
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
