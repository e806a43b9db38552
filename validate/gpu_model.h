/*
 * A model of ranks on one GPU, calibrated by microbenchmarks alone.
 *
 * Ranks that share a GPU send through slots (validate/cuda/slot.h).  A thread
 * block copies slices of its vector into a slot (put), or from a slot into its
 * vector (get), or adds them (add), one after the other.  What that costs is
 * measured by itself: rates of puts, gets and adds by the number of thread
 * blocks at work and by the size of the vectors, which decides whether these
 * are in L2 or in HBM; slots are small and stay in L2.  So of HBM a message
 * takes one read (put) and one write (get), and a sum one read more: in a step
 * of a ring's reduce-scatter a rank reads two blocks and writes one, in one of
 * its all-gather it reads one and writes one.
 *
 *     rank --port--> memory --> rank          slots on the GPU
 *     rank --port--> PCIe up, PCIe down --> rank      in memory of the host
 *
 *   port     a rank's thread blocks: half duplex, out at the rate of a put, in
 *            at that of a get, by as many blocks as a rank has
 *   memory   one medium for all: the rate at which all blocks together put and
 *            get
 *   PCIe     one medium for each direction, at the rate that blocks (or copy
 *            engines) reach both ways at once
 *   alpha    one way of a message of 16 bytes to and fro between two ranks,
 *            by copy engines that of the two smallest copies
 *   sync     what a slice takes beyond its copy: flag, fence and barriers.  By
 *            messages of many slices to and fro: the time of one more slice less
 *            that of its copy.  A thread block does what is ready of a round
 *            together, so that a send and a receive pay once; the first slice of
 *            a round is in alpha
 *   gamma    what an add takes longer than a get: of the blocks of one rank, or
 *            where several ranks add at once and memory holds them back of all
 *            of these together, whichever is more
 *
 * Between measured numbers of blocks rates go by powers, and time a byte goes
 * from that of small to that of large vectors as it does on all processors.
 *
 * Nothing that was measured of a collective is looked at: the question has no
 * place for it.  Order: make, then predict as often as wanted; the arena has it
 * all.
 */
#ifndef CS_VALIDATE_GPU_MODEL_H
#define CS_VALIDATE_GPU_MODEL_H

#include "validate/measured.h"

#include <stdbool.h>

enum cs_gpu_rate {
    CS_GPU_PUT,
    CS_GPU_GET,
    CS_GPU_ADD,
    CS_GPU_COPY, /* vector to vector */
    CS_GPU_HOST_PUT,
    CS_GPU_HOST_GET,
    CS_GPU_HOST_ADD,
    CS_GPU_HOST_BOTH,  /* bytes each way together */
    CS_GPU_SERVER_PUT, /* slots and vectors in memory of the host */
    CS_GPU_SERVER_GET,
    CS_GPU_SERVER_ADD,
    CS_GPU_RATES,
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
    const char *gpu;
    struct cs_gpu_curve curves[CS_GPU_RATES];
    double alpha_s, host_alpha_s, engine_alpha_s; /* 0: not measured */
    double sync_s, host_sync_s; /* of a slice; below 0: not measured */
    double engine_Bps; /* each way, both ways at once; 0: not measured */
    double copy_Bps;   /* of large copies within the GPU; 0: not measured */
    uint64_t slice_bytes, threads; /* of the thread blocks that were measured */
};

/* Makes the model of a GPU from what was measured of it.  CS_EINPUT when a
 * microbenchmark is missing that no prediction can do without. */
int cs_gpu_model_make(const struct cs_measurements *all, const char *gpu,
                      struct cs_arena *arena, struct cs_gpu_model *model,
                      struct cs_err *err);

/* Bytes per second of so many blocks; 0: not measured. */
double cs_gpu_rate(const struct cs_gpu_model *model, enum cs_gpu_rate what,
                   double blocks, double vector_bytes);

/* What was run, without how long it took. */
struct cs_gpu_question {
    const char *algorithm;
    const char *transport; /* device, host, copy */
    bool servers_on_host;
    uint32_t ranks, channels, gpus;
    uint64_t bytes;
    uint32_t element_bytes;
    uint64_t slice_bytes, threads;
    /* The table that was run: its hash (cs_gpu_table) and how it was made. */
    const char *table;
    uint32_t chunks, shards, slices;
};

struct cs_gpu_answer {
    double time_s;        /* by the simulator, model fluid */
    double closed_form_s; /* of the textbook, by the same numbers */
    double bound_s;  /* every rank's vector has to be read and written once */
    double copies_s; /* of plain copies within the GPU that read and write as
                        much of the vectors; 0: not told */
};

/* The hash of the table that this program makes of the question, as 16 digits
 * in the arena. */
int cs_gpu_table(const struct cs_gpu_question *question, struct cs_arena *arena,
                 const char **table, struct cs_err *err);

/* Predicts one run.  CS_ECANNOT and the reason when this model does not tell,
 * was not calibrated for it, or would simulate another table than was run. */
int cs_gpu_predict(const struct cs_gpu_model *model,
                   const struct cs_gpu_question *question,
                   struct cs_gpu_answer *answer, struct cs_err *err);

#endif
