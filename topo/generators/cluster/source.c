/*
 * cluster: nodes of any machine, and any fabric; see cluster.h.
 */
#include "topo/generators/cluster/cluster.h"

const struct cs_source cs_source_cluster = {
    .name = "cluster",
    .usage = "cluster:node=MACHINE,nodes=N,fabric=NAME[,FABRIC'S OWN]" CS_CLUSTER_USAGE,
    .about = "copies of a machine and a fabric between their NICs: star, rail, rail-only, "
             "dual-plane, fat-tree, dragonfly, dragonfly+, torus, hypercube, ring, mesh",
    .build = cs_cluster_build,
};
