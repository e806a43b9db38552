/*
 * NCCL's ring all-reduce, for reference: loaded at run time, at least two GPUs.
 *
 * The numbers of its types are those of NCCL's API (nccl.h, since 2.0):
 * ncclFloat16 6, ncclFloat32 7, ncclSum 0.
 */
#include "validate/cuda/program.cuh"

#include <dlfcn.h>
#include <stdlib.h>

namespace
{

enum {
    NCCL_FLOAT16 = 6,
    NCCL_FLOAT32 = 7,
    NCCL_SUM = 0,
};

struct nccl {
    void *library;
    int (*version)(int *version);
    int (*init)(void **communicators, int count, const int *devices);
    int (*destroy)(void *communicator);
    int (*begin)(void);
    int (*end)(void);
    int (*allreduce)(const void *from, void *to, size_t count, int dtype, int op,
                     void *communicator, cudaStream_t stream);
    const char *(*reason)(int status);
};

struct reference {
    const struct cs_request *request;
    const struct cs_gpu_machine *machine;
    struct cs_err *err;
    struct nccl nccl;
    int gpus;
    void *communicators[CS_GPUS_MAX];
    cudaStream_t streams[CS_GPUS_MAX];
    cudaEvent_t events[CS_GPUS_MAX][2];
    char *vectors[CS_GPUS_MAX];
    unsigned long long *wrong[CS_GPUS_MAX]; /* there */
    double *values;
};

int did(struct reference *reference, const char *what, int status)
{
    if (status == 0)
        return 0;
    return cs_err_set(reference->err, CS_ECANNOT, "NCCL, %s: %s", what,
                      reference->nccl.reason(status));
}

int open_library(struct nccl *nccl, struct cs_err *err)
{
    struct {
        void **function;
        const char *name;
    } symbols[] = {
        {(void **)&nccl->version, "ncclGetVersion"},
        {(void **)&nccl->init, "ncclCommInitAll"},
        {(void **)&nccl->destroy, "ncclCommDestroy"},
        {(void **)&nccl->begin, "ncclGroupStart"},
        {(void **)&nccl->end, "ncclGroupEnd"},
        {(void **)&nccl->allreduce, "ncclAllReduce"},
        {(void **)&nccl->reason, "ncclGetErrorString"},
    };

    nccl->library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!nccl->library)
        return cs_err_set(err, CS_ECANNOT, "no NCCL: %s", dlerror());
    for (auto &symbol : symbols) {
        *symbol.function = dlsym(nccl->library, symbol.name);
        if (!*symbol.function)
            return cs_err_set(err, CS_ECANNOT, "NCCL has no %s", symbol.name);
    }
    return 0;
}

/* ---- runs ---- */

int on_all(struct reference *reference, const char *what,
           int (*act)(struct reference *reference, int gpu))
{
    int code = 0;

    for (int gpu = 0; gpu < reference->gpus && !code; gpu++) {
        code = cs_gpu(reference->err, what, cudaSetDevice(gpu));
        if (!code)
            code = act(reference, gpu);
    }
    return code;
}

int open_gpu(struct reference *reference, int gpu)
{
    struct cs_err *err = reference->err;
    int code = cs_gpu(err, "a stream", cudaStreamCreate(&reference->streams[gpu]));

    for (int i = 0; i < 2 && !code; i++)
        code = cs_gpu(err, "an event", cudaEventCreate(&reference->events[gpu][i]));
    code = CS_GPU(err, "memory of a GPU",
                  cudaMalloc((void **)&reference->vectors[gpu], reference->request->last_bytes));
    code = CS_GPU(err, "memory of a GPU",
                  cudaMalloc((void **)&reference->wrong[gpu], sizeof(*reference->wrong[gpu])));
    return code;
}

int wait_gpu(struct reference *reference, int gpu)
{
    return cs_gpu(reference->err, "waiting for a GPU",
                  cudaStreamSynchronize(reference->streams[gpu]));
}

