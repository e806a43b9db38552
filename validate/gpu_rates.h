/*
 * Rates and latencies of a GPU, from its microbenchmarks.
 *
 * A curve is what thread blocks reach by their number and by the size of the
 * vectors.  Between measured numbers of blocks rates go by powers, fewer are
 * slower in proportion, more are no faster; time a byte goes from that of small
 * to that of large vectors as it does on the number of blocks that was measured
 * at most sizes.
 *
 * Nothing that was measured of a collective is looked at.
 *
 *     make    O(n^2) in the streams of the GPU; the arena has it all
 */
#ifndef CS_VALIDATE_GPU_RATES_H
#define CS_VALIDATE_GPU_RATES_H

#include "validate/measured.h"

enum cs_gpu_rate {
    CS_GPU_PUT,
    CS_GPU_GET,
    CS_GPU_ADD,
    CS_GPU_COPY,  /* vector to vector */
    CS_GPU_ADD16, /* of fp16; the others are of fp32 */
    CS_GPU_HOST_PUT,
    CS_GPU_HOST_GET,
    CS_GPU_HOST_ADD,
    CS_GPU_HOST_BOTH,  /* bytes each way together */
    CS_GPU_SERVER_PUT, /* slots and vectors in memory of the host */
    CS_GPU_SERVER_GET,
    CS_GPU_SERVER_ADD,
    CS_GPU_PEER_PUT, /* slots on another GPU, the slowest to reach */
    CS_GPU_RATES,
};

enum {
    CS_GPU_PEERS_MAX = 64,
};

/* How fast so many blocks are with vectors of so many bytes. */
struct cs_gpu_point {
    double blocks, vector_bytes;
    double rate_Bps;
};

struct cs_gpu_curve {
    struct cs_gpu_point *points; /* by blocks, then bytes */
    size_t count;
};

struct cs_gpu_model {
    const char *card; /* cs_measured_card */
    struct cs_gpu_curve curves[CS_GPU_RATES];
    /* By the number of GPUs: what each puts while all do. */
    struct cs_gpu_curve rings[CS_GPU_PEERS_MAX + 1];
    /* 0: not measured; of engines: two copies of a graph, out and in */
    double alpha_s, host_alpha_s, peer_alpha_s, engine_alpha_s;
    double graph_s; /* of a graph beyond its copies, from launch to end */
    /* Of a slice; below 0: not measured. */
    double sync_s, host_sync_s, peer_sync_s;
    double engine_Bps; /* each way, both ways at once; 0: not measured */
    double copy_Bps;   /* of large copies within the GPU; 0: not measured */
    double tick_s;     /* of the device's clock; 0: not measured */
    double launch_s;   /* of an empty kernel, by events; 0: not measured */
    /* Of the thread blocks that were measured. */
    uint64_t slice_bytes, threads, depth;
};

/* Makes the model of a GPU from what was measured of it.  CS_EINPUT when a
 * microbenchmark is missing that no prediction can do without, or when some
 * were made with other slices, threads or slots than others. */
int cs_gpu_model_make(const struct cs_measurements *all, const char *card,
                      struct cs_arena *arena, struct cs_gpu_model *model,
                      struct cs_err *err);

/* Bytes per second of so many blocks; 0: not measured. */
double cs_gpu_rate(const struct cs_gpu_model *model, enum cs_gpu_rate what,
                   double blocks, double vector_bytes);

/* What each of so many GPUs puts to the next one while all do; 0: not
 * measured. */
double cs_gpu_ring_rate(const struct cs_gpu_model *model, uint32_t gpus,
                        double blocks, double vector_bytes);

#endif
