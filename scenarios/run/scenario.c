#include "scenarios/run/scenario.h"

#include "algorithms/schedules/import.h"
#include "sim/base/units.h"
#include "sim/models/compat/loggp.h"
#include "sim/models/models.h"
#include "topo/formats/source.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    LIST_MAX = 4096,
    /* Of more ranks many rings are too many messages to simulate unasked:
     * 2 (p-1) p for each of 16 channels. */
    RINGS_RANKS_MAX = 512,
};

static const struct cs_dtype dtypes[] = {
    {"fp32", 4}, {"fp16", 2}, {"bf16", 2},  {"fp64", 8},
    {"fp8", 1},  {"int8", 1}, {"int32", 4}, {"int64", 8},
};

enum {
    DTYPES = sizeof(dtypes) / sizeof(*dtypes)
};

void cs_scenario_init(struct cs_scenario *scenario, struct cs_arena *arena)
{
    *scenario = (struct cs_scenario){
        .arena = arena,
        .topo = "dgx.yaml",
        .collective = &cs_collective_allreduce,
        .model = cs_link_models[0],
        .peers = {.loggp = cs_loggp_typical},
        .dtype = &dtypes[0],
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

static int add_size(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    uint64_t bytes;
    int code = cs_units_bytes(value, &bytes, err);

    if (!code && bytes == 0)
        code = cs_err_set(err, CS_EINPUT,
                          "size '%.40s' is nothing to send; "
                          "the least is one element",
                          value);
    if (!code && scenario->size_count == LIST_MAX)
        code = cs_err_set(err, CS_EINPUT, "more than %d sizes", LIST_MAX);
    if (code)
        return code;
    if (!scenario->sizes)
        scenario->sizes =
            cs_arena_alloc(scenario->arena, LIST_MAX, sizeof(uint64_t));
    scenario->sizes[scenario->size_count++] = bytes;
    return 0;
}

static int add_rank_count(struct cs_scenario *scenario, uint64_t ranks,
                          struct cs_err *err)
{
    if (scenario->rank_count == LIST_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d rank counts", LIST_MAX);
    if (!scenario->ranks)
        scenario->ranks =
            cs_arena_alloc(scenario->arena, LIST_MAX, sizeof(uint32_t));
    scenario->ranks[scenario->rank_count++] = (uint32_t)ranks;
    return 0;
}

/* "8", or all of "2-8". */
static int scenario_add_ranks(void *target, const char *value,
                              struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    const char *dash = strchr(value, '-');
    const char *first = value;
    uint64_t from;
    uint64_t to;
    int code;

    if (dash && dash > value)
        first = cs_arena_text_n(scenario->arena, value, (size_t)(dash - value));
    else
        dash = NULL;
    if (dash && dash[1] == '\0')
        return cs_err_set(err, CS_EINPUT,
                          "'%.40s' is not a range; expected one as 2-8", value);
    code = cs_units_count(first, 1, CS_RANKS_MAX, &from, err);
    to = from;
    if (!code && dash)
        code = cs_units_count(dash + 1, 1, CS_RANKS_MAX, &to, err);
    if (!code && to < from)
        code = cs_err_set(err, CS_EINPUT, "the range '%.40s' is empty", value);
    for (; !code && from <= to; from++)
        code = add_rank_count(scenario, from, err);
    return code;
}

/* A schedule has its collective; it need not be named again. */
static int import_algo(struct cs_scenario *scenario, const char *value,
                       const struct cs_algo **algo, struct cs_err *err)
{
    int code = cs_import(value, scenario->arena, algo, err);

    if (code || (*algo)->collective == scenario->collective)
        return code;
    if (scenario->collective_named || scenario->algo_count)
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

/* ---- setters ---- */

int cs_scenario_set_topo(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    if (value[0] == '\0')
        return cs_err_set(err, CS_EINPUT,
                          "the machine's name is empty; write --topo "
                          "dgx.yaml or a file of yours");
    scenario->topo = value;
    scenario->cluster.topo_named = true;
    return 0;
}

int cs_scenario_choose_collective(const char *name, struct cs_arena *arena,
                                  const struct cs_collective **collective,
                                  struct cs_err *err)
{
    const char **names =
        cs_arena_alloc(arena, cs_collective_count, sizeof(*names));
    size_t i;

    *collective = cs_same(name, "all-reduce") /* both spellings are usual */
                      ? &cs_collective_allreduce
                      : cs_collective_find(name);
    if (*collective)
        return 0;
    for (i = 0; i < cs_collective_count; i++)
        names[i] = cs_collectives[i]->name;
    return cs_options_refuse(
        (struct cs_option_names){"collective", names, cs_collective_count},
        name, err);
}

static int set_collective(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    scenario->collective_named = true;
    return cs_scenario_choose_collective(value, scenario->arena,
                                         &scenario->collective, err);
}

static int set_algo(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    (void)err;
    scenario->algo_names = value;
    return 0;
}

static int set_size(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    return each_word(scenario, value, add_size, err);
}

static int scenario_set_ranks(void *target, const char *value,
                              struct cs_err *err)
{
    return each_word(target, value, scenario_add_ranks, err);
}

static int set_end(const char *value, uint64_t *bytes, struct cs_err *err)
{
    int code = cs_units_nccl_bytes(value, bytes, err);

    if (!code && *bytes == 0)
        code = cs_err_set(err, CS_EINPUT,
                          "size '%.40s' is nothing to send; the least is one "
                          "element",
                          value);
    return code;
}

static int set_first(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    return set_end(value, &scenario->first_bytes, err);
}

static int set_last(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    return set_end(value, &scenario->last_bytes, err);
}

static int set_factor(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    return cs_units_count(value, 2, 1 << 20, &scenario->factor, err);
}

static int set_model(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    const char **names =
        cs_arena_alloc(scenario->arena, cs_link_model_count, sizeof(*names));
    size_t i;

    scenario->model = cs_link_model_find(value);
    scenario->model_named = true;
    if (scenario->model)
        return 0;
    for (i = 0; i < cs_link_model_count; i++)
        names[i] = cs_link_models[i]->name;
    return cs_options_refuse(
        (struct cs_option_names){"model", names, cs_link_model_count}, value,
        err);
}

static int set_dtype(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    const char *names[DTYPES];
    size_t i;

    for (i = 0; i < DTYPES; i++) {
        names[i] = dtypes[i].name;
        scenario->dtype = &dtypes[i];
        if (cs_same(value, names[i]))
            return 0;
    }
    return cs_options_refuse((struct cs_option_names){"dtype", names, DTYPES},
                             value, err);
}

const char *const cs_placement_names[CS_PLACE_FILE + 1] = {
    "packed", "round-robin", "random", "file"};

static int set_placement(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    uint32_t i = CS_PLACE_PACKED;

    if (strncmp(value, "file:", 5) == 0) {
        scenario->placement = CS_PLACE_FILE;
        scenario->slots = value + 5;
        return 0;
    }
    for (; i < CS_PLACE_FILE; i++) {
        scenario->placement = (enum cs_placement)i;
        if (cs_same(value, cs_placement_names[i]))
            return 0;
    }
    return cs_options_refuse((struct cs_option_names){"placement",
                                                      cs_placement_names,
                                                      CS_PLACE_FILE},
                             value, err);
}

/* JSON and CSV say the same in two ways; the output is one of them. */
static int scenario_set_format(struct cs_scenario *scenario,
                               enum cs_format format, struct cs_err *err)
{
    if (scenario->format != CS_FORMAT_TEXT && scenario->format != format)
        return cs_err_set(err, CS_EINPUT, "give --json or --csv, not both");
    scenario->format = format;
    return 0;
}

static int set_seed(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    /* As far as every JSON reader keeps a whole number exact. */
    return cs_units_count(value, 0, ((uint64_t)1 << 53) - 1, &scenario->seed,
                          err);
}

static int set_unproven(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    (void)value;
    (void)err;
    scenario->unproven = true;
    return 0;
}

int cs_scenario_set_json(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    (void)value;
    return scenario_set_format(scenario, CS_FORMAT_JSON, err);
}

int cs_scenario_set_csv(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    (void)value;
    return scenario_set_format(scenario, CS_FORMAT_CSV, err);
}

static int scenario_set_db(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    (void)err;
    scenario->db = value;
    return 0;
}

static const struct cs_option main_options[] = {
    {"topo", 't', "MACHINE",
     "a YAML file, a machine of the library (dgx, ...) or switch:ranks=64,...;"
     " 'collsim list' shows them  [dgx.yaml]",
     cs_scenario_set_topo},
    {"collective", 0, "NAME",
     "one of"
#define COLLECTIVE(identifier, title, first, last, factor, signal, text) \
    " " title
#include "algorithms/collectives.def"
#undef COLLECTIVE
     "  [allreduce]",
     set_collective},
    {"algo", 'a', "NAMES",
     "ring, tree, ... with commas; all; auto: the fastest there is; or a "
     "schedule, msccl:FILE or goal:FILE  [ring, or the collective's first; "
     "multi-ring, as NCCL, over several nodes of up to 512 ranks in all]",
     set_algo},
    {"size", 's', "SIZES",
     "bytes of a rank's vector: 1GiB, or 1MB,64MB  [1GiB]", set_size},
    {"ranks", 'n', "N",
     "the machine's first N ranks; 2,4,8 or 2-8 is swept  [all]",
     scenario_set_ranks},
    {"dtype", 'd', "NAME",
     "fp32, fp16, bf16, fp64, fp8, int8, int32, int64  [fp32]", set_dtype},
    {"begin", 'b', "SIZE",
     "the first of a range of sizes, as in nccl-tests: -b 8 -e 8G -f 2",
     set_first},
    {"end", 'e', "SIZE", "the last (K, M, G are powers of 1024 here)",
     set_last},
    {"factor", 'f', "N", "from one size to the next  [2]", set_factor},
    {"model", 'm', "NAME",
     "how links are shared: see list models  [fifo; "
     "with --with fluid]",
     set_model},
    {"placement", 0, "HOW",
     "of ranks on devices: packed, round-robin over nodes, random or "
     "file:FILE, a device's name on each line  [packed]",
     set_placement},
    {"seed", 0, "N", "for all that is drawn at random  [1]", set_seed},
    {"no-proof", 0, NULL,
     "do not prove the data flow, which is done where it takes less than half "
     "of the run, or no time to notice",
     set_unproven},
    {"json", 0, NULL, "print JSON: SI units, stable names",
     cs_scenario_set_json},
    {"csv", 0, NULL, "print CSV, the same names", cs_scenario_set_csv},
    {"db", 0, "FILE",
     "keep every finished run in this SQLite database; what it has already is "
     "not run again",
     scenario_set_db},
    {0},
};

static const struct cs_option_group cs_options_main = {
    .name = "main",
    .about = "what is run, on what",
    .options = main_options,
};

#define GROUP(name) extern const struct cs_option_group cs_options_##name;
#include "scenarios/options/option_groups.def"
#undef GROUP

const struct cs_option_group *const cs_scenario_groups[] = {
    &cs_options_main,
#define GROUP(name) &cs_options_##name,
#include "scenarios/options/option_groups.def"
#undef GROUP
    NULL,
};

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
        return scenario->size_count ? 0 : add_size(scenario, "1GiB", err);
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
        code = add_size(scenario, text, err);
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

/* A machine that cannot be opened is complained about when it is run on. */
static const char *typical_algo(const struct cs_scenario *scenario)
{
    struct cs_arena arena = {0};
    struct cs_graph graph;
    struct cs_topo_request request = {.spec = scenario->topo,
                                      .platform = scenario->machine.platform,
                                      .gpu = scenario->machine.gpu,
                                      .routing = scenario->flows.routing,
                                      .seed = scenario->seed,
                                      .replicas_from = 1};
    const char *name;
    uint32_t i;

    for (i = 0; i < scenario->rank_count; i++)
        if (scenario->ranks[i] > request.ranks)
            request.ranks = scenario->ranks[i];
    name = cs_scenario_default_algo(
        scenario->collective,
        cs_topo_open(&request, &graph, &arena, NULL) ? NULL : &graph);
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

/* Options of which one would have no effect beside the other. */
static int scenario_check_pairs(const struct cs_scenario *scenario,
                                struct cs_err *err)
{
    bool with = scenario->other_jobs.count > 0;
    bool flat = scenario->model->ignores_links;
    const struct {
        bool both;
        const char *why;
    } pairs[] = {
        {flat && scenario->faults.count,
         "--fault is of links, and --model loggp has none"},
        {flat && scenario->what_if,
         "--what-if is about links, and --model loggp has none"},
        {with && scenario->fold == CS_FOLD_ON,
         "--with makes ranks differ, so they cannot be folded; leave --fold "
         "out"},
        {scenario->faults.failover_ps && !any_fault_at_a_time(scenario),
         "--failover is of faults at a time, as in --fault leaf0:down@2ms"},
        {scenario->what_if && with,
         "--what-if is about one job; leave --with out"},
        {scenario->ring_order && scenario->placement != CS_PLACE_PACKED,
         "--ring-order and --placement both say where ranks sit; give one"},
        {scenario->per_rank && scenario->format == CS_FORMAT_CSV,
         "--per-rank is told as text or JSON; leave --csv out"},
        {scenario->per_rank && scenario->what_if,
         "--per-rank is about one run, and --what-if about many; give one"},
        {scenario->per_rank && scenario->format == CS_FORMAT_TEXT &&
             rows_reported(scenario) > 1,
         "--per-rank tells of one run as text; give one algorithm, size and "
         "number of ranks, or --json"},
        {scenario->model_named && scenario->peers.compat,
         "--model and --compat both name the model; give one"},
    };
    size_t i;

    for (i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
        if (pairs[i].both)
            return cs_err_set(err, CS_EINPUT, "%s", pairs[i].why);
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

/* Concurrent jobs share links: whole messages in line behind each other, as in
 * fifo, would have a job wait for as long as the other's messages are. */
static void choose_model(struct cs_scenario *scenario)
{
    if (scenario->other_jobs.count > 0 && !scenario->model_named &&
        !scenario->peers.compat)
        scenario->model = cs_link_model_find("fluid");
}

int cs_scenario_finish(struct cs_scenario *scenario, struct cs_err *err)
{
    size_t count;
    int code = finish_sizes(scenario, err);

    choose_model(scenario);
    if (!code)
        code = scenario_check_sizes(scenario, err);
    cs_cluster_finish(scenario);
    if (!code)
        code = cs_compat_check(scenario, err);
    if (!code)
        code = cs_noise_check(scenario, err);
    if (!code)
        code = cs_flows_check(scenario, err);
    if (code)
        return code;
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
    if (scenario->choice != CS_CHOICE_NAMED)
        add_all_algos(scenario);
    else
        code = each_word(scenario, scenario->algo_names, add_algo, err);
    if (!code)
        code = check_root(scenario, err);
    return code ? code : scenario_check_pairs(scenario, err);
}
