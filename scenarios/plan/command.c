/*
 * plan: the machine to buy for a training job or a mix of collectives.
 */
#include "reports/results/endings.h"
#include "reports/results/files.h"
#include "scenarios/commands.h"
#include "scenarios/options/words.h"
#include "scenarios/plan/cases/ranges.h"
#include "scenarios/plan/options.h"
#include "scenarios/plan/report/report.h"
#include "scenarios/train/command/given.h"
#include "sim/base/units_show.h"
#include "topo/kinds/link_kind.h"

/* The format of --format, or of the name of --out: HTML for one without an ending. */
static int page_format(const struct cs_plan_options *options, enum cs_plan_format *format,
                       struct cs_err *err)
{
    size_t chosen;
    int code;

    *format = options->page ? options->page : CS_PLAN_HTML;
    if (options->page || !options->out || !cs_endings_has(options->out))
        return cs_endings_check("--out", options->out, cs_plan_page_names[*format - CS_PLAN_HTML],
                                err);
    code = cs_endings_choose("--out", options->out, cs_plan_page_names, &chosen, err);
    *format = (enum cs_plan_format)(CS_PLAN_HTML + chosen);
    return code;
}

static int write_page(const struct cs_cli *cli, const struct cs_plan *plan,
                      const char *command_line, struct cs_err *err)
{
    const struct cs_plan_options *options = plan->options;
    CS_AT_END(cs_document_free) struct cs_document document = {0};
    CS_AT_END(cs_text_free) struct cs_text page = {0};
    enum cs_plan_format format;
    int code = page_format(options, &format, err);

    if (code)
        return code;
    cs_plan_document(plan, command_line, &document);
    if (format == CS_PLAN_MARKDOWN)
        cs_document_markdown(&document, &page);
    else
        cs_document_html(&document, &page);
    return cs_cli_write(cli, options->out, &page, err);
}

static int write_cabling(const struct cs_cli *cli, const struct cs_plan *plan, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text list = {0};
    int code = cs_plan_cabling(plan, &list, err);

    if (!code)
        code = cs_cli_write(cli, plan->options->cabling, &list, err);
    else if (code == CS_ECANNOT)
        code = err->code = CS_EINPUT;
    return code;
}

static void print_table(const struct cs_cli *cli, const struct cs_plan *plan,
                        void (*fill)(const struct cs_plan *, struct cs_sheet *))
{
    CS_AT_END(cs_text_free) struct cs_text table = {0};
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    fill(plan, &sheet);
    cs_sheet_write(&sheet, CS_FORMAT_TEXT, cli->style, &table);
    fprintf(cli->out, "\n%s", cs_text_str(&table));
}

static void print_answer(const struct cs_cli *cli, const struct cs_plan *plan)
{
    CS_AT_END(cs_text_free) struct cs_text answer = {0};

    cs_plan_answer(plan, &answer);
    fputs(cs_text_str(&answer), cli->out);
    print_table(cli, plan, cs_plan_sizing);
    print_table(cli, plan, cs_plan_prices);
    print_table(cli, plan, cs_plan_network);
}

static int print_plan(const struct cs_cli *cli, const struct cs_plan *plan,
                      const char *command_line, struct cs_err *err)
{
    enum cs_format format = plan->options->train.scenario.format;
    struct cs_sheet sheet = {0};
    int code = plan->options->out ? write_page(cli, plan, command_line, err) : 0;

    if (!code && plan->options->cabling)
        code = write_cabling(cli, plan, err);
    if (code)
        return code;
    if (format == CS_FORMAT_TEXT) {
        print_answer(cli, plan);
        return 0;
    }
    if (format == CS_FORMAT_JSON) {
        struct cs_text json = {0};

        cs_plan_json(plan, &json);
        cs_cli_text(cli, &json);
        return 0;
    }
    cs_plan_sheet(plan, &sheet);
    cs_cli_sheet_end(cli, &sheet, format);
    return 0;
}

static void note_repeated(const struct cs_cli *cli, const struct cs_plan_options *options)
{
    const char *const repeated[] = {options->gpus.repeated, options->nodes.repeated,
                                    options->fabrics.repeated, options->links.repeated};

    for (size_t r = 0; r < sizeof(repeated) / sizeof(*repeated); ++r)
        if (repeated[r])
            fprintf(cli->messages, "note: '%s' is given twice and compared once\n", repeated[r]);
}

/* Once for each node and number of GPUs. */
static void note_bought(const struct cs_cli *cli, const struct cs_plan *plan)
{
    for (uint32_t c = 0; c < plan->count; ++c) {
        const struct cs_plan_case *one = &plan->cases[c];

        if (!cs_plan_is_first_of_size(plan, c) || one->bought == one->gpus)
            continue;
        fprintf(cli->messages, "note: %u %s on %s: %u %s with %u %s bought", one->gpus,
                one->gpus == 1 ? "GPU" : "GPUs", one->node, one->node_count,
                one->node_count == 1 ? "node" : "nodes", one->bought,
                one->node_count == 1 ? "is" : "are");
        if (one->each < one->node_gpus)
            fprintf(cli->messages, ", of whose %u %u are used (--segment)", one->node_gpus,
                    one->each);
        fputc('\n', cli->messages);
    }
}

