/*
 * Microbenchmarks: what a GPU can do apart from any collective.  Models are
 * calibrated by these alone.
 *
 *     stream        thread blocks copy (or add up) slices as in a run, between
 *                   vectors of a size and slots, which are small; either may
 *                   be in pinned memory
 *     memcpy        copy engines: within the GPU, to and from the host, both
 *     pingpong      a message to and fro between two ranks, by the same kernel
 *                   as runs, of 16 bytes to many slices, 64 times; the time is
 *                   that of one message.  The smallest also 4 times, so that
 *                   what a run takes beside its messages can be told
 *     launch        the same kernel with no message, by few thread blocks and
 *                   by many: what events see beyond the device's clock
 *     graph         small copies as one graph, by events.  "chain": out and in
 *                   by turns, each waiting for the one before; "sum": out, in
 *                   and an empty kernel by turns; "out" and "in": none waits
 *     timer         the step of the device's clock
 *     calibrated    the end: how many parts failed; and a line for each of these
 *
 * Parts do not depend on each other: where one fails, the rest is measured.  What
 * no prediction can do without comes first, what the host takes part in last.
 */
#include "validate/cuda/session.cuh"

#include "validate/cuda/bench.cuh"
#include "validate/cuda/stream.cuh"

#include <math.h>
#include <string.h>

