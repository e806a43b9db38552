/*
 * Host cost: seconds of messages, copies and sums of processes on CPU cores.
 *
 * MPI and Gloo move bytes with the cores of the host.  Inside a node a message is
 * a copy by one core; between nodes it is a latency, a post for each process of
 * the node that sends at the same time, and a transfer that the adapter shares;
 * above a threshold the partners meet first (rendezvous).  A sum is the work of
 * one core.  Working sets beyond the caches reduce the rates of copy and sum.
 *
 *     inside    STEP + m / copy
 *     between   latency + f post + max(m / stream, f m / node)      f flows
 *               + meet                                              m > eager
 *
 * Values have a unit, a cause and a spread (host/parameters.def).  The rate of
 * a core is taken in proportion to the memory of its CPU, as the mark of the
 * CPU's generation: 128 GB/s for Skylake, 205 for Ice Lake, 307 for Graviton 3E.
 *
 * Every function is pure and O(1), and with buffers of the host non-decreasing in
 * bytes.  Between buffers of GPUs, copies by CUDA IPC beyond DEVICE_EAGER are
 * faster than reads by the CPU below.
 */
#pragma once

#include "algorithms/libraries/host/parameters.h"
#include "algorithms/libraries/site/site.h"
#include "sim/base/err.h"

enum cs_host_buffers {
    CS_BUFFERS_HOST,
    CS_BUFFERS_DEVICE, /* messages between buffers of GPUs */
};

/* A network as one process uses it. */
struct cs_host_net {
    bool loops; /* messages inside a node pass the adapter, too */
    double latency_s, post_s, meet_s;
    double eager_bytes;
    double short_Bps;  /* an eager message */
    double stream_Bps; /* a message after rendezvous */
    double core_Bps;   /* sent and received by the core of a process, over kernel TCP; 0: the
                          adapter moves them */
    double node_Bps;   /* all processes of a node together */
};

/* Buffers in the memory of GPUs. */
struct cs_host_device {
    double copy_s, stream_Bps, read_Bps;
    double window_s, eager_bytes, meet_s;
    double far_short_s, far_meet_s; /* between nodes: beyond the window's, and in place of meet_s */
    double fragment_bytes;
    double links_Bps;    /* between GPUs of a node; 0: no links */
    double next_Bps;     /* wires from each GPU to the next of its node */
    double exchange_Bps; /* wires of a GPU while all exchange with all */
    bool has_window;     /* CPUs and adapters reach GPU memory (gdr_copy, GPUDirect) */
};

struct cs_host_cost {
    uint32_t ranks, nodes, node_ranks;
    enum cs_host_buffers buffers;
    double call_s, step_s, segment_s;
    double copy_Bps, sum_Bps;           /* one core, in cache */
    double work_copy_Bps, work_sum_Bps; /* with the working set */
    double cache_bytes, beyond_cache;   /* of the node; share of the rate */
    double memory_Bps;                  /* of the node */
    struct cs_host_net net;
    double pcie_Bps;
    struct cs_host_device device;
};

/* A collective on a host; an engine returns its seconds. */
struct cs_host_call {
    const struct cs_host_cost *host;
    double bytes;         /* as cs_library_request.bytes */
    double segment_bytes; /* 0: messages in one piece */
};

typedef double cs_host_engine_fn(const struct cs_host_call *call);

/*
 * Costs of a site by values in the order of enum cs_host_parameter.  CS_ECANNOT for
 * several nodes without a network.  Unknown rates: 150 GB/s of a CPU's memory,
 * 12 GB/s of PCIe.
 */
int cs_host_cost_of(const struct cs_site *site, const double *values, struct cs_host_cost *host,
                    struct cs_err *err);

/* Sets the rates of copy and sum for `bytes` touched by a process. */
void cs_host_cost_touch(struct cs_host_cost *host, double bytes);

/* Leaves the costs of `effects` (library.h): of calls, posts and cores; the others are free. */
void cs_host_cost_leave(struct cs_host_cost *host, unsigned effects);

/* The same host with transfers of no time: what remains is latency. */
struct cs_host_cost cs_host_cost_latency(const struct cs_host_cost *host);

/* A message inside a node, `flows` of them at once. */
double cs_host_inside_s(const struct cs_host_cost *host, double bytes, uint32_t flows);
/* A message to another node, `flows` of them at once out of the node. */
double cs_host_between_s(const struct cs_host_cost *host, double bytes, uint32_t flows);
/* The core of a process that sends so many bytes to other nodes and receives as many. */
double cs_host_both_ways_s(const struct cs_host_cost *host, double bytes);
/* The part of a message in which its process is idle, so that messages posted together
 * wait at once. */
double cs_host_inside_wait_s(const struct cs_host_cost *host, double bytes);
double cs_host_between_wait_s(const struct cs_host_cost *host, double bytes);
/* A further message of the same process, whose latency is hidden. */
double cs_host_further_s(const struct cs_host_cost *host, double bytes, bool between);
/* Every rank exchanges with the rank at a distance of a power of two, with
 * `members` ranks of each node taking part. */
double cs_host_exchange_s(const struct cs_host_cost *host, double bytes, uint32_t distance,
                          uint32_t members);
/* A step of a ring of all ranks.  Data pass hops of both kinds in turn, so that
 * a step takes the mean of the hops, and no less than the slowest transfer. */
double cs_host_ring_step_s(const struct cs_host_cost *host, double bytes);
/* The sum of two vectors of `bytes` by one core. */
double cs_host_sum_s(const struct cs_host_cost *host, double bytes);
/* A copy of a vector by one core. */
double cs_host_copy_s(const struct cs_host_cost *host, double bytes);
/* A vector between GPU and pageable host memory: cudaMemcpy copies through a
 * buffer of the driver. */
double cs_host_stage_s(const struct cs_host_cost *host, double bytes);
