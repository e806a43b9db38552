#include "scenarios/bench/work.h"

#include "algorithms/schedules/export.h"
#include "scenarios/bench/alltoall.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/simulate.h"
#include "sim/base/clock.h"
#include "sim/engine/exec.h"
#include "sim/models/models.h"
#include "sim/models/params/params.h"
#include "sim/proof/proof.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

enum {
    TRACE_BYTES = 100000000 /* at least */
};

/* ---- programs ---- */

static struct cs_bench_figures work_on(const struct cs_bench_case *bench,
                                       const struct cs_program *program, const struct cs_net *net,
                                       struct cs_arena *arena)
{
    static const struct cs_model_params jumbo_frames = {
        .packet = {.payload_bytes = CS_BENCH_PACKET_BYTES}};
    const struct cs_proof_options options = {0};
    struct cs_bench_figures figures = {0};
    struct cs_exec_result result = {0};
    struct cs_proof proof = {0};
    double start_s = cs_clock_s();

    if (bench->model)
        figures.good =
            cs_exec_run_watched(&(struct cs_exec_request){.program = program,
                                                          .net = net,
                                                          .model = cs_link_model_find(bench->model),
                                                          .params = &jumbo_frames},
                                arena, &result, NULL) == 0;
    else
        figures.good = cs_proof_run(program, &options, &proof, NULL) == 0;
    figures.took_s = cs_clock_s() - start_s;
    figures.done = bench->model ? result.messages : proof.messages;
    return figures;
}

static struct cs_call ring_call(uint32_t ranks)
{
    return (struct cs_call){.ranks = ranks, .elements = (uint64_t)1 << 28, .element_bytes = 4};
}

struct cs_bench_figures cs_bench_ring(const struct cs_bench_case *bench)
{
    const struct cs_call call = ring_call(bench->ranks);
    struct cs_program program =
        cs_algo_program(cs_algo_find("ring", &cs_collective_allreduce), &call);
    struct cs_arena arena = {0};
    struct cs_topo_request request = {
        .spec = cs_arena_printf(&arena, "switch:ranks=%u,bandwidth=25GB/s,latency=0.5us",
                                bench->ranks)};
    struct cs_bench_figures figures = {0};
    struct cs_graph graph;
    struct cs_net net;

    if (cs_topo_open(&request, &graph, &arena, NULL) == 0) {
        cs_lower(&graph, &net, &arena);
        figures = work_on(bench, &program, &net, &arena);
    }
    cs_arena_free(&arena);
    return figures;
}

static struct cs_bench_figures work_on_tree(const struct cs_bench_case *bench,
                                            const struct cs_program *program,
                                            const struct cs_fat_tree *tree)
{
    struct cs_arena arena = {0};
    struct cs_bench_figures figures;
    struct cs_net net;

    cs_fat_tree_net(tree, &net, &arena);
    figures = work_on(bench, program, &net, &arena);
    cs_arena_free(&arena);
    return figures;
}

static struct cs_fat_tree tree_of(uint32_t ranks, uint32_t ranks_per_leaf, uint32_t spines)
{
    return (struct cs_fat_tree){.leaves = ranks / ranks_per_leaf,
                                .ranks_per_leaf = ranks_per_leaf,
                                .spines = spines,
                                .rate_Bps = 25e9,
                                .latency_ps = 500000};
}

struct cs_bench_figures cs_bench_two_levels(const struct cs_bench_case *bench)
{
    const struct cs_fat_tree tree = tree_of(bench->ranks, 128, 1);
    const struct cs_call call = ring_call(bench->ranks);
    struct cs_program program =
        cs_algo_program(cs_algo_find("ring", &cs_collective_allreduce), &call);

    return work_on_tree(bench, &program, &tree);
}

/* A fat tree with half as many trunks as ranks. */
struct cs_bench_figures cs_bench_alltoall(const struct cs_bench_case *bench)
{
    const struct cs_fat_tree tree = tree_of(bench->ranks, 16, 8);
    const struct cs_alltoall blocks = {&tree, 1000000, bench->detail};
    struct cs_program program = cs_alltoall_program(&blocks);

    return work_on_tree(bench, &program, &tree);
}

/* ---- scenarios ---- */

static bool simulate(struct cs_scenario *scenario, struct cs_record *record, struct cs_arena *arena)
{
    struct cs_text notes = {0};
    struct cs_err err = {0};
    bool good = cs_scenario_finish(scenario, &err) == 0;

    if (good) {
        struct cs_case which = cs_case_of(scenario, 0);

        which.notes = &notes;
        good = cs_simulate(&which, arena, record, &err) == 0;
    }
    cs_text_free(&notes);
    return good;
}

