/*
 * Copies and additions by thread blocks: slices between vectors and slots, as in
 * a run, by a single block to twice as many as processors.
 *
 * Vectors stay in L2 or are far larger; slots are small, as in a run, and stay
 * in L2.  Vectors and slots may be in pinned memory.
 */
#include "validate/cuda/bench/bench.cuh"
#include "validate/cuda/stream.cuh"

namespace
{

enum side {
    DEVICE,
    HOST,
};

enum role {
    PUT,    /* vector to slot */
    GET,    /* slot to vector */
    ADD,    /* slot added to vector */
    DUPLEX, /* half of the blocks put, half get */
    COPY,   /* vector to vector, as a plain copy */
};

const char *const roles[] = {"put", "get", "add", "duplex", "copy"};

struct stream_request {
    enum role role;
    uint32_t blocks;
    uint64_t vector_bytes; /* of the blocks together */
    enum side slots, vectors;
    uint32_t dtype;
};

bool stream_puts(const struct stream_request *request)
{
    return request->role == PUT || request->role == COPY;
}

/* The limiting path of a stream, and how many times a byte crosses the path in the
 * busier direction.  Slots stay in L2: a put or get crosses HBM once; an add reads and
 * writes the vector; half of a duplex stream goes out, half in. */
enum cs_datasheet_path stream_path(const struct cs_bench *bench,
                                   const struct stream_request *request, double *times)
{
    uint64_t l2_bytes = bench->machine->devices[0].l2_bytes;
    enum cs_datasheet_path path = request->slots == HOST
                                      ? CS_DATASHEET_BUS
                                      : cs_datasheet_place(request->vector_bytes, l2_bytes);

    *times = request->role == DUPLEX ? 0.5 : 1;
    if (path == CS_DATASHEET_MEMORY && (request->role == ADD || request->role == COPY))
        *times = 2;
    if (request->role == ADD && (path == CS_DATASHEET_L2 || request->vectors == HOST))
        *times = 2;
    return path;
}

/* Ratios to earlier rates, of streams on every processor alone: fewer blocks do not
 * reach the limits of memory. */
void stream_gates(struct cs_bench *bench, const struct stream_request *request, double rate_Bps,
                  struct cs_jsonl *line)
{
    struct cs_bench_earlier *earlier = &bench->earlier;
    uint64_t l2_bytes = bench->machine->devices[0].l2_bytes;
    enum cs_datasheet_path place = cs_datasheet_place(request->vector_bytes, l2_bytes);

    if (request->slots == HOST || request->dtype != CS_REQUEST_FP32)
        return;
    if (request->role == COPY && earlier->engine_Bps > 0)
        cs_gpu_line_gate(CS_GATE_BLOCKS_OF_ENGINE, rate_Bps / earlier->engine_Bps, line);
    if (request->role != PUT && request->role != GET)
        return;
    if (place == CS_DATASHEET_MEMORY)
        earlier->memory_Bps[request->role] = rate_Bps;
    else if (place == CS_DATASHEET_L2 && earlier->memory_Bps[request->role] > 0)
        cs_gpu_line_gate(CS_GATE_L2_OF_MEMORY, rate_Bps / earlier->memory_Bps[request->role], line);
}

void stream_put_line(struct cs_bench *bench, const struct stream_request *request,
                     const struct cs_stream_job *job)
{
    uint64_t share = stream_puts(request) ? job->source_share : job->target_share;
    uint32_t processors = cs_bench_processors(bench);
    struct cs_jsonl line = {};
    double rate_Bps;
    double times = 1;
    enum cs_datasheet_path path = stream_path(bench, request, &times);

    cs_gpu_line(bench->machine, "stream", &line);
    cs_jsonl_text(&line, "role", roles[request->role]);
    cs_jsonl_text(&line, "slots", request->slots == HOST ? "host" : "device");
    cs_jsonl_text(&line, "vectors", request->vectors == HOST ? "host" : "device");
    cs_jsonl_text(&line, "dtype", request->dtype == CS_REQUEST_FP16 ? "fp16" : "fp32");
    rate_Bps = cs_bench_stream_line(bench, job, request->blocks, share, &line);
    cs_gpu_line_rate(bench->machine, path, times * rate_Bps, request->blocks >= processors, &line);
    if (request->blocks == processors)
        stream_gates(bench, request, rate_Bps, &line);
    cs_gpu_put(&line);
}

struct cs_stream_job stream_job(const struct cs_bench *bench, const struct stream_request *request)
{
    uint32_t slice = bench->request->slice_bytes;
    uint64_t vectors = cs_stream_share(request->vector_bytes, request->blocks, slice);
    uint64_t slots = request->role == COPY ? vectors
                                           : cs_stream_share(cs_bench_slots(bench, request->blocks),
                                                             request->blocks, slice);
    char *vector = request->vectors == HOST ? bench->host : bench->device;
    char *slot = request->slots == HOST ? bench->host_too : bench->device_too;
    bool host = request->slots == HOST || request->vectors == HOST;
    struct cs_stream_job job = {};

