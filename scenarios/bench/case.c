#include "scenarios/bench/case.h"

#include "sim/base/clock.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t peak_bytes(const struct rusage *usage)
{
    return (uint64_t)usage->ru_maxrss * 1024;
}

/* The child's report: figures, and memory at the start. */
struct report {
    struct cs_bench_figures figures;
    uint64_t first_bytes;
};

static int run_apart(const struct cs_bench_case *bench, int end)
{
    struct report report;
    struct rusage usage;

    if (getrusage(RUSAGE_SELF, &usage))
        return 1;
    report.first_bytes = peak_bytes(&usage);
    report.figures = bench->run(bench);
    return write(end, &report, sizeof(report)) != (ssize_t)sizeof(report);
}

static void run_words(const char *program, const struct cs_bench_case *bench)
{
    const char *argv[CS_BENCH_WORDS + 2] = {program};
    int null = open("/dev/null", O_WRONLY);

    for (int i = 0; i < CS_BENCH_WORDS; i++)
        argv[i + 1] = bench->words[i];
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execv(program, (char *const *)argv);
}

/* Exit status 1 is an answer: a job beyond the memory of a device. */
static bool run_once(const char *program, const struct cs_bench_case *bench,
                     struct cs_bench_timing *timing)
{
    struct report report = {0};
    struct rusage usage;
    double start_s = cs_clock_s();
    int ends[2];
    int status;
    pid_t child;

    if (pipe(ends))
        return false;
    child = fork();
    if (child == 0 && bench->run)
        _exit(run_apart(bench, ends[1]));
    if (child == 0) {
        run_words(program, bench);
        _exit(127);
    }
    close(ends[1]);
    if (bench->run && read(ends[0], &report, sizeof(report)) != (ssize_t)sizeof(report))
        report.figures.good = false;
    close(ends[0]);
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return false;
    if (!bench->run) {
        report.figures.took_s = cs_clock_s() - start_s;
        report.figures.good = WIFEXITED(status) && WEXITSTATUS(status) <= 1;
    }
    *timing = (struct cs_bench_timing){.figures = report.figures, .peak_bytes = peak_bytes(&usage)};
    if (timing->peak_bytes > report.first_bytes)
        timing->grown_bytes = timing->peak_bytes - report.first_bytes;
    return report.figures.good;
}

int cs_bench_time(const char *program, const struct cs_bench_case *bench,
                  struct cs_bench_timing *timing, struct cs_err *err)
{
    struct cs_bench_timing next;
    uint32_t i;

    for (i = 0; i == 0 || i < bench->runs; i++) {
        if (!run_once(program, bench, &next))
            return cs_err_set(err, CS_ECANNOT, "the benchmark '%s' did not finish", bench->what);
        if (i == 0 || next.figures.took_s < timing->figures.took_s)
            *timing = next;
    }
    return 0;
}
