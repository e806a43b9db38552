#include "validate/cuda/session.cuh"

#include <time.h>

namespace
{

enum {
    PIECE = 256, /* where pieces of memory begin */
};

bool is_agent(const struct cs_gpu_session *session, uint32_t party)
{
    return party >= session->plan->ranks;
}

uint32_t party_of(const struct cs_gpu_session *session, uint32_t lane)
{
    return lane / session->plan->lanes;
}

bool keeps_on_host(const struct cs_gpu_session *session, uint32_t party)
{
    return is_agent(session, party) &&
           session->request->servers == CS_REQUEST_HOST;
}

/* ---- where things are ---- */

uint32_t vector_place(const struct cs_gpu_session *session, uint32_t party)
{
    return keeps_on_host(session, party)
               ? (uint32_t)CS_AREA_HOST
               : cs_gpu_session_gpu_of(session, party);
}

uint32_t slot_place(const struct cs_gpu_session *session,
                    const struct cs_plan_link *link)
{
    uint32_t sender = party_of(session, link->sender);
    uint32_t receiver = party_of(session, link->receiver);

    if (session->request->transport != CS_REQUEST_DEVICE ||
        keeps_on_host(session, sender) || keeps_on_host(session, receiver))
        return CS_AREA_HOST;
    return cs_gpu_session_gpu_of(session, receiver);
}

/* On the GPU where it is waited for, unless GPUs do not reach each other. */
uint32_t count_place(const struct cs_gpu_session *session, uint32_t party)
{
    if (session->request->transport != CS_REQUEST_DEVICE && session->gpus > 1)
        return CS_AREA_HOST;
    return cs_gpu_session_gpu_of(session, party);
}

char *take(const struct cs_gpu_session *session, struct cs_area *area,
           uint64_t bytes)
{
    char *piece = session->dry ? NULL : area->base + area->used;

    area->used += (bytes + PIECE - 1) / PIECE * PIECE;
    return piece;
}

void lay_out_vectors(struct cs_gpu_session *session)
{
    for (uint32_t party = 0; party < session->plan->parties; party++) {
        struct cs_area *area =
            &session->areas[CS_AREA_VECTORS][vector_place(session, party)];

        session->outputs[party] = take(session, area, session->bytes);
        if (session->plan->needs_input && !is_agent(session, party))
            session->inputs[party] = take(session, area, session->bytes);
    }
}

void lay_out_links(struct cs_gpu_session *session)
{
    uint64_t counts = (uint64_t)session->channels * CS_WARP_COUNT_WORDS * 4;
    uint64_t slots = (uint64_t)session->channels * session->request->depth *
                     session->request->slice_bytes;

    for (uint32_t i = 0; i < session->plan->link_count; i++) {
        const struct cs_plan_link *link = &session->plan->links[i];
        uint32_t sender = count_place(session, party_of(session, link->sender));
        uint32_t receiver =
            count_place(session, party_of(session, link->receiver));
        struct cs_warp_link *to = &session->links[i];

        to->slots = take(
            session, &session->areas[CS_AREA_SLOTS][slot_place(session, link)],
            slots);
        to->at_sender = (uint32_t *)take(
            session, &session->areas[CS_AREA_COUNTS][sender], counts);
        to->at_receiver = (uint32_t *)take(
            session, &session->areas[CS_AREA_COUNTS][receiver], counts);
    }
}

/* What belongs to each kernel alone, zeroed before each run. */
void lay_out_start(struct cs_gpu_session *session)
{
    uint64_t blocks = (uint64_t)session->plan->lane_count * session->channels;

    for (uint32_t gpu = 0; gpu < session->gpus; gpu++) {
        struct cs_gpu_program *program = &session->programs[gpu];
        struct cs_area *area = &session->areas[CS_AREA_COUNTS][gpu];

        program->warp.progress = (uint32_t *)take(session, area, 4 * blocks);
        program->times = (uint64_t *)take(session, area, 16 * blocks);
        program->arrived = (uint32_t *)take(session, area, 4);
        program->stuck =
            (struct cs_gpu_stuck *)take(session, area, sizeof(*program->stuck));
        session->wrong[gpu] = (unsigned long long *)take(session, area, 8);
    }
}

int grow(struct cs_gpu_session *session, uint32_t place, struct cs_area *area)
{
    char **base = &area->base;
    cudaError_t status;
    int code;

    if (area->used <= area->capacity)
        return 0;
    if (*base && place == CS_AREA_HOST)
        cudaFreeHost(*base);
    else if (*base)
        cudaFree(*base);
    *base = NULL;
    area->capacity = 0;
    status = place == CS_AREA_HOST ? cs_gpu_pin(base, area->used)
                                   : cudaMalloc((void **)base, area->used);
    if (status == cudaSuccess) {
        area->capacity = area->used;
        return 0;
    }
    cudaGetLastError();
    code = cs_gpu(session->err,
                  place == CS_AREA_HOST ? "pinned memory" : "memory of a GPU",
                  status);
    /* Anything else is no matter of the size. */
    return status == cudaErrorMemoryAllocation ? CS_GPU_SESSION_NO_ROOM : code;
}

int grow_all(struct cs_gpu_session *session)
{
    int code = 0;

    for (uint32_t place = 0; place < CS_AREAS && !code; place++) {
        if (place < session->gpus)
            code = cs_gpu_session_select(session, place);
        for (int kind = 0; kind < CS_AREA_KINDS && !code; kind++)
            code = grow(session, place, &session->areas[kind][place]);
    }
    return code;
}

/* ---- tables of a kernel ---- */

/* Copies `count` things to a device; NULL in the first pass. */
template <typename T>
const T *send(struct cs_gpu_session *session, uint32_t gpu, const T *from,
              uint64_t count, int *code)
{
    struct cs_area *area = &session->areas[CS_AREA_TABLES][gpu];
    char *to = take(session, area, count * sizeof(T));

    if (!session->dry && !*code && count > 0)
        *code = cs_gpu(
            session->err, "copying a table",
            cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice));
    return (const T *)to;
}

