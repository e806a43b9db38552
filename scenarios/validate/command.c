/*
 * validate: recorded measurements beside predictions, with gates.
 */
#include "scenarios/commands.h"
#include "scenarios/validate/recorded.h"
#include "scenarios/validate/report.h"
#include "sim/base/hint.h"
#include "validate/gpu/comparison.h"
#include "validate/gpu/gates.h"
#include "validate/gpu/prediction_list.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum {
    WORST = 10, /* tables of 'published' that are printed by default */
    WORST_MAX = 1000,
};

static int validate_set_data(void *target, const char *value, struct cs_err *err)
{
    struct cs_validate_request *request = target;

    if (request->path_count == CS_VALIDATE_PATHS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d files", CS_VALIDATE_PATHS_MAX);
    request->paths[request->path_count++] = value;
    return 0;
}

static const struct cs_option validate_options[] = {
#define TARGET  struct cs_validate_request
#define OPTIONS "scenarios/validate/options.def"
#include "scenarios/options/entries.def"
};

/* ---- figures ---- */

static int validate_draw(const struct cs_cli *cli, const char *dir,
                         const struct cs_comparison *comparison, struct cs_err *err)
{
    struct cs_figures figures = {0};

    cs_comparison_figures(comparison, &figures);
    return cs_validate_draw(cli, dir, &figures, err);
}

/* ---- predictions ---- */

/* Writes to a new file, or to the output.  An existing file is an error: a
 * registered prediction must not change afterwards. */
static int validate_write_new(const struct cs_cli *cli, const char *path,
                              const struct cs_text *text, struct cs_err *err)
{
    FILE *out = path ? fopen(path, "wbx") : cli->out;
    bool whole = out && fwrite(text->data, 1, text->length, out) == text->length;

    if (!out && errno == EEXIST)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' exists; predictions are never overwritten, choose another name",
                          path);
    if (out && path && fclose(out) != 0)
        whole = false;
    if (whole)
        cs_cli_wrote(cli, path);
    return whole ? 0
                 : cs_err_set(err, CS_ECANNOT, "cannot write '%s': %s", path ? path : "the output",
                              strerror(errno));
}

/* Writes the predictions of the plan to --out, or to the output. */
static int validate_predict(const struct cs_cli *cli, const char *path,
                            const struct cs_measurements *all, struct cs_err *err)
{
    char date[32];
    struct cs_prediction_list list = {.date = date};
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    time_t now = time(NULL);
    struct tm utc;
    int code;

    gmtime_r(&now, &utc);
    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &utc);
    code = cs_prediction_list_write(all, &list, &text, err);
    if (!code)
        code = validate_write_new(cli, path, &text, err);
    if (!code)
        fprintf(cli->messages, "%llu predictions by %s, hash %016llx; %llu not calibrated\n",
                (unsigned long long)list.count,
                cs_prediction_commit[0] ? cs_prediction_commit : CS_VERSION,
                (unsigned long long)list.hash, (unsigned long long)list.left_out);
    if (!code && list.runs > 0)
        fprintf(cli->messages, "%llu runs are measured already, hence not predicted beforehand\n",
                (unsigned long long)list.runs);
    return code;
}

/* ---- the command ---- */

static void validate_print(const struct cs_cli *cli, const struct cs_validate_request *request,
                           struct cs_recorded *recorded, const struct cs_comparison *comparison)
{
    enum cs_format format = request->format;

    if (request->points) {
        cs_validate_print_runs(cli, format, comparison);
        return;
    }
    cs_validate_print_groups(cli, format, comparison);
    if (format != CS_FORMAT_TEXT)
        return;
    cs_validate_print_summary(cli, recorded->copies, comparison, &recorded->arena);
}

/* Everything is printed and stored before any check fails: a failed gate needs
 * the tables. */
static int validate_compare(const struct cs_cli *cli, const struct cs_validate_request *request,
                            struct cs_recorded *recorded, struct cs_err *err)
{
    struct cs_comparison comparison;
    int code = cs_compare(&recorded->all, &recorded->arena, &comparison, err);

    for (size_t i = 0; i < recorded->gate_count && !code; i++)
        code = cs_comparison_gates(&comparison, recorded->gates[i], &recorded->arena, err);
    if (code)
        return code;
    validate_print(cli, request, recorded, &comparison);
    if (request->out)
        code = validate_draw(cli, request->out, &comparison, err);
    if (!code && request->gated)
        code = cs_comparison_gated(&comparison, err);
    if (!code)
        code = cs_comparison_sound(&comparison, err);
    return code ? code : cs_comparison_judge(&comparison, err);
}

/* An option of published tables without the word would be without effect;
 * `shared`: training steps take some of them, too. */
static int validate_refuse(const struct cs_validate_request *request, bool shared,
                           struct cs_err *err)
{
    const struct {
        const char *name;
        bool is_given;
    } options[] = {
        {"class", request->class_name},
        {"library", request->library},
        {"in-sample", request->in_sample},
        {"site", request->site},
        {"worst", !shared && request->worst != WORST},
        {"tables", request->tables},
        {"scores", !shared && request->scores},
        {"ablation", request->ablation},
        {"fit", request->fit},
        {"verdicts", request->verdicts},
        {"estimate", !shared && request->estimate},
        {"leave-out", !shared && request->leave_out},
    };

    for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
        if (options[i].is_given)
            return cs_err_set(
                err, CS_EINPUT,
                "--%s is for published tables; expected 'collsim validate published --%s ...'",
                options[i].name, options[i].name);
    return 0;
}

