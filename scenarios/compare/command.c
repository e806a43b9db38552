/*
 * compare: a user's log beside the predictions of a library, with causes.
 */
#include "scenarios/commands.h"
#include "scenarios/compare/report.h"
#include "scenarios/compare/table.h"
#include "scenarios/options/directory.h"
#include "sim/base/units.h"
#include "topo/formats/source.h"
#include "validate/logs/log.h"

#include <string.h>
#include <sys/stat.h>

/* The scenario is first: the shared options fill it. */
struct compare_command {
    struct cs_scenario scenario;
    const char **logs;
    uint32_t log_count;
    const struct cs_log *before; /* of several logs; NULL: the first */
    double expect;               /* 0: no check */
#define OPTIONS "scenarios/compare/options.def"
#include "scenarios/options/members.def"
};

static int compare_add_path(struct compare_command *command, const char *path, struct cs_err *err)
{
    if (command->log_count == CS_COMPARE_LOGS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d logs", CS_COMPARE_LOGS_MAX);
    if (!command->logs)
        command->logs =
            cs_arena_alloc(command->scenario.arena, CS_COMPARE_LOGS_MAX, sizeof(*command->logs));
    command->logs[command->log_count++] = path;
    return 0;
}

static int compare_is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* A file, or each file of a directory in the order of names. */
static int compare_add_log(void *target, const char *value, struct cs_err *err)
{
    struct compare_command *command = target;
    struct stat info;
    struct cs_directory paths;
    int code = 0;

    if (stat(value, &info) != 0 || !S_ISDIR(info.st_mode))
        return compare_add_path(command, value, err);
    paths = cs_directory_paths(value, compare_is_file, command->scenario.arena);
    if (!paths.count)
        return cs_err_set(err, CS_EINPUT, "no file in the directory '%.80s'", value);
    for (uint32_t i = 0; i < paths.count && !code; i++)
        code = compare_add_path(command, paths.items[i], err);
    return code;
}

static int compare_set_expect(void *target, const char *value, struct cs_err *err)
{
    return cs_units_fraction(value, &((struct compare_command *)target)->expect, err);
}

static const struct cs_option compare_options[] = {
#define TARGET  struct compare_command
#define OPTIONS "scenarios/compare/options.def"
#include "scenarios/options/entries.def"
};

/* ---- expectation ---- */

static int compare_expect_table(const struct compare_command *command, const struct cs_cli *cli,
                                const struct cs_compared_table *table, struct cs_err *err)
{
    const struct cs_diagnosis *diagnosis = &table->diagnosis;
    const struct cs_diagnosis_point *last = &diagnosis->points[diagnosis->point_count - 1];
    double share = cs_diagnosis_short(diagnosis, command->from ? command->from : 1 << 20);

    if (share <= command->expect) {
        double last_share = 1 - table->measured_Bps / table->expected_Bps;

        if (last_share > command->expect)
            fprintf(cli->messages,
                    "note: %s of %s is %.1f %% short, and --expect is met as the largest sizes are "
                    "not all below the 90 %% interval\n",
                    table->collective->name, cs_show_bytes(last->bytes).text, 100 * last_share);
        return 0;
    }
    return cs_err_set(
        err, CS_EANSWER,
        "%s up to %s: %.4g GB/s measured, %.4g expected; the largest sizes are %.1f %% "
        "short (median) and below the 90 %% interval; --expect allows %g %%",
        table->collective->name, cs_show_bytes(last->bytes).text,
        cs_compare_busbw(table, last->bytes, last->measured_s) / 1e9,
        cs_compare_busbw(table, last->bytes, last->expected.total_s) / 1e9, 100 * share,
        100 * command->expect);
}

static int compare_expect(const struct compare_command *command, const struct cs_cli *cli,
                          const struct cs_compare_report *report, struct cs_err *err)
{
    int code = 0;

    for (uint32_t t = 0; t < report->count && !code && command->expect > 0; t++)
        code = compare_expect_table(command, cli, &report->tables[t], err);
    return code;
}

/* ---- the command ---- */

/* Of several logs a note that the log before has, too, is printed once. */
static void compare_put_notes(const struct cs_cli *cli, const struct compare_command *command,
                              const struct cs_log *log, const char *path)
{
    const struct cs_log *before = command->before;
    bool is_several = command->log_count > 1;

    for (uint32_t i = 0; i < log->note_count; i++)
        if (!before || i >= before->note_count || !cs_same(log->notes[i], before->notes[i]))
            fprintf(cli->messages, "collsim: %s%s%s\n", is_several ? path : "",
                    is_several ? ": " : "", log->notes[i]);
    for (uint32_t t = 0; t < log->table_count; t++)
        for (uint32_t i = 0; i < log->tables[t].row_count; i++)
            if (log->tables[t].rows[i].wrong) {
                fprintf(cli->messages,
                        "collsim: line %u has wrong results; its time counts as measured\n",
                        log->tables[t].rows[i].line);
                break;
            }
}

static int compare_refuse_sample(const struct compare_command *command,
                                 const struct cs_compared_table *table, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT,
                      "the profile %s was fitted to %u of the %u sizes of the table at line %u; "
                      "expected another log, or --in-sample",
                      command->scenario.library_name, table->in_sample,
                      table->diagnosis.point_count, table->table->line);
}

/* Sets the last table against the first of its kind: a run before and one after. */
static void compare_set_against_first(struct cs_compared_table *tables, uint32_t last,
                                      struct cs_arena *arena)
{
    for (uint32_t t = 0; t < last; t++)
        if (tables[t].collective == tables[last].collective &&
            tables[t].ranks == tables[last].ranks) {
            cs_compare_again(&tables[t], &tables[last], arena);
            return;
        }
}