/* The lanes that a device does. */
uint32_t lanes_of(const struct cs_gpu_session *session, uint32_t gpu,
                  uint32_t *lanes)
{
    uint32_t count = 0;

    for (uint32_t lane = 0; lane < session->plan->lane_count; lane++)
        if (cs_gpu_session_gpu_of(session, party_of(session, lane)) == gpu)
            lanes[count++] = lane;
    return count;
}

int send_tables(struct cs_gpu_session *session, uint32_t gpu,
                const uint64_t *starts, uint32_t *lanes)
{
    const struct cs_plan *plan = session->plan;
    struct cs_gpu_program *program = &session->programs[gpu];
    struct cs_warp_program *warp = &program->warp;
    uint32_t *ready[CS_GPUS_MAX];
    int code = cs_gpu_session_select(session, gpu);

    for (uint32_t i = 0; i < session->gpus; i++)
        ready[i] = session->programs[i].ready_here;
    warp->rounds =
        send(session, gpu, plan->rounds, plan->lane_count + 1, &code);
    warp->ops_of =
        send(session, gpu, plan->ops_of, plan->round_count + 1, &code);
    warp->ops = send(session, gpu, plan->ops, plan->op_count, &code);
    warp->links = send(session, gpu, session->links, plan->link_count, &code);
    warp->inputs = send(session, gpu, session->inputs, plan->parties, &code);
    warp->outputs = send(session, gpu, session->outputs, plan->parties, &code);
    warp->cut.starts = send(session, gpu, starts, plan->blocks + 1, &code);
    program->lanes_here_count = lanes_of(session, gpu, lanes);
    program->lanes_here =
        send(session, gpu, lanes, program->lanes_here_count, &code);
    program->ready = send(session, gpu, ready, session->gpus, &code);
    return code;
}

