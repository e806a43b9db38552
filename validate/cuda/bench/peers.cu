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
    struct cs_bench *bench;
    struct end ends[CS_GPUS_MAX];
    uint64_t room; /* of vectors and of slots of an end */
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

/* Whether every pair has peer access: a pattern without is skipped. */
bool reaches(const struct pattern *pattern)
{
    struct cs_err why = {};

    for (uint32_t i = 0; i < pattern->senders; i++)
        if (cs_gpu_reach(i, receiver(pattern, i), &why))
            return false;
    return true;
}

/* Does `act` for every GPU, which is selected. */
template <typename ACT> int on_all(struct peers *peers, ACT act)
{
    struct cs_err *err = peers->bench->err;
    int code = 0;

    for (int i = 0; i < peers->bench->machine->count && !code; i++) {
        code = cs_gpu(err, "choosing a GPU", cudaSetDevice(i));
        if (!code)
            code = act(&peers->ends[i], err);
    }
    return code;
}

int open_ends(struct peers *peers)
{
    return on_all(peers, [peers](struct end *end, struct cs_err *err) {
        size_t times = 32 * (size_t)cs_bench_processors(peers->bench);
        int code = 0;

        for (char **memory : {&end->vectors, &end->slots})
            code = CS_GPU(err, "memory of a GPU", cudaMalloc((void **)memory, peers->room));
        code = CS_GPU(err, "memory of a GPU", cudaMalloc((void **)&end->times, times));
        code = CS_GPU(err, "setting memory", cudaMemset(end->vectors, 0, peers->room));
        code =
            CS_GPU(err, "a stream", cudaStreamCreateWithFlags(&end->stream, cudaStreamNonBlocking));
        return code;
    });
}

void close_ends(struct peers *peers)
{
    for (int i = 0; i < peers->bench->machine->count; i++) {
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
    const struct cs_request *request = peers->bench->request;
    struct cs_stream_job job = {};

    job.source = peers->ends[sender].vectors;
    job.target = peers->ends[receiver(pattern, sender)].slots;
    job.source_share = cs_stream_share(peers->room, blocks, request->slice_bytes);
    job.target_share = request->depth;
    job.slice_bytes = request->slice_bytes;
    job.slices = cs_stream_slices_of(CS_BENCH_BYTES, blocks, cs_bench_processors(peers->bench),
                                     request->slice_bytes);
    job.times = peers->ends[sender].times;
    return job;
}

/* Seconds of the slowest sender. */
int run_once(struct peers *peers, const struct pattern *pattern, uint32_t blocks, double *seconds)
{
    struct cs_err *err = peers->bench->err;
    int code = 0;

    *seconds = 0;
    for (uint32_t i = 0; i < pattern->senders && !code; i++) {
        code = cs_gpu(err, "choosing a GPU", cudaSetDevice((int)i));
        if (code)
            break;
        cs_stream_slices<float>
            <<<blocks, peers->bench->request->threads, 0, peers->ends[i].stream>>>(
                job_of(peers, pattern, i, blocks));
        code = cs_gpu(err, "starting copies", cudaGetLastError());
    }
    for (uint32_t i = 0; i < pattern->senders && !code; i++) {
        double here = 0;

        code = cs_gpu(err, "copies to a peer", cudaStreamSynchronize(peers->ends[i].stream));
        if (!code)
            code = cs_stream_seconds(peers->ends[i].times, blocks, &here, err);
        *seconds = here > *seconds ? here : *seconds;
    }
    return code;
}

/* NVLink joins pairs with native atomics, PCIe pairs without. A pair may have a part
 * of the links of a GPU only: no rate is too low. */
void put_limit(const struct cs_gpu_machine *machine, const struct pattern *pattern, double rate_Bps,
               struct cs_jsonl *line)
{
    size_t row = (size_t)machine->count + 1;
    bool nvlink = true;

    for (uint32_t i = 0; i < pattern->senders; i++)
        nvlink = nvlink && machine->peers[i * row + receiver(pattern, i)] == 'n';
    cs_gpu_line_rate(machine, nvlink ? CS_DATASHEET_NVLINK : CS_DATASHEET_BUS, rate_Bps, false,
                     line);
}

/* A run to warm up, then a line. */
int measure(struct peers *peers, const struct pattern *pattern, uint32_t blocks)
{
    struct cs_bench *bench = peers->bench;
    struct cs_stream_job job = job_of(peers, pattern, 0, blocks);
    struct cs_jsonl line = {};
    double rate_Bps;
    int code = cs_gpu_repeat(bench->request->runs, bench->values, [=](double *seconds) {
        return run_once(peers, pattern, blocks, seconds);
    });

    if (code)
        return code;
    cs_gpu_line(bench->machine, "stream", &line);
    cs_jsonl_text(&line, "role", "put");
    cs_jsonl_text(&line, "slots", "peer");
    cs_jsonl_text(&line, "vectors", "device");
    cs_jsonl_text(&line, "setup", pattern->peer ? "one" : "ring");
    cs_jsonl_u64(&line, "peer", receiver(pattern, 0));
    cs_jsonl_u64(&line, "gpus_used", pattern->peer ? 2 : pattern->senders);
    rate_Bps = cs_bench_stream_line(bench, &job, blocks, job.source_share, &line);
    put_limit(bench->machine, pattern, rate_Bps, &line);
    cs_gpu_put(&line);
    return 0;
}

/* Every GPU, receivers too: clocks are up when a pattern begins. */
int warm_all(struct peers *peers)
{
    int code = on_all(peers, [](struct end *end, struct cs_err *err) {
        return cs_gpu_warm(CS_GPU_WARM_NS, end->stream, err);
    });

    return code ? code : on_all(peers, [](struct end *end, struct cs_err *err) {
        return cs_gpu(err, "keeping a GPU busy", cudaStreamSynchronize(end->stream));
    });
}

int measure_blocks(struct peers *peers, struct pattern pattern)
{
    uint32_t processors = cs_bench_processors(peers->bench);
    int code;

    if (!reaches(&pattern))
        return 0;
    code = warm_all(peers);
    for (uint32_t blocks = 1; blocks < processors && !code; blocks *= 2)
        code = measure(peers, &pattern, blocks);
    return code ? code : measure(peers, &pattern, processors);
}

} // namespace

int cs_gpu_peers(struct cs_bench *bench)
{
    struct peers peers = {};
    uint32_t gpus = (uint32_t)bench->machine->count;
    uint64_t slots = cs_bench_slots(bench, cs_bench_processors(bench));
    int code;

    if (gpus < 2)
        return 0;
    peers.bench = bench;
    peers.room = slots > CS_BENCH_BYTES ? slots : CS_BENCH_BYTES;
    code = open_ends(&peers);
    for (uint32_t peer = 1; peer < gpus && !code; peer++)
        code = measure_blocks(&peers, (struct pattern){1, peer});
    for (uint32_t ring = 2; ring <= gpus && !code; ring++)
        code = measure_blocks(&peers, (struct pattern){ring, 0});
    close_ends(&peers);
    return code;
}
