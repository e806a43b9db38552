#include "validate/cuda/program.cuh"

#include "validate/cuda/span.cuh"

namespace
{

enum {
    WARP = 32,
    LOOKS = 64, /* polls between two reads of the clock */
};

const uint32_t whole_warp = 0xffffffffu;

/* ---- the first warp ---- */

__device__ inline void report_stuck(const struct cs_gpu_program &program,
                                    const struct cs_warp &warp, uint32_t where)
{
    struct cs_gpu_stuck *stuck = program.stuck;
    uint32_t first = __ffs(warp.pending) - 1;

    if (threadIdx.x != 0 || atomicCAS(&stuck->where, 0, where) != 0)
        return;
    stuck->lane = warp.lane;
    stuck->channel = warp.channel;
    if (where != CS_GPU_STUCK_OP)
        return;
    stuck->round = warp.now - program.warp.rounds[warp.lane];
    stuck->op = program.warp.ops_of[warp.now] + first;
    stuck->mine = warp.works[first].mine;
    stuck->other = warp.works[first].other;
}

/* Waits until an op may proceed; false after the deadline. */
__device__ inline bool wait(const struct cs_gpu_program &program, struct cs_warp *warp,
                            uint64_t until_ns)
{
    /* A read of the clock takes longer than a read of a flag. */
    for (uint32_t looks = 1; !cs_warp_look(warp); looks++)
        if (looks % LOOKS == 0 && __any_sync(whole_warp, cs_now_ns() > until_ns)) {
            report_stuck(program, *warp, CS_GPU_STUCK_OP);
            return false;
        }
    return true;
}

/* ---- the block ---- */

/* Barrier of the blocks of the devices; false after the deadline. */
__device__ inline bool meet(const struct cs_gpu_program &program, uint64_t until_ns)
{
    uint32_t *here = program.ready[program.device];
    uint32_t device;

    if (atomicAdd(program.arrived, 1) + 1 == gridDim.x)
        for (device = 0; device < program.devices; device++)
            cs_warp_release(program.ready[device] + program.device * CS_WARP_COUNT_WORDS, 1, 1);
    for (device = 0; device < program.devices; device++)
        while (!cs_warp_acquire(here + device * CS_WARP_COUNT_WORDS, 1))
            if (cs_now_ns() > until_ns)
                return false;
    return true;
}

/* Holds the blocks of a late party back, from their start on. */
__device__ inline void stay_away(const struct cs_gpu_program &program, const struct cs_warp &warp,
                                 uint64_t start_ns)
{
    if (program.delay_ns == 0 || warp.lane / program.warp.lanes != program.delay_party)
        return;
    while (cs_now_ns() - start_ns < program.delay_ns)
        continue;
}

/* Work for the block, found by the first warp, and the warp's own state. */
struct shared {
    uint32_t ready; /* 0: the block is done */
    uint32_t met;
    struct cs_span spans[WARP];
    struct cs_warp_work works[WARP];
};

__device__ inline struct cs_warp place(const struct cs_gpu_program &program, struct shared *shared)
{
    uint32_t channels = program.warp.cut.channels;
    struct cs_warp warp = {};

    warp.program = &program.warp;
    warp.works = shared->works;
    warp.lane = program.lanes_here[blockIdx.x / channels];
    warp.channel = blockIdx.x % channels;
    return warp;
}

/* The first warp finds the next work of the block; false: the block is done. */
__device__ inline bool find_work(const struct cs_gpu_program &program, struct cs_warp *warp,
                                 struct shared *shared, uint64_t until_ns)
{
    if (threadIdx.x < WARP) {
        bool more = warp->pending && wait(program, warp, until_ns);

        if (threadIdx.x == 0)
            shared->ready = more ? warp->ready : 0;
        if (more && (warp->ready >> threadIdx.x & 1))
            shared->spans[threadIdx.x] = cs_warp_span(warp, threadIdx.x);
    }
    __syncthreads();
    return shared->ready != 0;
}

/* 64 registers: two blocks of 512 threads share a multiprocessor.  The
 * spills of ptxas (nvcc 13.0: 20 bytes for sm_80, none for sm_90, 188 for sm_100)
 * are in the first warp between moves, not in the loops of the moves. */
template <typename T>
__global__ void __launch_bounds__(1024)
    run_program(const __grid_constant__ struct cs_gpu_program program)
{
    __shared__ struct shared shared;
    struct cs_warp warp = place(program, &shared);
    uint64_t until_ns = cs_now_ns() + program.deadline_ns;

    /* The tables come from HBM at first: before the clock starts. */
    if (threadIdx.x < WARP)
        cs_warp_begin(&warp);
    if (threadIdx.x == 0) {
        uint64_t start_ns;

        shared.met = meet(program, until_ns);
        start_ns = cs_now_ns();
        program.times[2 * blockIdx.x] = start_ns;
        if (shared.met)
            stay_away(program, warp, start_ns);
        else
            report_stuck(program, warp, CS_GPU_STUCK_START);
    }
    __syncthreads();
    if (!shared.met)
        return;
    while (find_work(program, &warp, &shared, until_ns)) {
        for (uint32_t left = shared.ready; left; left &= left - 1)
            cs_span_move<T>(shared.spans[__ffs(left) - 1]);
        __syncthreads();
        if (threadIdx.x < WARP)
            cs_warp_finish(&warp);
    }
    if (threadIdx.x == 0)
        program.times[2 * blockIdx.x + 1] = cs_now_ns();
}

typedef void kernel_fn(struct cs_gpu_program);

kernel_fn *kernel_of(const struct cs_gpu_shape *shape)
{
    return shape->dtype == CS_REQUEST_FP16 ? run_program<__half> : run_program<float>;
}

/* ---- vectors ---- */

template <typename T> __device__ inline T number(uint32_t value);

template <> __device__ inline float number<float>(uint32_t value)
{
    return (float)value;
}

template <> __device__ inline __half number<__half>(uint32_t value)
{
    return __uint2half_rn(value);
}

template <typename T> __global__ void fill(T *vector, uint64_t elements, uint32_t rank)
{
    uint64_t step = (uint64_t)gridDim.x * blockDim.x;

    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += step)
        vector[i] = number<T>(cs_pattern_of(rank, i));
}

