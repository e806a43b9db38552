/*
 * Runs by copy engines: every message goes through pinned memory of the host,
 * slice by slice, by a stream for copies out and a stream for copies in.
 *
 * The host enqueues by the protocol of kernels (warp.h): counts give the order of
 * copies, events make streams wait.  A CUDA graph captures the whole run, once for
 * a size, and the time of a run is the time of the graph: enqueueing thousands of
 * copies takes the host longer than the copies.  A lane has three streams, for
 * copies out, copies in and additions; the next round waits for the three.
 */
#include "validate/cuda/session.cuh"

#include "validate/cuda/span.cuh"

namespace
{

enum {
    OUT,
    IN,
    ADD,
    STREAMS,
    TEMPS = 2, /* buffers for slices to add: arriving, and being added */
    ADD_BLOCKS = 64,
    ADD_THREADS = 512,
};

struct lane {
    cudaStream_t streams[STREAMS];
    cudaEvent_t done[STREAMS]; /* end of the round by stream */
    cudaEvent_t sent;          /* last slice copied out */
    cudaEvent_t added[TEMPS];  /* buffer is free again */
    char *temps[TEMPS];
    uint32_t slices; /* number of additions */
    struct cs_warp warp;
    struct cs_warp_work works[CS_PLAN_ROUND_OPS_MAX];
};

} // namespace

struct cs_staged {
    struct cs_gpu_session *session;
    struct cs_warp_program program; /* tables in memory of the host */
    struct cs_warp_link *links;
    struct lane *lanes;
    cudaEvent_t *filled, *drained; /* by connection and slot */
    cudaEvent_t fork;
    cudaGraphExec_t graph;
    int code; /* of the first failure */
};

