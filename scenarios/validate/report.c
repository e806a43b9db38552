#include "scenarios/validate/report.h"

#include "validate/gpu/breakdown.h"
#include "validate/gpu/summary.h"

static const struct cs_sheet_column group_columns[] = {
    {"gpu", "GPU", NULL, CS_SHEET_TEXT},
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT},
    {"setup", "setup", NULL, CS_SHEET_TEXT},
    {"sizes", "sizes", NULL, CS_SHEET_TEXT},
    {"runs", "runs", NULL, CS_SHEET_COUNT},
    {"median_error", "|error|", "median", CS_SHEET_SHARE},
    {"p90_error", "|error|", "90 %", CS_SHEET_SHARE},
    {"bias", "error", "median", CS_SHEET_SHARE},
    {"left_out", "left", "out", CS_SHEET_COUNT},
    {"copies", "of plain", "copies", CS_SHEET_SHARE},
    {"copies_runs", "beyond", "L2", CS_SHEET_COUNT},
    {"clocks_differ", "clocks", "differ", CS_SHEET_COUNT},
    {"median_gate", "gate", "median", CS_SHEET_SHARE},
    {"p90_gate", "gate", "90 %", CS_SHEET_SHARE},
};

static const struct cs_sheet_column run_columns[] = {
    {"gpu", "GPU", NULL, CS_SHEET_TEXT},
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT},
    {"setup", "setup", NULL, CS_SHEET_TEXT},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT},
    {"dtype", "type", NULL, CS_SHEET_TEXT},
    {"bytes", "size", NULL, CS_SHEET_BYTES},
    {"measured_s", "measured", NULL, CS_SHEET_SECONDS},
    {"p10_s", "10 %", NULL, CS_SHEET_SECONDS},
    {"p90_s", "90 %", NULL, CS_SHEET_SECONDS},
    {"event_s", "by", "events", CS_SHEET_SECONDS},
    {"clocks", "clocks", "differ", CS_SHEET_SHARE},
    {"predicted_s", "predicted", NULL, CS_SHEET_SECONDS},
    {"error", "error", NULL, CS_SHEET_SHARE},
    {"registered", "registered", NULL, CS_SHEET_TEXT},
    {"closed_form_s", "closed", "form", CS_SHEET_SECONDS},
    {"bound_s", "lower", "bound", CS_SHEET_SECONDS},
    {"copies", "of plain", "copies", CS_SHEET_SHARE},
    {"unknown", "not predicted", NULL, CS_SHEET_TEXT},
};

enum {
    GROUP_COLUMNS = sizeof(group_columns) / sizeof(*group_columns),
    RUN_COLUMNS = sizeof(run_columns) / sizeof(*run_columns),
};

static void report_known(struct cs_sheet *sheet, bool is_known, double value)
{
    if (is_known)
        cs_sheet_real(sheet, value);
    else
        cs_sheet_none(sheet);
}

void cs_validate_print_groups(const struct cs_cli *cli, enum cs_format format,
                              const struct cs_comparison *comparison)
{
    struct cs_sheet sheet = {0};
    size_t i;

    cs_sheet_begin(&sheet, "groups", group_columns, GROUP_COLUMNS);
    for (i = 0; i < comparison->group_count; i++) {
        const struct cs_comparison_group *group = &comparison->groups[i];
        bool any = group->count > 0;

        cs_sheet_text(&sheet, group->gpu);
        cs_sheet_text(&sheet, group->algorithm);
        cs_sheet_text(&sheet, group->setup);
        cs_sheet_text(&sheet, group->large ? "from 1 MiB" : "below 1 MiB");
        cs_sheet_u64(&sheet, group->count);
        report_known(&sheet, any, group->median);
        report_known(&sheet, any, group->p90);
        report_known(&sheet, any, group->bias);
        cs_sheet_u64(&sheet, group->left_out);
        report_known(&sheet, group->copies > 0, group->copies);
        cs_sheet_u64(&sheet, group->copies_count);
        cs_sheet_u64(&sheet, group->clocks_differ);
        report_known(&sheet, group->gated, group->median_gate);
        report_known(&sheet, group->gated, group->p90_gate);
    }
    cs_cli_sheet(cli, &sheet, format);
    cs_sheet_free(&sheet);
}

static void print_times(struct cs_sheet *sheet, const struct cs_compared *run)
{
    const struct cs_measured *m = run->measured;

    report_known(sheet, !m->failed[0], run->time_s);
    report_known(sheet, m->time_p10_s > 0, m->time_p10_s);
    report_known(sheet, m->time_p90_s > 0, m->time_p90_s);
    report_known(sheet, m->event_s > 0, m->event_s);
    report_known(sheet, m->event_s > 0, m->event_s / run->time_s - 1);
}

static const char *const registered_names[CS_REGISTERED_COUNT] = {"", "before", "after", "changed"};

void cs_validate_print_runs(const struct cs_cli *cli, enum cs_format format,
                            const struct cs_comparison *comparison)
{
    struct cs_sheet sheet = {0};
    size_t i;

    cs_sheet_begin(&sheet, "points", run_columns, RUN_COLUMNS);
    for (i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *run = &comparison->runs[i];
        bool reported = !run->unknown;

        cs_sheet_text(&sheet, run->measured->gpu);
        cs_sheet_text(&sheet, run->measured->algorithm);
        cs_sheet_text(&sheet, run->setup);
        cs_sheet_u64(&sheet, run->measured->ranks);
        cs_sheet_text(&sheet, run->measured->dtype);
        cs_sheet_u64(&sheet, run->measured->bytes);
        print_times(&sheet, run);
        report_known(&sheet, reported, run->predicted.time_s);
        report_known(&sheet, reported, run->error);
        cs_sheet_text(&sheet, reported ? registered_names[run->registered] : "");
        report_known(&sheet, reported, run->predicted.closed_form_s);
        report_known(&sheet, reported, run->predicted.bound_s);
        report_known(&sheet, reported && run->copies > 0, run->copies);
        cs_sheet_text(&sheet, reported ? "" : run->unknown);
    }
    cs_cli_sheet(cli, &sheet, format);
    cs_sheet_free(&sheet);
}

