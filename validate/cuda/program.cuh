/*
 * Programs on a GPU: the kernel that a plan is run by.
 *
 * A thread block does one lane of one party for one channel, from the first
 * round to the last; all blocks of all parties are resident together.  Its
 * first warp looks after the ops, a thread for each op of the round: it sees
 * which may go on, and what all threads are to copy or add.  A wait that
 * outlasts the deadline ends the block and is told of, so that a kernel ends
 * by itself whatever happens.
 */
#ifndef CS_VALIDATE_CUDA_PROGRAM_CUH
#define CS_VALIDATE_CUDA_PROGRAM_CUH

#include "validate/cuda/gpu.cuh"

enum {
    CS_GPU_COUNT_WORDS = 64, /* 256 bytes from count to count */
    CS_GPU_OWN_WORD = 16,    /* what its owner keeps of its own count */
};

/* A connection.  Counts stand where they are waited for: at the receiver how
 * many slices were written, at the sender how many were read. */
struct cs_gpu_link {
    char *slots; /* channel by channel, `depth` each */
    uint32_t *at_receiver, *at_sender;
};

enum {
    CS_GPU_STUCK_START = 1, /* before all blocks were there */
    CS_GPU_STUCK_OP = 2,
};

/* The first wait that was too long. */
struct cs_gpu_stuck {
    uint32_t where; /* 0: there was none */
    uint32_t lane, channel, round;
    uint32_t op; /* of all ops */
};

/* Kernel parameter: everything by value or in memory of the device. */
struct cs_gpu_program {
    const uint32_t *rounds, *ops_of;
    const struct cs_plan_op *ops;
    const struct cs_gpu_link *links;
    struct cs_slot_cut cut;
    uint32_t depth;
    char *const *inputs, *const *outputs; /* by party */
    uint32_t lanes;                       /* of a party */
    const uint32_t *lanes_here;           /* that this device does */
    uint32_t lanes_here_count;
    uint32_t waits;         /* 1: some op waits for another lane */
    uint32_t *progress;     /* by lane and channel: rounds done */
    uint32_t *arrived;      /* blocks of this device that are there */
    uint32_t *const *ready; /* by device: a word for each device */
    uint32_t *ready_here;   /* this device's of them */
    uint32_t devices, device;
    uint64_t deadline_ns; /* from the start on */
    uint64_t *times;      /* by block: start and end, ns */
    struct cs_gpu_stuck *stuck;
};

/* How a kernel is started. */
struct cs_gpu_shape {
    uint32_t dtype; /* CS_ASK_FP32, CS_ASK_FP16 */
    uint32_t threads;
    bool system; /* other devices or the host take part */
};

/* Thread blocks that a device holds at once. */
int cs_gpu_resident(const struct cs_gpu_shape *shape, int device,
                    uint32_t *blocks, struct cs_err *err);

int cs_gpu_launch(const struct cs_gpu_shape *shape,
                  struct cs_gpu_program *program, cudaStream_t stream,
                  struct cs_err *err);

/* Vectors of whole numbers (pattern.h), and how many are wrong. */
struct cs_gpu_vector {
    char *at;
    uint64_t elements;
    uint32_t dtype;
};
int cs_gpu_fill(const struct cs_gpu_vector *vector, uint32_t rank,
                cudaStream_t stream, struct cs_err *err);
/* Adds to *wrong, in memory of the device. */
int cs_gpu_verify(const struct cs_gpu_vector *vector, uint32_t ranks,
                  unsigned long long *wrong, cudaStream_t stream,
                  struct cs_err *err);

#endif
