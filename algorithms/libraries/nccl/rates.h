/*
 * Rates of NCCL's transfers and latencies of its steps on a site, with the
 * estimated parameters.  Units: GB/s (1e9) and microseconds.
 */
#pragma once

#include "algorithms/libraries/nccl/case.h"
#include "algorithms/libraries/nccl/parameters.h"

/* Columns of parameters; of a GPU of another maker, those of Hopper. */
enum cs_nccl_generation cs_nccl_family_of(const struct cs_site *site);

/* The parameter of the share of the wires' rate that NVLS attains. */
unsigned cs_nccl_nvls_rate(const struct cs_site *site);

/* From Hopper on. */
bool cs_nccl_is_new(const struct cs_site *site);

static inline double cs_nccl_value(const struct cs_nccl_case *at, unsigned parameter)
{
    return at->parameters[parameter];
}

static inline bool cs_nccl_has(const struct cs_nccl_case *at, enum cs_library_effect effect)
{
    return at->request->effects & effect;
}

/* 0 up to `from`, 1 from `to` on, linear in the logarithm between. */
double cs_nccl_ramp(double bytes, double from, double to);

/* Maximum of two times with a round corner: (a^q + b^q)^(1/q). */
double cs_nccl_round_max(double a, double b, double q);

/* Whether all GPUs of a node exchange by links, as rings of the node do, and
 * whether through host memory. */
bool cs_nccl_by_links(const struct cs_site *site);
bool cs_nccl_staged(const struct cs_site *site);

/* A rate in GB/s, no more than what the thread blocks of the channels that may run
 * move; where a block's rate is not known, their share of it. */
double cs_nccl_by_channels(const struct cs_nccl_case *at, double rate);

/* Empty steps of GPUs before Blackwell that one takes inside the node. */
double cs_nccl_step_times(const struct cs_nccl_case *at);

/* A step inside a node that carries `bytes` over all channels. */
double cs_nccl_local_step(const struct cs_nccl_case *at, double bytes);

/* A step between nodes: the share `progress`, 0 to 1, of its growth. */
double cs_nccl_net_step(const struct cs_nccl_case *at, double progress);

/* The part of a step between nodes, over verbs, that a transfer does not hide. */
double cs_nccl_net_turn(const struct cs_nccl_case *at, double progress);

/* Posts and completions of a message beyond the first, where queue pairs divide
 * the message. */
double cs_nccl_more_posts(const struct cs_nccl_case *at);

/* Latency of a network plugin for a step. */
double cs_nccl_plugin_step(const struct cs_nccl_case *at);

/* GB/s that a channel's thread block moves, as NCCL's tuner takes it with LL128
 * (NVIDIA/nccl src/graph/tuning.cc, perChMaxRingLL128Bws). */
double cs_nccl_thread_block(const struct cs_site *site);

/* Rate at which a thread block, one channel, copies over GPU links: of LL the
 * parameter to Ampere, and more as NCCL's limit of LL grows. */
double cs_nccl_block_rate(const struct cs_nccl_case *at);

/* Where the threads that move data between sockets and buffers are slower than the
 * adapters; or NULL. */
const char *cs_nccl_socket_remark(const struct cs_nccl_case *at);

/* Bus rate of all rings inside a node, and of all adapters of a node, for the
 * protocol of the case. */
double cs_nccl_local_rate(const struct cs_nccl_case *at);
double cs_nccl_net_rate(const struct cs_nccl_case *at);
/* The same of so many channels, each by one adapter; and of one GPU with its part
 * of the adapters, before the limit of the host's memory. */
double cs_nccl_channels_net_rate(const struct cs_nccl_case *at, double channels);
double cs_nccl_gpu_net_rate(const struct cs_nccl_case *at);
/* GB/s that the proxy thread of a GPU sends while it receives as much, in chunks of so many
 * bytes; INFINITY where no limit is known. */
double cs_nccl_proxy_rate(const struct cs_nccl_case *at, double chunk_bytes);
/* GB/s through the memory of all CPUs of a node, of data between nodes; INFINITY
 * where adapters reach the GPUs. */
double cs_nccl_host_rate(const struct cs_nccl_case *at);
