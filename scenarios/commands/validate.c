/*
 * validate: recorded measurements beside predictions, with gates.
 */
#include "reports/figures/gnuplot.h"
#include "reports/figures/plot.h"
#include "reports/results/files.h"
#include "reports/results/store.h"
#include "scenarios/commands/command.h"
#include "validate/gpu/breakdown.h"
#include "validate/gpu/comparison_figures.h"
#include "validate/gpu/gates.h"
#include "validate/gpu/prediction_list.h"
#include "validate/gpu/summary.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum {
    PATHS_MAX = 64
};

#define DATA   "validate/data"
#define FAILED "failed.txt" /* of measure.sh */

struct cmd_validate_request {
    const char *paths[PATHS_MAX];
    size_t path_count;
    const char *out;
    const char *db;
    enum cs_format format;
    bool points, scores;
    bool gated;
};

/* What there is to compare. */
struct recorded {
    struct cs_arena arena;
    struct cs_measurements all;
    const char *gates[PATHS_MAX];
    size_t gate_count;
    size_t copies; /* of lines, which are dropped */
};

/* ---- options ---- */

static int set_data(void *target, const char *value, struct cs_err *err)
{
    struct cmd_validate_request *request = target;

    if (request->path_count == PATHS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d files", PATHS_MAX);
    request->paths[request->path_count++] = value;
    return 0;
}

static int cmd_validate_set_out(void *target, const char *value,
                                struct cs_err *err)
{
    (void)err;
    ((struct cmd_validate_request *)target)->out = value;
    return 0;
}

static int set_db(void *target, const char *value, struct cs_err *err)
{
    (void)err;
    ((struct cmd_validate_request *)target)->db = value;
    return 0;
}

static int set_gated(void *target, const char *value, struct cs_err *err)
{
    (void)value;
    (void)err;
    ((struct cmd_validate_request *)target)->gated = true;
    return 0;
}

static int set_points(void *target, const char *value, struct cs_err *err)
{
    (void)value;
    (void)err;
    ((struct cmd_validate_request *)target)->points = true;
    return 0;
}

static int set_scores(void *target, const char *value, struct cs_err *err)
{
    (void)value;
    (void)err;
    ((struct cmd_validate_request *)target)->scores = true;
    return 0;
}

static int set_json(void *target, const char *value, struct cs_err *err)
{
    (void)value;
    (void)err;
    ((struct cmd_validate_request *)target)->format = CS_FORMAT_JSON;
    return 0;
}

static int set_csv(void *target, const char *value, struct cs_err *err)
{
    (void)value;
    (void)err;
    ((struct cmd_validate_request *)target)->format = CS_FORMAT_CSV;
    return 0;
}

static const struct cs_option validate_options[] = {
    {.name = "data",
     .argument = "PATH",
     .set = set_data,
     .help = "a file of lines, or a directory with *.jsonl, gates.yaml and "
             "failed.txt; "
             "may be given again",
     .standard = DATA},
    {.name = "points",
     .set = set_points,
     .help = "every run, not only the groups"},
    {.name = "scores",
     .set = set_scores,
     .help = "ln(predicted/measured) by regime and ranks"},
    {.name = "gated",
     .set = set_gated,
     .help = "every group of runs has a gate, or it is an error"},
    {.name = "db",
     .argument = "FILE",
     .set = set_db,
     .help = "keep every run beside its prediction in this database"},
    {.name = "out",
     .letter = 'o',
     .argument = "PATH",
     .set = cmd_validate_set_out,
     .help = "draw measured and predicted times in this directory; predict: "
             "the file "
             "to write"},
    {.name = "json", .set = set_json, .help = "print JSON"},
    {.name = "csv", .set = set_csv, .help = "print CSV"},
    {0},
};

/* ---- data ---- */

static bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name);

    return length > strlen(end) && cs_same(name + length - strlen(end), end);
}

static int is_recorded(const struct dirent *entry)
{
    return entry->d_name[0] != '.' &&
           (ends_in(entry->d_name, ".jsonl") ||
            ends_in(entry->d_name, ".yaml") || cs_same(entry->d_name, FAILED));
}

