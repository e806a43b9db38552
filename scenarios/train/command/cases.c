#include "scenarios/train/command/cases.h"

#include "reports/figures/bars.h"
#include "reports/figures/plot/gnuplot.h"
#include "reports/results/endings.h"
#include "reports/results/files.h"
#include "reports/results/store/store.h"
#include "scenarios/commands.h"
#include "scenarios/train/command/calibration.h"
#include "scenarios/train/command/result.h"
#include "scenarios/train/command/unused.h"
#include "scenarios/train/systems/variants.h"
#include "sim/base/units.h"
#include "topo/documents/parameters.h"
#include "topo/formats/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

static int add_case(struct cs_train_options *given, struct cs_train_case one, struct cs_err *err)
{
    if (given->case_count == CS_TRAIN_CASES_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d cases", CS_TRAIN_CASES_MAX);
    given->cases[given->case_count++] = one;
    given->cases_asked = true;
    return 0;
}

int cs_train_add_case(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;
    const char *colon = strstr(value, ": ");

    if (!colon || colon == value)
        return cs_err_set(
            err, CS_EINPUT,
            "'%.60s' is not 'LABEL: OPTION=VALUE ...', such as '10 GbE: topo=10gbe-8 ranks=4'",
            value);
    return add_case(
        given,
        (struct cs_train_case){
            .label = cs_arena_text_n(given->scenario.arena, value, (size_t)(colon - value)),
            .options = cs_arena_text(given->scenario.arena, colon + 2)},
        err);
}

int cs_train_add_values(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;
    struct cs_arena *arena = given->scenario.arena;
    const char *equal = strchr(value, '=');
    char separator = strchr(value, ';') ? ';' : ',';
    int code = 0;

    if (!equal || equal == value || !equal[1])
        return cs_err_set(err, CS_EINPUT,
                          "'%.60s' is not OPTION=VALUE;VALUE, such as bucket-cap=1MiB;25MiB",
                          value);
    for (const char *at = equal + 1; *at && !code;) {
        size_t length = cs_parameters_span(at, separator);
        const char *one = cs_parameters_bare(cs_arena_text_n(arena, at, length));

        code = add_case(
            given,
            (struct cs_train_case){
                .label = one,
                .options = cs_arena_printf(arena, "%.*s=%s", (int)(equal - value), value, one)},
            err);
        at += length + (at[length] != '\0');
    }
    return code;
}

int cs_train_add_list(void *target, const struct cs_option *option, const char *value,
                      struct cs_err *err)
{
    struct cs_train_options *given = target;

    return cs_train_add_values(
        target, cs_arena_printf(given->scenario.arena, "%s=%s", option->name, value), err);
}

/* ---- computation ---- */

struct case_result {
    struct cs_train_options given;
    struct cs_train_setup setup;
    struct cs_search search;
    struct cs_train_result result;
    double measured; /* samples a second; 0: none */
};

static int case_measured(const char *value, double *measured, struct cs_err *err)
{
    char *end;

    *measured = strtod(value, &end);
    return end != value && !*end && *measured > 0
               ? 0
               : cs_err_set(err, CS_EINPUT, "measured=%.40s is not a number above 0", value);
}

/* A word "option=value" or "flag". */
static int case_option(struct case_result *one, const char *word, struct cs_err *err)
{
    static const char *const others[] = {"case", "vary", "cases", "scenario", "log"};
    char *option = cs_arena_printf(one->given.scenario.arena, "--%s", word);
    size_t length = strcspn(word, "=");

    if (!strncmp(word, "measured=", length + 1))
        return case_measured(word + length + 1, &one->measured, err);
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (strlen(others[i]) == length && !strncmp(word, others[i], length))
            return cs_err_set(err, CS_EINPUT, "a case has no --%s", others[i]);
    return cs_options_read(cs_command_train.options, 1, &option, &one->given, err);
}

/* A log of options of its own; of another framework, the command's options behind that framework's. */
static int case_framework(const struct cs_train_options *given, const char *options,
                          struct case_result *one, struct cs_err *err)
{
    struct cs_arena *arena = given->scenario.arena;
    char *framework = strstr(cs_arena_printf(arena, " %s", options), " framework=");
    char **argv = cs_arena_alloc(arena, (size_t)given->argc + 1, sizeof(*argv));
    struct cs_option_log *log;
    int code;

    one->given = *given;
    log = &one->given.scenario.given;
    log->items = cs_arena_copy(arena, log->items, log->count, sizeof(*log->items));
    log->room = log->count;
    if (!framework)
        return 0;
    framework += strlen(" framework=");
    framework = cs_arena_text_n(arena, framework, strcspn(framework, " "));
    memcpy(argv, given->argv, (size_t)given->argc * sizeof(*argv));
    argv[given->argc] = cs_arena_printf(arena, "--framework=%s", framework);
    code = cs_train_read(given->argc + 1, argv, arena, &one->given, err);
    cs_train_calibrate_as(given, &one->given);
    return code;
}

static int case_compute(const struct cs_train_options *given, const struct cs_train_case *of,
                        struct case_result *one, struct cs_err *err)
{
    char *words = cs_arena_text(given->scenario.arena, of->options);
    char *rest = NULL;
    int code = case_framework(given, of->options, one, err);

    for (char *word = strtok_r(words, " ", &rest); word && !code; word = strtok_r(NULL, " ", &rest))
        code = case_option(one, word, err);
    if (!code && one->given.replay)
        code = cs_err_set(err, CS_EINPUT, "a replayed trace has no cases");
    if (!code) {
        cs_cluster_finish(&one->given.scenario);
        code = cs_train_compute(&one->given, &one->setup, &one->search, &one->result, err);
    }
    return code ? cs_err_prefix(err, "case '%.40s'", of->label), code : 0;
}

/* ---- the table ---- */

struct case_row {
    const char *label;
    const struct case_result *one;
    double scaling, compute_s, exposed_s;
    bool fits;
    double error; /* NAN: not measured */
};

static const char *case_machine(const void *row)
{
    return cs_topo_shown(((const struct case_row *)row)->one->given.scenario.topo);
}

#define AT(member)   CS_AT(struct case_row, member)
#define ONE(member)  CS_VIA(struct case_row, one, member)
#define STEP(member) ONE(result.step.member)
static const struct cs_sheet_column case_columns[] = {
    {"case", "case", NULL, CS_SHEET_TEXT, AT(label)},
    {"machine", "machine", NULL, CS_SHEET_TEXT, .text = case_machine},
    {"system", "system", NULL, CS_SHEET_TEXT, CS_VIA2(struct case_row, one, setup.system, name)},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, CS_VIA2(struct case_row, one, setup.job.site, ranks)},
    {"step_s", "step", NULL, CS_SHEET_SECONDS, STEP(step_s)},
    {"samples_per_s", "samples/s", NULL, CS_SHEET_REAL, STEP(samples_per_s)},
    {"scaling_efficiency", "scaling", NULL, CS_SHEET_SHARE, AT(scaling)},
    {"compute_s", "compute", NULL, CS_SHEET_SECONDS, AT(compute_s)},
    {"exposed_s", "exposed", NULL, CS_SHEET_SECONDS, AT(exposed_s)},
    {"bubble_s", "bubble", NULL, CS_SHEET_SECONDS, STEP(bubble_s)},
    {"memory_bytes", "memory", NULL, CS_SHEET_MEMORY, STEP(memory_bytes)},
    {"fits", "fits", NULL, CS_SHEET_BOOL, AT(fits)},
    {"measured_samples_per_s", "measured", "samples/s", CS_SHEET_REAL, ONE(measured),
     CS_IF_POSITIVE},
    {"error", "error", NULL, CS_SHEET_SHARE, AT(error)},
};

