/*
 * The part of CUDA in use by collsim-cuda, on the host.
 *
 * The sources of validate/cuda, after rewrite.sed, are compiled by a C++
 * compiler against this header and linked with the sources beside this header, an
 * emulated GPU.  Not for measurements: time is a count.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <functional>
#include <tuple>

#define CUDART_VERSION 13000
#define __global__
#define __device__
#define __host__
#define __grid_constant__
#define __launch_bounds__(...)

/* ---- types ---- */

struct dim3 {
    uint32_t x, y, z;

    dim3(uint32_t size = 1) : x(size), y(1), z(1)
    {
    }
};

struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};

/* Numbers and names as in CUDA's driver_types.h. */
enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorPeerAccessUnsupported = 217,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorStreamCaptureInvalidated = 901,
    cudaErrorStreamCaptureUnmatched = 903,
    cudaErrorStreamCaptureUnjoined = 904,
    cudaErrorStreamCaptureIsolation = 905,
    cudaErrorCapturedEvent = 907,
};

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault,
};

enum cudaDeviceAttr {
    cudaDevAttrClockRate = 13,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMemoryClockRate = 36,
};

enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
};

enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed,
};

enum {
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDisableTiming = 2,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
};

struct cudaUUID_t {
    char bytes[16];
};

struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    size_t totalGlobalMem;
    int major, minor, multiProcessorCount, l2CacheSize, memoryBusWidth;
};

typedef struct emu_stream *cudaStream_t;
typedef struct emu_event *cudaEvent_t;
typedef struct emu_graph *cudaGraph_t;
typedef struct emu_graph *cudaGraphExec_t;

/* ---- the host's side ---- */

const char *cudaGetErrorString(cudaError_t status);
const char *cudaGetErrorName(cudaError_t status);
cudaError_t cudaGetLastError();
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr name, int device);
cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr name, int from, int to);
cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all_bytes);
cudaError_t cudaMalloc(void **memory, size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaMemset(void *to, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t first, cudaEvent_t last);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *made, cudaGraph_t graph,
                                          unsigned long long flags);
cudaError_t cudaGraphUpload(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph);

/* ---- the device's side ---- */

struct emu_place {
    dim3 thread, block, threads, blocks;
};

extern const struct emu_place *emu_here; /* NULL while the host runs */
extern int emu_mutation;

enum emu_scope {
    EMU_gpu,
    EMU_sys,
};

/* The active deliberate bug of mutants.sed. */
static inline bool emu_mutant(int number)
{
    return emu_mutation == number;
}

void emu_barrier(int line);
uint32_t emu_vote(int line, bool yes);
void emu_warp_barrier(int line);
uint32_t emu_acquire(const uint32_t *at, emu_scope scope);
void emu_release(uint32_t *at, uint32_t value, emu_scope scope);
uint32_t emu_load(const uint32_t *at);
void emu_store(uint32_t *at, uint32_t value);
uint64_t emu_now();
void *emu_shared_bytes(size_t bytes);

/* Called before an access of the running thread: may end the program, or run
 * threads first. */
void emu_touch(const void *at, size_t bytes, bool writes);

template <typename T> T &emu_shared()
{
    return *(T *)emu_shared_bytes(sizeof(T));
}

#define threadIdx                (emu_here->thread)
#define blockIdx                 (emu_here->block)
#define blockDim                 (emu_here->threads)
#define gridDim                  (emu_here->blocks)
#define __syncthreads()          emu_barrier(__LINE__)
#define __syncwarp()             emu_warp_barrier(__LINE__)
#define __ballot_sync(mask, yes) emu_vote(__LINE__, yes)
#define __any_sync(mask, yes)    (emu_vote(__LINE__, yes) != 0)

static inline uint32_t __ffs(uint32_t bits)
{
    return (uint32_t)__builtin_ffs((int)bits);
}

template <typename T> T __ldcg(const T *at)
{
    emu_touch(at, sizeof(T), false);
    return *at;
}

template <typename T> void __stcg(T *at, T value)
{
    emu_touch(at, sizeof(T), true);
    *at = value;
}

/* Relaxed: orders nothing. */
template <typename T, typename U> T atomicAdd(T *at, U more)
{
    emu_touch(at, sizeof(T), true);
    return __atomic_fetch_add(at, (T)more, __ATOMIC_RELAXED);
}

template <typename T, typename U, typename V> T atomicCAS(T *at, U expected, V value)
{
    T seen = (T)expected;

    emu_touch(at, sizeof(T), true);
    __atomic_compare_exchange_n(at, &seen, (T)value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return seen;
}

/* ---- launches ---- */

enum emu_launch_kind {
    EMU_PLAIN,
    EMU_COOPERATIVE,
};

cudaError_t emu_launch(dim3 blocks, dim3 threads, cudaStream_t stream, emu_launch_kind kind,
                       std::function<void()> body);
int emu_resident(int threads); /* blocks of a processor */

/* A kernel, overloaded or not, as an object. */
#define EMU_KERNEL(...) [](auto... values) { __VA_ARGS__(values...); }

template <typename K> struct emu_launcher {
    K kernel;
    dim3 blocks, threads;
    cudaStream_t stream;

    template <typename... A> void operator()(A... values) const
    {
        K run = kernel;

        emu_launch(blocks, threads, stream, EMU_PLAIN, [run, values...] { run(values...); });
    }
};

template <typename K>
emu_launcher<K> emu_start(K kernel, dim3 blocks, dim3 threads, size_t, cudaStream_t stream)
{
    return {kernel, blocks, threads, stream};
}

template <typename P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P), dim3 blocks, dim3 threads, void **values,
                                        size_t, cudaStream_t stream)
{
    P value = *(P *)values[0];

    return emu_launch(blocks, threads, stream, EMU_COOPERATIVE, [kernel, value] { kernel(value); });
}

template <typename K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, K, int threads, size_t)
{
    *blocks = emu_resident(threads);
    return cudaSuccess;
}
