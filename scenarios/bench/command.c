/*
 * bench: speed of the simulator.
 *
 * A process per case makes the peak memory that of the case.  Figures are of a
 * single run, beside other load: compare two versions as
 * ratios of alternating runs.
 */
#include "scenarios/bench/alltoall.h"
#include "scenarios/bench/bounds.h"
#include "scenarios/bench/case.h"
#include "scenarios/bench/goal.h"
#include "scenarios/bench/machines.h"
#include "scenarios/bench/peers.h"
#include "scenarios/bench/train.h"
#include "scenarios/commands.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/simulate.h"
#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/engine/exec.h"
#include "sim/models/models.h"
#include "sim/models/params/params.h"
#include "sim/proof/proof.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PACKET_BYTES = 9000 /* Ethernet's jumbo frames */
};

static const struct cs_model_params jumbo_frames = {.packet = {.payload_bytes = PACKET_BYTES}};

/* ---- cases ---- */

static struct cs_bench_figures cmd_bench_simulate(const struct cs_program *program,
                                                  const struct cs_net *net, const char *model,
                                                  struct cs_arena *arena)
{
    const struct cs_exec_request request = {.program = program,
                                            .net = net,
                                            .model = cs_link_model_find(model),
                                            .params = &jumbo_frames};
    struct cs_bench_figures figures = {0};
    struct cs_exec_result result;
    double start_s = cs_clock_s();

    figures.good = cs_exec_run_watched(&request, arena, &result, NULL) == 0;
    figures.took_s = cs_clock_s() - start_s;
    figures.done = result.messages;
    return figures;
}

static struct cs_bench_figures cmd_bench_prove(const struct cs_program *program)
{
    struct cs_proof_options options = {0};
    struct cs_bench_figures figures = {0};
    struct cs_proof proof;
    double start_s = cs_clock_s();

    figures.good = cs_proof_run(program, &options, &proof, NULL) == 0;
    figures.took_s = cs_clock_s() - start_s;
    figures.done = proof.messages;
    return figures;
}

static struct cs_bench_figures ring_on(const struct cs_bench_case *bench, const struct cs_net *net,
                                       struct cs_arena *arena)
{
    struct cs_call call = {
        .ranks = bench->ranks, .elements = (uint64_t)1 << 28, .element_bytes = 4};
    struct cs_program program =
        cs_algo_program(cs_algo_find("ring", &cs_collective_allreduce), &call);

    return bench->model ? cmd_bench_simulate(&program, net, bench->model, arena)
                        : cmd_bench_prove(&program);
}

/* A ring over a single switch; in model packet with Ethernet frames. */
static struct cs_bench_figures run_ring(const struct cs_bench_case *bench)
{
    char spec[128];
    struct cs_topo_request request = {.spec = spec};
    struct cs_arena arena = {0};
    struct cs_bench_figures figures = {0};
    struct cs_graph graph;
    struct cs_net net;

    snprintf(spec, sizeof(spec), "switch:ranks=%u,bandwidth=25GB/s,latency=0.5us", bench->ranks);
    if (cs_topo_open(&request, &graph, &arena, NULL))
        return figures;
    cs_lower(&graph, &net, &arena);
    figures = ring_on(bench, &net, &arena);
    cs_arena_free(&arena);
    return figures;
}

/* Leaves of 128 ranks below a spine. */
static struct cs_bench_figures run_two_levels(const struct cs_bench_case *bench)
{
    const struct cs_fat_tree tree = {.leaves = bench->ranks / 128,
                                     .ranks_per_leaf = 128,
                                     .spines = 1,
                                     .rate_Bps = 25e9,
                                     .latency_ps = 500000};
    struct cs_arena arena = {0};
    struct cs_bench_figures figures;
    struct cs_net net;

    cs_fat_tree_net(&tree, &net, &arena);
    figures = ring_on(bench, &net, &arena);
    cs_arena_free(&arena);
    return figures;
}