static int read_path(struct recorded *recorded, const char *path,
                     struct cs_err *err)
{
    if (cs_same(path, FAILED) || ends_in(path, "/" FAILED))
        return cs_measurements_read_failed(path, &recorded->arena,
                                           &recorded->all, err);
    if (!ends_in(path, ".yaml"))
        return cs_measurements_read(path, &recorded->arena, &recorded->all,
                                    err);
    if (recorded->gate_count == PATHS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d files of gates",
                          PATHS_MAX);
    recorded->gates[recorded->gate_count++] = path;
    return 0;
}

/* In the order of the names. */
static int read_directory(struct recorded *recorded, const char *path,
                          struct cs_err *err)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_recorded, alphasort);
    int code = 0;
    int i;

    for (i = 0; i < count; i++) {
        if (!code)
            code = read_path(recorded,
                             cs_arena_printf(&recorded->arena, "%s/%s", path,
                                             entries[i]->d_name),
                             err);
        free(entries[i]);
    }
    free(entries);
    return code;
}

static int read_all(struct recorded *recorded,
                    const struct cmd_validate_request *request,
                    struct cs_err *err)
{
    static const char *const typical[] = {DATA};
    const char *const *paths = request->path_count ? request->paths : typical;
    size_t count = request->path_count ? request->path_count : 1;
    size_t i;
    int code = 0;

    for (i = 0; i < count && !code; i++) {
        struct stat info;
        bool there = stat(paths[i], &info) == 0;

        if (!there && request->path_count == 0)
            break;
        code = there && S_ISDIR(info.st_mode)
                   ? read_directory(recorded, paths[i], err)
                   : read_path(recorded, paths[i], err);
    }
    if (!code && recorded->all.count == 0)
        code = cs_err_set(err, CS_ECANNOT,
                          "no measurements recorded in %s; 'make gpu' "
                          "on a computer with a GPU makes them",
                          paths[0]);
    recorded->copies = cs_measurements_drop_copies(&recorded->all);
    return code;
}

/* ---- what is printed ---- */

static const struct cs_sheet_column group_columns[] = {
    {"gpu", "GPU", NULL, CS_SHEET_TEXT},
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT},
    {"way", "way", NULL, CS_SHEET_TEXT},
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
    {"way", "way", NULL, CS_SHEET_TEXT},
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
    {"registered", "written", "down", CS_SHEET_TEXT},
    {"closed_form_s", "closed", "form", CS_SHEET_SECONDS},
    {"bound_s", "lower", "bound", CS_SHEET_SECONDS},
    {"copies", "of plain", "copies", CS_SHEET_SHARE},
    {"unknown", "not predicted", NULL, CS_SHEET_TEXT},
};

enum {
    GROUP_COLUMNS = sizeof(group_columns) / sizeof(*group_columns),
    RUN_COLUMNS = sizeof(run_columns) / sizeof(*run_columns),
};

static void cmd_validate_known(struct cs_sheet *sheet, bool is_known,
                               double value)
{
    if (is_known)
        cs_sheet_real(sheet, value);
    else
        cs_sheet_none(sheet);
}

static void print_groups(const struct cs_cli *cli,
                         const struct cmd_validate_request *request,
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
        cmd_validate_known(&sheet, any, group->median);
        cmd_validate_known(&sheet, any, group->p90);
        cmd_validate_known(&sheet, any, group->bias);
        cs_sheet_u64(&sheet, group->left_out);
        cmd_validate_known(&sheet, group->copies > 0, group->copies);
        cs_sheet_u64(&sheet, group->copies_count);
        cs_sheet_u64(&sheet, group->clocks_differ);
        cmd_validate_known(&sheet, group->gated, group->median_gate);
        cmd_validate_known(&sheet, group->gated, group->p90_gate);
    }
    cs_cli_sheet(cli, &sheet, request->format);
    cs_sheet_free(&sheet);
}

static void print_times(struct cs_sheet *sheet, const struct cs_compared *run)
{
    const struct cs_measured *m = run->measured;

    cmd_validate_known(sheet, !m->failed[0], run->time_s);
    cmd_validate_known(sheet, m->time_p10_s > 0, m->time_p10_s);
    cmd_validate_known(sheet, m->time_p90_s > 0, m->time_p90_s);
    cmd_validate_known(sheet, m->event_s > 0, m->event_s);
    cmd_validate_known(sheet, m->event_s > 0, m->event_s / run->time_s - 1);
}

