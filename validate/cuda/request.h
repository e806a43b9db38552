/*
 * Asks: what collsim-cuda is to do, from its arguments.
 *
 * libc and sim/base only: this is part of collsim-cuda.
 */
#ifndef CS_VALIDATE_CUDA_REQUEST_H
#define CS_VALIDATE_CUDA_REQUEST_H

#include "sim/base/err.h"
#include "sim/base/text.h"

#include <stdint.h>

enum cs_ask_task {
    CS_ASK_HELP,
    CS_ASK_MACHINE,   /* what GPUs there are */
    CS_ASK_RUN,       /* a table, at all sizes and types */
    CS_ASK_CALIBRATE, /* microbenchmarks */
    CS_ASK_NCCL,      /* its ring, for reference */
};

/* Where slots are. */
enum cs_ask_transport {
    CS_ASK_DEVICE, /* in memory of the receiving GPU */
    CS_ASK_HOST,   /* in pinned memory of the host */
    CS_ASK_COPY,   /* the same, filled and emptied by copy engines */
};

enum {
    CS_ASK_FP32 = 1,
    CS_ASK_FP16 = 2,
};

struct cs_ask {
    enum cs_ask_task task;
    enum cs_ask_transport transport;
    enum cs_ask_transport servers; /* where they have their vectors */
    const char *table;             /* "-": the input */
    uint64_t first_bytes, last_bytes, factor;
    unsigned dtypes;
    uint32_t channels;    /* 0: as many as have work */
    uint32_t slice_bytes; /* 0: what half of L2 holds, see cs_plan_slice */
    uint32_t depth, threads;
    uint32_t runs, warmup;
    uint32_t gpus;          /* 0: one; of ranks' GPUs */
    uint64_t limit_ps;      /* of one run: longer ones are left out */
    uint64_t deadline_ps;   /* of a kernel: then it ends by itself */
    uint64_t channel_bytes; /* that a channel has of a block, at least */
};

/* What is written about it all, for --help. */
extern const char cs_ask_usage[];

extern const char *const cs_ask_transport_names[CS_ASK_COPY + 1];

/* Fills the ask; CS_EINPUT with the nearest right name. */
int cs_ask_read(int argc, char **argv, struct cs_ask *ask, struct cs_err *err);

#endif