/* A fat tree with half as many trunks as ranks. */
static struct cs_bench_figures run_blocks(const struct cs_bench_case *bench, uint64_t spread_bytes)
{
    const struct cs_fat_tree tree = {.leaves = bench->ranks / 16,
                                     .ranks_per_leaf = 16,
                                     .spines = 8,
                                     .rate_Bps = 25e9,
                                     .latency_ps = 500000};
    const struct cs_alltoall blocks = {&tree, 1000000, spread_bytes};
    struct cs_program program = cs_alltoall_program(&blocks);
    struct cs_arena arena = {0};
    struct cs_bench_figures figures;
    struct cs_net net;

    cs_fat_tree_net(&tree, &net, &arena);
    figures = bench->model ? cmd_bench_simulate(&program, &net, bench->model, &arena)
                           : cmd_bench_prove(&program);
    cs_arena_free(&arena);
    return figures;
}

static struct cs_bench_figures run_alltoall(const struct cs_bench_case *bench)
{
    return run_blocks(bench, 0);
}

/* Blocks end at different times, so that the rates change with each. */
static struct cs_bench_figures run_uneven(const struct cs_bench_case *bench)
{
    return run_blocks(bench, 1000000);
}

static const struct cs_table_column model_columns[] = {
    {"simulation", NULL, CS_TABLE_LEFT},  {"model", NULL, CS_TABLE_LEFT},
    {"messages", NULL, CS_TABLE_RIGHT},   {"simulated in", NULL, CS_TABLE_RIGHT},
    {"messages/s", NULL, CS_TABLE_RIGHT}, {"peak memory", NULL, CS_TABLE_RIGHT},
};

static const struct cs_table_column proof_columns[] = {
    {"proof", NULL, CS_TABLE_LEFT},        {"messages", NULL, CS_TABLE_RIGHT},
    {"proven in", NULL, CS_TABLE_RIGHT},   {"messages/s", NULL, CS_TABLE_RIGHT},
    {"peak memory", NULL, CS_TABLE_RIGHT},
};

static const char alltoall[] = "all-to-all at once, 4 hops";
static const char uneven[] = "the same, 1 to 2 MB";

static const struct cs_bench_case cases[] = {
    {cs_bench_ring, "fifo", 64, run_ring},
    {cs_bench_ring, "fifo", 1024, run_ring},
    {cs_bench_ring, "fifo", 4096, run_ring},
    {cs_bench_ring, "fluid", 1024, run_ring},
    {cs_bench_ring, "fluid", 4096, run_ring},
    {cs_bench_file, "loggp", 1024, cs_bench_goal},
    {cs_bench_two_levels, "fifo", 1024, run_two_levels},
    {cs_bench_two_levels, "fluid", 1024, run_two_levels},
    {cs_bench_packets, "packet", 64, run_ring},
    {alltoall, "fifo", 256, run_alltoall},
    {alltoall, "fluid", 256, run_alltoall},
    {uneven, "fluid", 256, run_uneven},
};

static const struct cs_bench_case proofs[] = {
    {cs_bench_ring, NULL, 64, run_ring},
    {cs_bench_ring, NULL, 1024, run_ring},
    {cs_bench_ring, NULL, 4096, run_ring},
};

/* The table of collsim's figures, and the table of other simulators. */
struct bench_tables {
    struct cs_table ours, peers;
};

static int bench_one(struct bench_tables *tables, const struct cs_bench_case *bench,
                     struct cs_err *err)
{
    struct cs_table *table = &tables->ours;
    char text[CS_UNITS_TEXT];
    struct cs_bench_timing timing = {0};
    int code = cs_bench_time(bench, &timing, err);