namespace
{

template <typename T> __global__ void add_slice(char *target, const char *source, uint32_t bytes)
{
    uint32_t share = (bytes / gridDim.x + 15) / 16 * 16;
    uint32_t from = blockIdx.x * share;
    struct cs_span span;

    if (from >= bytes)
        return;
    span.target = target + from;
    span.source = source + from;
    span.bytes = bytes - from < share ? bytes - from : share;
    if (blockIdx.x + 1 == gridDim.x)
        span.bytes = bytes - from;
    span.adds = 1;
    cs_span_move<T>(span);
}

/* Keeps the first failure, as later failures follow from it. */
void did(struct cs_staged *staged, const char *what, cudaError_t status)
{
    if (!staged->code)
        staged->code = cs_gpu(staged->session->err, what, status);
}

uint32_t gpu_of(const struct cs_staged *staged, uint32_t lane)
{
    return cs_gpu_session_gpu_of(staged->session, lane / staged->session->plan->lanes);
}

/* ---- opening ---- */

cudaEvent_t new_event(struct cs_staged *staged)
{
    cudaEvent_t event = NULL;

    did(staged, "an event", cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return event;
}

void open_lane(struct cs_staged *staged, uint32_t number)
{
    struct cs_gpu_session *session = staged->session;
    struct lane *lane = &staged->lanes[number];

    if (!staged->code)
        staged->code = cs_gpu_session_select(session, gpu_of(staged, number));
    for (int i = 0; i < STREAMS; i++) {
        did(staged, "a stream",
            cudaStreamCreateWithFlags(&lane->streams[i], cudaStreamNonBlocking));
        lane->done[i] = new_event(staged);
    }
    lane->sent = new_event(staged);
    for (int i = 0; i < TEMPS; i++) {
        lane->added[i] = new_event(staged);
        did(staged, "room for a slice",
            cudaMalloc((void **)&lane->temps[i], staged->program.cut.slice_bytes));
    }
    lane->warp.program = &staged->program;
    lane->warp.works = lane->works;
    lane->warp.lane = number;
    cs_warp_begin(&lane->warp);
}

/* The tables of the lanes, and counts of the host's schedule. */
void open_program(struct cs_staged *staged, struct cs_arena *arena)
{
    struct cs_gpu_session *session = staged->session;
    const struct cs_gpu_plan *plan = session->plan;
    struct cs_warp_program *program = &staged->program;
    uint32_t each = cs_gpu_session_element_bytes(session->shape.dtype);
    uint32_t *counts = (uint32_t *)cs_arena_alloc(
        arena, 2 * (size_t)plan->link_count * CS_WARP_COUNT_WORDS, sizeof(*counts));

    *program = session->programs[0].warp;
    program->rounds = plan->rounds;
    program->ops_of = plan->ops_of;
    program->ops = plan->ops;
    program->cut.starts = cs_plan_starts(plan, session->elements, each, arena);
    program->inputs = session->inputs;
    program->outputs = session->outputs;
    program->progress = (uint32_t *)cs_arena_alloc(arena, plan->lane_count, sizeof(uint32_t));
    staged->links =
        (struct cs_warp_link *)cs_arena_alloc(arena, plan->link_count, sizeof(*staged->links));
    for (uint32_t i = 0; i < plan->link_count; i++) {
        struct cs_warp_link *link = &staged->links[i];

        link->slots = session->links[i].slots;
        link->at_sender = counts + 2 * (size_t)i * CS_WARP_COUNT_WORDS;
        link->at_receiver = link->at_sender + CS_WARP_COUNT_WORDS;
    }
    program->links = staged->links;
}

void open_staged(struct cs_staged *staged, struct cs_gpu_session *session)
{
    const struct cs_gpu_plan *plan = session->plan;
    uint32_t slots = plan->link_count * session->request->depth;
    struct cs_arena *arena = &session->arena;

    staged->session = session;
    open_program(staged, arena);
    staged->lanes = (struct lane *)cs_arena_alloc(arena, plan->lane_count, sizeof(struct lane));
    staged->filled = (cudaEvent_t *)cs_arena_alloc(arena, slots, sizeof(cudaEvent_t));
    staged->drained = (cudaEvent_t *)cs_arena_alloc(arena, slots, sizeof(cudaEvent_t));
    /* An event belongs to the GPU of its creation. */
    staged->code = cs_gpu_session_select(session, 0);
    staged->fork = new_event(staged);
    for (uint32_t i = 0; i < plan->lane_count; i++)
        open_lane(staged, i);
    for (uint32_t i = 0; i < slots; i++) {
        const struct cs_plan_link *link = &plan->links[i / session->request->depth];

        if (!staged->code)
            staged->code = cs_gpu_session_select(session, gpu_of(staged, link->sender));
        staged->filled[i] = new_event(staged);
        if (!staged->code)
            staged->code = cs_gpu_session_select(session, gpu_of(staged, link->receiver));
        staged->drained[i] = new_event(staged);
    }
}

void close_event(cudaEvent_t event)
{
    if (event)
        cudaEventDestroy(event);
}

void close_staged(struct cs_staged *staged)
{
    const struct cs_gpu_plan *plan = staged->session->plan;

    if (staged->graph)
        cudaGraphExecDestroy(staged->graph);
    close_event(staged->fork);
    for (uint32_t n = 0; n < plan->lane_count; n++) {
        struct lane *lane = &staged->lanes[n];

        for (int i = 0; i < STREAMS; i++) {
            close_event(lane->done[i]);
            if (lane->streams[i])
                cudaStreamDestroy(lane->streams[i]);
        }
        close_event(lane->sent);
        for (int i = 0; i < TEMPS; i++) {
            close_event(lane->added[i]);
            cudaFree(lane->temps[i]);
        }
    }
    for (uint32_t i = 0; i < plan->link_count * staged->session->request->depth; i++) {
        close_event(staged->filled[i]);
        close_event(staged->drained[i]);
    }
}

/* ---- slices ---- */

void wait_for(struct cs_staged *staged, cudaStream_t stream, cudaEvent_t event)
{
    did(staged, "waiting for a copy", cudaStreamWaitEvent(stream, event, 0));
}

/* The event of an op's current slot. */
uint32_t event_of(const struct cs_staged *staged, const struct cs_warp_work *work)
{
    uint32_t depth = staged->program.depth;

    return work->op.link * depth + cs_slot_of(work->mine, depth);
}

void send_slice(struct cs_staged *staged, struct lane *lane, uint32_t i)
{
    const struct cs_warp_work *work = &lane->works[i];
    struct cs_span span = cs_warp_span(&lane->warp, i);
    uint32_t event = event_of(staged, work);

    if (work->mine >= staged->program.depth)
        wait_for(staged, lane->streams[OUT], staged->drained[event]);
    did(staged, "copying out",
        cudaMemcpyAsync(span.target, span.source, span.bytes, cudaMemcpyDeviceToHost,
                        lane->streams[OUT]));
    did(staged, "an event", cudaEventRecord(staged->filled[event], lane->streams[OUT]));
    did(staged, "an event", cudaEventRecord(lane->sent, lane->streams[OUT]));
}

void add(struct cs_staged *staged, char *target, const char *source, uint32_t bytes,
         cudaStream_t stream)
{
    if (staged->code)
        return;
    if (staged->session->shape.dtype == CS_REQUEST_FP16)
        add_slice<__half><<<ADD_BLOCKS, ADD_THREADS, 0, stream>>>(target, source, bytes);
    else
        add_slice<float><<<ADD_BLOCKS, ADD_THREADS, 0, stream>>>(target, source, bytes);
    did(staged, "reducing", cudaGetLastError());
}

void take_slice(struct cs_staged *staged, struct lane *lane, uint32_t i)
{
    const struct cs_warp_work *work = &lane->works[i];
    struct cs_span span = cs_warp_span(&lane->warp, i);
    uint32_t event = event_of(staged, work);
    uint32_t temp = lane->slices % TEMPS;
    char *to = span.adds ? lane->temps[temp] + cs_slot_phase(work->cursor.at) : span.target;

    if (span.adds && lane->slices >= TEMPS)
        wait_for(staged, lane->streams[IN], lane->added[temp]);
    wait_for(staged, lane->streams[IN], staged->filled[event]);
    did(staged, "copying in",
        cudaMemcpyAsync(to, span.source, span.bytes, cudaMemcpyHostToDevice, lane->streams[IN]));
    did(staged, "an event", cudaEventRecord(staged->drained[event], lane->streams[IN]));
    if (!span.adds)
        return;
    lane->slices++;
    wait_for(staged, lane->streams[ADD], staged->drained[event]);
    if (work->op.behind)
        wait_for(staged, lane->streams[ADD], lane->sent);
    add(staged, span.target, to, span.bytes, lane->streams[ADD]);
    did(staged, "an event", cudaEventRecord(lane->added[temp], lane->streams[ADD]));
}

/* The lane has passed the round: waiting for the enqueued work of the streams covers
 * the round. */
void wait_lane(struct cs_staged *staged, struct lane *lane, uint32_t other)
{
    for (int k = 0; k < STREAMS; k++)
        wait_for(staged, lane->streams[k], staged->lanes[other].done[k]);
}

/* ---- order ---- */

/* Every stream waits for the three streams before the next round. */
void join_streams(struct cs_staged *staged, struct lane *lane)
{
    for (int i = 0; i < STREAMS; i++)
        did(staged, "an event", cudaEventRecord(lane->done[i], lane->streams[i]));
    for (int i = 0; i < STREAMS; i++)
        for (int k = 0; k < STREAMS; k++)
            if (i != k)
                wait_for(staged, lane->streams[i], lane->done[k]);
}

/* Enqueues a slice of every op able to proceed; false without an op. */
bool pass(struct cs_staged *staged, uint32_t number)
{
    struct lane *lane = &staged->lanes[number];
    struct cs_warp *warp = &lane->warp;
    uint32_t round = warp->now;

    if (!warp->pending || !cs_warp_look(warp))
        return false;
    if (!staged->code)
        staged->code = cs_gpu_session_select(staged->session, gpu_of(staged, number));
    for (uint32_t left = warp->ready; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);

        if (lane->works[i].op.kind == CS_TABLE_WAIT)
            wait_lane(staged, lane, lane->works[i].op.link);
        else if (cs_warp_sends(&lane->works[i]))
            send_slice(staged, lane, i);
        else
            take_slice(staged, lane, i);
    }
    cs_warp_finish(warp);
    if (warp->now != round)
        join_streams(staged, lane);
    return true;
}

int enqueue(struct cs_staged *staged)
{
    uint32_t lanes = staged->session->plan->lane_count;
    bool moved = true;

    while (moved && !staged->code) {
        moved = false;
        for (uint32_t i = 0; i < lanes; i++)
            moved |= pass(staged, i);
    }
    for (uint32_t i = 0; i < lanes && !staged->code; i++)
        if (staged->lanes[i].warp.pending)
            staged->code =
                cs_err_set(staged->session->err, CS_EANSWER, "%s: the ranks wait for each other",
                           staged->session->table->file);
    return staged->code;
}

/* The streams start after the first device's stream, and every event is recorded
 * once: a capture refuses waits for outside events. */
void fork_streams(struct cs_staged *staged, cudaStream_t base)
{
    uint32_t lanes = staged->session->plan->lane_count;

    did(staged, "an event", cudaEventRecord(staged->fork, base));
    for (uint32_t i = 0; i < lanes; i++) {
        struct lane *lane = &staged->lanes[i];

        for (int k = 0; k < STREAMS; k++) {
            wait_for(staged, lane->streams[k], staged->fork);
            did(staged, "an event", cudaEventRecord(lane->done[k], lane->streams[k]));
        }
        did(staged, "an event", cudaEventRecord(lane->sent, lane->streams[OUT]));
    }
}

void gather_streams(struct cs_staged *staged, cudaStream_t base)
{
    for (uint32_t i = 0; i < staged->session->plan->lane_count; i++) {
        struct lane *lane = &staged->lanes[i];

        for (int k = 0; k < STREAMS; k++) {
            did(staged, "an event", cudaEventRecord(lane->done[k], lane->streams[k]));
            wait_for(staged, base, lane->done[k]);
        }
    }
}

/* Captures the whole run as a graph. */
void capture(struct cs_staged *staged)
{
    cudaStream_t base = staged->session->streams[0];
    cudaGraph_t graph = NULL;

    did(staged, "beginning a graph", cudaStreamBeginCapture(base, cudaStreamCaptureModeRelaxed));
    if (staged->code)
        return;
    fork_streams(staged, base);
    enqueue(staged);
    gather_streams(staged, base);
    did(staged, "ending a graph", cudaStreamEndCapture(base, &graph));
    if (!staged->code)
        did(staged, "a graph", cudaGraphInstantiateWithFlags(&staged->graph, graph, 0));
    if (graph)
        cudaGraphDestroy(graph);
    if (!staged->code)
        did(staged, "uploading a graph", cudaGraphUpload(staged->graph, base));
    if (!staged->code)
        did(staged, "uploading a graph", cudaStreamSynchronize(base));
    cudaGetLastError();
}

/* Times the graph by two events on the first device's stream. */
void time_graph(struct cs_staged *staged, struct cs_gpu_session_run *run)
{
    struct cs_gpu_session *session = staged->session;
    cudaStream_t base = session->streams[0];
    float event_ms = 0;

    did(staged, "an event", cudaEventRecord(session->events[0][0], base));
    did(staged, "starting a graph", cudaGraphLaunch(staged->graph, base));
    did(staged, "an event", cudaEventRecord(session->events[0][1], base));
    did(staged, "waiting for the copies", cudaStreamSynchronize(base));
    if (!staged->code)
        did(staged, "reading events",
            cudaEventElapsedTime(&event_ms, session->events[0][0], session->events[0][1]));
    run->event_s = run->device_s = event_ms * 1e-3;
}

} // namespace

int cs_staged_open(struct cs_gpu_session *session, struct cs_staged **opened)
{
    struct cs_staged *staged;

    if (session->plan->parties > session->plan->ranks)
        return cs_err_set(session->err, CS_EINPUT,
                          "transport copy runs no parameter servers; take "
                          "device or host");
    staged = *opened = (struct cs_staged *)cs_arena_alloc(&session->arena, 1, sizeof(*staged));
    open_staged(staged, session);
    if (!staged->code)
        capture(staged);
    return staged->code;
}

int cs_staged_run(struct cs_staged *staged, uint32_t ranks, struct cs_gpu_session_run *run)
{
    struct cs_gpu_session *session = staged->session;

    staged->code = cs_gpu_session_prepare(session);
    if (!staged->code)
        staged->code = cs_gpu_session_select(session, 0);
    if (!staged->code)
        time_graph(staged, run);
    return staged->code ? staged->code : cs_gpu_session_check(session, ranks, &run->wrong);
}

void cs_staged_close(struct cs_staged *staged)
{
    if (staged)
        close_staged(staged);
}
