/*
 * A session from opening to closing: streams, channels, sizes, and the fields of a
 * line.  Memory is in session_memory.cu, a run in session_run.cu.
 */
#include "validate/cuda/session.cuh"

namespace
{

/* The channels for which every GPU holds the blocks of its lanes at once: a block
 * that is not resident never starts, and its peers wait for ever. */
int most_channels(struct cs_gpu_session *session, uint32_t *most)
{
    uint32_t *lanes =
        (uint32_t *)cs_arena_alloc(&session->arena, session->plan->lane_count, sizeof(*lanes));
    int code = 0;

    *most = UINT32_MAX;
    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++) {
        uint32_t count = cs_gpu_session_lanes(session, gpu, lanes);
        uint32_t resident = 0;

        code = cs_gpu_session_select(session, gpu);
        if (!code)
            code = cs_gpu_resident(&session->shape, (int)gpu, &resident, session->err);
        if (count > 0 && resident / count < *most)
            *most = resident / count;
    }
    return code;
}

int choose_channels(struct cs_gpu_session *session)
{
    const struct cs_request *request = session->request;
    uint32_t most;
    int code = most_channels(session, &most);

    if (code)
        return code;
    session->channels = request->channels ? request->channels
                                          : cs_plan_channels(session->plan, session->bytes, most,
                                                             request->channel_bytes);
    if (request->transport == CS_REQUEST_COPY)
        session->channels = 1;
    else if (session->channels > most)
        return cs_err_set(session->err, CS_EINPUT,
                          "%u channels of %u lanes on %u GPUs, and thread "
                          "blocks of %u threads can be resident together for "
                          "%u channels; take fewer channels, threads or ranks",
                          session->channels, session->plan->lane_count, session->gpus,
                          session->shape.threads, most);
    return 0;
}

int reach_peers(struct cs_gpu_session *session)
{
    int code = 0;

    for (uint32_t from = 0; from < session->gpus; from++)
        for (uint32_t to = 0; to < session->gpus && !code; to++)
            if (from != to)
                code = cs_gpu_reach(from, to, session->err);
    return code;
}

int open_gpus(struct cs_gpu_session *session)
{
    int code = 0;

    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++) {
        code = cs_gpu_session_select(session, gpu);
        code = CS_GPU(session->err, "a stream",
                      cudaStreamCreateWithFlags(&session->streams[gpu], cudaStreamNonBlocking));
        for (int i = 0; i < 2 && !code; i++)
            code = cs_gpu(session->err, "an event", cudaEventCreate(&session->events[gpu][i]));
    }
    return code;
}

} // namespace

uint32_t cs_gpu_session_element_bytes(uint32_t dtype)
{
    return dtype == CS_REQUEST_FP16 ? 2 : 4;
}

uint32_t cs_gpu_session_gpu_of(const struct cs_gpu_session *session, uint32_t party)
{
    return cs_gpu_session_is_agent(session, party) ? 0
                                                   : party * session->gpus / session->plan->ranks;
}

uint32_t cs_gpu_session_lanes(const struct cs_gpu_session *session, uint32_t gpu, uint32_t *lanes)
{
    uint32_t count = 0;

    for (uint32_t lane = 0; lane < session->plan->lane_count; lane++)
        if (cs_gpu_session_gpu_of(session, cs_gpu_session_party_of(session, lane)) == gpu)
            lanes[count++] = lane;
    return count;
}

int cs_gpu_session_select(struct cs_gpu_session *session, uint32_t gpu)
{
    return cs_gpu(session->err, "choosing a GPU", cudaSetDevice((int)gpu));
}

int cs_gpu_session_open(struct cs_gpu_session *session, const struct cs_op_table *table,
                        const struct cs_gpu_plan *plan)
{
    int code;

    session->table = table;
    session->plan = plan;
    session->gpus = session->request->gpus;
    if ((int)session->gpus > session->machine->count)
        return cs_err_set(session->err, CS_ECANNOT, "--gpus %u, and this node has %d",
                          session->gpus, session->machine->count);
    if (session->gpus > plan->ranks)
        return cs_err_set(session->err, CS_EINPUT, "--gpus %u for %u ranks", session->gpus,
                          plan->ranks);
    if (session->request->delay.time_ps > 0 && session->request->delay.rank >= plan->ranks)
        return cs_err_set(session->err, CS_EINPUT, "--delay of rank %u, and the table has %u ranks",
                          session->request->delay.rank, plan->ranks);
    for (uint32_t i = 0; i < plan->op_count; i++)
        session->waits = session->waits || plan->ops[i].kind == CS_TABLE_WAIT;
    code = open_gpus(session);
    if (!code && session->request->transport == CS_REQUEST_DEVICE)
        code = reach_peers(session);
    return code;
}

void cs_gpu_session_size(struct cs_gpu_session *session, uint32_t dtype, uint64_t bytes)
{
    uint32_t each = cs_gpu_session_element_bytes(dtype);

    session->elements = bytes / each;
    session->bytes = session->elements * each;
    session->shape.dtype = dtype;
    session->shape.threads = session->request->threads;
    session->channels = 0;
}