static void note_far(const struct cs_cli *cli, const struct cs_plan_case *one, bool is_usd)
{
    const struct cs_price_list *list = &one->prices;

    for (int k = 0; k < CS_PRICE_KINDS; ++k) {
        double published = is_usd ? list->usd_far[k] : list->watts_far[k];

        if (published > 0)
            fprintf(cli->messages, "note: --%s has %.9g %s for a %s of %s; published: %.9g\n",
                    is_usd ? "price" : "power", is_usd ? list->usd[k] : list->watts[k],
                    is_usd ? "USD" : "W", cs_price_kind_names[k], one->node, published);
    }
}

/* Figures of the user of another order than those published, of each node. */
static void note_prices(const struct cs_cli *cli, const struct cs_plan *plan)
{
    for (uint32_t c = 0; c < plan->count; ++c)
        if (cs_plan_is_first_of_node(plan, c)) {
            note_far(cli, &plan->cases[c], true);
            note_far(cli, &plan->cases[c], false);
        }
}

/* Settings of another framework that make the fastest case faster. */
static void note_framework(const struct cs_cli *cli, struct cs_plan *plan)
{
    const struct cs_plan_case *fastest = &plan->cases[plan->fastest];

    cs_plan_try_framework(plan);
    if (plan->faster.framework)
        fprintf(cli->messages, "note: %u GPUs of %s: %s in place of %s with --framework %s (%s)\n",
                fastest->gpus, fastest->name, cs_show_seconds(plan->faster.time_s).text,
                cs_show_seconds(fastest->time.time_s).text, plan->faster.framework->name,
                plan->faster.setting);
}

/* Names of Ethernet alone are TCP, through the hosts' kernels. */
static void note_links(const struct cs_cli *cli, const struct cs_option_words *links)
{
    for (uint32_t l = 0; l < links->count; ++l) {
        const struct cs_link_kind *kind = cs_link_kind_get(links->item[l]);
        char rdma[CS_LINK_NAME_MAX + 8];

        snprintf(rdma, sizeof(rdma), "%s-roce", links->item[l]);
        if (kind && cs_network_is_tcp(kind->network) && cs_link_kind_get(rdma))
            fprintf(cli->messages, "note: --link %s is TCP through the kernel; RDMA is %s\n",
                    kind->name, rdma);
    }
}

static void note_decisions(const struct cs_cli *cli, const struct cs_plan *plan)
{
    CS_AT_END(cs_text_free) struct cs_text notes = {0};

    cs_plan_unused_notes(plan, &notes);
    cs_plan_note_decisions(plan, &notes);
    fputs(cs_text_str(&notes), cli->messages);
}

/* The command as typed, with quotes where a shell needs them. */
static void quote_command(int argc, char **argv, struct cs_text *out)
{
    cs_text_add(out, "collsim plan");
    for (int a = 0; a < argc; ++a)
        cs_shell_add(out, argv[a]);
}

static int cmd_plan_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_plan_options options;
    CS_AT_END(cs_text_free) struct cs_text command_line = {0};
    enum cs_plan_format format;
    struct cs_plan plan;
    int code;

    cs_plan_options_init(&options, &arena);
    quote_command(argc, argv, &command_line);
    code = cs_train_read_into(cs_command_plan.options, argc, argv, &options.train, sizeof(options),
                              err);
    if (!code)
        code = cs_plan_options_check(&options, err);
    if (!code)
        code = page_format(&options, &format, err);
    if (!code)
        code = cs_files_check_new(options.out, options.force, err);
    if (!code)
        code = cs_files_check_new(options.cabling, options.force, err);
    if (!code) {
        note_repeated(cli, &options);
        note_links(cli, &options.links);
    }
    options.monitor = cs_cli_watch(cli, "computing the cases", 0, 0);
    if (!code)
        code = cs_plan_compute(&options, &plan, err);
    if (!code) {
        note_bought(cli, &plan);
        note_prices(cli, &plan);
        note_decisions(cli, &plan);
        note_framework(cli, &plan);
    }
    cs_cli_watched(cli);
    if (code == CS_ECANNOT)
        code = err->code = CS_EINPUT;
    if (!code) {
        cs_plan_find_ranges(&plan);
        code = print_plan(cli, &plan, cs_text_str(&command_line), err);
    }
    return code;
}

static const char plan_notes[] =
    "Takes the options of 'collsim train' for the job, too: --model, --system, --global-batch,\n"
    "--tp, --pp, --precision, --library. Without degrees the fastest division of the model over\n"
    "the GPUs is searched; without --framework and --system language models run as NeMo runs them\n"
    "on A100, Megatron-Bridge on Hopper and Blackwell. A GPU has 8,192 tokens or 128 images of a\n"
    "step, and a step 16 to 25 M tokens at most where GPUs divide them. Each case is priced with\n"
    "the switches and cables of a fabric of boxes, spare nodes, and the time lost by failures.\n";

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
