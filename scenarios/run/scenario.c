#include "scenarios/run/scenario.h"

#include "scenarios/run/machine.h"

#include "algorithms/schedules/import.h"
#include "scenarios/options/rules.h"
#include "sim/base/units.h"
#include "sim/models/compat/loggp.h"
#include "sim/models/models.h"
#include "topo/formats/source.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    /* Of more ranks many rings are too many messages to simulate unasked:
     * 2 (p-1) p for each of 16 channels. */
    RINGS_RANKS_MAX = 512,
};

void cs_scenario_init(struct cs_scenario *scenario, struct cs_arena *arena)
{
    *scenario = (struct cs_scenario){
        .given = {.arena = arena},
        .arena = arena,
        .topo = "dgx.yaml",
        .collective = &cs_collective_allreduce,
        .model = cs_link_models[0],
        .peers = {.loggp = cs_loggp_typical},
        .dtype = &cs_dtypes[0],
        .seed = 1,
    };
}

/* ---- lists ---- */

static int each_word(struct cs_scenario *scenario, const char *list,
                     cs_option_fn *take, struct cs_err *err)
{
    struct cs_option_list words = {scenario->arena, take, scenario};

    return cs_options_each(words, list, err);
}

/* A schedule has its collective; it need not be named again. */
static int import_algo(struct cs_scenario *scenario, const char *value,
                       const struct cs_algo **algo, struct cs_err *err)
{
    int code = cs_import(value, scenario->arena, algo, err);

    if (code || (*algo)->collective == scenario->collective)
        return code;
    if (cs_scenario_given(scenario, "collective") || scenario->algo_count)
        return cs_err_set(
            err, CS_EINPUT, "'%.200s' is %s %s, not %s", value,
            strchr("aeiou", *(*algo)->collective->name) ? "an" : "a",
            (*algo)->collective->name, scenario->collective->name);
    scenario->collective = (*algo)->collective;
    return 0;
}

static int add_algo(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    const struct cs_algo *algo = NULL;
    uint32_t i;
    int code;

    if (cs_same(value, "all") || cs_same(value, "auto"))
        return cs_err_set(err, CS_EINPUT,
                          "'%s' takes every algorithm already; give it alone",
                          value);
    code = cs_import_named(value)
               ? import_algo(scenario, value, &algo, err)
               : cs_algo_choose(value, scenario->collective, &algo, err);

    for (i = 0; i < scenario->algo_count && !code; i++)
        if (cs_same(scenario->algos[i]->name, algo->name))
            code = cs_err_set(err, CS_EINPUT,
                              "algorithm '%.40s' is listed "
                              "twice",
                              value);
    if (!code)
        scenario->algos[scenario->algo_count++] = algo;
    return code;
}

bool cs_scenario_is_machine(const char *word)
{
    static const char *const endings[] = {".yaml", ".yml", ".xml"};
    size_t length = strlen(word);

    for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
        if (length > strlen(endings[i]) &&
            cs_same(word + length - strlen(endings[i]), endings[i]))
            return true;
    for (size_t i = 0; i < cs_library_count; i++)
        if (cs_same(word, cs_library[i].name))
            return true;
    return strchr(word, ':') != NULL;
}

/* ---- the table of options ---- */

static const char *const cs_folding_names[] = {"auto", "on", "off", NULL};
static const char *const cs_switching_names[] = {"cut", "store", NULL};
static const char *const cs_loss_names[] = {"credits", "pfc", "drop", NULL};
static const char *const cs_what_if_names[] = {"each-link", "each-switch",
                                               "each-nic", NULL};
const char *const cs_routing_names[] = {"spread", "ecmp", "shortest", NULL};

#define SIMULATED     (CS_FOR_RUN | CS_FOR_EXPLAIN)
#define PLANNED       (SIMULATED | CS_FOR_CHECK | CS_FOR_EXPORT | CS_FOR_MEASURE)
#define EXCLUDES(...) .excludes = {__VA_ARGS__}

const struct cs_option cs_scenario_options[] = {
#define GROUP(name, about)              CS_OPTION_GROUP(name, about),
#define VALUE(kind, ctype, member, ...) PLACED(kind, member, __VA_ARGS__)
#define PLACED(kind, member, ...)              \
    {.type = CS_OPTION_##kind,                 \
     CS_OPTION_AT(struct cs_scenario, member), \
     __VA_ARGS__},
#define FLAGGED(member, number, ...) \
    PLACED(FLAG, member, .value = (number), __VA_ARGS__)
#define SPECIAL(function, ...) {.set = (function), __VA_ARGS__},
#define SPECIAL_AT(function, member, ...) \
    {.set = (function), CS_OPTION_AT(struct cs_scenario, member), __VA_ARGS__},
#include "scenarios/options/options.def"
    {0},
};

