/*
 * A calibrated GPU: rates and latencies by kind, number of thread blocks and size.
 *
 * rates.h makes the struct from microbenchmarks; the functions below look figures
 * up.  A figure that was not measured is 0.
 *
 *     rate, ring_rate, ping_s   O(points of a curve)
 *     launch_s                  O(1)
 */
#pragma once

#include "sim/base/mem.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Curves: the rate of thread blocks by their number and by the vectors' size.
 *
 * Between measured numbers of blocks the rate is a power of the number; below
 * the smallest number the rate is proportional, above the largest constant.
 * The time of a byte moves from small to large vectors as measured with the
 * number of blocks that has most sizes: the transition is a property of L2, not
 * of the blocks.
 *
 *     add    O(points)
 *     rate   O(points)
 */

struct cs_gpu_point {
    double blocks, vector_bytes;
    double rate_Bps;
};

struct cs_gpu_curve {
    struct cs_gpu_point *points; /* by blocks, then bytes */
    size_t count;
};

/* Adds a point to a curve of at most `most` points.  Of several measurements at
 * equal blocks and bytes (to several peers) the slowest counts. */
void cs_gpu_curve_add(struct cs_gpu_curve *curve, struct cs_gpu_point point, size_t most,
                      struct cs_arena *arena);

/* Sorts the points; required after the last add. */
void cs_gpu_curve_sort(struct cs_gpu_curve *curve);

/* Bytes per second; 0 for an empty curve. */
double cs_gpu_curve_rate(const struct cs_gpu_curve *curve, double blocks, double vector_bytes);

enum cs_gpu_rate {
    CS_GPU_PUT,
    CS_GPU_GET,
    CS_GPU_ADD,
    CS_GPU_COPY,  /* vector to vector */
    CS_GPU_ADD16, /* fp16; the remaining curves are fp32 */
    CS_GPU_HOST_PUT,
    CS_GPU_HOST_GET,
    CS_GPU_HOST_ADD,
    CS_GPU_HOST_BOTH,  /* bytes in both directions together */
    CS_GPU_SERVER_PUT, /* slots and vectors in host memory */
    CS_GPU_SERVER_GET,
    CS_GPU_SERVER_ADD,
    CS_GPU_PEER_PUT, /* slots on the slowest peer GPU */
    CS_GPU_RATES,
};

enum {
    CS_GPU_PEERS_MAX = 64,
};

/* The time of a message in one direction. */
struct cs_gpu_ping {
    double bytes, time_s;
};

struct cs_gpu_pings {
    struct cs_gpu_ping *points; /* by bytes, at most one slice */
    size_t count;
    double sync_s;  /* of each slice after the first; below 0: not measured */
    double start_s; /* of a run beyond the messages */
};

/* The memory that has the slots. */
enum cs_gpu_slots {
    CS_GPU_ON_DEVICE,
    CS_GPU_ON_HOST,
    CS_GPU_ON_PEER,
    CS_GPU_SLOTS,
};

struct cs_gpu_model {
    const char *card;        /* cs_measured_card */
    const char *calibration; /* source of every figure below */
    struct cs_gpu_curve curves[CS_GPU_RATES];
    /* By the number of GPUs in a ring: each GPU's puts while all put. */
    struct cs_gpu_curve rings[CS_GPU_PEERS_MAX + 1];
    struct cs_gpu_pings pings[CS_GPU_SLOTS];
    double engine_Bps;     /* per direction, both busy; 0: not measured */
    double engine_alpha_s; /* of two dependent copies of a graph, out and in;
                              0: not measured */
    double engine_copy_s;  /* share of a small copy that occupies the engine */
    double engine_sum_s;   /* of a kernel between two copies */
    double graph_s;        /* of a graph beyond the copies, launch to end */
    double copy_Bps;       /* of large copies on the GPU; 0: not measured */
    double tick_s;         /* of the device's clock; 0: not measured */
    /* The time of a kernel by events beyond the device's clock, with few and
     * with many thread blocks; 0: not measured. */
    double launch_s[2], launch_blocks[2];
    /* The configuration of the measured thread blocks. */
    uint64_t slice_bytes, threads, depth;
};

/* Seconds of a message of at most one slice; 0: not measured. */
double cs_gpu_ping_s(const struct cs_gpu_pings *pings, double bytes);

/* Seconds of a kernel's launch that events include and the device's clock does
 * not. */
double cs_gpu_launch_s(const struct cs_gpu_model *model, double blocks);

/* Bytes per second of thread blocks; 0: not measured. */
double cs_gpu_rate(const struct cs_gpu_model *model, enum cs_gpu_rate what, double blocks,
                   double vector_bytes);

/* Bytes per second of each GPU's puts to the next GPU of a ring, all GPUs busy;
 * 0: not measured. */
double cs_gpu_ring_rate(const struct cs_gpu_model *model, uint32_t gpus, double blocks,
                        double vector_bytes);
