#include "scenarios/bench/goal.h"

#include "algorithms/schedules/export.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/simulate.h"
#include "sim/base/clock.h"
#include "sim/models/models.h"

#include <stdio.h>
#include <unistd.h>

/* Without the proof of cs_export_open(). */
static bool bench_goal_write(FILE *file, uint32_t ranks)
{
    const struct cs_exporter *exporter = NULL;
    struct cs_arena arena = {0};
    struct cs_call call = {.ranks = ranks, .elements = (uint64_t)1 << 28, .element_bytes = 4};
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

static struct cs_bench_figures bench_goal_run(const struct cs_bench_case *bench, const char *path)
{
    struct cs_bench_figures figures = {0};
    struct cs_arena arena = {0};
    struct cs_scenario scenario;
    struct cs_record record;
    double start_s = cs_clock_s();

    cs_scenario_init(&scenario, &arena);
    scenario.topo = cs_arena_printf(&arena, "switch:ranks=%u", bench->ranks);
    scenario.algo_names = cs_arena_printf(&arena, "goal:%s", path);
    scenario.model = cs_link_model_find(bench->model);
    figures.good = cs_scenario_finish(&scenario, NULL) == 0;
    if (figures.good) {
        struct cs_case which = cs_case_of(&scenario, 0);

        figures.good = cs_simulate(&which, &arena, &record, NULL) == 0;
    }
    figures.took_s = cs_clock_s() - start_s;
    figures.done = 2 * (uint64_t)bench->ranks * (bench->ranks - 1);
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
    if (bench_goal_write(file, bench->ranks)) {
        snprintf(path, sizeof(path), "/dev/fd/%d", fileno(file));
        rewind(file);
        figures = bench_goal_run(bench, path);
    }
    (void)fclose(file);
    return figures;
}