/* The words that take a directory, with its files. */
static int validate_one_path(struct cs_validate_request *request, const char *files,
                             struct cs_err *err)
{
    if (request->path_count > 1)
        return cs_err_set(err, CS_EINPUT, "more than one --data; expected one directory with %s",
                          files);
    request->directory = request->path_count ? request->paths[0] : NULL;
    return 0;
}

static int validate_refuse_training(const struct cs_validate_request *request, struct cs_err *err)
{
    const char *name = request->table ? "table" : request->layouts ? "layouts" : NULL;

    return name ? cs_err_set(err, CS_EINPUT,
                             "--%s is for training steps; expected 'collsim validate training "
                             "--%s ...'",
                             name, name)
                : 0;
}

static int validate_published(const struct cs_cli *cli, struct cs_validate_request *request,
                              struct cs_err *err)
{
    int code = validate_refuse_training(request, err);

    if (!code)
        code = validate_one_path(request, "tables.csv and rows.csv", err);
    return code ? code : cs_validate_published(cli, request, err);
}

static int validate_training(const struct cs_cli *cli, struct cs_validate_request *request,
                             struct cs_err *err)
{
    int code = validate_refuse(request, true, err);

    if (!code && request->out)
        code = cs_err_set(err, CS_EINPUT,
                          "--out is not for training steps; expected --points, --csv or --json");
    if (!code)
        code = validate_one_path(request, "rows.csv and its series, tables and machines", err);
    return code ? code : cs_validate_training(cli, request, err);
}

static int validate_tcp(const struct cs_cli *cli, const struct cs_validate_request *request,
                        struct cs_err *err)
{
    int code = validate_refuse(request, false, err);

    if (!code)
        code = validate_refuse_training(request, err);
    return code ? code : cs_validate_tcp(cli, request, err);
}

enum validate_word {
    VALIDATE_PREDICT,
    VALIDATE_PUBLISHED,
    VALIDATE_TRAINING,
    VALIDATE_TCP,
    VALIDATE_WORDS, /* none of them: the recorded runs */
};

static const char *const validate_words[VALIDATE_WORDS] = {
    [VALIDATE_PREDICT] = "predict",
    [VALIDATE_PUBLISHED] = "published",
    [VALIDATE_TRAINING] = "training",
    [VALIDATE_TCP] = "tcp",
};

static int validate_word(int argc, char **argv, enum validate_word *word, struct cs_err *err)
{
    unsigned i = 0;

    *word = VALIDATE_WORDS;
    if (argc == 0 || argv[0][0] == '-')
        return 0;
    while (i < VALIDATE_WORDS && !cs_same(argv[0], validate_words[i]))
        i++;
    *word = (enum validate_word)i;
    return i < VALIDATE_WORDS
               ? 0
               : cs_err_set(err, CS_EINPUT, "validate has no '%.40s'%s", argv[0],
                            cs_hint_all(argv[0], validate_words, VALIDATE_WORDS).text);
}

static int validate_recorded(const struct cs_cli *cli, const struct cs_validate_request *request,
                             bool predicts, struct cs_err *err)
{
    CS_AT_END(cs_recorded_free) struct cs_recorded recorded = {0};
    int code = validate_refuse(request, false, err);

    if (!code)
        code = validate_refuse_training(request, err);
    if (!code)
        code = cs_recorded_read(&recorded, request, err);
    if (!code)
        code = predicts ? validate_predict(cli, request->out, &recorded.all, err)
                        : validate_compare(cli, request, &recorded, err);
    return code;
}

static int validate_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    struct cs_validate_request request = {.format = CS_FORMAT_TEXT, .worst = WORST};
    enum validate_word word;
    int code = validate_word(argc, argv, &word, err);
    int words = word < VALIDATE_WORDS;

    if (!code)
        code =
            cs_options_read(cs_command_validate.options, argc - words, argv + words, &request, err);
    if (code)
        return code;
    switch (word) {
    case VALIDATE_PUBLISHED:
        return validate_published(cli, &request, err);
    case VALIDATE_TRAINING:
        return validate_training(cli, &request, err);
    case VALIDATE_TCP:
        return validate_tcp(cli, &request, err);
    default:
        return validate_recorded(cli, &request, word == VALIDATE_PREDICT, err);
    }
}

const struct cs_command cs_command_validate = {
    .name = "validate",
    .usage = "collsim validate [predict|published|training|tcp] [--data PATH] [--points] [--gated] "
             "[--out DIR]",
    .about = "compare predictions with recorded measurements",
    .options = {.own = validate_options},
    .notes =
        "'validate predict' writes the predicted time of every run of 'make gpu', from "
        "a\ncalibration in --data, to --out FILE before any measurement. A later comparison\nshows "
        "for each prediction whether the line is older than the run and equals the\nmodel's "
        "current time.\n"
        "'validate published' predicts tables that others published: nccl-tests, rccl-tests,\nOSU, "
        "Gloo. Errors are those of the shipped parameters, which are estimates from these\ntables, "
        "and of parameters that were estimated without the site. --data is then a\ndirectory with "
        "tables.csv and rows.csv; --gated compares with score.csv.\n"
        "'validate training' predicts training steps that others measured and scores the\nerrors "
        "beside three baselines; --data is then a directory with rows.csv and its\nseries, tables "
        "and machines.\n"
        "'validate tcp' predicts collectives over TCP from a calibration of 'measure "
        "tcp\n--calibrate' alone, and judges the errors by gates.yaml in --data.\n"
        "Exit status 1 for an error above its gate, a wrong sum or a time below the lower\nbound, "
        "3 without a recorded run.\n",
    .run = validate_run,
};