struct point {
    uint32_t dtype;
    uint64_t elements;
};

int enqueue(struct reference *reference, const struct point *point)
{
    int dtype = point->dtype == CS_REQUEST_FP16 ? NCCL_FLOAT16 : NCCL_FLOAT32;
    int code = did(reference, "a group", reference->nccl.begin());

    for (int gpu = 0; gpu < reference->gpus && !code; gpu++)
        code = did(reference, "all-reduce",
                   reference->nccl.allreduce(
                       reference->vectors[gpu], reference->vectors[gpu], point->elements, dtype,
                       NCCL_SUM, reference->communicators[gpu], reference->streams[gpu]));
    return code ? code : did(reference, "a group", reference->nccl.end());
}

int mark(struct reference *reference, int which)
{
    int code = 0;

    for (int gpu = 0; gpu < reference->gpus && !code; gpu++) {
        code = cs_gpu(reference->err, "choosing a GPU", cudaSetDevice(gpu));
        code = CS_GPU(reference->err, "an event",
                      cudaEventRecord(reference->events[gpu][which], reference->streams[gpu]));
    }
    return code;
}

int fill_all(struct reference *reference, const struct point *point)
{
    int code = 0;

    for (int gpu = 0; gpu < reference->gpus && !code; gpu++) {
        struct cs_gpu_vector vector = {reference->vectors[gpu], point->elements, point->dtype};

        code = cs_gpu(reference->err, "choosing a GPU", cudaSetDevice(gpu));
        if (!code)
            code = cs_gpu_fill(&vector, (uint32_t)gpu, reference->streams[gpu], reference->err);
    }
    return code ? code : on_all(reference, "choosing a GPU", wait_gpu);
}

/* Sums are checked as in runs of tables. */
int check_gpu(struct reference *reference, const struct point *point, int gpu, uint64_t *wrong)
{
    struct cs_gpu_results results = {{reference->vectors[gpu]}, 1, point->elements, point->dtype};
    struct cs_err *err = reference->err;
    cudaStream_t stream = reference->streams[gpu];
    unsigned long long here = 0;
    int code = cs_gpu(err, "choosing a GPU", cudaSetDevice(gpu));

    code = CS_GPU(err, "setting memory",
                  cudaMemsetAsync(reference->wrong[gpu], 0, sizeof(here), stream));
    if (!code)
        code =
            cs_gpu_verify(&results, (uint32_t)reference->gpus, reference->wrong[gpu], stream, err);
    if (!code)
        code = wait_gpu(reference, gpu);
    code = CS_GPU(err, "reading what is wrong",
                  cudaMemcpy(&here, reference->wrong[gpu], sizeof(here), cudaMemcpyDeviceToHost));
    *wrong += here;
    return code;
}

int run_once(struct reference *reference, const struct point *point, double *seconds,
             uint64_t *wrong)
{
    int code = fill_all(reference, point);

    if (!code)
        code = mark(reference, 0);
    if (!code)
        code = enqueue(reference, point);
    if (!code)
        code = mark(reference, 1);
    if (!code)
        code = on_all(reference, "choosing a GPU", wait_gpu);
    *seconds = 0;
    for (int gpu = 0; gpu < reference->gpus && !code; gpu++) {
        float ms = 0;

        code =
            cs_gpu(reference->err, "reading events",
                   cudaEventElapsedTime(&ms, reference->events[gpu][0], reference->events[gpu][1]));
        *seconds = ms * 1e-3 > *seconds ? ms * 1e-3 : *seconds;
    }
    for (int gpu = 0; gpu < reference->gpus && !code; gpu++)
        code = check_gpu(reference, point, gpu, wrong);
    return code;
}