static struct case_row case_row_of(const struct cs_train_case *of, const struct case_result *one)
{
    const struct cs_train_step *step = &one->result.step;

    return (struct case_row){
        .label = of->label,
        .one = one,
        .scaling = cs_train_scaling_efficiency(&one->result),
        .compute_s = step->forward_s + step->backward_s + step->recompute_s + step->optimizer_s +
                     step->host_s,
        .exposed_s = step->data_exposed_s + step->tensor_s + step->expert_s + step->context_s +
                     step->pipeline_s,
        .fits = step->memory_bytes <= one->setup.job.gpu->memory_bytes,
        .error = one->measured > 0 ? step->samples_per_s / one->measured - 1 : (double)NAN,
    };
}

/* ---- the picture ---- */

/* Labels that are numbers. */
static bool cases_are_numbers(const struct cs_train_options *given)
{
    for (uint32_t c = 0; c < given->case_count; ++c) {
        char *end;

        (void)strtod(given->cases[c].label, &end);
        if (end == given->cases[c].label || *end)
            return false;
    }
    return given->case_count > 1;
}

/* The samples of a step are the same in all cases. */
static bool cases_share_batch(const struct case_result *cases, uint32_t count)
{
    for (uint32_t c = 1; c < count; ++c)
        if (fabs(cases[c].result.step.samples_per_s * cases[c].result.step.step_s -
                 cases[0].result.step.samples_per_s * cases[0].result.step.step_s) > 1e-6)
            return false;
    return true;
}

