/*
 * Microbenchmarks: state shared by the parts of a calibration.
 *
 *     bench.cu           memory, order of the parts, end of the calibration
 *     bench/message.cu   messages between two ranks, empty runs
 *     bench/stream.cu    copies and additions by thread blocks
 *     bench/engine.cu    copies by copy engines
 *     bench/graph.cu     small copies in CUDA graphs, step of the clock
 *     peers.cu           copies between GPUs
 *
 * A part prints a line per measurement as soon as the measurement ends, and
 * returns 0 or CS_ECANNOT with the reason in bench->err.  Parts do
 * not read results of parts, except for the gates (datasheet.h) of ratios.
 *
 * Order: open_device before parts with device memory and streams, open_host before
 * parts with pinned memory (bench.cu has the table).
 */
#pragma once

#include "validate/cuda/gpu.cuh"

/* Bytes of the blocks of a GPU in a run: hundreds of microseconds. */
#define CS_BENCH_BYTES ((uint64_t)1 << 30)

/* Rates and times of earlier parts, for gates; 0: not measured. */
struct cs_bench_earlier {
    double message_s;     /* 16 bytes on the device */
    double engine_Bps;    /* largest copy within the GPU */
    double one_way_Bps;   /* largest copy to or from the host, the slower */
    double memory_Bps[2]; /* every processor, from HBM: put, get */
};

struct cs_bench {
    const struct cs_request *request;
    const struct cs_gpu_machine *machine;
    struct cs_err *err;
    cudaStream_t stream, back;
    cudaEvent_t events[3];
    char *device, *device_too; /* `room` bytes each */
    char *host, *host_too;     /* `host_room` bytes each, pinned */
    uint64_t room, host_room;
    uint64_t *times; /* device memory: start and end of each block */
    struct cs_arena arena;
    double *values; /* request->runs, in the arena */
    struct cs_bench_earlier earlier;
};

static inline uint32_t cs_bench_processors(const struct cs_bench *bench)
{
    return (uint32_t)bench->machine->devices[0].processors;
}

/* Bytes of the slots of `blocks` in a run. */
static inline uint64_t cs_bench_slots(const struct cs_bench *bench, uint32_t blocks)
{
    return (uint64_t)blocks * bench->request->depth * bench->request->slice_bytes;
}

/* Parts without memory of the bench. */
int cs_bench_device_messages(struct cs_bench *bench);
int cs_bench_host_messages(struct cs_bench *bench);
int cs_bench_launches(struct cs_bench *bench);
int cs_bench_between_gpus(struct cs_bench *bench);

/* Parts with device memory. */
int cs_bench_timer(struct cs_bench *bench);
int cs_bench_device_engines(struct cs_bench *bench);
int cs_bench_device_streams(struct cs_bench *bench);

/* Parts with pinned memory too. */
int cs_bench_graphs(struct cs_bench *bench);
int cs_bench_host_engines(struct cs_bench *bench);
int cs_bench_host_streams(struct cs_bench *bench);

/* Copies between GPUs; 0 and no line on a machine with a single GPU. */
int cs_gpu_peers(struct cs_bench *bench);

/* Appends the fields of a stream of `blocks`, with `share` slices of the vectors
 * for each, and the sample; returns the rate. */
struct cs_stream_job;
double cs_bench_stream_line(const struct cs_bench *bench, const struct cs_stream_job *job,
                            uint32_t blocks, uint64_t share, struct cs_jsonl *line);
