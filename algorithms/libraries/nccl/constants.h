/*
 * Constants of NCCL's own tuning model, by version.
 *
 * NCCL estimates the time of a call as latency + bytes / bandwidth, from tables
 * of latencies per step and of bandwidth limits per GPU generation.  The tables
 * change between versions: cs_nccl_constants_read starts from 2.30.7 and takes
 * back the changes that are younger than the version asked for.
 *
 * Units are those of the source, microseconds and GB/s (1e9).  Source:
 * NVIDIA/nccl src/graph/tuning.cc at the tag of the version; 2.30.7 is commit
 * 5067397c.  Tables are indexed by protocol in the order LL, LL128, Simple, and
 * by node count in the order 1, 2, more.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* In NCCL's order, which breaks ties between equal times. */
enum cs_nccl_engine {
    CS_NCCL_TREE,
    CS_NCCL_RING,
    CS_NCCL_COLLNET_DIRECT,
    CS_NCCL_COLLNET_CHAIN,
    CS_NCCL_NVLS,
    CS_NCCL_NVLS_TREE,
    CS_NCCL_PAT,
    CS_NCCL_ENGINES
};

enum cs_nccl_protocol {
    CS_NCCL_LL,
    CS_NCCL_LL128,
    CS_NCCL_SIMPLE,
    CS_NCCL_PROTOCOLS
};

enum cs_nccl_func {
    CS_NCCL_BROADCAST,
    CS_NCCL_REDUCE,
    CS_NCCL_ALL_GATHER,
    CS_NCCL_REDUCE_SCATTER,
    CS_NCCL_ALL_REDUCE,
    CS_NCCL_FUNCS
};

/* The medium of a step. */
enum cs_nccl_hop {
    CS_NCCL_HOP_NVLINK,
    CS_NCCL_HOP_PCI,
    CS_NCCL_HOP_NET,
    CS_NCCL_HOPS
};

/* Rows of the bandwidth limits. */
enum cs_nccl_generation {
    CS_NCCL_VOLTA,
    CS_NCCL_AMPERE,
    CS_NCCL_HOPPER,
    CS_NCCL_BLACKWELL,
    CS_NCCL_GENERATIONS
};

enum {
    CS_NCCL_NODE_COLUMNS = 3,   /* 1, 2 and more nodes */
    CS_NCCL_TREE_SIZES = 24,    /* powers of two from 64 B */
    CS_NCCL_NVLS_HEADS = 32,    /* of a node, NCCL_MAX_NVLS_ARITY */
    CS_NCCL_OLDEST = 20800,     /* 2.8.0, the oldest version with tables */
    CS_NCCL_NEWEST = 23007,     /* 2.30.7, the newest version with tables */
    CS_NCCL_TUNED_FROM = 21200, /* 2.12, limits by GPU generation */
};

struct cs_nccl_constants {
    double base_us[CS_NCCL_ENGINES][CS_NCCL_PROTOCOLS];
    double hop_us[CS_NCCL_HOPS][CS_NCCL_ENGINES][CS_NCCL_PROTOCOLS];
    /* Limits of a whole node and per channel. */
    double ll_max_GBps[CS_NCCL_GENERATIONS][CS_NCCL_NODE_COLUMNS];
    double ring_ll128_GBps[CS_NCCL_GENERATIONS][CS_NCCL_NODE_COLUMNS];
    double tree_ll128_GBps[CS_NCCL_GENERATIONS][CS_NCCL_NODE_COLUMNS];
    double tree_GBps[CS_NCCL_GENERATIONS][CS_NCCL_NODE_COLUMNS];
    double nvls_tree_GBps[CS_NCCL_GENERATIONS][CS_NCCL_NODE_COLUMNS];
    double nvls_efficiency[CS_NCCL_GENERATIONS];
    double bus_max_GBps[CS_NCCL_GENERATIONS]; /* INFINITY: none */
    /* Up to 2.11 limits by collective and by node count only. */
    double ring_ll128_func_GBps[CS_NCCL_FUNCS];    /* per channel */
    double tree_max_GBps[2][CS_NCCL_NODE_COLUMNS]; /* [LL128 on Ampere] */
    /* Shares of the graph's bandwidth. */
    double ring_ll_share;
    double ring_ll_copy_share; /* one node, no reduction */
    double ring_ll128_share;
    double ring_ll128_lone_share; /* fewer than 2 ranks per node */
    double tree_share;
    double tree_ll128_share; /* several nodes */
    double pat_share;
    double plain_tree_share;  /* a node without a balanced tree */
    double ll_intra_factor;   /* LL inside a node of several */
    bool ring_inter_twice;    /* all-reduce crosses nodes 2n times, not 2(n-1) */
    bool nvls_by_efficiency;  /* the NVLS formula of 2.28 */
    bool lone_tree_latency;   /* 1 rank per node: the tree's network latency */
    bool net_overhead;        /* a ring's step lasts as long as a post */
    double nvls_gather_share; /* 2.27: AG and RS by (ppn-1)/ppn; else 0 */
    double nvls_ratio;        /* before 2.28, algorithm over bus bandwidth */
    double nvls_gather_ratio; /* the same of all-gather, reduce-scatter */
    bool nvls_tree_by_nodes;  /* 2.18: ratio .7 n / 2(n-1) */
    double tree_correction[CS_NCCL_PROTOCOLS][CS_NCCL_TREE_SIZES];
    uint32_t tree_sizes;   /* entries in use */
    bool plateau_by_ranks; /* up to 2.11 */
};

/* The tables of a version such as 22705 for 2.27.5; 0 is the newest.  Versions
 * outside CS_NCCL_OLDEST..CS_NCCL_NEWEST take the nearest tables. */
void cs_nccl_constants_read(uint32_t version, struct cs_nccl_constants *constants);

/* The difference between the tables used for a version and the version
 * itself as far as known, for a note; NULL: tables of the very version. */
const char *cs_nccl_constants_note(uint32_t version);

/* What a version newer than the tables may run calls on, for
 * cs_library_time.unmodelled; NULL: nothing. */
const char *cs_nccl_unmodelled(uint32_t version);

/* True for an engine that the version has. */
bool cs_nccl_engine_since(enum cs_nccl_engine engine, uint32_t version);

/* "ring", "nvls-tree"; "ll128". */
const char *cs_nccl_engine_name(enum cs_nccl_engine engine);
const char *cs_nccl_protocol_name(enum cs_nccl_protocol protocol);

/* The row of a compute capability x 10. */
enum cs_nccl_generation cs_nccl_generation_of(uint32_t capability);
