/*
 * Links between GPUs: thread blocks put slices into slots on a peer, from
 * the first GPU to the remaining GPUs, and concurrently around rings of 2 GPUs and
 * more (a ring of two is bidirectional).
 */
#include "validate/cuda/bench/bench.cuh"
#include "validate/cuda/stream.cuh"

namespace
{

struct end {
    char *vectors, *slots;
    uint64_t *times;
    cudaStream_t stream;
};

struct peers {
    const struct cs_request *request;
    const struct cs_gpu_machine *machine;
    struct cs_err *err;
    struct end ends[CS_GPUS_MAX];
    uint64_t room; /* of vectors and of slots of an end */
    double *values;
};

/* Senders and receivers of concurrent streams. */
struct pattern {
    uint32_t senders; /* GPUs 0 .. senders - 1 */
    uint32_t peer;    /* receiver of a single sender; 0: a ring */
};

uint32_t receiver(const struct pattern *pattern, uint32_t sender)
{
    return pattern->peer ? pattern->peer : (sender + 1) % pattern->senders;
}

uint32_t processors(const struct peers *peers)
{
    return (uint32_t)peers->machine->devices[0].processors;
}

/* Whether every pair has peer access: a pattern without is skipped. */
bool reaches(const struct peers *peers, const struct pattern *pattern)
{
    struct cs_err why = {};

    for (uint32_t i = 0; i < pattern->senders; i++)
        if (cs_gpu_reach(i, receiver(pattern, i), &why))
            return false;
    return true;
}

int open_ends(struct peers *peers)
{
    int code = 0;

    for (int i = 0; i < peers->machine->count && !code; i++) {
        struct end *end = &peers->ends[i];

        code = cs_gpu(peers->err, "choosing a GPU", cudaSetDevice(i));
        for (char **memory : {&end->vectors, &end->slots})
            if (!code)
                code =
                    cs_gpu(peers->err, "memory of a GPU", cudaMalloc((void **)memory, peers->room));
        if (!code)
            code = cs_gpu(peers->err, "memory of a GPU",
                          cudaMalloc((void **)&end->times, 32 * (size_t)processors(peers)));
        if (!code)
            code = cs_gpu(peers->err, "setting memory", cudaMemset(end->vectors, 0, peers->room));
        if (!code)
            code = cs_gpu(peers->err, "a stream",
                          cudaStreamCreateWithFlags(&end->stream, cudaStreamNonBlocking));
    }
    return code;
}

void close_ends(struct peers *peers)
{
    for (int i = 0; i < peers->machine->count; i++) {
        struct end *end = &peers->ends[i];

        cudaSetDevice(i);
        cudaFree(end->vectors);
        cudaFree(end->slots);
        cudaFree(end->times);
        if (end->stream)
            cudaStreamDestroy(end->stream);
    }
    cudaSetDevice(0);
}

struct cs_stream_job job_of(const struct peers *peers, const struct pattern *pattern,
                            uint32_t sender, uint32_t blocks)
{
    const struct cs_request *request = peers->request;
    struct cs_stream_job job = {};

    job.source = peers->ends[sender].vectors;
    job.target = peers->ends[receiver(pattern, sender)].slots;
    job.source_share = cs_stream_share(peers->room, blocks, request->slice_bytes);
    job.target_share = request->depth;
    job.slice_bytes = request->slice_bytes;
    job.slices =
        cs_stream_slices_of(CS_BENCH_BYTES, blocks, processors(peers), request->slice_bytes);
    job.times = peers->ends[sender].times;
    return job;
}

/* Seconds of the slowest sender. */
int run_once(struct peers *peers, const struct pattern *pattern, uint32_t blocks, double *seconds)
{
    int code = 0;

    *seconds = 0;
    for (uint32_t i = 0; i < pattern->senders && !code; i++) {
        code = cs_gpu(peers->err, "choosing a GPU", cudaSetDevice((int)i));
        if (code)
            break;
        cs_stream_slices<float><<<blocks, peers->request->threads, 0, peers->ends[i].stream>>>(
            job_of(peers, pattern, i, blocks));
        code = cs_gpu(peers->err, "starting copies", cudaGetLastError());
    }
    for (uint32_t i = 0; i < pattern->senders && !code; i++) {
        double here = 0;

        code = cs_gpu(peers->err, "copies to a peer", cudaStreamSynchronize(peers->ends[i].stream));
        if (!code)
            code = cs_stream_seconds(peers->ends[i].times, blocks, &here, peers->err);
        *seconds = here > *seconds ? here : *seconds;
    }
    return code;
}

/* NVLink joins pairs with native atomics, PCIe pairs without. A pair may have a part
 * of the links of a GPU only: no rate is too low. */
void put_limit(const struct peers *peers, const struct pattern *pattern, double rate_Bps,
               struct cs_jsonl *line)
{
    size_t row = (size_t)peers->machine->count + 1;
    bool nvlink = true;