static const char *const registered_names[CS_REGISTERED_COUNT] = {
    "", "before", "after", "changed"};

static void print_runs(const struct cs_cli *cli,
                       const struct cmd_validate_request *request,
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
        cmd_validate_known(&sheet, reported, run->predicted.time_s);
        cmd_validate_known(&sheet, reported, run->error);
        cs_sheet_text(&sheet,
                      reported ? registered_names[run->registered] : "");
        cmd_validate_known(&sheet, reported, run->predicted.closed_form_s);
        cmd_validate_known(&sheet, reported, run->predicted.bound_s);
        cmd_validate_known(&sheet, reported && run->copies > 0, run->copies);
        cs_sheet_text(&sheet, reported ? "" : run->unknown);
    }
    cs_cli_sheet(cli, &sheet, request->format);
    cs_sheet_free(&sheet);
}

static int cmd_validate_draw(const struct cs_cli *cli,
                             const struct cmd_validate_request *request,
                             const struct cs_comparison *comparison,
                             struct cs_err *err)
{
    struct cs_figures figures = {0};
    struct cs_text log = {0};
    int code = cs_files_mkdirs(request->out, err);

    cs_comparison_figures(comparison, &figures);
    if (!code)
        code = cs_figures_write(&figures, request->out, &log, err);
    fputs(cs_text_str(&log), cli->messages);
    cs_text_free(&log);
    cs_figures_free(&figures);
    return code == CS_GNUPLOT_ABSENT ? 0 : code;
}

static const struct cs_sheet_column score_columns[] = {
    {"gpu", "GPU", NULL, CS_SHEET_TEXT},
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT},
    {"way", "way", NULL, CS_SHEET_TEXT},
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

static void print_scores(const struct cs_cli *cli,
                         const struct cmd_validate_request *request,
                         const struct cs_comparison *comparison,
                         struct cs_arena *arena)
{
    struct cs_sheet sheet = {0};
    struct cs_score *scores;
    size_t count = cs_breakdown_scores(comparison, arena, &scores);
    size_t i;
    size_t k;

    cs_sheet_begin(&sheet, "scores", score_columns,
                   sizeof(score_columns) / sizeof(*score_columns));
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
            cmd_validate_known(&sheet, score->by_ranks[k] >= 0,
                               score->by_ranks[k]);
    }
    cs_cli_sheet(cli, &sheet, request->format);
    cs_sheet_free(&sheet);
    if (request->format == CS_FORMAT_TEXT)
        fprintf(cli->out,
                "Runs of a row share a calibration and neighbouring sizes: "
                "about %zu independent facts.\n",
                count);
}

/* Where errors are, and what they cost who chooses by predictions. */
static void print_breakdown(const struct cs_cli *cli,
                            const struct cs_comparison *comparison,
                            struct cs_arena *arena)
{
    struct cs_regime_errors errors[CS_REGIMES];
    struct cs_regret *regrets;
    size_t count = cs_breakdown_regrets(comparison, arena, &regrets);
    size_t i;

    cs_breakdown_regimes(comparison, arena, errors);
    for (i = 0; i < CS_REGIMES; i++)
        if (errors[i].count > 0)
            fprintf(cli->out,
                    "%s: %u runs, |error| median %.1f %%, 90 %% below %.1f %%, "
                    "most %.1f %%\n",
                    cs_regime_names[i], errors[i].count, 100 * errors[i].median,
                    100 * errors[i].p90, 100 * errors[i].most);
    for (i = 0; i < count; i++)
        fprintf(cli->out,
                "%llu bytes: the fastest is predicted in %u of %u choices; "
                "regret %.1f %% on average, %.1f %% most\n",
                (unsigned long long)regrets[i].bytes, regrets[i].right,
                regrets[i].choices, 100 * regrets[i].mean,
                100 * regrets[i].most);
}

