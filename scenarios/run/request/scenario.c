#include "scenarios/run/request/scenario.h"

#include "scenarios/options/options.h"
#include "sim/base/cores.h"
#include "sim/models/models.h"
#include "sim/models/params/loggp.h"
#include "topo/formats/source.h"

#include <string.h>

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

bool cs_scenario_is_machine(const char *word)
{
    static const char *const endings[] = {".yaml", ".yml", ".xml"};
    size_t length = strlen(word);

    for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
        if (length > strlen(endings[i]) && cs_same(word + length - strlen(endings[i]), endings[i]))
            return true;
    for (size_t i = 0; i < cs_machine_file_count; i++)
        if (cs_same(word, cs_machine_files[i].name))
            return true;
    return strchr(word, ':') != NULL;
}

const char *cs_scenario_alone(const char *word)
{
    if (cs_collective_find(word))
        return "collective";
    return cs_scenario_is_machine(word) && !strchr(word, ':') ? "topo" : "algo";
}

uint32_t cs_scenario_jobs(const struct cs_scenario *scenario)
{
    return scenario->jobs ? scenario->jobs : cs_cores_count();
}

/* ---- the table of options ---- */

static const char *const cs_folding_names[CS_FOLDINGS + 1] = {"auto", "on", "off", NULL};
static const char *const cs_switching_names[] = {"cut", "store", NULL};
const char *const cs_call_buffer_names[CS_BUFFERS] = {"host", "device", NULL};
const char *const cs_call_launch_names[CS_CALL_LAUNCHES] = {"graph", "process-per-gpu",
                                                            "one-process", "blocking", NULL};
static const char *const cs_loss_names[CS_PACKET_LOSSES + 1] = {"credits", "pfc", "drop", NULL};
const char *const cs_what_if_names[CS_WHAT_IFS] = {"each-link", "each-switch", "each-nic",
                                                   "each-plane", NULL};
const char *const cs_routing_names[CS_ROUTINGS + 1] = {"spread", "ecmp",     "shortest",
                                                       "spray",  "adaptive", NULL};
static const char *const cs_hash_names[CS_HASHES] = {"flow", "qp", NULL};

#define SIMULATED     (CS_FOR_RUN | CS_FOR_EXPLAIN)
#define PLANNED       (SIMULATED | CS_FOR_CHECK | CS_FOR_EXPORT | CS_FOR_MEASURE)
#define MODELLED      (CS_FOR_COMPARE | CS_FOR_TUNE)
#define EXCLUDES(...) .excludes = {__VA_ARGS__}

const struct cs_option cs_scenario_options[] = {
#define TARGET  struct cs_scenario
#define OPTIONS "scenarios/run/request/options.def"
#include "scenarios/options/entries.def"
};

void cs_scenario_each_of_key(const struct cs_scenario *scenario, enum cs_option_key key,
                             struct cs_option_visit visit)
{
    struct cs_scenario standard;

    cs_scenario_init(&standard, scenario->arena);
    cs_options_each_of_key((struct cs_option_values){cs_scenario_options, scenario, &standard}, key,
                           visit);
}

bool cs_scenario_given(const struct cs_scenario *scenario, const char *name)
{
    return cs_options_given(&scenario->given, name) != NULL;
}
