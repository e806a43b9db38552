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

enum cs_request_task {
    CS_REQUEST_HELP,
    CS_REQUEST_MACHINE,   /* what GPUs there are */
    CS_REQUEST_RUN,       /* a table, at all sizes and types */
    CS_REQUEST_CALIBRATE, /* microbenchmarks */
    CS_REQUEST_NCCL,      /* its ring, for reference */
};

/* Where slots are. */
enum cs_request_transport {
    CS_REQUEST_DEVICE, /* in memory of the receiving GPU */
    CS_REQUEST_HOST,   /* in pinned memory of the host */
    CS_REQUEST_COPY,   /* the same, filled and emptied by copy engines */
};

enum {
    CS_REQUEST_FP32 = 1,
    CS_REQUEST_FP16 = 2,
};

struct cs_request {
    enum cs_request_task task;
    enum cs_request_transport transport;
    enum cs_request_transport servers; /* where they have their vectors */
    const char *table;                 /* "-": the input */
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
extern const char cs_request_usage[];

extern const char *const cs_request_transport_names[CS_REQUEST_COPY + 1];

/* Fills the ask; CS_EINPUT with the nearest right name. */
int cs_request_read(int argc, char **argv, struct cs_request *request,
                    struct cs_err *err);

#endif
