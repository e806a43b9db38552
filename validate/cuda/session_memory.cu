/*
 * Memory of a session: vectors, slots, counts and tables, in areas of the GPUs and of
 * the host. An area only grows: a sweep allocates seldom.
 */
#include "validate/cuda/session.cuh"

namespace
{

enum {
    PIECE = 256, /* alignment of a piece, as cudaMalloc gives */
};

bool keeps_on_host(const struct cs_gpu_session *session, uint32_t party)
{
    return cs_gpu_session_is_agent(session, party) && session->request->servers == CS_REQUEST_HOST;
}

uint32_t vector_place(const struct cs_gpu_session *session, uint32_t party)
{
    return keeps_on_host(session, party) ? (uint32_t)CS_AREA_HOST
                                         : cs_gpu_session_gpu_of(session, party);
}

uint32_t slot_place(const struct cs_gpu_session *session, const struct cs_plan_link *link)
{
    uint32_t sender = cs_gpu_session_party_of(session, link->sender);
    uint32_t receiver = cs_gpu_session_party_of(session, link->receiver);

    if (session->request->transport != CS_REQUEST_DEVICE || keeps_on_host(session, sender) ||
        keeps_on_host(session, receiver))
        return CS_AREA_HOST;
    return cs_gpu_session_gpu_of(session, receiver);
}

/* Counts are polled: on the polling GPU, or in pinned memory where the GPUs may
 * lack peer access. */
uint32_t count_place(const struct cs_gpu_session *session, uint32_t party)
{
    if (session->request->transport != CS_REQUEST_DEVICE && session->gpus > 1)
        return CS_AREA_HOST;
    return cs_gpu_session_gpu_of(session, party);
}

char *take(const struct cs_gpu_session *session, struct cs_area *area, uint64_t bytes)
{
    char *piece = session->dry ? NULL : area->base + area->used;

    area->used += (bytes + PIECE - 1) / PIECE * PIECE;
    return piece;
}

void lay_out_vectors(struct cs_gpu_session *session)
{
    for (uint32_t party = 0; party < session->plan->parties; party++) {
        struct cs_area *area = &session->areas[CS_AREA_VECTORS][vector_place(session, party)];

        session->outputs[party] = take(session, area, session->bytes);
        if (session->plan->needs_input && !cs_gpu_session_is_agent(session, party))
            session->inputs[party] = take(session, area, session->bytes);
    }
}

void lay_out_links(struct cs_gpu_session *session)
{
    uint64_t counts = (uint64_t)session->channels * CS_WARP_COUNT_WORDS * 4;
    uint64_t slots =
        (uint64_t)session->channels * session->request->depth * session->request->slice_bytes;

    for (uint32_t i = 0; i < session->plan->link_count; i++) {
        const struct cs_plan_link *link = &session->plan->links[i];
        uint32_t sender = count_place(session, cs_gpu_session_party_of(session, link->sender));
        uint32_t receiver = count_place(session, cs_gpu_session_party_of(session, link->receiver));
        struct cs_warp_link *to = &session->links[i];

        to->slots = take(session, &session->areas[CS_AREA_SLOTS][slot_place(session, link)], slots);
        to->at_sender = (uint32_t *)take(session, &session->areas[CS_AREA_COUNTS][sender], counts);
        to->at_receiver =
            (uint32_t *)take(session, &session->areas[CS_AREA_COUNTS][receiver], counts);
    }
}

/* Words of the kernel of a GPU, zeroed before each run. */
void lay_out_start(struct cs_gpu_session *session)
{
    uint64_t blocks = (uint64_t)session->plan->lane_count * session->channels;

    for (uint32_t gpu = 0; gpu < session->gpus; gpu++) {
        struct cs_gpu_program *program = &session->programs[gpu];
        struct cs_area *area = &session->areas[CS_AREA_COUNTS][gpu];

        program->warp.progress = (uint32_t *)take(session, area, 4 * blocks);
        program->times = (uint64_t *)take(session, area, 16 * blocks);
        program->arrived = (uint32_t *)take(session, area, 4);
        program->stuck = (struct cs_gpu_stuck *)take(session, area, sizeof(*program->stuck));
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
    code =
        cs_gpu(session->err, place == CS_AREA_HOST ? "pinned memory" : "memory of a GPU", status);
    /* Further errors are not a matter of the size. */
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

/* Copies `count` items to a device; returns NULL in the dry pass. */
template <typename T>
const T *send(struct cs_gpu_session *session, uint32_t gpu, const T *from, uint64_t count,
              int *code)
{
    struct cs_area *area = &session->areas[CS_AREA_TABLES][gpu];
    char *to = take(session, area, count * sizeof(T));

    if (!session->dry && !*code && count > 0)
        *code = cs_gpu(session->err, "copying a table",
                       cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice));
    return (const T *)to;
}

int send_tables(struct cs_gpu_session *session, uint32_t gpu, const uint64_t *starts,
                uint32_t *lanes)
{
    const struct cs_gpu_plan *plan = session->plan;
    struct cs_gpu_program *program = &session->programs[gpu];
    struct cs_warp_program *warp = &program->warp;
    uint32_t *ready[CS_GPUS_MAX];
    int code = cs_gpu_session_select(session, gpu);

    for (uint32_t i = 0; i < session->gpus; i++)
        ready[i] = session->programs[i].ready_here;
    warp->rounds = send(session, gpu, plan->rounds, plan->lane_count + 1, &code);
    warp->ops_of = send(session, gpu, plan->ops_of, plan->round_count + 1, &code);
    warp->ops = send(session, gpu, plan->ops, plan->op_count, &code);
    warp->links = send(session, gpu, session->links, plan->link_count, &code);
    warp->inputs = send(session, gpu, session->inputs, plan->parties, &code);
    warp->outputs = send(session, gpu, session->outputs, plan->parties, &code);
    warp->cut.starts = send(session, gpu, starts, plan->blocks + 1, &code);
    program->lanes_here_count = cs_gpu_session_lanes(session, gpu, lanes);
    program->lanes_here = send(session, gpu, lanes, program->lanes_here_count, &code);
    program->ready = send(session, gpu, ready, session->gpus, &code);
    return code;
}

/* A pass. A dry pass counts memory, the next pass assigns addresses and copies
 * the tables.  The passes take equal pieces in equal order. */
int lay_out(struct cs_gpu_session *session, const uint64_t *starts)
{
    uint32_t *lanes =
        (uint32_t *)cs_arena_alloc(&session->arena, session->plan->lane_count, sizeof(*lanes));
    int code = 0;

    for (int kind = 0; kind < CS_AREA_KINDS; kind++)
        for (struct cs_area &area : session->areas[kind])
            area.used = 0;
    lay_out_vectors(session);
    lay_out_links(session);
    lay_out_start(session);
    for (uint32_t gpu = 0; gpu < session->gpus; gpu++) {
        uint32_t place = session->gpus > 1 && session->request->transport ? CS_AREA_HOST : gpu;

        session->programs[gpu].ready_here =
            (uint32_t *)take(session, &session->areas[CS_AREA_COUNTS][place],
                             (uint64_t)session->gpus * CS_WARP_COUNT_WORDS * 4);
    }
    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++)
        code = send_tables(session, gpu, starts, lanes);
    return code;
}

/* A copy from pageable memory may return before the data arrives, and the streams
 * of kernels do not wait for the default stream. */
int settle_copies(struct cs_gpu_session *session)
{
    int code = 0;

    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++) {
        code = cs_gpu_session_select(session, gpu);
        code = CS_GPU(session->err, "copying tables", cudaDeviceSynchronize());
    }
    return code;
}

} // namespace

int cs_gpu_session_place(struct cs_gpu_session *session, const uint64_t *starts)
{
    int code;

    session->dry = true;
    code = lay_out(session, starts);
    if (!code)
        code = grow_all(session);
    session->dry = false;
    if (!code)
        code = lay_out(session, starts);
    if (!code)
        code = settle_copies(session);
    return code;
}
