/*
 * Options: the machine, or nodes and the fabric between them.
 */
#include "scenarios/run/request/scenario.h"
#include "topo/documents/parameters.h"

#include <string.h>

int cs_set_topo(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    if (value[0] == '\0')
        return cs_err_set(err, CS_EINPUT,
                          "the machine's name is empty; write --topo dgx.yaml or a file of yours");
    scenario->topo = cs_parameters_bare(cs_arena_text(scenario->arena, value));
    scenario->cluster.topo_named = true;
    return 0;
}

void cs_cluster_finish(struct cs_scenario *scenario)
{
    struct cs_cluster_options *cluster = &scenario->cluster;
    struct cs_text spec = {0};

    if (!cluster->nodes && !cluster->gpus && !cluster->fabric && !cluster->nics)
        return;
    if (!cluster->topo_named && scenario->machine.platform) {
        scenario->topo = scenario->machine.platform;
        scenario->machine.platform = NULL; /* used up: it is the node of the cluster */
    }
    cs_text_printf(&spec,
                   strpbrk(scenario->topo, ",\n") ? "cluster:node=[%s],nodes=%u"
                                                  : "cluster:node=%s,nodes=%u",
                   scenario->topo, cluster->nodes ? cluster->nodes : 1);
    if (cluster->gpus)
        cs_text_printf(&spec, ",gpus=%u", cluster->gpus);
    if (cluster->nics)
        cs_text_add(&spec, ",nics=");
    for (const char *c = cluster->nics; c && *c; c++)
        cs_text_printf(&spec, "%c", *c == ',' ? '+' : *c);
    if (cluster->fabric)
        cs_text_printf(&spec, ",fabric=%s", cluster->fabric);
    scenario->topo = cs_arena_text(scenario->arena, cs_text_str(&spec));
    cs_text_free(&spec);
}
