#include "sim/base/cores.h"

#include "sim/base/err.h"

#include <fcntl.h>
#include <sched.h>
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
    LOOK_NS = 20 * 1000 * 1000,
    WORKERS_MAX = 1024
};

/* In shared memory, with the results behind. */
struct cores_shared {
    atomic_uint_fast64_t next, finished;
    atomic_bool failed;
    _Alignas(16) unsigned char results[];
};

uint32_t cs_cores_count(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;

    return count > 0 ? (uint32_t)count : 1;
}

/* "SIZE RESIDENT ...", in pages (proc(5)). */
double cs_process_bytes(void)
{
    char text[128] = "";
    char *resident;
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return 0;
    if (read(file, text, sizeof(text) - 1) < 0)
        *text = '\0';
    close(file);
    (void)strtoull(text, &resident, 10);
    return (double)strtoull(resident, NULL, 10) * (double)sysconf(_SC_PAGESIZE);
}

static void work(const struct cs_cores *cores, struct cores_shared *shared, uint32_t self)
{
    uint64_t item;

    if (cores->begin && cores->begin(cores->ctx, self))
        atomic_store(&shared->failed, true);
    while (!atomic_load(&shared->failed) &&
           (item = atomic_fetch_add(&shared->next, 1)) < cores->count) {
        if (cores->item(cores->ctx, item, shared->results + item * cores->size))
            atomic_store(&shared->failed, true);
        else
            atomic_fetch_add(&shared->finished, 1);
    }
    if (cores->end)
        cores->end(cores->ctx);
}

static pid_t start(const struct cs_cores *cores, struct cores_shared *shared, uint32_t self)
{
    pid_t parent = getpid();
    pid_t child = fork();

    if (child != 0)
        return child;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) {
        (void)signal(SIGINT, SIG_IGN);
        (void)signal(SIGTERM, SIG_IGN);
        work(cores, shared, self);
    }
    _exit(0);
}

/* A worker that ends without exit(0) has died; workers that this process killed are
 * not asked about. */
static void note_end(const struct cs_cores *cores, struct cores_shared *shared, uint32_t worker,
                     int status)
{
    if (WIFSIGNALED(status) && cores->died)
        cores->died(cores->ctx, worker, WTERMSIG(status));
    else if (!WIFEXITED(status))
        atomic_store(&shared->failed, true);
}

/* Waits for a worker, at most LOOK_NS; true when it has ended. */
static bool has_ended(pid_t worker, int *status)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};

    if (waitpid(worker, status, WNOHANG) != 0)
        return true;
    (void)nanosleep(&pause, NULL);
    return false;
}

static int wait_for_all(const struct cs_cores *cores, struct cores_shared *shared,
                        const pid_t *workers, uint32_t count)
{
    int code = 0;

    for (uint32_t w = 0; w < count;) {
        int status = 0;

        if (!code && cores->look && !cores->look(cores->ctx, atomic_load(&shared->finished))) {
            code = CS_ESTOPPED;
            for (uint32_t k = w; k < count; ++k)
                (void)kill(workers[k], SIGKILL);
        }
        if (!has_ended(workers[w], &status))
            continue;
        if (!code)
            note_end(cores, shared, w, status);
        ++w;
    }
    return code;
}

/* In this process; a stop comes between two items. */
static int cores_run_here(const struct cs_cores *cores, unsigned char *results)
{
    int code = cores->begin ? cores->begin(cores->ctx, 0) : 0;

    for (uint64_t i = 0; i < cores->count && !code; ++i)
        code = cores->look && !cores->look(cores->ctx, i)
                   ? CS_ESTOPPED
                   : cores->item(cores->ctx, i, results ? results + i * cores->size : NULL);
    if (cores->end)
        cores->end(cores->ctx);
    return code && code != CS_ESTOPPED ? CS_ECANNOT : code;
}

int cs_cores_run(const struct cs_cores *cores, void *results)
{
    size_t size = sizeof(struct cores_shared) + cores->count * cores->size;
    struct cores_shared *shared;
    pid_t workers[WORKERS_MAX];
    uint32_t count = 0;
    int code;

    if (cores->workers == 0)
        return cores_run_here(cores, results);
    shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return CS_ECANNOT;
    while (count < cores->workers && count < WORKERS_MAX && count < cores->count) {
        workers[count] = start(cores, shared, count);
        if (workers[count] < 0)
            break;
        ++count;
    }
    code = count ? wait_for_all(cores, shared, workers, count) : CS_ECANNOT;
    if (!code && atomic_load(&shared->finished) != cores->count)
        code = CS_ECANNOT;
    if (cores->size)
        memcpy(results, shared->results, cores->count * cores->size);
    (void)munmap(shared, size);
    return code;
}
