/*
 * A host with round figures, for times by hand.
 *
 * Two nodes of four ranks: 1 us inside, 2 us outside and .1 us for each flow;
 * copies at 4 GB/s, sums at 2 GB/s, an adapter of 10 GB/s, a stream of 8 GB/s,
 * rendezvous in 5 us above 8 KiB.
 */
#pragma once

#include "algorithms/libraries/host/cost.h"

#include "tests/fixture.h"

#include <math.h>

static inline struct cs_host_cost round_host(void)
{
    return (struct cs_host_cost){
        .ranks = 8,
        .nodes = 2,
        .node_ranks = 4,
        .step_s = 1e-6,
        .copy_Bps = 4e9,
        .sum_Bps = 2e9,
        .work_copy_Bps = 4e9,
        .work_sum_Bps = 2e9,
        .cache_bytes = 40e6,
        .beyond_cache = 0.5,
        .memory_Bps = 240e9,
        .net = {.latency_s = 2e-6,
                .post_s = 0.1e-6,
                .meet_s = 5e-6,
                .eager_bytes = 8192,
                .short_Bps = 2e9,
                .stream_Bps = 8e9,
                .node_Bps = 10e9},
        .pcie_Bps = 12e9,
        .device.copy_s = 8e-6,
    };
}

/* The same ranks in a single node. */
static inline struct cs_host_cost round_node(void)
{
    struct cs_host_cost host = round_host();

    host.nodes = 1;
    host.node_ranks = host.ranks;
    return host;
}

static inline void assert_us(double seconds, double us)
{
    if (!(fabs(seconds * 1e6 - us) <= 1e-6 * us))
        fail_msg("%.9g us, expected %.9g us", seconds * 1e6, us);
}