/* The grid that was predicted beforehand, and what came of it. */
static void print_written(const struct cs_cli *cli,
                          const struct cs_comparison *comparison,
                          const struct cs_comparison_summary *sum)
{
    const struct cs_comparison_grid *grid = &comparison->grid;
    const struct cs_measured *m = grid->example;

    fprintf(
        cli->out,
        "Predictions written down before the run: %u; after it: %u; changed "
        "since: %u.\n",
        sum->registered[CS_REGISTERED_BEFORE],
        sum->registered[CS_REGISTERED_AFTER],
        sum->registered[CS_REGISTERED_CHANGED]);
    if (grid->expected == 0)
        return;
    fprintf(
        cli->out,
        "Of %u runs with one, %u were measured by the commit that predicted "
        "them, %u are predicted here from the same calibration.\n"
        "Of %u points predicted, %u have no line; %u were measured beside "
        "them.\n",
        sum->written, sum->same_commit, sum->same_inputs, grid->expected,
        grid->missing, grid->beside);
    if (m)
        fprintf(cli->out,
                "The first without a line: %s by %s, %llu ranks, %s, %llu "
                "bytes, %llu channels.\n",
                m->algorithm, m->transport, (unsigned long long)m->ranks,
                m->dtype, (unsigned long long)m->bytes,
                (unsigned long long)m->channels);
}

/* What groups do not show. */
static void print_summary(const struct cs_cli *cli, size_t copies,
                          const struct cs_comparison *comparison,
                          struct cs_arena *arena)
{
    struct cs_comparison_summary sum =
        cs_comparison_summarize(comparison, arena);

    fprintf(
        cli->out,
        "\n%u runs predicted; left out: %u skipped, %u failed, %u with wrong "
        "sums, %u measured again, %u others; %zu copies of lines dropped.\n",
        sum.predicted, sum.skipped, sum.failed, sum.wrong, sum.repeated,
        sum.other, copies);
    print_written(cli, comparison, &sum);
    if (sum.repeated > 0)
        fprintf(cli->out,
                "Runs that are measured again differ by %.1f %% (median), %.1f "
                "%% (most).\n",
                100 * sum.repeat_median, 100 * sum.repeat_most);
    if (sum.twice > 0)
        fprintf(
            cli->out,
            "Two calibrations predict times that differ by %.1f %% (median), "
            "%.1f %% (most): an error below that is noise.\n",
            100 * sum.noise, 100 * sum.most);
}

/* ---- database ---- */

static struct cs_store_comparison row_of(const struct cs_compared *run)
{
    const struct cs_measured *m = run->measured;
    bool reported = !run->unknown;

    return (struct cs_store_comparison){
        .gpu = m->gpu,
        .algorithm = m->algorithm,
        .route = run->setup,
        .dtype = m->dtype,
        .table = m->table,
        .unknown = reported ? "" : run->unknown,
        .version = CS_VERSION,
        .ranks = (uint32_t)m->ranks,
        .channels = (uint32_t)m->channels,
        .bytes = m->bytes,
        .slice_bytes = m->slice_bytes,
        .measured_s = m->failed[0] ? (double)NAN : run->time_s,
        .predicted_s = reported ? run->predicted.time_s : (double)NAN,
        .closed_form_s = reported ? run->predicted.closed_form_s : (double)NAN,
        .bound_s = reported ? run->predicted.bound_s : (double)NAN,
        .error = reported ? run->error : (double)NAN,
    };
}

static int cmd_validate_keep(const char *path,
                             const struct cs_comparison *comparison,
                             struct cs_arena *arena, struct cs_err *err)
{
    struct cs_store_comparison *rows =
        cs_arena_alloc(arena, comparison->run_count, sizeof(*rows));
    struct cs_store *store;
    size_t i;
    int code = cs_store_open(path, CS_STORE_CREATE, &store, err);

    for (i = 0; i < comparison->run_count; i++)
        rows[i] = row_of(&comparison->runs[i]);
    if (!code)
        code =
            cs_store_put_comparisons(store, rows, comparison->run_count, err);
    cs_store_close(store);
    return code;
}

/* ---- predictions ---- */

static int write_text(const struct cs_cli *cli, const char *path,
                      const struct cs_text *text, struct cs_err *err)
{
    FILE *out = path ? fopen(path, "wbx") : cli->out;
    bool whole =
        out && fwrite(text->data, 1, text->length, out) == text->length;

    if (!out && errno == EEXIST)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' exists, and predictions are not written over; "
                          "choose another name",
                          path);
    if (out && path && fclose(out) != 0)
        whole = false;
    return whole ? 0
                 : cs_err_set(err, CS_ECANNOT, "cannot write '%s': %s",
                              path ? path : "the output", strerror(errno));
}