/* Both passes: what there is of memory, then where. */
int lay_out(struct cs_gpu_session *session, const uint64_t *starts)
{
    uint32_t *lanes = (uint32_t *)cs_arena_alloc(
        &session->arena, session->plan->lane_count, sizeof(*lanes));
    int code = 0;

    for (int kind = 0; kind < CS_AREA_KINDS; kind++)
        for (struct cs_area &area : session->areas[kind])
            area.used = 0;
    lay_out_vectors(session);
    lay_out_links(session);
    lay_out_start(session);
    for (uint32_t gpu = 0; gpu < session->gpus; gpu++) {
        uint32_t place = session->gpus > 1 && session->request->transport
                             ? CS_AREA_HOST
                             : gpu;

        session->programs[gpu].ready_here =
            (uint32_t *)take(session, &session->areas[CS_AREA_COUNTS][place],
                             (uint64_t)session->gpus * CS_WARP_COUNT_WORDS * 4);
    }
    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++)
        code = send_tables(session, gpu, starts, lanes);
    return code;
}

/* How many channels each GPU holds the lanes of that it does, the least of it:
 * all blocks of a GPU have to be resident at once, or they wait for ever. */
int most_channels(struct cs_gpu_session *session, uint32_t *most)
{
    uint32_t *lanes = (uint32_t *)cs_arena_alloc(
        &session->arena, session->plan->lane_count, sizeof(*lanes));
    int code = 0;

    *most = UINT32_MAX;
    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++) {
        uint32_t count = lanes_of(session, gpu, lanes);
        uint32_t resident = 0;

        code = cs_gpu_session_select(session, gpu);
        if (!code)
            code = cs_gpu_resident(&session->shape, (int)gpu, &resident,
                                   session->err);
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
    session->channels = request->channels
                            ? request->channels
                            : cs_plan_channels(session->plan, session->bytes,
                                               most, request->channel_bytes);
    if (request->transport == CS_REQUEST_COPY)
        session->channels = 1;
    else if (session->channels > most)
        return cs_err_set(session->err, CS_EINPUT,
                          "%u channels of %u lanes on %u GPUs, and thread "
                          "blocks of %u threads can be resident together for "
                          "%u channels; take fewer channels, threads or ranks",
                          session->channels, session->plan->lane_count,
                          session->gpus, session->shape.threads, most);
    return 0;
}

/* ---- one run ---- */

int synchronize(struct cs_gpu_session *session)
{
    int code = 0;

    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++)
        code = cs_gpu(session->err, "waiting for a GPU",
                      cudaStreamSynchronize(session->streams[gpu]));
    return code;
}

/* Tables were copied from memory that is not pinned, on another stream than
 * kernels run on, which does not wait for it. */
int settle_copies(struct cs_gpu_session *session)
{
    int code = 0;

    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++) {
        code = cs_gpu_session_select(session, gpu);
        if (!code)
            code =
                cs_gpu(session->err, "copying tables", cudaDeviceSynchronize());
    }
    return code;
}

/* Pinned memory is set by the first GPU, which is faster than one processor of
 * the host. */
int set_bytes(struct cs_gpu_session *session, enum cs_area_kind kind, int value)
{
    int code = 0;

    for (uint32_t place = 0; place < CS_AREAS && !code; place++) {
        struct cs_area *area = &session->areas[kind][place];
        uint32_t gpu = place == CS_AREA_HOST ? 0 : place;

        if (area->used == 0)
            continue;
        code = cs_gpu_session_select(session, gpu);
        if (!code)
            code = cs_gpu(session->err, "setting memory",
                          cudaMemsetAsync(area->base, value, area->used,
                                          session->streams[gpu]));
    }
    return code;
}

struct cs_gpu_vector vector_at(const struct cs_gpu_session *session, char *at)
{
    struct cs_gpu_vector vector = {at, session->elements, session->shape.dtype};

    return vector;
}