static struct cs_bar case_bar(const struct cs_train_options *given, const struct case_result *one,
                              uint32_t number, bool in_seconds)
{
    const struct cs_train_step *step = &one->result.step;
    double samples = step->samples_per_s * step->step_s;
    struct cs_bar bar = {.label = given->cases[number].label,
                         .at = strtod(given->cases[number].label, NULL),
                         .value = step->samples_per_s,
                         .measured = one->measured};

    bar.note = cs_arena_printf(given->scenario.arena, step->samples_per_s < 100 ? "%.3g" : "%.0f",
                               step->samples_per_s);
    if (one->setup.job.site->ranks > 1 && !in_seconds)
        bar.note = cs_arena_printf(given->scenario.arena, "%s (%.0f %%)", bar.note,
                                   100 * cs_train_scaling_efficiency(&one->result));
    if (in_seconds) {
        bar.value = step->step_s;
        bar.measured = one->measured > 0 ? samples / one->measured : 0;
    }
    return bar;
}

static int case_draw(const char *file, const struct cs_bars *bars, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text script = {0};

    cs_bars_script(bars, cs_files_name(file), &script);
    return cs_gnuplot_draw(file, &script, CS_GNUPLOT_REMOVE, err);
}

/* The name of the first option of the first case. */
static const char *first_option(const struct cs_train_options *given)
{
    const char *options = given->cases[0].options;

    return cs_arena_text_n(given->scenario.arena, options, strcspn(options, "= "));
}

static int cases_plot(const struct cs_train_options *given, const struct case_result *cases,
                      struct cs_err *err)
{
    struct cs_arena *arena = given->scenario.arena;
    uint32_t count = given->case_count;
    bool curve = cases_are_numbers(given);
    bool in_seconds = curve && cases_share_batch(cases, count);
    struct cs_bar *bars = cs_arena_alloc(arena, count, sizeof(*bars));
    struct cs_bars all = {.title = given->title,
                          .what = in_seconds ? "step (s)" : "samples/s (share of perfect scaling)",
                          .x = curve ? first_option(given) : NULL,
                          .bars = bars,
                          .count = count,
                          .curve = curve};

    if (curve && !in_seconds)
        all.what = "samples/s";
    if (!all.title)
        all.title = cs_arena_printf(arena, "%s on %s", cases[0].setup.model.name,
                                    cs_topo_shown(cases[0].given.scenario.topo));
    for (uint32_t c = 0; c < count; ++c)
        bars[c] = case_bar(given, &cases[c], c, in_seconds);
    return case_draw(given->plot, &all, err);
}

static int cases_check_plot(const struct cs_train_options *given, struct cs_err *err)
{
    static const char *const pictures[] = {"svg", "png", NULL};
    size_t picture;

    if (!given->plot)
        return 0;
    if (cs_endings_choose("--plot", given->plot, pictures, &picture, err))
        return CS_EINPUT;
    return cs_files_check_new(given->plot, given->scenario.force, err);
}

/* ---- decisions of the library ---- */

/* Whether the options of a case change the machine or the batch alone. */
static bool case_is_comparable(const struct cs_train_case *of)
{
    static const char *const names[] = {"topo",  "fabric",       "micro-batch",
                                        "batch", "accumulation", "global-batch"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        size_t length = strlen(names[i]);

        if (!strncmp(of->options, names[i], length) && of->options[length] == '=' &&
            !strchr(of->options, ' '))
            return true;
    }
    return false;
}

