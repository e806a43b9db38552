#include "scenarios/sweep/options.h"

#include "reports/results/store/sweep.h"
#include "scenarios/sweep/case.h"
#include "sim/base/clock.h"
#include "sim/base/cores.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

enum {
    WORKERS_MAX = 1024,
    NOTICED_S = 1,   /* a wait for a lock that is shown */
    WHOLE = 1000000, /* the share of a case that is done */
};

/* Shared by the processes. */
struct worker_shared {
    atomic_uint_fast64_t finished, refused, known;
    atomic_bool waits[WORKERS_MAX];            /* for the locked database */
    atomic_uint_fast64_t current[WORKERS_MAX]; /* case + 1 of a worker */
    atomic_uint_fast64_t share[WORKERS_MAX];   /* of it, of WHOLE */
    atomic_flag reported;                      /* `code` and `text` are set */
    int code;
    char text[CS_ERR_TEXT_MAX];
};

struct sweeping {
    const struct cs_sweep_job *job;
    struct worker_shared *shared;
    const struct cs_monitor *monitor;
    /* Of a worker. */
    uint32_t self;
    struct cs_sweep_worker worker;
    struct cs_progress_line display;
    struct cs_store *store;
};

/* ---- a worker ---- */

static void report_error(struct worker_shared *shared, const struct cs_err *err)
{
    if (!atomic_flag_test_and_set(&shared->reported)) {
        shared->code = err->code;
        snprintf(shared->text, sizeof(shared->text), "%s", err->text);
    }
}

/* The process that shows the progress prints the wait. */
static bool worker_waits(void *ctx, double waited_s)
{
    struct sweeping *sweeping = ctx;

    atomic_store(&sweeping->shared->waits[sweeping->self], waited_s >= NOTICED_S);
    return true;
}

/* The runs of a case share the cores that no other case takes. */
static uint32_t cores_of_case(const struct cs_sweep_job *job)
{
    uint32_t busy = job->count < job->workers ? (uint32_t)job->count : job->workers;

    return busy ? job->workers / busy : 1;
}

static int begin_work(void *ctx, uint32_t self)
{
    struct sweeping *sweeping = ctx;
    const struct cs_database_wait wait = {worker_waits, sweeping};
    struct cs_err err = {0};
    int code;

    sweeping->self = self;
    code = cs_store_sweep_open(sweeping->job->db, &wait, &sweeping->store, &err);
    sweeping->display = (struct cs_progress_line){.share = &sweeping->shared->share[self],
                                                  .host = sweeping->job->display->host};
    sweeping->worker.display = &sweeping->display;
    sweeping->worker.cores = cores_of_case(sweeping->job);
    if (code)
        report_error(sweeping->shared, &err);
    return code;
}

/* Computes a case and puts it; a case's own error is its result. */
static int compute_case(struct sweeping *sweeping, uint64_t number, struct cs_err *err)
{
    const struct cs_sweep_job *job = sweeping->job;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_record record;
    struct cs_err own = {0};
    int refused = cs_sweep_compute(&sweeping->worker, job->sweep, number, &arena, &record, &own);
    int code = refused == CS_ESTOPPED ? cs_err_set(err, CS_ESTOPPED, "stopped")
               : refused ? cs_store_sweep_refuse(sweeping->store, job->base, number, own.text, err)
                         : cs_store_sweep_put(sweeping->store, job->base, number, &record, err);

    if (!code && refused)
        atomic_fetch_add(&sweeping->shared->refused, 1);
    return code;
}

/* A case that another process has put, now or while it was computed here, is known;
 * an error of the file ends the sweep. */
static int work_case(struct sweeping *sweeping, uint64_t number, struct cs_err *err)
{
    struct worker_shared *shared = sweeping->shared;
    int code = cs_store_sweep_has(sweeping->store, sweeping->job->base, number, err);

    if (!code)
        code = compute_case(sweeping, number, err);
    if (code >= 0)
        atomic_fetch_add(code ? &shared->known : &shared->finished, 1);
    return code < 0 ? code : 0;
}