    if (code)
        return code;
    cs_table_cellf(table, "%s, p = %u", bench->what, bench->ranks);
    if (bench->model)
        cs_table_cell(table, bench->model);
    cs_table_cell(table, cs_units_show_count(text, timing.figures.done));
    cs_table_cell(table, cs_units_show_seconds(text, timing.figures.took_s));
    cs_table_cellf(table, "%.3g million",
                   (double)timing.figures.done / timing.figures.took_s / 1e6);
    cs_table_cell(table, cs_units_show_bytes(text, timing.peak_bytes));
    if (bench->model)
        cs_bench_peers_add(&tables->peers,
                           &(struct cs_bench_ours){bench->what, bench->model, bench->ranks,
                                                   timing.figures.took_s, timing.peak_bytes});
    return 0;
}

/* ---- packets ---- */

/* Packets times the two links of each message. */
static uint64_t packet_hops(uint64_t messages, uint32_t ranks)
{
    uint64_t block_bytes = ((uint64_t)1 << 30) / ranks;

    return messages * 2 * ((block_bytes + PACKET_BYTES - 1) / PACKET_BYTES);
}

static int bench_packets(const struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_bench_case bench = {cs_bench_packets, "packet", 64, run_ring};
    struct cs_bench_timing timing = {0};
    int code = cs_bench_time(&bench, &timing, err);
    char count[CS_UNITS_TEXT];
    char memory[CS_UNITS_TEXT];
    uint64_t hops;

    if (code)
        return code;
    hops = packet_hops(timing.figures.done, bench.ranks);
    fprintf(cli->out, "\n%s, p = %u: %s packet-hops, %.1f million/s, in %s\n", bench.what,
            bench.ranks, cs_units_show_count(count, hops),
            (double)hops / timing.figures.took_s / 1e6,
            cs_units_show_bytes(memory, timing.peak_bytes));
    return 0;
}

/* ---- equivalent ranks ---- */

/* From the machine's name to the record, as in a run of a user. */
static struct cs_bench_figures run_named(const struct cs_bench_case *bench, enum cs_folding fold,
                                         struct cs_record *record, struct cs_arena *arena)
{
    struct cs_bench_figures figures = {0};
    struct cs_scenario scenario;
    struct cs_text notes = {0};
    struct cs_err err = {0};
    double start_s = cs_clock_s();

    cs_scenario_init(&scenario, arena);
    scenario.topo = bench->what;
    scenario.algo_names = bench->model;
    scenario.fold = fold;
    figures.good = cs_scenario_finish(&scenario, &err) == 0;
    if (figures.good) {
        struct cs_case which = cs_case_of(&scenario, 0);

        which.notes = &notes;
        figures.good = cs_simulate(&which, arena, record, &err) == 0;
    }
    figures.took_s = cs_clock_s() - start_s;
    cs_text_free(&notes);
    return figures;
}

static struct cs_bench_figures run_folded(const struct cs_bench_case *bench)
{
    struct cs_arena arena = {0};
    struct cs_record record;
    struct cs_bench_figures figures = run_named(bench, CS_FOLD_AUTO, &record, &arena);

    figures.good = figures.good && *record.folding != '\0';
    figures.done = bench->ranks;
    cs_arena_free(&arena);
    return figures;
}

/* Every message of every rank. */
static struct cs_bench_figures run_unfolded(const struct cs_bench_case *bench)
{
    struct cs_arena arena = {0};
    struct cs_record record;
    struct cs_bench_figures figures = run_named(bench, CS_FOLD_OFF, &record, &arena);

    if (figures.good)
        figures.done = record.messages;
    cs_arena_free(&arena);
    return figures;
}

static const struct cs_bench_case folded[] = {
    {"switch:ranks=1048576", "ring", 1048576, run_folded},
    {"cluster:node=hgx-h200,nodes=131072,fabric=rail", "hierarchical", 1048576, run_folded},
    {"cluster:node=dgx-h100,nodes=128,fabric=rail", "multi-ring", 1024, run_folded},
    {"cluster:node=dgx-h100,nodes=128,fabric=fat-tree", "multi-ring", 1024, run_folded},
    {"cluster:node=dgx-h100,nodes=128,fabric=rail", "double-tree", 1024, run_folded},
    {"cluster:node=dgx-h100,nodes=128,fabric=rail", "nvls-tree", 1024, run_folded},
    {"cluster:node=dgx-h100,nodes=2048,fabric=rail", "multi-ring", 16384, run_folded},
    {"cluster:node=gb200-nvl72,nodes=20,fabric=rail", "multi-ring", 1440, run_folded},
};

