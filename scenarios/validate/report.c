#include "scenarios/validate/report.h"

#include "reports/figures/plot/gnuplot.h"
#include "reports/figures/plot/plot.h"
#include "reports/results/files.h"
#include "validate/gpu/summary.h"

#include <math.h>

static const char *group_sizes(const void *row)
{
    return ((const struct cs_comparison_group *)row)->large ? "from 1 MiB" : "below 1 MiB";
}

#define AT(member) CS_AT(struct cs_comparison_group, member)
#define ANY        CS_WHEN(struct cs_comparison_group, count)
#define GATED      CS_WHEN(struct cs_comparison_group, gated)
static const struct cs_sheet_column group_columns[] = {
    {"gpu", "GPU", NULL, CS_SHEET_TEXT, AT(gpu)},
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT, AT(algorithm)},
    {"setup", "setup", NULL, CS_SHEET_TEXT, AT(setup)},
    {"sizes", "sizes", NULL, CS_SHEET_TEXT, .text = group_sizes},
    {"runs", "runs", NULL, CS_SHEET_COUNT, AT(count)},
    {"median_error", "|error|", "median", CS_SHEET_SHARE, AT(median), ANY},
    {"p90_error", "|error|", "90 %", CS_SHEET_SHARE, AT(p90), ANY},
    {"bias", "error", "median", CS_SHEET_SHARE, AT(bias), ANY},
    {"left_out", "left", "out", CS_SHEET_COUNT, AT(left_out)},
    {"copies", "of plain", "copies", CS_SHEET_SHARE, AT(copies), CS_IF_POSITIVE},
    {"copies_runs", "beyond", "L2", CS_SHEET_COUNT, AT(copies_count)},
    {"clocks_differ", "clocks", "differ", CS_SHEET_COUNT, AT(clocks_differ)},
    {"median_gate", "gate", "median", CS_SHEET_SHARE, AT(median_gate), GATED},
    {"p90_gate", "gate", "90 %", CS_SHEET_SHARE, AT(p90_gate), GATED},
};

static const char *const registered_names[CS_REGISTERED_COUNT] = {"", "before", "after", "changed"};

/* Unknown of a failed run. */
static double run_time(const void *row)
{
    const struct cs_compared *run = row;

    return run->measured->failed[0] ? (double)NAN : run->time_s;
}

static double run_clocks(const void *row)
{
    const struct cs_compared *run = row;

    return run->measured->event_s > 0 ? run->measured->event_s / run->time_s - 1 : (double)NAN;
}

#undef AT
#define AT(member)       CS_AT(struct cs_compared, member)
#define MEASURED(member) CS_VIA(struct cs_compared, measured, member)
#define KNOWN            CS_UNLESS(struct cs_compared, unknown)
static const struct cs_sheet_column run_columns[] = {
    {"gpu", "GPU", NULL, CS_SHEET_TEXT, MEASURED(gpu)},
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT, MEASURED(run.algorithm)},
    {"setup", "setup", NULL, CS_SHEET_TEXT, AT(setup)},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, MEASURED(work.ranks)},
    {"dtype", "type", NULL, CS_SHEET_TEXT, MEASURED(work.dtype)},
    {"bytes", "size", NULL, CS_SHEET_BYTES, MEASURED(work.bytes)},
    {"measured_s", "measured", NULL, CS_SHEET_SECONDS, .real = run_time},
    {"p10_s", "10 %", NULL, CS_SHEET_SECONDS, MEASURED(spread.p10_s), CS_IF_POSITIVE},
    {"p90_s", "90 %", NULL, CS_SHEET_SECONDS, MEASURED(spread.p90_s), CS_IF_POSITIVE},
    {"event_s", "by", "events", CS_SHEET_SECONDS, MEASURED(event_s), CS_IF_POSITIVE},
    {"clocks", "clocks", "differ", CS_SHEET_SHARE, .real = run_clocks},
    {"predicted_s", "predicted", NULL, CS_SHEET_SECONDS, AT(predicted.time_s), KNOWN},
    {"error", "error", NULL, CS_SHEET_SHARE, AT(error), KNOWN},
    {"registered", "registered", NULL, CS_SHEET_TEXT, AT(registered), .words = registered_names,
     .known = CS_OR_EMPTY, KNOWN},
    {"closed_form_s", "closed", "form", CS_SHEET_SECONDS, AT(predicted.closed_form_s), KNOWN},
    {"bound_s", "lower", "bound", CS_SHEET_SECONDS, AT(predicted.bound_s), KNOWN},
    {"copies", "of plain", "copies", CS_SHEET_SHARE, AT(copies), CS_IF_POSITIVE, KNOWN},
    {"unknown", "not predicted", NULL, CS_SHEET_TEXT, AT(unknown), CS_OR_EMPTY},
};

