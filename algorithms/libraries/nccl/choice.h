/*
 * NCCL's estimate of the time of a call, and its choice.
 *
 *     time = latency + bytes / bandwidth
 *
 * with corrections of trees by size and of rings between nodes; the least time
 * wins, the first of equals in the order of the enums.  Channels and threads of
 * the call follow from its size, chunks from the protocol.
 *
 * Pure functions, no allocation.  Source: NVIDIA/nccl src/graph/tuning.cc
 * (ncclTopoGetAlgoTime) and src/enqueue.cc (topoGetAlgoInfo,
 * scheduleCollTasksToPlan, calcCollChunking).
 */
#pragma once

#include "algorithms/libraries/nccl/tuning.h"

struct cs_nccl_call {
    enum cs_nccl_func func;
    uint64_t bytes; /* of all ranks for all-gather and reduce-scatter */
    uint32_t ops;   /* collectives of a group per channel; 0 is 1 */
    bool fp8;       /* NCCL avoids rings of over 8 ranks */
};

/* Engines and protocols that may be chosen: bits 1 << engine, 1 << protocol,
 * as NCCL_ALGO and NCCL_PROTO set them; 0 allows all. */
struct cs_nccl_allowed {
    unsigned engines, protocols;
};

struct cs_nccl_choice {
    enum cs_nccl_engine engine;
    enum cs_nccl_protocol protocol;
    double time_s;        /* INFINITY: nothing available */
    bool by_plugin;       /* of a plugin's tuner (plugin_tuner.h) */
    uint32_t channels;    /* that the call runs on */
    uint32_t threads;     /* of a block */
    uint64_t chunk_bytes; /* data of a chunk */
    uint64_t slice_bytes; /* data between two synchronisations */
};

/* The pair of engine and protocol with the least of NCCL's estimates. */
struct cs_nccl_choice cs_nccl_choose(const struct cs_nccl_comm *comm,
                                     const struct cs_nccl_table *table,
                                     const struct cs_nccl_call *call,
                                     struct cs_nccl_allowed allowed);

/* Fills channels, threads and chunks of a choice whose engine and protocol are
 * set. */
void cs_nccl_size_call(const struct cs_nccl_comm *comm, const struct cs_nccl_table *table,
                       const struct cs_nccl_call *call, struct cs_nccl_choice *choice);
