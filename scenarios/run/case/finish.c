#include "scenarios/run/case/finish.h"

#include "algorithms/schedules/import.h"
#include "algorithms/schedules/schedule.h"
#include "scenarios/options/rules.h"
#include "scenarios/run/machine/machine.h"
#include "scenarios/run/request/library_choice.h"
#include "sim/base/units.h"
#include "sim/models/models.h"
#include "topo/kinds/gpu_kind.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- the default algorithm ---- */

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

    for (uint32_t i = 0; i < stored; i++) {
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

    for (uint32_t i = 0; i < scenario->rank_count; i++)
        if (scenario->ranks[i] > request.ranks)
            request.ranks = scenario->ranks[i];
    if (!machines)
        machines = cs_machines_of_run(scenario, arena);
    return cs_machines_open(machines, &request, arena, &machine, NULL) ? NULL : &machine->graph;
}

const char *cs_default_algo_of(const struct cs_scenario *scenario)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    return cs_default_algo(scenario->collective, default_machine(scenario, &arena));
}

/* The libraries of the machine's kind, a set of enum cs_run_by: NCCL on GPUs of
 * NVIDIA, RCCL on GPUs of AMD, HCCL on NPUs, MPI and Gloo on hosts of a file and
 * on GPUs of two makers; on machines of a generator, on GPUs of unknown model,
 * and for NULL all. */
static unsigned libraries_of(const struct cs_graph *graph)
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

/* Sets the algorithms of `--algo auto`: those of the collective that a library of
 * the machine's kind runs, or else any library, or else all; opens the machine.  A
 * sentence about those left out is in scenario->left_out, or NULL. */
static void choose_auto_algos(struct cs_scenario *scenario)
{
    struct cs_arena arena = {0};
    CS_AT_END(cs_text_free) struct cs_text names = {0};
    const struct cs_graph *graph = default_machine(scenario, &arena);
    unsigned libraries = libraries_of(graph);
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
        "auto compares the %u of %u algorithms of %s that %s runs; --algo any compares all, and "
        "--algo synth searches beyond what libraries run",
        scenario->algo_count, all, scenario->collective->name, cs_text_str(&names));
}

/* ---- sizes ---- */

/* A barrier has the single size 0. */
static int refuse_sizes(struct cs_scenario *scenario, struct cs_err *err)
{
    if (scenario->size_count || scenario->first_bytes || scenario->last_bytes)
        return cs_err_set(err, CS_EINPUT, "a %s carries nothing; leave the size out",
                          scenario->collective->name);
    scenario->sizes = cs_arena_alloc(scenario->arena, 1, sizeof(uint64_t));
    scenario->size_count = 1;
    return 0;
}

/* Turns -b, -e and -f into a list of sizes; the standard size without any. */
static int finish_sizes(struct cs_scenario *scenario, struct cs_err *err)
{
    bool range = scenario->first_bytes || scenario->last_bytes;
    uint64_t bytes = scenario->first_bytes;
    uint64_t factor = scenario->factor ? scenario->factor : 2;
    char text[CS_UNITS_TEXT];
    int code = 0;

    if (scenario->collective->is_signal)
        return refuse_sizes(scenario, err);
    if (!range && scenario->factor)
        return cs_err_set(err, CS_EINPUT, "-f needs a range of sizes: -b 8 -e 8G -f %d",
                          (int)factor);
    if (!range && scenario->size_count == 0)
        return cs_set_size(scenario, scenario->standard_size ? scenario->standard_size : "1GiB",
                           err);
    if (!range)
        return 0;
    if (scenario->size_count)
        return cs_err_set(err, CS_EINPUT, "give --size or a range with -b and -e, not both");
    if (!scenario->first_bytes || !scenario->last_bytes)
        return cs_err_set(err, CS_EINPUT, "a range of sizes needs both ends: -b 8 -e 8G");
    if (bytes > scenario->last_bytes)
        return cs_err_set(err, CS_EINPUT,
                          "the range of sizes ends before it begins; expected -b below -e");
    for (; bytes <= scenario->last_bytes && !code; bytes *= factor) {
        snprintf(text, sizeof(text), "%llu B", (unsigned long long)bytes);
        code = cs_set_size(scenario, text, err);
        if (bytes > UINT64_MAX / factor)
            break;
    }
    return code;
}

