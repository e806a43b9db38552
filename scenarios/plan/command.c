/*
 * plan: the machine to buy for a training job or a mix of collectives.
 */
#include "reports/results/files.h"
#include "scenarios/commands.h"
#include "scenarios/plan/cases/ranges.h"
#include "scenarios/plan/options.h"
#include "scenarios/plan/report/report.h"
#include "scenarios/plan/report/sheet.h"
#include "scenarios/train/command/options.h"

#include <string.h>

/* Markdown for a name in .md, unless --format says otherwise. */
static enum cs_plan_format page_format(const struct cs_plan_options *options)
{
    const char *dot = options->out ? strrchr(options->out, '.') : NULL;

    if ((int)options->page >= 0)
        return options->page;
    return dot && (cs_same(dot, ".md") || cs_same(dot, ".markdown")) ? CS_PLAN_MARKDOWN
                                                                     : CS_PLAN_HTML;
}

static int write_page(const struct cs_cli *cli, const struct cs_plan *plan,
                      const char *command_line, struct cs_err *err)
{
    const struct cs_plan_options *options = plan->options;
    struct cs_document document = {0};
    struct cs_text page = {0};
    int code;

    cs_plan_document(plan, command_line, &document);
    if (page_format(options) == CS_PLAN_MARKDOWN)
        cs_document_markdown(&document, &page);
    else
        cs_document_html(&document, &page);
    code = cs_cli_write(cli, options->out, &page, err);
    cs_document_free(&document);
    cs_text_free(&page);
    return code;
}

static void print_table(const struct cs_cli *cli, const struct cs_plan *plan,
                        void (*fill)(const struct cs_plan *, struct cs_sheet *))
{
    struct cs_text table = {0};
    struct cs_sheet sheet = {0};

    fill(plan, &sheet);
    cs_sheet_write(&sheet, CS_FORMAT_TEXT, cli->style, &table);
    fprintf(cli->out, "\n%s", cs_text_str(&table));
    cs_sheet_free(&sheet);
    cs_text_free(&table);
}

static void print_answer(const struct cs_cli *cli, const struct cs_plan *plan)
{
    struct cs_text answer = {0};

    cs_plan_answer(plan, &answer);
    fputs(cs_text_str(&answer), cli->out);
    print_table(cli, plan, cs_plan_sizing);
    print_table(cli, plan, cs_plan_prices);
    cs_text_free(&answer);
}

static int print_plan(const struct cs_cli *cli, const struct cs_plan *plan,
                      const char *command_line, struct cs_err *err)
{
    enum cs_format format = plan->options->train.scenario.format;

    if (plan->options->out) {
        int code = write_page(cli, plan, command_line, err);

        if (code)
            return code;
    }
    if (format == CS_FORMAT_TEXT) {
        print_answer(cli, plan);
    } else {
        struct cs_sheet sheet = {0};

        cs_plan_sheet(plan, &sheet);
        cs_cli_sheet(cli, &sheet, format);
        cs_sheet_free(&sheet);
    }
    return 0;
}

/* The command as typed, with quotes where a shell needs them. */
static void quote_command(int argc, char **argv, struct cs_text *out)
{
    cs_text_add(out, "collsim plan");
    for (int a = 0; a < argc; ++a) {
        bool plain = *argv[a] && !argv[a][strcspn(argv[a], " '\"\\$&|;<>()*?[]#~`!\t\n")];

        cs_text_add(out, plain ? " " : " '");
        for (const char *c = argv[a]; *c; ++c)
            if (*c == '\'')
                cs_text_add(out, "'\\''");
            else
                cs_text_add_n(out, c, 1);
        cs_text_add(out, plain ? "" : "'");
    }
}

static int cmd_plan_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct cs_plan_options options;
    struct cs_text command_line = {0};
    struct cs_plan plan;
    int code;

    cs_plan_options_init(&options, &arena);
    quote_command(argc, argv, &command_line);
    code = cs_options_read(cs_command_plan.options, argc, argv, &options, err);
    if (!code)
        code = cs_plan_options_check(&options, err);
    if (!code)
        code = cs_files_check_new(options.out, options.force, err);
    if (!code && options.repeated)
        fprintf(cli->messages, "note: '%s' is given twice and compared once\n", options.repeated);
    options.monitor = cs_cli_watch(cli, "computing the cases", 0, 0);
    if (!code)
        code = cs_plan_compute(&options, &plan, err);
    cs_cli_watched(cli);
    if (code == CS_ECANNOT)
        code = err->code = CS_EINPUT;
    if (!code) {
        cs_plan_find_ranges(&plan);
        code = print_plan(cli, &plan, cs_text_str(&command_line), err);
    }
    cs_text_free(&command_line);
    cs_arena_free(&arena);
    return code;
}

static const char plan_notes[] =
    "Takes the options of 'collsim train' for the job, too: --model, --system, "
    "--global-batch,\n--tp, --pp, --precision, --backend. Without degrees the fastest division of "
    "the model\nover the GPUs is searched. Each case is priced with switches and cables of a "
    "fabric that\nhas them in boxes, with spare nodes and with the time lost by failures.\n";

const struct cs_command cs_command_plan = {
    .name = "plan",
    .usage = "collsim plan --gpus N,... --model NAME | --mix LIST [--out report.html] [OPTION ...]",
    .about = "compare machines for a job: time, price, power, failures",
    .options = {.own = cs_plan_option_table,
                .also = cs_train_option_table,
                .shared = cs_scenario_options,
                .command = CS_FOR_PLAN},
    .notes = plan_notes,
    .run = cmd_plan_run,
};