    job.source = stream_puts(request) ? vector : slot;
    job.target = stream_puts(request) ? slot : vector;
    job.source_share = stream_puts(request) ? vectors : slots;
    job.target_share = stream_puts(request) ? slots : vectors;
    job.slice_bytes = slice;
    job.adds = request->role == ADD;
    job.duplex = request->role == DUPLEX;
    job.times = bench->times;
    job.slices = cs_stream_slices_of(host ? CS_BENCH_BYTES / 16 : CS_BENCH_BYTES, request->blocks,
                                     cs_bench_processors(bench), slice);
    return job;
}

/* Starts in the region where the run before ended: repeated bytes would be in L2. */
int stream_once(struct cs_bench *bench, const struct stream_request *request,
                struct cs_stream_job *job, double *seconds)
{
    int code;

    if (request->dtype == CS_REQUEST_FP16)
        cs_stream_slices<__half>
            <<<request->blocks, bench->request->threads, 0, bench->stream>>>(*job);
    else
        cs_stream_slices<float>
            <<<request->blocks, bench->request->threads, 0, bench->stream>>>(*job);
    job->from += job->slices;
    code = cs_gpu(bench->err, "starting copies", cudaGetLastError());
    code = CS_GPU(bench->err, "copies", cudaStreamSynchronize(bench->stream));
    return code ? code : cs_stream_seconds(bench->times, request->blocks, seconds, bench->err);
}

/* A run to warm up, then a line. */
int stream_measure(struct cs_bench *bench, const struct stream_request *request)
{
    struct cs_stream_job job = stream_job(bench, request);
    int code = cs_gpu_repeat(bench->request->runs, bench->values, [&](double *seconds) {
        return stream_once(bench, request, &job, seconds);
    });

    if (!code)
        stream_put_line(bench, request, &job);
    return code;
}

int streams(struct cs_bench *bench, const struct stream_request *requests, size_t count)
{
    int code = 0;

    for (size_t i = 0; i < count && !code; i++)
        code = stream_measure(bench, &requests[i]);
    return code;
}

/* Vectors as large as the slots, within L2, and vectors of the whole region, far
 * beyond L2. */
int streams_of_blocks(struct cs_bench *bench, uint32_t blocks)
{
    uint64_t small = cs_bench_slots(bench, blocks);
    uint64_t large = bench->room;
    const struct stream_request requests[] = {
        {PUT, blocks, large, DEVICE, DEVICE, CS_REQUEST_FP32},
        {GET, blocks, large, DEVICE, DEVICE, CS_REQUEST_FP32},
        {ADD, blocks, large, DEVICE, DEVICE, CS_REQUEST_FP32},
        {PUT, blocks, small, DEVICE, DEVICE, CS_REQUEST_FP32},
        {GET, blocks, small, DEVICE, DEVICE, CS_REQUEST_FP32},
        {ADD, blocks, small, DEVICE, DEVICE, CS_REQUEST_FP32},
        {COPY, blocks, large, DEVICE, DEVICE, CS_REQUEST_FP32},
        {ADD, blocks, large, DEVICE, DEVICE, CS_REQUEST_FP16},
        {ADD, blocks, small, DEVICE, DEVICE, CS_REQUEST_FP16},
    };

    return streams(bench, requests, sizeof(requests) / sizeof(*requests));
}

/* Slots in pinned memory, and for servers vectors in pinned memory too. */
int streams_to_host(struct cs_bench *bench, uint32_t blocks)
{
    uint64_t small = cs_bench_slots(bench, blocks);
    uint64_t large = (uint64_t)32 << 20; /* PCIe limits, not memory */
    uint64_t beyond = bench->host_room;  /* beyond the caches of the host */
    const struct stream_request requests[] = {
        {PUT, blocks, large, HOST, DEVICE, CS_REQUEST_FP32},
        {GET, blocks, large, HOST, DEVICE, CS_REQUEST_FP32},
        {ADD, blocks, large, HOST, DEVICE, CS_REQUEST_FP32},
        {DUPLEX, blocks, large, HOST, DEVICE, CS_REQUEST_FP32},
        {PUT, blocks, small, HOST, HOST, CS_REQUEST_FP32},
        {GET, blocks, small, HOST, HOST, CS_REQUEST_FP32},
        {ADD, blocks, small, HOST, HOST, CS_REQUEST_FP32},
        {PUT, blocks, beyond, HOST, HOST, CS_REQUEST_FP32},
        {GET, blocks, beyond, HOST, HOST, CS_REQUEST_FP32},
        {ADD, blocks, beyond, HOST, HOST, CS_REQUEST_FP32},
    };

    return streams(bench, requests, sizeof(requests) / sizeof(*requests));
}

/* Every processor, vectors from far below L2 to far beyond L2: the curve for the
 * interpolation of the model. */
int streams_of_sizes(struct cs_bench *bench)
{
    uint32_t blocks = cs_bench_processors(bench);
    int code = 0;

    for (uint64_t bytes = (uint64_t)4 << 20; bytes <= bench->room && !code; bytes *= 2) {
        const struct stream_request requests[] = {
            {PUT, blocks, bytes, DEVICE, DEVICE, CS_REQUEST_FP32},
            {GET, blocks, bytes, DEVICE, DEVICE, CS_REQUEST_FP32},
            {ADD, blocks, bytes, DEVICE, DEVICE, CS_REQUEST_FP32},
            {ADD, blocks, bytes, DEVICE, DEVICE, CS_REQUEST_FP16},
        };

        code = streams(bench, requests, sizeof(requests) / sizeof(*requests));
    }
    return code;
}

} // namespace