void cs_scenario_each_of_key(const struct cs_scenario *scenario,
                             enum cs_option_key key,
                             struct cs_option_visit visit)
{
    struct cs_scenario standard;

    cs_scenario_init(&standard, scenario->arena);
    cs_options_each_of_key(
        (struct cs_option_values){cs_scenario_options, scenario, &standard},
        key, visit);
}

bool cs_scenario_given(const struct cs_scenario *scenario, const char *name)
{
    return cs_options_given(&scenario->given, name) != NULL;
}

/* ---- all together ---- */

/* A barrier's size is nothing, and there is one. */
static int refuse_sizes(struct cs_scenario *scenario, struct cs_err *err)
{
    if (scenario->size_count || scenario->first_bytes || scenario->last_bytes)
        return cs_err_set(err, CS_EINPUT,
                          "a %s carries nothing; leave the size out",
                          scenario->collective->name);
    scenario->sizes = cs_arena_alloc(scenario->arena, 1, sizeof(uint64_t));
    scenario->size_count = 1;
    return 0;
}

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
        return cs_err_set(err, CS_EINPUT,
                          "-f needs a range of sizes: -b 8 -e 8G -f %d",
                          (int)factor);
    if (!range)
        return scenario->size_count ? 0 : cs_set_size(scenario, "1GiB", err);
    if (scenario->size_count)
        return cs_err_set(err, CS_EINPUT,
                          "give --size or a range with -b and "
                          "-e, not both");
    if (!scenario->first_bytes || !scenario->last_bytes)
        return cs_err_set(err, CS_EINPUT,
                          "a range of sizes needs both ends: -b 8 -e 8G");
    if (bytes > scenario->last_bytes)
        return cs_err_set(err, CS_EINPUT,
                          "the range of sizes ends before it "
                          "begins");
    for (; bytes <= scenario->last_bytes && !code; bytes *= factor) {
        snprintf(text, sizeof(text), "%llu B", (unsigned long long)bytes);
        code = cs_set_size(scenario, text, err);
        if (bytes > UINT64_MAX / factor)
            break;
    }
    return code;
}

static int scenario_check_size(const struct cs_scenario *scenario,
                               uint64_t bytes, struct cs_err *err)
{
    if (bytes % scenario->dtype->bytes == 0)
        return 0;
    return cs_err_set(
        err, CS_EINPUT,
        "size %llu B is not a whole number of %s elements of %u B",
        (unsigned long long)bytes, scenario->dtype->name,
        scenario->dtype->bytes);
}

static int scenario_check_sizes(const struct cs_scenario *scenario,
                                struct cs_err *err)
{
    uint32_t i;
    int code = 0;

    for (i = 0; i < scenario->size_count && !code; i++)
        code = scenario_check_size(scenario, scenario->sizes[i], err);
    for (i = 0; i < scenario->other_jobs.count && !code; i++)
        code = scenario_check_size(scenario, scenario->other_jobs.item[i].bytes,
                                   err);
    return code;
}

static void add_all_algos(struct cs_scenario *scenario)
{
    size_t i;

    for (i = 0; i < cs_algo_count; i++)
        if (cs_algos[i]->collective == scenario->collective)
            scenario->algos[scenario->algo_count++] = cs_algos[i];
}

/* One ring over nodes of several ranks uses one adapter of each node. */
static bool has_nodes_of_ranks(const struct cs_graph *graph)
{
    uint32_t first, last;

    if (graph->rank_count < 3)
        return false;
    first = cs_graph_device(graph, graph->rank_device[0]).host;
    last =
        cs_graph_device(graph, graph->rank_device[graph->rank_count - 1]).host;
    return first != CS_NO_HOST && last != first &&
           cs_graph_device(graph, graph->rank_device[1]).host == first;
}

/* The ring, which most have, or what they have first. */
const char *cs_scenario_default_algo(const struct cs_collective *collective,
                                     const struct cs_graph *graph)
{
    size_t i = 0;

    if (graph && graph->rank_count <= RINGS_RANKS_MAX &&
        has_nodes_of_ranks(graph) && cs_algo_find("multi-ring", collective))
        return "multi-ring";
    if (cs_algo_find("ring", collective))
        return "ring";
    while (i < cs_algo_count && cs_algos[i]->collective != collective)
        i++;
    assert(i < cs_algo_count);
    return cs_algos[i]->name;
}

