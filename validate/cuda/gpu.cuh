/*
 * GPUs: shared declarations of collsim-cuda.
 *
 * Every call of CUDA goes through cs_gpu or CS_GPU: the error has the failed call
 * and the reason, and the first one stays.
 */
#pragma once

#include <cuda_runtime.h>

#include <stdint.h>
#include <stdio.h>

extern "C" {
#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "validate/cuda/datasheet.h"
#include "validate/cuda/jsonl.h"
#include "validate/cuda/pattern.h"
#include "validate/cuda/plan.h"
#include "validate/cuda/request.h"
#include "validate/cuda/sample.h"
}

enum {
    CS_GPUS_MAX = 64,
    CS_GPU_TEXT = 1024,
};

/* 0, or CS_ECANNOT with the failed action and CUDA's own reason; CS_GPU does not
 * call CUDA behind an earlier error. */
#define CS_GPU(err, what, call) ((err)->code ? (err)->code : cs_gpu(err, what, call))
static inline int cs_gpu(struct cs_err *err, const char *what, cudaError_t status)
{
    if (status == cudaSuccess)
        return 0;
    return cs_err_set(err, CS_ECANNOT, "%s: %s (%s)", what, cudaGetErrorString(status),
                      cudaGetErrorName(status));
}

struct cs_gpu_device {
    char name[256];
    int capability; /* 90 for 9.0 */
    int processors; /* SMs */
    uint64_t memory_bytes, l2_bytes;
    uint64_t clock_kHz, memory_clock_kHz; /* maxima */
    int bus_width;                        /* of the memory, bits */
    char pci[32];
    char uuid[48]; /* as in nvidia-smi */
};

/* The GPUs of the machine and the access of the pairs: a letter per pair, rows
 * with commas: x self, n peer access with native atomics, p peer access, - no
 * access. */
struct cs_gpu_machine {
    int count;
    int driver, runtime; /* 13000 for 13.0 */
    struct cs_gpu_device devices[CS_GPUS_MAX];
    char peers[CS_GPUS_MAX * (CS_GPUS_MAX + 1)];
    char ranks[CS_GPUS_MAX * (CS_GPUS_MAX + 1)]; /* CUDA's performance ranks */
    char driver_text[64];                        /* of the kernel module */
    char command[CS_GPU_TEXT];                   /* of the process */
    char calibration[64];                        /* name in the lines; "": no calibration */
    struct cs_gpu_nvml *nvml;                    /* or NULL: no clocks */
};

/* Describes the GPUs; CS_ECANNOT with CUDA's reason without a usable GPU. */
int cs_gpu_look(struct cs_gpu_machine *machine, struct cs_err *err);

/* Closes NVML. */
void cs_gpu_close(struct cs_gpu_machine *machine);

/* NVML API reference, nvmlClockType_t. */
enum cs_gpu_clock {
    CS_GPU_CLOCK_PROCESSORS = 1,
    CS_GPU_CLOCK_MEMORY = 2,
};

/* The current clock in MHz; 0: unknown. */
unsigned cs_gpu_clock(const struct cs_gpu_machine *machine, int gpu, enum cs_gpu_clock clock);

/* Begins a line: kind, machine, time of day and the GPUs' current clocks with gates.  To be called right after the measurement: clocks drop again. */
void cs_gpu_line(const struct cs_gpu_machine *machine, const char *kind, struct cs_jsonl *line);

/* A run to warm up, then `runs` of them: once(seconds). */
template <typename ONCE> int cs_gpu_repeat(uint32_t runs, double *values, ONCE once)
{
    double unused = 0;
    int code = 0;

    for (uint32_t i = 0; i <= runs && !code; i++)
        code = once(i ? &values[i - 1] : &unused);
    return code;
}

/* Appends the figures of a sample, as NAME_s, NAME_least_s ... */
void cs_gpu_line_sample(struct cs_jsonl *line, const char *name, const struct cs_sample *sample);

/* Pinned memory with access from every GPU.  Tries a few times: a virtual machine
 * may have to grow first. */
cudaError_t cs_gpu_pin(char **memory, uint64_t bytes);

/* Appends a rate of the first GPU, the limit by the data sheet if known, and for a
 * suspect rate the reason as "suspect". */
void cs_gpu_line_rate(const struct cs_gpu_machine *machine, enum cs_datasheet_path path,
                      double rate_Bps, bool whole, struct cs_jsonl *line);

/* Appends gate_KEY, and for a value outside the range unexpected_KEY. */
void cs_gpu_line_gate(enum cs_gate gate, double value, struct cs_jsonl *line);

/* Enables peer access between two GPUs; CS_ECANNOT where CUDA refuses. */
int cs_gpu_reach(uint32_t from, uint32_t to, struct cs_err *err);

/* An idle GPU runs at a fraction of the clock, and raises the clock late after work
 * arrives. */
#define CS_GPU_WARM_NS ((uint64_t)500000000)

/* Enqueues work of `ns` nanoseconds for every processor of the selected GPU. */
int cs_gpu_warm(uint64_t ns, cudaStream_t stream, struct cs_err *err);

/* Prints, flushes and frees the line: a killed process loses no finished line. */
void cs_gpu_put(struct cs_jsonl *line);

/* An op table and the plan, in an arena. */
struct cs_gpu_table {
    struct cs_arena arena;
    struct cs_op_table ops;
    struct cs_gpu_plan plan;
};

/* Reads a table; needs no GPU. */
int cs_gpu_table_read(const char *path, struct cs_gpu_table *table, struct cs_err *err);

/* Chooses the slice size where the request has none: the L2 of the GPU decides. */
int cs_gpu_settle(struct cs_request *request, const struct cs_gpu_machine *machine,
                  struct cs_err *err);

/* The tasks of request.h. */
int cs_gpu_run(const struct cs_request *request, const struct cs_gpu_machine *machine,
               const struct cs_gpu_table *table, struct cs_err *err);
int cs_gpu_calibrate(const struct cs_request *request, const struct cs_gpu_machine *machine,
                     struct cs_err *err);
int cs_gpu_nccl(const struct cs_request *request, const struct cs_gpu_machine *machine,
                struct cs_err *err);