namespace
{

enum {
    BRANCHES = 16,
    ADD_BLOCKS = 64, /* of the kernel that adds up a slice (staged.cu) */
    ADD_THREADS = 512,
};

struct bench {
    const struct cs_request *request;
    const struct cs_gpu_machine *machine;
    struct cs_err *err;
    cudaStream_t stream, back;
    cudaEvent_t events[4];
    cudaStream_t branches[BRANCHES]; /* of graphs, while these are measured */
    cudaEvent_t ends[BRANCHES];
    char *device, *device_too; /* `room` bytes each */
    char *host, *host_too;
    uint64_t room, host_room;
    uint64_t *times; /* on the device */
    struct cs_arena arena;
    double *values; /* there */
};

/* ---- copies by thread blocks ---- */

enum side {
    DEVICE,
    HOST,
};

/* What blocks do in a run: put is vector to slot, get slot to vector, add the
 * same with a sum; duplex is half of the blocks put and half get; copy is what
 * a plain copy does, vector to vector. */
enum role {
    PUT,
    GET,
    ADD,
    DUPLEX,
    COPY,
};

const char *const roles[] = {"put", "get", "add", "duplex", "copy"};

struct stream_request {
    enum role role;
    uint32_t blocks;
    uint64_t vector_bytes; /* the region of all blocks; slots are small */
    enum side slots, vectors;
    uint32_t dtype;
};

__global__ void add_nothing()
{
}

/* The least step of the clock that is seen in many. */
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

/* Slots of that many blocks: what a run has of them. */
uint64_t slots_of(const struct bench *bench, uint32_t blocks)
{
    return (uint64_t)blocks * bench->request->depth *
           bench->request->slice_bytes;
}

bool puts(const struct stream_request *request)
{
    return request->role == PUT || request->role == COPY;
}

/* The path that limits a stream, and how often each byte crosses it one way.
 * Slots are in L2; of both ways at once a byte crosses one. */
enum cs_datasheet_path path_of(const struct bench *bench,
                               const struct stream_request *request,
                               double *times)
{
    uint64_t l2_bytes = bench->machine->devices[0].l2_bytes;
    enum cs_datasheet_path path =
        request->slots == HOST
            ? CS_DATASHEET_BUS
            : cs_datasheet_place(request->vector_bytes, l2_bytes);

    *times = request->role == DUPLEX ? 0.5 : 1;
    if (path == CS_DATASHEET_MEMORY &&
        (request->role == ADD || request->role == COPY))
        *times = 2;
    if (request->role == ADD &&
        (path == CS_DATASHEET_L2 || request->vectors == HOST))
        *times = 2;
    return path;
}

void put_stream(struct bench *bench, const struct stream_request *request,
                const struct cs_stream_job *job)
{
    struct cs_sample sample = {bench->values, bench->request->runs};
    uint64_t vector_share =
        puts(request) ? job->source_share : job->target_share;
    uint32_t processors = (uint32_t)bench->machine->devices[0].processors;
    struct cs_jsonl line = {};
    double times = 1;
    enum cs_datasheet_path path = path_of(bench, request, &times);

    cs_gpu_line(bench->machine, "stream", &line);
    cs_jsonl_text(&line, "role", roles[request->role]);
    cs_jsonl_text(&line, "slots", request->slots == HOST ? "host" : "device");
    cs_jsonl_text(&line, "vectors",
                  request->vectors == HOST ? "host" : "device");
    cs_jsonl_text(&line, "dtype",
                  request->dtype == CS_REQUEST_FP16 ? "fp16" : "fp32");
    cs_jsonl_u64(&line, "blocks", request->blocks);
    cs_jsonl_u64(&line, "threads", bench->request->threads);
    cs_jsonl_u64(&line, "slice_bytes", job->slice_bytes);
    cs_jsonl_u64(&line, "depth", bench->request->depth);
    cs_jsonl_u64(&line, "bytes",
                 request->blocks * job->slices * job->slice_bytes);
    cs_jsonl_u64(&line, "vector_bytes",
                 request->blocks * vector_share * job->slice_bytes);
    cs_jsonl_u64(&line, "runs", bench->request->runs);
    cs_gpu_line_sample(&line, "time", &sample);
    cs_gpu_line_rate(
        bench->machine, path,
        times * (double)(request->blocks * job->slices * job->slice_bytes) /
            cs_sample_figures_of(&sample).median,
        request->blocks >= processors, &line);
    cs_gpu_put(&line);
}

struct cs_stream_job job_of(const struct bench *bench,
                            const struct stream_request *request)
{
    uint32_t slice = bench->request->slice_bytes;
    uint64_t vectors =
        cs_stream_share(request->vector_bytes, request->blocks, slice);
    uint64_t slots = request->role == COPY
                         ? vectors
                         : cs_stream_share(slots_of(bench, request->blocks),
                                           request->blocks, slice);
    char *vector = request->vectors == HOST ? bench->host : bench->device;
    char *slot = request->slots == HOST ? bench->host_too : bench->device_too;
    bool host = request->slots == HOST || request->vectors == HOST;
    struct cs_stream_job job = {};

    job.source = puts(request) ? vector : slot;
    job.target = puts(request) ? slot : vector;
    job.source_share = puts(request) ? vectors : slots;
    job.target_share = puts(request) ? slots : vectors;
    job.slice_bytes = slice;
    job.adds = request->role == ADD;
    job.duplex = request->role == DUPLEX;
    job.times = bench->times;
    job.slices = cs_stream_slices_of(
        host ? CS_BENCH_BYTES / 16 : CS_BENCH_BYTES, request->blocks,
        (uint32_t)bench->machine->devices[0].processors, slice);
    return job;
}

/* Goes on in the region where the run before ended. */
int stream_once(struct bench *bench, const struct stream_request *request,
                struct cs_stream_job *job, double *seconds)
{
    int code;

