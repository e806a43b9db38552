/*
 * Options: --setting, variables of a library and conditions of the node.
 */
#include "algorithms/libraries/settings.h"
#include "scenarios/run/request/scenario.h"
#include "topo/documents/parameters.h"

#include <string.h>
#include <strings.h>

/* NCCL's words for algorithms that have two here; others differ in case alone. */
static const struct cs_option_alias setting_algos[] = {
    {"NVLSTree", "nvls-tree"},
    {"CollnetDirect", "collnet-direct"},
    {"CollnetChain", "collnet-chain"},
    {NULL, NULL},
};

/* "Ring,NVLSTree" as names of --algo, in place of a list that leaves some out or that is
 * for one collective. */
static int setting_algo(void *target, const char *word, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    const struct cs_option_alias *alias = setting_algos;
    const char *before = scenario->algo_names;

    if (strpbrk(word, "^:;"))
        return cs_err_set(err, CS_EINPUT,
                          "NCCL_ALGO=%.40s: expected names of algorithms, such as Ring or "
                          "[Ring,Tree]",
                          word);
    while (alias->other && strcasecmp(alias->other, word) != 0)
        alias++;
    word = alias->other ? alias->word : word;
    scenario->algo_names = before ? cs_arena_printf(scenario->arena, "%s,%s", before, word) : word;
    return 0;
}

/* NCCL_ALGO, NCCL_PROTO and NCCL_IB_HCA are --algo, --protocol and --nics. */
static int setting_add(void *target, const char *word, struct cs_err *err)
{
    static const char algo[] = "NCCL_ALGO=", protocol[] = "NCCL_PROTO=", nics[] = "NCCL_IB_HCA=";
    struct cs_scenario *scenario = target;

    if (!strncmp(word, protocol, sizeof(protocol) - 1)) {
        scenario->protocol = word + sizeof(protocol) - 1;
        return 0;
    }
    if (!strncmp(word, nics, sizeof(nics) - 1)) {
        scenario->cluster.nics =
            cs_parameters_bare(cs_arena_text(scenario->arena, word + sizeof(nics) - 1));
        return 0;
    }
    if (strncmp(word, algo, sizeof(algo) - 1) != 0)
        return cs_settings_add(scenario->settings, word, err);
    if (cs_scenario_given(scenario, "algo"))
        return cs_err_set(err, CS_EINPUT, "%s and --algo %s cannot be combined; give one", word,
                          scenario->algo_names);
    scenario->algo_names = NULL;
    return cs_scenario_each(
        scenario, cs_parameters_bare(cs_arena_text(scenario->arena, word + sizeof(algo) - 1)),
        setting_algo, err);
}

int cs_set_setting(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    if (!scenario->settings)
        scenario->settings = cs_arena_alloc(scenario->arena, 1, sizeof(*scenario->settings));
    return cs_scenario_each(scenario, value, setting_add, err);
}

const char *cs_show_setting(const void *target, uint32_t i)
{
    const struct cs_scenario *scenario = target;

    return scenario->settings && i < scenario->settings->count ? scenario->settings->items[i].text
                                                               : NULL;
}
