/*
 * Messages back and forth between two ranks, by the kernel of runs, and runs
 * without any message.
 */
#include "validate/cuda/bench/bench.cuh"
#include "validate/cuda/session.cuh"

#include <math.h>

namespace
{

enum {
    LEAST_BYTES = 16,
    ROUNDS = 64,
    /* From the times by few and by many rounds follows the time of a run beside
     * messages. */
    FEW_ROUNDS = 4,
    /* Messages of many slices show the cost of a slice beyond the copy: flag,
     * fence, and the barriers of the block. */
    MOST_SLICES = 64,
};

/* Messages of 16 bytes to most_bytes; 0 rounds: empty runs. */
struct message_setup {
    enum cs_request_transport transport;
    uint32_t gpus, rounds, channels;
    uint64_t most_bytes;
};

/* Round 2k: rank 0 to rank 1; round 2k + 1: rank 1 to rank 0. */
void message_table(struct cs_op_table *table, struct cs_table_op *ops, uint32_t rounds)
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

/* A run to warm up, then `runs` values: the time of a message, or for an empty run
 * the time between events less the time by the device's clock. */
int message_repeat(struct cs_bench *bench, struct cs_gpu_session *session, uint32_t rounds)
{
    int code = 0;

    for (uint32_t i = 0; i <= bench->request->runs && !code; i++) {
        struct cs_gpu_session_run run = {};

        code = cs_gpu_session_run(session, 1, &run);
        if (!code && rounds && run.wrong)
            code = cs_err_set(bench->err, CS_EANSWER,
                              "messages between two ranks have %llu wrong "
                              "numbers",
                              (unsigned long long)run.wrong);
        /* A coarse clock may show a launch of no time or less, and
         * the reader of the lines refuses such a time. */
        if (i)
            bench->values[i - 1] =
                rounds ? run.device_s / rounds : fmax(1e-9, run.event_s - run.device_s);
    }
    return code;
}

/* Range of a message of 16 bytes; the alpha of the model starts from the time. */
void message_gates(struct cs_bench *bench, const struct message_setup *setup, double time_s,
                   struct cs_jsonl *line)
{
    double *device_s = &bench->earlier.message_s;

    if (setup->gpus > 1)
        return;
    if (setup->rounds == 0) {
        cs_gpu_line_gate(CS_GATE_LAUNCH, time_s, line);
    } else if (setup->rounds == ROUNDS && setup->transport == CS_REQUEST_DEVICE) {
        *device_s = time_s;
        cs_gpu_line_gate(CS_GATE_MESSAGE_DEVICE, time_s, line);
    } else if (setup->rounds == ROUNDS) {
        cs_gpu_line_gate(CS_GATE_MESSAGE_HOST, time_s, line);
        if (*device_s > 0)
            cs_gpu_line_gate(CS_GATE_HOST_OF_DEVICE, time_s / *device_s, line);
    }
}

int message_measure(struct cs_bench *bench, struct cs_gpu_session *session,
                    const struct message_setup *setup, uint64_t bytes)
{
    uint32_t rounds = setup->rounds;
    struct cs_sample sample = {bench->values, bench->request->runs};
    struct cs_jsonl line = {};
    int code = cs_gpu_session_set(session, CS_REQUEST_FP32, bytes);

    if (code == CS_GPU_SESSION_NO_ROOM)
        code = CS_ECANNOT;
    if (!code)
        code = message_repeat(bench, session, rounds);
    if (code)
        return code;
    cs_gpu_line(bench->machine, rounds ? "pingpong" : "launch", &line);
    cs_gpu_session_line(session, &line);
    cs_jsonl_u64(&line, "rounds", rounds);
    cs_jsonl_u64(&line, "blocks", 2 * (uint64_t)session->channels);
    cs_gpu_line_sample(&line, "time", &sample);
    if (bytes == LEAST_BYTES)
        message_gates(bench, setup, cs_sample_figures_of(&sample).median, &line);
    cs_gpu_put(&line);
    return 0;
}

/* Between two ranks of a GPU, or of two GPUs. */
int messages_of(struct cs_bench *bench, const struct message_setup *setup)
{
    struct cs_table_op ops[2 * ROUNDS];
    struct cs_request request = *bench->request;
    struct cs_arena arena = {};
    struct cs_gpu_session *session =
        (struct cs_gpu_session *)cs_arena_alloc(&arena, 1, sizeof(*session));
    struct cs_op_table table;
    struct cs_gpu_plan plan;
    int code;

    message_table(&table, ops, setup->rounds);
    request.transport = setup->transport;
    request.channels = setup->channels;
    request.gpus = setup->gpus;
    session->request = &request;
    session->machine = bench->machine;
    session->err = bench->err;
    code = cs_plan_make(&table, &arena, &plan, bench->err);
    if (!code)
        code = cs_gpu_session_open(session, &table, &plan);
    for (uint64_t bytes = LEAST_BYTES; bytes <= setup->most_bytes && !code; bytes *= 2)
        code = message_measure(bench, session, setup, bytes);
    cs_gpu_session_close(session);
    cs_arena_free(&arena);
    return code;
}

/* Sizes by many rounds, the smallest size by few rounds too. */
int messages_by(struct cs_bench *bench, enum cs_request_transport transport, uint32_t gpus)
{
    const struct message_setup many = {transport, gpus, ROUNDS, 1,
                                       (uint64_t)MOST_SLICES * bench->request->slice_bytes};
    const struct message_setup few = {transport, gpus, FEW_ROUNDS, 1, LEAST_BYTES};
    int code = messages_of(bench, &many);

    return code ? code : messages_of(bench, &few);
}

} // namespace

int cs_bench_device_messages(struct cs_bench *bench)
{
    return messages_by(bench, CS_REQUEST_DEVICE, 1);
}

int cs_bench_host_messages(struct cs_bench *bench)
{
    return messages_by(bench, CS_REQUEST_HOST, 1);
}

/* Two thread blocks, and the largest number of a run: a launch takes longer with
 * more blocks. */
int cs_bench_launches(struct cs_bench *bench)
{
    struct cs_gpu_shape shape = {CS_REQUEST_FP32, bench->request->threads};
    struct message_setup none = {CS_REQUEST_DEVICE, 1, 0, 1, LEAST_BYTES};
    uint32_t resident = 0;
    int code = cs_gpu_resident(&shape, 0, &resident, bench->err);

    if (!code)
        code = messages_of(bench, &none);
    none.channels = resident / 2;
    return code || resident < 4 ? code : messages_of(bench, &none);
}

/* Messages only between GPUs with peer access: without, transport host is the single
 * route, and is measured by the first GPU alone. */
int cs_bench_between_gpus(struct cs_bench *bench)
{
    struct cs_err why = {};
    int code = cs_gpu_peers(bench);

    if (!code && bench->machine->count > 1 && !cs_gpu_reach(0, 1, &why) &&
        !cs_gpu_reach(1, 0, &why))
        code = messages_by(bench, CS_REQUEST_DEVICE, 2);
    return code;
}
