#include "validate/cuda/program.cuh"

#include "validate/cuda/span.cuh"

namespace
{

enum {
    WARP = 32,
};

const uint32_t everybody = 0xffffffffu; /* of a warp */

/* ---- counts ---- */

/* Release and acquire, for a device alone or for all that share memory: what
 * was written before a release is seen after an acquire that reads it (PTX
 * memory model; sm_70 and newer). */
template <bool SYSTEM> __device__ inline uint32_t acquire(const uint32_t *at)
{
    uint32_t value;

    if (SYSTEM)
        asm volatile("ld.acquire.sys.u32 %0, [%1];"
                     : "=r"(value)
                     : "l"(at)
                     : "memory");
    else
        asm volatile("ld.acquire.gpu.u32 %0, [%1];"
                     : "=r"(value)
                     : "l"(at)
                     : "memory");
    return value;
}

template <bool SYSTEM>
__device__ inline void release(uint32_t *at, uint32_t value)
{
    if (SYSTEM)
        asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(at), "r"(value)
                     : "memory");
    else
        asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(at), "r"(value)
                     : "memory");
}

__device__ inline uint64_t now_ns()
{
    uint64_t time;

    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}

/* ---- the first warp ---- */

/* What a thread of the first warp knows of its op. */
struct work {
    struct cs_plan_op op;
    struct cs_slot_cursor cursor;
    uint32_t mine, other; /* counts: its own, and the other side's as seen */
    uint32_t *own;        /* where its own is kept */
    uint32_t *tell;       /* where the other side waits for it */
    const uint32_t *look; /* where the other side tells */
};

/* Where this block is. */
struct place {
    uint32_t lane, channel, party;
    uint32_t now, end; /* rounds, of all */
    uint32_t pending;  /* a bit for each op that is not done */
    uint64_t until_ns;
};

__device__ inline bool sends(const struct work &work)
{
    return work.op.kind == CS_TABLE_SEND;
}

__device__ inline void connect(const struct cs_gpu_program &program,
                               const struct place &place, struct work *work)
{
    const struct cs_gpu_link *link = &program.links[work->op.link];
    uint32_t word = place.channel * CS_GPU_COUNT_WORDS;
    uint32_t *here = sends(*work) ? link->at_sender : link->at_receiver;
    uint32_t *there = sends(*work) ? link->at_receiver : link->at_sender;

    work->own = here + word + CS_GPU_OWN_WORD;
    work->tell = there + word;
    work->look = here + word;
    work->mine = *(volatile uint32_t *)work->own;
    /* Nothing is known of the other side yet: no slot is free, none full. */
    work->other = sends(*work) ? work->mine - program.depth : work->mine;
}

/* Takes up the next round with something to do; pending is 0 at the end. */
__device__ inline void enter(const struct cs_gpu_program &program,
                             struct place *place, struct work *work)
{
    for (; place->now < place->end; place->now++) {
        uint32_t first = program.ops_of[place->now];
        uint32_t count = program.ops_of[place->now + 1] - first;
        bool active = threadIdx.x < count;

        if (active) {
            work->op = program.ops[first + threadIdx.x];
            if (work->op.kind != CS_TABLE_WAIT) {
                work->cursor = cs_slot_begin(&program.cut, place->channel,
                                             work->op.first, work->op.count);
                active = cs_slot_slice(&program.cut, &work->cursor) > 0;
                if (active)
                    connect(program, *place, work);
            }
        }
        place->pending = __ballot_sync(everybody, active);
        if (place->pending)
            return;
    }
}

template <bool SYSTEM>
__device__ inline bool may_go(const struct cs_gpu_program &program,
                              const struct place &place, struct work *work)
{
    if (work->op.kind == CS_TABLE_WAIT) {
        uint32_t at = work->op.link * program.cut.channels + place.channel;

        return acquire<false>(&program.progress[at]) > work->op.first;
    }
    if (sends(*work)) {
        if (!cs_slot_may_write(work->mine, work->other, program.depth))
            work->other = acquire<SYSTEM>(work->look);
        return cs_slot_may_write(work->mine, work->other, program.depth);
    }
    if (!cs_slot_may_read(work->other, work->mine))
        work->other = acquire<SYSTEM>(work->look);
    return cs_slot_may_read(work->other, work->mine);
}

/* Whether sends of the same blocks have read what this op adds to. */
__device__ inline bool is_clear(const struct cs_gpu_program &program,
                                const struct place &place,
                                const struct work &work)
{
    bool mine = place.pending >> threadIdx.x & 1;
    uint32_t behind = mine ? work.op.behind & place.pending : 0;
    bool clear = !mine || !(work.op.after & place.pending);

    if (!__any_sync(everybody, behind))
        return clear;
    for (uint32_t k = 0; k < WARP; k++) {
        struct cs_plan_op send;
        struct cs_slot_cursor cursor;

        send.first = __shfl_sync(everybody, work.op.first, k);
        send.count = __shfl_sync(everybody, work.op.count, k);
        cursor.at = __shfl_sync(everybody, work.cursor.at, k);
        cursor.left = __shfl_sync(everybody, work.cursor.left, k);
        if (behind >> k & 1)
            clear = clear &&
                    cs_plan_passed(&program.cut, &send, &cursor, &work.cursor);
    }
    return clear;
}

