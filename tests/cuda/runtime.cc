/*
 * CUDA's runtime for the emulated GPUs: memory, streams, events and graphs, in the
 * part in use by collsim-cuda.
 */
#include "runtime_state.h"

#include <stdlib.h>

using namespace emu;

struct emu_event {
    int device;
    bool timed;
    bool recorded;
    emu_front front;
    struct emu_capture *capture; /* of the last record */
};

struct emu_node {
    emu_op what;
    std::vector<size_t> after;
};

struct emu_graph {
    std::vector<emu_node> nodes;
};

struct emu_capture {
    cudaStream_t base;
    std::set<cudaStream_t> streams;
    emu_graph graph;
};

namespace
{

cudaStream_t stream_of(cudaStream_t stream)
{
    if (stream)
        return stream;
    runtime.defaults[runtime.device].device = runtime.device;
    return &runtime.defaults[runtime.device];
}

/* The default stream and blocking ones of its device are in order. */
void wait_for_default(cudaStream_t stream, emu_op *op)
{
    cudaStream_t plain = &runtime.defaults[stream->device];

    if (stream == plain) {
        for (cudaStream_t other : runtime.streams)
            if (other->blocking && other->device == stream->device)
                op->after.insert(op->after.end(), other->front.ops.begin(),
                                 other->front.ops.end());
    } else if (stream->blocking) {
        op->after.insert(op->after.end(), plain->front.ops.begin(),
                         plain->front.ops.end());
    }
}

/* Appends an op to the stream and returns the new end; NULL during a capture. */
emu_op *put(cudaStream_t stream, const emu_op &what)
{
    emu_op *op;

    if (stream->capture) {
        emu_graph *graph = &stream->capture->graph;

        graph->nodes.push_back({what, stream->front.nodes});
        stream->front.nodes = {graph->nodes.size() - 1};
        return NULL;
    }
    op = new emu_op(what);
    op->after = stream->front.ops;
    wait_for_default(stream, op);
    stream->front.ops = {op};
    emu_enqueue(op);
    return op;
}

emu_op small_op(int device, std::function<void()> body)
{
    emu_op op;

    op.device = device;
    op.body = body;
    return op;
}

/* Addresses are unified: the addresses name the GPUs of a copy. */
emu_op copy_op(int device, void *to, const void *from, size_t bytes)
{
    return small_op(device, [to, from, bytes] {
        size_t half = bytes / 2;

        emu_place_of(from, bytes, "a copy");
        emu_place_of(to, bytes, "a copy");
        memcpy(to, from, half);
        emu_now(); /* a reader may see half of the copy */
        memcpy((char *)to + half, (const char *)from + half, bytes - half);
    });
}

/* ---- graphs ---- */

/* The nodes before the end of the base stream. */
std::vector<bool> joined(const emu_capture *capture)
{
    const std::vector<emu_node> &nodes = capture->graph.nodes;
    std::vector<size_t> rest = capture->base->front.nodes;
    std::vector<bool> seen(nodes.size());

    while (!rest.empty()) {
        size_t node = rest.back();

        rest.pop_back();
        if (seen[node])
            continue;
        seen[node] = true;
        rest.insert(rest.end(), nodes[node].after.begin(),
                    nodes[node].after.end());
    }
    return seen;
}

void leave_capture(cudaStream_t stream)
{
    stream->capture = NULL;
    stream->front.nodes.clear();
}

} // namespace

/* ---- memory ---- */

static cudaError_t allocate(int place, void **memory, size_t bytes)
{
    if (bytes == 0 || emu_allocate(place, memory, bytes))
        return cudaSuccess;
    return keep(cudaErrorMemoryAllocation);
}

/* Waits for every op on the memory, as CUDA does. */
static cudaError_t release_memory(int place, void *memory)
{
    if (!memory)
        return cudaSuccess;
    for (int device = 0; device < emu_settings.gpus; device++)
        emu_wait_device(device);
    return emu_free(place, memory) ? cudaSuccess : keep(cudaErrorInvalidValue);
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    return allocate(runtime.device, memory, bytes);
}

cudaError_t cudaFree(void *memory)
{
    return release_memory(0, memory);
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned)
{
    return allocate(EMU_HOST, memory, bytes);
}

cudaError_t cudaFreeHost(void *memory)
{
    return release_memory(EMU_HOST, memory);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all_bytes)
{
    *all_bytes = emu_settings.memory_bytes;
    *free_bytes = *all_bytes - emu_used(runtime.device);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes,
                            cudaStream_t stream)
{
    int device = stream_of(stream)->device;

    put(stream_of(stream), small_op(device, [to, value, bytes] {
            emu_place_of(to, bytes, "setting");
            memset(to, value, bytes);
        }));
    return cudaSuccess;
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, NULL);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            cudaMemcpyKind, cudaStream_t stream)
{
    put(stream_of(stream), copy_op(stream_of(stream)->device, to, from, bytes));
    return cudaSuccess;
}