static int scenario_check_size(const struct cs_scenario *scenario, uint64_t bytes,
                               struct cs_err *err)
{
    if (bytes % scenario->dtype->bytes == 0)
        return 0;
    return cs_err_set(err, CS_EINPUT, "size %llu B is not a whole number of %s elements of %u B",
                      (unsigned long long)bytes, scenario->dtype->name, scenario->dtype->bytes);
}

static int scenario_check_sizes(const struct cs_scenario *scenario, struct cs_err *err)
{
    int code = 0;

    for (uint32_t i = 0; i < scenario->size_count && !code; i++)
        code = scenario_check_size(scenario, scenario->sizes[i], err);
    for (uint32_t i = 0; i < scenario->other_jobs.count && !code; i++)
        code = scenario_check_size(scenario, scenario->other_jobs.item[i].bytes, err);
    return code;
}

/* ---- algorithms ---- */

/* A schedule of blocks whose file calls it custom, to be proven as the collective that
 * the user names: MSCCL++ has no name for reduce, gather and scatter. */
static int name_custom(const struct cs_scenario *scenario, const struct cs_algo **algo,
                       struct cs_err *err)
{
    const struct cs_schedule *schedule = (*algo)->schedule;
    struct cs_algo *named = cs_arena_alloc(scenario->arena, 1, sizeof(*named));

    if (cs_collective_has_pieces(scenario->collective) && schedule->blocks % schedule->ranks)
        return cs_err_set(
            err, CS_EINPUT,
            "'%.200s' cuts the vector into %u block%s, not a multiple of the %u ranks of the %s",
            (*algo)->name, schedule->blocks, schedule->blocks == 1 ? "" : "s", schedule->ranks,
            scenario->collective->name);
    *named = **algo;
    named->collective = scenario->collective;
    *algo = named;
    return 0;
}

/* A schedule implies its collective, so --collective may be omitted. */
static int import_algo(struct cs_scenario *scenario, const char *value, const struct cs_algo **algo,
                       struct cs_err *err)
{
    int code = cs_import(value, scenario->reading, scenario->arena, algo, err);

    if (code || (*algo)->collective == scenario->collective)
        return code;
    if (!cs_scenario_given(scenario, "collective") && !scenario->algo_count) {
        scenario->collective = (*algo)->collective;
        return 0;
    }
    if ((*algo)->collective == &cs_collective_custom && !(*algo)->vector_bytes &&
        !scenario->collective->is_signal)
        return name_custom(scenario, algo, err);
    /* GOAL files: messages of bytes, without the blocks that they carry. */
    if ((*algo)->collective == &cs_collective_custom)
        return cs_err_set(err, CS_EINPUT,
                          "'%.200s' specifies no collective; expected a schedule of %s", value,
                          scenario->collective->name);
    return cs_err_set(err, CS_EINPUT, "'%.200s' is %s %s, not %s", value,
                      strchr("aeiou", *(*algo)->collective->name) ? "an" : "a",
                      (*algo)->collective->name, scenario->collective->name);
}

/* Whether the word stands for all algorithms or for the fastest. */
static bool choice_of(const char *word, enum cs_choice *choice)
{
    *choice = cs_same(word, "all") ? CS_CHOICE_ALL : CS_CHOICE_AUTO;
    return *choice == CS_CHOICE_ALL || cs_same(word, "auto") || cs_same(word, "any") ||
           cs_same(word, "synth");
}

static int add_algo(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    const struct cs_algo *algo = NULL;
    enum cs_choice choice;
    int code;

    if (choice_of(value, &choice))
        return cs_err_set(err, CS_EINPUT, "'%s' %s; give it alone", value,
                          choice == CS_CHOICE_ALL ? "already selects every algorithm"
                                                  : "is a choice of one among all algorithms");
    code = cs_import_named(value) ? import_algo(scenario, value, &algo, err)
                                  : cs_algo_choose(value, scenario->collective, &algo, err);

    for (uint32_t i = 0; i < scenario->algo_count && !code; i++)
        if (cs_same(scenario->algos[i]->name, algo->name))
            code = cs_err_set(err, CS_EINPUT, "algorithm '%.40s' is listed twice", value);
    if (!code)
        scenario->algos[scenario->algo_count++] = algo;
    return code;
}

/* Algorithms that refuse the machine or the call are skipped later, per case.  What synth
 * finds is for ranks and switches: servers on CPUs are no part of a schedule. */