int cs_gpu_session_set(struct cs_gpu_session *session, uint32_t dtype, uint64_t bytes)
{
    const struct cs_gpu_plan *plan = session->plan;
    uint32_t each = cs_gpu_session_element_bytes(dtype);
    bool host = session->request->transport != CS_REQUEST_DEVICE ||
                (session->request->servers == CS_REQUEST_HOST && plan->parties > plan->ranks);
    struct cs_gpu_program program = {};
    uint64_t *starts;
    int code;

    cs_arena_free(&session->arena);
    cs_gpu_session_size(session, dtype, bytes);
    code = choose_channels(session);
    if (code)
        return code;
    session->times = (uint64_t *)cs_arena_alloc(
        &session->arena, 2 * (size_t)plan->lane_count * session->channels, 8);
    session->lanes =
        (uint32_t *)cs_arena_alloc(&session->arena, plan->lane_count, sizeof(*session->lanes));
    session->ends_s = (double *)cs_arena_alloc(&session->arena, plan->ranks, sizeof(double));
    starts = cs_plan_starts(plan, session->elements, each, &session->arena);
    session->inputs = (char **)cs_arena_alloc(&session->arena, plan->parties, sizeof(char *));
    session->outputs = (char **)cs_arena_alloc(&session->arena, plan->parties, sizeof(char *));
    session->links = (struct cs_warp_link *)cs_arena_alloc(&session->arena, plan->link_count,
                                                           sizeof(*session->links));
    program.warp.cut.blocks = plan->blocks;
    program.warp.cut.channels = session->channels;
    program.warp.cut.slice_bytes = session->request->slice_bytes;
    program.warp.depth = session->request->depth;
    program.warp.lanes = plan->lanes;
    program.warp.system = host || session->gpus > 1;
    program.warp.waits = session->waits;
    program.devices = session->gpus;
    program.deadline_ns = session->request->deadline_ps / 1000;
    program.delay_party = session->request->delay.rank;
    program.delay_ns = session->request->delay.time_ps / 1000;
    for (uint32_t gpu = 0; gpu < session->gpus; gpu++) {
        program.device = gpu;
        session->programs[gpu] = program;
    }
    code = cs_gpu_session_place(session, starts);
    return code ? code : cs_gpu_session_keep_warm(session);
}

void cs_gpu_session_close(struct cs_gpu_session *session)
{
    for (int kind = 0; kind < CS_AREA_KINDS; kind++)
        for (uint32_t place = 0; place < CS_AREAS; place++) {
            char *base = session->areas[kind][place].base;

            if (base && place == CS_AREA_HOST)
                cudaFreeHost(base);
            else if (base)
                cudaFree(base);
        }
    for (uint32_t gpu = 0; gpu < session->gpus; gpu++) {
        for (cudaEvent_t event : session->events[gpu])
            if (event)
                cudaEventDestroy(event);
        if (session->streams[gpu])
            cudaStreamDestroy(session->streams[gpu]);
    }
    cs_arena_free(&session->arena);
}

int cs_gpu_settle(struct cs_request *request, const struct cs_gpu_machine *machine,
                  struct cs_err *err)
{
    struct cs_gpu_shape shape = {CS_REQUEST_FP32, request->threads};
    uint32_t resident = 0;
    int code;

    if (request->slice_bytes > 0 || request->task == CS_REQUEST_MACHINE ||
        request->task == CS_REQUEST_NCCL)
        return 0;
    if (request->transport == CS_REQUEST_COPY) {
        request->slice_bytes = CS_PLAN_COPY_SLICE;
        return 0;
    }
    code = cs_gpu(err, "choosing a GPU", cudaSetDevice(0));
    if (!code)
        code = cs_gpu_resident(&shape, 0, &resident, err);
    request->slice_bytes = cs_plan_slice(machine->devices[0].l2_bytes, resident, request->depth);
    return code;
}

void cs_gpu_session_line(const struct cs_gpu_session *session, struct cs_jsonl *line)
{
    const struct cs_request *request = session->request;
    char hash[17];

    snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)session->table->hash);

    cs_jsonl_text(line, "algorithm", session->table->algorithm);
    cs_jsonl_text(line, "collective", session->table->collective);
    cs_jsonl_u64(line, "ranks", session->plan->ranks);
    cs_jsonl_u64(line, "agents", session->plan->parties - session->plan->ranks);
    cs_jsonl_u64(line, "lanes", session->plan->lanes);
    cs_jsonl_u64(line, "table_blocks", session->plan->blocks);
    cs_jsonl_u64(line, "table_parts", session->plan->parts);
    cs_jsonl_u64(line, "chunks", session->table->chunks);
    cs_jsonl_u64(line, "shards", session->table->shards);
    cs_jsonl_u64(line, "slices", session->table->slices);
    cs_jsonl_text(line, "table", hash);
    cs_jsonl_u64(line, "gpus_used", session->gpus);
    cs_jsonl_text(line, "transport", cs_request_transport_names[request->transport]);
    cs_jsonl_text(line, "servers", cs_request_transport_names[request->servers]);
    cs_jsonl_u64(line, "bytes", session->bytes);
    cs_jsonl_text(line, "dtype", session->shape.dtype == CS_REQUEST_FP16 ? "fp16" : "fp32");
    cs_jsonl_u64(line, "channels", session->channels);
    cs_jsonl_u64(line, "slice_bytes", request->slice_bytes);
    cs_jsonl_u64(line, "depth", request->depth);
    cs_jsonl_u64(line, "threads", request->threads);
    cs_jsonl_u64(line, "runs", request->runs);
    cs_jsonl_u64(line, "warmup", request->warmup);
    if (request->delay.time_ps == 0)
        return;
    cs_jsonl_u64(line, "delay_rank", request->delay.rank);
    cs_jsonl_real(line, "delay_s", 1e-12 * (double)request->delay.time_ps);
}