static bool case_is_same_job(const struct cs_train_setup *a, const struct cs_train_setup *b)
{
    return a->system == b->system && a->job.library == b->job.library && a->job.gpu == b->job.gpu &&
           a->site.ranks == b->site.ranks;
}

/* Notes a step that is longer than the one of the case beside it since the library
 * decides otherwise. */
static void case_note_decision(const struct cs_cli *cli, const struct cs_train_options *given,
                               const struct case_result *cases, uint32_t slow, uint32_t fast)
{
    const struct cs_train_setup *before = &cases[fast].setup, *after = &cases[slow].setup;
    double kept_s;

    if (!case_is_comparable(&given->cases[slow]) || !case_is_comparable(&given->cases[fast]) ||
        !case_is_same_job(before, after) ||
        !cs_train_is_slower_by_decision(after->system, &before->job, &after->job, &kept_s))
        return;
    fprintf(cli->messages,
            "note: %s: the step is longer than that of %s since %s decides otherwise; decided "
            "as there, it would take %s\n",
            given->cases[slow].label, given->cases[fast].label, after->job.library->name,
            cs_show_seconds(kept_s).text);
}

static void cases_note_decisions(const struct cs_cli *cli, const struct cs_train_options *given,
                                 const struct case_result *cases)
{
    for (uint32_t c = 1; c < given->case_count; ++c) {
        bool later = cases[c].result.step.step_s > cases[c - 1].result.step.step_s;

        case_note_decision(cli, given, cases, later ? c : c - 1, later ? c - 1 : c);
    }
}

/* Options of the command that no case needs. */
static void cases_note_unused(const struct cs_cli *cli, const struct cs_train_options *given,
                              const struct case_result *cases)
{
    const struct cs_option_log *log = &given->scenario.given;

    for (uint32_t i = 0; i < log->count; ++i) {
        uint32_t c = 0;

        while (c < given->case_count && cs_train_is_unused(&cases[c].given, &cases[c].setup,
                                                           &cases[c].result.step, &log->items[i]))
            ++c;
        if (c == given->case_count)
            fprintf(cli->messages, "note: --%s has no effect on these cases\n",
                    log->items[i].option->name);
    }
}

/* ---- all ---- */

int cs_train_cases(const struct cs_cli *cli, const struct cs_train_options *given,
                   struct cs_err *err)
{
    const struct cs_database_wait wait = cs_progress_line_lock(cli->progress);
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};
    struct case_result *cases =
        cs_arena_alloc(given->scenario.arena, given->case_count, sizeof(*cases));
    const struct cs_monitor *monitor;
    int code = cases_check_plot(given, err);

    if (!code && !given->case_count)
        code = cs_err_set(err, CS_EINPUT, "no cases to compare; add --case or --vary");

    if (!code && (given->timeline || given->scenario.trace))
        code =
            cs_err_set(err, CS_EINPUT,
                       "--timeline and --trace are of a single job; leave --case and --vary out");
    cs_sheet_begin(&sheet, "cases", CS_COLUMNS(case_columns));
    monitor = cs_cli_watch(cli, "computing the cases", 0, 0);
    for (uint32_t c = 0; c < given->case_count && !code; ++c) {
        code = case_compute(given, &given->cases[c], &cases[c], err);
        if (!code) {
            struct case_row row = case_row_of(&given->cases[c], &cases[c]);

            cs_sheet_row(&sheet, &row);
        }
        if (!code && !cs_monitor_count(monitor, c + 1, given->case_count))
            code = cs_err_set(err, CS_ESTOPPED, "stopped");
    }
    cs_cli_watched(cli);
    if (!code)
        cases_note_decisions(cli, given, cases);
    if (!code)
        cases_note_unused(cli, given, cases);
    if (!code && given->plot)
        code = cases_plot(given, cases, err);
    if (!code)
        cs_cli_wrote(cli, given->plot);
    if (!code && given->scenario.db)
        code =
            cs_store_put_sheet(given->scenario.db, &wait, &sheet, given->request, CS_VERSION, err);
    cs_cli_sheet_until(cli, &sheet, given->scenario.format, code);
    return code;
}