double cs_bench_stream_line(const struct cs_bench *bench, const struct cs_stream_job *job,
                            uint32_t blocks, uint64_t share, struct cs_jsonl *line)
{
    const struct cs_request *request = bench->request;
    struct cs_sample sample = {bench->values, request->runs};
    uint64_t bytes = blocks * job->slices * job->slice_bytes;

    cs_jsonl_u64(line, "blocks", blocks);
    cs_jsonl_u64(line, "threads", request->threads);
    cs_jsonl_u64(line, "slice_bytes", job->slice_bytes);
    cs_jsonl_u64(line, "depth", request->depth);
    cs_jsonl_u64(line, "bytes", bytes);
    cs_jsonl_u64(line, "vector_bytes", blocks * share * job->slice_bytes);
    cs_jsonl_u64(line, "runs", request->runs);
    cs_gpu_line_sample(line, "time", &sample);
    return (double)bytes / cs_sample_figures_of(&sample).median;
}

int cs_bench_device_streams(struct cs_bench *bench)
{
    uint32_t processors = cs_bench_processors(bench);
    int code = streams_of_sizes(bench);

    for (uint32_t blocks = 1; blocks < 2 * processors && !code; blocks *= 2)
        if (blocks != processors)
            code = streams_of_blocks(bench, blocks);
    if (!code)
        code = streams_of_blocks(bench, processors);
    return code ? code : streams_of_blocks(bench, 2 * processors);
}

/* Runs of small messages have few blocks, and few blocks may fill PCIe: the curve
 * starts at a single block. */
int cs_bench_host_streams(struct cs_bench *bench)
{
    uint32_t processors = cs_bench_processors(bench);
    int code = 0;

    for (uint32_t blocks = 1; blocks < processors && !code; blocks *= 2)
        code = streams_to_host(bench, blocks);
    return code ? code : streams_to_host(bench, processors);
}
