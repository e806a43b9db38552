#include "scenarios/bench/case.h"

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

int cs_bench_time(const struct cs_bench_case *bench, struct cs_bench_timing *timing,
                  struct cs_err *err)
{
    struct report report = {0};
    struct rusage usage;
    int ends[2];
    pid_t child;

    if (pipe(ends))
        return cs_err_set(err, CS_ECANNOT, "no pipe to be had");
    child = fork();
    if (child == 0)
        _exit(run_apart(bench, ends[1]));
    close(ends[1]);
    if (child < 0 || read(ends[0], &report, sizeof(report)) != (ssize_t)sizeof(report) ||
        wait4(child, NULL, 0, &usage) != child || !report.figures.good) {
        close(ends[0]);
        return cs_err_set(err, CS_ECANNOT, "a benchmark did not finish");
    }
    close(ends[0]);
    *timing = (struct cs_bench_timing){.figures = report.figures, .peak_bytes = peak_bytes(&usage)};
    timing->grown_bytes =
        timing->peak_bytes > report.first_bytes ? timing->peak_bytes - report.first_bytes : 0;
    return 0;
}