__device__ inline void tell_stuck(const struct cs_gpu_program &program,
                                  const struct place &place)
{
    struct cs_gpu_stuck *stuck = program.stuck;
    uint32_t where = place.pending ? CS_GPU_STUCK_OP : CS_GPU_STUCK_START;

    if (threadIdx.x != 0 || atomicCAS(&stuck->where, 0, where) != 0)
        return;
    stuck->lane = place.lane;
    stuck->channel = place.channel;
    stuck->round = place.now - program.rounds[place.lane];
    if (place.pending)
        stuck->op = program.ops_of[place.now] + __ffs(place.pending) - 1;
}

/* Waits until some ops can go on; a bit for each, or 0 when time is up. */
template <bool SYSTEM>
__device__ inline uint32_t wait(const struct cs_gpu_program &program,
                                const struct place &place, struct work *work)
{
    for (;;) {
        bool clear = is_clear(program, place, *work);
        bool go = clear && (place.pending >> threadIdx.x & 1) &&
                  may_go<SYSTEM>(program, place, work);
        uint32_t ready = __ballot_sync(everybody, go);

        if (ready)
            return ready;
        if (__any_sync(everybody, now_ns() > place.until_ns)) {
            tell_stuck(program, place);
            return 0;
        }
    }
}

__device__ inline struct cs_span span_of(const struct cs_gpu_program &program,
                                         const struct place &place,
                                         const struct work &work)
{
    const struct cs_gpu_link *link = &program.links[work.op.link];
    uint64_t slot = (uint64_t)place.channel * program.depth +
                    cs_slot_of(work.mine, program.depth);
    char *in_slot = link->slots + slot * cs_slot_pitch(&program.cut) +
                    cs_slot_phase(work.cursor.at);
    char *vector = work.op.from_input ? program.inputs[place.party]
                                      : program.outputs[place.party];
    struct cs_span span;

    span.bytes = cs_slot_slice(&program.cut, &work.cursor);
    span.adds = work.op.kind == CS_TABLE_ADD;
    span.target = sends(work) ? in_slot : vector + work.cursor.at;
    span.source = sends(work) ? vector + work.cursor.at : in_slot;
    return span;
}

/* A slice was moved, by all threads, and they are past a barrier. */
template <bool SYSTEM>
__device__ inline bool finish(const struct cs_gpu_program &program,
                              const struct place &place, struct work *work)
{
    if (work->op.kind == CS_TABLE_WAIT)
        return true;
    work->mine++;
    release<SYSTEM>(work->tell, work->mine);
    cs_slot_next(&program.cut, place.channel, &work->cursor);
    if (cs_slot_slice(&program.cut, &work->cursor) > 0)
        return false;
    *(volatile uint32_t *)work->own = work->mine;
    return true;
}

template <bool SYSTEM>
__device__ inline void finish_all(const struct cs_gpu_program &program,
                                  uint32_t ready, struct place *place,
                                  struct work *work)
{
    bool done =
        (ready >> threadIdx.x & 1) && finish<SYSTEM>(program, *place, work);

    place->pending &= ~__ballot_sync(everybody, done);
    if (place->pending)
        return;
    place->now++;
    if (program.waits && threadIdx.x == 0)
        release<false>(&program.progress[place->lane * program.cut.channels +
                                         place->channel],
                       place->now - program.rounds[place->lane]);
    __syncwarp();
    enter(program, place, work);
}

/* ---- the block ---- */

/* Until every block of every device is there; false when time is up. */
__device__ inline bool meet(const struct cs_gpu_program &program,
                            uint64_t until_ns)
{
    uint32_t *here = program.ready[program.device];
    uint32_t device;

    if (atomicAdd(program.arrived, 1) + 1 == gridDim.x)
        for (device = 0; device < program.devices; device++)
            release<true>(
                program.ready[device] + program.device * CS_GPU_COUNT_WORDS, 1);
    for (device = 0; device < program.devices; device++)
        while (!acquire<true>(here + device * CS_GPU_COUNT_WORDS))
            if (now_ns() > until_ns)
                return false;
    return true;
}

__device__ inline struct place begin(const struct cs_gpu_program &program)
{
    struct place place;

    place.lane = program.lanes_here[blockIdx.x / program.cut.channels];
    place.channel = blockIdx.x % program.cut.channels;
    place.party = place.lane / program.lanes;
    place.now = program.rounds[place.lane];
    place.end = program.rounds[place.lane + 1];
    place.pending = 0;
    place.until_ns = now_ns() + program.deadline_ns;
    return place;
}

/* What the first warp has found for all to do, and what it goes by. */
struct shared {
    uint32_t ready; /* 0: nothing, the block is done */
    uint32_t met;
    struct cs_span spans[WARP];
    struct work work[WARP]; /* kept here, as registers are for the spans */
};