/* The algorithm for the largest number of ranks.  A machine that cannot be opened
 * is an error of the first run, not of the options. */
static const char *typical_algo(const struct cs_scenario *scenario)
{
    struct cs_arena arena = {0};
    struct cs_machines *machines = scenario->machines;
    struct cs_machine_request request = {
        .routing = scenario->flows.routing,
        .replicas_from = cs_scenario_replicas_from(scenario)};
    const struct cs_machine *machine;
    const char *name;
    uint32_t i;

    for (i = 0; i < scenario->rank_count; i++)
        if (scenario->ranks[i] > request.ranks)
            request.ranks = scenario->ranks[i];
    if (!machines)
        machines = cs_machines_of_run(scenario, &arena);
    name = cs_scenario_default_algo(
        scenario->collective,
        cs_machines_open(machines, &request, &arena, &machine, NULL)
            ? NULL
            : &machine->graph);
    cs_arena_free(&arena);
    return name;
}

static bool has_root(const struct cs_collective *collective)
{
    return collective->before == CS_ROOT || collective->after == CS_ROOT;
}

static bool any_fault_at_a_time(const struct cs_scenario *scenario)
{
    uint32_t i;

    for (i = 0; i < scenario->faults.count; i++)
        if (scenario->faults.item[i].at_ps > 0)
            return true;
    return false;
}

/* Runs that are shown: of --algo auto the fastest of each size. */
static uint64_t rows_reported(const struct cs_scenario *scenario)
{
    uint64_t algos =
        scenario->choice == CS_CHOICE_AUTO ? 1 : scenario->algo_count;

    return algos * scenario->size_count *
           (scenario->rank_count ? scenario->rank_count : 1);
}

/* Rules that depend on more than which options are given. */
static int scenario_check_pairs(const struct cs_scenario *scenario,
                                struct cs_err *err)
{
    if (scenario->faults.failover_ps && !any_fault_at_a_time(scenario))
        return cs_err_set(err, CS_EINPUT,
                          "--failover requires a fault with a time, as in "
                          "--fault leaf0:down@2ms");
    if (scenario->per_rank && scenario->format == CS_FORMAT_TEXT &&
        rows_reported(scenario) > 1)
        return cs_err_set(err, CS_EINPUT,
                          "--per-rank prints text for a single run; give one "
                          "algorithm, size and number of ranks, or --json");
    return 0;
}

static int check_root(const struct cs_scenario *scenario, struct cs_err *err)
{
    if (scenario->call.root == 0 || has_root(scenario->collective))
        return 0;
    return cs_err_set(
        err, CS_EINPUT,
        "--root has no meaning for %s, where all ranks are alike; "
        "leave it out",
        scenario->collective->name);
}

/* Concurrent jobs share links.  In fifo a job would wait for whole messages of
 * the others. */
static void choose_model(struct cs_scenario *scenario)
{
    if (scenario->other_jobs.count > 0 &&
        !cs_scenario_given(scenario, "model") &&
        !cs_scenario_given(scenario, "compat"))
        scenario->model = cs_link_model_find("fluid");
}

/* The rules of options.def, then those that need more than the entries. */
static int scenario_check_options(const struct cs_scenario *scenario,
                                  struct cs_err *err)
{
    int code = cs_option_rules_check(cs_scenario_options, &scenario->given,
                                     scenario->model, err);

    if (!code)
        code = cs_noise_check(scenario, err);
    if (!code)
        code = cs_flows_check(scenario, err);
    return code;
}

static int scenario_find_algos(struct cs_scenario *scenario, struct cs_err *err)
{
    size_t count;

    if (!scenario->algo_names)
        scenario->algo_names = typical_algo(scenario);
    count = cs_algo_count + strlen(scenario->algo_names);
    scenario->algos =
        cs_arena_alloc(scenario->arena, count, sizeof(*scenario->algos));
    scenario->algo_count = 0;
    if (cs_same(scenario->algo_names, "all"))
        scenario->choice = CS_CHOICE_ALL;
    if (cs_same(scenario->algo_names, "auto"))
        scenario->choice = CS_CHOICE_AUTO;
    if (scenario->choice == CS_CHOICE_NAMED)
        return each_word(scenario, scenario->algo_names, add_algo, err);
    add_all_algos(scenario);
    return 0;
}

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
        code = scenario_find_algos(scenario, err);
    if (!code)
        code = check_root(scenario, err);
    return code ? code : scenario_check_pairs(scenario, err);
}
