#include "scenarios/bench/bounds.h"

#include "algorithms/bounds/bound.h"
#include "scenarios/bench/case.h"
#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

enum {
    REPEATS = 5 /* of which the fastest counts */
};

static const struct cs_table_column columns[] = {
    {"lower bound", NULL, CS_TABLE_LEFT}, {"ranks", NULL, CS_TABLE_RIGHT},
    {"all-gather", NULL, CS_TABLE_RIGHT}, {"all-reduce", NULL, CS_TABLE_RIGHT},
    {"all-to-all", NULL, CS_TABLE_RIGHT}, {"broadcast", NULL, CS_TABLE_RIGHT},
};

static const char *const machines[] = {
    "dgx-1",
    "mi250x",
    "cluster:node=dgx-h100,nodes=8",
    "torus:dims=4x4x4",
    "cluster:node=dgx-h100,nodes=128,fabric=rail",
    "cluster:node=dgx-h100,nodes=128,fabric=fat-tree,radix=32",
    "torus:dims=8x8x16",
};

static double bench_bounds_time(const struct cs_graph *graph, const struct cs_net *net,
                                const struct cs_collective *collective)
{
    const struct cs_bound_request request = {.collective = collective, .vector_bytes = 1 << 30};
    double least_s = 1e9;

    for (int i = 0; i < REPEATS; i++) {
        struct cs_arena arena = {0};
        double start_s = cs_clock_s();
        double took_s;

        cs_bound_of(graph, net, &request, &arena);
        took_s = cs_clock_s() - start_s;
        if (took_s < least_s)
            least_s = took_s;
        cs_arena_free(&arena);
    }
    return least_s;
}

static int bench_bounds_row(const char *spec, struct cs_table *table, struct cs_err *err)
{
    static const struct cs_collective *const collectives[] = {
        &cs_collective_allgather, &cs_collective_allreduce, &cs_collective_alltoall,
        &cs_collective_broadcast};
    struct cs_topo_request request = {.spec = spec};
    struct cs_arena arena = {0};
    char text[CS_UNITS_TEXT];
    struct cs_graph graph;
    struct cs_net net;
    int code = cs_topo_open(&request, &graph, &arena, err);

    if (!code) {
        cs_lower(&graph, &net, &arena);
        cs_table_cell(table, spec);
        cs_table_cell(table, cs_units_show_count(text, graph.rank_count));
        for (size_t c = 0; c < sizeof(collectives) / sizeof(*collectives); c++)
            cs_table_cell(table, cs_units_show_seconds(
                                     text, bench_bounds_time(&graph, &net, collectives[c])));
    }
    cs_arena_free(&arena);
    return code;
}

int cs_bench_bounds(struct cs_table *table, struct cs_err *err)
{
    int code = 0;

    cs_table_begin(table, columns, sizeof(columns) / sizeof(*columns));
    for (size_t i = 0; i < sizeof(machines) / sizeof(*machines) && !code; i++)
        code = bench_bounds_row(machines[i], table, err);
    return code;
}