static const struct cs_sheet_column score_columns[] = {
    {"gpu", "GPU", NULL, CS_SHEET_TEXT},
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT},
    {"setup", "setup", NULL, CS_SHEET_TEXT},
    {"regime", "regime", NULL, CS_SHEET_TEXT},
    {"held_out", "held", "out", CS_SHEET_BOOL},
    {"runs", "runs", NULL, CS_SHEET_COUNT},
    {"median_log", "|ln|", "median", CS_SHEET_SHARE},
    {"p90_log", "|ln|", "90 %", CS_SHEET_SHARE},
    {"max_log", "|ln|", "max", CS_SHEET_SHARE},
    {"bias_log", "ln", "median", CS_SHEET_SHARE},
    {"within", "within", "p10-p90", CS_SHEET_COUNT},
    {"median_2", "median", "p = 2", CS_SHEET_SHARE},
    {"median_3", "median", "p = 3", CS_SHEET_SHARE},
    {"median_4", "median", "p = 4", CS_SHEET_SHARE},
    {"median_8", "median", "p = 8", CS_SHEET_SHARE},
    {"median_16", "median", "p = 16", CS_SHEET_SHARE},
};

void cs_validate_print_scores(const struct cs_cli *cli, enum cs_format format,
                              const struct cs_comparison *comparison, struct cs_arena *arena)
{
    struct cs_sheet sheet = {0};
    struct cs_score *scores;
    size_t count = cs_breakdown_scores(comparison, arena, &scores);
    size_t i;
    size_t k;

    cs_sheet_begin(&sheet, "scores", score_columns, sizeof(score_columns) / sizeof(*score_columns));
    for (i = 0; i < count; i++) {
        const struct cs_score *score = &scores[i];

        cs_sheet_text(&sheet, score->gpu);
        cs_sheet_text(&sheet, score->algorithm);
        cs_sheet_text(&sheet, score->setup);
        cs_sheet_text(&sheet, cs_regime_names[score->regime]);
        cs_sheet_bool(&sheet, score->held_out);
        cs_sheet_u64(&sheet, score->count);
        cs_sheet_real(&sheet, score->median);
        cs_sheet_real(&sheet, score->p90);
        cs_sheet_real(&sheet, score->most);
        cs_sheet_real(&sheet, score->bias);
        cs_sheet_u64(&sheet, score->within);
        for (k = 0; k < CS_SCORE_RANKS; k++)
            report_known(&sheet, score->by_ranks[k] >= 0, score->by_ranks[k]);
    }
    cs_cli_sheet(cli, &sheet, format);
    cs_sheet_free(&sheet);
    if (format == CS_FORMAT_TEXT)
        fprintf(cli->out,
                "Runs of a row share a calibration and neighbouring sizes: about %zu independent "
                "results.\n",
                count);
}

static void print_regime(const struct cs_cli *cli, const char *name,
                         const struct cs_regime_errors *errors)
{
    if (errors->count == 0)
        return;
    fprintf(cli->out, "%s: %u runs, |error| median %.1f %%, 90 %% below %.1f %%, max %.1f %%\n",
            name, errors->count, 100 * errors->median, 100 * errors->p90, 100 * errors->most);
    if (errors->ends_count > 0)
        fprintf(
            cli->out,
            "  ends of the ranks in %u of these runs: |error| of the worst rank, median %.1f %%\n",
            errors->ends_count, 100 * errors->ends);
}

static void print_delays(const struct cs_cli *cli, const struct cs_comparison *comparison,
                         struct cs_arena *arena)
{
    struct cs_delays_passed_on passed = cs_breakdown_delays(comparison, arena);

    if (passed.count > 0)
        fprintf(cli->out,
                "  time added by the delay, in %u pairs of runs: |error| median %.1f %% of the "
                "delay, max %.1f %%\n",
                passed.count, 100 * passed.median, 100 * passed.most);
}

void cs_validate_print_breakdown(const struct cs_cli *cli, const struct cs_comparison *comparison,
                                 struct cs_arena *arena)
{
    struct cs_regime_errors errors[CS_REGIMES];
    struct cs_regret *regrets;
    size_t count = cs_breakdown_regrets(comparison, arena, &regrets);
    size_t i;

    cs_breakdown_regimes(comparison, arena, errors);
    for (i = 0; i < CS_REGIMES; i++)
        print_regime(cli, cs_regime_names[i], &errors[i]);
    print_delays(cli, comparison, arena);
    for (i = 0; i < count; i++)
        fprintf(cli->out,
                "%llu bytes: fastest run predicted in %u of %u choices; mean regret %.1f %%, max "
                "%.1f %%\n",
                (unsigned long long)regrets[i].bytes, regrets[i].right, regrets[i].choices,
                100 * regrets[i].mean, 100 * regrets[i].most);
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
                m->algorithm, m->transport, (unsigned long long)m->ranks, m->dtype,
                (unsigned long long)m->bytes, (unsigned long long)m->channels);
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
    if (sum.twice > 0)
        fprintf(cli->out,
                "Predictions from two calibrations differ by %.1f %% (median), %.1f %% (max): "
                "smaller errors are noise.\n",
                100 * sum.noise, 100 * sum.most);
}
