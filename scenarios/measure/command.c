/*
 * measure: run collectives on GPUs by child processes, and print the lines of
 * the children.
 *
 * `cuda` is the separate program collsim-cuda: a child for each algorithm and
 * number of ranks, or a child that calibrates.  A child reads the op table from a
 * file in memory.  Every end of a child is reported, and a child is killed at the
 * deadline: a kernel that deadlocks must not block the command.
 */
#include "scenarios/commands.h"
#include "scenarios/measure/all.h"
#include "scenarios/measure/tcp.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/simulate.h"
#include "sim/base/child.h"
#include "validate/cuda/request.h"
#include "validate/gpu/measured.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    WORDS_MAX = 64, /* of a child's command line */
};

/* A child is timed in milliseconds. */
#define DEADLINE_LEAST_PS 1000000000ull

#define TCP_SIZE "64 MiB" /* half a second on a wire of 1 Gb/s */

/* The scenario is the first member: the shared options fill it. */
struct cmd_measure_request {
    struct cs_scenario scenario;
    struct cs_delay delay;
    bool calibrate, all;
    struct cs_measure_tcp tcp; /* options of that word */
#define OPTIONS "scenarios/measure/options.def"
#include "scenarios/options/members.def"
};

/* A child, and the number of lines read from it. */
struct talk {
    const struct cs_cli *cli;
    const struct cmd_measure_request *request;
    const char *program;
    FILE *out;
    uint32_t lines;
    const char *argv[WORDS_MAX + 1];
    size_t words;
};

/* ---- options ---- */

static const struct cs_option measure_options[] = {
#define TARGET  struct cmd_measure_request
#define OPTIONS "scenarios/measure/options.def"
#include "scenarios/options/entries.def"
};

/* ---- the child ---- */