int fill_party(struct cs_gpu_session *session, uint32_t party)
{
    uint32_t gpu = cs_gpu_session_gpu_of(session, party);
    struct cs_gpu_vector output = vector_at(session, session->outputs[party]);
    int code = cs_gpu_session_select(session, gpu);

    if (!code && is_agent(session, party))
        return cs_gpu(session->err, "emptying a server",
                      cudaMemsetAsync(output.at, 0, session->bytes,
                                      session->streams[gpu]));
    if (!code)
        code = cs_gpu_fill(&output, party, session->streams[gpu], session->err);
    if (!code && session->plan->needs_input) {
        struct cs_gpu_vector input = vector_at(session, session->inputs[party]);

        code = cs_gpu_fill(&input, party, session->streams[gpu], session->err);
    }
    return code;
}

int start_all(struct cs_gpu_session *session)
{
    int code = 0;

    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++) {
        cudaStream_t stream = session->streams[gpu];

        code = cs_gpu_session_select(session, gpu);
        if (!code)
            code = cs_gpu(session->err, "an event",
                          cudaEventRecord(session->events[gpu][0], stream));
        if (!code)
            code = cs_gpu_launch(&session->shape, &session->programs[gpu],
                                 stream, session->err);
        if (!code)
            code = cs_gpu(session->err, "an event",
                          cudaEventRecord(session->events[gpu][1], stream));
    }
    return code;
}

int report_stuck(struct cs_gpu_session *session,
                 const struct cs_gpu_stuck *stuck)
{
    const struct cs_table_op *op = &session->table->ops[stuck->op];

    if (stuck->where == CS_GPU_STUCK_START)
        return cs_err_set(session->err, CS_EANSWER,
                          "the thread blocks did not all start before the "
                          "deadline");
    return cs_err_at(session->err, CS_EANSWER, session->table->file, op->line,
                     "party %u, channel %u waited in round %u until the "
                     "deadline; %u slices moved here, %u at the other side",
                     op->party, stuck->channel, stuck->round, stuck->mine,
                     stuck->other);
}

/* What the clock of a device says, and whether something was stuck. */
int read_gpu(struct cs_gpu_session *session, uint32_t gpu,
             struct cs_gpu_session_run *run)
{
    const struct cs_gpu_program *program = &session->programs[gpu];
    uint32_t blocks = program->lanes_here_count * session->channels;
    uint64_t *times = session->times;
    struct cs_gpu_stuck stuck;
    float event_ms = 0;
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
    int code = cs_gpu_session_select(session, gpu);

    if (!code)
        code = cs_gpu(session->err, "reading what was stuck",
                      cudaMemcpy(&stuck, program->stuck, sizeof(stuck),
                                 cudaMemcpyDeviceToHost));
    if (!code && stuck.where)
        code = report_stuck(session, &stuck);
    if (!code)
        code = cs_gpu(session->err, "reading times",
                      cudaMemcpy(times, program->times, 16 * (size_t)blocks,
                                 cudaMemcpyDeviceToHost));
    if (!code)
        code = cs_gpu(session->err, "reading events",
                      cudaEventElapsedTime(&event_ms, session->events[gpu][0],
                                           session->events[gpu][1]));
    for (uint32_t i = 0; i < blocks; i++) {
        first = times[2 * i] < first ? times[2 * i] : first;
        last = times[2 * i + 1] > last ? times[2 * i + 1] : last;
    }
    if (!code && blocks > 0 && (double)(last - first) * 1e-9 > run->device_s)
        run->device_s = (double)(last - first) * 1e-9;
    if (event_ms * 1e-3 > run->event_s)
        run->event_s = event_ms * 1e-3;
    return code;
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

/* Seconds of a clock that only goes on. */
double host_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* GPUs that had nothing to do, while memory was asked for, are kept busy for as
 * long, so that their clocks are up again. */
int keep_warm(struct cs_gpu_session *session)
{
    double idle_ns = 1e9 * (host_s() - session->busy_s);
    uint64_t ns = idle_ns < CS_GPU_WARM_NS ? (uint64_t)idle_ns : CS_GPU_WARM_NS;
    int code = 0;

    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++) {
        code = cs_gpu_session_select(session, gpu);
        if (!code)
            code = cs_gpu_warm(ns, session->streams[gpu], session->err);
    }
    return code ? code : synchronize(session);
}

