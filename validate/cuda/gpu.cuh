/*
 * GPUs: what the parts of collsim-cuda share.
 *
 * Every call of CUDA goes through cs_gpu, which keeps what failed and why.
 */
#ifndef CS_VALIDATE_CUDA_GPU_CUH
#define CS_VALIDATE_CUDA_GPU_CUH

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

/* 0, or CS_ECANNOT with what was tried and CUDA's own reason. */
static inline int cs_gpu(struct cs_err *err, const char *what,
                         cudaError_t status)
{
    if (status == cudaSuccess)
        return 0;
    return cs_err_set(err, CS_ECANNOT, "%s: %s (%s)", what,
                      cudaGetErrorString(status), cudaGetErrorName(status));
}

struct cs_gpu_device {
    char name[256];
    int capability; /* 90 for 9.0 */
    int processors; /* SMs */
    uint64_t memory_bytes, l2_bytes;
    uint64_t clock_kHz, memory_clock_kHz; /* the most there is */
    int bus_width;                        /* of the memory, bits */
    char pci[32];
    char uuid[48]; /* as nvidia-smi has it */
};

/* What there is, and how GPUs reach each other: a letter for each pair, row by
 * row with commas: x self, n native atomics too, p peer access, - neither. */
struct cs_gpu_machine {
    int count;
    int driver, runtime; /* 13000 for 13.0 */
    struct cs_gpu_device devices[CS_GPUS_MAX];
    char peers[CS_GPUS_MAX * (CS_GPUS_MAX + 1)];
    char ranks[CS_GPUS_MAX * (CS_GPUS_MAX + 1)]; /* CUDA's performance ranks */
    char driver_text[64];                        /* of the kernel module */
    char command[CS_GPU_TEXT];                   /* how this was started */
    char calibration[64];     /* which one lines are of; "": none */
    struct cs_gpu_nvml *nvml; /* or NULL: no clocks */
};

/* Looks at all GPUs; CS_ECANNOT with CUDA's reason when there is none. */
int cs_gpu_look(struct cs_gpu_machine *machine, struct cs_err *err);

/* Ends what looking has begun. */
void cs_gpu_close(struct cs_gpu_machine *machine);

/* Begins a line: what it is, the machine it is from, the time of day and the
 * GPUs' clocks as they are now, so right behind what was measured. */
void cs_gpu_line(const struct cs_gpu_machine *machine, const char *kind,
                 struct cs_jsonl *line);

/* Appends the figures of a sample, as NAME_s, NAME_least_s ... */
void cs_gpu_line_sample(struct cs_jsonl *line, const char *name,
                        const struct cs_sample *sample);

/* Pinned memory that all GPUs reach, asked for a few times: a virtual machine
 * may have to grow first. */
cudaError_t cs_gpu_pin(char **memory, uint64_t bytes);

/* Appends a rate of the first GPU, and its limit by the data sheet if that is
 * known; "suspect" and why where it is. */
void cs_gpu_line_rate(const struct cs_gpu_machine *machine,
                      enum cs_datasheet_path path, double rate_Bps, bool whole,
                      struct cs_jsonl *line);

/* Lets a GPU's threads reach memory of another; CS_ECANNOT where they cannot. */
int cs_gpu_reach(uint32_t from, uint32_t to, struct cs_err *err);

/* An idle GPU runs at a fraction of its clock, and takes a while to notice that
 * it has work. */
#define CS_GPU_WARM_NS ((uint64_t)500000000)

/* Keeps all of the GPU that is selected busy for that long. */
int cs_gpu_warm(uint64_t ns, cudaStream_t stream, struct cs_err *err);

/* Prints the line at once, so that what was measured is not lost. */
void cs_gpu_put(struct cs_jsonl *line);

/* A table and its plan, in an arena. */
struct cs_gpu_table {
    struct cs_arena arena;
    struct cs_op_table ops;
    struct cs_plan plan;
};

/* Reads what is to be run; needs no GPU. */
int cs_gpu_table_read(const char *path, struct cs_gpu_table *table,
                      struct cs_err *err);

/* Chooses what the ask leaves open and a GPU decides: the slices' size. */
int cs_gpu_settle(struct cs_request *request,
                  const struct cs_gpu_machine *machine, struct cs_err *err);

/* The tasks of request.h. */
int cs_gpu_run(const struct cs_request *request,
               const struct cs_gpu_machine *machine,
               const struct cs_gpu_table *table, struct cs_err *err);
int cs_gpu_calibrate(const struct cs_request *request,
                     const struct cs_gpu_machine *machine, struct cs_err *err);
int cs_gpu_nccl(const struct cs_request *request,
                const struct cs_gpu_machine *machine, struct cs_err *err);

#endif
