/*
 * Microbenchmarks: rates and latencies of a GPU apart from collectives. Models are
 * calibrated by microbenchmarks alone.  Lines are of kind
 *
 *     stream        thread blocks copy or add slices as in a run, between large
 *                   vectors and small slots, on the device or in pinned memory
 *     memcpy        copy engines: within the GPU, to and from the host, concurrent
 *     pingpong      a message between two ranks by the kernel of runs, of 16
 *                   bytes to many slices, by 64 rounds; the time is per message.  The smallest size by 4 rounds too: the difference
 *                   is the time of a run beside messages
 *     launch        the kernel without a message, by few thread blocks and
 *                   by many: events less the device's clock
 *     graph         small copies as a graph, by events.  "chain": out and in
 *                   alternate, every copy waits for the previous copy; "sum": with empty
 *                   kernels; "out" and "in": concurrent
 *     timer         step of the device's clock
 *     calibrated    the end, with the number of failed parts; and a line per failed part
 *
 * Parts are independent: a failed part stops no later part. Parts for every
 * prediction come first, parts with the host come last.
 */
#include "validate/cuda/bench/bench.cuh"

#include <string.h>

namespace
{

/* Two regions take between a third and two thirds of the free memory, as the vectors of many ranks together, and hold the slots of every block. */
int choose_room(struct cs_bench *bench)
{
    uint32_t processors = cs_bench_processors(bench);
    uint64_t room;
    size_t free_bytes = 0;
    size_t all_bytes = 0;
    int code =
        cs_gpu(bench->err, "how much memory is free", cudaMemGetInfo(&free_bytes, &all_bytes));

    bench->room = cs_bench_slots(bench, 2 * processors);
    for (room = CS_BENCH_BYTES; 3 * (2 * room) < free_bytes; room *= 2)
        continue;
    if (bench->room < room)
        bench->room = room;
    return code;
}

int open_device(struct cs_bench *bench)
{
    int code = cs_gpu(bench->err, "choosing a GPU", cudaSetDevice(0));

    if (!code)
        code = choose_room(bench);
    for (cudaEvent_t &event : bench->events)
        code = CS_GPU(bench->err, "an event", cudaEventCreate(&event));
    for (cudaStream_t *stream : {&bench->stream, &bench->back})
        code = CS_GPU(bench->err, "a stream", cudaStreamCreate(stream));
    for (char **memory : {&bench->device, &bench->device_too})
        code = CS_GPU(bench->err, "memory of a GPU", cudaMalloc((void **)memory, bench->room));
    for (char **memory : {&bench->device, &bench->device_too})
        code = CS_GPU(bench->err, "setting memory", cudaMemset(*memory, 0, bench->room));
    code = CS_GPU(bench->err, "memory of a GPU", cudaMalloc((void **)&bench->times, 16 << 12));
    return code;
}

int open_host(struct cs_bench *bench)
{
    uint32_t processors = cs_bench_processors(bench);
    int code = 0;

    bench->host_room = cs_bench_slots(bench, processors);
    if (bench->host_room > (uint64_t)4 << 30)
        return cs_err_set(bench->err, CS_EINPUT,
                          "%u slots of %u bytes for each of %u thread blocks "
                          "are more than 4 GiB of pinned memory; take a "
                          "smaller --slice or --depth",
                          bench->request->depth, bench->request->slice_bytes, processors);
    if (bench->host_room < (uint64_t)256 << 20)
        bench->host_room = (uint64_t)256 << 20;
    for (char **memory : {&bench->host, &bench->host_too})
        code = CS_GPU(bench->err, "pinned memory", cs_gpu_pin(memory, bench->host_room));
    for (char *memory : {bench->host, bench->host_too})
        if (!code)
            memset(memory, 0, bench->host_room);
    return code;
}

void close_bench(struct cs_bench *bench)
{
    for (char *memory : {bench->device, bench->device_too})
        cudaFree(memory);
    for (char *memory : {bench->host, bench->host_too})
        cudaFreeHost(memory);
    cudaFree(bench->times);
    for (cudaEvent_t event : bench->events)
        if (event)
            cudaEventDestroy(event);
    for (cudaStream_t stream : {bench->stream, bench->back})
        if (stream)
            cudaStreamDestroy(stream);
}

/* Preconditions of a part. */
enum needs {
    NOTHING,
    MEMORY, /* open_device */
    PINNED, /* open_device and open_host */
};

/* In the order of worth. */
const struct part {
    const char *name;
    enum needs needs;
    int (*measure)(struct cs_bench *bench);
} parts[] = {
    {"messages on the device", NOTHING, cs_bench_device_messages},
    {"launches", NOTHING, cs_bench_launches},
    {"memory of the device", NOTHING, open_device},
    {"clock", MEMORY, cs_bench_timer},
    {"copies on the device", MEMORY, cs_bench_device_engines},
    {"thread blocks on the device", MEMORY, cs_bench_device_streams},
    {"messages through the host", NOTHING, cs_bench_host_messages},
    {"memory of the host", MEMORY, open_host},
    {"graphs", PINNED, cs_bench_graphs},
    {"copy engines", PINNED, cs_bench_host_engines},
    {"thread blocks to the host", PINNED, cs_bench_host_streams},
    {"between GPUs", NOTHING, cs_bench_between_gpus},
};

/* A failed part, or without a name the end of the calibration. */
void put_end(const struct cs_bench *bench, const char *part, uint32_t failed)
{
    struct cs_jsonl line = {};

    cs_gpu_line(bench->machine, "calibrated", &line);
    if (part) {
        cs_jsonl_text(&line, "part", part);
        cs_jsonl_text(&line, "failed", bench->err->text);
    } else {
        cs_jsonl_u64(&line, "failed_parts", failed);
    }
    cs_gpu_put(&line);
}

int measure_part(struct cs_bench *bench, const struct part *part)
{
    int code = 0;

    if (part->needs == NOTHING)
        return part->measure(bench);
    code = cs_gpu_warm(CS_GPU_WARM_NS, bench->stream, bench->err);
    return code ? code : part->measure(bench);
}

} // namespace

int cs_gpu_calibrate(const struct cs_request *request, const struct cs_gpu_machine *machine,
                     struct cs_err *err)
{
    enum needs open = NOTHING;
    struct cs_bench bench = {};
    struct cs_err why = {};
    uint32_t failed = 0;
    int first = 0;

    bench.request = request;
    bench.machine = machine;
    bench.err = &why;
    bench.values = (double *)cs_arena_alloc(&bench.arena, request->runs, sizeof(double));
    for (const struct part &part : parts) {
        int code;

        if (part.needs > open)
            continue; /* the line of the failed open_ has the reason */
        why = {};
        code = measure_part(&bench, &part);
        if (!code && part.measure == open_device)
            open = MEMORY;
        if (!code && part.measure == open_host)
            open = PINNED;
        if (!code)
            continue;
        put_end(&bench, part.name, 0);
        cudaGetLastError();
        failed++;
        if (!first)
            first = cs_err_set(err, code, "%s: %s", part.name, why.text);
    }
    put_end(&bench, NULL, failed);
    close_bench(&bench);
    cs_arena_free(&bench.arena);
    return first;
}