struct cs_bench_figures cs_bench_named(const struct cs_bench_case *bench)
{
    struct cs_bench_figures figures = {.done = bench->ranks};
    struct cs_arena arena = {0};
    struct cs_scenario scenario;
    struct cs_record record;
    double start_s = cs_clock_s();

    cs_scenario_init(&scenario, &arena);
    scenario.topo = bench->what;
    scenario.algo_names = bench->model;
    scenario.fold = (enum cs_folding)bench->detail;
    figures.good = simulate(&scenario, &record, &arena);
    figures.took_s = cs_clock_s() - start_s;
    if (figures.good && scenario.fold == CS_FOLD_OFF)
        figures.done = record.messages;
    else
        figures.good = figures.good && *record.folding != '\0';
    cs_arena_free(&arena);
    return figures;
}

/* Without the proof of cs_export_open(). */
static bool write_goal(FILE *file, uint32_t ranks)
{
    const struct cs_exporter *exporter = NULL;
    struct cs_arena arena = {0};
    const struct cs_call call = ring_call(ranks);
    const struct cs_algo *ring = cs_algo_find("ring", &cs_collective_allreduce);
    struct cs_program program = cs_algo_program(ring, &call);
    const struct cs_export what = {.algo = ring, .program = &program, .call = &call};
    struct cs_text part = {0};
    void *writer = NULL;
    bool good = cs_exporter_choose("goal", &exporter, NULL) == 0 &&
                exporter->open(&what, &arena, &writer, NULL) == 0;

    do {
        part.length = 0;
        good = good && exporter->part(writer, &part, NULL) == 0 &&
               fwrite(cs_text_str(&part), 1, part.length, file) == part.length;
    } while (good && part.length > 0);
    cs_text_free(&part);
    cs_arena_free(&arena);
    return good && fflush(file) == 0;
}

static struct cs_bench_figures simulate_file(const struct cs_bench_case *bench, const char *path)
{
    struct cs_bench_figures figures = {.done = 2 * (uint64_t)bench->ranks * (bench->ranks - 1)};
    struct cs_arena arena = {0};
    struct cs_scenario scenario;
    struct cs_record record;
    double start_s = cs_clock_s();

    cs_scenario_init(&scenario, &arena);
    scenario.topo = cs_arena_printf(&arena, "switch:ranks=%u", bench->ranks);
    scenario.algo_names = cs_arena_printf(&arena, "goal:%s", path);
    scenario.model = cs_link_model_find(bench->model);
    figures.good = simulate(&scenario, &record, &arena);
    figures.took_s = cs_clock_s() - start_s;
    cs_arena_free(&arena);
    return figures;
}

/* The file has no name; it is read through its descriptor. */
struct cs_bench_figures cs_bench_goal(const struct cs_bench_case *bench)
{
    struct cs_bench_figures figures = {0};
    FILE *file = tmpfile();
    char path[32];

    if (!file)
        return figures;
    if (write_goal(file, bench->ranks)) {
        snprintf(path, sizeof(path), "/dev/fd/%d", fileno(file));
        rewind(file);
        figures = simulate_file(bench, path);
    }
    (void)fclose(file);
    return figures;
}

/* ---- traces ---- */

/* Steps of a PyTorch profile: a kernel with its operator and its launch, and an
 * all-reduce for every sixty. */
bool cs_bench_write_trace(FILE *file)
{
    fputs("{\"distributedInfo\":{\"rank\":0,\"world_size\":8},\"traceEvents\":[\n", file);
    for (long c = 1, t = 30; ftell(file) < TRACE_BYTES; c++, t += 30) {
        fprintf(file,
                "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":"
                "%ld.125,\"dur\":8.1,\"args\":{\"External id\":%ld,\"Input "
                "Dims\":[[4096,1024],[1024,4096]],\"Input type\":[\"float\",\"float\"]}},\n"
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm_128x64_tn\",\"pid\":0,\"tid\":7,"
                "\"ts\":%ld,\"dur\":25.3,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%ld,"
                "\"grid\":[32,4,1],\"block\":[256,1,1]}},\n",
                t - 20, c, t, c);
        if (c % 60 == 0)
            fprintf(file,
                    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum_f32_"
                    "RING_LL\",\"pid\":0,\"tid\":20,\"ts\":%ld,\"dur\":250,\"args\":{\"stream\":20,"
                    "\"correlation\":%ld,\"Collective name\":\"allreduce\",\"In msg "
                    "nelems\":6553600,\"Out msg nelems\":6553600,\"Group "
                    "size\":8,\"dtype\":\"Float\",\"Process Group Ranks\":\"[0, 1, 2, 3, 4, 5, 6, "
                    "7]\"}},\n",
                    t + 28, c);
    }
    fputs("{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#1\",\"ts\":0,\"dur\":"
          "1}]}\n",
          file);
    return fflush(file) == 0 && !ferror(file);
}
