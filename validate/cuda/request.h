/*
 * Requests: the task of collsim-cuda, from its arguments.
 *
 * libc and sim/base only: this is part of collsim-cuda.
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/text.h"

#include <stdint.h>

/*
 * Delays: a rank that starts late.
 *
 * The thread blocks of the rank wait before their first round, after all blocks
 * have met: the clock of the run includes the wait.
 *
 * libc and sim/base only: this is part of collsim-cuda.
 */

struct cs_delay {
    uint32_t rank;
    uint64_t time_ps; /* 0: no rank is late */
};

/* Reads "rank=3,20us"; CS_EINPUT with the expected form. */
int cs_delay_read(const char *text, struct cs_delay *delay, struct cs_err *err);

enum cs_request_task {
    CS_REQUEST_HELP,
    CS_REQUEST_MACHINE,   /* describe the GPUs */
    CS_REQUEST_RUN,       /* run tables at all sizes and types */
    CS_REQUEST_CALIBRATE, /* run microbenchmarks */
    CS_REQUEST_NCCL,      /* run the ring of NCCL, for reference */
};

/* Place of the slots. */
enum cs_request_transport {
    CS_REQUEST_DEVICE, /* in memory of the receiving GPU */
    CS_REQUEST_HOST,   /* in pinned memory of the host */
    CS_REQUEST_COPY,   /* in pinned memory, moved by copy engines */
};

enum {
    CS_REQUEST_FP32 = 1,
    CS_REQUEST_FP16 = 2,
};

struct cs_request {
    enum cs_request_task task;
    enum cs_request_transport transport;
    enum cs_request_transport servers; /* place of the servers' vectors */
    const char *table;                 /* "-": standard input */
    uint64_t first_bytes, last_bytes, factor;
    unsigned dtypes;
    uint32_t channels;    /* 0: cs_plan_channels */
    uint32_t slice_bytes; /* 0: cs_plan_slice */
    uint32_t depth, threads;
    uint32_t runs, warmup;
    uint32_t gpus;          /* 0: one */
    uint64_t limit_ps;      /* sizes with longer runs are skipped */
    uint64_t deadline_ps;   /* after which a kernel ends itself */
    uint64_t channel_bytes; /* least bytes of a block for a channel */
    struct cs_delay delay;
};

/* The text of --help. */
extern const char cs_request_usage[];

extern const char *const cs_request_transport_names[CS_REQUEST_COPY + 1];

/* Fills the request; CS_EINPUT with the nearest valid name. */
int cs_request_read(int argc, char **argv, struct cs_request *request, struct cs_err *err);
