/*
 * Copies by copy engines: within the GPU, to and from the host, and concurrently out and in, of 4 KiB to a whole region.
 */
#include "validate/cuda/bench/bench.cuh"

namespace
{

struct engine_setup {
    const char *name;
    char *to, *from;
    char *to_too, *from_too; /* concurrent copy in the opposite direction, or NULL */
    enum cudaMemcpyKind kind, kind_too;
};

/* The streams wait for the first event, and the last event waits for the streams. */
int engine_once(struct cs_bench *bench, const struct engine_setup *setup, uint64_t bytes,
                double *seconds)
{
    cudaEvent_t *events = bench->events;
    float ms = 0;
    int code = cs_gpu(bench->err, "an event", cudaEventRecord(events[0], bench->stream));

    if (setup->to_too)
        code = CS_GPU(bench->err, "an event", cudaStreamWaitEvent(bench->back, events[0], 0));
    code = CS_GPU(bench->err, "a copy",
                  cudaMemcpyAsync(setup->to, setup->from, bytes, setup->kind, bench->stream));
    if (setup->to_too)
        code = CS_GPU(
            bench->err, "a copy",
            cudaMemcpyAsync(setup->to_too, setup->from_too, bytes, setup->kind_too, bench->back));
    if (setup->to_too)
        code = CS_GPU(bench->err, "an event", cudaEventRecord(events[2], bench->back));
    if (setup->to_too)
        code = CS_GPU(bench->err, "an event", cudaStreamWaitEvent(bench->stream, events[2], 0));
    code = CS_GPU(bench->err, "an event", cudaEventRecord(events[1], bench->stream));
    code = CS_GPU(bench->err, "copies", cudaStreamSynchronize(bench->stream));
    code = CS_GPU(bench->err, "an event", cudaEventElapsedTime(&ms, events[0], events[1]));
    *seconds = ms * 1e-3;
    return code;
}

enum {
    FILLS = 64 << 20, /* bytes of a copy far longer than the start of a copy */
};

/* A copy within the GPU reads and writes every byte; concurrent copies move `bytes`
 * out and `bytes` in. */
void engine_put_rate(const struct cs_bench *bench, const struct engine_setup *setup,
                     double rate_Bps, uint64_t bytes, struct cs_jsonl *line)
{
    bool inside = setup->kind == cudaMemcpyDeviceToDevice;

    cs_gpu_line_rate(bench->machine,
                     inside ? cs_datasheet_place(bytes, bench->machine->devices[0].l2_bytes)
                            : CS_DATASHEET_BUS,
                     inside ? 2 * rate_Bps : rate_Bps, true, line);
}

/* Keeps the rates for later ratios. */
void engine_gates(struct cs_bench *bench, const struct engine_setup *setup, double rate_Bps,
                  struct cs_jsonl *line)
{
    struct cs_bench_earlier *earlier = &bench->earlier;

    if (setup->kind == cudaMemcpyDeviceToDevice)
        earlier->engine_Bps = rate_Bps;
    else if (setup->to_too && earlier->one_way_Bps > 0)
        cs_gpu_line_gate(CS_GATE_BOTH_OF_ONE, 2 * rate_Bps / earlier->one_way_Bps, line);
    else if (setup->kind == cudaMemcpyDeviceToHost || rate_Bps < earlier->one_way_Bps)
        earlier->one_way_Bps = rate_Bps;
}

int engine_measure(struct cs_bench *bench, const struct engine_setup *setup, uint64_t bytes)
{
    struct cs_sample sample = {bench->values, bench->request->runs};
    struct cs_jsonl line = {};
    double rate_Bps;
    int code = cs_gpu_repeat(bench->request->runs, bench->values, [=](double *seconds) {
        return engine_once(bench, setup, bytes, seconds);
    });

    if (code)
        return code;
    cs_gpu_line(bench->machine, "memcpy", &line);
    cs_jsonl_text(&line, "setup", setup->name);
    cs_jsonl_u64(&line, "bytes", bytes);
    cs_jsonl_u64(&line, "runs", bench->request->runs);
    cs_gpu_line_sample(&line, "time", &sample);
    rate_Bps = (double)bytes / cs_sample_figures_of(&sample).median;
    if (bytes >= FILLS) {
        engine_put_rate(bench, setup, rate_Bps, bytes, &line);
        engine_gates(bench, setup, rate_Bps, &line);
    }
    cs_gpu_put(&line);
    return 0;
}

int engine_sizes(struct cs_bench *bench, const struct engine_setup *setup, uint64_t most)
{
    int code = 0;

    for (uint64_t bytes = 4096; bytes <= most && !code; bytes *= 4)
        code = engine_measure(bench, setup, bytes);
    return code;
}

} // namespace

int cs_bench_device_engines(struct cs_bench *bench)
{
    const struct engine_setup setup = {
        "d2d", bench->device_too,        bench->device,           NULL,
        NULL,  cudaMemcpyDeviceToDevice, cudaMemcpyDeviceToDevice};

    return engine_sizes(bench, &setup, bench->room);
}

int cs_bench_host_engines(struct cs_bench *bench)
{
    const struct engine_setup setups[] = {
        {"d2h", bench->host, bench->device, NULL, NULL, cudaMemcpyDeviceToHost,
         cudaMemcpyDeviceToHost},
        {"h2d", bench->device, bench->host, NULL, NULL, cudaMemcpyHostToDevice,
         cudaMemcpyHostToDevice},
        {"both", bench->host, bench->device, bench->device_too, bench->host_too,
         cudaMemcpyDeviceToHost, cudaMemcpyHostToDevice},
    };
    int code = 0;

    for (const struct engine_setup &setup : setups)
        if (!code)
            code = engine_sizes(bench, &setup, bench->host_room);
    return code;
}
