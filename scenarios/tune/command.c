/*
 * tune: what would be faster than a library's own choice, by size.
 */
#include "reports/results/endings.h"
#include "reports/results/files.h"
#include "scenarios/commands.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/tune/ranges.h"

enum tune_form {
    TUNE_TABLE,
    TUNE_ENV,
    TUNE_CSV,
    TUNE_FORMS
};

/* The scenario is first: the shared options fill it. */
struct tune_command {
    struct cs_scenario scenario;
#define OPTIONS "scenarios/tune/options.def"
#include "scenarios/options/members.def"
};

static const char *const tune_form_names[TUNE_FORMS + 1] = {"table", "env", "tuner", NULL};

static const struct cs_option tune_options[] = {
#define TARGET  struct tune_command
#define OPTIONS "scenarios/tune/options.def"
#include "scenarios/options/entries.def"
#include "topo/formats/source.h"
};

struct tune_row {
    const struct cs_tuning *tuning;
    const struct cs_tune_range *range;
    const char *verdict;
};

#define RANGE(member) CS_VIA(struct tune_row, range, member)
static const struct cs_sheet_column tune_columns[] = {
    {"collective", "collective", NULL, CS_SHEET_TEXT,
     CS_VIA2(struct tune_row, tuning, collective, name)},
    {"from_bytes", "from", NULL, CS_SHEET_BYTES, RANGE(first)},
    {"to_bytes", "to", NULL, CS_SHEET_BYTES, RANGE(last)},
    {"chosen_algorithm", "library's", "algorithm", CS_SHEET_TEXT, RANGE(at_first.chosen.engine)},
    {"chosen_protocol", "library's", "protocol", CS_SHEET_TEXT, RANGE(at_first.chosen.protocol)},
    {"chosen_s", "library's", "time", CS_SHEET_SECONDS, RANGE(at_first.chosen.total_s)},
    {"algorithm", "fastest", "algorithm", CS_SHEET_TEXT, RANGE(at_first.best.engine)},
    {"protocol", "fastest", "protocol", CS_SHEET_TEXT, RANGE(at_first.best.protocol)},
    {"channels", "fastest", "channels", CS_SHEET_COUNT, RANGE(at_first.best.channels)},
    {"time_s", "fastest", "time", CS_SHEET_SECONDS, RANGE(at_first.best.total_s)},
    {"least_gain", "gain", "least", CS_SHEET_SHARE, RANGE(least_gain)},
    {"most_gain", "gain", "most", CS_SHEET_SHARE, RANGE(most_gain)},
    {"verdict", "verdict", NULL, CS_SHEET_TEXT, CS_AT(struct tune_row, verdict)},
};

static const char *tune_verdict(const struct cs_tune_range *range)
{
    if (range->is_lone)
        return "at this size alone";
    if (range->at_first.is_gain)
        return "a gain";
    return range->changes ? "inside the interval" : "no gain";
}

static void tune_sheet(const struct cs_tuning *tuning, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "ranges", CS_COLUMNS(tune_columns));
    for (uint32_t i = 0; i < tuning->count; i++)
        cs_sheet_row(sheet, &(struct tune_row){tuning, &tuning->ranges[i],
                                               tune_verdict(&tuning->ranges[i])});
}

static uint32_t tune_changes(const struct cs_tuning *tuning)
{
    uint32_t changes = 0;

    for (uint32_t i = 0; i < tuning->count; i++)
        changes += tuning->ranges[i].changes;
    return changes;
}

static void tune_print_table(const struct cs_cli *cli, const struct tune_command *command,
                             const struct cs_tuning *tuning)
{
    struct cs_sheet sheet = {0};
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    tune_sheet(tuning, &sheet);
    if (command->scenario.format == CS_FORMAT_TEXT)
        fprintf(cli->out, "%s on %s, %u ranks, library %s\n\n", tuning->collective->name,
                cs_topo_shown(command->scenario.topo), tuning->ranks, tuning->library);
    cs_cli_sheet_end(cli, &sheet, command->scenario.format);
    if (command->scenario.format != CS_FORMAT_TEXT)
        return;
    if (!tune_changes(tuning))
        cs_text_add(
            &text,
            "no choice is faster than the library's by more than the 90 % interval of its time\n");
    cs_tuning_put_env(tuning, &text);
    fprintf(cli->out, "\n%s", cs_text_str(&text));
}

static int tune_print(const struct cs_cli *cli, const struct tune_command *command,
                      const struct cs_tuning *tuning, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    if (command->form == TUNE_TABLE) {
        tune_print_table(cli, command, tuning);
        return 0;
    }
    if (command->form == TUNE_CSV)
        cs_tuning_put_csv(tuning, &text);
    else
        cs_tuning_put_env(tuning, &text);
    if (!tune_changes(tuning))
        fprintf(cli->messages, "collsim: no choice is faster than the library's by more than the "
                               "90 %% interval of its time\n");
    return cs_cli_write(cli, command->out, &text, err);
}