static const struct cs_bench_case unfolded[] = {
    {"cluster:node=dgx-h100,nodes=64,fabric=fat-tree", "multi-ring", 512, run_unfolded},
    {"cluster:node=dgx-h100,nodes=64,fabric=rail", "multi-ring", 512, run_unfolded},
};

static int bench_unfolded(const struct cs_cli *cli, struct cs_err *err)
{
    char time[CS_UNITS_TEXT];
    int code = 0;

    for (size_t i = 0; i < sizeof(unfolded) / sizeof(*unfolded) && !code; i++) {
        struct cs_bench_timing timing = {0};

        code = cs_bench_time(&unfolded[i], &timing, err);
        if (!code)
            fprintf(
                cli->out,
                "unfolded: %s all-reduce of 1 GiB over %u ranks, %s: %s, %.3g million messages/s\n",
                unfolded[i].model, unfolded[i].ranks, unfolded[i].what,
                cs_units_show_seconds(time, timing.figures.took_s),
                (double)timing.figures.done / timing.figures.took_s / 1e6);
    }
    return code;
}

static int bench_folded(const struct cs_cli *cli, struct cs_err *err)
{
    char time[CS_UNITS_TEXT];
    char bytes[CS_UNITS_TEXT];
    int code = 0;

    fputc('\n', cli->out);
    for (size_t i = 0; i < sizeof(folded) / sizeof(*folded) && !code; i++) {
        struct cs_bench_timing timing = {0};

        code = cs_bench_time(&folded[i], &timing, err);
        if (!code)
            fprintf(cli->out, "folded: %s all-reduce of 1 GiB over %u ranks, %s: %s in %s\n",
                    folded[i].model, folded[i].ranks, folded[i].what,
                    cs_units_show_seconds(time, timing.figures.took_s),
                    cs_units_show_bytes(bytes, timing.peak_bytes));
    }
    return code;
}

/* ---- commands, from start to end ---- */

enum {
    COMMAND_WORDS = 10
};

/* A command line, and how often it runs. */
static const struct bench_command {
    const char *words[COMMAND_WORDS];
    int runs;
} commands[] = {
    {{"--topo", "dgx.yaml", "--algo", "ring"}, 21},
    {{"--topo", "cluster:node=dgx-h100,nodes=128,fabric=rail", "--algo", "auto", "--size",
      "1KiB,64KiB,1MiB,64MiB,1GiB", "-j1"},
     3},
};

static int command_once(const struct cs_cli *cli, const struct bench_command *command,
                        double *took_s)
{
    char *argv[COMMAND_WORDS + 2] = {(char *)cli->program};
    double start_s = cs_clock_s();
    int status;
    pid_t child;

    for (int i = 0; i < COMMAND_WORDS; i++)
        argv[i + 1] = (char *)command->words[i];
    child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);

        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        execv(cli->program, argv);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        return CS_ECANNOT;
    *took_s = cs_clock_s() - start_s;
    return 0;
}

static int bench_command(const struct cs_cli *cli, const struct bench_command *command,
                         struct cs_err *err)
{
    double least_s = 1e9;
    double took_s;
    char text[CS_UNITS_TEXT];
    int i;

    for (i = 0; i < command->runs; i++) {
        if (command_once(cli, command, &took_s))
            return cs_err_set(err, CS_ECANNOT, "cannot start '%s' again", cli->program);
        if (took_s < least_s)
            least_s = took_s;
    }
    fputs("collsim", cli->out);
    for (i = 0; i < COMMAND_WORDS && command->words[i]; i++)
        fprintf(cli->out, " %s", command->words[i]);
    fprintf(cli->out, ", start to end: %s (best of %d)\n", cs_units_show_seconds(text, least_s),
            command->runs);
    return 0;
}