__device__ inline uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

__device__ inline uint16_t bits_of(__half value)
{
    uint16_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* Compares bits: sums are exact. */
template <typename T>
__global__ void verify(const __grid_constant__ struct cs_gpu_results results, uint32_t ranks,
                       unsigned long long *wrong)
{
    uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    unsigned long long here = 0;

    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < results.elements;
         i += step) {
        auto expected = bits_of(number<T>(cs_pattern_sum(ranks, i)));

        for (uint32_t k = 0; k < results.count; k++)
            here += bits_of(((const T *)results.at[k])[i]) != expected;
    }
    if (here)
        atomicAdd(wrong, here);
}

/* Arithmetic until the clock says stop.  A store under a false condition keeps the compiler from removing
 * the loop. */
__global__ void spin(uint64_t ns, float *unused)
{
    uint64_t until_ns = cs_now_ns() + ns;
    float sum = (float)threadIdx.x;

    while (cs_now_ns() < until_ns)
        for (int i = 0; i < 256; i++)
            sum = sum * 0.5f + 1;
    if (sum < 0)
        *unused = sum;
}

enum {
    VECTOR_BLOCKS = 1056, /* 8 per processor of 132 */
    VECTOR_THREADS = 256,
};

} // namespace

int cs_gpu_resident(const struct cs_gpu_shape *shape, int device, uint32_t *blocks,
                    struct cs_err *err)
{
    int each = 0;
    int processors = 0;
    int code = cs_gpu(err, "how many blocks fit",
                      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel_of(shape),
                                                                    (int)shape->threads, 0));

    code = CS_GPU(err, "how many processors there are",
                  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    *blocks = (uint32_t)(each * processors);
    return code;
}

int cs_gpu_launch(const struct cs_gpu_shape *shape, struct cs_gpu_program *program,
                  cudaStream_t stream, struct cs_err *err)
{
    uint32_t blocks = program->lanes_here_count * program->warp.cut.channels;
    void *arguments[] = {program};

    return cs_gpu(err, "starting the kernel",
                  cudaLaunchCooperativeKernel((const void *)kernel_of(shape), dim3(blocks),
                                              dim3(shape->threads), arguments, 0, stream));
}

int cs_gpu_warm(uint64_t ns, cudaStream_t stream, struct cs_err *err)
{
    int device = 0;
    int processors = 0;
    int code = cs_gpu(err, "which GPU it is", cudaGetDevice(&device));

    code = CS_GPU(err, "how many processors there are",
                  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    if (code)
        return code;
    spin<<<2 * processors, VECTOR_THREADS, 0, stream>>>(ns, NULL);
    return cs_gpu(err, "keeping a GPU busy", cudaGetLastError());
}

int cs_gpu_fill(const struct cs_gpu_vector *vector, uint32_t rank, cudaStream_t stream,
                struct cs_err *err)
{
    if (vector->dtype == CS_REQUEST_FP16)
        fill<<<VECTOR_BLOCKS, VECTOR_THREADS, 0, stream>>>((__half *)vector->at, vector->elements,
                                                           rank);
    else
        fill<<<VECTOR_BLOCKS, VECTOR_THREADS, 0, stream>>>((float *)vector->at, vector->elements,
                                                           rank);
    return cs_gpu(err, "filling a vector", cudaGetLastError());
}

int cs_gpu_verify(const struct cs_gpu_results *results, uint32_t ranks, unsigned long long *wrong,
                  cudaStream_t stream, struct cs_err *err)
{
    if (results->dtype == CS_REQUEST_FP16)
        verify<__half><<<VECTOR_BLOCKS, VECTOR_THREADS, 0, stream>>>(*results, ranks, wrong);
    else
        verify<float><<<VECTOR_BLOCKS, VECTOR_THREADS, 0, stream>>>(*results, ranks, wrong);
    return cs_gpu(err, "checking vectors", cudaGetLastError());
}