int open_gpus(struct cs_gpu_session *session)
{
    int code = 0;

    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++) {
        code = cs_gpu_session_select(session, gpu);
        if (!code)
            code = cs_gpu(session->err, "a stream",
                          cudaStreamCreateWithFlags(&session->streams[gpu],
                                                    cudaStreamNonBlocking));
        for (int i = 0; i < 2 && !code; i++)
            code = cs_gpu(session->err, "an event",
                          cudaEventCreate(&session->events[gpu][i]));
    }
    return code;
}

} // namespace

uint32_t cs_gpu_session_element_bytes(uint32_t dtype)
{
    return dtype == CS_REQUEST_FP16 ? 2 : 4;
}

uint32_t cs_gpu_session_gpu_of(const struct cs_gpu_session *session,
                               uint32_t party)
{
    return is_agent(session, party)
               ? 0
               : party * session->gpus / session->plan->ranks;
}

int cs_gpu_session_select(struct cs_gpu_session *session, uint32_t gpu)
{
    return cs_gpu(session->err, "choosing a GPU", cudaSetDevice((int)gpu));
}

int cs_gpu_session_open(struct cs_gpu_session *session,
                        const struct cs_op_table *table,
                        const struct cs_plan *plan)
{
    int code;

    session->table = table;
    session->plan = plan;
    session->gpus = session->request->gpus;
    if ((int)session->gpus > session->machine->count)
        return cs_err_set(session->err, CS_ECANNOT,
                          "--gpus %u, and this computer has %d", session->gpus,
                          session->machine->count);
    if (session->gpus > plan->ranks)
        return cs_err_set(session->err, CS_EINPUT, "--gpus %u for %u ranks",
                          session->gpus, plan->ranks);
    for (uint32_t i = 0; i < plan->op_count; i++)
        session->waits = session->waits || plan->ops[i].kind == CS_TABLE_WAIT;
    code = open_gpus(session);
    if (!code && session->request->transport == CS_REQUEST_DEVICE)
        code = reach_peers(session);
    return code;
}

void cs_gpu_session_size(struct cs_gpu_session *session, uint32_t dtype,
                         uint64_t bytes)
{
    uint32_t each = cs_gpu_session_element_bytes(dtype);

    session->elements = bytes / each;
    session->bytes = session->elements * each;
    session->shape.dtype = dtype;
    session->shape.threads = session->request->threads;
    session->channels = 0;
}

int cs_gpu_session_set(struct cs_gpu_session *session, uint32_t dtype,
                       uint64_t bytes)
{
    const struct cs_plan *plan = session->plan;
    uint32_t each = cs_gpu_session_element_bytes(dtype);
    bool host = session->request->transport != CS_REQUEST_DEVICE ||
                (session->request->servers == CS_REQUEST_HOST &&
                 plan->parties > plan->ranks);
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
    starts = cs_plan_starts(plan, session->elements, each, &session->arena);
    session->inputs =
        (char **)cs_arena_alloc(&session->arena, plan->parties, sizeof(char *));
    session->outputs =
        (char **)cs_arena_alloc(&session->arena, plan->parties, sizeof(char *));
    session->links = (struct cs_warp_link *)cs_arena_alloc(
        &session->arena, plan->link_count, sizeof(*session->links));
    program.warp.cut.blocks = plan->blocks;
    program.warp.cut.channels = session->channels;
    program.warp.cut.slice_bytes = session->request->slice_bytes;
    program.warp.depth = session->request->depth;
    program.warp.lanes = plan->lanes;
    program.warp.system = host || session->gpus > 1;
    program.warp.waits = session->waits;
    program.devices = session->gpus;
    program.deadline_ns = session->request->deadline_ps / 1000;
    for (uint32_t gpu = 0; gpu < session->gpus; gpu++) {
        program.device = gpu;
        session->programs[gpu] = program;
    }
    session->dry = true;
    code = lay_out(session, starts);
    if (!code)
        code = grow_all(session);
    session->dry = false;
    if (!code)
        code = lay_out(session, starts);
    if (!code)
        code = settle_copies(session);
    return code ? code : keep_warm(session);
}

