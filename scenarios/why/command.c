/*
 * why: the causes of a run's time, each by a simulation without it.
 */
#include "scenarios/commands.h"
#include "scenarios/options/unused.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/why/causes.h"
#include "sim/base/units_show.h"

enum {
    WHY_LINKS = 3 /* busiest links that are named */
};

struct why_row {
    uint32_t number; /* from 1 */
    double time_s;   /* of the run */
    const struct cs_why_cause *cause;
};

static const char *const methods[CS_WHY_BYS] = {"simulation", "critical path", "cost model"};

#define AT(member)    CS_AT(struct why_row, member)
#define CAUSE(member) CS_VIA(struct why_row, cause, member)
static const struct cs_sheet_column why_columns[] = {
    {"rank", "#", NULL, CS_SHEET_COUNT, AT(number)},
    {"cause", "cause", NULL, CS_SHEET_TEXT, CAUSE(name)},
    {"time_s", "time", NULL, CS_SHEET_SECONDS, AT(time_s)},
    {"without_s", "without", NULL, CS_SHEET_SECONDS, CAUSE(time_s)},
    {"gain", "gain", NULL, CS_SHEET_TIMES, CAUSE(gain)},
    {"by", "by", NULL, CS_SHEET_TEXT, CAUSE(by), .words = methods},
    {"sentence", "because of", NULL, CS_SHEET_TEXT, CAUSE(sentence)},
};

static void print_sheet(const struct cs_cli *cli, const struct cs_why *why, enum cs_format format)
{
    struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "why", CS_COLUMNS(why_columns));
    for (uint32_t c = 0; c < why->count; ++c)
        cs_sheet_row(
            &sheet, &(struct why_row){c + 1, (double)why->record.time_ps * 1e-12, &why->causes[c]});
    cs_cli_sheet_end(cli, &sheet, format);
}

/* A call of a library, in its parts. */
static void print_call(const struct cs_record *record, struct cs_text *out)
{
    double percent = 100 / (double)record->time_ps;

    cs_text_printf(out, "%s of %s on %s, %u ranks, %s: %s (%s to %s in 90 %%), %s",
                   record->collective, cs_show_bytes(record->bytes).text, record->topology,
                   record->ranks, record->model, cs_show_time(record->time_ps).text,
                   cs_show_seconds(record->low_s).text, cs_show_seconds(record->high_s).text,
                   record->algorithm);
    if (*record->protocol)
        cs_text_printf(out, ", %s, %u channels", record->protocol, record->library_channels);
    if (*record->network)
        cs_text_printf(out, ", network %s", record->network);
    cs_text_printf(out, "\n%.4g %% launch, %.4g %% latency of hops, %.4g %% transfer\n\n",
                   percent * (double)record->launch_ps, percent * (double)record->step_latency_ps,
                   percent * (double)record->transfer_ps);
}

static void print_run(const struct cs_why *why, struct cs_text *out)
{
    const struct cs_record *record = &why->record;
    double whole = (double)record->time_ps;

    cs_text_printf(out, "%s of %s on %s, %u ranks, %s: %s", record->collective,
                   cs_show_bytes(record->bytes).text, record->topology, record->ranks,
                   record->algorithm, cs_show_time(record->time_ps).text);
    if (record->lower_bound_s > 0)
        cs_text_printf(out, ", %.4g times the lower bound of %s",
                       whole * 1e-12 / record->lower_bound_s,
                       cs_show_seconds(record->lower_bound_s).text);
    cs_text_printf(
        out,
        "\ncritical path: %.4g %% bandwidth, %.4g %% latency, %.4g %% reduction, %.4g %% waiting\n",
        100 * (double)record->bandwidth_ps / whole, 100 * (double)record->latency_ps / whole,
        100 * (double)record->reduction_ps / whole, 100 * (double)record->wait_ps / whole);
    if (*record->planned_for)
        cs_text_printf(out, "planned for: %s\n", record->planned_for);
}

/* The links that are busy longest. */
static void print_links(const struct cs_record *record, struct cs_text *out)
{
    uint64_t last = UINT64_MAX;

    for (int shown = 0; shown < WHY_LINKS; ++shown) {
        const struct cs_record_link *best = NULL;

        for (uint32_t i = 0; i < record->link_count; ++i)
            if (record->links[i].busy_ps < last &&
                (!best || record->links[i].busy_ps > best->busy_ps))
                best = &record->links[i];
        if (!best)
            return;
        last = best->busy_ps;
        cs_text_printf(out, "%s %s: %s, busy %.4g %% of the time\n",
                       shown ? "      then" : "busiest link", best->name,
                       cs_show_bytes(best->bytes).text,
                       100 * (double)best->busy_ps / (double)record->time_ps);
    }
}

static void print_text(const struct cs_cli *cli, const struct cs_why *why)
{
    struct cs_text out = {0};

    if (cs_record_is_predicted(&why->record)) {
        print_call(&why->record, &out);
    } else {
        print_run(why, &out);
        print_links(&why->record, &out);
        cs_text_add(&out, "\n");
    }
    for (uint32_t c = 0; c < why->count; ++c)
        cs_text_printf(&out, "%2u. %s\n", c + 1, why->causes[c].sentence);
    if (!why->count)
        cs_text_add(&out, "no change of the options or the machine is faster\n");
    cs_cli_text(cli, &out);
}

static int cmd_why_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_scenario given;
    struct cs_why why = {.display = cli->progress};
    int code;

    cs_scenario_init(&given, &arena);
    code = cs_options_read(cs_command_why.options, argc, argv, &given, err);
    cs_progress_line_open(why.display, given.format == CS_FORMAT_JSON);
    if (!code && given.library_name)
        code = cs_scenario_finish(&given, err);
    if (!code)
        code = given.library_name ? cs_why_library(&given, &arena, &why, err)
                                  : cs_why_find(&given, &arena, &why, err);
    cs_progress_line_close(why.display);
    if (!code && why.record.padded_bytes)
        fprintf(cli->messages,
                "note: runs have vectors padded to equal blocks, of the run itself by %llu B; "
                "--fold off simulates the size\n",
                (unsigned long long)why.record.padded_bytes);
    if (!code)
        cs_unused_print(cli, &why.notes);
    if (!code && why.slower)
        fprintf(cli->messages, "note: %s\n", why.slower);
    if (!code && given.format == CS_FORMAT_TEXT)
        print_text(cli, &why);
    else if (!code)
        print_sheet(cli, &why, given.format);
    cs_text_free(&why.notes);
    return code;
}

const struct cs_command cs_command_why = {
    .name = "why",
    .usage = "collsim why --topo MACHINE --algo NAME [OPTION ...]\n"
             "       collsim why --topo MACHINE --library NAME [OPTION ...]",
    .about = "explain a run's time: causes, each by a simulation without it",
    .options = {.shared = cs_scenario_options, .command = CS_FOR_RUN},
    .notes = "Takes the options of a single run. Causes in the options and the machine come "
             "first,\nthen general changes, each by the factor that the run would be faster "
             "without it.\nOf a call of a library the cost model is evaluated without each of its "
             "terms, with faster\nlinks, and "
             "with other algorithms and protocols than the library's choice.\n",
    .run = cmd_why_run,
};
