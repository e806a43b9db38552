/*
 * Options: a cluster told by numbers, as launchers are.
 */
#include "topo/generators/cluster.h"
#include "scenarios/run/scenario.h"
#include "sim/base/units.h"

static int set_nodes(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    uint64_t nodes = 0;
    int code = cs_units_count(value, 1, CS_RANKS_MAX, &nodes, err);

    scenario->cluster.nodes = (uint32_t)nodes;
    return code;
}

static int set_gpus(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    uint64_t gpus = 0;
    int code = cs_units_count(value, 1, CS_RANKS_MAX, &gpus, err);

    scenario->cluster.gpus = (uint32_t)gpus;
    return code;
}

static int set_fabric(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    (void)err;
    scenario->cluster.fabric = value;
    return 0;
}

void cs_cluster_finish(struct cs_scenario *scenario)
{
    struct cs_cluster_options *cluster = &scenario->cluster;
    struct cs_text spec = {0};

    if (!cluster->nodes && !cluster->gpus && !cluster->fabric)
        return;
    if (!cluster->topo_named && scenario->machine.platform) {
        scenario->topo = scenario->machine.platform;
        scenario->machine.platform = NULL; /* nothing else is left open */
    }
    cs_text_printf(&spec, "cluster:node=%s,nodes=%u", scenario->topo,
                   cluster->nodes ? cluster->nodes : 1);
    if (cluster->gpus)
        cs_text_printf(&spec, ",gpus=%u", cluster->gpus);
    if (cluster->fabric)
        cs_text_printf(&spec, ",fabric=%s", cluster->fabric);
    scenario->topo = cs_arena_text(scenario->arena, cs_text_str(&spec));
    cs_text_free(&spec);
}

static const struct cs_option options[] = {
    {"nodes", 0, "N",
     "computers like --topo or --platform, joined by a fabric  [1]", set_nodes},
    {"gpus", 0, "N", "of each that are used  [all]", set_gpus},
    {"fabric", 0, "NAME",
     "star, rail, fat-tree, dragonfly, dragonfly+, torus, hypercube, ring, "
     "mesh, with its parameters: "
     "fat-tree,radix=32  [star]",
     set_fabric},
    {0},
};

const struct cs_option_group cs_options_cluster = {
    .name = "cluster",
    .about = "nodes, GPUs and fabrics",
    .options = options,
};