    if (request->dtype == CS_REQUEST_FP16)
        cs_stream_slices<__half>
            <<<request->blocks, bench->request->threads, 0, bench->stream>>>(
                *job);
    else
        cs_stream_slices<float>
            <<<request->blocks, bench->request->threads, 0, bench->stream>>>(
                *job);
    job->from += job->slices;
    code = cs_gpu(bench->err, "starting copies", cudaGetLastError());
    if (!code)
        code =
            cs_gpu(bench->err, "copies", cudaStreamSynchronize(bench->stream));
    return code ? code
                : cs_stream_seconds(bench->times, request->blocks, seconds,
                                    bench->err);
}

/* One line; the first run warms up. */
int stream(struct bench *bench, const struct stream_request *request)
{
    struct cs_stream_job job = job_of(bench, request);
    double unused = 0;
    int code = 0;

    for (uint32_t i = 0; i <= bench->request->runs && !code; i++)
        code = stream_once(bench, request, &job,
                           i ? &bench->values[i - 1] : &unused);
    if (!code)
        put_stream(bench, request, &job);
    return code;
}

int streams(struct bench *bench, const struct stream_request *requests,
            size_t count)
{
    int code = 0;

    for (size_t i = 0; i < count && !code; i++)
        code = stream(bench, &requests[i]);
    return code;
}

/* Vectors that stay in L2 like the slots, and far larger ones than it. */
int streams_of_blocks(struct bench *bench, uint32_t blocks)
{
    uint64_t small = slots_of(bench, blocks);
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

/* With slots in pinned memory, and with vectors of servers there too. */
int streams_to_host(struct bench *bench, uint32_t blocks)
{
    uint64_t small = slots_of(bench, blocks);
    uint64_t large = (uint64_t)32 << 20; /* the link is slower than memory */
    uint64_t beyond = bench->host_room;  /* the caches of the host */
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

/* From what fits into L2 to what does not, on all processors. */
int streams_of_sizes(struct bench *bench)
{
    uint32_t blocks = (uint32_t)bench->machine->devices[0].processors;
    int code = 0;

    for (uint64_t bytes = (uint64_t)4 << 20; bytes <= bench->room && !code;
         bytes *= 2) {
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

int all_device_streams(struct bench *bench)
{
    uint32_t processors = (uint32_t)bench->machine->devices[0].processors;
    int code = streams_of_sizes(bench);

    for (uint32_t blocks = 1; blocks < 2 * processors && !code; blocks *= 2)
        if (blocks != processors)
            code = streams_of_blocks(bench, blocks);
    if (!code)
        code = streams_of_blocks(bench, processors);
    return code ? code : streams_of_blocks(bench, 2 * processors);
}

/* From one thread block on: where PCIe is full, more are no faster. */
int all_host_streams(struct bench *bench)
{
    uint32_t processors = (uint32_t)bench->machine->devices[0].processors;
    int code = 0;

    for (uint32_t blocks = 1; blocks < processors && !code; blocks *= 2)
        code = streams_to_host(bench, blocks);
    return code ? code : streams_to_host(bench, processors);
}

/* ---- copy engines ---- */

struct setup {
    const char *name;
    char *to, *from;
    char *to_too, *from_too; /* the other way at once, or NULL */
    enum cudaMemcpyKind kind, kind_too;
};

/* Both streams begin behind one event and are waited for by another. */
int copy_once(struct bench *bench, const struct setup *setup, uint64_t bytes,
              double *seconds)
{
    cudaEvent_t *events = bench->events;
    float ms = 0;
    int code = cs_gpu(bench->err, "an event",
                      cudaEventRecord(events[0], bench->stream));

    if (!code && setup->to_too)
        code = cs_gpu(bench->err, "an event",
                      cudaStreamWaitEvent(bench->back, events[0], 0));
    if (!code)
        code = cs_gpu(bench->err, "a copy",
                      cudaMemcpyAsync(setup->to, setup->from, bytes,
                                      setup->kind, bench->stream));
    if (!code && setup->to_too)
        code = cs_gpu(bench->err, "a copy",
                      cudaMemcpyAsync(setup->to_too, setup->from_too, bytes,
                                      setup->kind_too, bench->back));
    if (!code && setup->to_too)
        code = cs_gpu(bench->err, "an event",
                      cudaEventRecord(events[2], bench->back));
    if (!code && setup->to_too)
        code = cs_gpu(bench->err, "an event",
                      cudaStreamWaitEvent(bench->stream, events[2], 0));
    if (!code)
        code = cs_gpu(bench->err, "an event",
                      cudaEventRecord(events[1], bench->stream));
    if (!code)
        code =
            cs_gpu(bench->err, "copies", cudaStreamSynchronize(bench->stream));
    if (!code)
        code = cs_gpu(bench->err, "an event",
                      cudaEventElapsedTime(&ms, events[0], events[1]));
    *seconds = ms * 1e-3;
    return code;
}

enum {
    FILLS = 64 << 20, /* bytes of a copy that takes far longer than its start */
};

/* Of a copy within the GPU a byte is read and written. */
void put_rate(const struct bench *bench, const struct setup *setup,
              double rate_Bps, uint64_t bytes, struct cs_jsonl *line)
{
    bool inside = setup->kind == cudaMemcpyDeviceToDevice;

    cs_gpu_line_rate(
        bench->machine,
        inside ? cs_datasheet_place(bytes, bench->machine->devices[0].l2_bytes)
               : CS_DATASHEET_BUS,
        inside ? 2 * rate_Bps : rate_Bps, true, line);
}

int copy_by_engine(struct bench *bench, const struct setup *setup,
                   uint64_t bytes)
{
    struct cs_sample sample = {bench->values, bench->request->runs};
    struct cs_jsonl line = {};
    double unused = 0;
    int code = 0;

    for (uint32_t i = 0; i <= bench->request->runs && !code; i++)
        code =
            copy_once(bench, setup, bytes, i ? &bench->values[i - 1] : &unused);
    if (code)
        return code;
    cs_gpu_line(bench->machine, "memcpy", &line);
    cs_jsonl_text(&line, "way", setup->name);
    cs_jsonl_u64(&line, "bytes", bytes);
    cs_jsonl_u64(&line, "runs", bench->request->runs);
    cs_gpu_line_sample(&line, "time", &sample);
    if (bytes >= FILLS)
        put_rate(bench, setup,
                 (double)bytes / cs_sample_figures_of(&sample).median, bytes,
                 &line);
    cs_gpu_put(&line);
    return 0;
}

int all_sizes(struct bench *bench, const struct setup *setup, uint64_t most)
{
    int code = 0;

    for (uint64_t bytes = 4096; bytes <= most && !code; bytes *= 4)
        code = copy_by_engine(bench, setup, bytes);
    return code;
}

int device_engines(struct bench *bench)
{
    const struct setup setup = {
        "d2d", bench->device_too,        bench->device,           NULL,
        NULL,  cudaMemcpyDeviceToDevice, cudaMemcpyDeviceToDevice};

    return all_sizes(bench, &setup, bench->room);
}

int host_engines(struct bench *bench)
{
    const struct setup setups[] = {
        {"d2h", bench->host, bench->device, NULL, NULL, cudaMemcpyDeviceToHost,
         cudaMemcpyDeviceToHost},
        {"h2d", bench->device, bench->host, NULL, NULL, cudaMemcpyHostToDevice,
         cudaMemcpyHostToDevice},
        {"both", bench->host, bench->device, bench->device_too, bench->host_too,
         cudaMemcpyDeviceToHost, cudaMemcpyHostToDevice},
    };
    int code = 0;

    for (const struct setup &setup : setups)
        if (!code)
            code = all_sizes(bench, &setup, bench->host_room);
    return code;
}

/* ---- messages to and fro ---- */

/* Messages of many slices tell what each takes beyond its copy: its flag, its
 * fence, the barriers of the block. */
enum {
    ROUNDS = 64,
    FEW_ROUNDS = 4,
    PINGPONG_SLICES = 64,
};

/* Which messages: 0 rounds are an empty run. */
struct pingpong {
    enum cs_request_transport transport;
    uint32_t gpus, rounds, channels;
    uint64_t most_bytes;
};

/* Round 2k: rank 0 to rank 1; round 2k + 1: back. */
void make_pingpong(struct cs_op_table *table, struct cs_table_op *ops,
                   uint32_t rounds)
{
    *table = {};
    table->file = "pingpong";
    snprintf(table->algorithm, sizeof(table->algorithm), "pingpong");
    snprintf(table->collective, sizeof(table->collective), "custom");
    table->ranks = 2;
    table->lanes = table->blocks = table->parts = 1;
    table->ops = ops;
    for (uint32_t party = 0; party < 2; party++)
        for (uint32_t round = 0; round < rounds; round++) {
            struct cs_table_op *op = &ops[table->op_count++];

            *op = {};
            op->kind = round % 2 == party ? CS_TABLE_SEND : CS_TABLE_RECV;
            op->party = party;
            op->round = round;
            op->peer = 1 - party;
            op->count = 1;
        }
}

/* Warmed up once; what is written is what one message takes, or what events see
 * of an empty run beyond the device's clock. */
int repeat(struct bench *bench, struct cs_gpu_session *session, uint32_t rounds)
{
    int code = 0;

    for (uint32_t i = 0; i <= bench->request->runs && !code; i++) {
        struct cs_gpu_session_run run = {};

        code = cs_gpu_session_run(session, 1, &run);
        if (!code && rounds && run.wrong)
            code = cs_err_set(bench->err, CS_EANSWER,
                              "messages to and fro arrive with %llu wrong "
                              "numbers",
                              (unsigned long long)run.wrong);
        /* A time is more than nothing, whatever a clock's step makes of it. */
        if (i)
            bench->values[i - 1] = rounds
                                       ? run.device_s / rounds
                                       : fmax(1e-9, run.event_s - run.device_s);
    }
    return code;
}

int pingpong(struct bench *bench, struct cs_gpu_session *session,
             uint32_t rounds, uint64_t bytes)
{
    struct cs_sample sample = {bench->values, bench->request->runs};
    struct cs_jsonl line = {};
    int code = cs_gpu_session_set(session, CS_REQUEST_FP32, bytes);

    if (code == CS_GPU_SESSION_NO_ROOM)
        code = CS_ECANNOT;
    if (!code)
        code = repeat(bench, session, rounds);
    if (code)
        return code;
    cs_gpu_line(bench->machine, rounds ? "pingpong" : "launch", &line);
    cs_gpu_session_line(session, &line);
    cs_jsonl_u64(&line, "rounds", rounds);
    cs_jsonl_u64(&line, "blocks", 2 * (uint64_t)session->channels);
    cs_gpu_line_sample(&line, "time", &sample);
    cs_gpu_put(&line);
    return 0;
}

/* Between two ranks of one GPU, or of two. */
int pingpongs(struct bench *bench, const struct pingpong *which)
{
    struct cs_table_op ops[2 * ROUNDS];
    struct cs_request request = *bench->request;
    struct cs_arena arena = {};
    struct cs_gpu_session *session =
        (struct cs_gpu_session *)cs_arena_alloc(&arena, 1, sizeof(*session));
    struct cs_op_table table;
    struct cs_plan plan;
    int code;

    make_pingpong(&table, ops, which->rounds);
    request.transport = which->transport;
    request.channels = which->channels;
    request.gpus = which->gpus;
    session->request = &request;
    session->machine = bench->machine;
    session->err = bench->err;
    code = cs_plan_make(&table, &arena, &plan, bench->err);
    if (!code)
        code = cs_gpu_session_open(session, &table, &plan);
    for (uint64_t bytes = 16; bytes <= which->most_bytes && !code; bytes *= 2)
        code = pingpong(bench, session, which->rounds, bytes);
    cs_gpu_session_close(session);
    cs_arena_free(&arena);
    return code;
}

/* Of all sizes many times, of the smallest a few times. */
int pingpongs_by(struct bench *bench, enum cs_request_transport transport,
                 uint32_t gpus)
{
    const struct pingpong many = {transport, gpus, ROUNDS, 1,
                                  (uint64_t)PINGPONG_SLICES *
                                      bench->request->slice_bytes};
    const struct pingpong few = {transport, gpus, FEW_ROUNDS, 1, 16};
    int code = pingpongs(bench, &many);

    return code ? code : pingpongs(bench, &few);
}

int device_pingpongs(struct bench *bench)
{
    return pingpongs_by(bench, CS_REQUEST_DEVICE, 1);
}

int host_pingpongs(struct bench *bench)
{
    return pingpongs_by(bench, CS_REQUEST_HOST, 1);
}

/* By two thread blocks, and by as many as runs have at most. */
int launches(struct bench *bench)
{
    struct cs_gpu_shape shape = {CS_REQUEST_FP32, bench->request->threads};
    struct pingpong none = {CS_REQUEST_DEVICE, 1, 0, 1, 16};
    uint32_t resident = 0;
    int code = cs_gpu_resident(&shape, 0, &resident, bench->err);

    if (!code)
        code = pingpongs(bench, &none);
    none.channels = resident / 2;
    return code || resident < 4 ? code : pingpongs(bench, &none);
}

/* ---- graphs and clock ---- */

enum {
    CHAIN_BYTES = 16,
    CHAIN_APART = 4096, /* one small copy from the next */
    CHAIN_MOST = 256,
};

/* Seconds from an event in front of what is enqueued to one behind it. */
template <typename ENQUEUE>
int time_events(struct bench *bench, const char *what, ENQUEUE enqueue,
                double *seconds)
{
    float ms = 0;
    int code = cs_gpu(bench->err, "an event",
                      cudaEventRecord(bench->events[0], bench->stream));

    if (!code)
        code = cs_gpu(bench->err, what, enqueue());
    if (!code)
        code = cs_gpu(bench->err, "an event",
                      cudaEventRecord(bench->events[1], bench->stream));
    if (!code)
        code = cs_gpu(bench->err, what, cudaStreamSynchronize(bench->stream));
    if (!code)
        code = cs_gpu(
            bench->err, "an event",
            cudaEventElapsedTime(&ms, bench->events[0], bench->events[1]));
    *seconds = ms * 1e-3;
    return code;
}

/* Small copies of a graph. */
enum shape {
    CHAIN,
    SUM,
    OUT,
    IN,
    SHAPES,
};

const char *const shapes[] = {"chain", "sum", "out", "in"};

int line_of_graph(struct bench *bench, enum shape shape, uint32_t copies,
                  cudaGraphExec_t graph)
{
    struct cs_sample sample = {bench->values, bench->request->runs};
    struct cs_jsonl line = {};
    double unused = 0;
    int code = 0;

    for (uint32_t i = 0; i <= bench->request->runs && !code; i++)
        code = time_events(
            bench, "a graph",
            [bench, graph] { return cudaGraphLaunch(graph, bench->stream); },
            i ? &bench->values[i - 1] : &unused);
    if (code)
        return code;
    cs_gpu_line(bench->machine, "graph", &line);
    cs_jsonl_text(&line, "way", shapes[shape]);
    cs_jsonl_u64(&line, "copies", copies);
    cs_jsonl_u64(&line, "bytes", CHAIN_BYTES);
    cs_jsonl_u64(&line, "runs", bench->request->runs);
    cs_gpu_line_sample(&line, "time", &sample);
    cs_gpu_put(&line);
    return 0;
}

cudaError_t small_copy(struct bench *bench, bool out, uint32_t number,
                       cudaStream_t stream)
{
    char *there = bench->device + (uint64_t)number * CHAIN_APART;
    char *here = bench->host + (uint64_t)number * CHAIN_APART;

    return out ? cudaMemcpyAsync(here, there, CHAIN_BYTES,
                                 cudaMemcpyDeviceToHost, stream)
               : cudaMemcpyAsync(there, here, CHAIN_BYTES,
                                 cudaMemcpyHostToDevice, stream);
}

/* Each waits for the one before; with sums every second copy is followed by a
 * kernel. */
cudaError_t capture_chain(struct bench *bench, enum shape shape,
                          uint32_t copies)
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

/* Each on a branch of its own. */
cudaError_t capture_branches(struct bench *bench, enum shape shape,
                             uint32_t copies)
{
    cudaError_t status = cudaEventRecord(bench->events[0], bench->stream);

    for (uint32_t i = 0; i < copies && status == cudaSuccess; i++) {
        cudaStream_t stream = bench->branches[i];

        status = cudaStreamWaitEvent(stream, bench->events[0], 0);
        if (status == cudaSuccess)
            status = small_copy(bench, shape == OUT, i, stream);
        if (status == cudaSuccess)
            status = cudaEventRecord(bench->ends[i], stream);
        if (status == cudaSuccess)
            status = cudaStreamWaitEvent(bench->stream, bench->ends[i], 0);
    }
    return status;
}

int capture(struct bench *bench, enum shape shape, uint32_t copies,
            cudaGraphExec_t *made)
{
    cudaGraph_t graph = NULL;
    cudaError_t ended;
    int code = cs_gpu(
        bench->err, "beginning a graph",
        cudaStreamBeginCapture(bench->stream, cudaStreamCaptureModeRelaxed));

    if (code)
        return code;
    code = cs_gpu(bench->err, "a copy of a graph",
                  shape < OUT ? capture_chain(bench, shape, copies)
                              : capture_branches(bench, shape, copies));
    ended = cudaStreamEndCapture(bench->stream, &graph);
    if (!code)
        code = cs_gpu(bench->err, "ending a graph", ended);
    if (!code)
        code = cs_gpu(bench->err, "a graph",
                      cudaGraphInstantiateWithFlags(made, graph, 0));
    if (graph)
        cudaGraphDestroy(graph);
    if (!code)
        code = cs_gpu(bench->err, "uploading a graph",
                      cudaGraphUpload(*made, bench->stream));
    return code;
}

int graphs_of(struct bench *bench, enum shape shape)
{
    uint32_t most = shape < OUT ? (uint32_t)CHAIN_MOST : (uint32_t)BRANCHES;
    int code = 0;

    for (uint32_t copies = shape == SUM ? 2 : 1; copies <= most && !code;
         copies *= 4) {
        cudaGraphExec_t graph = NULL;

        code = capture(bench, shape, copies, &graph);
        if (!code)
            code = line_of_graph(bench, shape, copies, graph);
        if (graph)
            cudaGraphExecDestroy(graph);
    }
    return code;
}

/* What runs by copy engines are made of (staged.cu). */
int graphs(struct bench *bench)
{
    int code = 0;

    for (uint32_t i = 0; i < BRANCHES && !code; i++) {
        code = cs_gpu(bench->err, "a stream",
                      cudaStreamCreateWithFlags(&bench->branches[i],
                                                cudaStreamNonBlocking));
        if (!code)
            code = cs_gpu(bench->err, "an event",
                          cudaEventCreateWithFlags(&bench->ends[i],
                                                   cudaEventDisableTiming));
    }
    for (int shape = CHAIN; shape < SHAPES && !code; shape++)
        code = graphs_of(bench, (enum shape)shape);
    for (uint32_t i = 0; i < BRANCHES; i++) {
        if (bench->ends[i])
            cudaEventDestroy(bench->ends[i]);
        if (bench->branches[i])
            cudaStreamDestroy(bench->branches[i]);
        bench->ends[i] = NULL;
        bench->branches[i] = NULL;
    }
    return code;
}

int timer(struct bench *bench)
{
    struct cs_jsonl line = {};
    uint64_t step = 0;
    int code;

    step_of_timer<<<1, 1, 0, bench->stream>>>(bench->times);
    code = cs_gpu(bench->err, "reading the clock", cudaGetLastError());
    if (!code)
        code = cs_gpu(bench->err, "reading the clock",
                      cudaStreamSynchronize(bench->stream));
    if (!code)
        code = cs_gpu(bench->err, "reading the clock",
                      cudaMemcpy(&step, bench->times, sizeof(step),
                                 cudaMemcpyDeviceToHost));
    if (code)
        return code;
    cs_gpu_line(bench->machine, "timer", &line);
    cs_jsonl_real(&line, "time_s", (double)step * 1e-9);
    cs_gpu_put(&line);
    return 0;
}

/* ---- all of it ---- */

/* Regions hold the slots of all blocks, whatever a slice is. */
int choose_room(struct bench *bench)
{
    uint32_t processors = (uint32_t)bench->machine->devices[0].processors;
    uint64_t room;
    size_t free_bytes = 0;
    size_t all_bytes = 0;
    int code = cs_gpu(bench->err, "how much memory is free",
                      cudaMemGetInfo(&free_bytes, &all_bytes));

    bench->room = slots_of(bench, 2 * processors);
    /* As large as many ranks' vectors are together. */
    for (room = CS_BENCH_BYTES; 3 * (2 * room) < free_bytes; room *= 2)
        continue;
    if (bench->room < room)
        bench->room = room;
    return code;
}

int open_device(struct bench *bench)
{
    int code = cs_gpu(bench->err, "choosing a GPU", cudaSetDevice(0));

    if (!code)
        code = choose_room(bench);
    for (cudaEvent_t &event : bench->events)
        if (!code)
            code = cs_gpu(bench->err, "an event", cudaEventCreate(&event));
    for (cudaStream_t *stream : {&bench->stream, &bench->back})
        if (!code)
            code = cs_gpu(bench->err, "a stream", cudaStreamCreate(stream));
    for (char **memory : {&bench->device, &bench->device_too})
        if (!code)
            code = cs_gpu(bench->err, "memory of a GPU",
                          cudaMalloc((void **)memory, bench->room));
    for (char **memory : {&bench->device, &bench->device_too})
        if (!code)
            code = cs_gpu(bench->err, "setting memory",
                          cudaMemset(*memory, 0, bench->room));
    if (!code)
        code = cs_gpu(bench->err, "memory of a GPU",
                      cudaMalloc((void **)&bench->times, 16 << 12));
    return code;
}

int open_host(struct bench *bench)
{
    uint32_t processors = (uint32_t)bench->machine->devices[0].processors;
    int code = 0;

    bench->host_room = slots_of(bench, processors);
    if (bench->host_room > (uint64_t)4 << 30)
        return cs_err_set(bench->err, CS_EINPUT,
                          "%u slots of %u bytes for each of %u thread blocks "
                          "are more than 4 GiB of pinned memory; take a "
                          "smaller --slice or --depth",
                          bench->request->depth, bench->request->slice_bytes,
                          processors);
    if (bench->host_room < (uint64_t)256 << 20)
        bench->host_room = (uint64_t)256 << 20;
    for (char **memory : {&bench->host, &bench->host_too})
        if (!code)
            code = cs_gpu(bench->err, "pinned memory",
                          cs_gpu_pin(memory, bench->host_room));
    for (char *memory : {bench->host, bench->host_too})
        if (!code)
            memset(memory, 0, bench->host_room);
    return code;
}

void close_bench(struct bench *bench)
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

/* Between GPUs, where there are several. */
int between_gpus(struct bench *bench)
{
    struct cs_err why = {};
    int code = cs_gpu_peers(bench->request, bench->machine, bench->err);

    if (!code && bench->machine->count > 1 && !cs_gpu_reach(0, 1, &why) &&
        !cs_gpu_reach(1, 0, &why))
        code = pingpongs_by(bench, CS_REQUEST_DEVICE, 2);
    return code;
}

/* In the order of worth; `needs` has to be open. */
enum needs {
    NOTHING,
    MEMORY, /* of the GPU, and streams */
    PINNED, /* of the host too */
};

const struct part {
    const char *name;
    enum needs needs;
    int (*measure)(struct bench *bench);
} parts[] = {
    {"messages on the device", NOTHING, device_pingpongs},
    {"launches", NOTHING, launches},
    {"memory of the device", NOTHING, open_device},
    {"clock", MEMORY, timer},
    {"copies on the device", MEMORY, device_engines},
    {"thread blocks on the device", MEMORY, all_device_streams},
    {"messages through the host", NOTHING, host_pingpongs},
    {"memory of the host", MEMORY, open_host},
    {"graphs", PINNED, graphs},
    {"copy engines", PINNED, host_engines},
    {"thread blocks to the host", PINNED, all_host_streams},
    {"between GPUs", NOTHING, between_gpus},
};

/* A part that failed, or with no name the end of all. */
void put_end(const struct bench *bench, const char *part, uint32_t failed)
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

int measure_part(struct bench *bench, const struct part *part)
{
    int code = 0;

    if (part->needs == NOTHING)
        return part->measure(bench);
    code = cs_gpu_warm(CS_GPU_WARM_NS, bench->stream, bench->err);
    return code ? code : part->measure(bench);
}

} // namespace

int cs_gpu_calibrate(const struct cs_request *request,
                     const struct cs_gpu_machine *machine, struct cs_err *err)
{
    enum needs open = NOTHING;
    struct bench bench = {};
    struct cs_err why = {};
    uint32_t failed = 0;
    int first = 0;

    bench.request = request;
    bench.machine = machine;
    bench.err = &why;
    bench.values =
        (double *)cs_arena_alloc(&bench.arena, request->runs, sizeof(double));
    for (const struct part &part : parts) {
        int code;

        if (part.needs > open)
            continue; /* the line says so of what has not opened */
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