static int bench_commands(const struct cs_cli *cli, struct cs_err *err)
{
    int code = 0;

    fputc('\n', cli->out);
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands) && !code; i++)
        code = bench_command(cli, &commands[i], err);
    return code;
}

static const struct cs_option bench_options[] = {{0}};

static void put_table(const struct cs_cli *cli, const struct cs_table *table)
{
    struct cs_text text = {0};

    cs_table_write(table, cli->style, &text);
    fputs(cs_text_str(&text), cli->out);
    fflush(cli->out);
    cs_text_free(&text);
}

static int bench_all(struct bench_tables *tables, const struct cs_bench_case *first, size_t count,
                     struct cs_err *err)
{
    size_t i;
    int code = 0;

    for (i = 0; i < count && !code; i++)
        code = bench_one(tables, &first[i], err);
    return code;
}

static int bench_models(const struct cs_cli *cli, struct cs_err *err)
{
    struct bench_tables tables = {0};
    int code;

    cs_table_begin(&tables.ours, model_columns, sizeof(model_columns) / sizeof(*model_columns));
    cs_bench_peers_begin(&tables.peers);
    code = bench_all(&tables, cases, sizeof(cases) / sizeof(*cases), err);
    if (!code) {
        put_table(cli, &tables.ours);
        fputc('\n', cli->out);
        put_table(cli, &tables.peers);
        fputs(cs_bench_peers_note, cli->out);
    }
    cs_table_free(&tables.ours);
    cs_table_free(&tables.peers);
    return code;
}

static int bench_proofs(const struct cs_cli *cli, struct cs_err *err)
{
    struct bench_tables tables = {0};
    int code;

    cs_table_begin(&tables.ours, proof_columns, sizeof(proof_columns) / sizeof(*proof_columns));
    code = bench_all(&tables, proofs, sizeof(proofs) / sizeof(*proofs), err);
    if (!code) {
        fputc('\n', cli->out);
        put_table(cli, &tables.ours);
    }
    cs_table_free(&tables.ours);
    return code;
}

static int bench_machines(const struct cs_cli *cli,
                          int (*fill)(struct cs_table *table, struct cs_err *err),
                          struct cs_err *err)
{
    struct cs_table table = {0};
    int code = fill(&table, err);

    if (!code) {
        fputc('\n', cli->out);
        put_table(cli, &table);
    }
    cs_table_free(&table);
    return code;
}

static int bench_train(const struct cs_cli *cli, struct cs_err *err)
{
    struct cs_table table = {0};
    int code = cs_bench_train(cli->program, &table, err);

    if (!code) {
        fputc('\n', cli->out);
        put_table(cli, &table);
    }
    cs_table_free(&table);
    return code;
}

static int bench_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    int code = cs_options_read(cs_command_bench.options, argc, argv, NULL, err);

    if (!code)
        code = bench_models(cli, err);
    if (!code)
        code = bench_proofs(cli, err);
    if (!code)
        code = bench_packets(cli, err);
    if (!code)
        code = bench_folded(cli, err);
    if (!code)
        code = bench_unfolded(cli, err);
    if (!code)
        code = bench_machines(cli, cs_bench_reading, err);
    if (!code)
        code = bench_machines(cli, cs_bench_routes, err);
    if (!code)
        code = bench_machines(cli, cs_bench_bounds, err);
    if (!code)
        code = bench_train(cli, err);
    return code ? code : bench_commands(cli, err);
}

const struct cs_command cs_command_bench = {
    .name = "bench",
    .usage = "collsim bench",
    .about = "measure the speed of the simulator",
    .options = {.own = bench_options},
    .run = bench_run,
};
