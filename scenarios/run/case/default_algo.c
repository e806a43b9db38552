#include "scenarios/run/case/default_algo.h"

#include "scenarios/run/machine/machine.h"
#include "topo/kinds/gpu_kind.h"

#include <assert.h>

enum {
    /* More ranks send too many messages for a default: 2 (p-1) p in each of 16
     * channels. */
    RINGS_RANKS_MAX = 512,
};

static bool default_spans_nodes(const struct cs_graph *graph)
{
    return graph && graph->rank_count &&
           cs_graph_rank_host(graph, 0) != cs_graph_rank_host(graph, graph->rank_count - 1);
}

static bool default_shares_nodes(const struct cs_graph *graph)
{
    return graph && graph->rank_count > 1 && cs_graph_rank_host(graph, 0) != CS_NO_HOST &&
           cs_graph_rank_host(graph, 0) == cs_graph_rank_host(graph, 1);
}

/* Several ranks per node: there a single ring would use one adapter of each. */
static bool default_has_nodes(const struct cs_graph *graph)
{
    return default_spans_nodes(graph) && default_shares_nodes(graph);
}

/* Adapters of the first rank's node. */
static uint32_t default_count_adapters(const struct cs_graph *graph)
{
    uint32_t host = cs_graph_rank_host(graph, 0);
    uint32_t stored = graph->replicated.count ? graph->replicated.devices : graph->device_count;
    uint32_t count = 0;
    uint32_t i;

    for (i = 0; i < stored; i++) {
        struct cs_device device = cs_graph_device(graph, i);

        count += device.kind == CS_DEVICE_NIC && device.host == host;
    }
    return count;
}

void cs_note_default_algo(const struct cs_run *run)
{
    const struct cs_scenario *scenario = run->which->scenario;
    const struct cs_graph *graph = &run->graph;
    uint32_t adapters;

    if (!run->which->notes || !scenario->algo_is_default || graph->rank_count <= RINGS_RANKS_MAX ||
        !default_has_nodes(graph) || !cs_algo_find("multi-ring", scenario->collective))
        return;
    adapters = default_count_adapters(graph);
    if (adapters > 1)
        cs_text_printf(run->which->notes,
                       "above %d ranks the default is %s, over one of the %u NICs of each node; "
                       "--algo multi-ring uses all of them and takes longer to simulate\n",
                       RINGS_RANKS_MAX, run->which->algo->name, adapters);
}

const char *cs_default_algo(const struct cs_collective *collective, const struct cs_graph *graph)
{
    size_t i = 0;

    if (graph && graph->rank_count <= RINGS_RANKS_MAX && default_has_nodes(graph) &&
        cs_algo_find("multi-ring", collective))
        return "multi-ring";
    if (cs_algo_find("ring", collective))
        return "ring";
    while (i < cs_algo_count && cs_algos[i]->collective != collective)
        i++;
    assert(i < cs_algo_count);
    return cs_algos[i]->name;
}

/* The machine with the largest number of ranks; NULL for one that cannot be
 * opened, an error of the first run, not of the options. */
static const struct cs_graph *default_machine(const struct cs_scenario *scenario,
                                              struct cs_arena *arena)
{
    struct cs_machines *machines = scenario->machines;
    struct cs_machine_request request = {.routing = scenario->flows.routing,
                                         .replicas_from = cs_machines_replicas_from(scenario)};
    const struct cs_machine *machine;
    uint32_t i;

    for (i = 0; i < scenario->rank_count; i++)
        if (scenario->ranks[i] > request.ranks)
            request.ranks = scenario->ranks[i];
    if (!machines)
        machines = cs_machines_of_run(scenario, arena);
    return cs_machines_open(machines, &request, arena, &machine, NULL) ? NULL : &machine->graph;
}

const char *cs_default_algo_of(const struct cs_scenario *scenario)
{
    struct cs_arena arena = {0};
    const char *name = cs_default_algo(scenario->collective, default_machine(scenario, &arena));

    cs_arena_free(&arena);
    return name;
}

unsigned cs_libraries_of(const struct cs_graph *graph)
{
    struct cs_device first, last;

    if (!graph || !graph->rank_count)
        return CS_RUN_BY_ANY;
    first = cs_graph_device(graph, graph->rank_device[0]);
    last = cs_graph_device(graph, graph->rank_device[graph->rank_count - 1]);
    if (first.kind == CS_DEVICE_HOST)
        return graph->file && *graph->file ? CS_RUN_BY_MPI | CS_RUN_BY_GLOO : CS_RUN_BY_ANY;
    if (!first.model)
        return CS_RUN_BY_ANY;
    /* Kinds of nodes are in order of ranks. */
    if (last.model && last.model->maker != first.model->maker)
        return CS_RUN_BY_MPI | CS_RUN_BY_GLOO;
    switch (first.model->maker) {
    case CS_GPU_NVIDIA:
        return CS_RUN_BY_NCCL;
    case CS_GPU_AMD:
        return CS_RUN_BY_RCCL;
    default:
        return CS_RUN_BY_HCCL;
    }
}

/* Of the collective, those that one of the libraries runs; 0 libraries: all. */
static void choose_run_by(struct cs_scenario *scenario, unsigned libraries, bool several_nodes,
                          bool several_ranks)
{
    scenario->algo_count = 0;
    for (size_t i = 0; i < cs_algo_count; i++)
        if (cs_algos[i]->collective == scenario->collective &&
            (!libraries || cs_algo_run_over(cs_algos[i], several_nodes, several_ranks) & libraries))
            scenario->algos[scenario->algo_count++] = cs_algos[i];
}

static uint32_t count_algos(const struct cs_collective *collective)
{
    uint32_t count = 0;

    for (size_t i = 0; i < cs_algo_count; i++)
        count += cs_algos[i]->collective == collective;
    return count;
}

void cs_choose_auto_algos(struct cs_scenario *scenario)
{
    struct cs_arena arena = {0};
    struct cs_text names = {0};
    const struct cs_graph *graph = default_machine(scenario, &arena);
    unsigned libraries = cs_libraries_of(graph);
    bool nodes = default_spans_nodes(graph);
    bool ranks = default_shares_nodes(graph);
    uint32_t all = count_algos(scenario->collective);

    cs_arena_free(&arena);
    choose_run_by(scenario, libraries, nodes, ranks);
    if (!scenario->algo_count)
        choose_run_by(scenario, libraries = CS_RUN_BY_ANY, nodes, ranks);
    if (!scenario->algo_count)
        choose_run_by(scenario, 0, nodes, ranks);
    if (scenario->algo_count == all)
        return;
    if (libraries == CS_RUN_BY_ANY)
        cs_text_add(&names, "a library");
    else
        cs_algo_run_by_names(libraries, " or ", &names);
    scenario->left_out = cs_arena_printf(
        scenario->arena,
        "auto compares the %u of %u algorithms of %s that %s runs; --algo any compares all",
        scenario->algo_count, all, scenario->collective->name, cs_text_str(&names));
    cs_text_free(&names);
}
