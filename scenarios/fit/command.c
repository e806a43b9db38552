/*
 * fit: parameters of a library's cost model from the logs of a machine.
 */
#include "algorithms/libraries/profile.h"
#include "reports/results/endings.h"
#include "scenarios/commands.h"
#include "scenarios/fit/inputs.h"

#include <math.h>
#include <unistd.h>

/* The scenario is first: the shared options fill it. */
struct fit_command {
    struct cs_scenario scenario;
    struct cs_fit_inputs inputs;
#define OPTIONS "scenarios/fit/options.def"
#include "scenarios/options/members.def"
};

static int fit_add_file(void *target, const char *value, struct cs_err *err)
{
    struct cs_fit_inputs *inputs = &((struct fit_command *)target)->inputs;

    if (inputs->file_count == CS_FIT_FILES_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d files", CS_FIT_FILES_MAX);
    inputs->files[inputs->file_count++].path = value;
    return 0;
}

static const struct cs_option fit_options[] = {
#define TARGET  struct fit_command
#define OPTIONS "scenarios/fit/options.def"
#include "scenarios/options/entries.def"
};

static int fit_check(const struct fit_command *command, struct cs_err *err)
{
    if (!command->inputs.file_count)
        return cs_err_set(
            err, CS_EINPUT,
            "no log to fit; expected --log FILE, the output of nccl-tests or rccl-tests");
    if (command->scenario.rank_count > 1)
        return cs_err_set(err, CS_EINPUT, "a log has one number of ranks; expected --ranks N");
    if (command->out && !cs_profile_is_file(command->out))
        return cs_err_set(
            err, CS_EINPUT,
            "--out: '%.80s' is no name of a profile; expected '%.80s.yaml', which --library reads",
            command->out, command->out);
    if (cs_endings_check("--out", command->out, "yaml", err))
        return CS_EINPUT;
    if (command->out && !command->force && !access(command->out, F_OK))
        return cs_err_set(err, CS_EINPUT, "--out: '%.80s' exists; --force replaces it",
                          command->out);
    return 0;
}

/* Values of the profile that --library names with their errors, else those of
 * the program. */
static struct cs_fit_prior fit_prior(const struct cs_library *library,
                                     const struct cs_profile *profile)
{
    struct cs_fit_prior prior = cs_fit_prior_of_library(library);

    for (uint32_t k = 0; profile && k < library->parameters->count; k++) {
        prior.values[k] = profile->values[k];
        if (!isnan(profile->errors[k]))
            prior.spreads[k] = profile->errors[k];
    }
    return prior;
}

static int fit_write(const struct cs_cli *cli, const struct cs_fit_report *report,
                     struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    if (!report->out)
        return 0;
    cs_fit_put_profile(report, &text);
    return cs_cli_write(cli, report->out, &text, err);
}

static int fit_logs(const struct cs_cli *cli, struct fit_command *command, struct cs_err *err)
{
    struct cs_arena *arena = command->scenario.arena;
    struct cs_fit_inputs *inputs = &command->inputs;
    struct cs_fit fit = {0};
    const struct cs_fit_report report = {.fit = &fit, .inputs = inputs, .out = command->out};
    int code;

    inputs->any_machine = command->any_machine;
    code = cs_fit_inputs_read(cli, &command->scenario, inputs, err);
    if (code)
        return code;
    fit.rows = inputs->rows;
    fit.row_count = inputs->row_count;
    fit.library = inputs->scenario->by.library;
    fit.prior = fit_prior(fit.library, inputs->scenario->by.profile);
    fit.monitor = cs_cli_watch(cli, "fitting", 0, 0);
    code = cs_fit_make(&fit, arena, err);
    cs_cli_watched(cli);
    if (!code)
        code = fit_write(cli, &report, err);
    if (!code)
        cs_fit_print(cli, &report);
    return code == CS_ECANNOT && !fit.count ? (err->code = CS_EINPUT) : code;
}

static int cmd_fit_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct fit_command command = {0};
    int code;

    cs_scenario_init(&command.scenario, &arena);
    code = cs_options_read(cs_command_fit.options, argc, argv, &command, err);
    if (!code)
        code = fit_check(&command, err);
    if (!code)
        code = fit_logs(cli, &command, err);
    return code;
}

const struct cs_command cs_command_fit = {
    .name = "fit",
    .usage = "collsim fit [--log] FILE ... [--topo MACHINE] [--out profile.yaml] "
             "[OPTION ...]",
    .about = "fit a library's cost model to logs of a machine",
    .options = {.own = fit_options,
                .shared = cs_scenario_options,
                .command = CS_FOR_COMPARE,
                .alone = cs_options_log},
    .notes =
        "Parameters of the library's cost model that the times of the logs depend on, "
        "by\nrobust least squares drawn to the program's values (or to those of --library "
        "FILE):\nvalue, standard error, the share of the prior's variance that the logs "
        "remove\n(learned), correlations, and the error of sizes held out of the fit, which "
        "is never\nlarger than that of the prior. Rows far from the model count little, but an "
        "error\nthat all sizes share is learned: first as a rate of wires or a cost of steps "
        "of the\nmachine (NODE_WIRES, NET_WIRES, ..., which hold for all collectives). --out "
        "writes a\nprofile: --library profile.yaml predicts with it in runs, compare, tune "
        "and train.\nThe profile has a hash of each row, and 'collsim compare' refuses rows "
        "of the fit\nwithout --in-sample. Machine, nodes, launch, library and release are those "
        "that a log\nstates, of each log for itself, unless options name them.\n",
    .run = cmd_fit_run,
};
