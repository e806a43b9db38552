/*
 * Parameter servers in closed form: workers push gradients and pull parameters.
 *
 * `p` workers, `k` servers that share the parameters evenly, V bytes; bandwidth
 * of worker B_w and of a server B_s in a direction; latency left out.
 *
 *     servers apart        2 max(V/B_w, pV/(k B_s)); pushes beside pulls in slices
 *                          max(V/B_w, pV/(k B_s)), V/B for k >= p
 *     beside workers       2 (p-1) V/(p B): the volume of a ring all-reduce
 *     BytePS               2 p (p-1) V / ((p^2 + kp - 2k) B), 0 <= k <= p (Jiang et
 *                          al., OSDI 2020): k = 0 as above, k = p V/B
 *     on s sockets         and p V/(s B_x) between two sockets, at the rate B_x: a
 *                          worker of s reaches its server, or its part, inside
 *     asynchronous         X = min(sum over workers of 1/(compute + 2V/B_w),
 *                          k B_s/V) updates a second; mean staleness p - 1 by
 *                          counting, whatever the times: between a worker's pull
 *                          and push the mean number of updates of peers is p - 1
 *
 * Delays are exponential with a mean: a step that leaves the slowest b of p
 * workers out takes mean x (H_p - H_b) longer (arXiv 1604.00981), H harmonic
 * numbers.
 */
#pragma once

#include "scenarios/train/job/job.h"

struct cs_parameter_server {
    enum cs_ps_place place;
    uint32_t workers, servers; /* BytePS: servers counts CPU machines */
    double bytes;              /* V */
    double worker_Bps, server_Bps;
    uint32_t sockets;  /* with CPUs that are servers; 0: between machines */
    double socket_Bps; /* between two sockets; 0: no limit */
    bool sliced;       /* slices of a tensor are pulled while others are pushed */
};

/* Seconds of pushes and pulls of a synchronous step; 0 for a lone worker with the
 * server inside. */
double cs_parameter_server_sync_s(const struct cs_parameter_server *ps);

/* Bytes of a synchronous step that a worker sends, and as many that it receives. */
double cs_parameter_server_sent(const struct cs_parameter_server *ps);

/* Updates per second: p - 1 workers compute `compute_s`, and the last worker
 * `straggler` times as long. */
double cs_parameter_server_async_rate(const struct cs_parameter_server *ps, double compute_s,
                                      double straggler);

/* Seconds that the first p - b of p exponential delays take. */
double cs_parameter_server_wait_s(double mean_s, uint32_t workers, uint32_t backups);

/* Bytes of V on the peak server. */
double cs_parameter_server_share(const struct cs_parameter_server *ps);