static int cmd_measure_add_word(struct talk *talk, const char *word, struct cs_err *err)
{
    if (talk->words == WORDS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d words for %s", WORDS_MAX, talk->program);
    talk->argv[talk->words++] = word;
    talk->argv[talk->words] = NULL;
    return 0;
}

/* Adds the words between spaces. */
static int add_words(struct talk *talk, const char *text, struct cs_err *err)
{
    struct cs_arena *arena = talk->request->scenario.arena;
    int code = 0;

    while (*text && !code) {
        size_t length = strcspn(text, " ");

        if (length > 0)
            code = cmd_measure_add_word(talk, cs_arena_text_n(arena, text, length), err);
        text += length + (text[length] == ' ');
    }
    return code;
}

static int cannot_write(const struct talk *talk, struct cs_err *err)
{
    return cs_err_set(err, CS_ECANNOT, "cannot write '%s': %s",
                      talk->request->out ? talk->request->out : "the output", strerror(errno));
}

/* Copies a line to the output.  A line that is not a measurement ends the child:
 * the remaining output cannot be trusted. */
static int pass_on(void *ctx, const char *text, size_t length, struct cs_err *err)
{
    struct talk *talk = ctx;
    struct cs_arena arena = {0};
    struct cs_measured measured;
    struct cs_measured_line line = {talk->program, ++talk->lines, text, length};
    int code = cs_measured_read_line(line, &arena, &measured, err);

    cs_arena_free(&arena);
    if (code) {
        err->code = CS_ECANNOT; /* the child's error, not the user's */
        return CS_ECANNOT;
    }
    if (fwrite(text, 1, length, talk->out) != length || fputc('\n', talk->out) == EOF ||
        fflush(talk->out) != 0)
        return cannot_write(talk, err);
    return 0;
}

static int run_child(struct talk *talk, struct cs_err *err)
{
    struct cs_child child = {.argv = talk->argv,
                             .deadline_ms = talk->request->deadline_ps / DEADLINE_LEAST_PS,
                             .line = pass_on,
                             .ctx = talk};
    struct cs_child_end end;
    int code;

    talk->lines = 0;
    code = cs_child_run(&child, &end, err);

    if (!code && end.fate == CS_CHILD_ABSENT)
        code = cs_err_set(
            err, CS_ECANNOT,
            "'%s' is missing (built without CUDA); run 'make collsim-cuda' on a node with nvcc",
            talk->program);
    if (!code)
        code = cs_child_judge(&child, &end, err);
    if (!code && talk->lines == 0)
        code = cs_err_set(err, CS_ECANNOT, "%s ended without a measurement", talk->program);
    cs_text_free(&end.complaint);
    return code;
}

/* ---- requests ---- */

/* The constant factor between sizes, which one child sweeps; 0: none, and every
 * size needs a child. */
static uint64_t factor_of(const struct cs_scenario *scenario)
{
    uint64_t factor = scenario->size_count > 1 ? scenario->sizes[1] / scenario->sizes[0] : 2;

    for (uint32_t i = 0; i + 1 < scenario->size_count; i++)
        if (scenario->sizes[i + 1] != scenario->sizes[i] * factor)
            return 0;
    return factor < 2 ? 0 : factor;
}

static int add_sizes(struct talk *talk, uint64_t first, uint64_t last, struct cs_err *err)
{
    const struct cs_scenario *scenario = &talk->request->scenario;
    uint64_t factor = factor_of(scenario);
    const char *text = cs_arena_printf(
        scenario->arena, "-b %lluB -e %lluB -f %llu --dtype %s", (unsigned long long)first,
        (unsigned long long)last, (unsigned long long)(factor ? factor : 2), scenario->dtype->name);

    return add_words(talk, text, err);
}

/* A file in memory, inherited by the child and opened as /dev/fd/N. */
static int open_table(const struct cs_text *table, struct cs_err *err)
{
    int file = memfd_create("table", 0);

    if (file >= 0 && write(file, table->data, table->length) == (ssize_t)table->length)
        return file;
    if (file >= 0)
        close(file);
    return cs_err_set(err, CS_ECANNOT, "cannot write an op table in memory: %s", strerror(errno));
}

static int run_table(struct talk *talk, const struct cs_text *table, uint64_t first, uint64_t last,
                     struct cs_err *err)
{
    struct cs_arena *arena = talk->request->scenario.arena;
    int file = open_table(table, err);
    int code;

    if (file < 0)
        return file;
    talk->words = 0;
    code = cmd_measure_add_word(talk, talk->program, err);
    if (!code)
        code = add_words(talk, cs_arena_printf(arena, "run --table /dev/fd/%d", file), err);
    if (!code)
        code = add_sizes(talk, first, last, err);
    if (!code && talk->request->delay_text)
        code =
            add_words(talk, cs_arena_printf(arena, "--delay %s", talk->request->delay_text), err);
    if (!code && talk->request->with)
        code = add_words(talk, talk->request->with, err);
    if (!code)
        code = run_child(talk, err);
    close(file);
    return code;
}

static int run_case(struct talk *talk, struct cs_case *which, struct cs_err *err)
{
    const struct cs_scenario *scenario = which->scenario;
    const struct cs_exporter *exporter = NULL;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    CS_AT_END(cs_text_free) struct cs_text table = {0};
    uint32_t sizes = factor_of(scenario) ? 1 : scenario->size_count;
    int code = cs_exporter_choose("table", &exporter, err);

    which->bytes = scenario->sizes[0];
    if (!code)
        code = cs_simulate_export(which, exporter, &arena, &table, err);
    for (uint32_t i = 0; i < sizes && !code; i++)
        code = run_table(talk, &table, scenario->sizes[i],
                         scenario->sizes[sizes == 1 ? scenario->size_count - 1 : i], err);
    return code;
}

/* The op table does not depend on the machine; the default is a switch, which has
 * any number of ranks. */
static int run_cases(struct talk *talk, struct cs_scenario *scenario, struct cs_err *err)
{
    uint32_t counts = scenario->rank_count ? scenario->rank_count : 1;
    int code = 0;

    for (uint32_t i = 0; i < counts * scenario->algo_count && !code; i++) {
        struct cs_case which = {
            .scenario = scenario,
            .algo = scenario->algos[i % scenario->algo_count],
            .ranks = scenario->rank_count ? scenario->ranks[i / scenario->algo_count] : 0,
        };

        if (talk->request->delay.time_ps > 0 && which.ranks > 0 &&
            talk->request->delay.rank >= which.ranks)
            return cs_err_set(err, CS_EINPUT,
                              "--delay: rank %u of %u ranks, which are numbered from 0",
                              talk->request->delay.rank, which.ranks);
        if (!scenario->cluster.topo_named)
            scenario->topo =
                cs_arena_printf(scenario->arena, "switch:ranks=%u", which.ranks ? which.ranks : 2);
        code = run_case(talk, &which, err);
    }
    return code;
}

static int run_calibration(struct talk *talk, struct cs_err *err)
{
    int code = cmd_measure_add_word(talk, talk->program, err);

    if (!code)
        code = cmd_measure_add_word(talk, "calibrate", err);
    if (!code && talk->request->with)
        code = add_words(talk, talk->request->with, err);
    return code ? code : run_child(talk, err);
}

/* ---- the command ---- */

/* collsim-cuda in the directory of collsim, otherwise in the search path. */
static const char *find_program(const struct cs_cli *cli, const struct cmd_measure_request *request)
{
    char path[PATH_MAX];
    ssize_t length = readlink(cli->program, path, sizeof(path) - 1);
    char *slash;
    char *beside;

    if (request->program)
        return request->program;
    if (length < 0)
        return "collsim-cuda";
    path[length] = '\0';
    slash = strrchr(path, '/');
    if (!slash)
        return "collsim-cuda";
    *slash = '\0';
    beside = cs_arena_printf(request->scenario.arena, "%s/collsim-cuda", path);
    return access(beside, X_OK) == 0 ? beside : "collsim-cuda";
}

static int cmd_measure_perform(const struct cs_cli *cli, struct cmd_measure_request *request,
                               struct cs_err *err)
{
    struct talk talk = {
        .cli = cli, .request = request, .program = find_program(cli, request), .out = cli->out};
    int code;

    if (request->out)
        talk.out = fopen(request->out, "ab");
    if (!talk.out)
        return cs_err_set(err, CS_EINPUT, "cannot write '%s': %s", request->out, strerror(errno));
    code = request->calibrate ? run_calibration(&talk, err)
                              : run_cases(&talk, &request->scenario, err);
    if (request->out && fclose(talk.out) != 0 && !code)
        code = cannot_write(&talk, err);
    if (!code)
        cs_cli_wrote(cli, request->out);
    return code;
}

static int perform_all(const struct cs_cli *cli, const struct cmd_measure_request *request,
                       struct cs_err *err)
{
    bool plan = request->with && strstr(request->with, "--dry");

    if (!request->out && !plan)
        return cs_err_set(err, CS_EINPUT,
                          "--all requires --out DIR, which lets a stopped measurement continue; "
                          "--with --dry prints the plan");
    return cs_measure_all(&(struct cs_measure_all){.program = find_program(cli, request),
                                                   .collsim = cli->program,
                                                   .out = plan ? NULL : request->out,
                                                   .with = request->with},
                          err);
}

static int check_request(struct cmd_measure_request *request, struct cs_err *err)
{
    const struct cs_scenario *scenario = &request->scenario;
    const char *text = request->delay_text;

    if (text && (request->calibrate || request->all))
        return cs_err_set(err, CS_EINPUT, "--delay is for the run of a collective, not for %s",
                          request->all ? "--all" : "--calibrate");
    if (text && cs_delay_read(text, &request->delay, err))
        return CS_EINPUT;
    if (!cs_same(scenario->dtype->name, "fp32") && !cs_same(scenario->dtype->name, "fp16"))
        return cs_err_set(err, CS_EINPUT, "collsim-cuda reduces fp32 and fp16, not %s",
                          scenario->dtype->name);
    return 0;
}

/* The words of the user, for the lines. */
static const char *measure_words(int argc, char **argv, struct cs_arena *arena)
{
    const char *words = "collsim measure";

    for (int i = 0; i < argc; i++)
        words = cs_arena_printf(arena, "%s %s", words, argv[i]);
    return words;
}

static int measure_tcp(const struct cs_cli *cli, struct cmd_measure_request *request,
                       const char *command, struct cs_err *err)
{
    const struct cs_measure_tcp_call call = {
        .cli = cli,
        .options = &request->tcp,
        .scenario = &request->scenario,
        .calibrates = request->calibrate,
        .deadline_ps = request->deadline_ps,
        .command = command,
        .out = request->out,
    };

    if (request->delay_text)
        return cs_err_set(err, CS_EINPUT,
                          "--delay is for 'collsim measure cuda'; --latency delays packets");
    if (request->all || request->program || request->with)
        return cs_err_set(err, CS_EINPUT, "--%s is for 'collsim measure cuda'",
                          request->all       ? "all"
                          : request->program ? "program"
                                             : "with");
    return cs_measure_tcp(&call, err);
}

static int measure_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cmd_measure_request request = {
        .deadline_ps = 120000000000000,
        .tcp = {.rate_Bps = 125e6, .burst_bytes = 128 << 10, .runs = 5}};
    bool tcp = argc > 0 && cs_same(argv[0], "tcp");
    int code;

    if (!tcp && (argc == 0 || !cs_same(argv[0], "cuda")))
        return cs_err_set(err, CS_EINPUT,
                          "%s%.40s%s; write 'collsim measure cuda' or 'collsim measure tcp'",
                          argc ? "nothing to measure called '" : "",
                          argc ? argv[0] : "measure requires a device", argc ? "'" : "");
    cs_scenario_init(&request.scenario, &arena);
    if (tcp)
        request.scenario.standard_size = TCP_SIZE;
    code = cs_options_read(cs_command_measure.options, argc - 1, argv + 1, &request, err);
    if (!code)
        code = cs_scenario_finish(&request.scenario, err);
    if (!code && tcp)
        code = measure_tcp(cli, &request, measure_words(argc, argv, &arena), err);
    if (!code && !tcp)
        code = check_request(&request, err);
    if (!code && !tcp)
        code =
            request.all ? perform_all(cli, &request, err) : cmd_measure_perform(cli, &request, err);
    return code;
}

const struct cs_command cs_command_measure = {
    .name = "measure",
    .usage = "collsim measure cuda|tcp [--calibrate | --all] [OPTION ...]",
    .about = "run a collective on the GPUs of this node, or over TCP",
    .options = {.own = measure_options, .shared = cs_scenario_options, .command = CS_FOR_MEASURE},
    .notes =
        "Prints a JSON line for each measurement; 'collsim validate' compares measurements with "
        "predictions.\n"
        "'measure tcp' runs the ranks as processes on hosts made of network namespaces, each\nwith "
        "a shaped wire to one switch (root, or user namespaces; without either the ranks\nshare "
        "loopback, with a note). Every sum is checked. Namespaces have no names and end\nwith the "
        "command, whatever ends it. Without --size a vector has " TCP_SIZE ".\n",
    .starts_processes = true,
    .run = measure_run,
};
