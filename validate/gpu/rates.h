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

#include "validate/gpu/measured.h"

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

/* How long a message of so many bytes takes one way. */
struct cs_gpu_ping {
    double bytes, time_s;
};

struct cs_gpu_pings {
    struct cs_gpu_ping *points; /* by bytes, of one slice at most */
    size_t count;
    double sync_s;  /* of each slice behind the first; below 0: not measured */
    double start_s; /* of a run beyond its messages */
};

/* Where the slots are. */
enum cs_gpu_slots {
    CS_GPU_ON_DEVICE,
    CS_GPU_ON_HOST,
    CS_GPU_ON_PEER,
    CS_GPU_SLOTS,
};

struct cs_gpu_model {
    const char *card;        /* cs_measured_card */
    const char *calibration; /* the one that it is made from */
    struct cs_gpu_curve curves[CS_GPU_RATES];
    /* By the number of GPUs: what each puts while all do. */
    struct cs_gpu_curve rings[CS_GPU_PEERS_MAX + 1];
    struct cs_gpu_pings pings[CS_GPU_SLOTS];
    double engine_Bps;     /* each way, both ways at once; 0: not measured */
    double engine_alpha_s; /* of two copies of a graph, out and in; 0: not
                              measured */
    double engine_copy_s; /* that a small copy keeps its engine busy, of that */
    double engine_sum_s;  /* of a kernel between two copies */
    double graph_s;       /* of a graph beyond its copies, launch to end */
    double copy_Bps;      /* of large copies within the GPU; 0: not measured */
    double tick_s;        /* of the device's clock; 0: not measured */
    /* What events see of a kernel beyond the device's clock, by few thread
     * blocks and many; 0: not measured. */
    double launch_s[2], launch_blocks[2];
    /* Of the thread blocks that were measured. */
    uint64_t slice_bytes, threads, depth;
};

/* Makes the model of a GPU from one calibration of it: the newest that is whole,
 * else the newest.  CS_EINPUT when a microbenchmark is missing that no
 * prediction can do without, or when some were made with other slices, threads
 * or slots than others. */
int cs_gpu_model_make(const struct cs_measurements *all, const char *card,
                      struct cs_arena *arena, struct cs_gpu_model *model,
                      struct cs_err *err);

/* The same from the oldest whole calibration, if that is another one than `model`
 * is made from: what differs between the two is noise.  CS_ECANNOT if there is
 * but one. */
int cs_gpu_model_again(const struct cs_measurements *all,
                       const struct cs_gpu_model *model, struct cs_arena *arena,
                       struct cs_gpu_model *again, struct cs_err *err);

/* Of the lines that the model is made from, in any order: 16 digits in the
 * arena. */
const char *cs_gpu_model_inputs(const struct cs_measurements *all,
                                const struct cs_gpu_model *model,
                                struct cs_arena *arena);

/* Seconds of a message of so many bytes, of one slice at most; 0: not
 * measured. */
double cs_gpu_ping_s(const struct cs_gpu_pings *pings, double bytes);

/* What events see of a kernel of so many blocks beyond the device's clock. */
double cs_gpu_launch_s(const struct cs_gpu_model *model, double blocks);

/* Bytes per second of so many blocks; 0: not measured. */
double cs_gpu_rate(const struct cs_gpu_model *model, enum cs_gpu_rate what,
                   double blocks, double vector_bytes);

/* What each of so many GPUs puts to the next one while all do; 0: not
 * measured. */
double cs_gpu_ring_rate(const struct cs_gpu_model *model, uint32_t gpus,
                        double blocks, double vector_bytes);

#endif