static int work(void *ctx, uint64_t at, void *result)
{
    struct sweeping *sweeping = ctx;
    uint64_t number = sweeping->job->todo[at];
    struct cs_err err = {0};
    int code;

    (void)result;
    atomic_store(&sweeping->shared->current[sweeping->self], number + 1);
    code = work_case(sweeping, number, &err);
    atomic_store(&sweeping->shared->share[sweeping->self], 0);
    atomic_store(&sweeping->shared->current[sweeping->self], 0);
    atomic_store(&sweeping->shared->waits[sweeping->self], false);
    if (code)
        report_error(sweeping->shared, &err);
    return code;
}

static void end_work(void *ctx)
{
    struct sweeping *sweeping = ctx;

    cs_sweep_worker_free(&sweeping->worker);
    cs_store_close(sweeping->store);
}

/* ---- progress ---- */

/* Whether a worker waits for the database. */
static bool sweeping_waits(const struct sweeping *sweeping)
{
    for (uint32_t w = 0; w < sweeping->job->workers && w < WORKERS_MAX; w++)
        if (atomic_load(&sweeping->shared->waits[w]))
            return true;
    return false;
}

/* A signal, or the host, ends the sweep. */
static bool look_at_work(void *ctx, uint64_t finished)
{
    struct sweeping *sweeping = ctx;
    const struct cs_sweep_job *job = sweeping->job;
    uint64_t done = finished * WHOLE;

    for (uint32_t w = 0; w < job->workers && w < WORKERS_MAX; w++)
        done += atomic_load(&sweeping->shared->share[w]);
    cs_progress_line_note(job->display,
                          sweeping_waits(sweeping)
                              ? "waiting for the results database, which another process has locked"
                              : NULL);
    return cs_monitor_count(sweeping->monitor, done, job->count * WHOLE);
}

/* ---- all ---- */

/* The first worker that died, with its case. */
static void report_death(void *ctx, uint32_t self, int number)
{
    struct sweeping *sweeping = ctx;
    uint64_t current = atomic_load(&sweeping->shared->current[self]);
    struct cs_err err = {0};
    CS_AT_END(cs_text_free) struct cs_text name = {0};

    if (current)
        cs_sweep_name(sweeping->job->sweep, current - 1, &name);
    (void)cs_err_set(&err, CS_ECANNOT,
                     "a worker was ended by signal %d in case %llu (%s); the other cases are in "
                     "the database, the same command goes on",
                     number, (unsigned long long)current, cs_text_str(&name));
    report_error(sweeping->shared, &err);
}

static int work_on_all(struct sweeping *sweeping, struct cs_err *err)
{
    const struct cs_sweep_job *job = sweeping->job;
    struct cs_cores cores = {.workers = job->workers < WORKERS_MAX ? job->workers : WORKERS_MAX,
                             .count = job->count,
                             .begin = begin_work,
                             .item = work,
                             .end = end_work,
                             .look = look_at_work,
                             .died = report_death,
                             .ctx = sweeping};
    int code = job->count ? cs_cores_run(&cores, NULL) : 0;

    if (code == CS_ESTOPPED)
        return cs_err_set(err, CS_ESTOPPED, "stopped");
    if (sweeping->shared->code)
        return cs_err_set(err, sweeping->shared->code, "%s", sweeping->shared->text);
    return code ? cs_err_set(err, code, "cannot start a worker: %s", strerror(errno)) : 0;
}

int cs_sweep_work(const struct cs_sweep_job *job, struct cs_sweep_outcome *outcome,
                  struct cs_err *err)
{
    struct worker_shared *shared =
        mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct sweeping sweeping = {.job = job, .shared = shared};
    double began_s = cs_clock_s();
    int code;

    *outcome = (struct cs_sweep_outcome){0};
    if (shared == MAP_FAILED)
        return cs_err_set(err, CS_ECANNOT, "no shared memory: %s", strerror(errno));
    cs_progress_line_keep(job->display);
    if (job->workers)
        fflush(NULL);
    cs_text_printf(&job->display->what, "%llu cases", (unsigned long long)job->count);
    sweeping.monitor = cs_progress_line_watch(job->display, "sweeping");
    code = work_on_all(&sweeping, err);
    cs_progress_line_close(job->display);
    outcome->finished = atomic_load(&shared->finished);
    outcome->known = atomic_load(&shared->known);
    outcome->refused = atomic_load(&shared->refused);
    outcome->seconds = cs_clock_s() - began_s;
    (void)munmap(shared, sizeof(*shared));
    return code;
}