/* A copy from pageable memory returns when the bytes are taken, before the bytes
 * arrive (CUDA's "API synchronization behavior"). */
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       cudaMemcpyKind kind)
{
    cudaStream_t stream = stream_of(NULL);

    if (kind == cudaMemcpyHostToDevice &&
        emu_place_of(from, bytes, "a copy") < 0) {
        void *taken = malloc(bytes ? bytes : 1);

        if (!taken)
            emu_fail("no memory");
        memcpy(taken, from, bytes);
        put(stream, copy_op(stream->device, to, taken, bytes));
        return cudaSuccess;
    }
    emu_wait({put(stream, copy_op(stream->device, to, from, bytes))});
    return cudaSuccess;
}

/* ---- streams ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    *stream = new emu_stream();
    (*stream)->device = runtime.device;
    (*stream)->blocking = !(flags & cudaStreamNonBlocking);
    runtime.streams.insert(*stream);
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (!runtime.streams.erase(stream))
        return keep(cudaErrorInvalidResourceHandle);
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    stream = stream_of(stream);
    if (stream->capture)
        return keep(cudaErrorStreamCaptureUnsupported);
    emu_wait(stream->front.ops);
    return cudaSuccess;
}

/* A wait for an event of a capture adds the stream to the capture. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned)
{
    emu_front *front;

    stream = stream_of(stream);
    front = &stream->front;
    if (!event->recorded)
        return cudaSuccess;
    if (stream->capture && event->capture != stream->capture)
        return keep(cudaErrorStreamCaptureIsolation);
    if (event->capture && !stream->capture) {
        stream->capture = event->capture;
        stream->capture->streams.insert(stream);
        front->nodes.clear();
    }
    front->nodes.insert(front->nodes.end(), event->front.nodes.begin(),
                        event->front.nodes.end());
    if (!event->capture)
        front->ops.insert(front->ops.end(), event->front.ops.begin(),
                          event->front.ops.end());
    return cudaSuccess;
}

/* ---- events ---- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    *event = new emu_event();
    (*event)->device = runtime.device;
    (*event)->timed = !(flags & cudaEventDisableTiming);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    stream = stream_of(stream);
    if (event->device != stream->device)
        return keep(cudaErrorInvalidResourceHandle);
    event->recorded = true;
    event->capture = stream->capture;
    event->front = stream->front;
    if (!stream->capture)
        event->front.ops = {put(stream, small_op(stream->device, [] {}))};
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t first, cudaEvent_t last)
{
    if (!first->timed || !last->timed || !first->recorded || !last->recorded)
        return keep(cudaErrorInvalidResourceHandle);
    if (first->capture || last->capture)
        return keep(cudaErrorCapturedEvent);
    if (!first->front.ops[0]->done || !last->front.ops[0]->done)
        return keep(cudaErrorNotReady);
    *ms = 1e-6f *
          (float)(last->front.ops[0]->end_ns - first->front.ops[0]->end_ns);
    return cudaSuccess;
}

/* ---- kernels ---- */

int emu_resident(int threads)
{
    int blocks = EMU_PROCESSOR_THREADS / threads;

    return blocks < EMU_PROCESSOR_BLOCKS ? blocks : EMU_PROCESSOR_BLOCKS;
}

cudaError_t emu_launch(dim3 blocks, dim3 threads, cudaStream_t stream,
                       emu_launch_kind kind, std::function<void()> body)
{
    emu_op op = small_op(stream_of(stream)->device, body);

    op.blocks = blocks;
    op.threads = threads;
    op.together = kind == EMU_COOPERATIVE;
    if (blocks.x == 0 || threads.x == 0 || threads.x > 1024)
        return keep(cudaErrorInvalidValue);
    if (op.together && blocks.x > (uint32_t)(emu_settings.processors *
                                             emu_resident((int)threads.x)))
        return keep(cudaErrorCooperativeLaunchTooLarge);
    put(stream_of(stream), op);
    return cudaSuccess;
}

/* ---- graphs ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode)
{
    if (!stream || stream->capture)
        return keep(cudaErrorStreamCaptureUnsupported);
    stream->capture = new emu_capture();
    stream->capture->base = stream;
    stream->capture->streams.insert(stream);
    stream->front.nodes.clear();
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    emu_capture *capture = stream->capture;
    std::vector<bool> seen;
    bool all = true;

    *graph = NULL;
    if (!capture || capture->base != stream)
        return keep(cudaErrorStreamCaptureUnmatched);
    seen = joined(capture);
    for (cudaStream_t part : capture->streams) {
        for (size_t node : part->front.nodes)
            all = all && seen[node];
        leave_capture(part);
    }
    if (!all)
        return keep(cudaErrorStreamCaptureUnjoined);
    *graph = new emu_graph(capture->graph);
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *made,
                                          cudaGraph_t graph, unsigned long long)
{
    *made = new emu_graph(*graph);
    return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t)
{
    return cudaSuccess;
}

/* The nodes start after the end of the stream, and the stream continues after the
 * last node. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream)
{
    std::vector<emu_op *> ops;
    std::vector<emu_op *> before;

    stream = stream_of(stream);
    before = stream->front.ops;
    for (const emu_node &node : graph->nodes) {
        emu_op *op = new emu_op(node.what);

        op->after = before;
        for (size_t other : node.after)
            op->after.push_back(ops[other]);
        emu_enqueue(op);
        ops.push_back(op);
    }
    stream->front.ops.insert(stream->front.ops.end(), ops.begin(), ops.end());
    put(stream, small_op(stream->device, [] {}));
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph)
{
    delete graph;
    return cudaSuccess;
}
