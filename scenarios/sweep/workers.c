#include "scenarios/sweep/workers.h"

#include "reports/results/store_sweep.h"
#include "scenarios/sweep/sweep_case.h"
#include "sim/base/units.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    WORKERS_MAX = 1024,
    LOOK_NS = 20 * 1000 * 1000, /* between looks at the workers */
};

/* Shared by the processes. */
struct shared {
    atomic_uint_fast64_t next, finished, refused;
    atomic_bool stop; /* a worker met an error */
    atomic_uint_fast64_t current[WORKERS_MAX];
    atomic_flag reported; /* `code` and `text` are set */
    int code;
    char text[CS_ERR_TEXT_MAX];
};

/* ---- a worker ---- */

static void report_error(struct shared *shared, const struct cs_err *err)
{
    if (!atomic_flag_test_and_set(&shared->reported)) {
        shared->code = err->code;
        snprintf(shared->text, sizeof(shared->text), "%s", err->text);
    }
    atomic_store(&shared->stop, true);
}

/* A case's own error is its result; an error of the file ends the sweep. */
static int work_case(const struct cs_sweep_job *job, struct shared *shared,
                     struct cs_sweep_worker *worker, struct cs_store *store,
                     uint64_t number, struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct cs_record record;
    struct cs_err own = {0};
    int code =
        cs_sweep_compute(worker, job->sweep, number, &arena, &record, &own);

    if (code) {
        code = cs_store_sweep_refuse(store, job->base, number, own.text, err);
        atomic_fetch_add(&shared->refused, 1);
    } else {
        code = cs_store_sweep_put(store, job->base, number, &record, err);
    }
    if (!code)
        atomic_fetch_add(&shared->finished, 1);
    cs_arena_free(&arena);
    return code;
}

static void work(const struct cs_sweep_job *job, struct shared *shared,
                 uint32_t self)
{
    struct cs_sweep_worker worker = {0};
    struct cs_store *store = NULL;
    struct cs_err err = {0};
    uint64_t at;
    int code = cs_store_sweep_open(job->db, &store, &err);

    while (!code && !atomic_load(&shared->stop) &&
           (at = atomic_fetch_add(&shared->next, 1)) < job->count) {
        atomic_store(&shared->current[self], job->todo[at] + 1);
        code = work_case(job, shared, &worker, store, job->todo[at], &err);
        atomic_store(&shared->current[self], 0);
    }
    if (code)
        report_error(shared, &err);
    cs_sweep_worker_free(&worker);
    cs_store_close(store);
}

/* A worker ends with this process, and leaves Ctrl-C to it. */
static pid_t start_worker(const struct cs_sweep_job *job, struct shared *shared,
                          uint32_t self)
{
    pid_t parent = getpid();
    pid_t child = fork();

    if (child != 0)
        return child;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    (void)signal(SIGINT, SIG_IGN);
    work(job, shared, self);
    _exit(0);
}

/* ---- progress ---- */

static double now_s(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct progress {
    double began_s, shown_s;
    bool shown;
    bool interrupted; /* by SIGINT, which is blocked meanwhile */
};

/* On a terminal every half second, elsewhere after a minute and then every five
 * minutes. */
static void show_progress(const struct cs_sweep_job *job,
                          const struct shared *shared,
                          struct progress *progress)
{
    double now = now_s(), spent_s = now - progress->began_s;
    double wait_s = job->terminal ? 0.5 : progress->shown ? 300 : 60;
    uint64_t finished = atomic_load(&shared->finished);
    char left[CS_UNITS_TEXT];

    if (now - (progress->shown ? progress->shown_s : progress->began_s) <
            wait_s ||
        !finished)
        return;
    progress->shown_s = now;
    progress->shown = true;
    cs_units_show_seconds(left, spent_s / (double)finished *
                                    (double)(job->count - finished));
    fprintf(job->messages,
            "%s%llu of %llu cases, %.0f a second, about %s left%s",
            job->terminal ? "\r" : "", (unsigned long long)finished,
            (unsigned long long)job->count, (double)finished / spent_s, left,
            job->terminal ? "\033[K" : "\n");
    fflush(job->messages);
}

static void clear_progress(const struct cs_sweep_job *job,
                           const struct progress *progress)
{
    if (progress->shown && job->terminal)
        fputs("\r\033[K", job->messages);
}

/* ---- all ---- */

/* Waits for SIGINT, at most LOOK_NS. */
static bool was_interrupted(void)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    sigset_t interrupts;

    (void)sigemptyset(&interrupts);
    (void)sigaddset(&interrupts, SIGINT);
    return sigtimedwait(&interrupts, NULL, &pause) == SIGINT;
}