int measure(struct reference *reference, const struct point *point)
{
    const struct cs_request *request = reference->request;
    struct cs_sample sample = {reference->values, request->runs};
    uint32_t each = point->dtype == CS_REQUEST_FP16 ? 2 : 4;
    struct cs_jsonl line = {};
    uint64_t wrong = 0;
    double unused;
    int version = 0;
    int code = 0;

    for (uint32_t i = 0; i < request->warmup + request->runs && !code; i++)
        code = run_once(reference, point,
                        i < request->warmup ? &unused : &reference->values[i - request->warmup],
                        &wrong);
    if (code)
        return code;
    reference->nccl.version(&version);
    cs_gpu_line(reference->machine, "nccl", &line);
    cs_jsonl_u64(&line, "nccl", (uint64_t)version);
    cs_jsonl_text(&line, "algorithm", "ring");
    cs_jsonl_u64(&line, "ranks", (uint64_t)reference->gpus);
    cs_jsonl_u64(&line, "bytes", point->elements * each);
    cs_jsonl_text(&line, "dtype", each == 2 ? "fp16" : "fp32");
    cs_jsonl_u64(&line, "runs", request->runs);
    cs_gpu_line_sample(&line, "time", &sample);
    cs_jsonl_u64(&line, "wrong", wrong);
    cs_gpu_put(&line);
    if (wrong > 0)
        return cs_err_set(reference->err, CS_EANSWER, "NCCL's ring gives %llu wrong sums",
                          (unsigned long long)wrong);
    return 0;
}

int warm_gpu(struct reference *reference, int gpu)
{
    return cs_gpu_warm(CS_GPU_WARM_NS, reference->streams[gpu], reference->err);
}

int measure_all(struct reference *reference)
{
    const struct cs_request *request = reference->request;
    int code = on_all(reference, "choosing a GPU", warm_gpu);

    if (!code)
        code = on_all(reference, "choosing a GPU", wait_gpu);
    for (unsigned dtype = CS_REQUEST_FP32; dtype <= CS_REQUEST_FP16; dtype *= 2)
        for (uint64_t bytes = request->first_bytes;
             bytes <= request->last_bytes && !code && (request->dtypes & dtype);
             bytes *= request->factor) {
            struct point point = {dtype, bytes / (dtype == CS_REQUEST_FP16 ? 2 : 4)};

            code = measure(reference, &point);
        }
    return code;
}

int close_gpu(struct reference *reference, int gpu)
{
    for (cudaEvent_t event : reference->events[gpu])
        if (event)
            cudaEventDestroy(event);
    if (reference->streams[gpu])
        cudaStreamDestroy(reference->streams[gpu]);
    cudaFree(reference->vectors[gpu]);
    cudaFree(reference->wrong[gpu]);
    if (reference->communicators[gpu])
        reference->nccl.destroy(reference->communicators[gpu]);
    return 0;
}

} // namespace

int cs_gpu_nccl(const struct cs_request *request, const struct cs_gpu_machine *machine,
                struct cs_err *err)
{
    struct reference reference = {};
    struct cs_arena arena = {};
    int code;

    if (machine->count < 2)
        return cs_err_set(err, CS_ECANNOT, "NCCL's ring needs two GPUs; this node has %d",
                          machine->count);
    setenv("NCCL_ALGO", "Ring", 1);
    reference.request = request;
    reference.machine = machine;
    reference.err = err;
    reference.gpus = request->gpus > 1 && (int)request->gpus < machine->count ? (int)request->gpus
                                                                              : machine->count;
    reference.values = (double *)cs_arena_alloc(&arena, request->runs, sizeof(double));
    code = open_library(&reference.nccl, err);
    if (!code)
        code = did(&reference, "starting",
                   reference.nccl.init(reference.communicators, reference.gpus, NULL));
    if (!code)
        code = on_all(&reference, "choosing a GPU", open_gpu);
    if (!code)
        code = measure_all(&reference);
    on_all(&reference, "choosing a GPU", close_gpu);
    cs_arena_free(&arena);
    return code;
}