template <typename T, bool SYSTEM>
__global__ void __launch_bounds__(1024)
    run_program(const __grid_constant__ struct cs_gpu_program program)
{
    __shared__ struct shared shared;
    bool first_warp = threadIdx.x < WARP;
    struct place place = begin(program);
    struct work *work = &shared.work[threadIdx.x % WARP];

    if (threadIdx.x == 0) {
        shared.met = meet(program, place.until_ns);
        program.times[2 * blockIdx.x] = now_ns();
        if (!shared.met)
            tell_stuck(program, place);
    }
    __syncthreads();
    if (!shared.met)
        return;
    if (first_warp)
        enter(program, &place, work);
    for (;;) {
        uint32_t ready = 0;

        if (first_warp && place.pending) {
            ready = wait<SYSTEM>(program, place, work);
            if ((ready >> threadIdx.x & 1) && work->op.kind != CS_TABLE_WAIT)
                shared.spans[threadIdx.x] = span_of(program, place, *work);
            else
                shared.spans[threadIdx.x].bytes = 0;
        }
        if (threadIdx.x == 0)
            shared.ready = ready;
        __syncthreads();
        ready = shared.ready;
        if (!ready)
            break;
        for (uint32_t left = ready; left; left &= left - 1)
            cs_span_move<T>(shared.spans[__ffs(left) - 1]);
        __syncthreads();
        if (first_warp)
            finish_all<SYSTEM>(program, ready, &place, work);
    }
    if (threadIdx.x == 0)
        program.times[2 * blockIdx.x + 1] = now_ns();
}

typedef void kernel_fn(struct cs_gpu_program);

kernel_fn *kernel_of(const struct cs_gpu_shape *shape)
{
    if (shape->dtype == CS_ASK_FP16)
        return shape->system ? run_program<__half, true>
                             : run_program<__half, false>;
    return shape->system ? run_program<float, true> : run_program<float, false>;
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

template <typename T>
__global__ void fill(T *vector, uint64_t elements, uint32_t rank)
{
    uint64_t step = (uint64_t)gridDim.x * blockDim.x;

    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
         i < elements; i += step)
        vector[i] = number<T>(cs_pattern_of(rank, i));
}

/* Bit for bit: the numbers are exact, so is what stands for them. */
template <typename T, typename BITS>
__global__ void verify(const T *vector, uint64_t elements, uint32_t ranks,
                       unsigned long long *wrong)
{
    uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    unsigned long long here = 0;

    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
         i < elements; i += step) {
        T expected = number<T>(cs_pattern_sum(ranks, i));

        here += ((const BITS *)vector)[i] != *(const BITS *)&expected;
    }
    if (here)
        atomicAdd(wrong, here);
}

enum {
    VECTOR_BLOCKS = 1056, /* 8 for each of 132 processors */
    VECTOR_THREADS = 256,
};

} // namespace

int cs_gpu_resident(const struct cs_gpu_shape *shape, int device,
                    uint32_t *blocks, struct cs_err *err)
{
    int each = 0;
    int processors = 0;
    int code = cs_gpu(err, "how many blocks fit",
                      cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                          &each, kernel_of(shape), (int)shape->threads, 0));

    if (!code)
        code = cs_gpu(err, "how many processors there are",
                      cudaDeviceGetAttribute(
                          &processors, cudaDevAttrMultiProcessorCount, device));
    *blocks = (uint32_t)(each * processors);
    return code;
}

int cs_gpu_launch(const struct cs_gpu_shape *shape,
                  struct cs_gpu_program *program, cudaStream_t stream,
                  struct cs_err *err)
{
    uint32_t blocks = program->lanes_here_count * program->cut.channels;
    void *arguments[] = {program};

    return cs_gpu(err, "starting the kernel",
                  cudaLaunchCooperativeKernel(
                      (const void *)kernel_of(shape), dim3(blocks),
                      dim3(shape->threads), arguments, 0, stream));
}

int cs_gpu_fill(const struct cs_gpu_vector *vector, uint32_t rank,
                cudaStream_t stream, struct cs_err *err)
{
    if (vector->dtype == CS_ASK_FP16)
        fill<<<VECTOR_BLOCKS, VECTOR_THREADS, 0, stream>>>(
            (__half *)vector->at, vector->elements, rank);
    else
        fill<<<VECTOR_BLOCKS, VECTOR_THREADS, 0, stream>>>(
            (float *)vector->at, vector->elements, rank);
    return cs_gpu(err, "filling a vector", cudaGetLastError());
}

int cs_gpu_verify(const struct cs_gpu_vector *vector, uint32_t ranks,
                  unsigned long long *wrong, cudaStream_t stream,
                  struct cs_err *err)
{
    if (vector->dtype == CS_ASK_FP16)
        verify<__half, uint16_t><<<VECTOR_BLOCKS, VECTOR_THREADS, 0, stream>>>(
            (const __half *)vector->at, vector->elements, ranks, wrong);
    else
        verify<float, uint32_t><<<VECTOR_BLOCKS, VECTOR_THREADS, 0, stream>>>(
            (const float *)vector->at, vector->elements, ranks, wrong);
    return cs_gpu(err, "checking a vector", cudaGetLastError());
}