static int tune_sizes(const struct tune_command *command, struct cs_library_calls *calls,
                      struct cs_tuning *tuning, struct cs_err *err)
{
    const struct cs_scenario *scenario = &command->scenario;
    int code = 0;

    for (uint32_t i = 0; i < scenario->size_count && !code; i++) {
        struct cs_library_request request =
            cs_library_calls_request(calls, scenario->sizes[i], NULL);
        struct cs_best_choice choice;

        code = cs_best_choice_find(scenario->by.library, &request, &choice, err);
        if (!code)
            cs_tuning_add(tuning, scenario->sizes[i], &choice, command->all);
    }
    if (!command->all)
        cs_tuning_drop_lone(tuning);
    return code == CS_ECANNOT ? (err->code = CS_EINPUT) : code;
}

static int tune_machine(const struct cs_cli *cli, const struct tune_command *command,
                        struct cs_err *err)
{
    const struct cs_scenario *scenario = &command->scenario;
    const struct cs_case which = {.scenario = scenario,
                                  .ranks = scenario->rank_count ? scenario->ranks[0] : 0};
    struct cs_library_calls calls;
    struct cs_tuning tuning = {
        .collective = scenario->collective,
        .library = scenario->library_name,
        .ranges =
            cs_arena_alloc(scenario->arena, scenario->size_count, sizeof(struct cs_tune_range)),
    };
    int code = cs_library_calls_open(&which, scenario->arena, &calls, err);

    if (code)
        return code;
    if (command->rules)
        return cs_tune_rules(cli, command->rules, &calls, err);
    tuning.nodes = calls.site.nodes;
    tuning.ranks = calls.site.ranks;
    code = tune_sizes(command, &calls, &tuning, err);
    return code ? code : tune_print(cli, command, &tuning, err);
}

/* The default range of sizes is that of most training jobs.  A host's calls have --json by
 * themselves. */
static int tune_finish(const struct cs_cli *cli, struct tune_command *command, struct cs_err *err)
{
    struct cs_scenario *scenario = &command->scenario;
    bool asks_table =
        scenario->format == CS_FORMAT_CSV || (scenario->format == CS_FORMAT_JSON && cli->program);
    int code;

    if (!scenario->first_bytes && !scenario->last_bytes) {
        scenario->first_bytes = UINT64_C(1) << 10;
        scenario->last_bytes = UINT64_C(1) << 33;
    }
    if (scenario->rank_count > 1)
        return cs_err_set(err, CS_EINPUT,
                          "a tuning is for one number of ranks; expected --ranks N");
    if (command->form != TUNE_TABLE && asks_table)
        return cs_err_set(err, CS_EINPUT, "--json and --csv print the table; leave --format out");
    if (command->rules && (command->form != TUNE_TABLE || command->all))
        return cs_err_set(err, CS_EINPUT,
                          "--rules prints a table of the rules' times; leave %s out",
                          command->all ? "--all" : "--format");
    if (command->form == TUNE_TABLE && command->out)
        return cs_err_set(err, CS_EINPUT, "--out is for --format env and tuner");
    code = cs_endings_check("--out", command->out, tune_form_names[command->form], err);
    if (!code)
        code = cs_files_check_new(command->out, scenario->force, err);
    return code ? code : cs_scenario_finish(scenario, err);
}

static int cmd_tune_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct tune_command command = {0};
    int code;

    cs_scenario_init(&command.scenario, &arena);
    command.scenario.library_name = "nccl";
    command.scenario.machines = cs_machines_create(&command.scenario, &arena);
    code = cs_options_read(cs_command_tune.options, argc, argv, &command, err);
    if (!code)
        code = tune_finish(cli, &command, err);
    if (!code)
        code = tune_machine(cli, &command, err);
    cs_machines_destroy(command.scenario.machines);
    return code;
}

const struct cs_command cs_command_tune = {
    .name = "tune",
    .usage =
        "collsim tune --topo MACHINE [--collective NAME] [--format table|env|tuner] [OPTION ...]",
    .about = "find faster choices than a library's own, by size",
    .options = {.own = tune_options, .shared = cs_scenario_options, .command = CS_FOR_TUNE},
    .notes = "Predicts every algorithm, protocol and number of channels that NCCL_ALGO, "
             "NCCL_PROTO\nand NCCL_MAX_NCHANNELS can force, for 1 KiB to 8 GiB (or -b, -e, -f). A "
             "gain counts\nwhere the time lies below the 90 % interval of the library's choice; a "
             "smaller\ngain is none, as the model is not that exact, and so is one at a single "
             "size that\nneither half nor twice the size has: a step of the model (--all takes "
             "both).\n--format tuner is the CSV of NCCL's example tuner plugin: "
             "collective,min,max,\nalgorithm,protocol,channels,nNodes,nRanks,numPipeOps,regBuff; "
             "-1 is any.\n--rules FILE prints what such a file gains or costs. No published table "
             "tests the\neffect of fewer channels.\n",
    .run = cmd_tune_run,
};
