/*
 * Small copies in CUDA graphs, as runs by copy engines consist of (staged.cu), and
 * the step of the device's clock.
 */
#include "validate/cuda/bench/bench.cuh"
#include "validate/cuda/span.cuh"

namespace
{

enum {
    ADD_BLOCKS = 64, /* of the kernel that adds a slice (staged.cu) */
    ADD_THREADS = 512,
};

/* Stands for the kernel of a run that adds a slice. */
__global__ void add_nothing()
{
}

/* The smallest of 64 steps of the clock. */
__global__ void step_of_timer(uint64_t *step)
{
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < 64; i++) {
        uint64_t before = cs_now_ns();
        uint64_t after = before;

        while (after == before)
            after = cs_now_ns();
        least = after - before < least ? after - before : least;
    }
    *step = least;
}

enum {
    BRANCHES = 16,
    CHAIN_BYTES = 16,
    CHAIN_APART = 4096, /* bytes between neighbouring copies: separate pages */
    CHAIN_MOST = 256,
    CHAIN_LONG = 64, /* copies from which the launch hardly counts */
};

/* Streams of concurrent copies, while a graph is captured. */
struct branches {
    cudaStream_t streams[BRANCHES];
    cudaEvent_t ends[BRANCHES];
};

/* Seconds of a graph, between an event before it and one behind. */
int graph_once(struct cs_bench *bench, cudaGraphExec_t graph, double *seconds)
{
    float ms = 0;
    int code = cs_gpu(bench->err, "an event", cudaEventRecord(bench->events[0], bench->stream));

    code = CS_GPU(bench->err, "a graph", cudaGraphLaunch(graph, bench->stream));
    code = CS_GPU(bench->err, "an event", cudaEventRecord(bench->events[1], bench->stream));
    code = CS_GPU(bench->err, "a graph", cudaStreamSynchronize(bench->stream));
    code = CS_GPU(bench->err, "an event",
                  cudaEventElapsedTime(&ms, bench->events[0], bench->events[1]));
    *seconds = ms * 1e-3;
    return code;
}

enum shape {
    CHAIN, /* out and in alternate, each copy waits for the one before */
    SUM,   /* the same, and an empty kernel after each copy in */
    OUT,   /* concurrent copies to the host */
    IN,    /* concurrent copies from the host */
    SHAPES,
};

const char *const shapes[] = {"chain", "sum", "out", "in"};

int graph_measure(struct cs_bench *bench, enum shape shape, uint32_t copies, cudaGraphExec_t graph)
{
    struct cs_sample sample = {bench->values, bench->request->runs};
    struct cs_jsonl line = {};
    int code = cs_gpu_repeat(bench->request->runs, bench->values,
                             [=](double *seconds) { return graph_once(bench, graph, seconds); });

    if (code)
        return code;
    cs_gpu_line(bench->machine, "graph", &line);
    cs_jsonl_text(&line, "setup", shapes[shape]);
    cs_jsonl_u64(&line, "copies", copies);
    cs_jsonl_u64(&line, "bytes", CHAIN_BYTES);
    cs_jsonl_u64(&line, "runs", bench->request->runs);
    cs_gpu_line_sample(&line, "time", &sample);
    if (shape == CHAIN && copies >= CHAIN_LONG)
        cs_gpu_line_gate(CS_GATE_GRAPH_COPY, cs_sample_figures_of(&sample).median / copies, &line);
    cs_gpu_put(&line);
    return 0;
}

cudaError_t small_copy(struct cs_bench *bench, bool out, uint32_t number, cudaStream_t stream)
{
    char *there = bench->device + (uint64_t)number * CHAIN_APART;
    char *here = bench->host + (uint64_t)number * CHAIN_APART;

    return out ? cudaMemcpyAsync(here, there, CHAIN_BYTES, cudaMemcpyDeviceToHost, stream)
               : cudaMemcpyAsync(there, here, CHAIN_BYTES, cudaMemcpyHostToDevice, stream);
}

cudaError_t capture_chain(struct cs_bench *bench, enum shape shape, uint32_t copies)
{
    cudaError_t status = cudaSuccess;

    for (uint32_t i = 0; i < copies && status == cudaSuccess; i++) {
        status = small_copy(bench, i % 2 == 0, 0, bench->stream);
        if (shape != SUM || i % 2 == 0 || status != cudaSuccess)
            continue;
        add_nothing<<<ADD_BLOCKS, ADD_THREADS, 0, bench->stream>>>();
        status = cudaGetLastError();
    }
    return status;
}

