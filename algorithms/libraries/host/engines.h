/*
 * Host engines: exchanges, in which every rank sends at every step (exchanges.c), and trees,
 * in which data come from one rank or go to one rank (trees.c).
 *
 * An engine is the sum of the steps of one algorithm with the costs of host/cost.h.
 * Ranks have their places node by node in rank order, as launchers place
 * processes by default; the distance of two partners decides whether a message
 * leaves the node.  The forms follow Open MPI 4.1.4 (ompi/mca/coll/base).
 *
 * Every engine is pure, non-decreasing in bytes and O(log ranks).
 */
#pragma once

#include "algorithms/libraries/host/cost.h"

/* ---- exchanges ---- */

/* All-reduce. */
cs_host_engine_fn cs_host_allreduce_doubling_s;
cs_host_engine_fn cs_host_allreduce_rabenseifner_s;
cs_host_engine_fn cs_host_allreduce_ring_s;       /* segmented: segment_bytes */
cs_host_engine_fn cs_host_allreduce_whole_ring_s; /* p - 1 steps of V */
/* Unified Collective Communication, tl_ucp: radix-4 k-nomial below 4 KiB, then
 * scatter-reduce and all-gather. */
cs_host_engine_fn cs_host_allreduce_ucc_s;

/* Reduce-scatter, all-gather, all-to-all, send-receive, barrier */
cs_host_engine_fn cs_host_reducescatter_ring_s;
cs_host_engine_fn cs_host_reducescatter_halving_s;
cs_host_engine_fn cs_host_allgather_ring_s;
cs_host_engine_fn cs_host_allgather_doubling_s;
cs_host_engine_fn cs_host_allgather_neighbor_s;
cs_host_engine_fn cs_host_alltoall_linear_s;   /* latency paid once */
cs_host_engine_fn cs_host_alltoall_pairwise_s; /* latency of every step */
cs_host_engine_fn cs_host_alltoall_bruck_s;
cs_host_engine_fn cs_host_sendrecv_s;
cs_host_engine_fn cs_host_barrier_doubling_s;
cs_host_engine_fn cs_host_barrier_tree_s;

/* ---- trees ---- */

/* Broadcast and reduce. */
cs_host_engine_fn cs_host_broadcast_linear_s;
cs_host_engine_fn cs_host_broadcast_pipeline_s; /* a chain without segments */
cs_host_engine_fn cs_host_broadcast_binary_s;
cs_host_engine_fn cs_host_broadcast_split_binary_s;
cs_host_engine_fn cs_host_broadcast_binomial_s;
cs_host_engine_fn cs_host_broadcast_knomial_s; /* radix 4 */
cs_host_engine_fn cs_host_broadcast_scatter_s; /* then all-gather */
cs_host_engine_fn cs_host_reduce_linear_s;
cs_host_engine_fn cs_host_reduce_pipeline_s;
cs_host_engine_fn cs_host_reduce_binary_s;
cs_host_engine_fn cs_host_reduce_binomial_s;
cs_host_engine_fn cs_host_reduce_rabenseifner_s;
cs_host_engine_fn cs_host_scatter_binomial_s;