static void add_all_algos(struct cs_scenario *scenario)
{
    for (size_t i = 0; i < cs_algo_count; i++)
        if (cs_algos[i]->collective == scenario->collective &&
            !(scenario->is_searched && cs_algos[i]->agents &&
              cs_algos[i]->agent_place == CS_AGENT_SERVER))
            scenario->algos[scenario->algo_count++] = cs_algos[i];
}

static bool has_root(const struct cs_collective *collective)
{
    return collective->before == CS_ROOT || collective->after == CS_ROOT;
}

/* A fault at time 0 is part of the machine: routes need no failover. */
static bool any_fault_at_a_time(const struct cs_scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->faults.count; i++)
        if (scenario->faults.item[i].at_ps > 0)
            return true;
    return false;
}

/* Rows of the table: with --algo auto only the fastest run of each size. */
static uint64_t rows_reported(const struct cs_scenario *scenario)
{
    uint64_t algos = scenario->choice == CS_CHOICE_AUTO ? 1 : scenario->algo_count;

    return algos * scenario->size_count * (scenario->rank_count ? scenario->rank_count : 1);
}

/* Rules that depend on the values of options. */
static int scenario_check_pairs(const struct cs_scenario *scenario, struct cs_err *err)
{
    if (scenario->faults.failover_ps && !any_fault_at_a_time(scenario))
        return cs_err_set(err, CS_EINPUT,
                          "--failover requires a fault with a time, as in --fault leaf0:down@2ms");
    if (scenario->per_rank && scenario->format == CS_FORMAT_TEXT && rows_reported(scenario) > 1)
        return cs_err_set(err, CS_EINPUT,
                          "--per-rank prints text for a single run; give one algorithm, size and "
                          "number of ranks, or --json");
    return 0;
}

/* A root that changes nothing is probably a mistake for another collective. */
static int check_root(const struct cs_scenario *scenario, struct cs_err *err)
{
    if (scenario->call.root == 0 || has_root(scenario->collective))
        return 0;
    return cs_err_set(
        err, CS_EINPUT,
        "--root has no effect on %s, in which all ranks have equal roles; leave it out",
        scenario->collective->name);
}

/* Concurrent jobs share links; in fifo a job would wait for whole messages of
 * the other jobs. */
static void choose_model(struct cs_scenario *scenario)
{
    if (scenario->other_jobs.count > 0 && !cs_scenario_given(scenario, "link-model"))
        scenario->model = cs_link_model_find("fluid");
}

/* The rules of options.def, then rules that compare values. */
static int scenario_check_options(const struct cs_scenario *scenario, struct cs_err *err)
{
    int code = cs_option_rules_check(cs_scenario_options, &scenario->given, scenario->model, err);

    if (!code)
        code = cs_noise_check(scenario, err);
    if (!code)
        code = cs_flows_check(scenario, err);
    return code ? code : cs_routing_check(scenario, err);
}

static int scenario_find_algos(struct cs_scenario *scenario, struct cs_err *err)
{
    size_t count;

    scenario->algo_is_default = !scenario->algo_names;
    if (scenario->algo_is_default)
        scenario->algo_names = cs_default_algo_of(scenario);
    count = cs_algo_count + strlen(scenario->algo_names);
    scenario->algos = cs_arena_alloc(scenario->arena, count, sizeof(*scenario->algos));
    scenario->algo_count = 0;
    scenario->is_searched = cs_same(scenario->algo_names, "synth");
    if (!choice_of(scenario->algo_names, &scenario->choice)) {
        scenario->choice = CS_CHOICE_NAMED;
        if (!*scenario->algo_names)
            return cs_err_set(err, CS_EINPUT, "--algo: the list is empty");
        return cs_scenario_each(scenario, scenario->algo_names, add_algo, err);
    }
    if (cs_same(scenario->algo_names, "auto"))
        choose_auto_algos(scenario);
    else
        add_all_algos(scenario);
    return 0;
}

/* The order matters: the cluster options make the machine that the default
 * algorithm depends on, and a schedule sets the collective before the root is
 * checked. */
int cs_scenario_finish(struct cs_scenario *scenario, struct cs_err *err)
{
    int code = finish_sizes(scenario, err);

    choose_model(scenario);
    if (!code)
        code = scenario_check_sizes(scenario, err);
    cs_cluster_finish(scenario);
    if (!code)
        code = scenario_check_options(scenario, err);
    if (!code)
        code = scenario->library_name ? cs_library_choose(scenario, err)
                                      : scenario_find_algos(scenario, err);
    if (!code)
        code = check_root(scenario, err);
    return code ? code : scenario_check_pairs(scenario, err);
}
