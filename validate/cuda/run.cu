/*
 * Runs of a table at all sizes and types, a line each.
 */
#include "validate/cuda/session.cuh"

#include <errno.h>

namespace
{

struct sweep {
    struct cs_gpu_session session;
    double *device_s, *event_s; /* of each run */
    double *ends_s;             /* by rank, of each run */
    struct cs_staged *staged;   /* graph of the size, by copies; or NULL */
    uint64_t wrong;
    uint32_t bad;                               /* lines without right sums */
    uint32_t left_out;                          /* types whose larger sizes are skipped */
    struct cs_err reasons[CS_REQUEST_FP16 + 1]; /* by type */
};

int run_once(struct sweep *sweep, struct cs_gpu_session_run *run)
{
    struct cs_gpu_session *session = &sweep->session;
    uint32_t ranks = session->plan->ranks;

    return sweep->staged ? cs_staged_run(sweep->staged, ranks, run)
                         : cs_gpu_session_run(session, ranks, run);
}

/* Warms up; CS_GPU_SESSION_NO_ROOM for a size whose run exceeds the limit. */
int warm_up(struct sweep *sweep)
{
    struct cs_gpu_session *session = &sweep->session;
    struct cs_gpu_session_run run = {};
    int code = 0;

    for (uint32_t i = 0; i < session->request->warmup && !code; i++) {
        code = run_once(sweep, &run);
        sweep->wrong += run.wrong;
        if (!code && run.event_s > 1e-12 * (double)session->request->limit_ps) {
            cs_err_set(session->err, CS_ECANNOT,
                       "a run of %llu bytes takes %.3g s, more than the limit "
                       "of %.3g s",
                       (unsigned long long)session->bytes, run.event_s,
                       1e-12 * (double)session->request->limit_ps);
            return CS_GPU_SESSION_NO_ROOM;
        }
    }
    return code;
}

int measure(struct sweep *sweep)
{
    struct cs_gpu_session *session = &sweep->session;
    int code = 0;

    if (session->request->transport == CS_REQUEST_COPY)
        code = cs_staged_open(session, &sweep->staged);
    if (!code)
        code = warm_up(sweep);
    for (uint32_t i = 0; i < session->request->runs && !code; i++) {
        struct cs_gpu_session_run run = {};

        code = run_once(sweep, &run);
        sweep->device_s[i] = run.device_s;
        sweep->event_s[i] = run.event_s;
        for (uint32_t rank = 0; rank < session->plan->ranks; rank++)
            sweep->ends_s[rank * session->request->runs + i] = session->ends_s[rank];
        sweep->wrong += run.wrong;
    }
    cs_staged_close(sweep->staged);
    sweep->staged = NULL;
    return code;
}

/* The median end of each rank, from the start of the first. */
void put_ends(const struct sweep *sweep, struct cs_jsonl *line)
{
    uint32_t runs = sweep->session.request->runs;
    uint32_t ranks = sweep->session.plan->ranks;
    struct cs_arena arena = {};
    double *medians_s = (double *)cs_arena_alloc(&arena, ranks, sizeof(double));

    for (uint32_t rank = 0; rank < ranks; rank++) {
        struct cs_sample ends = {sweep->ends_s + rank * runs, runs};

        medians_s[rank] = cs_sample_figures_of(&ends).median;
    }
    cs_jsonl_reals(line, "ends_s", medians_s, ranks);
    cs_arena_free(&arena);
}

void put_line(struct sweep *sweep, int code)
{
    struct cs_gpu_session *session = &sweep->session;
    struct cs_sample device = {sweep->device_s, session->request->runs};
    struct cs_sample events = {sweep->event_s, session->request->runs};
    struct cs_jsonl line = {};

    cs_gpu_line(session->machine, "run", &line);
    cs_gpu_session_line(session, &line);
    if (code == CS_GPU_SESSION_NO_ROOM) {
        cs_jsonl_text(&line, "skipped", session->err->text);
    } else if (code) {
        cs_jsonl_text(&line, "failed", session->err->text);
    } else {
        cs_gpu_line_sample(&line, "time", &device);
        cs_gpu_line_sample(&line, "event", &events);
        if (session->request->transport != CS_REQUEST_COPY) {
            put_ends(sweep, &line);
            cs_gpu_line_gate(
                CS_GATE_EVENT,
                cs_sample_figures_of(&events).median - cs_sample_figures_of(&device).median, &line);
        }
        cs_jsonl_u64(&line, "wrong", sweep->wrong);
    }
    cs_gpu_put(&line);
}

/* A size above a skipped size, with the same reason. */
void leave_out(struct sweep *sweep, uint32_t dtype, uint64_t bytes)
{
    cs_gpu_session_size(&sweep->session, dtype, bytes);
    *sweep->session.err = sweep->reasons[dtype];
    put_line(sweep, CS_GPU_SESSION_NO_ROOM);
    *sweep->session.err = {};
}

/* Returns 0 after an answer about the run (too slow, deadlocked, wrong), so that
 * the next size is run; an error of CUDA ends the sweep. */
int one_point(struct sweep *sweep, uint32_t dtype, uint64_t bytes)
{
    struct cs_err *err = sweep->session.err;
    int code;

    if (sweep->left_out & dtype) {
        leave_out(sweep, dtype, bytes);
        return 0;
    }
    code = cs_gpu_session_set(&sweep->session, dtype, bytes);
    sweep->wrong = 0;
    if (!code)
        code = measure(sweep);
    /* A wrong sum counts more than a skipped size. */
    if (code == CS_GPU_SESSION_NO_ROOM && sweep->wrong > 0) {
        *err = {};
        code = cs_err_set(err, CS_EANSWER,
                          "%llu wrong sums in a run that "
                          "takes too long",
                          (unsigned long long)sweep->wrong);
    }
    put_line(sweep, code);
    sweep->bad += code == CS_EANSWER || (!code && sweep->wrong > 0);
    if (code == CS_GPU_SESSION_NO_ROOM) {
        sweep->left_out |= dtype;
        sweep->reasons[dtype] = *err;
    } else if (code != CS_EANSWER) {
        return code;
    }
    *err = {};
    return 0;
}

int all_points(struct sweep *sweep)
{
    const struct cs_request *request = sweep->session.request;
    int code = 0;

    for (uint64_t bytes = request->first_bytes; bytes <= request->last_bytes && !code;
         bytes *= request->factor)
        for (unsigned dtype = CS_REQUEST_FP32; dtype <= CS_REQUEST_FP16 && !code; dtype *= 2)
            if (request->dtypes & dtype)
                code = one_point(sweep, dtype, bytes);
    return code;
}

} // namespace