/* Into the file --out, or to the output. */
static int cmd_validate_predict(const struct cs_cli *cli,
                                const struct cmd_validate_request *request,
                                const struct recorded *recorded,
                                struct cs_err *err)
{
    char date[32];
    struct cs_prediction_list list = {.date = date};
    struct cs_text text = {0};
    time_t now = time(NULL);
    struct tm utc;
    int code;

    gmtime_r(&now, &utc);
    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &utc);
    code = cs_prediction_list_write(&recorded->all, &list, &text, err);
    if (!code)
        code = write_text(cli, request->out, &text, err);
    if (!code)
        fprintf(cli->messages,
                "%llu predictions by %s, hash %016llx; %llu not calibrated\n",
                (unsigned long long)list.count,
                cs_prediction_commit[0] ? cs_prediction_commit : CS_VERSION,
                (unsigned long long)list.hash,
                (unsigned long long)list.left_out);
    if (!code && list.runs > 0)
        fprintf(cli->messages,
                "%llu runs are measured already, and were not predicted "
                "before\n",
                (unsigned long long)list.runs);
    cs_text_free(&text);
    return code;
}

/* ---- the command ---- */

static int cmd_validate_validate(const struct cs_cli *cli,
                                 const struct cmd_validate_request *request,
                                 struct recorded *recorded, struct cs_err *err)
{
    struct cs_comparison comparison;
    size_t i;
    int code = cs_compare(&recorded->all, &recorded->arena, &comparison, err);

    for (i = 0; i < recorded->gate_count && !code; i++)
        code = cs_comparison_gates(&comparison, recorded->gates[i],
                                   &recorded->arena, err);
    if (code)
        return code;
    if (request->points)
        print_runs(cli, request, &comparison);
    else if (request->scores)
        print_scores(cli, request, &comparison, &recorded->arena);
    else
        print_groups(cli, request, &comparison);
    if (!request->points && !request->scores &&
        request->format == CS_FORMAT_TEXT) {
        fputc('\n', cli->out);
        print_scores(cli, request, &comparison, &recorded->arena);
        print_summary(cli, recorded->copies, &comparison, &recorded->arena);
        print_breakdown(cli, &comparison, &recorded->arena);
    }
    if (request->out)
        code = cmd_validate_draw(cli, request, &comparison, err);
    if (!code && request->db)
        code =
            cmd_validate_keep(request->db, &comparison, &recorded->arena, err);
    if (!code && request->gated)
        code = cs_comparison_gated(&comparison, err);
    if (!code)
        code = cs_comparison_sound(&comparison, err);
    return code ? code : cs_comparison_judge(&comparison, err);
}

static int validate_run(const struct cs_cli *cli, int argc, char **argv,
                        struct cs_err *err)
{
    struct recorded recorded = {0};
    struct cmd_validate_request request = {.format = CS_FORMAT_TEXT};
    bool predicts = argc > 0 && cs_same(argv[0], "predict");
    int code = cs_options_read(cs_command_validate.options, argc - predicts,
                               argv + predicts, &request, err);

    if (!code)
        code = read_all(&recorded, &request, err);
    if (!code)
        code = predicts ? cmd_validate_predict(cli, &request, &recorded, err)
                        : cmd_validate_validate(cli, &request, &recorded, err);
    cs_measurements_free(&recorded.all);
    cs_arena_free(&recorded.arena);
    return code;
}

const struct cs_command cs_command_validate = {
    .name = "validate",
    .usage = "collsim validate [predict] [--data PATH] [--points] [--gated] "
             "[--out DIR]",
    .about = "compare predictions with recorded measurements",
    .options = {.own = validate_options},
    .notes =
        "'validate predict' writes down what every run of 'make gpu' should "
        "take before it is\nmeasured: from a calibration in --data, to --out "
        "FILE. Beside measurements each\nsays whether it is older than the "
        "run, "
        "and still what the model says.\n"
        "Exit status 1 when an error exceeds its gate, a sum is wrong or a "
        "time "
        "is below its\nlower bound, 3 when no run was "
        "recorded.\n",
    .run = validate_run,
};
