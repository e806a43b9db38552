#include "scenarios/bench/case.h"

#include "sim/base/clock.h"
#include "sim/base/units.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    WORDS = 32,
    LINE_BYTES = 512,
    INPUT = 3,         /* /dev/fd/3 */
    READ_BYTES = 8192, /* of the output, with the first record */
};

/* ---- runs ---- */

/* The child's side; returns where the program cannot be executed. */
static void execute(const char *program, const char *line, FILE *input, FILE *output)
{
    char *argv[WORDS + 2] = {(char *)program};
    char words[LINE_BYTES];
    char *rest = words;
    size_t count = 1;

    snprintf(words, sizeof(words), "%s", line);
    while (count <= WORDS && (argv[count] = strtok_r(rest, " ", &rest)))
        count++;
    dup2(fileno(output), STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    if (input)
        dup2(fileno(input), INPUT);
    execv(program, argv);
}

static bool run_line(const char *program, const char *line, FILE *input, FILE *output,
                     struct cs_bench_timing *timing)
{
    double start_s = cs_clock_s();
    struct rusage usage;
    int status;
    pid_t child = fork();

    if (child == 0) {
        execute(program, line, input, output);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return false;
    *timing = (struct cs_bench_timing){.took_s = cs_clock_s() - start_s,
                                       .peak_bytes = (uint64_t)usage.ru_maxrss * 1024};
    return WIFEXITED(status) && WEXITSTATUS(status) <= 1;
}

static uint64_t messages_of(FILE *output)
{
    static const char key[] = "\"messages\": ";
    char text[READ_BYTES + 1];
    const char *at;

    rewind(output);
    text[fread(text, 1, READ_BYTES, output)] = '\0';
    at = strstr(text, key);
    return at ? strtoull(at + sizeof(key) - 1, NULL, 10) : 0;
}

static bool run_once(const char *program, const struct cs_bench_case *bench, FILE *input,
                     struct cs_bench_timing *timing)
{
    FILE *output = tmpfile();
    bool good = output && run_line(program, bench->line, input, output, timing);

    if (good)
        timing->messages = messages_of(output);
    if (output)
        (void)fclose(output);
    return good;
}

int cs_bench_time(const char *program, const struct cs_bench_case *bench,
                  struct cs_bench_timing *timing, struct cs_err *err)
{
    FILE *input = bench->input ? tmpfile() : NULL;
    struct cs_bench_timing next = {0};
    bool good = !bench->input || (input && run_line(program, bench->input, NULL, input, &next));

    for (uint32_t i = 0; good && (i == 0 || i < bench->runs); i++) {
        good = run_once(program, bench, input, &next);
        if (i == 0 || next.took_s < timing->took_s)
            *timing = next;
    }
    if (input)
        (void)fclose(input);
    return good ? 0 : cs_err_set(err, CS_ECANNOT, "the benchmark '%s' did not finish", bench->what);
}

/* ---- other simulators ---- */

void cs_bench_others_begin(struct cs_table *table)
{
    static const struct cs_table_column columns[] = {
        {"of 1 GiB", NULL, CS_TABLE_LEFT},    {"simulated by", NULL, CS_TABLE_LEFT},
        {"takes", NULL, CS_TABLE_RIGHT},      {"memory", NULL, CS_TABLE_RIGHT},
        {"ours", "takes", CS_TABLE_RIGHT},    {"memory", NULL, CS_TABLE_RIGHT},
        {"times", "as fast", CS_TABLE_RIGHT},
    };

    cs_table_begin(table, columns, sizeof(columns) / sizeof(*columns));
}

void cs_bench_others_add(struct cs_table *table, const struct cs_bench_case *bench,
                         const struct cs_bench_timing *ours)
{
    for (size_t i = 0; i < CS_BENCH_OTHERS && bench->others[i].tool; i++) {
        const struct cs_bench_other *other = &bench->others[i];

        cs_table_cell(table, bench->what);
        cs_table_cell(table, other->tool);
        cs_table_cell(table, cs_show_seconds(other->took_s).text);
        cs_table_cell(
            table, other->peak_MB > 0 ? cs_show_bytes((uint64_t)(other->peak_MB * 1e6)).text : "-");
        cs_table_cell(table, cs_show_seconds(ours->took_s).text);
        cs_table_cell(table, cs_show_bytes(ours->peak_bytes).text);
        cs_table_cellf(table, "%.0f", other->took_s / ours->took_s);
    }
}