static int compare_tables(struct compare_command *command, const struct cs_log *log,
                          struct cs_compare_report *report, struct cs_err *err)
{
    struct cs_scenario *scenario = &command->scenario;
    struct cs_compared_table *tables =
        cs_arena_alloc(scenario->arena, log->table_count, sizeof(*tables));
    int code = 0;

    report->tables = tables;
    for (uint32_t t = 0; t < log->table_count && !code; t++) {
        struct cs_log_table_request request = {
            .log = log,
            .table = &log->tables[t],
            .scenario = scenario,
            .arena = scenario->arena,
        };

        if (!log->tables[t].row_count)
            continue;
        code = cs_compare_table(&request, &tables[report->count], err);
        if (!code && !command->force)
            code = cs_log_stated_check(&log->tables[t], &tables[report->count].site, err);
        if (!code && tables[report->count].in_sample && !command->in_sample)
            code = compare_refuse_sample(command, &tables[report->count], err);
        if (!code)
            compare_set_against_first(tables, report->count++, scenario->arena);
    }
    return code;
}

/* Reads and compares one log, by a scenario of its own. */
static int compare_log(struct compare_command *command, const char *path, const struct cs_cli *cli,
                       struct cs_compare_report *report, struct cs_err *err)
{
    struct cs_scenario *scenario = &command->scenario;
    struct cs_log *log = cs_arena_alloc(scenario->arena, 1, sizeof(*log));
    int code = cs_log_read_file(path, scenario->arena, log, err);

    *report = (struct cs_compare_report){.log = log, .path = path};
    if (code)
        return code;
    compare_put_notes(cli, command, log, path);
    code = cs_log_stated_take(log, scenario, &report->taken, err);
    if (code)
        return code;
    cs_cluster_finish(scenario);
    report->machine = cs_topo_shown(scenario->topo);
    code = cs_log_stated_library(log, scenario, cli->messages, err);
    if (!code)
        code = compare_tables(command, log, report, err);
    return code ? code : compare_expect(command, cli, report, err);
}

static int compare_one(struct compare_command *command, const struct cs_cli *cli,
                       struct cs_err *err)
{
    struct cs_compare_report report;
    int code = compare_log(command, command->logs[0], cli, &report, err);

    if (!code || code == CS_EANSWER)
        cs_compare_print(cli, &report, command->scenario.format);
    return code;
}

/* Differing nodes are separate runs: each log has its own machine. */
static int compare_several(const struct compare_command *command, const struct cs_cli *cli,
                           struct cs_err *err)
{
    struct cs_arena *arena = command->scenario.arena;
    struct cs_compare_report *reports = cs_arena_alloc(arena, command->log_count, sizeof(*reports));
    int short_code = 0;
    int code = 0;

    for (uint32_t i = 0; i < command->log_count && !code; i++) {
        struct compare_command *own = cs_arena_alloc(arena, 1, sizeof(*own));

        *own = *command;
        own->before = i ? reports[i - 1].log : NULL;
        own->scenario.machines = cs_machines_create(&own->scenario, arena);
        code = compare_log(own, command->logs[i], cli, &reports[i], err);
        cs_machines_destroy(own->scenario.machines);
        if (code && code != CS_EANSWER)
            return strstr(err->text, command->logs[i]) ? code
                                                       : cs_err_prefix(err, "%s", command->logs[i]);
        short_code = code ? code : short_code;
        code = 0;
    }
    cs_compare_print_logs(cli, reports, command->log_count, command->scenario.format, short_code);
    return short_code;
}

static int cmd_compare_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct compare_command command = {0};
    int code;

    cs_scenario_init(&command.scenario, &arena);
    command.scenario.machines = cs_machines_create(&command.scenario, &arena);
    code = cs_options_read(cs_command_compare.options, argc, argv, &command, err);
    if (!code && !command.log_count)
        code = cs_err_set(
            err, CS_EINPUT,
            "no log to compare; expected --log FILE, the output of nccl-tests, rccl-tests or OSU");
    if (!code && command.scenario.rank_count > 1)
        code = cs_err_set(err, CS_EINPUT, "a log has one number of ranks; expected --ranks N");
    if (!code)
        code = command.log_count > 1 ? compare_several(&command, cli, err)
                                     : compare_one(&command, cli, err);
    cs_machines_destroy(command.scenario.machines);
    return code;
}

const struct cs_command cs_command_compare = {
    .name = "compare",
    .usage =
        "collsim compare [--log] FILE [--topo MACHINE] [--library nccl=VERSION] [--expect 20%] "
        "[OPTION ...]",
    .about = "explain a log of nccl-tests, rccl-tests or OSU",
    .options = {.own = compare_options,
                .shared = cs_scenario_options,
                .command = CS_FOR_COMPARE,
                .alone = cs_options_log},
    .notes =
        "Prints predicted beside measured time and bus bandwidth, whether a size is inside the\n"
        "90 % interval, and the known causes that explain the difference: adapters lost,\n"
        "GPUDirect off, TCP, few channels, a forced protocol, a slow network or node, a power cap\n"
        "and others, each with a probability. 'as if' is said from 80 %, 'most likely' from 50 %;\n"
        "look-alikes are a group, with the check that distinguishes them. How often that is "
        "right:\n"
        "'collsim validate published --verdicts'; weights of causes are assumed. Machine, "
        "library,\n"
        "release, collective and ranks are those of the log where it names them or its bandwidths\n"
        "imply them. The sizes of a cut file that are whole count. --json has every figure of a\n"
        "sentence. Exit status 1 where --expect is not met. Of two tables of a log with one\n"
        "collective and ranks the second has its change against the first.\n",
    .run = cmd_compare_run,
};
