/*
 * Host trees: engines in which data come from one rank or go to one rank.
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
