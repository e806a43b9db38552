/*
 * NCCL's tuning table: latency and bandwidth of every collective, engine and
 * protocol on a communicator.
 *
 * The table is what NCCL prints with NCCL_DEBUG_SUBSYS=TUNING.  Inputs are the
 * graphs of the topology search (nccl/graph.h, or the Pattern lines of a log),
 * the placement and the CPU.  Units inside the module are NCCL's, microseconds
 * and GB/s (1e9), as the names say; nccl/choice.h answers in seconds.
 *
 * Pure functions without allocation; O(collectives x engines x protocols).
 * Source: NVIDIA/nccl src/graph/tuning.cc, ncclTopoTuneModel.
 */
#pragma once

#include "algorithms/libraries/nccl/constants.h"
#include "algorithms/libraries/site/site.h"

/* A graph of the search: `channels` rings or trees of these rates. */
struct cs_nccl_graph {
    uint32_t channels; /* 0: the engine has no graph */
    double intra_GBps; /* per channel */
    double inter_GBps;
    enum cs_site_path intra_path; /* worst between two GPUs */
    enum cs_site_path inter_path; /* worst from a GPU to its adapter */
    double inter_latency_us;      /* of the network plugin */
    bool same_channels;           /* one order of GPUs in all channels */
    bool plain_tree;              /* no balanced tree was found */
};

enum cs_nccl_cpu {
    CS_NCCL_CPU_OTHER, /* ARM and others */
    CS_NCCL_CPU_INTEL,
    CS_NCCL_CPU_AMD, /* a mixture counts as AMD for LL */
    CS_NCCL_CPU_POWER,
};

/* Tables of a plugin's tuner, by instance of Amazon (nccl/plugin_tuner.h). */
enum cs_nccl_tuner {
    CS_NCCL_TUNER_NONE,
    CS_NCCL_TUNER_P5, /* and p5e */
    CS_NCCL_TUNER_P5EN,
    CS_NCCL_TUNER_P6, /* p6-b200 */
    CS_NCCL_TUNER_B300,
};

struct cs_nccl_comm {
    uint32_t version; /* 23007: 2.30.7; 0: the newest modelled */
    uint32_t ranks, nodes;
    uint32_t node_ranks;     /* the most of any node */
    uint32_t min_capability; /* compute capability x 10 */
    uint32_t max_capability;
    enum cs_nccl_cpu cpu;
    bool has_switch;   /* NVSwitches in the node */
    bool has_collnet;  /* a collective network, such as SHARP */
    uint32_t heads;    /* GPUs with an adapter of the collective network */
    bool net_device;   /* the network plugin offloads; no PAT */
    uint32_t channels; /* of the communicator, after duplication */
    uint32_t nvls_channels;
    uint32_t nvls_tree_bytes; /* of a chunk of NVLSTree at most */
    uint32_t buffer_bytes;    /* of Simple; 0: 4 MiB */
    uint32_t threads;         /* of a block at most; 0: by protocol */
    enum cs_nccl_tuner tuner;
    /* PAT uses the graph of trees, NVLSTree that of NVLS. */
    struct cs_nccl_graph ring, tree, collnet_chain, collnet_direct, nvls;
};

struct cs_nccl_cell {
    double latency_us;
    double bandwidth_GBps; /* of the algorithm; 0: not available */
};

struct cs_nccl_table {
    struct cs_nccl_cell cells[CS_NCCL_FUNCS][CS_NCCL_ENGINES][CS_NCCL_PROTOCOLS];
};

void cs_nccl_table_fill(const struct cs_nccl_comm *comm, struct cs_nccl_table *table);

/* Why the engine with the protocol does not serve the collective there: "it is for
 * all-reduce"; NULL where it does. */
const char *cs_nccl_refusal(const struct cs_nccl_comm *comm, enum cs_nccl_func func,
                            enum cs_nccl_engine engine, enum cs_nccl_protocol protocol);

/* Whole log2; 0 for 0. */
uint32_t cs_nccl_log2(uint64_t number);
