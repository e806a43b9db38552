/*
 * The parameters of a cluster: the text after "cluster:" or "fat-tree:".
 *
 * A zero or NULL field is a parameter without a value; the nodes and the fabric
 * then decide.
 */
#pragma once

#include "topo/graph/fabric.h"

enum {
    CS_CLUSTER_KINDS_MAX = 8,         /* of nodes */
    CS_CLUSTER_DEVICES_MAX = 1 << 23, /* of the whole; also of wires */
};

struct cs_cluster_plan {
    struct cs_arena *arena;
    const char *node;        /* "dgx-a100+dgx-h100"; NULL: plain hosts */
    const char *fabric_name; /* NULL: star */
    const char *link;
    const char *nics; /* as NCCL_IB_HCA, with + for a comma; NULL: all */
    uint32_t nodes[CS_CLUSTER_KINDS_MAX];
    uint32_t node_kinds; /* numbers in nodes= */
    uint32_t ranks, gpus, rails;
    bool no_pxn, says_pxn;
    bool stripe, says_stripe; /* stripe=on; stripe= */
    bool has_routing;
    struct cs_device host;   /* gamma and overhead of a plain host */
    struct cs_fabric fabric; /* parameters of the fabric's kind */
    double rate_Bps;
    uint64_t latency_ps;
    bool has_latency;
};

/* Reads the parameters; `owner` is the name before the colon, in messages.
 * plan->arena is set. */
int cs_cluster_plan_read(struct cs_cluster_plan *plan, const char *owner, const char *parameters,
                         struct cs_err *err);