cudaError_t capture_branches(struct cs_bench *bench, const struct branches *branches,
                             enum shape shape, uint32_t copies)
{
    cudaError_t status = cudaEventRecord(bench->events[0], bench->stream);

    for (uint32_t i = 0; i < copies && status == cudaSuccess; i++) {
        cudaStream_t stream = branches->streams[i];

        status = cudaStreamWaitEvent(stream, bench->events[0], 0);
        if (status == cudaSuccess)
            status = small_copy(bench, shape == OUT, i, stream);
        if (status == cudaSuccess)
            status = cudaEventRecord(branches->ends[i], stream);
        if (status == cudaSuccess)
            status = cudaStreamWaitEvent(bench->stream, branches->ends[i], 0);
    }
    return status;
}

int capture(struct cs_bench *bench, const struct branches *branches, enum shape shape,
            uint32_t copies, cudaGraphExec_t *made)
{
    cudaGraph_t graph = NULL;
    cudaError_t ended;
    int code = cs_gpu(bench->err, "beginning a graph",
                      cudaStreamBeginCapture(bench->stream, cudaStreamCaptureModeRelaxed));

    if (code)
        return code;
    code = cs_gpu(bench->err, "a copy of a graph",
                  shape < OUT ? capture_chain(bench, shape, copies)
                              : capture_branches(bench, branches, shape, copies));
    ended = cudaStreamEndCapture(bench->stream, &graph);
    code = CS_GPU(bench->err, "ending a graph", ended);
    code = CS_GPU(bench->err, "a graph", cudaGraphInstantiateWithFlags(made, graph, 0));
    if (graph)
        cudaGraphDestroy(graph);
    code = CS_GPU(bench->err, "uploading a graph", cudaGraphUpload(*made, bench->stream));
    return code;
}

int graphs_of(struct cs_bench *bench, const struct branches *branches, enum shape shape)
{
    uint32_t most = shape < OUT ? (uint32_t)CHAIN_MOST : (uint32_t)BRANCHES;
    int code = 0;

    for (uint32_t copies = shape == SUM ? 2 : 1; copies <= most && !code; copies *= 4) {
        cudaGraphExec_t graph = NULL;

        code = capture(bench, branches, shape, copies, &graph);
        if (!code)
            code = graph_measure(bench, shape, copies, graph);
        if (graph)
            cudaGraphExecDestroy(graph);
    }
    return code;
}

int open_branches(struct branches *branches, struct cs_err *err)
{
    int code = 0;

    for (uint32_t i = 0; i < BRANCHES && !code; i++) {
        code = cs_gpu(err, "a stream",
                      cudaStreamCreateWithFlags(&branches->streams[i], cudaStreamNonBlocking));
        code = CS_GPU(err, "an event",
                      cudaEventCreateWithFlags(&branches->ends[i], cudaEventDisableTiming));
    }
    return code;
}

void close_branches(struct branches *branches)
{
    for (uint32_t i = 0; i < BRANCHES; i++) {
        if (branches->ends[i])
            cudaEventDestroy(branches->ends[i]);
        if (branches->streams[i])
            cudaStreamDestroy(branches->streams[i]);
    }
}

} // namespace

int cs_bench_graphs(struct cs_bench *bench)
{
    struct branches branches = {};
    int code = open_branches(&branches, bench->err);

    for (int shape = CHAIN; shape < SHAPES && !code; shape++)
        code = graphs_of(bench, &branches, (enum shape)shape);
    close_branches(&branches);
    return code;
}

int cs_bench_timer(struct cs_bench *bench)
{
    struct cs_jsonl line = {};
    uint64_t step = 0;
    int code;

    step_of_timer<<<1, 1, 0, bench->stream>>>(bench->times);
    code = cs_gpu(bench->err, "reading the clock", cudaGetLastError());
    code = CS_GPU(bench->err, "reading the clock", cudaStreamSynchronize(bench->stream));
    code = CS_GPU(bench->err, "reading the clock",
                  cudaMemcpy(&step, bench->times, sizeof(step), cudaMemcpyDeviceToHost));
    if (code)
        return code;
    cs_gpu_line(bench->machine, "timer", &line);
    cs_jsonl_real(&line, "time_s", (double)step * 1e-9);
    cs_gpu_line_gate(CS_GATE_TIMER, (double)step * 1e-9, &line);
    cs_gpu_put(&line);
    return 0;
}
