#include "scenarios/bench/train.h"

#include "scenarios/bench/case.h"
#include "sim/base/clock.h"
#include "sim/base/units.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    TRAIN_WORDS = 16,
    TRAIN_REPEATS = 5,             /* of which the fastest counts */
    TRAIN_TRACE_BYTES = 100000000, /* at least */
};

struct train_command {
    const char *what;
    const char *words[TRAIN_WORDS]; /* behind the program */
    double limit_s;
    uint64_t limit_bytes; /* 0: none */
};

static const char trace_place[] = "TRACE"; /* replaced by the file's name */

static const struct train_command commands[] = {
    {"llama2-70b on 1,024 GPUs, hybrid 8 x 8 x 16",
     {"train", "--topo", "cluster:node=dgx-h100,nodes=128", "--model", "llama2-70b", "--system",
      "hybrid", "--tp", "8", "--pp", "8", "--global-batch", "1024"},
     1,
     100000000},
    {"gpt3-175b on 512 GPUs, all configurations",
     {"train", "--topo", "cluster:node=dgx-h100,nodes=64", "--model", "gpt3-175b", "--system",
      "auto", "--global-batch", "1536"},
     5,
     0},
    {"resnet50 on 8 GPUs, ddp",
     {"train", "--topo", "dgx", "--model", "resnet50", "--batch", "32"},
     .05,
     0},
    {"replay of a trace of 100 MB",
     {"train", "--topo", "dgx", "--replay", trace_place, "--json"},
     3,
     0},
};

static const struct cs_table_column columns[] = {
    {"training", NULL, CS_TABLE_LEFT}, {"start to end", NULL, CS_TABLE_RIGHT},
    {"limit", NULL, CS_TABLE_RIGHT},   {"peak memory", NULL, CS_TABLE_RIGHT},
    {"limit", NULL, CS_TABLE_RIGHT},
};

/* Steps of a PyTorch profile: a kernel with its operator and its launch, and an
 * all-reduce for every sixty. */
static bool write_trace(const char *path)
{
    FILE *file = fopen(path, "w");
    bool good;

    if (!file)
        return false;
    fputs("{\"distributedInfo\":{\"rank\":0,\"world_size\":8},\"traceEvents\":[\n", file);
    for (long c = 1, t = 30; ftell(file) < TRAIN_TRACE_BYTES; c++, t += 30) {
        fprintf(file,
                "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":"
                "%ld.125,\"dur\":8.1,\"args\":{\"External id\":%ld,\"Input "
                "Dims\":[[4096,1024],[1024,4096]],\"Input type\":[\"float\",\"float\"]}},\n"
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm_128x64_tn\",\"pid\":0,\"tid\":7,"
                "\"ts\":%ld,\"dur\":25.3,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%ld,"
                "\"grid\":[32,4,1],\"block\":[256,1,1]}},\n",
                t - 20, c, t, c);
        if (c % 60 == 0)
            fprintf(file,
                    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum_f32_"
                    "RING_LL\",\"pid\":0,\"tid\":20,\"ts\":%ld,\"dur\":250,\"args\":{\"stream\":20,"
                    "\"correlation\":%ld,\"Collective name\":\"allreduce\",\"In msg "
                    "nelems\":6553600,\"Out msg nelems\":6553600,\"Group "
                    "size\":8,\"dtype\":\"Float\",\"Process Group Ranks\":\"[0, 1, 2, 3, 4, 5, 6, "
                    "7]\"}},\n",
                    t + 28, c);
    }
    fputs("{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#1\",\"ts\":0,\"dur\":"
          "1}]}\n",
          file);
    good = !ferror(file);
    return fclose(file) == 0 && good;
}

static void run_words(const char *program, const struct train_command *command, const char *trace)
{
    const char *argv[TRAIN_WORDS + 2] = {program};
    int null = open("/dev/null", O_WRONLY);

    for (int w = 0; w < TRAIN_WORDS && command->words[w]; w++)
        argv[w + 1] = command->words[w] == trace_place ? trace : command->words[w];
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execv(program, (char *const *)argv);
    _exit(127);
}

/* One run; false where it fails.  Exit status 1 is an answer: a job beyond the
 * memory of a device. */
static bool time_command(const char *program, const struct train_command *command,
                         const char *trace, struct cs_bench_timing *timing)
{
    double start_s = cs_clock_s();
    struct rusage usage;
    int status;
    pid_t child = fork();

    if (child == 0)
        run_words(program, command, trace);
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) > 1)
        return false;
    timing->figures.took_s = cs_clock_s() - start_s;
    timing->peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
    return true;
}

static int train_row(const char *program, const struct train_command *command, const char *trace,
                     struct cs_table *table, struct cs_err *err)
{
    struct cs_bench_timing best = {.figures = {.took_s = 1e9}}, timing = {0};
    char text[CS_UNITS_TEXT];

    for (int i = 0; i < TRAIN_REPEATS; i++) {
        if (!time_command(program, command, trace, &timing))
            return cs_err_set(err, CS_ECANNOT, "'%s' did not finish", command->what);
        if (timing.figures.took_s < best.figures.took_s)
            best = timing;
    }
    cs_table_cell(table, command->what);
    cs_table_cell(table, cs_units_show_seconds(text, best.figures.took_s));
    cs_table_cell(table, cs_units_show_seconds(text, command->limit_s));
    cs_table_cell(table, cs_units_show_bytes(text, best.peak_bytes));
    cs_table_cell(table,
                  command->limit_bytes ? cs_units_show_bytes(text, command->limit_bytes) : "-");
    return 0;
}

int cs_bench_train(const char *program, struct cs_table *table, struct cs_err *err)
{
    char trace[] = "/tmp/collsim-trace-XXXXXX";
    int file = mkstemp(trace);
    int code = 0;

    if (file < 0 || close(file) || !write_trace(trace))
        code = cs_err_set(err, CS_ECANNOT, "cannot write a trace of 100 MB to /tmp");
    cs_table_begin(table, columns, sizeof(columns) / sizeof(*columns));
    for (size_t c = 0; c < sizeof(commands) / sizeof(*commands) && !code; c++)
        code = train_row(program, &commands[c], trace, table, err);
    if (file >= 0)
        (void)unlink(trace);
    return code;
}
