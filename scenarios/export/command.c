/*
 * export: write an algorithm as a schedule for other tools.
 */
#include "reports/results/endings.h"
#include "reports/results/files.h"
#include "scenarios/export/write.h"
#include "scenarios/options/unused.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/command/best.h"
#include "scenarios/run/command/unused_options.h"

/* First the scenario: the target of shared options. */
struct cmd_export_request {
    struct cs_scenario scenario;
    const struct cs_exporter *exporter;
#define OPTIONS "scenarios/export/options.def"
#include "scenarios/options/members.def"
};

static int cmd_export_set_format(void *target, const char *value, struct cs_err *err)
{
    struct cmd_export_request *request = target;

    return cs_exporter_choose(value, &request->exporter, err);
}

static const struct cs_option export_options[] = {
#define TARGET  struct cmd_export_request
#define OPTIONS "scenarios/export/options.def"
#include "scenarios/options/entries.def"
};

static int export_one(const struct cs_cli *cli, const struct cmd_export_request *request,
                      struct cs_err *err)
{
    const struct cs_scenario *scenario = &request->scenario;
    CS_AT_END(cs_text_free) struct cs_text notes = {0};
    struct cs_case which = {
        .scenario = scenario,
        .algo = scenario->algos[0],
        .bytes = scenario->sizes[0],
        .ranks = scenario->rank_count ? scenario->ranks[0] : 0,
        .notes = &notes,
    };
    int code;

    if (scenario->algo_count > 1 || scenario->size_count > 1 || scenario->rank_count > 1)
        return cs_err_set(
            err, CS_EINPUT,
            "a schedule has one algorithm, one size and one number of ranks; found a list");
    code = cs_endings_check("--out", request->out, request->exporter->name, err);
    if (!code)
        code = cs_files_check_new(request->out, scenario->force, err);
    if (!code)
        code = cs_export_case(cli, &which, request->exporter, request->out, err);
    if (!code)
        cs_unused_options_simulate(&scenario->given, &notes);
    cs_unused_print(cli, &notes);
    return code;
}

static int export_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cmd_export_request request = {.exporter = cs_exporters[0]};
    int code;

    cs_scenario_init(&request.scenario, &arena);
    request.scenario.reading = cs_cli_watch(cli, "reading", 0, 1);
    code = cs_options_read(cs_command_export.options, argc, argv, &request, err);
    if (!code)
        code = cs_scenario_finish(&request.scenario, err);
    request.scenario.written_as = request.exporter;
    if (!code)
        code = cs_best_choose_alone(&request.scenario, cli->progress, err);
    if (!code && request.scenario.is_searched && request.scenario.left_out)
        fprintf(cli->messages, "note: %s\n", request.scenario.left_out);
    if (!code)
        code = export_one(cli, &request, err);
    return code;
}

const struct cs_command cs_command_export = {
    .name = "export",
    .usage =
        "collsim export [--algo] NAME --ranks N --format msccl|goal|mscclpp|table [OPTION ...]",
    .about = "write an algorithm as MSCCL XML, MSCCL++ plan, GOAL or table",
    .options = {.own = export_options,
                .shared = cs_scenario_options,
                .command = CS_FOR_EXPORT,
                .alone = cs_scenario_alone},
    .notes =
        "--algo msccl:FILE, mscclpp:FILE, goal:FILE and text:FILE (a table) read schedules back, "
        "with the same\nsimulated time except for properties that the formats cannot express: see "
        "collsim(1).\n",
    .run = export_run,
};