/* By libc alone: the rest of collsim also reads compressed files. */
static int read_text(const char *path, struct cs_text *text, struct cs_err *err)
{
    FILE *file = fopen(path, "rb");
    char piece[1 << 14];
    size_t got;
    int code = 0;

    if (!file)
        return cs_err_set(err, CS_EINPUT, "cannot open '%s': %s", path, strerror(errno));
    while (text->length <= CS_OP_TABLE_BYTES_MAX &&
           (got = fread(piece, 1, sizeof(piece), file)) > 0)
        cs_text_add_n(text, piece, got);
    if (ferror(file))
        code = cs_err_set(err, CS_EINPUT, "cannot read '%s': %s", path, strerror(errno));
    else if (text->length > CS_OP_TABLE_BYTES_MAX)
        code = cs_err_at(err, CS_EINPUT, path, 0, "the file is larger than %d MiB",
                         CS_OP_TABLE_BYTES_MAX >> 20);
    fclose(file);
    return code;
}

int cs_gpu_table_read(const char *path, struct cs_gpu_table *table, struct cs_err *err)
{
    const char *file = cs_same(path, "-") ? "/dev/stdin" : path;
    struct cs_op_table_text in = {path, NULL, 0};
    struct cs_text text = {};
    int code = read_text(file, &text, err);

    in.text = cs_text_str(&text);
    in.length = text.length;
    if (!code)
        code = cs_op_table_read(in, &table->arena, &table->ops, err);
    if (!code && !cs_same(table->ops.collective, "all-reduce"))
        code = cs_err_at(err, CS_EINPUT, path, 3, "'%s'; only sums of all-reduce can be checked",
                         table->ops.collective);
    if (!code && table->ops.ranks < 2)
        code = cs_err_at(err, CS_EINPUT, path, 4, "one rank has no peer; expected 2 ranks or more");
    if (!code)
        code = cs_plan_make(&table->ops, &table->arena, &table->plan, err);
    cs_text_free(&text);
    return code;
}

int cs_gpu_run(const struct cs_request *request, const struct cs_gpu_machine *machine,
               const struct cs_gpu_table *table, struct cs_err *err)
{
    struct cs_arena arena = {};
    struct sweep *sweep = (struct sweep *)cs_arena_alloc(&arena, 1, sizeof(*sweep));
    int code;

    sweep->session.request = request;
    sweep->session.machine = machine;
    sweep->session.err = err;
    sweep->device_s = (double *)cs_arena_alloc(&arena, request->runs, sizeof(double));
    sweep->event_s = (double *)cs_arena_alloc(&arena, request->runs, sizeof(double));
    sweep->ends_s =
        (double *)cs_arena_alloc(&arena, (size_t)request->runs * table->plan.ranks, sizeof(double));
    code = cs_gpu_session_open(&sweep->session, &table->ops, &table->plan);
    if (!code)
        code = all_points(sweep);
    cs_gpu_session_close(&sweep->session);
    if (!code && sweep->bad > 0)
        code = cs_err_set(err, CS_EANSWER, "%u measurements failed or have wrong sums", sweep->bad);
    cs_arena_free(&arena);
    return code;
}