/* The first worker that died, with its case. */
static void report_death(const struct cs_sweep_job *job, struct shared *shared,
                         uint32_t self, int status)
{
    uint64_t current = atomic_load(&shared->current[self]);
    struct cs_err err = {0};
    struct cs_text name = {0};

    if (!WIFSIGNALED(status))
        return;
    if (current)
        cs_sweep_name(job->sweep, current - 1, &name);
    (void)cs_err_set(&err, CS_ECANNOT,
                     "a worker was ended by signal %d in case %llu (%s); the "
                     "other cases are in the database, the same command goes "
                     "on",
                     WTERMSIG(status), (unsigned long long)current,
                     cs_text_str(&name));
    if (!atomic_flag_test_and_set(&shared->reported)) {
        shared->code = err.code;
        snprintf(shared->text, sizeof(shared->text), "%s", err.text);
    }
    cs_text_free(&name);
}

/* Waits for the workers; returns when all have ended. */
static void wait_for_all(const struct cs_sweep_job *job, struct shared *shared,
                         pid_t *workers, uint32_t count,
                         struct progress *progress)
{
    uint32_t running = count;

    while (running) {
        for (uint32_t w = 0; w < count; ++w) {
            int status;

            if (workers[w] <= 0 || waitpid(workers[w], &status, WNOHANG) <= 0)
                continue;
            if (!progress->interrupted)
                report_death(job, shared, w, status);
            workers[w] = 0;
            --running;
        }
        for (uint32_t w = 0; w < count && progress->interrupted; ++w)
            if (workers[w] > 0)
                (void)kill(workers[w], SIGKILL);
        show_progress(job, shared, progress);
        if (running && was_interrupted())
            progress->interrupted = true;
    }
}

static uint32_t start_all(const struct cs_sweep_job *job, struct shared *shared,
                          pid_t *workers, struct cs_err *err)
{
    uint32_t count = 0;

    while (count < job->workers && count < WORKERS_MAX && count < job->count) {
        workers[count] = start_worker(job, shared, count);
        if (workers[count] < 0) {
            if (!count)
                (void)cs_err_set(err, CS_ECANNOT, "cannot start a worker: %s",
                                 strerror(errno));
            break;
        }
        ++count;
    }
    return count;
}

static int outcome_code(const struct shared *shared, bool interrupted,
                        struct cs_err *err)
{
    if (interrupted)
        return cs_err_set(err, CS_ESTOPPED, "stopped");
    return shared->code ? cs_err_set(err, shared->code, "%s", shared->text)
                        : err->code;
}

int cs_sweep_work(const struct cs_sweep_job *job,
                  struct cs_sweep_outcome *outcome, struct cs_err *err)
{
    pid_t workers[WORKERS_MAX];
    struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sigset_t before, interrupts;
    struct progress progress = {.began_s = now_s()};
    uint32_t count;
    int code;

    *outcome = (struct cs_sweep_outcome){0};
    if (shared == MAP_FAILED)
        return cs_err_set(err, CS_ECANNOT, "no shared memory: %s",
                          strerror(errno));
    (void)sigemptyset(&interrupts);
    (void)sigaddset(&interrupts, SIGINT);
    (void)sigprocmask(SIG_BLOCK, &interrupts, &before);
    fflush(NULL);
    count = start_all(job, shared, workers, err);
    wait_for_all(job, shared, workers, count, &progress);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    clear_progress(job, &progress);
    outcome->finished = atomic_load(&shared->finished);
    outcome->refused = atomic_load(&shared->refused);
    outcome->seconds = now_s() - progress.began_s;
    code = outcome_code(shared, progress.interrupted, err);
    (void)munmap(shared, sizeof(*shared));
    return code;
}
