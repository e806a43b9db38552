/*
 * A run of a session: poison, fill, start, read the clocks, check the sums.
 */
#include "validate/cuda/session.cuh"

#include <time.h>

namespace
{

/* Seconds of the monotonic clock of the host. */
double host_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The first GPU sets pinned memory: faster than a core of the host. */
int set_bytes(struct cs_gpu_session *session, enum cs_area_kind kind, int value)
{
    int code = 0;

    for (uint32_t place = 0; place < CS_AREAS && !code; place++) {
        struct cs_area *area = &session->areas[kind][place];
        uint32_t gpu = place == CS_AREA_HOST ? 0 : place;

        if (area->used == 0)
            continue;
        code = cs_gpu_session_select(session, gpu);
        code = CS_GPU(session->err, "setting memory",
                      cudaMemsetAsync(area->base, value, area->used, session->streams[gpu]));
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

    if (!code && cs_gpu_session_is_agent(session, party))
        return cs_gpu(session->err, "emptying a server",
                      cudaMemsetAsync(output.at, 0, session->bytes, session->streams[gpu]));
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
        code = CS_GPU(session->err, "an event", cudaEventRecord(session->events[gpu][0], stream));
        if (!code)
            code = cs_gpu_launch(&session->shape, &session->programs[gpu], stream, session->err);
        code = CS_GPU(session->err, "an event", cudaEventRecord(session->events[gpu][1], stream));
    }
    return code;
}

int report_stuck(struct cs_gpu_session *session, const struct cs_gpu_stuck *stuck)
{
    const struct cs_table_op *op = &session->table->ops[stuck->op];

    if (stuck->where == CS_GPU_STUCK_START)
        return cs_err_set(session->err, CS_EANSWER,
                          "the thread blocks did not all start before the "
                          "deadline");
    return cs_err_at(session->err, CS_EANSWER, session->table->file, op->line,
                     "party %u, channel %u waited in round %u until the "
                     "deadline; %u slices moved here, %u at the other side",
                     op->party, stuck->channel, stuck->round, stuck->mine, stuck->other);
}

/* The time from the first start to the last end of a GPU's blocks, and the ends of
 * the GPU's ranks. */
double take_times(struct cs_gpu_session *session, uint32_t gpu)
{
    uint32_t lanes = cs_gpu_session_lanes(session, gpu, session->lanes);
    const uint64_t *times = session->times;
    uint32_t blocks = lanes * session->channels;
    uint64_t first = UINT64_MAX;
    double last_s = 0;

    for (uint32_t i = 0; i < blocks; i++)
        first = times[2 * i] < first ? times[2 * i] : first;
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t party = cs_gpu_session_party_of(session, session->lanes[i]);

        if (!cs_gpu_session_is_agent(session, party))
            session->ends_s[party] = 0;
    }
    for (uint32_t i = 0; i < blocks; i++) {
        uint32_t party = cs_gpu_session_party_of(session, session->lanes[i / session->channels]);
        double end_s = 1e-9 * (double)(times[2 * i + 1] - first);

        last_s = end_s > last_s ? end_s : last_s;
        if (!cs_gpu_session_is_agent(session, party) && end_s > session->ends_s[party])
            session->ends_s[party] = end_s;
    }
    return last_s;
}

/* The times of a GPU's blocks, or CS_EANSWER with the first wait that outlasted
 * the deadline. */
int read_gpu(struct cs_gpu_session *session, uint32_t gpu, struct cs_gpu_session_run *run)
{
    const struct cs_gpu_program *program = &session->programs[gpu];
    uint32_t blocks = program->lanes_here_count * session->channels;
    struct cs_gpu_stuck stuck;
    float event_ms = 0;
    double device_s = 0;
    int code = cs_gpu_session_select(session, gpu);

    code = CS_GPU(session->err, "reading what was stuck",
                  cudaMemcpy(&stuck, program->stuck, sizeof(stuck), cudaMemcpyDeviceToHost));
    if (!code && stuck.where)
        code = report_stuck(session, &stuck);
    code = CS_GPU(
        session->err, "reading times",
        cudaMemcpy(session->times, program->times, 16 * (size_t)blocks, cudaMemcpyDeviceToHost));
    code =
        CS_GPU(session->err, "reading events",
               cudaEventElapsedTime(&event_ms, session->events[gpu][0], session->events[gpu][1]));
    if (!code)
        device_s = take_times(session, gpu);
    if (device_s > run->device_s)
        run->device_s = device_s;
    if (event_ms * 1e-3 > run->event_s)
        run->event_s = event_ms * 1e-3;
    return code;
}

} // namespace

int cs_gpu_session_wait(struct cs_gpu_session *session)
{
    int code = 0;

    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++)
        code =
            cs_gpu(session->err, "waiting for a GPU", cudaStreamSynchronize(session->streams[gpu]));
    return code;
}

int cs_gpu_session_keep_warm(struct cs_gpu_session *session)
{
    double idle_ns = 1e9 * (host_s() - session->busy_s);
    uint64_t ns = idle_ns < CS_GPU_WARM_NS ? (uint64_t)idle_ns : CS_GPU_WARM_NS;
    int code = 0;

    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++) {
        code = cs_gpu_session_select(session, gpu);
        if (!code)
            code = cs_gpu_warm(ns, session->streams[gpu], session->err);
    }
    return code ? code : cs_gpu_session_wait(session);
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
    return code ? code : cs_gpu_session_wait(session);
}

/* The wrong numbers of all devices. */
static int read_wrong(struct cs_gpu_session *session, uint64_t *wrong)
{
    int code = cs_gpu_session_wait(session);

    *wrong = 0;
    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++) {
        unsigned long long count = 0;

        code =
            cs_gpu(session->err, "reading what is wrong",
                   cudaMemcpy(&count, session->wrong[gpu], sizeof(count), cudaMemcpyDeviceToHost));
        *wrong += count;
    }
    return code;
}

int cs_gpu_session_check(struct cs_gpu_session *session, uint32_t ranks, uint64_t *wrong)
{
    uint32_t rank = 0;
    int code = 0;

    /* The ranks of a GPU have consecutive numbers. */
    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++) {
        struct cs_gpu_results results = {{}, 0, session->elements, session->shape.dtype};

        for (; rank < session->plan->ranks && cs_gpu_session_gpu_of(session, rank) == gpu; rank++)
            results.at[results.count++] = session->outputs[rank];
        code = cs_gpu_session_select(session, gpu);
        if (!code)
            code = cs_gpu_verify(&results, ranks, session->wrong[gpu], session->streams[gpu],
                                 session->err);
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
        code = cs_gpu_session_wait(session);
    for (uint32_t gpu = 0; gpu < session->gpus && !code; gpu++)
        code = read_gpu(session, gpu, run);
    return code ? code : cs_gpu_session_check(session, ranks, &run->wrong);
}