void cs_validate_print_groups(const struct cs_cli *cli, enum cs_format format,
                              const struct cs_comparison *comparison)
{
    cs_cli_rows(cli, CS_ROWS("groups", group_columns, comparison->groups, comparison->group_count),
                format);
}

void cs_validate_print_runs(const struct cs_cli *cli, enum cs_format format,
                            const struct cs_comparison *comparison)
{
    cs_cli_rows(cli, CS_ROWS("points", run_columns, comparison->runs, comparison->run_count),
                format);
}

static void print_delays(const struct cs_cli *cli, const struct cs_comparison *comparison,
                         struct cs_arena *arena)
{
    struct cs_delays_passed_on passed = cs_comparison_delays(comparison, arena);

    if (passed.count > 0)
        fprintf(cli->out,
                "Time added by a delay, in %u pairs of runs: |error| median %.1f %% of the "
                "delay, max %.1f %%\n",
                passed.count, 100 * passed.median, 100 * passed.most);
}

/* The registered predictions, and the points of the plan without a line. */
static void print_written(const struct cs_cli *cli, const struct cs_comparison *comparison,
                          const struct cs_comparison_summary *sum)
{
    const struct cs_comparison_grid *grid = &comparison->grid;
    const struct cs_measured *m = grid->example;

    fprintf(cli->out,
            "Predictions registered before the run: %u; after the run: %u; changed since: %u.\n",
            sum->registered[CS_REGISTERED_BEFORE], sum->registered[CS_REGISTERED_AFTER],
            sum->registered[CS_REGISTERED_CHANGED]);
    if (grid->expected == 0)
        return;
    fprintf(cli->out,
            "Of %u runs with a registered prediction, %u were measured by the predicting commit, "
            "%u use the same calibration here.\n"
            "Of %u predicted points, %u have no measured line; %u further points were measured.\n",
            sum->written, sum->same_commit, sum->same_inputs, grid->expected, grid->missing,
            grid->beside);
    if (m)
        fprintf(cli->out,
                "The first missing point: %s by %s, %llu ranks, %s, %llu bytes, %llu channels.\n",
                m->run.algorithm, m->work.transport, (unsigned long long)m->work.ranks,
                m->work.dtype, (unsigned long long)m->work.bytes,
                (unsigned long long)m->run.channels);
}

void cs_validate_print_summary(const struct cs_cli *cli, size_t copies,
                               const struct cs_comparison *comparison, struct cs_arena *arena)
{
    struct cs_comparison_summary sum = cs_comparison_summarize(comparison, arena);

    fprintf(cli->out,
            "\n%u runs predicted; left out: %u skipped, %u failed, %u with wrong sums, %u "
            "repeated, %u others; %zu duplicate lines dropped.\n",
            sum.predicted, sum.skipped, sum.failed, sum.wrong, sum.repeated, sum.other, copies);
    print_written(cli, comparison, &sum);
    if (sum.repeated > 0)
        fprintf(cli->out, "Repeated runs differ by %.1f %% (median), %.1f %% (max).\n",
                100 * sum.repeat_median, 100 * sum.repeat_most);
    print_delays(cli, comparison, arena);
}

int cs_validate_draw(const struct cs_cli *cli, const char *dir, struct cs_figures *figures,
                     struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text log = {0};
    int code = cs_files_mkdirs(dir, err);

    if (!code)
        code = cs_figures_write(figures, dir, &log, err);
    fputs(cs_text_str(&log), cli->messages);
    cs_figures_free(figures);
    return code == CS_GNUPLOT_ABSENT ? 0 : code;
}