    for (uint32_t i = 0; i < pattern->senders; i++)
        nvlink = nvlink && peers->machine->peers[i * row + receiver(pattern, i)] == 'n';
    cs_gpu_line_rate(peers->machine, nvlink ? CS_DATASHEET_NVLINK : CS_DATASHEET_BUS, rate_Bps,
                     false, line);
}

void put_line(struct peers *peers, const struct pattern *pattern, uint32_t blocks)
{
    const struct cs_request *request = peers->request;
    struct cs_stream_job job = job_of(peers, pattern, 0, blocks);
    struct cs_sample sample = {peers->values, request->runs};
    struct cs_jsonl line = {};

    cs_gpu_line(peers->machine, "stream", &line);
    cs_jsonl_text(&line, "role", "put");
    cs_jsonl_text(&line, "slots", "peer");
    cs_jsonl_text(&line, "vectors", "device");
    cs_jsonl_text(&line, "setup", pattern->peer ? "one" : "ring");
    cs_jsonl_u64(&line, "peer", receiver(pattern, 0));
    cs_jsonl_u64(&line, "gpus_used", pattern->peer ? 2 : pattern->senders);
    cs_jsonl_u64(&line, "blocks", blocks);
    cs_jsonl_u64(&line, "threads", request->threads);
    cs_jsonl_u64(&line, "slice_bytes", job.slice_bytes);
    cs_jsonl_u64(&line, "depth", request->depth);
    cs_jsonl_u64(&line, "bytes", blocks * job.slices * job.slice_bytes);
    cs_jsonl_u64(&line, "vector_bytes", blocks * job.source_share * job.slice_bytes);
    cs_jsonl_u64(&line, "runs", request->runs);
    cs_gpu_line_sample(&line, "time", &sample);
    put_limit(peers, pattern,
              (double)(blocks * job.slices * job.slice_bytes) /
                  cs_sample_figures_of(&sample).median,
              &line);
    cs_gpu_put(&line);
}

/* A run to warm up, then a line. */
int measure(struct peers *peers, const struct pattern *pattern, uint32_t blocks)
{
    double unused = 0;
    int code = 0;

    for (uint32_t i = 0; i <= peers->request->runs && !code; i++)
        code = run_once(peers, pattern, blocks, i ? &peers->values[i - 1] : &unused);
    if (!code)
        put_line(peers, pattern, blocks);
    return code;
}

/* Every GPU, receivers too: clocks are up when a pattern begins. */
int warm_all(struct peers *peers)
{
    int code = 0;

    for (int i = 0; i < peers->machine->count && !code; i++) {
        code = cs_gpu(peers->err, "choosing a GPU", cudaSetDevice(i));
        if (!code)
            code = cs_gpu_warm(CS_GPU_WARM_NS, peers->ends[i].stream, peers->err);
    }
    for (int i = 0; i < peers->machine->count && !code; i++)
        code =
            cs_gpu(peers->err, "keeping a GPU busy", cudaStreamSynchronize(peers->ends[i].stream));
    return code;
}

int measure_blocks(struct peers *peers, struct pattern pattern)
{
    int code;

    if (!reaches(peers, &pattern))
        return 0;
    code = warm_all(peers);
    for (uint32_t blocks = 1; blocks < processors(peers) && !code; blocks *= 2)
        code = measure(peers, &pattern, blocks);
    return code ? code : measure(peers, &pattern, processors(peers));
}

} // namespace

int cs_gpu_peers(const struct cs_request *request, const struct cs_gpu_machine *machine,
                 struct cs_err *err)
{
    struct peers peers = {};
    struct cs_arena arena = {};
    uint32_t gpus = (uint32_t)machine->count;
    int code;

    if (gpus < 2)
        return 0;
    peers.request = request;
    peers.machine = machine;
    peers.err = err;
    peers.values = (double *)cs_arena_alloc(&arena, request->runs, sizeof(double));
    peers.room = CS_BENCH_BYTES;
    if (peers.room < (uint64_t)processors(&peers) * request->depth * request->slice_bytes)
        peers.room = (uint64_t)processors(&peers) * request->depth * request->slice_bytes;
    code = open_ends(&peers);
    for (uint32_t peer = 1; peer < gpus && !code; peer++)
        code = measure_blocks(&peers, (struct pattern){1, peer});
    for (uint32_t ring = 2; ring <= gpus && !code; ring++)
        code = measure_blocks(&peers, (struct pattern){ring, 0});
    close_ends(&peers);
    cs_arena_free(&arena);
    return code;
}