int cs_gpu_session_prepare(struct cs_gpu_session *session)
{
    int code = set_bytes(session, CS_AREA_VECTORS, CS_PATTERN_POISON);

    if (!code)
        code = set_bytes(session, CS_AREA_SLOTS, CS_PATTERN_POISON);
    if (!code)
        code = set_bytes(session, CS_AREA_COUNTS, 0);
    for (uint32_t party = 0; party < session->plan->parties && !code; party++)
        code = fill_party(session, party);
    return code ? code : synchronize(session);
}

/* Adds up what the devices have counted. */
static int read_wrong(struct cs_gpu_session *session, uint64_t *wrong)
{
    int code = synchronize(session);

    *wrong = 0;
    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++) {
        unsigned long long count = 0;

        code = cs_gpu(session->err, "reading what is wrong",
                      cudaMemcpy(&count, session->wrong[gpu], sizeof(count),
                                 cudaMemcpyDeviceToHost));
        *wrong += count;
    }
    return code;
}

int cs_gpu_session_check(struct cs_gpu_session *session, uint32_t ranks,
                         uint64_t *wrong)
{
    uint32_t rank = 0;
    int code = 0;

    /* Ranks are in blocks on GPUs. */
    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++) {
        struct cs_gpu_results results = {
            {}, 0, session->elements, session->shape.dtype};

        for (; rank < session->plan->ranks &&
               cs_gpu_session_gpu_of(session, rank) == gpu;
             rank++)
            results.at[results.count++] = session->outputs[rank];
        code = cs_gpu_session_select(session, gpu);
        if (!code)
            code = cs_gpu_verify(&results, ranks, session->wrong[gpu],
                                 session->streams[gpu], session->err);
    }
    if (!code)
        code = read_wrong(session, wrong);
    session->busy_s = host_s();
    return code;
}

int cs_gpu_session_run(struct cs_gpu_session *session, uint32_t ranks,
                       struct cs_gpu_session_run *run)
{
    int code = cs_gpu_session_prepare(session);

    run->device_s = run->event_s = 0;
    if (!code)
        code = start_all(session);
    if (!code)
        code = synchronize(session);
    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++)
        code = read_gpu(session, gpu, run);
    return code ? code : cs_gpu_session_check(session, ranks, &run->wrong);
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

int cs_gpu_settle(struct cs_request *request,
                  const struct cs_gpu_machine *machine, struct cs_err *err)
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
    request->slice_bytes =
        cs_plan_slice(machine->devices[0].l2_bytes, resident, request->depth);
    return code;
}

void cs_gpu_session_line(const struct cs_gpu_session *session,
                         struct cs_jsonl *line)
{
    const struct cs_request *request = session->request;
    char hash[17];

    snprintf(hash, sizeof(hash), "%016llx",
             (unsigned long long)session->table->hash);

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
    cs_jsonl_text(line, "transport",
                  cs_request_transport_names[request->transport]);
    cs_jsonl_text(line, "servers",
                  cs_request_transport_names[request->servers]);
    cs_jsonl_u64(line, "bytes", session->bytes);
    cs_jsonl_text(line, "dtype",
                  session->shape.dtype == CS_REQUEST_FP16 ? "fp16" : "fp32");
    cs_jsonl_u64(line, "channels", session->channels);
    cs_jsonl_u64(line, "slice_bytes", request->slice_bytes);
    cs_jsonl_u64(line, "depth", request->depth);
    cs_jsonl_u64(line, "threads", request->threads);
    cs_jsonl_u64(line, "runs", request->runs);
    cs_jsonl_u64(line, "warmup", request->warmup);
}
